"""The printed rows of a page: its lines of text, each with its cells, its place and its style."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pageindex.document import Box, Edition, Line, Page
from pageindex.document.offsets import byte_size
from pageindex.text.shown import kept_bytes

__all__ = ["Row", "rows_of"]

_TEXT_LINE = re.compile("[^\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+")
#: What parts the cells of a row: tabs, the bars of a Markdown table, blanks in a row (two may also stand behind a full stop).
_BETWEEN = re.compile(r"[ ]*\t+[ ]*|(?<=[^\s.!?:;,])[ ]{2,}(?=\S)|(?<=\S)[ ]{3,}(?=\S)")
_BAR = re.compile(r"[ \t]*(?<!\\)\|[ \t]*")
_BOLDER = 1.35  # times the weight of another line's letters


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a page's text.

    Attributes:
        start, end: Its bytes, without white space at the ends.
        text: Its characters.
        cells: Byte ranges of its cells; one where it has no columns.
        apart: Whether an empty line, or something that is not shown, stands before it.
        box: Where it is printed; None where that is not known.
        size, bold, weight: Of its letters.
    """

    start: int
    end: int
    text: str
    cells: tuple[tuple[int, int], ...]
    apart: bool = False
    box: Box | None = None
    size: float = 0.0
    bold: bool = False
    weight: int = 400

    @property
    def columns(self) -> tuple[str, ...]:
        """The words of its cells."""
        data = self.text.encode("utf-8", "surrogatepass")
        return tuple(
            data[a - self.start : b - self.start].decode("utf-8", "surrogatepass").strip() for a, b in self.cells
        )

    def is_as_large_as(self, other: Row) -> bool:
        """Whether both are set in letters of one size, as far as that is known."""
        return not (self.size and other.size) or abs(self.size - other.size) < 0.09 * max(self.size, other.size)

    def is_as_bold_as(self, other: Row) -> bool:
        """Whether both are set in letters of one weight."""
        return self.bold == other.bold and max(self.weight, other.weight) < _BOLDER * max(
            1, min(self.weight, other.weight)
        )


def rows_of(edition: Edition, number: int) -> list[Row]:
    """The rows of a page that are shown, in reading order; running heads, feet and folios are left out."""
    page = edition.page(number)
    lines, rows = _lines_of(edition, number), list[Row]()
    end_of_last, at = 0, 0
    for low, high in kept_bytes(page):
        position, byte = 0, low
        text = page.words(low, high)
        for match in _TEXT_LINE.finditer(text):
            byte += byte_size(text[position : match.start()])
            position = match.start()
            bare = match.group().strip()
            if not bare:
                continue
            start = byte + byte_size(match.group()[: len(match.group()) - len(match.group().lstrip())])
            end = start + byte_size(bare)
            while at < len(lines) and lines[at].end <= start:
                at += 1
            until = at
            while until < len(lines) and lines[until].start < end:
                until += 1
            apart = bool(rows) and _is_apart(page, end_of_last, start)
            rows.append(_row(edition, bare, start, end, lines[at:until], apart))
            end_of_last = end
    return rows


def _lines_of(edition: Edition, number: int) -> Sequence[Line]:
    lines = edition.lines
    first = bisect_left(lines, number, key=lambda line: line.page)
    last = bisect_left(lines, number + 1, lo=first, key=lambda line: line.page)
    return sorted(lines[first:last], key=lambda line: line.start)


def _is_apart(page: Page, end: int, start: int) -> bool:
    """Whether more than one line break stands between two rows."""
    between = page.words(end, start).replace("\r\n", "\n")
    return len(between) - len(between.translate(_NO_BREAKS)) > 1


_NO_BREAKS = {ord(mark): None for mark in "\n\v\f\r\x1c\x1d\x1e\x85\u2028\u2029"}


def _row(edition: Edition, text: str, start: int, end: int, lines: Sequence[Line], apart: bool) -> Row:
    if not lines or not lines[0].size:
        return Row(start, end, text, tuple(_cells(text, start)), apart)
    widest = max(lines, key=lambda line: line.box.width)
    box = lines[0].box
    for line in lines[1:]:
        box = box.union(line.box)
    cells = [(line.start, line.end) for line in lines] if len(lines) > 1 else list(_cells(text, start))
    bold = edition.fonts[widest.font].bold if widest.font < len(edition.fonts) else False
    return Row(start, end, text, tuple(cells), apart, box, widest.size, bold, widest.weight)


def _cells(text: str, start: int) -> Iterator[tuple[int, int]]:
    """The byte ranges of what stands between tabs, bars or wide blanks."""
    between = _BAR if text.startswith("|") or text.count(" | ") > 1 else _BETWEEN
    position, byte = 0, start
    for match in between.finditer(text):
        if match.start() > position:
            size = byte_size(text[position : match.start()])
            yield byte, byte + size
            byte += size
        byte += byte_size(match.group())
        position = match.end()
    if position < len(text):
        yield byte, byte + byte_size(text[position:])
