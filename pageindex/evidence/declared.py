"""A number that a claim declares, against the quotes of the claim and the tables they stand in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pageindex.document import Edition, Evidence
from pageindex.evidence.numbers.expressions import round_half_up
from pageindex.evidence.numbers.parity import tokens_in
from pageindex.evidence.numbers.superscripts import raised_bytes, without_raised
from pageindex.evidence.numbers.tokens import NumberToken, Sign, number_tokens
from pageindex.evidence.quotes.located import Located
from pageindex.evidence.quotes.passage import PageRange, evidence_of
from pageindex.evidence.status import NumberStatus, Weight
from pageindex.evidence.tables.cells import Cell
from pageindex.evidence.tables.rebuild import CharacterSource, Table, TableRow, tables_on

__all__ = ["Declared", "NumberCheck", "check_number", "only_token", "printed_tokens"]


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
    """

    status: NumberStatus
    declared: Declared
    where: str = ""
    value: Fraction | None = None
    evidence: tuple[Evidence, ...] = ()
    message: str = ""

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


def only_token(text: str) -> NumberToken | None:
    """The one number of a declared form; None when it holds none, several, or words."""
    tokens = list(number_tokens(text.strip()))
    if len(tokens) != 1:
        return None
    token = tokens[0]
    rest = text.strip()[: token.start] + text.strip()[token.end :]
    return token if not any(c.isalnum() for c in rest) else None


def printed_tokens(
    edition: Edition, located: Located, characters: CharacterSource | None = None
) -> Iterator[NumberToken]:
    """The number tokens of the raw text that a quote was matched with; with characters, raised digits are superscripts."""
    for piece in located.evidence:
        if piece.lane == "text" and piece.edition == edition.id:
            page = edition.page(piece.page)
            start, end = (len(page.data[:byte].decode("utf-8", "surrogatepass")) for byte in (piece.start, piece.end))
            tokens = tokens_in(page.text, start, end)
            raised = raised_bytes(characters(piece.page)) if characters is not None and tokens else set()
            yield from without_raised(tokens, page.text, raised)


def check_number(
    declared: Declared, edition: Edition, quotes: Sequence[Located], characters: CharacterSource | None = None
) -> NumberCheck:
    """Check a declared number that is not derived: in a cell, in a quote, in the row whose label a quote is, or not at all."""
    token = only_token(declared.as_printed)
    if token is None:
        return NumberCheck(NumberStatus.UNPARSEABLE, declared, message="not one number")
    holding = [quote for quote in quotes if quote.weight < Weight.FAIL]
    if not holding:
        return NumberCheck(NumberStatus.MISSING, declared, message="no quote holds")
    checker = _Checker(declared, token, edition, holding, characters)
    if declared.row is not None or declared.column is not None:
        return checker.in_table()
    return checker.in_quote()


