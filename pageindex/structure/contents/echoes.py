"""Titles that are printed twice, once with a page number behind them: the trace that a contents page leaves, found without parsing it.

Beside the contents source, which reads contents pages entry by entry, this is a plain fact of each line: somewhere else the same words
stand with a number, and the number is the page's, up to an offset that holds for many titles of the document.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pageindex.structure.facts import Floats
from pageindex.structure.layout.table import END_DIGIT, LineTable
from pageindex.text import normal

if TYPE_CHECKING:
    from pageindex.structure.layout.blocks import Block

__all__ = ["echo_of", "folded_forms", "listing_share"]

_PAGE_NUMBER = re.compile(r"(?:(?<![^\W_])([A-Z]{1,3}|\d{1,3})[-–])?(?<!\d)(\d{1,4})$")
_LEADERS = " .·…_-–—\t\u00a0‥⋯"


class _Entry(NamedTuple):
    page: int
    number: int | None  # None where it counts within a chapter ("2-3"): then it says nothing of the physical page


def listing_share(table: LineTable) -> Floats:
    """For each line, the share of its page's rows that end in a number: high on pages of contents, indexes and figures."""
    if not len(table):
        return np.zeros(0)
    numbered = table.end_class == END_DIGIT
    last = np.append(table.row[1:] != table.row[:-1], True)
    rows = np.bincount(table.page, weights=last)
    ending = np.bincount(table.page, weights=last & numbered)
    return np.asarray((ending / np.maximum(rows, 1))[table.page])


def folded_forms(block: Block, table: LineTable) -> tuple[str, str]:
    """A block's title folded: whole, and without its number (empty where it has none)."""
    number, title, first = block.number, block.title, block.first
    whole = table.facts.folded[first] if title == table.texts[first] else normal.title(title)
    return whole, normal.title(title[number.end :]) if number is not None else ""


def echo_of(table: LineTable, folded: Sequence[tuple[str, str]], pages: Sequence[int], listing: Floats) -> list[int]:
    """For each block: 2 where its words stand elsewhere with its page's number, 1 where with another number, 0 where nowhere."""
    entries = _entries(table, listing)
    if not entries:
        return [0] * len(folded)
    found: list[list[int | None]] = []
    offsets: Counter[int | None] = Counter()
    for (whole, bare), page in zip(folded, pages, strict=True):
        own = entries.get(whole) or (entries.get(bare) if bare else None)
        steps = [page - entry.number if entry.number is not None else None for entry in own or () if entry.page != page]
        found.append(steps)
        offsets.update(set(steps))
    enough = max(3, sum(1 for steps in found if steps) // 10)
    usual = {offset for offset, count in offsets.items() if count >= enough}
    return [0 if not steps else 2 if any(step in usual for step in steps) else 1 for steps in found]


def _entries(table: LineTable, listing: Floats) -> dict[str, list[_Entry]]:
    """Folded words → where they stand with a number behind them, on pages where many rows end in one."""
    entries: dict[str, list[_Entry]] = {}
    for index in np.flatnonzero((table.end_class == END_DIGIT) & (listing > 0.3)).tolist():
        text = table.texts[index]
        found = _PAGE_NUMBER.search(text)
        if found is None:
            continue
        words = text[: found.start()].rstrip(_LEADERS)
        before = index - 1
        while not words and before >= 0 and table.row[before] == table.row[index]:
            words = table.texts[before].rstrip(_LEADERS)
            before -= 1
        if len(words) < 2:
            continue
        entry = _Entry(int(table.page[index]), int(found[2]) if not found[1] else None)
        for form in _forms(table, index, before, words):
            entries.setdefault(form, []).append(entry)
    return entries


def _forms(table: LineTable, index: int, before: int, words: str) -> set[str]:
    """The words as they stand, and with a number that stands in a cell before them or on a line above (a wrapped entry)."""
    forms = {normal.title(words)}
    if before >= 0 and table.page[before] == table.page[index]:
        previous = table.texts[before]
        if table.end_class[before] != END_DIGIT or table.row[before] == table.row[index]:
            forms.add(normal.title(previous.rstrip(_LEADERS) + words))
    number = table.facts.numbers[index]
    if number is not None and number.end < len(words):
        forms.add(normal.title(words[number.end :]))
    return {form for form in forms if len(form) >= 2}
