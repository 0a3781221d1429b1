"""A number as printed, with all that the page says of it, whether it stands in a cell or in a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from pageindex.document import Edition, Evidence, PageRange
from pageindex.document.offsets import byte_of
from pageindex.evidence.numbers.periods import Bound, Period, bind, periods
from pageindex.evidence.numbers.quantities import Quantity, Role, quantities, reading_of
from pageindex.evidence.numbers.superscripts import raised_bytes, without_raised
from pageindex.evidence.quotes.located import Located
from pageindex.evidence.quotes.passage import evidence_of
from pageindex.evidence.tables.meaning import CellPlace
from pageindex.evidence.tables.rebuild import CharacterSource, Table, TableRow, tables_on

__all__ = ["Printed", "cell_places", "in_cell", "in_prose", "overlaps", "row_tables", "spoken"]


@dataclass(frozen=True)
class Printed:
    """A printed number.

    Attributes:
        quantity: Its digits and what stands beside them.
        evidence: Where it stands.
        place: Its cell; None for a number in running text.
        period, named: What its sentence says of its period, and all periods named there, for running text.
        text: The running text around it; empty for a cell.
        ocr: Read from a picture.
    """

    quantity: Quantity
    evidence: tuple[Evidence, ...] = ()
    place: CellPlace | None = None
    period: Bound | None = None
    named: tuple[Period, ...] = ()
    text: str = ""
    ocr: bool = False

    @property
    def powers(self) -> frozenset[int]:
        """The powers of ten it may be meant in; empty where the page does not say."""
        return self.place.powers if self.place else frozenset({self.quantity.power})

    @property
    def currency(self) -> str:
        """Its currency, inherited where its row or its heads carry it."""
        return self.place.currency if self.place else self.quantity.currency

    @property
    def percent(self) -> str:
        return self.place.percent if self.place else self.quantity.percent

    @property
    def sizes(self) -> tuple[Fraction, ...]:
        """Its unsigned values, one for each power it may be meant in; as printed where nothing says."""
        number = self.quantity.number
        return () if number is None else tuple(number * Fraction(10) ** power for power in sorted(self.powers or {0}))


def spoken(text: str, language: str) -> tuple[list[Quantity], list[Period], dict[int, Bound]]:
    """The amounts of a text outside its dates, its periods, and which amount is of which period."""
    found = quantities(text, language)
    named = periods(text, found)
    amounts = [
        q
        for q in found
        if q.role is Role.AMOUNT and not any(p.start <= q.start < p.end and (q.token or p.part) for p in named)
    ]
    return amounts, named, bind(text, amounts, named)


def in_cell(place: CellPlace) -> Printed | None:
    """The number of a cell; None for a dash."""
    if place.quantity is None or (place.quantity.number is None and place.quantity.token is None):
        return None
    pieces = evidence_of(place.edition, [PageRange(place.table.page, place.cell.start, place.cell.end)], "row")
    return Printed(place.quantity, pieces, place)


def cell_places(
    edition: Edition, page: int, language: str, characters: CharacterSource | None, keep: Sequence[Evidence] = ()
) -> Iterator[CellPlace]:
    """The cells of a page's tables; with ``keep`` only those of rows that a piece of evidence touches."""
    tables = tables_on(edition, page, characters)
    for table in tables:
        for row in table.rows:
            if keep and not any(overlaps(row, piece) for piece in keep):
                continue
            for index, cell in enumerate(row.cells):
                if cell is not None:
                    yield CellPlace(edition, language, table, row, index, cell, tables)


def overlaps(row: TableRow, piece: Evidence) -> bool:
    """Whether a piece of evidence holds a row's label or one of its values, or lies within one of them."""
    cells = [cell for cell in (*row.cells, *row.label_cells) if cell]
    return any(
        (piece.start <= cell.start and cell.end <= piece.end) or (cell.start <= piece.start and piece.end <= cell.end)
        for cell in cells
    )


def row_tables(edition: Edition, quote: Located, characters: CharacterSource | None) -> list[tuple[Table, TableRow]]:
    """The rows of tables that a quote touches."""
    return [
        (table, row)
        for page in dict.fromkeys(piece.page for piece in quote.evidence if piece.lane == "text")
        for table in tables_on(edition, page, characters)
        for row in table.rows
        if any(piece.page == page and overlaps(row, piece) for piece in quote.evidence)
    ]


def in_prose(
    edition: Edition, quote: Located, language: str, characters: CharacterSource | None = None
) -> Iterator[Printed]:
    """The numbers of a quote's raw span, read in the lines they stand in; with characters, raised digits are superscripts."""
    for piece in quote.evidence:
        if piece.lane != "text" or piece.edition != edition.id:
            yield from _of_text(quote.quote, language, (piece,), ocr=True)
            continue
        text = edition.page(piece.page).text
        start, end = (edition.page(piece.page).char(at) for at in (piece.start, piece.end))
        low, high = _sentence(text, start, end)
        raised = _raised(edition, piece.page, characters)
        for printed in _of_text(text[low:high], language, (piece,)):
            quantity = printed.quantity
            if low + quantity.start < end and low + quantity.end > start:
                for kept in _lowered(printed, text, low, language, raised):
                    yield replace(kept, evidence=(_exact(edition, piece, text, low, quantity),))


def _exact(edition: Edition, piece: Evidence, text: str, low: int, quantity: Quantity) -> Evidence:
    """The bytes of one number of a piece."""
    first = byte_of(text, low + quantity.start)
    last = byte_of(text, low + quantity.end)
    return evidence_of(edition, [PageRange(piece.page, first, last)], piece.lane)[0]


def _raised(edition: Edition, page: int, characters: CharacterSource | None) -> set[int]:
    return raised_bytes(characters(page)) if characters is not None else set()


def _lowered(printed: Printed, text: str, low: int, language: str, raised: set[int]) -> Iterator[Printed]:
    """The number with the digits that its place shows to be a superscript taken off; nothing for a note mark."""
    token = printed.quantity.token
    if not raised or token is None:
        yield printed
        return
    moved = replace(token, core_start=token.core_start + low, core_end=token.core_end + low)
    for kept in without_raised([moved], text, raised):
        number = reading_of(kept, language)
        yield replace(
            printed, quantity=replace(printed.quantity, token=replace(kept, core_start=token.core_start), number=number)
        )


def _sentence(text: str, start: int, end: int) -> tuple[int, int]:
    """A span widened to the lines it begins and ends in, so that no sign, currency or magnitude is cut off."""
    low = text.rfind("\n", 0, start) + 1
    high = text.find("\n", end)
    return low, len(text) if high < 0 else min(len(text), high + 40)


def _of_text(text: str, language: str, evidence: tuple[Evidence, ...], ocr: bool = False) -> Iterator[Printed]:
    flat = text.replace("\r", " ").replace("\n", " ").replace("\x02", "-")
    found, named, bound = spoken(flat, language)
    for index, quantity in enumerate(found):
        yield Printed(quantity, evidence, None, bound.get(index), tuple(named), flat, ocr)
