"""Marks of notes that the file draws apart from what they are printed at, as some programs draw all raised signs of a page behind its text.

Where such a mark stands is beyond doubt: it touches a word set larger, or stands right before the text of its note. It is put there
before lines are joined and ordered. The indices and exponents of formulas, which stand in stacks, are not touched.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from pageindex.document import Line
from pageindex.reading.pdf.joining import Printed

__all__ = ["with_signs_in_place"]

LONGEST_SIGN = 6  #: Characters.
LEAST_NOTE = 12  #: Characters of a note's text.
LARGEST = 30.0  #: Size of a line that carries a mark of a note, in points.
SMALLER = 0.87  #: Size of a sign, in sizes of the line that it belongs to, at most.
TOUCHING = 0.35  #: Gap between a line and the sign behind it, in sizes of the line, at most.
BEFORE, NUMBER_BEFORE = 1.2, 0.5  #: The same of a sign and the line behind it; numbers further away count lines.
SAME_ROW = 0.5  #: Share of the lower one's height that both have.

_SIGN = re.compile(r"[(\[]\w{1,3}[)\]]|[*†‡§¶#]{1,3}|\d{1,3}(?:,\d{1,3})?")
_WORD_ENDS = re.compile(r"[^\W\d_]{3,}[^\w\s]{0,3}\Z")
_ENDS = re.compile(r"\w{2,}[^\w\s]{0,3}\Z")
_NOTE_BEGINS = re.compile(r"[^\w\s]?[^\W\d_]+[^\w]")


def with_signs_in_place(printed: Printed) -> Printed:
    """The lines with each sign drawn apart directly behind, or before, the line that it belongs to."""
    lines = printed.lines
    short = [place for place, line in enumerate(lines) if len(line.text) <= LONGEST_SIGN]
    short = [place for place in short if _SIGN.fullmatch(lines[place].text) is not None]
    if not short:
        return printed
    largest = SMALLER * max([line.size for line in lines])
    signs = [place for place in short if lines[place].size <= largest and not _in_place(lines, place)]
    if not signs:
        return printed
    hosts = _Hosts(lines)
    before: dict[int, list[int]] = {}
    behind: dict[int, list[int]] = {}
    for place in signs:
        host, is_behind = hosts.of(lines[place])
        if host >= 0:
            (behind if is_behind else before).setdefault(host, []).append(place)
    moved = {place for places in (*before.values(), *behind.values()) for place in places}
    if not moved:
        return printed
    order: list[int] = []
    for place in range(len(lines)):
        if place not in moved:
            order += [*before.get(place, ()), place, *behind.get(place, ())]
    return printed.in_order(order)


def _in_place(lines: Sequence[Line], place: int) -> bool:
    """Whether a line is turned, or drawn next to what it touches."""
    line = lines[place]
    if line.angle:
        return True
    return (place > 0 and _is_behind(lines[place - 1], line)) or (
        place + 1 < len(lines) and _is_behind(line, lines[place + 1])
    )


def _is_behind(first: Line, second: Line) -> bool:
    gap = second.box.x0 - first.box.x1
    return abs(gap) <= TOUCHING * max(first.size, second.size) and _on_row(first, second)


def _on_row(first: Line, second: Line) -> bool:
    a, b = first.box, second.box
    return min(a.y1, b.y1) - max(a.y0, b.y0) >= SAME_ROW * min(a.y1 - a.y0, b.y1 - b.y0)


class _Hosts:
    """The lines of a page by their sides."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self._largest = min(max([line.size for line in lines]), LARGEST)
        self._by_right = sorted([(line.box.x1, place) for place, line in enumerate(lines) if not line.angle])
        self._by_left = sorted([(line.box.x0, place) for place, line in enumerate(lines) if not line.angle])

    def of(self, sign: Line) -> tuple[int, bool]:
        """The place of the line that a sign belongs to, -1 for none, and whether the sign stands behind it."""
        for found, at, is_behind in ((self._by_right, sign.box.x0, True), (self._by_left, sign.box.x1, False)):
            reach = self._largest * (TOUCHING if is_behind else BEFORE)
            near = found[bisect_left(found, (at - reach, -1)) : bisect_right(found, (at + reach, len(self._lines)))]
            hosts = [
                (abs(side - at), place)
                for side, place in near
                if self._takes(self._lines[place], sign, (at - side) if is_behind else (side - at), is_behind)
            ]
            if hosts:
                return min(hosts)[1], is_behind
        return -1, False

    @staticmethod
    def _takes(line: Line, sign: Line, gap: float, is_behind: bool) -> bool:
        if sign.size > SMALLER * line.size or not _on_row(line, sign):
            return False
        if is_behind:
            ends = _WORD_ENDS if sign.text[0].isdigit() else _ENDS
            return abs(gap) <= TOUCHING * line.size and ends.search(line.text) is not None
        if len(line.text) < LEAST_NOTE or not _NOTE_BEGINS.match(line.text):
            return False
        most = NUMBER_BEFORE if sign.text.isdecimal() else BEFORE
        return -0.1 * line.size <= gap <= most * line.size
