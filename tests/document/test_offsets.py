"""Between characters and bytes: any text, lone surrogates included, any place, a byte within a character too."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageindex.document import Evidence, Page, text_sha256
from pageindex.document.offsets import byte_of, byte_size, char_of, encoded, whole, words_of
from tests.support.evidence_editions import text_edition

ANY_TEXT = st.text(st.characters(min_codepoint=0, max_codepoint=0x10FFFF), max_size=30)


@given(ANY_TEXT, st.data())
def test_bytes_and_characters_lead_to_each_other(text: str, data: st.DataObject) -> None:
    page = Page(1, text)
    char = data.draw(st.integers(0, len(text)))
    assert page.byte(char) == byte_of(text, char) == byte_size(text[:char])
    assert page.char(page.byte(char)) == char
    assert page.words(page.byte(char), byte_size(text)) == text[char:]
    assert byte_size(text) == len(page.data) == len(encoded(text))


@given(ANY_TEXT, st.data())
def test_a_byte_within_a_character_stands_for_the_character(text: str, data: st.DataObject) -> None:
    page = Page(1, text)
    start = data.draw(st.integers(0, len(page.data)))
    end = data.draw(st.integers(start, len(page.data)))
    low, high = whole(page.data, start, end)
    if start == end:
        assert low == high == page.byte(page.char(start))
        return
    assert low <= start < end <= high
    assert high - low < end - start + 8
    words = page.words(start, end)
    assert words == words_of(page.data, start, end)
    assert encoded(words) == page.data[low:high]
    if start < len(page.data):
        assert page.char(start) == char_of(page.data, low)
        assert text[page.char(start)] == page.words(start, start + 1)[0]


def test_places_beyond_a_text_are_its_end() -> None:
    page = Page(1, "aé\ud800")
    assert (page.byte(9), page.char(99), page.words(3, 99)) == (6, 3, "\ud800")


def test_evidence_is_hashed_from_the_pages_own_words() -> None:
    made = text_edition("Größe 10 µm")
    found = Evidence.of(made, 1, 0, 7)
    assert (found.edition, found.page, found.start, found.end) == (made.id, 1, 0, 7)
    assert found.sha256 == text_sha256("Größe")


@pytest.mark.parametrize("text", ["plain", "Größe"])
def test_empty_ranges_hold_no_words(text: str) -> None:
    assert Page(1, text).words(2, 2) == ""
