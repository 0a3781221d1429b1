"""Measures of printed units: their numbers, how these run through a group, and its order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from pageindex.structure.facts import Ints
from pageindex.structure.layout.blocks import Block
from pageindex.structure.layout.features_place import Columns, Place
from pageindex.structure.layout.table import LineTable
from pageindex.structure.numbering.marks import Number, System
from pageindex.structure.numbering.sequence import rising_share

__all__ = ["number_columns", "order_columns", "sequence_columns"]

_KINDS = {
    System.ARABIC: 1.0,
    System.ROMAN: 2.0,
    System.ROMAN_LOWER: 3.0,
    System.LETTER: 4.0,
    System.LETTER_LOWER: 5.0,
    System.CIRCLED: 7.0,
}


def number_columns(numbers: Sequence[Number | None]) -> Columns:
    """What a mark says alone: how it is written, how deep, how high, and whether its parent and its elder sibling came before."""
    kind, depth, value, prefix, bracket, parent, elder, opens = ([0.0] * len(numbers) for _ in range(8))
    seen: set[tuple[str, tuple[int, ...]]] = set()
    for index, number in enumerate(numbers):
        if number is None:
            continue
        values, word = number.values, number.prefix
        kind[index] = _KINDS.get(number.systems[0], 6.0)
        depth[index], value[index] = float(number.depth), min(float(values[-1]), 200.0)
        prefix[index] = 1.0 if word else 0.0
        bracket[index] = 2.0 if len(number.style) == 2 else 1.0 if number.style in (")", "）") else 0.0
        opens[index] = 1.0 if values[-1] <= 1 else 0.0
        if number.depth > 1:
            parent[index] = 1.0 if (word, values[:-1]) in seen or ("", values[:-1]) in seen else -1.0
        if values[-1] > 1:
            elder[index] = 1.0 if (word, (*values[:-1], values[-1] - 1)) in seen else -1.0
        seen.add((word, values))
    names = ("kind", "depth", "value", "prefix", "bracket", "parent", "elder", "opens")
    lists = (kind, depth, value, prefix, bracket, parent, elder, opens)
    return {f"number_{name}": np.array(values) for name, values in zip(names, lists, strict=True)}


def sequence_columns(group: Ints, numbers: Sequence[Number | None]) -> Columns:
    """How the marks of a group run through the document: share of rising steps, of firsts, of values met twice."""
    members: dict[int, list[Number]] = {}
    for key, number in zip(group.tolist(), numbers, strict=True):
        if number is not None:
            members.setdefault(key, []).append(number)
    rising, firsts, doubles = ({} for _ in range(3))
    for key, found in members.items():
        values = [number.values for number in found]
        rising[key] = rising_share(values)
        firsts[key] = sum(v[-1] <= 1 for v in values) / len(values)
        doubles[key] = 1.0 - len(set(values)) / len(values)
    keys = group.tolist()
    return {
        "group_rising": np.array([rising.get(key, -1.0) for key in keys]),
        "group_firsts": np.array([firsts.get(key, -1.0) for key in keys]),
        "group_doubles": np.array([doubles.get(key, -1.0) for key in keys]),
    }


def order_columns(group: Ints, blocks: Sequence[Block], place: Place, table: LineTable) -> Columns:
    """Share of a group's steps that go up in the alphabet (indexes, glossaries, references of functions), and how its left edges vary."""
    order = np.argsort(group, kind="stable")
    initials = [blocks[i].title[:4].casefold() for i in order.tolist()]
    same = group[order][1:] == group[order][:-1]
    up = np.array([a <= b for a, b in pairwise(initials)], dtype=bool)
    count = np.bincount(group)
    steps = np.bincount(group[order][1:], weights=same * 1.0, minlength=len(count))
    rises = np.bincount(group[order][1:], weights=(same & up) * 1.0, minlength=len(count))
    x0 = table.x0[place.first]
    mean = np.bincount(group, weights=x0) / count
    spread = np.sqrt(np.bincount(group, weights=(x0 - mean[group]) ** 2) / count) / table.body_size
    return {
        "group_alphabet": np.where(steps > 0, rises / np.maximum(steps, 1), -1.0)[group],
        "group_edge": np.minimum(spread[group], 20.0),
    }
