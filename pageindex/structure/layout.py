"""The witness of layout: headings and their levels from what is printed, without a model of language.

Printed units (``layout_blocks``) are measured against their document and their group (``features``), scored by a small trained model
(``model``), and as many of them are taken as the document's own scores warrant (``selection``). Levels come from numbers, the printed
contents and style (``levels``).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pageindex.document import TreeSource
from pageindex.structure.candidate import Candidate, Testimony
from pageindex.structure.facts import Bools, Facts
from pageindex.structure.features import FEATURES, Features, features_of
from pageindex.structure.layout_blocks import Block, blocks_of
from pageindex.structure.layout_table import LineTable
from pageindex.structure.levels import Heading, levels_of
from pageindex.structure.model import load
from pageindex.structure.selection import chosen

__all__ = ["find"]


def find(facts: Facts, contents: Testimony | None = None) -> Testimony:
    """What layout says of a document.

    Args:
        facts: Its lines.
        contents: What the printed contents say; they weigh heavily where they verify.

    Returns:
        Candidates in document order, each with its level (1 is the top), the reason and its score as weight.
    """
    if not facts.lines:
        return Testimony(TreeSource.LAYOUT)
    table = LineTable(facts)
    blocks = blocks_of(table)
    if not blocks:
        return Testimony(TreeSource.LAYOUT)
    features = features_of(table, blocks, contents)
    scores = load().scores(features.rows)
    taken = np.flatnonzero(chosen(scores) & _allowed(features)).tolist()
    levels = levels_of([_heading(blocks[i], features, i, table) for i in taken])
    candidates = tuple(
        _candidate(table, blocks[i], features, i, level, float(scores[i]))
        for i, level in zip(taken, levels, strict=True)
    )
    trust = float(np.mean(scores[taken])) if taken else 0.0
    return Testimony(TreeSource.LAYOUT, candidates, trust, complete=True)


def _allowed(features: Features) -> Bools:
    """Lines that list headings are none."""
    return np.asarray(features.rows[:, FEATURES.index("listed")] == 0)


def _heading(block: Block, features: Features, index: int, table: LineTable) -> Heading:
    listed = features.rows[index, FEATURES.index("contents_level")]
    return Heading(
        float(features.size[index]) / table.body_size,
        bool(features.bold[index]),
        bool(features.italic[index]),
        bool(features.caps[index] > 0.9),
        block.lead is not None,
        features.numbers[index],
        int(listed),
    )


def _candidate(table: LineTable, block: Block, features: Features, index: int, level: int, score: float) -> Candidate:
    line = table.facts.lines[block.first]
    title = block.title
    return Candidate(
        title=title,
        page=line.page,
        byte=block.start,
        heading=(block.start, block.end),
        level=level,
        witness=TreeSource.LAYOUT,
        why=_why(features, index),
        weight=round(score, 3),
    )


def _why(features: Features, index: int) -> str:
    number = features.numbers[index]
    parts: Sequence[str] = [
        f"numbering {number.form}" if number is not None else "",
        "in the printed contents" if features.contents[index] >= 0 else "",
        "bold" if features.bold[index] else "",
        f"{features.size[index]:.1f} pt",
    ]
    return ", ".join(part for part in parts if part)
