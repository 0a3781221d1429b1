"""Editions built by hand: text with one line per printed line, boxes laid out as a typesetter would."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pageindex.document import Box, Edition, Extractor, Font, Line, Page, PageState, Source


@dataclass(frozen=True)
class Printed:
    """One line to print: its words, style and place. ``x`` and ``y`` in points from the top left; ``same_row`` keeps the height."""

    text: str
    size: float = 10.0
    font: int = 0
    weight: int = 400
    x: float = 72.0
    same_row: bool = False
    running: bool = False


def edition_of(*pages: Sequence[Printed | str], name: str = "made.pdf") -> Edition:
    """An edition of letter pages; characters are half as wide as they are tall; lines end in CRLF as PDFium's do."""
    made, lines = [], []
    for number, page in enumerate(pages, start=1):
        text, y, running = "", 72.0, []
        for item in (Printed(item) if isinstance(item, str) else item for item in page):
            start = len(text.encode())
            end = start + len(item.text.encode())
            y += 0 if item.same_row else item.size * 1.3
            box = Box(item.x, y - item.size, item.x + len(item.text) * item.size / 2, y)
            lines.append(Line(number, start, end, item.text, box, item.size, item.font, item.weight))
            if item.running:
                running.append((start, end))
            text += item.text + "\r\n"
        state = PageState.TEXT if text else PageState.BLANK
        made.append(Page(number, text, state, width=612, height=792, running=tuple(running)))
    return Edition(
        Source(name, "0" * 64, 1),
        Extractor("made", "1"),
        tuple(made),
        lines,
        fonts=(Font("Body"), Font("Head", bold=True)),
    )


def text_edition(*texts: str, name: str = "made.txt", source: str = "0" * 64) -> Edition:
    """An edition of bare page texts, without lines."""
    pages = tuple(Page(n, text, PageState.TEXT if text.strip() else PageState.BLANK) for n, text in enumerate(texts, 1))
    return Edition(Source(name, source, 1), Extractor("made", "1"), pages)


def with_state(edition: Edition, number: int, state: PageState) -> Edition:
    """The edition with one page in another state, its text gone."""
    pages = tuple(replace(p, text="", state=state) if p.number == number else p for p in edition.pages)
    return replace(edition, pages=pages, lines=())
