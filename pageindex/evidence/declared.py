"""A number that a claim declares, against the quotes of the claim and the tables they stand in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pageindex.document import Edition, Evidence
from pageindex.evidence.agreement import Agreement, agree
from pageindex.evidence.numbers.quantities import Quantity, only_quantity
from pageindex.evidence.numbers.superscripts import raised_bytes, without_raised
from pageindex.evidence.numbers.tokens import Sign, number_tokens
from pageindex.evidence.printed import Printed, in_cell, in_prose, row_tables
from pageindex.evidence.quotes.located import Located
from pageindex.evidence.status import NumberStatus, Weight
from pageindex.evidence.tables.meaning import CellPlace
from pageindex.evidence.tables.rebuild import CharacterSource, Table, TableRow, tables_on
from pageindex.evidence.wording import language_of

__all__ = ["Declared", "NumberCheck", "check_number"]


@dataclass(frozen=True, slots=True)
class Declared:
    """A number as a claim declares it; ``row`` and ``column`` name a cell by its labels, ``expr`` derives it from other numbers."""

    as_printed: str
    row: str | None = None
    column: str | None = None
    expr: str | None = None


@dataclass(frozen=True, slots=True)
class NumberCheck:
    """What became of a declared number.

    Attributes:
        status: One of the closed list.
        declared: As given.
        where: ``in_quote``, ``row``, ``cell``, ``expr`` or empty.
        value: Signed value for expressions; a percent sign divides by 100. None where the printed form does not settle it.
        evidence: The cell or row it was found in.
        message: One sentence for people.
        printed: The printed number it was found as; None where it was not, and for an expression.
        exact: Of an expression: its value before rounding.
    """

    status: NumberStatus
    declared: Declared
    where: str = ""
    value: Fraction | None = None
    evidence: tuple[Evidence, ...] = ()
    message: str = ""
    printed: Printed | None = None
    exact: Fraction | None = None

    @property
    def weight(self) -> Weight:
        return self.status.weight

    def to_json(self) -> dict[str, Any]:
        """``{status, weight, as_printed, where, message, handles}``, and ``inputs: chosen_by_model`` for an expression."""
        item: dict[str, Any] = {
            "status": self.status.value,
            "weight": self.weight.name.lower(),
            "as_printed": self.declared.as_printed,
            "where": self.where,
            "message": self.message,
            "handles": [str(piece.handle) for piece in self.evidence],
        }
        return item | ({"inputs": "chosen_by_model"} if self.declared.expr else {})


def check_number(
    declared: Declared,
    edition: Edition,
    quotes: Sequence[Located],
    characters: CharacterSource | None = None,
    *,
    language: str = "",
    words: str = "",
) -> NumberCheck:
    """Check a declared number that is not derived: in a cell, in a quote, in the row whose label a quote is, or not at all.

    Args:
        declared: The number.
        edition: The document.
        quotes: Those of the claim; only the ones that hold count.
        characters: Character boxes, for cells.
        language: Of the document; guessed from the quotes' pages unless given.
        words: The claim's sentence, which may say that a number is a loss.
    """
    language = language or _language(edition, quotes)
    quantity = only_quantity(declared.as_printed, language)
    if quantity is None:
        return NumberCheck(NumberStatus.UNPARSEABLE, declared, message="not one number")
    holding = [quote for quote in quotes if quote.weight < Weight.FAIL]
    if not holding:
        return NumberCheck(NumberStatus.MISSING, declared, message="no quote holds")
    checker = _Checker(declared, quantity, edition, holding, characters, language, words)
    if declared.row is not None or declared.column is not None:
        return checker.in_table()
    return checker.in_quote()


def _language(edition: Edition, quotes: Sequence[Located]) -> str:
    pages = {piece.page for quote in quotes for piece in quote.evidence if piece.edition == edition.id}
    return language_of("\n".join(edition.page(page).text[:4000] for page in sorted(pages)[:3]))


@dataclass(frozen=True)
class _Checker:
    declared: Declared
    said: Quantity
    edition: Edition
    quotes: Sequence[Located]
    characters: CharacterSource | None
    language: str
    words: str

    # ------------------------------------------------------------ quotes

    def in_quote(self) -> NumberCheck:
        found = self._best(printed for quote in self.quotes for printed in self._prose(quote))
        row = self._labelled_row()
        if found is not None and found[0].weight is Weight.PASS:
            return self._unless_rivals(*found)
        if row is not None:
            return row
        return self._result(found[0], "in_quote", found[1]) if found else self._outside()

    def _prose(self, quote: Located) -> Iterator[Printed]:
        """The numbers of a quote: cells as such, for a dash in the next cell is no sign, and the rest as running text."""
        rows = row_tables(self.edition, quote, self.characters)
        places = [
            p
            for table, row in rows
            for p in self._places(table, row)
            if any(_touches(p, piece) for piece in quote.evidence)
        ]
        yield from (printed for place in places if (printed := in_cell(place)) is not None)
        for printed in in_prose(self.edition, quote, self.language, self.characters):
            if not any(_touches(place, piece) for place in places for piece in printed.evidence):
                yield printed

    def _best(self, printed: Iterator[Printed]) -> tuple[Agreement, Printed] | None:
        pairs = [(status, one) for one in printed if (status := self._agree(one)) is not None]
        return min(pairs, key=lambda pair: (pair[0].weight, pair[0].status is not NumberStatus.OK), default=None)

    def _agree(self, printed: Printed) -> Agreement | None:
        return agree(self.said, printed, self.words, as_printed=True)

    def _unless_rivals(self, agreement: Agreement, printed: Printed) -> NumberCheck:
        """A number of a table row with other values in the quote needs a column to say which it is."""
        if printed.ocr:
            return self._result(Agreement(NumberStatus.OCR_ONLY), "in_quote", printed)
        for quote in self.quotes:
            for table, row in row_tables(self.edition, quote, self.characters):
                places = [p for p in self._places(table, row) if any(_touches(p, piece) for piece in quote.evidence)]
                same = [place for place in places if self._says(place)]
                rivals = [place for place in places if place not in same and next(number_tokens(place.cell.text), None)]
                if same and not rivals and len(same) == 1:
                    return self._result(agreement, "in_quote", in_cell(same[0]) or printed)
                if same and rivals:
                    message = f"the row also holds {', '.join(p.cell.text for p in rivals[:4])}; name the column"
                    return self._result(Agreement(NumberStatus.COLUMN_UNVERIFIED, message), "in_quote", printed)
        return self._result(agreement, "in_quote", printed)

    def _places(self, table: Table, row: TableRow) -> list[CellPlace]:
        tables = tables_on(self.edition, table.page, self.characters)
        return [
            CellPlace(self.edition, self.language, table, row, i, cell, tables)
            for i, cell in enumerate(row.cells)
            if cell
        ]

    def _says(self, place: CellPlace) -> bool:
        printed = in_cell(place)
        found = self._agree(printed) if printed is not None else None
        return found is not None and found.weight is Weight.PASS

    def _tabular(self, page: int) -> bool:
        found = self.edition.page(page)
        return found.has_flag("table") or found.has_flag("numeric") or sum(1 for _ in number_tokens(found.text)) >= 12

    def _labelled_row(self) -> NumberCheck | None:
        """A quote that is, or begins with, the label of one row lends the row's values."""
        for quote in self.quotes:
            rows = [
                (table, row)
                for table, row in row_tables(self.edition, quote, self.characters)
                if self._tabular(table.page) and row in table.find_rows(quote.quote)
            ]
            said = [place for table, row in rows for place in self._places(table, row) if self._says(place)]
            if len(rows) == 1 and said:
                alone = len([cell for cell in rows[0][1].cells if cell]) == 1
                status = NumberStatus.OK if alone else NumberStatus.COLUMN_UNVERIFIED
                return self._result(Agreement(status), "row", in_cell(said[0]))
        return None

    def _outside(self) -> NumberCheck:
        for quote in self.quotes:
            for page in {piece.page for piece in quote.evidence}:
                if self._on_page(page):
                    message = f"printed on page {page}, outside the quote"
                    return self._result(Agreement(NumberStatus.NOT_LOCAL, message), "", None, quote.evidence)
        return self._result(Agreement(NumberStatus.MISSING, "printed neither in the quote nor on its page"), "")

    def _on_page(self, page: int) -> bool:
        token = self.said.token
        if token is None:
            return False
        text = self.edition.page(page).text
        raised = raised_bytes(self.characters(page)) if self.characters is not None else set()
        sign = token.sign if token.sign in (Sign.MINUS, Sign.AMBIGUOUS) else ""
        return any(
            (other.core, other.percent, other.parens, other.superscript) == (token.core, token.percent, token.parens, token.superscript)
            and (other.sign if other.sign in (Sign.MINUS, Sign.AMBIGUOUS) else "") == sign
            for other in without_raised(number_tokens(text), text, raised)
        )  # fmt: skip

    # ------------------------------------------------------------ cells

    def in_table(self) -> NumberCheck:
        found = self._rows_meant()
        if not found:
            named = f"no row {self.declared.row!r} was found" if self.declared.row else "the quote is no row of a table"
            return self._without_cell(named)
        if self.declared.column is not None and not any(t.find_columns(self.declared.column) for t, _ in found):
            return self._without_cell(f"no column {self.declared.column!r} was found")
        places = [place for table, row in found for place in self._cells_meant(table, row)]
        right = [place for place in places if self._says(place)]
        if right and len(right) == len(places):
            return self._in_cell(found, right[0])
        if right:
            message = "several cells answer to these labels"
            return self._result(Agreement(NumberStatus.COLUMN_UNVERIFIED, message), "row")
        return self._not_there(found, places)

    def _in_cell(self, found: Sequence[tuple[Table, TableRow]], place: CellPlace) -> NumberCheck:
        printed = in_cell(place)
        if self.declared.column is None and len([cell for cell in found[0][1].cells if cell]) > 1:
            message = "the row holds other values; name the column"
            return self._result(Agreement(NumberStatus.COLUMN_UNVERIFIED, message), "row", printed)
        agreement = (self._agree(printed) if printed else None) or Agreement(NumberStatus.OK)
        return self._result(agreement, "cell", printed)

    def _not_there(self, found: Sequence[tuple[Table, TableRow]], places: Sequence[CellPlace]) -> NumberCheck:
        """The cell meant does not say the number: as good as it comes, in another column of the row, or not at all."""
        close = self._best(printed for place in places if (printed := in_cell(place)) is not None)
        if close is not None:
            return self._result(close[0], "cell", close[1])
        if any(self._says(place) for table, row in found for place in self._places(table, row)):
            message = f"{self.declared.as_printed} stands in another column of the row"
            return self._result(Agreement(NumberStatus.WRONG_COLUMN, message), "cell")
        held = ", ".join(place.cell.text for place in places) or "nothing"
        return self._result(Agreement(NumberStatus.MISSING, f"the cell holds {held}"), "cell")

    def _rows_meant(self) -> list[tuple[Table, TableRow]]:
        """The rows named on the pages of the quotes; where some of them are quoted, those."""
        quoted = [pair for quote in self.quotes for pair in row_tables(self.edition, quote, self.characters)]
        if self.declared.row is None:
            return quoted
        pages = dict.fromkeys(piece.page for quote in self.quotes for piece in quote.evidence)
        named = [
            (table, row)
            for page in pages
            for table in tables_on(self.edition, page, self.characters)
            for row in table.find_rows(self.declared.row)
        ]
        return [(t, r) for t, r in named if any(r is row for _, row in quoted)] or named

    def _cells_meant(self, table: Table, row: TableRow) -> list[CellPlace]:
        places = self._places(table, row)
        if self.declared.column is None:
            return [place for place in places if self._says(place)]
        columns = table.find_columns(self.declared.column)
        return [place for place in places if place.column in columns]

    def _without_cell(self, message: str) -> NumberCheck:
        """The labels name no cell: what the quote itself shows is then all there is, and no proof of the column."""
        found = self._best(printed for quote in self.quotes for printed in self._prose(quote))
        if found is not None and found[0].weight is Weight.PASS:
            return self._result(Agreement(NumberStatus.COLUMN_UNVERIFIED, message), "in_quote", found[1])
        return self._result(Agreement(NumberStatus.MISSING, message), "")

    # ------------------------------------------------------------ parts

    def _result(
        self, agreement: Agreement, where: str, printed: Printed | None = None, evidence: tuple[Evidence, ...] = ()
    ) -> NumberCheck:
        said = self.said
        value = said.number
        if value is not None:
            value = None if said.parens or said.sign is Sign.AMBIGUOUS else -value if said.negative else value
        if value is not None and said.percent:
            value /= {"%": 100, "points": 100, "bps": 10000}.get(said.percent, 1000)
        pieces = evidence or (printed.evidence if printed else ())
        return NumberCheck(agreement.status, self.declared, where, value, pieces, agreement.message, printed)


def _touches(place: CellPlace, piece: Evidence) -> bool:
    return piece.page == place.table.page and place.cell.start < piece.end and place.cell.end > piece.start
