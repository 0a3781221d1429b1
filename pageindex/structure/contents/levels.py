"""Levels of contents entries: numbers first, then indentation, then style."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from pageindex.structure.contents.entries import Entry
from pageindex.structure.facts import Facts
from pageindex.structure.numbering.marks import Number
from pageindex.structure.numbering.sequence import settle, whole

__all__ = ["levels"]

STEP = 3.5  #: Points by which two indents must differ to be two.
MIN_MODEL = 3  #: Fewest numbered entries whose style lends its rank to unnumbered ones.
MIN_PRINTED = 2  #: Fewest headings of one look that tell a rank of a list whose rows do not.
MAX_PRINTED = 5  #: Most such looks; more are none.
IN_SEQUENCE = 0.6  #: Share of a form's numbers that must follow one another for its numbers to mean anything.


@dataclass(slots=True)
class Kind:
    """Entries of one rank: one form of number, or the unnumbered ones of one indent and style.

    Attributes:
        family: What its number has in common with those of other depths (``1`` for ``1.1``); empty without a number.
        depth: Components of its number.
        members: Positions in the list, in order.
        indent: Commonest indent of its members, as a rank.
        look: Size in points and boldness of most members.
        style: ``Facts.style`` of most members.
        numbers: Their numbers, where they have any.
        printed: Look of the headings themselves, where the rows do not differ.
    """

    family: str
    depth: int
    members: list[int] = field(default_factory=list)
    indent: int = 0
    look: tuple[float, bool] = (0.0, False)
    style: int = -1
    numbers: list[Number] = field(default_factory=list)
    printed: tuple[float, bool] | None = None


def levels(entries: Sequence[Entry], facts: Facts) -> list[int]:
    """A level for each entry of one list, 1 at the top.

    Entries are grouped into kinds; what is known of two kinds (dotted numbers of different depth, different indents, numbers that start
    again below each heading of the other, a larger style at the same indent) orders them, and a kind's level is the longest way to it.
    """
    numbers = _telling(_whole(settle([entry.number for entry in entries])), entries)
    kinds = _kinds(entries, numbers, _indents(entries, numbers), facts)
    model = _modelled(kinds)
    order = _Order(kinds)
    for statement in (_by_depth(kinds), _by_place(kinds)):
        for above, below in statement:
            if above not in model and below not in model:
                order.put(above, below)
    ranks = order.levels()
    found = [1] * len(entries)
    for i, kind in enumerate(kinds):
        for k in kind.members:
            found[k] = ranks[model.get(i, i)]
    return found


def _whole(numbers: Sequence[Number | None]) -> list[Number | None]:
    return [whole(number) if number is not None else None for number in numbers]


def _modelled(kinds: Sequence[Kind]) -> dict[int, int]:
    """Unnumbered kinds whose style is that of one numbered kind alone: they have its rank, wherever they are indented."""
    found = {}
    for i, kind in enumerate(kinds):
        same = [j for j, other in enumerate(kinds) if other.family and other.style == kind.style]
        if not kind.family and len(same) == 1 and len(kinds[same[0]].members) >= max(MIN_MODEL, len(kind.members) // 3):
            found[i] = same[0]
    return found


def _telling(numbers: Sequence[Number | None], entries: Sequence[Entry]) -> list[Number | None]:
    """Numbers that say something of rank: with a title behind them or a word before them, and in sequence with their like."""
    found = [
        n if n is not None and (n.end < len(e.title) or n.prefix) else None
        for n, e in zip(numbers, entries, strict=True)
    ]
    groups: dict[str, list[int]] = defaultdict(list)
    for k, number in enumerate(found):
        if number is not None:
            groups[number.form].append(k)
    for members in groups.values():
        seen: set[tuple[int, ...]] = set()
        good = 0
        for k in members:
            number = found[k]
            if number is not None:
                last = number.values[-1]
                good += last <= 1 or (*number.values[:-1], last - 1) in seen or number.values in seen
                seen.add(number.values)
        if good < IN_SEQUENCE * len(members):
            for k in members:
                found[k] = None
    return found


def _kinds(
    entries: Sequence[Entry], numbers: Sequence[Number | None], indents: Sequence[int], facts: Facts
) -> list[Kind]:
    found: dict[Hashable, Kind] = {}
    looks: dict[Hashable, Counter[tuple[float, bool]]] = defaultdict(Counter)
    printed = _printed_looks(entries, numbers, indents, facts)
    for k, (entry, number) in enumerate(zip(entries, numbers, strict=True)):
        look = _look(entry, facts)
        if number is None:
            key: Hashable = (indents[k], look, entry.first.style, printed[k])
            kind = found.setdefault(key, Kind("", 0, printed=printed[k]))
        else:
            # "1.1" and "1.1." are one; so are "1", "2" and "A" where "1.1" and "A.1" are.
            family = f"{number.prefix} {number.systems[0]} {number.style if len(number.style) == 2 else ''}"
            key = (family, number.depth)
            kind = found.setdefault(key, Kind(family, number.depth))
            kind.numbers.append(number)
        kind.members.append(k)
        looks[key][look] += 1
    for key, kind in found.items():
        kind.indent = Counter(indents[k] for k in kind.members).most_common(1)[0][0]
        kind.look = looks[key].most_common(1)[0][0]
        kind.style = Counter(entries[k].first.style for k in kind.members).most_common(1)[0][0]
    return list(found.values())


def _look(entry: Entry, facts: Facts) -> tuple[float, bool]:
    """Size to half a point, and whether it is bold: what ranks styles."""
    line = entry.first.lines[0]
    return (round(float(facts.size[line]) * 2) / 2, bool(facts.bold[line]))


def _printed_looks(
    entries: Sequence[Entry], numbers: Sequence[Number | None], indents: Sequence[int], facts: Facts
) -> list[tuple[float, bool] | None]:
    """How the heading of each unnumbered entry is set, where the rows of the list look all alike and stand at one indent.

    Only looks that come more than once, apart in size, count; None for all where the rows themselves tell ranks, or the headings do not.
    """
    plain = [k for k, number in enumerate(numbers) if number is None]
    none: list[tuple[float, bool] | None] = [None] * len(entries)
    if len({(indents[k], entries[k].first.style) for k in plain}) != 1 or 2 * len(plain) < len(entries):
        return none
    looks = [
        (round(float(facts.size[spot.first]) * 2) / 2, bool(facts.bold[spot.first])) if (spot := entry.spot) else None
        for entry in entries
    ]
    counts = Counter(look for look in looks if look is not None)
    if len(counts) < 2 or min(counts.values()) < MIN_PRINTED or len(counts) > MAX_PRINTED:
        return none
    return list(looks)


class _Order:
    """Which kinds stand above which; a statement that contradicts earlier ones is not taken in."""

    def __init__(self, kinds: Sequence[Kind]) -> None:
        self.count = len(kinds)
        self.below: list[set[int]] = [set() for _ in kinds]

    def put(self, above: int, below: int) -> None:
        if not self._reaches(below, above):
            self.below[above].add(below)

    def _reaches(self, start: int, goal: int) -> bool:
        stack, seen = [start], {start}
        while stack:
            here = stack.pop()
            if here == goal:
                return True
            fresh = self.below[here] - seen
            seen |= fresh
            stack.extend(fresh)
        return False

    def levels(self) -> list[int]:
        """1 plus the longest way from a kind that nothing stands above."""
        found = [1] * self.count
        for _ in range(self.count):
            changed = False
            for above, belows in enumerate(self.below):
                for below in belows:
                    if found[below] <= found[above]:
                        found[below], changed = found[above] + 1, True
            if not changed:
                break
        return found


def _by_depth(kinds: Sequence[Kind]) -> Iterator[tuple[int, int]]:
    """Dotted numbers stand below those of their family with fewer components, and below a word's number that they begin with."""
    for i, one in enumerate(kinds):
        for j, other in enumerate(kinds):
            if one.family and one.depth < other.depth and (one.family == other.family or _heads(one, other)):
                yield i, j


