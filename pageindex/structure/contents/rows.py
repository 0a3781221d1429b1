"""Rows of printed contents: which pages look like contents, and what each row on them says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from pageindex.structure.facts import Facts
from pageindex.structure.numbering.marks import roman_value
from pageindex.structure.numbering.sequence import rising_share

__all__ = ["Label", "Row", "looks_like_contents", "read_label", "rows"]

MIN_ROWS = 3  #: Fewest rows with a page number on a page of contents.

MIN_SHARE = 0.15  #: Share of a page's lines that end in a number.
MIN_RISING = 0.6  #: Share of steps between page numbers that go up.

#: Marks that lead from a title to its number, and those of them that are dots.
_LEADERS = ".·•․‥…⋯_‧∙。．-–—*"
_DOTS = frozenset(".·․‥…⋯_‧∙。．")
_SPACES = " \t\u00a0\u2002\u2003\u2009\u200a\u200b\u3000"
TAIL = 18  #: Characters at the end of a row in which its number is looked for.

#: A page number at the end of a row, behind a space, a leader, a bracket or a character of a script without spaces.
_NUMBER = re.compile(
    r"(?:^|(?<=[\s.·•․‥…⋯_‧∙。．\-–—*\u200b])|(?<=[\u2e80-\uffef])(?=\d))"
    r"\(?(?P<label>(?:[A-Z]{1,2}|[IVX]{1,4}|\d{1,3})[-–‑]\d{1,4}|\d{1,4}|[ivxlc]{1,8}|[IVXLC]{1,8}|[A-Z]\d{1,3})\)?[.\s]*$"
)
_LAST = frozenset("0123456789ivxlcIVXLC)")
_BULLET = re.compile(r"^[•▪●○◦■□–\-*·‣⁃]\s+")


@dataclass(frozen=True, slots=True)
class Label:
    """A page number as printed: ``series`` names the numbering it belongs to, ``value`` its place there.

    Series are ``1`` (arabic), ``i`` (roman) and, for chapter-page numbers such as ``2-3`` or ``A-1``, the chapter with its dash (``2-``).
    """

    text: str
    series: str
    value: int


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a page: a title, a page number, or both.

    Attributes:
        page: Physical, 1-based.
        lines: Indices of its lines, in the order they are read.
        title: Text without leaders and page number.
        label: The page number, where the row has one.
        leader: Whether leaders stand before the number.
        x0, x1, y0, y1: Extent of the title (x1: of the row) in points; x mirrored where the script runs from right to left.
        column: Text column it stands in, from 0.
        style: ``Facts.style`` of its first line.
    """

    page: int
    lines: tuple[int, ...]
    title: str
    label: Label | None
    leader: bool
    x0: float
    x1: float
    y0: float
    y1: float
    style: int
    column: int = 0


def read_label(text: str) -> Label | None:
    """A page number on its own, or None."""
    text = text.strip("() .")
    if text.isdecimal():
        return Label(text, "1", int(text)) if len(text) <= 4 else None
    if value := roman_value(text.upper()) if text.isalpha() and (text.islower() or text.isupper()) else 0:
        return Label(text, "i", value)
    head, mark, tail = _split(text)
    if tail.isdecimal() and head:
        return Label(text, head + mark, int(tail))
    return None


def _split(text: str) -> tuple[str, str, str]:
    for mark in "-–‑":
        if mark in text:
            head, _, tail = text.rpartition(mark)
            return head, "-", tail
    return (text[:1], "-", text[1:]) if text[:1].isalpha() else ("", "", "")


@lru_cache(maxsize=1 << 12)  # a row is looked at up to four times before the next page is
def _parse(text: str) -> tuple[str, bool, Label | None]:
    """Title, whether leaders stand there, page number."""
    if _ends_in_number(text):
        found = _NUMBER.search(text, max(len(text) - TAIL, 0))
        if found is not None and found.start() > 0 and (label := read_label(found["label"])) is not None:
            title, dots = _without_leaders(text[: found.start()])
            gap = text[len(title) : found.start()]
            if len(gap) != 1 or gap in _SPACES or gap == "…":  # "2.7" and "A-7" are one word
                return _BULLET.sub("", title), dots >= 2 or "…" in gap, label
    title, dots = _without_leaders(text)
    return (_BULLET.sub("", title), True, None) if dots >= MIN_ROWS else (_BULLET.sub("", text), False, None)


