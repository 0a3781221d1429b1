"""Stretches of a page that PDFium broke apart and that stand on one row are one line again; the lines of a page are its anchor.

PDFium ends a line where a text object does not overlap the one before, as behind a raised mark, before a single digit, or between a
number and its title. What stands no further apart than words of one line is put together; what stands further apart stays a line of its
own, a cell.

The anchor: lines are ended by a line feed, cells of one row by two blanks. No other control character occurs in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from pageindex.document import Line, Run
from pageindex.document.edition import close_lines, open_line
from pageindex.document.offsets import byte_size
from pageindex.reading.pdf.api import handle
from pageindex.reading.pdf.batch import char_spans
from pageindex.reading.pdf.fonts import Frame
from pageindex.reading.pdf.order import upright
from pageindex.reading.pdf.text import join_pairs

__all__ = ["CELL_GAP", "Printed", "Spot", "anchor_of", "is_label", "joined", "with_whole_characters"]

#: A gap between two words of one baseline, in font sizes, from which on they stand in two cells. A justified space stays below 1,
#: gutters between columns begin at about 1.8.
CELL_GAP = 1.6

#: A gap between two characters, in font sizes of the smaller one, from which on they belong to two words.
WORD_GAP = 0.15

#: The same between a number and the title that it stands before.
LABEL_GAP = 6.0

SAME_ROW = 0.5  #: Share of the lower one's height over which two stretches of one row stand beside each other.

CELL_BREAK, LINE_BREAK = "  ", "\n"
CELL_BREAK_SIZE = len(CELL_BREAK)

Spot = tuple[
    int, int, int
]  #: Offset in a line, number of the character that stands there, and how many follow one another.

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")

_NUMERAL = r"[^\W\d_]|[ivxlcdm]{1,6}|[IVXLCDM]{1,6}|第?[一二三四五六七八九十百]{1,4}[章节節条條編编部]?"
_LABEL = re.compile(
    rf"[^\w\s]{{1,3}}|[^\w\s]{{0,2}}(?:\d[\w.\-–:]{{0,9}}|{_NUMERAL}|[^\W\d_]{{1,5}}[.:)\]]|[^\W\d_]{{1,4}}[.\-]\d[\d.\-]{{0,6}})[^\w\s]{{0,2}}"
)


class Printed(NamedTuple):
    """Lines whose place in the anchor is not known yet, the text object in which each begins, and where its characters come from."""

    lines: list[Line]
    objects: list[int | None]
    spots: list[tuple[Spot, ...]]

    def in_order(self, order: Sequence[int]) -> Printed:
        """The same lines in another order."""
        lines, objects, spots = self
        return Printed([lines[i] for i in order], [objects[i] for i in order], [spots[i] for i in order])


def is_label(text: str) -> bool:
    """Whether a text may be the number or bullet of a heading or an item."""
    return _LABEL.fullmatch(text) is not None


def joined(text_page: int, frame: Frame, printed: Printed) -> Printed:
    """The lines, those that follow one another on one row put together."""
    lines = printed.lines
    near = _near(lines)
    if not near:
        return printed
    lines, objects, spots = list(lines), list(printed.objects), list(printed.spots)
    while near:
        number = near.pop()
        before, line = lines[number - 1], lines[number]
        gap = _gap(before, line)
        if gap is None:
            continue
        limit = LABEL_GAP if is_label(before.text) and line.text[0].isalpha() and before.angle == 0 else CELL_GAP
        if gap < limit * max(before.size, line.size):
            blank = _blank_between(text_page, frame, spots[number - 1], spots[number], before, line)
            lines[number - 1 : number + 1] = [_one(before, line, blank)]
            shift = len(before.text) + len(blank)
            moved = tuple([(at + shift, index, length) for at, index, length in spots[number]])
            spots[number - 1 : number + 1] = [(*spots[number - 1], *moved)]
            del objects[number]
            if number > 1 and (not near or near[-1] != number - 1):
                near.append(number - 1)  # it stands beside the whole, if not beside the raised sign that begins it
    return Printed(lines, objects, spots)


def _near(lines: Sequence[Line]) -> list[int]:
    """Lines that share their height with the one before them, or are turned and may."""
    near = []
    top, foot, turned = 1e9, -1e9, False
    for number, line in enumerate(lines):
        _, y0, _, y1 = line.box
        if y0 < foot and y1 > top:
            height, other = y1 - y0, foot - top
            shared = (foot if foot < y1 else y1) - (top if top > y0 else y0)
            if shared >= SAME_ROW * (height if height < other else other):
                near.append(number)
        elif turned and line.angle:
            near.append(number)
        top, foot, turned = y0, y1, line.angle != 0
    return near


def _gap(before: Line, line: Line) -> float | None:
    """How far a line stands behind another of its row, in points; None where they are not on one row."""
    angle = before.angle
    if angle != line.angle:
        return None
    a, b = (upright(before.box, angle), upright(line.box, angle)) if angle else (before.box, line.box)
    shared = min(a[3], b[3]) - max(a[1], b[1])
    if shared <= 0.0 or shared < SAME_ROW * min(a[3] - a[1], b[3] - b[1]):
        return None
    gap = b[0] - a[2]
    return gap if gap > -0.3 * min(before.size, line.size) and b[2] > a[2] else None


def _blank_between(
    text_page: int, frame: Frame, before: Sequence[Spot], behind: Sequence[Spot], left: Line, right: Line
) -> str:
    """A blank where two stretches stand as far apart as words do, by the advances of their outer characters."""
    (_, last, length), (_, first, _) = before[-1], behind[0]
    if last < 0 or first < 0:
        return " "
    spans = char_spans(handle(text_page), [last + length - 1, first])
    a, b = (upright(frame.box(x0, top, x1, bottom), left.angle) for x0, top, x1, bottom in spans)
    return " " if b.x0 - a.x1 > WORD_GAP * min(left.size, right.size) else ""


def _one(before: Line, line: Line, blank: str) -> Line:
    """The line that two stretches make."""
    shift = len(before.text) + len(blank)
    first, second = (one.runs or (Run(0, one.size, one.font, one.weight, one.color),) for one in (before, line))
    runs = (*first, *[replace(run, start=run.start + shift) for run in second])
    if not before.runs and not line.runs and replace(runs[1], start=0) == runs[0]:
        runs = ()
    longer = before if len(before.text) >= len(line.text) else line
    style = (longer.size, longer.font, longer.weight, longer.color)
    return open_line(line.page, before.text + blank + line.text, before.box.union(line.box), *style, runs, line.angle)


def anchor_of(lines: Sequence[Line]) -> str:
    """The text that lines in reading order make; each is given its byte range in it."""
    texts = [line.text for line in lines]
    cells = {number for number in _near(lines) if _gap(lines[number - 1], lines[number]) is not None}
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    for number, text in enumerate(texts):
        if number in cells:
            at += CELL_BREAK_SIZE - 1
        starts.append(at)
        at += len(text) if text.isascii() else byte_size(text)
        ends.append(at)
        at += 1
    close_lines(lines, starts, ends)
    if not cells:
        return LINE_BREAK.join(texts)
    return "".join([(CELL_BREAK if n in cells else LINE_BREAK) + text for n, text in enumerate(texts)])[1:]


def with_whole_characters(printed: Printed) -> None:
    """Makes the halves of characters beyond U+FFFF one; their runs, and where the characters come from, count so too."""
    for number, line in enumerate(printed.lines):
        if not line.text.isascii():
            printed.spots[number] = _whole_spots(line.text, printed.spots[number])
            _join_pairs(line)


def _whole_spots(text: str, spots: Sequence[Spot]) -> tuple[Spot, ...]:
    """Spots of a text in halves, for the text in which they are put together: such a character comes from its first half."""
    found: list[Spot] = []
    for at, index, length in spots:
        start, place = at, len(join_pairs(text[:at]))
        for match in _PAIR.finditer(text, at, at + length) if index >= 0 else ():
            found.append((place, index + start - at, match.start() + 1 - start))
            place += match.start() + 1 - start
            start = match.end()
        if start < at + length:
            rest = join_pairs(text[start : at + length])
            found.append((place, index + start - at if index >= 0 else index, len(rest)))
    return tuple(found)


def _join_pairs(line: Line) -> None:
    """Makes the halves of characters beyond U+FFFF one in an open line, and its runs count so too."""
    if line.text.isascii():
        return
    runs: dict[int, Run] = {}
    for run in line.runs:
        start = len(join_pairs(line.text[: run.start]))
        runs[start] = replace(run, start=start)
    line.text = join_pairs(line.text)  # type: ignore[misc]
    line.runs = tuple(runs.values()) if len(runs) > 1 else ()  # type: ignore[misc]
