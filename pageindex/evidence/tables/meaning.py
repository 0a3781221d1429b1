"""What a page says of a number in a table: its row, its column, and from the heads its unit, currency and period."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from pageindex.document import Edition
from pageindex.evidence.lines import page_lines
from pageindex.evidence.numbers.periods import Period, periods
from pageindex.evidence.numbers.quantities import Quantity, quantities
from pageindex.evidence.tables.cells import Cell
from pageindex.evidence.tables.table import Table, TableRow
from pageindex.evidence.tables.units import Scale, scales

__all__ = ["CellPlace"]

_CAPTION_LINES = 12
_PER_SHARE = re.compile(
    r"per\s+(?:\w+\s+)?(?:diluted\s+|common\s+|basic\s+|ordinary\s+)?(?:share|unit|ads)\b|\bearnings per|\beps\b|\bdividends? (?:declared |paid )?per|je aktie|par action|por acci[oó]n|por a[cç][aã]o|на (?:одну )?акцию|"
    r"每股|1株|للسهم|هر سهم", re.IGNORECASE,
)  # fmt: skip
_SHARES = re.compile(
    r"\bshares?\b|\bstock outstanding|aktien\b|\bactions\b|acciones|ações|акци|股数|株式数", re.IGNORECASE
)
_COUNTS = re.compile(
    r"%|percent|\bratio\b|\brate\s*$|margin\s*$|employees|headcount|stores|locations|days\b|times\b|years\b|number of|square feet|customers|subscribers|quote|anzahl|taux|effectif|tasa|taxa|численность|率|人数",
    re.IGNORECASE,
)
_BASIS = re.compile(
    r"\b(?:basic|diluted|assuming dilution)\b", re.IGNORECASE
)  # of shares, or of earnings per share: the section says
_ASIDE = re.compile(r"\([^)]*\)?")
_EXCEPTS_SHARES = re.compile(r"(?<!per )(?<!per-)\bshares?\b(?! amounts? data)|aktien", re.IGNORECASE)
_PERCENT_HEAD = re.compile(
    r"%|\bpercent|per cent|prozent|pourcentage|porcentaje|percentual|процент|百分|درصد", re.IGNORECASE
)


@dataclass(frozen=True)
class CellPlace:
    """A cell of a table with its surroundings.

    Attributes:
        edition, language: What it stands in.
        table, row, column: Where; ``column`` is an index.
        cell: The cell itself.
        others: All tables of the page.
    """

    edition: Edition
    language: str
    table: Table
    row: TableRow
    column: int
    cell: Cell
    others: tuple[Table, ...] = ()

    @property
    def label(self) -> str:
        return self.row.label

    @property
    def header(self) -> str:
        return self.table.columns[self.column].header

    @cached_property
    def quantity(self) -> Quantity | None:
        """The first number of the cell, with what is printed beside it."""
        found = quantities(self.cell.text, self.language)
        return found[0] if found else None

    @cached_property
    def caption(self) -> str:
        """The lines above the table's first row of values, the nearest twelve."""
        return caption(self.edition, self.table)

    # ------------------------------------------------------------ unit

    @cached_property
    def scale(self) -> Scale | None:
        """The nearest statement of unit: in the column's head, the row, a section, the caption, the rest of the page."""
        for text in (
            self.header,
            self.label,
            *reversed(self.row.sections),
            *(line for line in reversed(self.caption.split("\n"))),
        ):
            found = list(scales(text))
            if found:
                return found[-1]
        page = list(scales(self.edition.page(self.table.page).text))
        return page[0] if len({one.power for one in page}) == 1 else None

    @cached_property
    def powers(self) -> frozenset[int]:
        """The powers of ten that the number may be meant in; several where the page does not say which, none where it says nothing."""
        said = self.quantity.power if self.quantity else 0
        if said:
            return frozenset({said})
        if self.percent:
            return frozenset({0})
        scale = self.scale
        named = self.row.path if _BASIS.search(self.label) else self.label
        words = f"{named} {_ASIDE.sub(' ', self.header)}"
        if scale is None:
            return frozenset()
        if _PER_SHARE.search(words) and (
            not _SHARES.search(re.sub(r"per[\s\w]{0,18}shares?", "", words, flags=re.IGNORECASE)) or self._small
        ):
            return frozenset({0})
        if _SHARES.search(words) and _EXCEPTS_SHARES.search(scale.excepted):
            return (
                frozenset({0, scale.power})
                if re.search(r"data|amounts?", scale.excepted) and "and per" not in scale.excepted
                else frozenset({0})
            )
        if _COUNTS.search(self.label) or _SHARES.search(words):
            return frozenset({0, scale.power})
        return frozenset({scale.power})

    @property
    def _small(self) -> bool:
        return bool(self.quantity and self.quantity.number is not None and self.quantity.number.denominator > 1)

    @cached_property
    def percent(self) -> str:
        """The percent sign of the number: its own, its head's, or that of the other numbers of its column or row."""
        if self.quantity and (self.quantity.percent or self.quantity.currency):
            return self.quantity.percent
        if _PERCENT_HEAD.search(self.header) or re.search(r"\(%\)|%\s*$|\bpercent(?:age)?\b", self.label):
            return "%"
        return "%" if self._shared("%") else ""

    def _shared(self, mark: str) -> bool:
        """Whether the numbers of the same row or column that carry a mark at all are percents, and none an amount of money."""
        mates = [cell for row in self.table.rows if (cell := row.cells[self.column]) and cell is not self.cell]
        line = [cell for cell in self.row.cells if cell and cell is not self.cell]
        for cells in (line, mates):
            signed = [cell for cell in cells if mark in cell.text]
            if signed and (len(signed) == len(cells) or signed[0] is cells[0]):
                return not any("$" in cell.text or "€" in cell.text for cell in cells)
        return False

    @cached_property
    def currency(self) -> str:
        """The currency of the number: its own, its row's, its column's, that of the heads; empty where none is printed."""
        if self.percent:
            return ""
        own = self.quantity.currency if self.quantity else ""
        if own:
            return own
        cells = [c for c in self.row.cells if c] + [c for row in self.table.rows if (c := row.cells[self.column])]
        for text in (c.text for c in cells):
            found = next((q.currency for q in quantities(text, self.language) if q.currency), "")
            if found:
                return found
        if self.scale and self.scale.currency:
            return self.scale.currency
        heads = f"{self.header}\n{self.caption}"
        return next((q.currency for q in scales(heads) if q.currency), "") or _named_currency(heads) or self._anywhere

    @property
    def _anywhere(self) -> str:
        """The only currency of the page's numbers, if there is but one."""
        found = {q.currency for q in quantities(self.edition.page(self.table.page).text, self.language) if q.currency}
        return found.pop() if len(found) == 1 else ""

    # ------------------------------------------------------------ period

    @cached_property
    def own_periods(self) -> tuple[Period, ...]:
        """The periods named by the column's head, the row's label and its sections, the nearest first."""
        for texts in ((self.header,), (self.label,), tuple(reversed(self.row.sections))):
            found = tuple(
                period for text in texts for period in _periods(text, self.language) if period.year or period.part
            )
            if any(period.year for period in found):
                return found
        return ()

    @cached_property
    def caption_periods(self) -> tuple[Period, ...]:
        """The periods of the caption, of the labels, and of the heads whose year is elsewhere."""
        return tuple(_periods("\n".join((self.header, self.label, *self.row.sections, self.caption)), self.language))


def _periods(text: str, language: str) -> Sequence[Period]:
    return periods(text, quantities(text, language))


def _named_currency(text: str) -> str:
    from pageindex.evidence.numbers.lexicon import currency_of, currency_pattern

    found = {currency_of(match.group()) for match in currency_pattern().finditer(text)}
    return found.pop() if len(found) == 1 else ""


def caption(edition: Edition, table: Table) -> str:
    """The text right above a table and its headers."""
    top = min((row.box.y0 for row in table.rows), default=0.0)
    lines = [line for line in page_lines(edition, table.page) if line.box.height > 0 and line.box.y1 <= top + 2.0]
    if lines:
        kept = sorted(lines, key=lambda line: (line.box.y0, line.box.x0))[-3 * _CAPTION_LINES :]
        return "\n".join(line.text for line in kept)
    first = min((cell.start for row in table.rows for cell in (*row.label_cells, *row.cells) if cell), default=0)
    before = edition.page(table.page).words(0, first)
    return "\n".join(before.splitlines()[-_CAPTION_LINES:])