def _without_leaders(text: str) -> tuple[str, int]:
    """A text without the leaders at its end, and how many of them were dots."""
    title = text.rstrip(_LEADERS + _SPACES)
    return title, sum(map(_DOTS.__contains__, text[len(title) :]))


def looks_like_contents(facts: Facts, page: int) -> bool:
    """A cheap test by line ends: a good share of the lines, or several in a row, end in a number, and the numbers mostly rise."""
    indices, texts = facts.on(page), facts.texts
    ending = [i for i in indices if _ends_in_number(texts[i])]
    if len(ending) < MIN_ROWS or not (len(ending) >= MIN_SHARE * len(indices) or _close_together(ending)):
        return False
    labels, leaders = [], 0
    for i in ending:
        title, leader, label = _parse(texts[i])
        if label is None:
            label = read_label(texts[i])
        elif not any(map(str.isalpha, title)) and not leader:
            continue
        if label is not None:
            labels.append(label)
            leaders += leader
    return len(labels) >= MIN_ROWS and (leaders >= MIN_ROWS or _rising(labels) >= MIN_RISING)


def _close_together(ending: Sequence[int]) -> bool:
    """Whether ``MIN_ROWS`` lines with a number stand within few lines."""
    return any(b - a < 2 * MIN_ROWS for a, b in zip(ending, ending[MIN_ROWS - 1 :], strict=False))


def _rising(labels: Sequence[Label]) -> float:
    """How far arabic page numbers go up: the best of the whole page and of its stretches (a list may be followed by text)."""
    arabic = [(label.value,) for label in labels if label.series == "1"]
    if len(arabic) < 2:
        return 1.0 if len(labels) > len(arabic) else 0.0
    best = stretch = 1
    for before, here in pairwise(arabic):
        stretch = stretch + 1 if here >= before else 1
        best = max(best, stretch)
    return 1.0 if best > MIN_ROWS else rising_share(arabic)


def rows(facts: Facts, page: int, mirrored: bool) -> list[Row]:
    """The rows of a page, column by column, from top to bottom. Running lines are left out."""
    cells = [i for i in facts.on(page) if facts.texts[i] and not facts.running[i] and not facts.lines[i].angle]
    width = facts.edition.page(page).width
    edges = _number_edges(facts, cells, mirrored, width)
    made = []
    for baseline in _baselines(facts, cells):
        baseline.sort(key=lambda i: -facts.lines[i].box.x1 if mirrored else facts.lines[i].box.x0)
        made += [
            row
            for group in _split_columns(facts, baseline, edges, mirrored, width)
            if (row := _row(facts, page, group, mirrored, width))
        ]
    return _by_column(made, edges)


def _baselines(facts: Facts, cells: Sequence[int]) -> Iterator[list[int]]:
    """Cells that stand on one baseline, from top to bottom."""
    group: list[int] = []
    bottom = 0.0
    for i in sorted(cells, key=lambda i: facts.lines[i].box.y1):
        box = facts.lines[i].box
        if group and box.y1 - bottom > max(0.35 * facts.lines[i].size, 1.5):
            yield group
            group = []
        if not group:
            bottom = box.y1
        group.append(i)
    if group:
        yield group


def _extent(facts: Facts, i: int, mirrored: bool, width: float) -> tuple[float, float]:
    box = facts.lines[i].box
    return (width - box.x1, width - box.x0) if mirrored else (box.x0, box.x1)


