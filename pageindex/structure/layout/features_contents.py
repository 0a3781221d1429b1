"""Measures of printed units: what the printed contents say of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pageindex.structure.candidate import SourceHeadings
from pageindex.structure.contents.echoes import echo_of
from pageindex.structure.facts import Floats, Ints
from pageindex.structure.layout.blocks import Block
from pageindex.structure.layout.features_place import Columns, Place
from pageindex.structure.layout.table import LineTable
from pageindex.structure.numbering.marks import Number, parse

__all__ = ["contents_columns", "in_contents"]


def in_contents(table: LineTable, blocks: Sequence[Block], contents: SourceHeadings | None) -> Ints:
    """For each block the contents entry verified at its place, else -1."""
    inside = np.full(len(blocks), -1, dtype=np.int64)
    if contents is None or not contents.candidates:
        return inside
    spans: dict[int, list[tuple[int, int, int]]] = {}
    for index, entry in enumerate(contents.candidates):
        if entry.heading is not None:
            spans.setdefault(entry.page, []).append((*entry.heading, index))
    for index, block in enumerate(blocks):
        line = table.facts.lines[block.first]
        for start, end, entry_index in spans.get(line.page, ()):
            if start < block.end and block.start < end:
                inside[index] = entry_index
                break
    return inside


def contents_columns(
    table: LineTable,
    place: Place,
    folded: Sequence[tuple[str, str]],
    listing: Floats,
    inside: Ints,
    contents: SourceHeadings | None,
    numbers: Sequence[Number | None],
) -> Columns:
    levels = _dense([entry.level for entry in contents.candidates]) if contents is not None else []
    listed = contents.listed if contents is not None else frozenset()
    return {
        "listing": listing[place.first],
        "listed": np.array([index in listed for index in place.first.tolist()], dtype=np.float64),
        "echo": np.array(echo_of(table, folded, place.page.tolist(), listing), dtype=np.float64),
        "contents": (inside >= 0) * 1.0,
        "contents_beyond": _beyond(numbers, contents),
        "contents_level": np.array([levels[index] if index >= 0 else 0 for index in inside.tolist()], dtype=np.float64),
    }


def _beyond(numbers: Sequence[Number | None], contents: SourceHeadings | None) -> Floats:
    """How much deeper a block's number is than the deepest that the contents list; 0 without a number or without contents."""
    found = [parse(entry.title) for entry in contents.candidates] if contents is not None else []
    deepest = max((number.depth for number in found if number is not None), default=0)
    depths = np.array([number.depth if number is not None else 0 for number in numbers], dtype=np.float64)
    return np.where((depths > 0) & (deepest > 0), depths - deepest, 0.0)


def _dense(levels: Sequence[int]) -> list[int]:
    """Levels counted from 1 without holes."""
    known = {level: index for index, level in enumerate(sorted(set(levels)), 1)}
    return [known[level] for level in levels]
