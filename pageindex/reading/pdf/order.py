"""Reading order: full-width lines cut a page into bands, gutters cut a band into columns, columns are read one after the other.

The file's own order is kept where it already runs down the page; only pages on which it jumps are laid out anew.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from pageindex.document import Line

__all__ = ["in_reading_order"]

TOLERANCE = 3.0  #: Points by which a line may stand above the one before and still be on its row.
LEAST_COLUMN_LINES = 3  #: A column has at least this many lines, else it is a cell.
MOST_BORDERS = 4  #: Column borders that are tried, the most used first.
EDGE_LINES = 4  #: Most lines of a head or foot that is drawn out of turn.
MIN_GUTTER = 6.0  #: Points of white between two columns.


def in_reading_order(lines: Sequence[Line], width: float, *, right_to_left: bool = False) -> list[int] | None:
    """The places of a page's lines in reading order; None where the order given is kept."""
    if len(lines) < 2 or any([line.angle for line in lines]):  # noqa: C419 - a list is made faster than a generator runs
        return None
    jumps, pairs = _jumps(lines)
    if pairs < LEAST_COLUMN_LINES:
        if not jumps:
            return None
        if len(jumps) == 1 and _is_edge(lines, jumps[0]):
            return [*range(jumps[0], len(lines)), *range(jumps[0])]
    gutter = _gutter(lines, width)
    if gutter is None:
        if not jumps or _mostly_side_by_side(lines):
            return None  # a layout that is not understood is not made worse
        return _rows(lines, range(len(lines)), right_to_left=right_to_left)
    if _columns_in_turn(lines, gutter):
        return None
    return _banded(lines, gutter, right_to_left=right_to_left)


def _jumps(lines: Sequence[Line]) -> tuple[list[int], int]:
    """Lines that stand above the one before them, and how many stand beside it."""
    jumps, pairs = [], 0
    x0, y0, x1, y1 = lines[0].box
    for index, line in enumerate(lines):
        left, top, right, foot = line.box
        if top < y1 - TOLERANCE:
            if top < y0 - TOLERANCE and not (foot > y0 and left > x1):
                jumps.append(index)
            elif left > x1 or right < x0:
                pairs += 1
        x0, y0, x1, y1 = left, top, right, foot
    return jumps, pairs


def _is_edge(lines: Sequence[Line], at: int) -> bool:
    """Whether the lines from one on are the head of a page, drawn last, or those before it its foot, drawn first."""
    first, second = lines[:at], lines[at:]
    few = min(len(first), len(second)) <= EDGE_LINES
    return few and second[-1].box.y1 <= min([line.box.y0 for line in first]) + TOLERANCE


def _gutter(lines: Sequence[Line], width: float) -> float | None:
    """The middle of a white stripe with columns on both sides, or None.

    Every column border that several lines share is tried; the stripe may be crossed by full-width lines, which make bands.
    """
    boxes = [line.box for line in lines]
    lefts, lowest, highest = sorted([box[0] for box in boxes]), 0.3 * width, 0.7 * width
    starts = Counter([x for x in map(round, lefts) if lowest < x < highest])
    shared = [(count, x) for x, count in starts.items() if count >= LEAST_COLUMN_LINES]
    if not shared:
        return None
    rights = sorted([box[2] for box in boxes])
    best, best_count = None, 0
    for _, x in sorted(shared, reverse=True)[:MOST_BORDERS]:
        border, edge = x - 1, x + 1 - MIN_GUTTER
        before, behind = bisect_right(rights, edge), len(lefts) - bisect_left(lefts, border)
        count, crossing = min(before, behind), len(lines) - before - behind
        if count > max(best_count, LEAST_COLUMN_LINES - 1) and crossing <= count:
            left_column = [line for line in lines if line.box[2] <= edge]
            if _side_by_side(left_column, [line for line in lines if line.box[0] >= border]):
                best, best_count = x - MIN_GUTTER / 2, count
    return best


