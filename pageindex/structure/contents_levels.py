"""Levels of contents entries: numbers first, then indentation, then style."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

from pageindex.structure.contents_entries import Entry
from pageindex.structure.numbering import Number
from pageindex.structure.sequence import settle

__all__ = ["levels"]

STEP = 3.5  #: Points by which two indents must differ to be two.


def levels(entries: Sequence[Entry]) -> list[int]:
    """A level for each entry of one list, 1 at the top."""
    numbers = settle([entry.number for entry in entries])
    indents = _indents(entries)
    kinds = [_kind(entry, number, indent) for entry, number, indent in zip(entries, numbers, indents, strict=True)]
    ranks = _ranks(kinds, numbers, indents, entries)
    return [ranks[kind] for kind in kinds]


Kind = tuple[str, int, int]  # form of the number or "", indent rank, style


def _kind(entry: Entry, number: Number | None, indent: int) -> Kind:
    form = number.form if number is not None and number.end < len(entry.title) else ""
    if number is not None and not form:
        form = number.form if number.prefix else ""
    return (form, indent, entry.first.style)


def _indents(entries: Sequence[Entry]) -> list[int]:
    """Rank of each entry's indent, counted per column and page parity from the leftmost entry there."""
    groups: dict[tuple[int, int], list[int]] = defaultdict(list)
    for k, entry in enumerate(entries):
        groups[(entry.row.page % 2, entry.row.column)].append(k)
    shifted = [0.0] * len(entries)
    for members in groups.values():
        # The leftmost indent of a column may be that of a deeper level; columns are aligned by their commonest steps below.
        left = min(entries[k].first.x0 for k in members)
        for k in members:
            shifted[k] = entries[k].first.x0 - left
    steps = _clusters(shifted)
    return [sum(value > step for step in steps) for value in shifted]


def _clusters(values: Sequence[float]) -> list[float]:
    """Thresholds between groups of values that are more than ``STEP`` apart."""
    ordered = sorted(values)
    return [(a + b) / 2 for a, b in pairwise(ordered) if b - a > STEP]


def _ranks(
    kinds: Sequence[Kind], numbers: Sequence[Number | None], indents: Sequence[int], entries: Sequence[Entry]
) -> dict[Kind, int]:
    """A level for each kind of entry."""
    depth_of_indent = _depth_by_indent(numbers, indents)
    ranks: dict[Kind, int] = {}
    for kind, number in zip(kinds, numbers, strict=True):
        if kind not in ranks:
            ranks[kind] = _rank(kind, number, depth_of_indent)
    return ranks


def _rank(kind: Kind, number: Number | None, depth_of_indent: dict[int, int]) -> int:
    if number is not None and kind[0] and number.depth > 1 and not number.prefix:
        return number.depth * 10
    return depth_of_indent[kind[1]]


def _depth_by_indent(numbers: Sequence[Number | None], indents: Sequence[int]) -> dict[int, int]:
    """Level (times ten) of each indent: the commonest depth of its dotted numbers, else between its neighbours."""
    votes: dict[int, Counter[int]] = defaultdict(Counter)
    for number, indent in zip(numbers, indents, strict=True):
        if number is not None and not number.prefix:
            votes[indent][number.depth] += 1
    found: dict[int, int] = {}
    last = 0
    for indent in sorted(set(indents)):
        depth = votes[indent].most_common(1)[0][0] * 10 if votes[indent] else last + 10
        found[indent] = depth if depth > last or not found else last + 1
        last = found[indent]
    return found