@dataclass(frozen=True)
class _Checker:
    declared: Declared
    token: NumberToken
    edition: Edition
    quotes: Sequence[Located]
    characters: CharacterSource | None

    # ------------------------------------------------------------ quotes

    def in_quote(self) -> NumberCheck:
        best: NumberCheck | None = None
        for quote in self.quotes:
            for status in (_same(self.token, printed) for printed in self._tokens(quote)):
                if status is not None and (best is None or status.weight < best.weight):
                    best = self._result(status, "in_quote", quote.evidence)
        if best is not None and best.status is NumberStatus.OK:
            return self._unless_rivals(best)
        row = self._labelled_row()
        if row is not None:
            return row
        return best or self._outside()

    def _tokens(self, quote: Located) -> list[NumberToken]:
        if any(piece.lane != "text" for piece in quote.evidence):
            return list(number_tokens(quote.quote))
        return list(printed_tokens(self.edition, quote, self.characters))

    def _unless_rivals(self, found: NumberCheck) -> NumberCheck:
        """A number of a table row with other values in the quote needs a column to say which it is."""
        if any(piece.lane == "ocr" for piece in found.evidence):
            return self._result(NumberStatus.OCR_ONLY, "in_quote", found.evidence)
        for piece in found.evidence:
            if len(list(self._piece_tokens(piece))) < 2:
                continue
            for row in self._rows_in(piece):
                same = [cell for cell in row.cells if cell and self._says(cell)]
                rivals = [c for c in row.cells if c and c not in same and c.start < piece.end and c.end > piece.start]
                if same and any(next(number_tokens(cell.text), None) for cell in rivals):
                    message = f"the row also holds {', '.join(cell.text for cell in rivals[:4])}; name the column"
                    return self._result(NumberStatus.COLUMN_UNVERIFIED, "in_quote", found.evidence, message)
        return found

    def _page_tokens(self, page: int) -> Iterator[NumberToken]:
        text = self.edition.page(page).text
        raised = raised_bytes(self.characters(page)) if self.characters is not None else set()
        return without_raised(number_tokens(text), text, raised)

    def _piece_tokens(self, piece: Evidence) -> Iterator[NumberToken]:
        data = self.edition.page(piece.page).data[piece.start : piece.end]
        return number_tokens(data.decode("utf-8", "surrogatepass"))

    def _rows_in(self, piece: Evidence) -> list[TableRow]:
        tables = tables_on(self.edition, piece.page, self.characters)
        return [row for table in tables for row in table.rows if _overlaps(row, piece)]

    def _tabular(self, page: int) -> bool:
        found = self.edition.page(page)
        return found.has_flag("table") or found.has_flag("numeric") or sum(1 for _ in number_tokens(found.text)) >= 12

    def _labelled_row(self) -> NumberCheck | None:
        """A quote that is, or begins with, the label of one row lends the row's values."""
        for quote in self.quotes:
            rows = [
                row
                for page in {piece.page for piece in quote.evidence}
                if self._tabular(page)
                for table in tables_on(self.edition, page, self.characters)
                for row in table.find_rows(quote.quote)
                if any(_overlaps(row, piece) for piece in quote.evidence)
            ]
            if len(rows) == 1 and any(cell and self._says(cell) for cell in rows[0].cells):
                values = [cell for cell in rows[0].cells if cell]
                status = NumberStatus.OK if len(values) == 1 else NumberStatus.COLUMN_UNVERIFIED
                return self._result(status, "row", self._row_evidence(quote, rows[0]))
        return None

    def _outside(self) -> NumberCheck:
        for quote in self.quotes:
            for page in {piece.page for piece in quote.evidence}:
                if any(_same(self.token, printed) is NumberStatus.OK for printed in self._page_tokens(page)):
                    message = f"printed on page {page}, outside the quote"
                    return self._result(NumberStatus.NOT_LOCAL, "", quote.evidence, message)
        return self._result(NumberStatus.MISSING, "", (), "printed neither in the quote nor on its page")

    # ------------------------------------------------------------ cells

    def in_table(self) -> NumberCheck:
        pages = dict.fromkeys(piece.page for quote in self.quotes for piece in quote.evidence)
        found = [
            (table, row)
            for page in pages
            for table in tables_on(self.edition, page, self.characters)
            for row in self._rows_meant(table)
        ]
        if not found:
            message = (
                f"no row {self.declared.row!r} was found" if self.declared.row else "the quote is no row of a table"
            )
            return self._without_cell(message)
        cells = [cell for table, row in found for cell in self._cells_meant(table, row) if cell]
        if self.declared.column is not None and not any(t.find_columns(self.declared.column) for t, _ in found):
            return self._without_cell(f"no column {self.declared.column!r} was found")
        right = [cell for cell in cells if self._says(cell)]
        if right and len(right) == len(cells):
            if self.declared.column is None and len([c for c in found[0][1].cells if c]) > 1:
                message = "the row holds other values; name the column"
                return self._result(
                    NumberStatus.COLUMN_UNVERIFIED, "row", self._cell_evidence(found, right[0]), message
                )
            return self._result(NumberStatus.OK, "cell", self._cell_evidence(found, right[0]))
        if right:
            return self._result(NumberStatus.COLUMN_UNVERIFIED, "row", (), "several cells answer to these labels")
        if any(cell and self._says(cell) for _, row in found for cell in row.cells):
            message = f"{self.declared.as_printed} stands in another column of the row"
            return self._result(NumberStatus.WRONG_COLUMN, "cell", (), message)
        printed = ", ".join(cell.text for cell in cells) or "nothing"
        return self._result(NumberStatus.MISSING, "cell", (), f"the cell holds {printed}")

    def _rows_meant(self, table: Table) -> list[TableRow]:
        quoted = [
            row
            for row in table.rows
            if any(p.page == table.page and _overlaps(row, p) for quote in self.quotes for p in quote.evidence)
        ]
        if self.declared.row is None:
            return quoted
        named = table.find_rows(self.declared.row)
        both = [row for row in named if row in quoted]
        return both or named

    def _cells_meant(self, table: Table, row: TableRow) -> list[Cell | None]:
        if self.declared.column is None:
            return [cell for cell in row.cells if cell and self._says(cell)]
        return [row.cells[index] for index in table.find_columns(self.declared.column)]

    def _without_cell(self, message: str) -> NumberCheck:
        """The labels name no cell: what the quote itself shows is then all there is, and no proof of the column."""
        for quote in self.quotes:
            if any(_same(self.token, printed) is NumberStatus.OK for printed in self._tokens(quote)):
                return self._result(NumberStatus.COLUMN_UNVERIFIED, "in_quote", quote.evidence, message)
        return self._result(NumberStatus.MISSING, "", (), message)

    # ------------------------------------------------------------ parts

    def _says(self, cell: Cell) -> bool:
        return any(_same(self.token, printed) is NumberStatus.OK for printed in number_tokens(cell.text))

    def _cell_evidence(self, found: Iterable[tuple[Table, TableRow]], cell: Cell) -> tuple[Evidence, ...]:
        page = next(table.page for table, row in found if cell in row.cells)
        return evidence_of(self.edition, [PageRange(page, cell.start, cell.end)], "row")

    def _row_evidence(self, quote: Located, row: TableRow) -> tuple[Evidence, ...]:
        cell = next(cell for cell in row.cells if cell and self._says(cell))
        return evidence_of(self.edition, [PageRange(quote.evidence[0].page, cell.start, cell.end)], "row")

    def _result(
        self, status: NumberStatus, where: str, evidence: Iterable[Evidence] = (), message: str = ""
    ) -> NumberCheck:
        value = self.token.value
        if value is not None and self.token.percent:
            value /= 100 if self.token.percent == "%" else 1000
        return NumberCheck(status, self.declared, where, value, tuple(evidence), message)


