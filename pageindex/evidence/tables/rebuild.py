"""Rebuilding the tables of a page: column bands, stacked headers and row sections, from rows of cells.

A table is a run of rows with values. Its columns are the bands in which value cells overlap; headers are the rows above; a row with a
label and no value opens a section.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

from cachetools import LRUCache

from pageindex.document import Box, Edition
from pageindex.evidence.characters import Character
from pageindex.evidence.lines import page_lines
from pageindex.evidence.numbers.tokens import number_tokens
from pageindex.evidence.tables.cells import Cell, Row, Word, rows_of, words_of, words_of_lines
from pageindex.evidence.tables.table import Column, Table, TableRow

__all__ = ["CharacterSource", "Column", "Table", "TableRow", "tables_of", "tables_on"]

CharacterSource = Callable[[int], Sequence[Character]]
"""The characters of a page by number, as ``reading.pdfium.characters`` gives them."""

_MOST_HEADER_ROWS = 6
_FEWEST_ROWS = 2
_MOST_BETWEEN = 6  # rows of labels between two rows of values
_ROW_GAP = 3.2  # line heights between two rows of one table
_BLANK = 0.34  # em; wider than the blank between two words of a header
_EDGE = 6.0  # points by which a header may reach beyond its column
_LONGEST_HEADER = 90  # characters
_LONGEST_SPANNING = 60  # of a header over several columns; a longer one is a line of text
_LONGEST_LABEL = 120  # characters; a longer one is a sentence that happens to hold numbers
_KEPT = 256


# ---------------------------------------------------------------- from rows to tables


def tables_of(rows: Sequence[Row], page: int) -> tuple[Table, ...]:
    """All tables of a page, from top to bottom."""
    rows = [_opening(row, rows[i + 1 : i + 2]) for i, row in enumerate(rows)]
    found = (_Block(rows, first, last).table(page) for first, last in _blocks(rows))
    return tuple(table for table in found if table is not None)


def _opening(row: Row, below: Sequence[Row]) -> Row:
    """The row, marked where it is a year alone that stands over labels and not over values."""
    if len(row.cells) != 1 or not row.cells[0].is_period or not below:
        return row
    label = below[0].cells[0]
    return replace(row, opens=not label.is_value and abs(label.box.x0 - row.box.x0) < 2 * row.size)


def _blocks(rows: Sequence[Row]) -> list[tuple[int, int]]:
    """Runs ``[first, last]`` of rows that hold values, with label-only rows between them."""
    blocks: list[tuple[int, int]] = []
    for index, row in enumerate(rows):
        if not _has_values(row):
            continue
        if blocks and _belongs(rows, blocks[-1][1], index):
            blocks[-1] = (blocks[-1][0], index)
        else:
            blocks.append((index, index))
    return [block for block in blocks if block[1] > block[0] or len(rows[block[0]].values) >= _FEWEST_ROWS]


def _has_values(row: Row) -> bool:
    return any(cell is not row.cells[0] for cell in row.values)  # a value that opens its row numbers a list


def _belongs(rows: Sequence[Row], last: int, index: int) -> bool:
    """Whether a row with values goes on with the table above it: no header, no line of text and no wide gap comes between."""
    between = rows[last + 1 : index]
    if len(between) > _MOST_BETWEEN or any(len(row.cells) > 1 for row in between):
        return False
    if not _is_year_row(rows[last]) and any(row.box.x1 > rows[last].values[-1].box.x0 for row in between):
        return False  # text over the columns ends a table; below a row of years it belongs to the headers
    if _is_year_row(rows[index]) and not _is_year_row(rows[last]):
        return False
    gaps = (b.box.y0 - a.box.y1 for a, b in zip(rows[last:index], rows[last + 1 : index + 1], strict=True))
    return all(gap < _ROW_GAP * rows[index].size for gap in gaps)


@dataclass
class _Block:
    """Rows ``first`` to ``last`` on their way to being a table."""

    rows: Sequence[Row]
    first: int
    last: int

    @cached_property
    def body(self) -> list[Row]:
        return list(self.rows[self.first : self.last + 1])

    @cached_property
    def bands(self) -> list[_Band]:
        """Of the values, for headers may stand beside them; a year alone on its row opens a section and is no value."""
        cells = [(i, cell) for i, row in enumerate(self.body) if not _is_year_row(row) for cell in _value_cells(row)]
        heads = [(i, cell) for i, row in enumerate(self.body) if _is_year_row(row) for cell in row.values]
        return _bands(cells, heads)

    def table(self, page: int) -> Table | None:
        if not self.bands:
            return None
        above, sections = self._rows_above()
        top = self._top_rows()
        headers = [self._header_cells(row) for row in (*above, *self.body[:top])]
        body = [*(sections if top == 0 else ()), *self.body[top:]]
        columns = tuple(Column(band.x0, band.x1, _headers_of(band, headers, self.bands)) for band in self.bands)
        rows = _labelled(body, self.bands)
        return Table(page, columns, tuple(rows)) if len(rows) >= _FEWEST_ROWS or self._headed(rows, columns) else None

    def _headed(self, rows: Sequence[TableRow], columns: Sequence[Column]) -> bool:
        """Whether a single row is a table all the same: it has a label, and every value a header of its own."""
        heads = {column.header for column in columns}
        named = all(column.headers for column in columns) and len(heads) == len(columns) >= _FEWEST_ROWS
        return len(rows) == 1 and named and bool(rows[0].label) and len(rows[0].label) < _LONGEST_LABEL

    def _top_rows(self) -> int:
        """How many rows at the top of the block are headers: rows of years, and rows of words over the bands."""
        for count, row in enumerate(self.body):
            if not _is_year_row(row) and (row.values or not self._over_bands(row)):
                return count
        return len(self.body)

    def _rows_above(self) -> tuple[list[Row], list[Row]]:
        """The headers right above the block, and the labels of sections between them and it, both from top to bottom."""
        headers: list[Row] = []
        labels: list[Row] = []
        below = self.body[0]
        for row in reversed(self.rows[max(0, self.first - _MOST_HEADER_ROWS) : self.first]):
            values = row.values and not _is_year_row(row)
            if values or below.box.y0 - row.box.y1 > 2.2 * below.size:
                break
            if self._over_bands(row):
                headers.insert(0, row)
            elif not headers and row.box.x1 < self.bands[0].x0:
                labels.insert(0, row)
            else:
                break
            below = row
        if not headers:  # then only an outdented line right above the first row is known to be its section
            labels = [row for row in labels[-1:] if row.box.x0 < self.body[0].box.x0 - 1.0]
        return headers, labels

    def _over_bands(self, row: Row) -> bool:
        """Whether a row can hold headers: something stands over a band, and it is neither a line of text nor a title.

        A title is centred on the whole table, a spanning header on its columns.
        """
        left, right = self.bands[0].x0, self.bands[-1].x1
        over = [cell for cell in row.cells if cell.box.x1 > left and cell.box.x0 < right + 2 * row.size]
        if not over or any(len(cell.text) > _LONGEST_SPANNING for cell in over):
            return False
        if len(row.cells) > 1:
            return True
        box = over[0].box
        edge = min(r.box.x0 for r in self.body)
        if box.x0 < left - row.size and box.x0 < edge + 3 * row.size:
            return False
        centre = (box.x0 + box.x1) / 2
        return abs(centre - (left + right) / 2) <= abs(centre - (edge + right) / 2) or len(self.bands) == 1

    def _header_cells(self, row: Row) -> list[Cell]:
        edge = self.bands[0].x0 - 0.5 * row.size
        dated = _is_year_row(row)
        cells = [cell for i, cell in enumerate(row.cells) if cell.box.x1 > edge or (dated and (i or cell.is_period))]
        return [part for cell in cells for part in _parted(cell, self.bands)]


def _value_cells(row: Row) -> list[Cell]:
    """Values that stand in columns: a value that opens the row is its label when others follow, as a year or an item number is."""
    values = list(row.values)
    if (
        len(values) > 1
        and values[0] is row.cells[0]
        and len(row.cells) == len(values)
        and values[0].is_period
        and not _is_year_row(row)
    ):
        return values[1:]
    return values


def _is_year_row(row: Row) -> bool:
    """Whether a row holds the periods of columns: years or dates, beside at most words ("Change %"); a year at the row's start alone is a section."""
    periods = [cell for cell in row.cells if cell.is_period]
    if not periods or row.opens or any(not cell.is_period for cell in row.values):
        return False
    others = [cell for cell in row.cells[1:] if cell not in periods]
    return all(len(cell.text) <= _LONGEST_HEADER and not _numbers(cell) for cell in others)


