"""Rows of tables, told by their cells alone: which rows make a table, which of them are heads, which are labels over others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pageindex.text.passages.marks import ends_sentence, is_bullet, is_counter
from pageindex.text.passages.rows import Row

__all__ = ["TableRow", "table_at"]

_FEWEST = 2  # rows with cells
_MOST_BETWEEN = 3  # rows with one cell between two with several
_LONGEST_LABEL = 110  # characters of such a row; a longer one is text
_MOST_HEADS = 4
_YEAR = re.compile(r"\W*(?:19|20)\d\d(?:\W+\d{2,4})?\W*")
_WORD = re.compile(r"[^\W\d_]{3,}")
_INDENT = 1.0  # points
_TOTAL = re.compile(r"\s*(?:sub)?-?(?:total|summe|gesamt\w*|insgesamt|итого|всего|合计|合計|小计|小計)\b", re.I)
_RULE = re.compile(r"[\s|:+=_-]+")
_UNFINISHED = re.compile(
    r"(?:[,&(–-]|\b(?:of|and|or|to|in|for|the|from|by|at|with|on|und|von|für|et|de|des|du|y|e|и|от))$", re.I
)


@dataclass(frozen=True, slots=True)
class TableRow:
    """Printed rows that make one row of a table, and the byte ranges of what stands over it; ``head`` for what is one itself."""

    rows: tuple[Row, ...]
    head: bool
    heads: tuple[tuple[int, int], ...] = ()


def table_at(rows: Sequence[Row], first: int) -> list[TableRow]:
    """The rows of the table that begins at ``rows[first]``; none where none does."""
    last = _last(rows, first)
    return list(_assembled(rows[first:last])) if last > first else []


def _is_tabular(row: Row) -> bool:
    """Whether a row has columns; a sign or a number before the text of an item makes none."""
    if len(row.cells) < 2:
        return False
    return len(row.cells) > 2 or not (is_bullet(row.text) or is_counter(row.text))


def _last(rows: Sequence[Row], first: int) -> int:
    """The index behind the last row of a table; ``first`` where there is none."""
    if not _is_tabular(rows[first]):
        return first
    last, found, at = first, 1, first + 1
    while at < len(rows) and at - last <= _MOST_BETWEEN + 1:
        row = rows[at]
        if _is_tabular(row):
            last, found = at, found + 1
        elif len(row.text) > _LONGEST_LABEL or is_bullet(row.text) or _leaves(rows[at - 1], row):
            break
        at += 1
    return last + 1 if found >= _FEWEST else first


def _leaves(row: Row, following: Row) -> bool:
    """Whether a row with one cell is no label: it is far below, or runs over the columns like text."""
    if row.box is None or following.box is None:
        return following.apart and ends_sentence(following.text)
    if following.box.y0 - row.box.y1 > 3 * max(row.size, following.size) or following.box.y1 < row.box.y0:
        return True
    return ends_sentence(following.text) and following.text[-1:] != ":" and len(following.text) > _LONGEST_LABEL // 2


def _is_value(cell: str) -> bool:
    """Whether a cell holds a figure: a year is none, nor is what words explain."""
    return any(map(str.isdigit, cell)) and not _YEAR.fullmatch(cell) and not _WORD.search(cell)


def _has_values(row: Row) -> bool:
    return any(map(_is_value, row.columns[1:])) or (len(row.cells) > 2 and _is_value(row.columns[0]))


def _assembled(rows: Sequence[Row]) -> Iterator[TableRow]:
    groups = _groups(rows)
    valued = [any(map(_has_values, group)) for group in groups]
    leading = next((i for i, value in enumerate(valued) if value), 1)
    leading = leading if 0 < leading <= _MOST_HEADS else 1 if not any(valued) else 0
    heads: list[tuple[int, int]] = []
    labels = _Labels()
    for index, group in enumerate(groups):
        tabular = any(map(_is_tabular, group))
        dated = tabular and not valued[index] and _dates(group)
        if not tabular and (group[-1].text[-1:].isdigit() or (index and ends_sentence(group[-1].text))):
            yield TableRow(group, False)  # a line of its own between the rows
        elif tabular and (index < leading or dated):
            heads = [*([] if dated and index >= leading else heads), (group[0].start, group[-1].end)]
            labels = _Labels()
            yield TableRow(group, True)
        elif not tabular:
            following = next((other for other in groups[index + 1 :] if any(map(_is_tabular, other))), None)
            labels.open(group[0], group[-1].end, following[0] if following else None)
            yield TableRow(group, True)
        else:
            yield TableRow(group, False, (*heads[-_MOST_HEADS:], *labels.over(group[0])))


@dataclass(frozen=True, slots=True)
class _Label:
    """A label over rows: its bytes, where it begins on the line, and whether its rows stand further in."""

    start: int
    end: int
    left: float
    indented: bool


class _Labels:
    """The labels that rows stand under while they go by. One whose rows are indented ends where the indent does, another behind a total."""

    def __init__(self) -> None:
        self._open: list[_Label] = []

    def open(self, row: Row, end: int, following: Row | None) -> None:
        left = row.box.x0 if row.box is not None else 0.0
        inner = following is not None and following.box is not None and following.box.x0 > left + _INDENT
        self._open = [label for label in self._open if label.indented and label.left < left - _INDENT]
        self._open.append(_Label(row.start, end, left, inner))

    def over(self, row: Row) -> list[tuple[int, int]]:
        """The labels over a row, outermost first."""
        left = row.box.x0 if row.box is not None else 0.0
        self._open = [label for label in self._open if not label.indented or left > label.left + _INDENT]
        found = [(label.start, label.end) for label in self._open]
        if _TOTAL.match(row.text):
            self._open = [label for label in self._open if label.indented]
        return found


def _dates(group: tuple[Row, ...]) -> bool:
    return any(_YEAR.fullmatch(cell) for row in group for cell in row.columns)


def _groups(rows: Sequence[Row]) -> list[tuple[Row, ...]]:
    """Printed rows put together where a row of the table takes several."""
    close = _tight(rows)
    groups: list[list[Row]] = []
    for index, row in enumerate(rows):
        last = groups[-1] if groups else None
        if last is not None and (_RULE.fullmatch(row.text) or _goes_on(last[-1], row, close and close(index))):
            last.append(row)
        else:
            groups.append([row])
    return [tuple(group) for group in groups]


def _goes_on(above: Row, row: Row, tight: bool | None) -> bool:
    """Whether a row is the rest of the one above: of a label in two lines, or of cells whose words are wrapped."""
    if row.apart:
        return False
    if len(above.cells) == 1 and _is_tabular(row) and not _has_values(above):
        return bool(_UNFINISHED.search(above.text)) or row.text[:1].islower()
    return bool(tight) and not _has_values(row)


def _tight(rows: Sequence[Row]) -> Callable[[int], bool] | None:
    """Where cells hold words, whether a row stands closer to the one above than rows of the table do; None where that tells nothing."""
    if any(row.box is None for row in rows) or sum(map(_has_values, rows)) * 3 > len(rows):
        return None
    gaps = [lower.box.y0 - upper.box.y1 for upper, lower in pairwise(rows) if upper.box and lower.box]
    least = min(gaps)
    limit = least + 0.3 * rows[0].size
    if all(gap <= limit for gap in gaps):
        return None
    return lambda index: index > 0 and gaps[index - 1] <= limit
