"""What could be a heading, unit by unit, and how much it looks like one: the judge of every heading that somebody proposes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np

from pageindex.document import Edition
from pageindex.structure.contents import source as contents
from pageindex.structure.facts import Bools, Facts
from pageindex.structure.layout.blocks import Block
from pageindex.structure.layout.source import scored
from pageindex.structure.numbering.marks import Number

__all__ = ["PrintedUnits", "Unit"]

SAME_SIZE = 0.5  #: Points.


class Unit(NamedTuple):
    """A printed unit: a line, wrapped lines, a number and its title, or the lead that a paragraph begins with.

    Attributes:
        page: Physical, 1-based.
        start, end: Bytes at which it begins and ends on its page.
        title: One line; spaces folded, hyphenation undone.
        number: The mark that it begins with.
        score: How much it looks like a heading of its document, from 0 to 1.
        lead: Whether text goes on behind it on its line.
        mixed: Whether its last line ends in the body's style and does not begin in it: text that no layout could part from it.
        amid: Whether rows of cells stand directly above and below it.
        running: Whether it stands where running heads and feet stand.
    """

    page: int
    start: int
    end: int
    title: str
    number: Number | None
    score: float
    lead: bool
    mixed: bool
    amid: bool
    running: bool


class PrintedUnits:
    """The units of one edition, scored when they are first asked for."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition

    def on(self, page: int) -> Sequence[Unit]:
        """The units of a page (1-based) in reading order; none where its lines are not known."""
        return self._by_page.get(page, ())

    def __iter__(self) -> Iterator[Unit]:
        return chain.from_iterable(self._by_page.values())

    @cached_property
    def _by_page(self) -> dict[int, list[Unit]]:
        facts = Facts(self.edition)
        found: dict[int, list[Unit]] = {}
        if not facts.lines:
            return found
        blocks, scores = scored(facts, contents.find_headings(facts))
        rows = _rows(facts)
        for block, score in zip(blocks, scores.tolist(), strict=True):
            unit = _unit(facts, rows, block, score)
            found.setdefault(unit.page, []).append(unit)
        return found


def _unit(facts: Facts, rows: Bools, block: Block, score: float) -> Unit:
    line = facts.lines[block.first]
    last = len(facts.lines) - 1
    above, below = max(block.first - 1, 0), min(block.last + 1, last)
    amid = bool(rows[above] and rows[below]) and facts.page[above] == facts.page[below] == line.page
    mixed = block.lead is None and _is_mixed(facts, block.last)
    running = bool(facts.running[block.first : block.last + 1].all())
    lead, title = block.lead is not None, block.title
    return Unit(line.page, block.start, block.end, title, block.number, score, lead, mixed, amid, running)


def _is_mixed(facts: Facts, index: int) -> bool:
    runs, body = facts.lines[index].runs, facts.lines[facts.body]
    return len(runs) > 1 and runs[0].font != body.font == runs[-1].font and abs(runs[-1].size - body.size) < SAME_SIZE


def _rows(facts: Facts) -> Bools:
    """For each line whether another one stands beside it at its height."""
    box, page = facts.box, facts.page
    beside = np.zeros(len(page), dtype=bool)
    for step in (1, 2):
        if len(page) > step:
            height = np.minimum(box[:-step, 3] - box[:-step, 1], box[step:, 3] - box[step:, 1])
            overlap = np.minimum(box[:-step, 3], box[step:, 3]) - np.maximum(box[:-step, 1], box[step:, 1])
            row = (page[:-step] == page[step:]) & (overlap > 0.5 * height) & (height > 0)
            beside[:-step] |= row
            beside[step:] |= row
    return beside
