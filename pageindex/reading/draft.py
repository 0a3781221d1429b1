"""A text under construction: what is written, with its styles, kinds, headings and pictures, becomes the content of an edition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pageindex.document import Note, TextKind
from pageindex.reading.typeset import BODY_SIZE, Heading, Style, Styled
from pageindex.reading.virtual import Content, Drawn, clean_title

__all__ = ["Draft", "Piece"]


@dataclass(frozen=True, slots=True)
class Piece:
    """Characters of one look. Sizes are the format's own; they are made relative to the body's in the end."""

    text: str
    style: Style
    kind: TextKind | None = None


class Draft:
    """Collects a text from its start to its end; offsets are in characters."""

    def __init__(self) -> None:
        self.length = 0
        self.headings: list[Heading] = []
        self.pictures: list[int] = []
        self.cuts: list[int] = []
        self._parts: list[str] = []
        self._styled: list[Styled] = []
        self._drawn: list[Drawn] = []
        self._tail = ""  # the last two characters

    @property
    def text(self) -> str:
        return "".join(self._parts)

    @property
    def at_line_start(self) -> bool:
        return self._tail[-1:] in ("", "\n")

    def put(self, text: str) -> None:
        """Write what has no look: line breaks and tabs."""
        if text:
            self._parts.append(text)
            self.length += len(text)
            self._tail = (self._tail + text)[-2:]

    def blank(self) -> None:
        """An empty line, unless there is one or nothing stands before it."""
        if self.length and self._tail != "\n\n":
            self.put("\n" if self.at_line_start else "\n\n")

    def write(self, piece: Piece) -> None:
        """Write characters with their look."""
        start, end = self.length, self.length + len(piece.text)
        if not piece.text:
            return
        before = self._styled[-1] if self._styled else None
        if before is not None and before.style == piece.style and before.end == start:
            self._styled[-1] = replace(before, end=end)
        else:
            self._styled.append(Styled(start, end, piece.style))
        if piece.kind is not None:
            drawn = self._drawn[-1] if self._drawn else None
            if drawn is not None and drawn.kind is piece.kind and drawn.end == start:
                self._drawn[-1] = replace(drawn, end=end)
            else:
                self._drawn.append(Drawn(start, end, piece.kind))
        self.put(piece.text)

    def cut(self) -> None:
        """Begin a page with what follows."""
        if self.length:
            self.cuts.append(self.length)

    def heading(self, offset: int, level: int, title: str) -> None:
        """Mark what was written since ``offset`` as a heading, if its title says something."""
        title = clean_title(title)
        if title:
            end = self.length - (self._tail[-1:] == "\n")
            self.headings.append(Heading(offset, level, title, end))

    def content(
        self, info: Mapping[str, str], notes: Sequence[Note], *, guessed: bool = False, lost: bool = False
    ) -> Content:
        """All of it, as paragraphs that flow."""
        return Content(
            self.text,
            sorted(self.headings, key=lambda heading: heading.offset),
            list(self._relative()),
            self._drawn,
            sorted(self.pictures),
            [cut for cut in self.cuts if cut < self.length],
            {key: value for key, value in info.items() if value},
            notes,
            guessed=guessed,
            lost=lost,
            flowing=True,
        )

    def _relative(self) -> list[Styled]:
        """The stretches that do not look like the body, sizes relative to it."""
        sizes: Counter[float] = Counter()
        for one in self._styled:
            sizes[one.style.size] += one.end - one.start
        if not sizes:
            return []
        scale = BODY_SIZE / sizes.most_common(1)[0][0]
        fitted = (replace(one, style=replace(one.style, size=round(one.style.size * scale, 2))) for one in self._styled)
        return [one for one in fitted if one.style != Style()]
