"""Several works in one file: where the chapter numbers start again under a larger title each time, each title is a part of its own."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace

from pageindex.document import TreeSource
from pageindex.structure.facts import Facts
from pageindex.structure.numbering.marks import System, parse
from pageindex.structure.spans import Heading
from pageindex.structure.titles import join

__all__ = ["with_parts"]

LARGER = 1.1  #: By how much a part's title must be larger than the chapter headings.
MAX_LINES = 4  #: Most lines of a part's title.


def with_parts(headings: Sequence[Heading], facts: Facts, passed: Container[int] = ()) -> list[Heading]:
    """The headings with the titles of parts above them; as they are where there are no parts.

    Args:
        headings: In document order.
        facts: Of the document.
        passed: Lines that are never headings.
    """
    runs = _runs(headings)
    if len(runs) < 2:
        return list(headings)
    found: list[tuple[int, int]] = []
    before = (0, 0)
    for run in runs:
        first = headings[run[0]]
        title = _title(before, (first.page, first.byte), facts, passed)
        if title is None:
            return list(headings)
        found.append(title)
        before = (headings[run[-1]].page, headings[run[-1]].byte)
    sizes = [float(facts.size[i]) for i, _ in found]
    chapters = max(_size_of(headings[k], facts) for run in runs for k in run)
    if max(sizes) - min(sizes) > 0.5 or min(sizes) < LARGER * chapters:
        return list(headings)
    return _insert(headings, found, facts)


def _runs(headings: Sequence[Heading]) -> list[list[int]]:
    """Positions of plain chapter numbers, cut where they start again at 1; only runs of two or more."""
    runs: list[list[int]] = []
    last = 0
    for k, heading in enumerate(headings):
        number = parse(heading.title)
        if number is None or number.depth > 1 or number.prefix or number.system is not System.ARABIC or not number.firm:
            continue
        value = number.values[0]
        if value == 1:
            runs.append([k])
        elif runs and value == last + 1:
            runs[-1].append(k)
        last = value
    return [run for run in runs if len(run) > 1]


def _title(
    start: tuple[int, int], end: tuple[int, int], facts: Facts, passed: Container[int]
) -> tuple[int, int] | None:
    """First and last line of what is set largest between two places."""
    lines = [
        i
        for page in range(max(start[0], 1), end[0] + 1)
        for i in facts.on(page)
        if start < (page, facts.lines[i].start) < end and i not in passed and not facts.running[i]
    ]
    lines = [i for i in lines if len(facts.folded[i]) >= 2 and not facts.lines[i].angle]
    if not lines:
        return None
    first = max(lines, key=lambda i: (round(float(facts.size[i]), 1), -i))
    last = first
    while last + 1 in lines and facts.style[last + 1] == facts.style[first] and last + 1 - first < MAX_LINES:
        last += 1
    return first, last


def _size_of(heading: Heading, facts: Facts) -> float:
    return next(
        (float(facts.size[i]) for i in facts.on(heading.page) if facts.lines[i].end > heading.byte), facts.body_size
    )


def _insert(headings: Sequence[Heading], titles: Sequence[tuple[int, int]], facts: Facts) -> list[Heading]:
    level = min(heading.level for heading in headings) - 1
    places = {(facts.lines[i].page, facts.lines[i].start): (i, last) for i, last in titles}
    made = []
    for heading in headings:
        own = places.pop((heading.page, heading.byte), None)
        made.append(replace(heading, level=level) if own is not None else heading)
    for (page, byte), (first, last) in places.items():
        title = join([facts.texts[i] for i in range(first, last + 1)])
        end = facts.lines[last].end
        made.append(Heading(title, page, byte, level, TreeSource.LAYOUT, (TreeSource.LAYOUT,), (byte, end)))
    return sorted(made, key=lambda heading: (heading.page, heading.byte))