def _numbers(cell: Cell) -> bool:
    """Whether a cell holds a figure: a note mark is none, nor is what counts kinds ("Level 1")."""
    counted = any(map(str.isalpha, cell.text))
    return any(len(token.core) > 2 or not (token.parens or counted) for token in number_tokens(cell.text))


@dataclass
class _Band:
    x0: float
    x1: float
    rows: set[int] = field(default_factory=set)

    def overlap(self, box: Box) -> float:
        return min(self.x1, box.x1) - max(self.x0, box.x0)


def _bands(cells: Iterable[tuple[int, Cell]], heads: Iterable[tuple[int, Cell]] = ()) -> list[_Band]:
    """Bands of overlapping cells, narrow cells first; a cell over two bands joins them only if no row has a cell in both.

    A band with a single value among the labels is that of a note mark, unless one of the ``heads`` stands over it.
    """
    bands: list[_Band] = []
    for index, cell in sorted(cells, key=lambda item: (item[1].box.width, item[1].box.x0)):
        box = cell.box
        met = [band for band in bands if band.overlap(box) > 0.1 * min(band.x1 - band.x0, box.width)]
        if not met:
            bands.append(_Band(box.x0, box.x1, {index}))
            continue
        if len(met) > 1:
            if any(one.rows & other.rows for i, one in enumerate(met) for other in met[i + 1 :]):
                continue  # spans columns
            for band in met[1:]:
                met[0].rows |= band.rows
                met[0].x0, met[0].x1 = min(met[0].x0, band.x0), max(met[0].x1, band.x1)
                bands.remove(band)
        home = met[0]
        home.x0, home.x1 = min(home.x0, box.x0), max(home.x1, box.x1)
        home.rows.add(index)
    for index, head in heads:
        for band in bands:
            if band.overlap(head.box) > 0:
                band.rows.add(index)
    bands.sort(key=lambda band: band.x0)
    well_filled = [band for band in bands if len(band.rows) >= _FEWEST_ROWS]
    if well_filled:  # a lone value among the labels is a note mark
        bands = [band for band in bands if band.x0 >= well_filled[0].x0 or len(band.rows) >= _FEWEST_ROWS]
    return bands


