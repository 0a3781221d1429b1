"""Reading order: a page is cut along its white stripes into parts that are read one after the other.

The file's own order is kept where it already runs down the page; only pages on which it jumps are laid out anew. Lines that the file
draws one below the other make a block, and blocks are what is cut apart. Where a page may be cut in several ways (a margin column is a
column, and each of its notes stands beside a paragraph), the cut is taken that turns round the file's order least; where it cannot be
cut, the file's order stays. Columns of prose are columns whatever the file does. Turned text is ordered as seen with the head turned;
what is turned otherwise than most of the page follows the block behind which it is drawn.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence, Set
from itertools import accumulate, pairwise

from pageindex.document import Box, Line

__all__ = ["in_reading_order", "upright"]

TOLERANCE = 3.0  #: Points by which a line may stand above the one before and still be on its row.
LEAST_COLUMN_LINES = 3  #: A column has at least this many lines, else it is a cell.
MOST_BORDERS = 4  #: Column borders that are tried, the most used first.
EDGE_LINES = 4  #: Most lines of a head or foot that is drawn out of turn.
MIN_GUTTER = 6.0  #: Points of white between two columns.
BLOCK_GAP = 0.9  #: White between two lines, in heights of the upper one, from which on they are in two blocks.
OVERLAP = 2.0  #: Points by which boxes of two blocks may overlap and still be apart.
MOST_CELL_LINES = 4  #: Lines of a cell that has a longer one beside it.
TIGHT = 1.35  #: Distance of two lines of a paragraph, in their size, at most.
LOOSE = 1.9  #: Distance of the lines of a column, in their size, from which on they are cells.
SHORT = 14  #: Mean characters of a line below which a column is one of cells or numbers.


def in_reading_order(
    lines: Sequence[Line], width: float, *, right_to_left: bool = False, loose: Set[int] = frozenset()
) -> list[int] | None:
    """The places of a page's lines in reading order; None where the order given is kept.

    Args:
        loose: Places of lines whose place in the file says nothing, as of the values of form fields.
    """
    if len(lines) < 2:
        return None
    if any([line.angle for line in lines]):  # noqa: C419 - a list is made faster than a generator runs
        return _of_turned(lines, width, right_to_left, loose)
    return _Layout(lines, [line.box for line in lines], width, right_to_left, loose).order()


def upright(box: Box, angle: int) -> Box:
    """A box of turned text, seen with the head turned likewise; as it is for text that is not turned by a multiple of 90 degrees."""
    if angle == 90:
        return Box(box.y0, -box.x1, box.y1, -box.x0)
    if angle == 180:
        return Box(-box.x1, -box.y1, -box.x0, -box.y0)
    if angle == 270:
        return Box(-box.y1, box.x0, -box.y0, box.x1)
    return box


def _of_turned(lines: Sequence[Line], width: float, right_to_left: bool, loose: Set[int]) -> list[int] | None:
    """The order of a page some of whose lines are turned."""
    weights: Counter[int] = Counter()
    for line in lines:
        weights[line.angle] += len(line.text)
    angle = weights.most_common(1)[0][0]
    places = [place for place, line in enumerate(lines) if line.angle == angle]
    boxes = [lines[place].box for place in places]
    if angle:
        boxes = [upright(box, angle) for box in boxes]
        left, right = min(box.x0 for box in boxes), max(box.x1 for box in boxes)
        boxes = [Box(x0 - left, y0, x1 - left, y1) for x0, y0, x1, y1 in boxes]
        width = right - left
    still_loose = {number for number, place in enumerate(places) if place in loose}
    layout = _Layout([lines[place] for place in places], boxes, width, right_to_left, still_loose)
    order = layout.order() if len(places) > 1 else None
    if len(places) == len(lines):
        return order
    if places[-1] - places[0] == len(places) - 1:  # the others are drawn before or behind all of these
        inner = None if order is None else [places[number] for number in order]
        return None if inner is None else [*range(places[0]), *inner, *range(places[-1] + 1, len(lines))]
    following: dict[int, list[int]] = {}  # the others, by the last place of the block that they are drawn in or behind
    ends = layout.block_ends()
    last = -1
    for place, line in enumerate(lines):
        if line.angle == angle:
            last += 1
        else:
            following.setdefault(ends[last] if last >= 0 else -1, []).append(place)
    whole = following.get(-1, [])
    for number in order if order is not None else range(len(places)):
        whole += [places[number], *following.get(number, ())]
    return whole if whole != list(range(len(lines))) else None


class _Growing:
    """A block that the file may still be drawing."""

    __slots__ = ("last", "left", "loose", "places", "right")

    def __init__(self, place: int, box: Box, loose: bool) -> None:
        self.places, self.last, self.loose = [place], box, loose
        self.left, self.right = box[0], box[2]

    def takes(self, place: int, box: Box, loose: bool, right_to_left: bool) -> bool:
        """Whether a line goes on the block, which then holds it: below its last line, or beside it on one row."""
        if loose != self.loose:
            return False
        x0, y0, x1, y1 = box
        last_x0, top, _, foot = self.last
        height, other = foot - top, y1 - y0
        shared = (foot if foot < y1 else y1) - (top if top > y0 else y0)
        if shared > 0.5 * (height if height < other else other):
            if x0 < last_x0 and not right_to_left:
                return False
        elif y0 <= top or y0 - foot >= BLOCK_GAP * max(height, other) or x0 >= self.right or x1 <= self.left:
            return False
        self.places.append(place)
        self.last = box
        self.left, self.right = min(self.left, x0), max(self.right, x1)
        return True


class _Layout:
    """Lines of one direction on a page."""

    def __init__(
        self, lines: Sequence[Line], boxes: Sequence[Box], width: float, right_to_left: bool, loose: Set[int]
    ) -> None:
        self._lines, self._boxes, self._width, self._rtl, self._loose = lines, boxes, width, right_to_left, loose
        self._gutter: float | None = None
        self._blocks: list[list[int]] = []
        self._areas: list[Box] = []

    def order(self) -> list[int] | None:
        """The places of the lines in reading order; None where the order given is kept."""
        boxes = self._boxes
        jumps, pairs = _jumps(boxes)
        if pairs < LEAST_COLUMN_LINES and not self._loose:
            if not jumps:
                return None
            if len(jumps) == 1 and _is_edge(boxes, jumps[0]):
                return [*range(jumps[0], len(boxes)), *range(jumps[0])]
        self._gutter = _gutter(self._lines, boxes, self._width)
        if self._loose:
            pass
        elif self._gutter is None:
            if not jumps:
                return None
        elif _columns_in_turn(boxes, self._gutter):
            return None
        self._find_blocks()
        order = self._read(list(range(len(self._blocks))))
        return order if order != list(range(len(boxes))) else None

    def block_ends(self) -> list[int]:
        """For each line the last one, in reading order, of the block that it stands in."""
        if not self._blocks:
            self._find_blocks()
        ends = [0] * len(self._boxes)
        for block in self._blocks:
            for place in block:
                ends[place] = block[-1]
        return ends

    def _find_blocks(self) -> None:
        """Blocks, in the file's order: lines that it draws one below the other, or beside each other on one row."""
        sides = None if self._gutter is None else [_side(box, self._gutter) for box in self._boxes]
        growing: dict[str, _Growing] = {}  # a column goes on where the other one has drawn its part of a row
        blocks: list[list[int]] = []
        side = ""
        for place, box in enumerate(self._boxes):
            if sides is not None:
                side = sides[place]
            block = growing.get(side)
            if block is None or not block.takes(place, box, place in self._loose, self._rtl):
                block = growing[side] = _Growing(place, box, place in self._loose)
                blocks.append(block.places)
        self._blocks = self._split_for_intruders(blocks)
        self._areas = [_around([self._boxes[place] for place in block]) for block in self._blocks]

    def _split_for_intruders(self, blocks: list[list[int]]) -> list[list[int]]:
        """Blocks cut where another one stands between two of their lines, as a heading does that is drawn after its text."""
        areas = [_around([self._boxes[place] for place in block]) for block in blocks]
        split = []
        for block, area in zip(blocks, areas, strict=True):
            cuts = {
                at
                for other in areas
                if other is not area and other.y0 > area.y0 and other.y1 < area.y1 and _beside(other, area)
                for at in [self._place_between(block, other)]
                if at
            }
            if block[0] not in self._loose:
                middles = [self._boxes[place].y0 + self._boxes[place].y1 for place in block]
                for value in self._loose:
                    row = self._boxes[value].y0 + self._boxes[value].y1 + self._boxes[value].height
                    cuts |= {bisect_right(middles, row)} - {0, len(block)}
            for first, last in pairwise([0, *sorted(cuts), len(block)]):
                split.append(block[first:last])
        return split

    def _place_between(self, block: list[int], other: Box) -> int:
        """How many lines of a block stand above a box, if the others stand below it; else 0."""
        above = [place for place in block if self._boxes[place].y1 <= other.y0 + OVERLAP]
        below = [place for place in block if self._boxes[place].y0 >= other.y1 - OVERLAP]
        apart = len(above) + len(below) == len(block) and block[: len(above)] == above
        return len(above) if apart and below else 0

    def _read(self, blocks: list[int]) -> list[int]:
        """The lines of some blocks in reading order."""
        order: list[int] = []
        pending = [blocks]
        while pending:
            part = pending.pop()
            parts, is_row = self._cut(part) if len(part) > 1 else ([part], False)
            if len(parts) == 1:
                order += [place for number in self._sorted(part) for place in self._blocks[number]]
            elif is_row and self._is_table(*parts):
                places = [place for number in part for place in self._blocks[number]]
                order += _rows(self._boxes, places, right_to_left=self._rtl)
            else:
                pending += reversed(parts)
        return order

    def _sorted(self, part: list[int]) -> list[int]:
        """Blocks that cannot be cut apart: in the file's order, or by their height where that says nothing of some."""
        if any(self._is_loose(number) for number in part):
            return sorted(part, key=lambda number: self._areas[number].y0 + self._areas[number].y1)
        return sorted(part)

    def _is_loose(self, number: int) -> bool:
        return bool(self._loose) and self._blocks[number][0] in self._loose

    def _cut(self, part: list[int]) -> tuple[list[list[int]], bool]:
        """The parts of some blocks in the order in which they are read, and whether these are two that stand side by side; the blocks
        as they are where no white stripe parts them."""
        ordered, below = self._stripes(part, 1, 3)
        free = self._free(ordered, below)
        if free:  # no other cut turns less round
            return [ordered[first:last] for first, last in pairwise([0, *free, len(ordered)])], False
        ranked, beside = self._stripes(part, 0, 2)
        cuts = [(turned, False, at) for at, turned in zip(below, self._turned(ordered, below), strict=True)]
        for at, turned in zip(beside, self._turned(ranked, beside, back=self._rtl), strict=True):
            left = max(self._areas[number].x1 for number in ranked[:at])
            cuts.append((0 if self._is_gutter(left, self._areas[ranked[at]].x0) else turned, True, at))
        for _, sideways, at in sorted(cuts):
            chosen = ranked if sideways else ordered
            parts = [chosen[:at], chosen[at:]]
            if not sideways or self._side_by_side(*parts):
                return (parts[::-1] if sideways and self._rtl else parts), sideways
        return [part], False

    def _stripes(self, part: list[int], low: int, high: int) -> tuple[list[int], list[int]]:
        """Blocks by one of their sides, and the places among them at which a white stripe lies, by that side and the opposite one."""
        areas = self._areas
        ordered = sorted(part, key=lambda number: areas[number][low])
        found = []
        reach = areas[ordered[0]][high]
        for at, number in enumerate(ordered):
            area = areas[number]
            if area[low] >= reach - OVERLAP and at:
                found.append(at)
            if area[high] > reach:
                reach = area[high]
        return ordered, found

    def _free(self, ordered: list[int], places: list[int]) -> list[int]:
        """Those of some places before which everything is drawn before everything behind them."""
        firm = [-1 if self._is_loose(number) else number for number in ordered] if self._loose else ordered
        least = list(accumulate(reversed([number if number >= 0 else len(self._blocks) for number in firm]), min))[::-1]
        most = list(accumulate(firm, max))
        return [at for at in places if most[at - 1] < least[at]]

    def _turned(self, ordered: list[int], places: list[int], *, back: bool = False) -> list[int]:
        """For each of some places how many pairs of blocks are read in another order than the file's if what stands before it is read
        first, or last."""
        firm = [number for number in ordered if not self._is_loose(number)] if self._loose else ordered
        ahead, read = sorted(firm), list[int]()
        found: list[int] = []
        turned = 0
        for at, number in enumerate(ordered[: places[-1] + 1] if places else ()):
            if at == places[len(found)]:
                found.append(len(read) * len(ahead) - turned if back else turned)
            place = bisect_left(ahead, number)
            if place < len(ahead) and ahead[place] == number:
                del ahead[place]
                before = bisect_left(read, number)
                turned += place - (len(read) - before)
                read.insert(before, number)
        return found

    def _side_by_side(self, first: list[int], second: list[int]) -> bool:
        """Whether two parts of a page share some of its height."""
        a, b = (_around([self._areas[number] for number in part]) for part in (first, second))
        return min(a.y1, b.y1) - max(a.y0, b.y0) > OVERLAP

    def _is_gutter(self, left: float, right: float) -> bool:
        return self._gutter is not None and left <= self._gutter + MIN_GUTTER and right >= self._gutter - MIN_GUTTER

    def _is_table(self, first: list[int], second: list[int]) -> bool:
        """Whether two columns are cells of rows, or numbers and their titles: each line of the shorter one has one beside it."""
        columns = [[place for number in part for place in self._blocks[number]] for part in (first, second)]
        short, long = sorted(columns, key=len)
        texts = [self._lines[place].text for place in short]
        if sum(map(len, texts)) > SHORT * len(texts) or _counts_lines(texts):
            return False
        if self._is_cell(short, long):
            return False
        middles = sorted([self._boxes[place].y0 + self._boxes[place].y1 for place in long])
        for place in short:
            _, y0, _, y1 = self._boxes[place]
            near = bisect_left(middles, y0 + y1 - 0.7 * (y1 - y0))
            if near == len(middles) or middles[near] > y0 + y1 + 0.7 * (y1 - y0):
                return False
        return True

    def _is_cell(self, short: Sequence[int], long: Sequence[int]) -> bool:
        """Whether a column is one cell of several lines, with a longer one beside it: its lines follow each other as those of a paragraph
        do, from the top of both."""
        if not 2 <= len(short) <= MOST_CELL_LINES:
            return False
        lines = sorted([self._boxes[place] for place in short], key=lambda box: box.y0)
        sizes = [self._lines[place].size for place in short]
        tight = all(b.y1 - a.y1 <= TIGHT * max(sizes) for a, b in pairwise(lines))
        rows = sorted([self._boxes[place].y1 for place in long])
        below = sum(b - a > 0.5 * max(sizes) for a, b in pairwise(rows)) + 1
        return tight and below > len(lines) and rows[0] >= lines[0].y1 - 0.5 * max(sizes)


