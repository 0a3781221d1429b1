"""Levels of contents entries: numbers first, then indentation, then style."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from itertools import pairwise
from statistics import median
from typing import TypeVar

from pageindex.structure.contents_entries import Entry
from pageindex.structure.facts import Facts
from pageindex.structure.numbering import Number, System
from pageindex.structure.sequence import settle

__all__ = ["levels"]

STEP = 3.5  #: Points by which two indents must differ to be two.
RANK = 10  #: Distance between two ranks; between them is room for parts above chapters and for unnumbered entries.

Key = TypeVar("Key", bound=Hashable)

_APPENDIX = (System.LETTER, System.ROMAN, System.CYRILLIC, System.GREEK)


def levels(entries: Sequence[Entry], facts: Facts) -> list[int]:
    """A level for each entry of one list; smaller is higher, and only the order means something."""
    numbers = [_counting(n, e) for n, e in zip(settle([e.number for e in entries]), entries, strict=True)]
    indents = _indents(entries, numbers)
    ranks = _by_number(numbers)
    _rank_prefixed(ranks, numbers, indents)
    _rank_rest(ranks, indents, entries, facts)
    return [rank if rank is not None else RANK for rank in ranks]


def _counting(number: Number | None, entry: Entry) -> Number | None:
    """A number that says something of rank: one with a title behind it, or with a word before it."""
    if number is None or (number.end >= len(entry.title) and not number.prefix):
        return None
    return number


def _by_number(numbers: Sequence[Number | None]) -> list[int | None]:
    """Ranks of dotted numbers and of plain chapter numbers, by their depth."""
    plain = any(n is not None and n.systems[0] is System.ARABIC and not n.prefix for n in numbers)
    dotted = {n.systems[0] for n in numbers if n is not None and n.depth > 1}
    found: list[int | None] = []
    for number in numbers:
        if number is None or number.prefix or len(number.style) == 2:
            found.append(None)
        elif number.depth > 1 or number.systems[0] is System.ARABIC:
            found.append(number.depth * RANK)
        elif number.systems[0] in dotted or not plain:
            found.append(RANK if number.systems[0] in _APPENDIX else None)
        else:
            found.append(None)
    return found


def _rank_prefixed(ranks: list[int | None], numbers: Sequence[Number | None], indents: Sequence[int]) -> None:
    """Ranks of the other numbered kinds ("Part I", "Chapter 3", "A", "(a)") by how they stand among the ranked ones."""
    kinds: dict[str, list[int]] = defaultdict(list)
    for k, number in enumerate(numbers):
        if number is not None and ranks[k] is None:
            kinds[number.form].append(k)
    chapters = [k for k, rank in enumerate(ranks) if rank == RANK]
    for members in sorted(kinds.values(), key=lambda members: members[0]):
        rank = _rank_of_kind(members, numbers, ranks, chapters, indents)
        if rank is None:
            continue
        for k in members:
            ranks[k] = rank


def _rank_of_kind(
    members: Sequence[int],
    numbers: Sequence[Number | None],
    ranks: Sequence[int | None],
    chapters: Sequence[int],
    indents: Sequence[int],
) -> int | None:
    """The rank of the chapter numbers, above them, or None where indentation must tell."""
    heads = 0
    for k, following in zip(members, [*members[1:], len(numbers)], strict=True):
        own = numbers[k]
        below = next((n for n in numbers[k + 1 : following] if n is not None and n.depth > 1), None)
        heads += below is not None and own is not None and below.values[0] == own.values[0]
    if heads >= max(1, len(members) // 3):
        return RANK  # "Chapter 3", then "3.1"
    if not chapters:
        return None
    if not all(indents[k] <= min(indents[c] for c in chapters) for k in members):
        return None
    gaps = [any(a < c < b for c in chapters) for a, b in pairwise([*members, len(numbers)])]
    if sum(gaps) * 2 > len(gaps):
        return RANK // 2  # "Part I" with chapters between it and the next part
    return RANK if members[0] > chapters[-1] else None


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


def _shift(members: Sequence[int], base: Sequence[int], entries: Sequence[Entry], numbers: Sequence[Number | None]) -> float:
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


def _rank_rest(ranks: list[int | None], indents: Sequence[int], entries: Sequence[Entry], facts: Facts) -> None:
    """Ranks of what has no telling number: as numbered entries of the same indent and style, or indent, else between its neighbours."""
    styles = [_style(entry, facts) for entry in entries]
    by_look = _majority(ranks, lambda k: (indents[k], styles[k]))
    by_indent = _majority(ranks, lambda k: indents[k])
    first = next((k for k, rank in enumerate(ranks) if rank is not None), None)
    scale = _scale(by_indent, indents)
    looks: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for k, rank in enumerate(ranks):
        if rank is None and styles[k] not in looks[indents[k]]:
            looks[indents[k]].append(styles[k])
    for k, rank in enumerate(ranks):
        if rank is not None:
            continue
        look = (indents[k], styles[k])
        if look in by_look:
            ranks[k] = by_look[look]
        elif indents[k] in by_indent:
            ranks[k] = by_indent[indents[k]]
        else:
            ranks[k] = scale[indents[k]] + sorted(looks[indents[k]], reverse=True).index(styles[k])
        if first is not None and k < first:
            ranks[k] = min(ranks[k] or RANK, RANK)  # what stands before the first chapter is no part of one


def _style(entry: Entry, facts: Facts) -> tuple[float, bool]:
    """Size to half a point, and whether it is bold: what ranks styles."""
    line = entry.first.lines[0]
    return (round(float(facts.size[line]) * 2) / 2, bool(facts.bold[line]))


def _majority(ranks: Sequence[int | None], key: Callable[[int], Key]) -> dict[Key, int]:
    votes: dict[Key, Counter[int]] = defaultdict(Counter)
    for k, rank in enumerate(ranks):
        if rank is not None:
            votes[key(k)][rank] += 1
    return {name: counts.most_common(1)[0][0] for name, counts in votes.items()}


def _scale(known: dict[int, int], indents: Sequence[int]) -> dict[int, int]:
    """A rank for each indent that has no numbered entries: half a step below the next smaller indent."""
    found: dict[int, int] = {}
    last = 0
    top = min(known.values(), default=RANK)
    for indent in range(max(indents, default=0) + 1):
        if indent in known:
            found[indent] = max(known[indent], last)
        elif not found:
            found[indent] = top if not known else max(top - RANK // 2, 1)
        else:
            found[indent] = last + RANK // 2
        last = found[indent]
    return found
