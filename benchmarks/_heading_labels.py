"""Which printed units of a document are headings, by its own outline: the labels that the layout model learns from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rapidfuzz import fuzz

from pageindex.structure.facts import fold
from pageindex.structure.layout.blocks import Block
from pageindex.structure.layout.table import LineTable
from pageindex.structure.numbering.marks import bare_title

__all__ = ["labels_of"]

ENOUGH = 90.0  #: Similarity of folded titles (0-100) from which they are the same.


def labels_of(table: LineTable, blocks: Sequence[Block], outline: Sequence[dict[str, Any]]) -> list[int]:
    """For each block the level of the outline entry that it prints, 0 where it prints none; -1 where the entry is doubtful."""
    labels = [0] * len(blocks)
    by_page: dict[int, list[int]] = {}
    for index, block in enumerate(blocks):
        by_page.setdefault(int(table.page[block.first]), []).append(index)
    forms = [(fold(block.title), fold(bare_title(block.title))) for block in blocks]
    pairs = []
    for entry_index, entry in enumerate(outline):
        if entry["page"] is None:
            continue
        wanted = {fold(entry["title"]), fold(bare_title(entry["title"]))}
        for index in by_page.get(entry["page"], ()):
            score = max((fuzz.ratio(a, b) for a in wanted for b in set(forms[index]) if a and b), default=0.0)
            if score >= ENOUGH:
                pairs.append((-score, _distance(table, blocks[index], entry), entry_index, index))
    used: set[int] = set()
    for _, _, entry_index, index in sorted(pairs):
        if entry_index not in used and labels[index] == 0:
            used.add(entry_index)
            labels[index] = outline[entry_index]["level"] if outline[entry_index]["printed"] else -1
    return labels


def _distance(table: LineTable, block: Block, entry: dict[str, Any]) -> float:
    """How far the block is from where the entry's target says, in tens of points; the target is given from the page's foot."""
    if entry.get("y") is None:
        return 0.0
    top = float(table.height[block.first]) - float(entry["y"])
    return round(abs(float(table.y0[block.first]) - top) / 10)