def _counts_lines(texts: Sequence[str]) -> bool:
    """Whether a column numbers the lines of a page."""
    numbers = [int(text) for text in texts if text.isdecimal()]
    rising = sum(b - a in (1, 5) for a, b in pairwise(numbers))
    return len(numbers) == len(texts) and len(numbers) >= 8 and rising >= 0.9 * (len(numbers) - 1)


def _around(boxes: Sequence[Box]) -> Box:
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return Box(min(x0), min(y0), max(x1), max(y1))


def _beside(a: Box, b: Box) -> bool:
    """Whether two boxes share some of their width."""
    return a.x0 < b.x1 - OVERLAP and a.x1 > b.x0 + OVERLAP


def _jumps(boxes: Sequence[Box]) -> tuple[list[int], int]:
    """Lines that stand above the one before them, and how many stand beside it."""
    jumps, pairs = [], 0
    x0, y0, x1, y1 = boxes[0]
    for index, (left, top, right, foot) in enumerate(boxes):
        if top < y1 - TOLERANCE:
            if top < y0 - TOLERANCE and not (foot > y0 and left > x1):
                jumps.append(index)
            elif left > x1 or right < x0:
                pairs += 1
        x0, y0, x1, y1 = left, top, right, foot
    return jumps, pairs


def _is_edge(boxes: Sequence[Box], at: int) -> bool:
    """Whether the lines from one on are the head of a page, drawn last, or those before it its foot, drawn first."""
    first, second = boxes[:at], boxes[at:]
    few = min(len(first), len(second)) <= EDGE_LINES
    return few and second[-1].y1 <= min([box.y0 for box in first]) + TOLERANCE


