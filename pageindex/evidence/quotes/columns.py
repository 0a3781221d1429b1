"""The lines of a page stacked into blocks: what stands in one cell or column, line below line.

The page's text runs across: where cells of several lines stand side by side it takes them row by row, and a reader's quote of one cell is
not in one piece there. Such a quote is sought in the blocks, and over the end of one into the next.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from itertools import pairwise
from statistics import median

from pageindex.document import Box, Line
from pageindex.evidence.characters import Character

__all__ = ["margin_numbers", "parted", "stacked"]

_NUMBERED = re.compile(r"(\d{1,4})(?:\s+|\Z)")
_FEWEST_NUMBERED = 3
_MANY_NUMBERED = 8
_INDENT = 8.0  # points by which numbers stand left of the text

_OVERLAP = 0.5  # of the narrower line
_GAP = 1.1  # heights between two lines of a block
_LIKE = 1.25  # ratio of sizes within a block
_WINDOW = 80  # lines that are looked back

_WIDER = 1.3  # times the usual blank of a line: more than a blank between words,
_WIDE = 0.25  # sizes, at least; where a line has no other blank to compare with,
_ALONE = 0.45  # that many
_ALIGNED = 1.5  # points between the beginnings of two lines of one column
_BESIDE = 6.0  # heights above and below within which a column has other lines


def stacked(lines: Sequence[Line]) -> list[list[Line]]:
    """The blocks of a page, by their first lines from top to bottom; lines without a place, or turned, are in none."""
    placed = sorted(
        (one for one in lines if one.box.height > 0 and not one.angle), key=lambda one: (one.box.y0, one.box.x0)
    )
    blocks: list[list[Line]] = []
    ends: list[tuple[Line, list[Line]]] = []
    for line in placed:
        found = max(((_fit(above, line), index) for index, (above, _) in enumerate(ends[-_WINDOW:])), default=(0.0, 0))
        if found[0] > 0:
            _, block = ends.pop(max(0, len(ends) - _WINDOW) + found[1])
            block.append(line)
        else:
            block = [line]
            blocks.append(block)
        ends.append((line, block))
    return blocks


def _fit(above: Line, line: Line) -> float:
    """How well a line goes on below another; 0 where it does not."""
    height = max(above.box.height, line.box.height, 1.0)
    gap = line.box.y0 - above.box.y1
    if not -0.4 * height < gap < _GAP * height:
        return 0.0
    if max(above.size, line.size) > _LIKE * max(min(above.size, line.size), 0.1) and above.size and line.size:
        return 0.0
    shared = min(above.box.x1, line.box.x1) - max(above.box.x0, line.box.x0)
    narrower = max(min(above.box.width, line.box.width), 0.1)
    if shared < _OVERLAP * narrower:
        return 0.0
    aligned = min(abs(above.box.x0 - line.box.x0), abs(above.box.x1 - line.box.x1)) < 0.5 * height
    return 1 + shared / narrower + aligned - max(gap, 0) / height


def margin_numbers(lines: Sequence[Line]) -> dict[int, int]:
    """Characters to leave out at the beginning of lines, by the line's first byte: numbers that count the lines in the margin.

    They rise by one step and begin in one place; they stand left of the text, or there are many of them.
    """
    found = [(line, match) for line in lines if (match := _NUMBERED.match(line.text))]
    left = min((line.box.x0 for line, _ in found), default=0.0)
    found = [(line, match) for line, match in found if line.box.x0 < left + _INDENT]
    values = [int(match.group(1)) for _, match in found]
    steps = {b - a for a, b in pairwise(values)}
    outside = bool(lines) and left < median(line.box.x0 for line in lines) - _INDENT
    if len(values) < (_FEWEST_NUMBERED if outside else _MANY_NUMBERED) or len(steps) != 1 or not 0 < steps.pop() <= 10:
        return {}
    return {line.start: match.end() for line, match in found}


def parted(lines: Sequence[Line], characters: Sequence[Character]) -> list[Line]:
    """The lines with narrow columns told apart: parted at a blank wider than the others, where another line begins.

    The page's text has such cells as words of one line, for between them is hardly more room than between words.
    """
    starts = sorted((line.box.x0, line.box.y0) for line in lines if line.box.height > 0 and not line.angle)
    places = [one.start for one in characters]
    found: list[Line] = []
    for line in lines:
        inside = characters[bisect_left(places, line.start) : bisect_left(places, line.end)]
        found += [line] if line.angle or not inside else _pieces(line, list(_words_of(inside)), starts)
    return found


def _words_of(characters: Sequence[Character]) -> Iterator[list[Character]]:
    """Characters without a blank between them; a blank that nobody drew is a gap in their bytes."""
    word: list[Character] = []
    for one in characters:
        if word and (one.text.isspace() or one.start > word[-1].end):
            yield word
            word = []
        if not one.text.isspace():
            word.append(one)
    if word:
        yield word


def _pieces(line: Line, words: list[list[Character]], starts: Sequence[tuple[float, float]]) -> list[Line]:
    gaps = [after[0].box.x0 - before[-1].box.x1 for before, after in pairwise(words)]
    usual = max(_WIDER * median(gaps), _WIDE * line.size) if len(gaps) > 1 else _ALONE * line.size
    cuts = [at for at, gap in enumerate(gaps, start=1) if gap > usual and _begins(words[at][0].box, line, starts)]
    if not cuts:
        return [line]
    return [_piece(line, words[low:high]) for low, high in pairwise([0, *cuts, len(words)])]


def _begins(box: Box, line: Line, starts: Sequence[tuple[float, float]]) -> bool:
    """Whether another line near by begins where a word does."""
    at = bisect_left(starts, (box.x0 - _ALIGNED, 0.0))
    while at < len(starts) and starts[at][0] <= box.x0 + _ALIGNED:
        away = abs(starts[at][1] - line.box.y0)
        if 0.5 * line.box.height < away < _BESIDE * line.box.height:
            return True
        at += 1
    return False


def _piece(line: Line, words: Sequence[Sequence[Character]]) -> Line:
    start, end = words[0][0].start, words[-1][-1].end
    text = line.text.encode("utf-8", "surrogatepass")[start - line.start : end - line.start]
    around = reduce(Box.union, [one.box for word in words for one in word])
    box = Box(around.x0, line.box.y0, around.x1, line.box.y1)
    return replace(line, start=start, end=end, text=text.decode("utf-8", "surrogatepass"), box=box, runs=())
