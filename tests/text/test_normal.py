"""The normaliser's profiles, each told from its neighbours by what it keeps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageindex.text import normal


@pytest.mark.parametrize(
    ("text", "quote", "title", "heading", "search", "plain"),
    [
        ("Risk  Factors", "Risk Factors", "riskfactors", "riskfactors", "risk  factors", "risk  factors"),
        (
            "inter\x02\r\nnational",
            "international",
            "international",
            "international",
            "international",
            "inter\x02\r\nnational",
        ),
        ("long-\r\nterm", "longterm", "longterm", "longterm", "long-\r\nterm", "long-\r\nterm"),
        ("Straße ﬁx", "Straße fix", "strassefix", "strassefix", "strasse fix", "strasse fix"),
        ("Überblick é", "Überblick é", "überblické", "überblické", "uberblick e", "uberblick e"),
        ("Ge´ne´ral", "Ge'ne'ral", "general", "general", "ge ne ral", "general"),
        ("“A” – b", '"A" - b', "ab", "ab", "“a” – b", "“a” – b"),
        ("A\u200bB", "AB", "ab", "ab", "a\u200bb", "a\u200bb"),
    ],
)
def test_profiles(text: str, quote: str, title: str, heading: str, search: str, plain: str) -> None:
    assert normal.quote(text) == quote
    assert normal.heading(text) == heading
    assert normal.search(text) == search
    assert normal.plain(text) == plain
    assert normal.title(text) == title


@given(st.text(max_size=40))
def test_titles_are_letters_and_digits_whatever_comes(text: str) -> None:
    for found in (normal.title(text), normal.heading(text)):
        assert all(character.isalnum() for character in found)
    assert normal.title(normal.title(text)) == normal.title(normal.title(normal.title(text)))
    assert normal.title(text.upper().lower()) == normal.title(text.upper().lower().casefold())
