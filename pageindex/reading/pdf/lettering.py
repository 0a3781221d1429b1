"""Words that are drawn: as outlines, by strokes of a pen, point by point, or letter by letter as pictures.

What is small and drawn close together is a mark of many parts; several such marks side by side, of about one height and of different
widths, are a word. Whether they are one nobody judges: it is enough that they may be.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import pairwise
from statistics import median

from pageindex.document import Box
from pageindex.reading.pdf.objects import Shape

__all__ = ["lettering", "touching"]

LEAST_LETTERS = 5  #: Marks of a row that are letters.
UNLIKE_WIDTHS, UNLIKE_FORMS = 3, 4  #: Of a row's letters; a row of one shape again and again is an ornament.
CURVED, LEAST_CURVED = 7, 2  #: Steps of a letter that is no mere rectangle; so many of a row's letters have them.
FIGURES, WORD_HEIGHT = (
    5,
    36.0,
)  #: Separate outlines of one shape that is a word, and its height in points; else it is a drawing.
BAR, LARGEST_BAR = (
    5,
    40.0,
)  #: Steps of a rectangle or line, and points beyond which it is a cell or a rule and no part of a letter.
LEAST_PARTS = 8  #: Shapes of which a word may be made.
LETTER_HEIGHT = (3.0, 90.0)  #: Points, of a mark that may be a letter.

_NEAR = 0.35  # points between the parts of one letter
_CELL = 16.0  # points, of the grid in which neighbours are looked for
_MOST_NEIGHBOURS = 64  # parts of one cell that are compared; more are a hatching or a picture of points
_UNLIKE = 2.5  # times as high as the others of a row: no letter of it


def lettering(shapes: Sequence[Shape]) -> list[Box]:
    """The places of words among some shapes."""
    words = [
        shape.box
        for shape in shapes
        if shape.figures >= FIGURES and shape.steps >= CURVED * shape.figures and shape.box.height <= WORD_HEIGHT
    ]
    low, high = LETTER_HEIGHT
    letters = [shape for shape in shapes if shape.steps >= 4 and shape.box.width <= 2.0 * shape.box.height >= 2 * low]
    words += [_around(row) for row in _in_order(letters) if _is_word(row)]
    parts = [shape for shape in shapes if shape.figures < 2]
    if sum(shape.steps > BAR or _is_small(shape.box) for shape in parts) < LEAST_PARTS:
        return words  # the cells of a table
    marks = [mark for mark in _marks(parts) if low <= max(mark.box.height, mark.box.width) <= high]
    for turned in (False, True):
        upright = [Shape(_turned(mark.box), mark.steps) for mark in marks] if turned else marks
        rows = _side_by_side([mark for mark in upright if mark.box.width <= 2.0 * mark.box.height >= 2 * low])
        words += [_turned(_around(row)) if turned else _around(row) for row in rows if _is_word(row)]
    return touching(words)


def touching(boxes: Sequence[Box]) -> list[Box]:
    """Boxes that touch as one."""
    return [mark.box for mark in _marks([Shape(box, 0) for box in boxes])]


def _is_small(box: Box) -> bool:
    return max(box.height, box.width) <= LARGEST_BAR


def _turned(box: Box) -> Box:
    return Box(box.y0, box.x0, box.y1, box.x1)


def _around(row: Sequence[Shape]) -> Box:
    return reduce(Box.union, [one.box for one in row])


def _is_word(row: Sequence[Shape]) -> bool:
    if len(row) < LEAST_LETTERS:
        return False
    widths = {round(one.box.width, 1) for one in row}
    forms = {(round(one.box.height, 1), one.steps) for one in row}
    return (len(widths) >= UNLIKE_WIDTHS or len(forms) >= UNLIKE_FORMS) and sum(
        one.steps >= CURVED for one in row
    ) >= LEAST_CURVED


def _follows(a: Box, b: Box) -> bool:
    """Whether one letter stands right behind another."""
    shared = min(a.y1, b.y1) - max(a.y0, b.y0)
    return shared > 0.3 * min(a.height, b.height) and -1.0 < b.x0 - a.x1 < 1.5 * a.height


def _in_order(letters: Sequence[Shape]) -> Iterator[list[Shape]]:
    """Rows of letters that are drawn one behind the other."""
    row: list[Shape] = []
    for before, shape in pairwise([*letters, Shape(Box(0, 0, 0, 0), 0)]):
        row.append(before)
        if not _follows(before.box, shape.box):
            yield row
            row = []


def _side_by_side(marks: Sequence[Shape]) -> Iterator[list[Shape]]:
    """Rows of marks of about one height, in whatever order they are drawn."""
    rows: list[list[Shape]] = []
    for mark in sorted(marks, key=lambda mark: mark.box.x0):
        row = next((row for row in rows if _follows(row[-1].box, mark.box)), None)
        if row is None:
            rows.append([mark])
        else:
            row.append(mark)
        if len(rows) > 2 * _MOST_NEIGHBOURS:
            rows.sort(key=lambda row: row[-1].box.x1)
            yield from rows[:_MOST_NEIGHBOURS]
            del rows[:_MOST_NEIGHBOURS]
    for row in rows:
        usual = median(mark.box.height for mark in row)
        yield [mark for mark in row if usual / _UNLIKE < mark.box.height < usual * _UNLIKE]


def _marks(shapes: Sequence[Shape]) -> list[Shape]:
    """Shapes that touch as one, with the steps of all."""
    parents = list(range(len(shapes)))

    def root(at: int) -> int:
        while parents[at] != at:
            parents[at] = parents[parents[at]]
            at = parents[at]
        return at

    cells: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for index, shape in enumerate(shapes):
        box = shape.box
        for column in range(int((box.x0 - _NEAR) // _CELL), int((box.x1 + _NEAR) // _CELL) + 1):
            for line in range(int((box.y0 - _NEAR) // _CELL), int((box.y1 + _NEAR) // _CELL) + 1):
                known = cells[column, line]
                for other in known[-_MOST_NEIGHBOURS:]:
                    if parents[other] != parents[index] and _touch(box, shapes[other].box):
                        parents[root(index)] = root(other)
                known.append(index)
    groups: defaultdict[int, list[Shape]] = defaultdict(list)
    for index, shape in enumerate(shapes):
        groups[root(index)].append(shape)
    return [Shape(_around(group), sum(one.steps for one in group)) for group in groups.values()]


def _touch(a: Box, b: Box) -> bool:
    return a.x0 - _NEAR <= b.x1 and b.x0 - _NEAR <= a.x1 and a.y0 - _NEAR <= b.y1 and b.y0 - _NEAR <= a.y1