def _gutter(lines: Sequence[Line], boxes: Sequence[Box], width: float) -> float | None:
    """The middle of a white stripe with columns on both sides, or None.

    Every column border that several lines share is tried; the stripe may be crossed by full-width lines, which make bands.
    """
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
            left = [place for place, box in enumerate(boxes) if box[2] <= edge]
            right = [place for place, box in enumerate(boxes) if box[0] >= border]
            if _side_by_side(*[([lines[i] for i in column], [boxes[i] for i in column]) for column in (left, right)]):
                best, best_count = x - MIN_GUTTER / 2, count
    return best


_Column = tuple[list[Line], list[Box]]


def _side_by_side(left: _Column, right: _Column) -> bool:
    _, left_tops, _, left_feet = zip(*left[1], strict=True)
    _, right_tops, _, right_feet = zip(*right[1], strict=True)
    top, foot = max(min(left_tops), min(right_tops)), min(max(left_feet), max(right_feet))
    inside = sum([b > top and a < foot for a, b in zip(right_tops, right_feet, strict=True)])
    return foot > top and inside >= LEAST_COLUMN_LINES and _is_prose(*left) and _is_prose(*right)


def _is_prose(lines: list[Line], boxes: list[Box]) -> bool:
    # Columns of a table are short cells; columns of text are mostly full lines.
    widths = sorted([box[2] - box[0] for box in boxes])
    typical = widths[len(widths) // 2]
    letters = sum([len(line.text) for line in lines]) / len(lines)
    if typical < 0.5 * widths[-1] or letters < 12:
        return False
    feet = sorted([box[3] for box in boxes])
    apart = sorted([below - above for above, below in pairwise(feet)])
    return not apart or apart[len(apart) // 2] <= LOOSE * max([line.size for line in lines])


def _columns_in_turn(boxes: Sequence[Box], gutter: float) -> bool:
    """Whether the file draws each column as a whole, so that its order needs no help: few jumps across the gutter, none up but there."""
    sides = [_side(box, gutter) for box in boxes]
    top_of_left = boxes[0].y0
    for (a, before), (b, after) in pairwise(zip(boxes, sides, strict=True)):
        if after == "left" and before != "left":
            if before == "right" and a.y1 < top_of_left:
                return False  # no column beside it, but a head drawn between two lines of a page
            top_of_left = b.y0
        if b.y0 >= a.y0 - TOLERANCE and before == after:
            continue
        if before == after or after == "full" or (before == "right" and after == "left" and b.y0 < a.y1 - TOLERANCE):
            return False
        if before == "left" and after == "right" and abs(a.y1 - b.y1) < TOLERANCE and len(boxes) > 6:
            return False  # row by row across the gutter
    return True


def _side(box: Box, gutter: float) -> str:
    if box.x1 <= gutter:
        return "left"
    return "right" if box.x0 >= gutter else "full"


def _rows(page: Sequence[Box], places: Sequence[int], *, right_to_left: bool) -> list[int]:
    """Lines from top to foot, and cells of one row along it; the file's order where two rows cannot be told apart."""
    boxes = {i: page[i] for i in places}
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
