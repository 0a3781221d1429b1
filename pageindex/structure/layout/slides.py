"""Slide decks: sections that are printed only in a navigation bar, or as the highlighted entry of an outline frame that comes back.

Both are found by what they do, not by a program that made them. A *tracker* is a place on the page, small and at its edge, whose text
stays for a run of pages and then changes: it names the section that a page belongs to. Where all sections stand in one row, the one
in a colour of its own is meant. An *outline frame* lists the same lines on several pages, each time with another line in colour.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pageindex.structure.layout.table import LineTable
from pageindex.structure.numbering.marks import bare_title

__all__ = ["SlideSection", "is_deck", "outline_frames", "trackers"]

MIN_PAGES = 6  #: Shorter decks show nothing that comes back.
EDGE = 0.14  #: Share of the page's height, at its top and at its foot, in which navigation stands.
MOST_LINES = 40  #: Lines on the median page of a deck; denser pages in landscape are a report.


@dataclass(frozen=True, slots=True)
class SlideSection:
    """A section of a deck: where it begins, what it is called, the line that names it, and its rank (1 is the top)."""

    page: int
    title: str
    line: int
    level: int


def is_deck(table: LineTable) -> bool:
    """Whether most pages are wider than high and hold little text."""
    if table.pages < MIN_PAGES or not len(table):
        return False
    counts = np.bincount(table.page)[1:]
    wide = np.median(table.width) > 1.1 * np.median(table.height)
    return bool(wide and np.median(counts[counts > 0]) <= MOST_LINES)


def trackers(table: LineTable) -> list[SlideSection]:
    """Sections named by navigation at the page's edge, in order; at most two ranks of them."""
    found = [steps for steps in map(_steps, _slots(table)) if _tracks(steps, table.pages)]
    found = _different(found)
    found.sort(key=lambda steps: len(_starts(steps)))
    sections = [
        SlideSection(page, table.texts[line], line, rank)
        for rank, steps in enumerate(found[:2], 1)
        for page, line in _starts(steps)
    ]
    return sorted(sections, key=lambda section: (section.page, section.level))


#: For each page where it says something, the text and the line.
Steps = list[tuple[int, str, int]]


def _slots(table: LineTable) -> Iterator[tuple[LineTable, dict[int, list[int]]]]:
    """Rows at the edge of pages, small type only: for each height, the lines of each page."""
    at_edge = (table.y1 < EDGE * table.height) | (table.y0 > (1 - EDGE) * table.height)
    small = table.size < 0.95 * table.body_size
    rows: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    middle = np.rint((table.y0 + table.y1) / 4).astype(np.int64)
    for index in np.flatnonzero(at_edge & small & table.usable).tolist():
        rows[int(middle[index])][int(table.page[index])].append(index)
    for height in sorted(rows):
        pages = rows[height]
        for page, lines in rows.get(height + 1, {}).items():  # a row on the border between two slots
            if page not in pages:
                pages[page] = lines
        if len(pages) >= table.pages / 3:
            yield table, pages


def _steps(slot: tuple[LineTable, dict[int, list[int]]]) -> Steps:
    """What a row says on each page: its only line, or the one line in another colour than the rest."""
    table, pages = slot
    steps = []
    for page in sorted(pages):
        lines = pages[page]
        if len(lines) > 1:
            counts = Counter(int(table.color[i]) for i in lines)
            lines = [i for i in lines if counts[int(table.color[i])] == 1] if len(counts) == 2 else []
            if len(pages[page]) == 2:  # two colours, two lines: the one that is rarer in the whole row
                lines = []
        if len(lines) == 1:
            steps.append((page, table.texts[lines[0]], lines[0]))
    return steps


def _starts(steps: Steps) -> list[tuple[int, int]]:
    """Pages at which the text changes, with the line."""
    starts = []
    before = None
    for page, text, line in steps:
        if text != before:
            starts.append((page, line))
        before = text
    return starts


def _tracks(steps: Steps, pages: int) -> bool:
    """Whether texts stay for runs of pages, few of them come back, and they are words."""
    texts = [text for _, text, _ in steps]
    different = set(texts)
    starts = len(_starts(steps))
    worded = sum(sum(map(str.isalpha, text)) >= max(2, len(text) / 3) for text in different)
    return (
        len(steps) >= pages / 3
        and len(different) >= 2
        and worded >= 0.9 * len(different)
        and starts <= 1.5 * len(different)
        and starts <= min(0.75 * len(steps), 0.6 * pages)
    )


def _different(found: Sequence[Steps]) -> list[Steps]:
    """Each tracker once: head and foot often say the same."""
    kept: list[Steps] = []
    for steps in found:
        starts = {page for page, _ in _starts(steps)}
        texts = {text for _, text, _ in steps}
        same = any(
            texts == {text for _, text, _ in other} or starts == {page for page, _ in _starts(other)} for other in kept
        )
        if not same:
            kept.append(steps)
    return kept


def outline_frames(table: LineTable) -> list[SlideSection]:
    """Sections announced by outline frames: the same list of lines on several pages, one of them in a colour of its own."""
    frames: dict[tuple[str, ...], list[list[int]]] = defaultdict(list)
    pages = np.searchsorted(table.page, np.arange(1, table.pages + 2)).tolist()
    inner = table.usable & ~table.running & (table.y1 < 0.93 * table.height)
    for begin, end in pairwise(pages):
        lines = [i for i in range(begin, end) if inner[i]]
        if 3 <= len(lines) <= 30:
            frames[tuple(table.texts[i] for i in lines)].append(lines)
    sections: list[SlideSection] = []
    for shown in frames.values():
        if len(shown) >= 2:
            sections += _highlights(table, shown)
    sections.sort(key=lambda section: section.page)
    apart = [after.page - before.page > 1 for before, after in pairwise(sections)]
    # On pages one behind the other it is one frame that is uncovered step by step.
    return sections if apart and sum(apart) >= len(apart) / 2 and len(sections) <= table.pages / 2 else []


def _highlights(table: LineTable, shown: Sequence[Sequence[int]]) -> Iterator[SlideSection]:
    """On each showing of an outline frame the first line whose colour sets it apart from how it is shown elsewhere."""
    usual = [Counter(int(table.color[lines[k]]) for lines in shown) for k in range(len(shown[0]))]
    for lines in shown:
        own = [k for k, i in enumerate(lines) if len(usual[k]) > 1 and _rare(usual[k], int(table.color[i]), len(shown))]
        if own and len(own) < len([k for k in range(len(lines)) if len(usual[k]) > 1]):
            line = lines[own[0]]
            yield SlideSection(int(table.page[line]), bare_title(table.texts[line]), line, 1)


def _rare(counts: Counter[int], color: int, shows: int) -> bool:
    return counts[color] <= max(1, shows / 2) and counts[color] == min(counts.values())