def _parted(cell: Cell, bands: Sequence[_Band]) -> list[Cell]:
    """Headers set so close that they look like one cell, parted where a gap wider than a blank falls between two bands."""
    parts: list[list[Word]] = [[cell.words[0]]]
    for last, word in zip(cell.words, cell.words[1:], strict=False):
        middle = (last.box.x1 + word.box.x0) / 2
        wide = word.box.x0 - last.box.x1 > _BLANK * max(last.size, word.size)
        if wide and any(a.x1 - _EDGE <= middle <= b.x0 + _EDGE for a, b in pairwise(bands)):
            parts.append([])
        parts[-1].append(word)
    return [Cell(tuple(part)) for part in parts]


def _headers_of(band: _Band, rows: Sequence[Sequence[Cell]], bands: Sequence[_Band]) -> tuple[str, ...]:
    """The header of a band in each header row: what stands over it, and in rows above the lowest the nearest spanning cell."""
    found = []
    for depth, cells in enumerate(rows):
        if len(cells) == len(bands):  # one each, wherever they stand
            found.append(cells[bands.index(band)].text)
            continue
        over = [cell for cell in cells if band.overlap(cell.box) > 0]
        if not over and depth < len(rows) - 1 and 0 < len(cells) < len(bands):
            centre = (band.x0 + band.x1) / 2
            nearest = min(cells, key=lambda cell: abs((cell.box.x0 + cell.box.x1) / 2 - centre))
            over = [nearest] if _spans(nearest, band, cells, bands) else []
        elif len(over) > 1:
            over = [max(over, key=lambda cell: band.overlap(cell.box))]
        found += [cell.text for cell in over if cell.text]
    return tuple(found)