def _overlaps(row: TableRow, piece: Evidence) -> bool:
    return any(cell and cell.start < piece.end and cell.end > piece.start for cell in (*row.cells, *row.label_cells))


def _same(declared: NumberToken, printed: NumberToken) -> NumberStatus | None:
    """How a declared number agrees with a printed one; None when they are two numbers."""
    if (declared.percent, declared.parens) != (printed.percent, printed.parens):
        return None
    if declared.superscript != printed.superscript:
        raised = printed.superscript.isascii() and not declared.superscript and declared.core == printed.core
        return NumberStatus.PRECISION_DIFFERS if raised else None  # raised by its place: a power or a note mark
    if declared.currency and printed.currency and declared.currency != printed.currency:
        return None
    status = _sizes(declared, printed)
    if status is None or _sign(declared) == _sign(printed):
        return status
    return NumberStatus.SIGN_AMBIGUOUS if printed.sign is Sign.AMBIGUOUS else None


def _sign(token: NumberToken) -> str:
    return token.sign if token.sign in (Sign.MINUS, Sign.AMBIGUOUS) else ""


def _sizes(declared: NumberToken, printed: NumberToken) -> NumberStatus | None:
    if declared.core == printed.core:
        return NumberStatus.OK
    one, other = declared.magnitude, printed.magnitude
    if one is None or other is None or other == 0:
        return None
    if one == other:
        return NumberStatus.PRECISION_DIFFERS
    digits = len(declared.core.partition(".")[2])
    if (
        "e" not in declared.core
        and one != 0
        and round_half_up(other, digits) == one
        and _digits(printed) > _digits(declared)
    ):
        return NumberStatus.ROUNDED
    if any(one * 10**power == other or other * 10**power == one for power in (2, 3, 6, 9)):
        return NumberStatus.SCALED
    return None


def _digits(token: NumberToken) -> int:
    return sum(c.isdecimal() for c in token.core)
