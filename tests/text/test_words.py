"""The words of pages and queries."""

from __future__ import annotations

import pytest

from pageindex.text.words import fold, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Café ﬁles", ["cafe", "files"]),
        ("many shares¹ were sold²⁾", ["many", "shares", "1", "were", "sold", "2"]),
        ("H₂O", ["h2o"]),
        ("港口", ["港口"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(fold(text)) == expected
