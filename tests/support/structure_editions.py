"""Small editions made by hand, for tests of structure that need no PDF."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pageindex.document import Bookmark, Box, Edition, Extractor, Font, HeadingTag, Line, Link, Page, Source

FONTS = (Font("Serif"), Font("Serif-Bold", bold=True))


@dataclass(frozen=True)
class Printed:
    """A line to print: size in points; x and y from the top left corner, y None for the next free row."""

    text: str
    size: float = 10.0
    bold: bool = False
    x: float = 72.0
    y: float | None = None
    x1: float | None = None
    running: bool = False


@dataclass
class Draft:
    """Pages of printed lines, which become an Edition."""

    pages: list[list[Printed]] = field(default_factory=list)
    labels: list[str | None] = field(default_factory=list)

    def page(self, *lines: Printed | str, label: str | None = None) -> Draft:
        self.pages.append([Printed(line) if isinstance(line, str) else line for line in lines])
        self.labels.append(label)
        return self

    def edition(
        self,
        bookmarks: Sequence[Bookmark] = (),
        tags: Sequence[HeadingTag] = (),
        links: Sequence[Link] = (),
        tag_coverage: float = 0.0,
        info: dict[str, str] | None = None,
    ) -> Edition:
        pages, lines = [], []
        for number, (printed, label) in enumerate(zip(self.pages, self.labels, strict=True), 1):
            made, running = _set(number, printed)
            lines.extend(made)
            text = "\n".join(item.text for item in printed)
            source = "pdf" if label else None
            pages.append(Page(number, text, label=label, label_source=source, width=612, height=792, running=running))
        return Edition(
            Source("hand.pdf", "0" * 64, 1),
            Extractor("hand", "1"),
            tuple(pages),
            tuple(lines),
            FONTS,
            tuple(bookmarks),
            tuple(tags),
            tag_coverage,
            tuple(links),
            info or {},
        )


def _set(number: int, printed: Sequence[Printed]) -> tuple[list[Line], tuple[tuple[int, int], ...]]:
    lines, running, byte, y = [], [], 0, 72.0
    for item in printed:
        top = y if item.y is None else item.y
        y = top + item.size * 1.3
        end = byte + len(item.text.encode())
        right = item.x1 if item.x1 is not None else item.x + len(item.text) * item.size * 0.5
        box = Box(item.x, top, right, top + item.size)
        lines.append(Line(number, byte, end, item.text, box, item.size, int(item.bold), 700 if item.bold else 400))
        if item.running:
            running.append((byte, end))
        byte = end + 1
    return lines, tuple(running)