def _number_edges(facts: Facts, cells: Sequence[int], mirrored: bool, width: float) -> list[float]:
    """Right edges at which three or more page numbers end, from left to right."""
    ends = sorted(
        _extent(facts, i, mirrored, width)[1]
        for i in cells
        if _ends_in_number(facts.texts[i])
        and (_parse(facts.texts[i])[2] or read_label(facts.texts[i]))
        and not _is_mark(facts, i)
    )
    groups: list[list[float]] = []
    for end in ends:
        if groups and end - groups[-1][-1] <= 1.5:
            groups[-1].append(end)
        else:
            groups.append([end])
    return [group[len(group) // 2] for group in groups if len(group) >= MIN_ROWS]


def _is_mark(facts: Facts, i: int) -> bool:
    """Whether a cell is a counting word with its number ("Item 1", "Part II") and nothing else: that number is not a page.

    "Preface 7" looks alike; a word counts only where the page has it with other numbers, too, one after the other. "Streams 6",
    "Streams 6", "Streams 9" are titles that come again, and their pages, as the page numbers above and below them show.
    """
    number = facts.numbers[i]
    if number is None or not number.prefix or number.end < len(facts.texts[i]):
        return False
    page = facts.on(facts.lines[i].page)
    alike = [(k, n) for k in page if (n := facts.numbers[k]) is not None and n.prefix == number.prefix]
    if len({n.values for _, n in alike}) < 2:
        return False
    alone = [(k, n) for k, n in alike if n.end >= len(facts.texts[k])]
    steps = [((a.values[-1], a.suffix), (b.values[-1], b.suffix)) for (_, a), (_, b) in pairwise(alone)]
    follow = sum(b[0] in (1, a[0] + 1) or (a[0] == b[0] and b[1] == a[1] + 1) for a, b in steps)
    if any(a == b for a, b in steps) or (steps and follow <= len(steps) / 2):
        return False
    known = {k for k, _ in alike}
    others = [k for k in page if k not in known]
    return 2 * sum(_is_between(facts, others, k, n.values[-1]) for k, n in alone) <= len(alone)


def _is_between(facts: Facts, others: Sequence[int], i: int, value: int) -> bool:
    """Whether a number lies between the page numbers of the nearest rows above and below."""
    above = next(
        (label for k in reversed(others) if k < i and (label := _arabic_label(facts.texts[k])) is not None), None
    )
    below = next((label for k in others if k > i and (label := _arabic_label(facts.texts[k])) is not None), None)
    return above is not None and below is not None and above <= value <= below


def _arabic_label(text: str) -> int | None:
    label = _parse(text)[2] if _ends_in_number(text) else None
    return label.value if label is not None and label.series == "1" else None


def _ends_in_number(text: str) -> bool:
    return bool(text) and (text[-1] in _LAST or text[-1].isdecimal())


def _split_columns(
    facts: Facts, baseline: list[int], edges: Sequence[float], mirrored: bool, width: float
) -> Iterator[list[int]]:
    """Cut a baseline behind each cell that ends in a page number at an edge where page numbers end."""
    group: list[int] = []
    titled = False
    before = 0.0
    for i in baseline:
        text = facts.texts[i]
        left, right = _extent(facts, i, mirrored, width)
        worded = any(map(str.isalpha, text))
        if group and worded and any(before <= edge + 4 < left for edge in edges):
            yield group  # a title without a number ends left of where the numbers of its column end
            group, titled = [], False
        group.append(i)
        titled, before = titled or worded, right
        if titled and any(abs(right - edge) < 4 for edge in edges) and (read_label(text) or _parse(text)[2]):
            yield group
            group, titled = [], False
    if group:
        yield group


def _row(facts: Facts, page: int, group: list[int], mirrored: bool, width: float) -> Row | None:
    texts = [facts.texts[i] for i in group if facts.texts[i].strip(_LEADERS + _SPACES)]
    dotted = len(texts) < len(group)
    alone = len(group) == 1 and _is_mark(facts, group[0])
    title, leader, label = (texts[0], False, None) if alone else _parse(" ".join(texts))
    if label is None and not title:
        return None
    if not any(map(str.isalnum, title)) and label is None:
        return None
    lines = [facts.lines[i] for i in group]
    extents = [_extent(facts, i, mirrored, width) for i in group]
    return Row(
        page=page,
        lines=tuple(group),
        title=title,
        label=label,
        leader=leader or dotted,
        x0=extents[0][0],
        x1=max(right for _, right in extents),
        y0=min(line.box.y0 for line in lines),
        y1=max(line.box.y1 for line in lines),
        style=int(facts.style[group[0]]),
    )


def _by_column(made: list[Row], edges: Sequence[float]) -> list[Row]:
    """Rows in reading order: where page numbers end at several edges and titles begin between them, these are columns."""
    starts = [edges[0] for _ in edges[:1]]
    for left, right in pairwise(edges):
        between = [row for row in made if left < row.x0 < right and row.label is not None]
        if len(between) >= MIN_ROWS:
            starts.append(right)
    if len(starts) < 2:
        return sorted(made, key=lambda row: row.y0)
    placed = [_placed(row, starts) for row in made]
    return sorted(placed, key=lambda row: (row.column, row.y0))


def _placed(row: Row, edges: Sequence[float]) -> Row:

    column = next((k for k, edge in enumerate(edges) if row.x0 < edge), len(edges) - 1)
    return replace(row, column=column)
