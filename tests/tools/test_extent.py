"""Sections priced in tokens without counting every word."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pageindex.document import Position, Span
from pageindex.text import tokens
from pageindex.text.extent import Extent
from tests.support.chat_library import edition_of

PAGES = [
    f"Page {n} of the report speaks about {'Größe and ' * (n % 5)}the usual matters of the year. " * 20
    for n in range(60)
]


def test_prices_are_within_a_tenth_of_the_count() -> None:
    edition = edition_of("a.txt", PAGES)
    extent = Extent.of(edition)
    for first, last in ((1, 60), (3, 9), (17, 17), (40, 55)):
        span = Span(Position(first, 0), Position(last, len(edition.page(last).data)))
        counted = tokens.count_tokens(edition.text(span.start, span.end))
        assert abs(extent.tokens(span) - counted) <= counted * 0.1
    assert extent.method == tokens.method()


def test_an_empty_span_costs_nothing_and_a_letter_costs_something() -> None:
    extent = Extent.of(edition_of("a.txt", PAGES))
    assert extent.tokens(Span(Position(2, 5), Position(2, 5))) == 0
    assert extent.tokens(Span(Position(2, 5), Position(2, 6))) == 1


def test_a_document_without_text_has_no_price() -> None:
    edition = edition_of("a.txt", ["", ""])
    assert Extent.of(edition).tokens(Span(Position(1, 0), edition.end)) == 0


@given(st.integers(0, 10_000))
def test_offsets_and_positions_are_inverse(at: int) -> None:
    extent = Extent.of(edition_of("a.txt", PAGES[:8]))
    offset = at % (extent.offsets[-1] + 1)
    position = extent.position(offset)
    assert 1 <= position.page <= 8 and extent.offset(position) == offset