def _heads(one: Kind, other: Kind) -> bool:
    """Whether "Chapter 3" or "C" comes before "3.1" or "C.1": the dotted numbers behind its members begin with theirs."""
    if one.depth != 1 or other.depth < 2:
        return False
    good = seen = 0
    ends = [*one.members[1:], 1 << 30]
    for k, end, number in zip(one.members, ends, one.numbers, strict=True):
        first = next((n for m, n in zip(other.members, other.numbers, strict=True) if k < m < end), None)
        if first is not None:
            seen += 1
            good += first.values[0] == number.values[0]
    return seen > 0 and good > seen / 2


def _by_place(kinds: Sequence[Kind]) -> Iterator[tuple[int, int]]:
    """What indents say, then what stands at one indent says by numbers that start again and by style."""
    pairs = [(i, j) for i in range(len(kinds)) for j in range(len(kinds)) if i != j]
    for i, j in pairs:
        if kinds[i].indent < kinds[j].indent and not _flat(kinds[i], kinds[j]):
            yield i, j
    for i, j in pairs:
        if kinds[i].indent == kinds[j].indent and _restarts_below(kinds[i], kinds[j]):
            yield i, j
    for i, j in pairs:
        if kinds[i].indent == kinds[j].indent and _styled_above(kinds[i], kinds[j]):
            yield i, j