def _side_by_side(left: list[Line], right: list[Line]) -> bool:
    _, left_tops, _, left_feet = zip(*[line.box for line in left], strict=True)
    _, right_tops, _, right_feet = zip(*[line.box for line in right], strict=True)
    top, foot = max(min(left_tops), min(right_tops)), min(max(left_feet), max(right_feet))
    inside = sum([b > top and a < foot for a, b in zip(right_tops, right_feet, strict=True)])
    return foot > top and inside >= LEAST_COLUMN_LINES and _is_prose(left) and _is_prose(right)


def _mostly_side_by_side(lines: Sequence[Line]) -> bool:
    ordered = sorted([(y0, x0, x1, y1) for x0, y0, x1, y1 in [line.box for line in lines]])
    beside = sum([b[0] < a[3] - TOLERANCE and (b[1] > a[2] or a[1] > b[2]) for a, b in pairwise(ordered)])
    return beside > 0.2 * len(lines)


def _is_prose(lines: list[Line]) -> bool:
    # Columns of a table are short cells; columns of text are mostly full lines.
    widths = sorted([line.box[2] - line.box[0] for line in lines])
    typical = widths[len(widths) // 2]
    letters = sum([len(line.text) for line in lines]) / len(lines)
    return typical >= 0.5 * widths[-1] and letters >= 12


def _columns_in_turn(lines: Sequence[Line], gutter: float) -> bool:
    """Whether the file draws each column as a whole, so that its order needs no help: few jumps across the gutter, none up but there."""
    sides = [_side(line, gutter) for line in lines]
    for (a, before), (b, after) in pairwise(zip(lines, sides, strict=True)):
        if b.box.y0 >= a.box.y0 - TOLERANCE and before == after:
            continue
        if (
            before == after
            or after == "full"
            or (before == "right" and after == "left" and b.box.y0 < a.box.y1 - TOLERANCE)
        ):
            return False
        if before == "left" and after == "right" and abs(a.box.y1 - b.box.y1) < TOLERANCE and len(lines) > 6:
            return False  # row by row across the gutter
    return True


def _side(line: Line, gutter: float) -> str:
    if line.box.x1 <= gutter:
        return "left"
    return "right" if line.box.x0 >= gutter else "full"


def _banded(lines: Sequence[Line], gutter: float, *, right_to_left: bool) -> list[int]:
    """Bands from top to foot; within each, one column after the other."""
    sides = [_side(line, gutter) for line in lines]
    full = sorted((i for i, side in enumerate(sides) if side == "full"), key=lambda i: lines[i].box.y0)
    order: list[int] = []
    left_over = [i for i, side in enumerate(sides) if side != "full"]
    columns = ("right", "left") if right_to_left else ("left", "right")
    for border in [*full, None]:
        limit = lines[border].box.y0 + TOLERANCE if border is not None else float("inf")
        band = [i for i in left_over if lines[i].box.y1 <= limit or lines[i].box.y0 < limit - lines[i].box.height]
        left_over = [i for i in left_over if i not in set(band)]
        for column in columns:
            order.extend(_rows(lines, [i for i in band if sides[i] == column], right_to_left=right_to_left))
        if border is not None:
            order.append(border)
    return order


def _rows(lines: Sequence[Line], places: Sequence[int], *, right_to_left: bool) -> list[int]:
    """Lines from top to foot, and cells of one row along it; the file's order where two rows cannot be told apart."""
    boxes = {i: lines[i].box for i in places}
    ordered = sorted([(box[1] + box[3], i) for i, box in boxes.items()])
    rows: list[list[int]] = []
    border = float("-inf")  # above which the middle of a line lies that belongs to the last row
    for twice_middle, index in ordered:
        if twice_middle / 2 < border:
            rows[-1].append(index)
        else:
            rows.append([index])
            _, top, _, foot = boxes[index]
            border = foot - 0.25 * (foot - top)
    direction = -1 if right_to_left else 1
    return [i for row in rows for i in sorted(row, key=lambda i: direction * boxes[i][0])]