def _spans(cell: Cell, band: _Band, cells: Sequence[Cell], bands: Sequence[_Band]) -> bool:
    """Whether a centred cell can reach over a band: no other header lies between, and its centre is within the bands."""
    centre = (cell.box.x0 + cell.box.x1) / 2
    if not bands[0].x0 <= centre <= bands[-1].x1:
        return False
    under = [b for b in bands if b.overlap(cell.box) > 0]
    reach = max((abs((b.x0 + b.x1) / 2 - centre) for b in under), default=0.0)
    share = len(bands) / max(1, len(cells))
    return abs((band.x0 + band.x1) / 2 - centre) <= max(
        reach, share / 2 * (bands[-1].x1 - bands[0].x0) / len(bands) * 1.1
    )


def _labelled(body: Sequence[Row], bands: Sequence[_Band]) -> list[TableRow]:
    """Rows with their labels and sections; a line without values is part of a label broken over lines, or opens a section."""
    entries: list[_Entry] = []
    for entry in (_entry(row, bands) for row in body):
        if entries and entries[-1].goes_on_with(entry):
            entries[-1] = entries[-1].joined(entry)
        else:
            entries.append(entry)
    rows: list[TableRow] = []
    sections = _Sections(_pitch(entries))
    for last, entry, following in zip([None, *entries], entries, [*entries[1:], None], strict=False):
        if any(entry.cells):
            path = sections.around(entry, last)
            rows.append(TableRow(entry.label, path, entry.cells, entry.box, entry.label_cells))
            sections.close_after(entry)
        else:
            sections.open(entry, following)
    return rows