def _flat(one: Kind, other: Kind) -> bool:
    """Whether an indent says nothing: both are plain numbers of one depth (a column of numbers set flush right)."""
    return bool(one.family and other.family) and one.depth == other.depth and one.family == other.family


def _restarts_below(one: Kind, other: Kind) -> bool:
    """Whether the other's numbers start again behind members of the one, or run on across them ("Part II" among chapters 4 and 5)."""
    if not other.numbers or (one.family and one.depth > 1):
        return False
    groups = [
        [n.values[-1] for m, n in zip(other.members, other.numbers, strict=True) if start < m < end]
        for start, end in zip(one.members, [*one.members[1:], 1 << 30], strict=True)
    ]
    filled = [group for group in groups if group]
    if len(filled) < 2 or len(other.members) < len(one.members):
        return False
    restarts = sum(group[0] <= 1 for group in filled)
    return restarts > len(filled) / 2 or (bool(one.family) and len(filled) > len(groups) / 2 and other.depth == 1)


def _styled_above(one: Kind, other: Kind) -> bool:
    """A larger or bolder style at the same indent stands above, where the smaller one is not numbered as high."""
    if other.family and other.depth <= max(one.depth, 1):
        return False
    (size, bold), (size2, bold2) = one.look, other.look
    if one.printed is not None and other.printed is not None:
        return one.printed[0] > other.printed[0] + 0.4 and one.members[0] < other.members[-1]
    larger = size > size2 + 0.4 or (abs(size - size2) <= 0.4 and bold and not bold2)
    return larger and one.members[0] < other.members[-1] and len(one.members) <= len(other.members)


def _indents(entries: Sequence[Entry], numbers: Sequence[Number | None]) -> list[int]:
    """Rank of each entry's indent, after the columns and the left and right pages have been shifted onto each other."""
    groups: dict[tuple[int, int], list[int]] = defaultdict(list)
    for k, entry in enumerate(entries):
        groups[(entry.row.page % 2, entry.row.column)].append(k)
    ordered = sorted(groups.values(), key=len, reverse=True)
    shifted = [entry.first.x0 for entry in entries]
    for members in ordered[1:]:
        shift = _shift(members, ordered[0], entries, numbers)
        for k in members:
            shifted[k] += shift
    steps = _steps(shifted)
    return [sum(value > step for step in steps) for value in shifted]


def _shift(
    members: Sequence[int], base: Sequence[int], entries: Sequence[Entry], numbers: Sequence[Number | None]
) -> float:
    """By how much a group of rows stands left of the largest group: told by entries of one kind, else by the leftmost."""

    def kinds(group: Sequence[int]) -> dict[Hashable, list[float]]:
        found: dict[Hashable, list[float]] = defaultdict(list)
        for k in group:
            number = numbers[k]
            found[(number.form if number is not None else "", entries[k].first.style)].append(entries[k].first.x0)
        return found

    ours, theirs = kinds(members), kinds(base)
    shared = [kind for kind in ours if kind in theirs]
    if shared:
        best = max(shared, key=lambda kind: min(len(ours[kind]), len(theirs[kind])))
        return median(theirs[best]) - median(ours[best])
    return min(entries[k].first.x0 for k in base) - min(entries[k].first.x0 for k in members)


def _steps(values: Sequence[float]) -> list[float]:
    """Thresholds between groups of values that are more than ``STEP`` apart."""
    return [(a + b) / 2 for a, b in pairwise(sorted(values)) if b - a > STEP]
