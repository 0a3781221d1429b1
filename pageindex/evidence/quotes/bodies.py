"""The body of each page, as a reader's eye runs on over a page break: past foot notes, heads, feet and stamps that other pages have too.

Running lines are known from the reading; this goes further, and only for quotes that nothing else finds: a line near the edge of a page that
stands so on other pages, and small print below the text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from statistics import median

from pageindex.document import Edition, Line
from pageindex.evidence.lines import page_lines

__all__ = ["bodies"]

_HEAD, _FOOT = 6, 8  # lines from the edge that may be heads and feet
_REPEATED = 3  # pages that have the same line, digits aside
_HEIGHT = 8  # points within which lines of two pages stand in one place
_SMALL = 0.93  # of the size of the body
_DIGITS = re.compile(r"\d+")
_BLANKS = re.compile(r"\s+")


def bodies(edition: Edition) -> list[list[Line]]:
    """The lines of each page's body, in their order."""
    pages = [_without_running(edition, page.number) for page in edition.pages]
    counts = Counter(mask for lines in pages for mask in {_place(line) for line in _edges(lines)})
    return [_body(lines, counts) for lines in pages]


def _without_running(edition: Edition, number: int) -> list[Line]:
    running = edition.page(number).running
    lines = (line for line in page_lines(edition, number) if line.text.strip())
    return [line for line in lines if not any(low <= line.start and line.end <= high for low, high in running)]


def _edges(lines: Sequence[Line]) -> list[Line]:
    return [*lines[:_HEAD], *lines[max(_HEAD, len(lines) - _FOOT) :]]


def _place(line: Line) -> tuple[str, int]:
    """What a line says, digits aside, and how far down the page it says so."""
    return _BLANKS.sub(" ", _DIGITS.sub("#", line.text)).strip(), round(line.box.y0 / _HEIGHT)


def _body(lines: list[Line], counts: Counter[tuple[str, int]]) -> list[Line]:
    repeated = {id(line) for line in _edges(lines) if counts[_place(line)] >= _REPEATED}
    kept = [line for line in lines if id(line) not in repeated]
    size = median(line.size for line in kept) if kept else 0.0
    while len(kept) > 1 and 0 < kept[-1].size < _SMALL * size:
        kept.pop()
    return kept