def _pitch(entries: Sequence[_Entry]) -> float:
    """The usual distance between the baselines of two rows."""
    steps = sorted(lower.box.y1 - upper.box.y1 for upper, lower in pairwise(entries))
    return steps[len(steps) // 2] if steps else 0.0


@dataclass
class _Section:
    left: float
    text: str
    indented: bool  # its rows stand further to the right than its own label


@dataclass
class _Sections:
    """The sections that are open while rows go by.

    One whose rows are indented ends where the indent does. One whose rows stand flush with it ends behind its total, at a line that states a
    result ("Net income"), and at a gap.
    """

    pitch: float
    open_: list[_Section] = field(default_factory=list)

    def open(self, entry: _Entry, following: _Entry | None) -> None:
        while self.open_ and self.open_[-1].left >= entry.left - _LEFT:
            self.open_.pop()
        indented = following is not None and following.left > entry.left + _LEFT
        self.open_.append(_Section(entry.left, entry.label.rstrip(":"), indented))

    def around(self, entry: _Entry, last: _Entry | None) -> tuple[str, ...]:
        """The sections that a row stands in; those that ended before it are closed."""
        gap = last is not None and any(last.cells) and entry.box.y1 - last.box.y1 > _SECTION_GAP * self.pitch > 0
        while self.open_ and self._ended(self.open_[-1], entry, gap):
            self.open_.pop()
        return tuple(section.text for section in self.open_)

    def _ended(self, section: _Section, entry: _Entry, gap: bool) -> bool:
        if section.left > entry.left + _LEFT:
            return True
        if section.indented:
            total = _TOTAL.match(entry.label) and _totals(entry.label, section.text)
            return entry.left <= section.left + _LEFT and not total
        return gap or (bool(_RESULT.match(entry.label)) and not _totals(entry.label, section.text))

    def close_after(self, entry: _Entry) -> None:
        """A total ends the flush section it stands in, and any section that it is the total of."""
        if not self.open_ or not _TOTAL.match(entry.label):
            return
        if not self.open_[-1].indented or entry.left <= self.open_[-1].left + _LEFT:
            self.open_.pop()


_LEFT = 1.0  # points by which labels that stand flush may differ
_SECTION_GAP = 1.6  # of the usual distance between rows
_TOTAL = re.compile(
    r"\s*(?:sub)?-?(?:total|totals|summe|gesamt\w*|insgesamt|zwischensumme|ensemble|suma|soma|итого|всего|合计|合計|小计|小計|总计|計|مجموع|المجموع|إجمالي|جمع)\b",
    re.IGNORECASE,
)
_RESULT = re.compile(
    r"\s*(?:net (?:income|earnings|loss|profit|sales|revenue|increase|decrease|change|cash)|(?:operating|gross|pre-?tax) (?:income|profit|margin|earnings|loss)|"
    r"(?:income|earnings|loss|profit)\b.*\b(?:before|from|attributable)|comprehensive income|ebitd?a?\b|(?:basic|diluted) (?:earnings|net|income)|earnings per|"
    r"increase \(decrease\)|effect of|jahresüberschuss|betriebsergebnis|ergebnis|résultat|resultado|beneficio|lucro|чистая прибыль|净利润|營業利益|純利益|صافي|سود)",
    re.IGNORECASE,
)


def _totals(total: str, section: str) -> bool:
    """Whether a label says all the words of a section, as its total does."""
    words = [set(re.findall(r"[^\W\d_]{4,}", text.casefold())) - {"total"} for text in (total, section)]
    return bool(words[1]) and words[1] <= words[0]


_UNFINISHED = re.compile(
    r"(?:\b(?:to|of|and|or|in|for|the|from|by|at|with|on|und|von|für|zur?|et|de|des|du|la|le|y|e|del?|по|и|от|на)|[,&\-–])$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class _Entry:
    """A row seen as a label and its cells; ``left`` is where the label begins."""

    label: str
    left: float
    cells: tuple[Cell | None, ...]
    box: Box
    size: float
    label_cells: tuple[Cell, ...]

    def goes_on_with(self, lower: _Entry) -> bool:
        """Whether the label goes on in the line below: at most one of the two has values, and the second does not begin anew."""
        if (any(self.cells) and any(lower.cells)) or self.label.endswith(":"):
            return False
        if lower.box.y0 - self.box.y1 > 0.9 * self.size:
            return False
        if not lower.label:
            return any(lower.cells) and bool(self.label)
        if not any(self.cells) and _UNFINISHED.search(self.label):
            return True
        if lower.label[0] == "(":
            return lower.label[1:2].islower() or lower.label.endswith(")")
        return lower.label[0].islower() or lower.label[0] == "&"

    def joined(self, lower: _Entry) -> _Entry:
        cells = self.cells if any(self.cells) else lower.cells
        label = f"{self.label} {lower.label}".strip()
        parts = self.label_cells + lower.label_cells
        return _Entry(label, self.left, cells, self.box.union(lower.box), self.size, parts)


def _entry(row: Row, bands: Sequence[_Band]) -> _Entry:
    cells = _cells_by_band(row, bands)
    label_cells = [cell for cell in row.cells if cell not in cells]
    label = " ".join(cell.text for cell in label_cells if cell.text)
    left = label_cells[0].box.x0 if label_cells else row.box.x0
    return _Entry(label, left, tuple(cells), row.box, row.size, tuple(label_cells))


def _cells_by_band(row: Row, bands: Sequence[_Band]) -> list[Cell | None]:
    cells: list[Cell | None] = [None] * len(bands)
    values = _value_cells(row)
    others = [cell for cell in row.cells if cell not in values and cell.box.x0 > bands[0].x0 - 1.0]
    for cell in (*values, *others):
        best = max(range(len(bands)), key=lambda i: bands[i].overlap(cell.box))
        if bands[best].overlap(cell.box) > 0 and cells[best] is None:
            cells[best] = cell
    return cells


# ---------------------------------------------------------------- on demand, cached

_Kept = LRUCache[tuple[int, bool], tuple[Table, ...]]


def _kept(edition: Edition) -> _Kept:
    return LRUCache(_KEPT)


def tables_on(edition: Edition, page: int, characters: CharacterSource | None = None) -> tuple[Table, ...]:
    """The tables of a page, kept with the edition for the pages used last.

    Without a source of characters they are rebuilt from the edition's lines, whose cells are split at wide gaps only. Raises IndexError
    for a page that does not exist, and whatever the source raises.
    """
    edition.page(page)
    kept, key = edition.derived(_kept), (page, characters is not None)
    with _lock:
        if (found := kept.get(key)) is not None:
            return found
    words = words_of(characters(page)) if characters else list(words_of_lines(page_lines(edition, page)))
    found = tables_of(rows_of(words), page)
    with _lock:
        kept[key] = found
    return found


_lock = threading.Lock()
