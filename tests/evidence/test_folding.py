"""Foldings and their maps back to the page."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageindex.evidence import folded, locate
from pageindex.evidence.quotes.index import FoldedEdition
from pageindex.text.folding import fold, skeleton, skeleton_text
from tests.support.evidence_editions import text_edition


@pytest.mark.parametrize(
    ("raw", "n", "s"),
    [
        ("a  b\r\n\tc", "a b c", "abc"),
        ("pre-\r\nvious", "previous", "previous"),
        ("pre\x02vious", "previous", "previous"),
        ("pre\x02\r\nvious", "previous", "previous"),
        ("pre\u2010\r\nvious", "previous", "previous"),
        ("pre\u00ad\r\nvious", "previous", "previous"),
        ("2019-\r\n2020", "2019-2020", "20192020"),
        ("x\x02 1", "x-1", "x1"),
        ("well-known", "well-known", "wellknown"),
        ("soft\u00adhyphen", "softhyphen", "softhyphen"),
        ("zero\u200bwidth \u202eoff", "zerowidth off", "zerowidthoff"),
        ("a \u200b b", "a b", "ab"),
        ("“q” ‘s’ «t» ‹u› „v‟ 5′", '"q" \'s\' "t" \'u\' "v" 5\'', '"q"\'s\'"t"\'u\'"v"5\''),
        ("– — − ‐ ‑ ﹣", "- - - - - -", ""),
        ("ﬁne eﬀect", "fine effect", "fineeffect"),
        ("10² ½", "102 1⁄2", "1021⁄2"),
        ("cafe\u0301", "café", "café"),
        ("Straße", "Straße", "strasse"),
        ("ＡＢＣ", "ABC", "abc"),
        ("\u00a0x\u3000", " x ", "x"),
        ("控制\r\n系统", "控制 系统", "控制系统"),
        ("بسم ﷲ", "بسم الله", "بسمالله"),
        ("\x08a\x7f", "a", "a"),
        ("\ufffd", "\ufffd", "\ufffd"),
        ("", "", ""),
    ],
)
def test_what_is_folded(raw: str, n: str, s: str) -> None:
    folded = fold(raw)
    assert folded.text == n
    assert skeleton(folded).text == s


def test_the_map_leads_back_to_whole_characters() -> None:
    raw = "An eﬀect of pre-\r\nvious  work — “done”"
    folded = fold(raw)
    at = folded.text.index("effect of previous")
    assert raw[slice(*folded.original(at, at + 18))] == "eﬀect of pre-\r\nvious"
    assert raw[slice(*folded.original(at + 1, at + 2))] == "ﬀ"
    bones = skeleton(folded)
    at = bones.text.index("previousworkdone".replace("workdone", "work"))
    first, last = bones.original(at, at + 12)
    assert raw[slice(*folded.original(first, last))] == "pre-\r\nvious  work"


TEXTS = st.text(
    alphabet=st.one_of(
        st.sampled_from(" \r\n\t-\x02\u00ad\u2010ﬁﬀ²“”’–−\u200be\u0301ßİ\U0001f600漢A1,."), st.characters()
    ),
    max_size=60,
)


@given(TEXTS)
def test_maps_are_monotonous_and_within_bounds(raw: str) -> None:
    folded = fold(raw)
    bones = skeleton(folded)
    assert bones.text == skeleton_text(folded.text)
    for text in (folded, bones):
        source = raw if text is folded else folded.text
        position = 0
        for index in range(len(text.text)):
            start, end = text.original(index, index + 1)
            assert 0 <= start < end <= len(source)
            assert start >= position or text.original(index - 1, index) == (start, end)
            position = start


@given(TEXTS, TEXTS)
def test_a_folded_text_that_holds_a_folded_word_maps_to_it(one: str, other: str) -> None:
    """Folding the stretch that the map names gives at least the characters asked for."""
    folded = fold(f"{one} {other}")
    if folded.text:
        start, end = 0, len(folded.text)
        first, last = folded.original(start, end)
        assert skeleton_text(fold(f"{one} {other}"[first:last]).text) == skeleton_text(folded.text)


def test_an_empty_range_has_no_original() -> None:
    with pytest.raises(ValueError, match="no characters"):
        fold("abc").original(1, 1)


def test_search_over_pages_and_breaks() -> None:
    edition = text_edition("alpha beta\r\n", "", "gamma alphab eta", "the end is inter-\r\n", "rupted here")
    index = FoldedEdition(edition)
    assert list(index.pages_with("alphabeta")) == [1, 3]
    assert list(index.breaks_with("isinter")) == []
    assert list(index.breaks_with("interrupted")) == [(4, 5)]
    assert list(index.breaks_with("betagamma")) == [(1, 3)]
    assert list(index.pages_with("")) == []
    assert index.likely_pages(["gamma", "alphab"], 2)[0] == 3


def test_foldings_are_kept_and_follow_the_running_lines() -> None:
    plain = text_edition("head\r\nwords that go", "head\r\non over the page")
    assert folded(plain) is folded(plain)
    assert locate(plain, "that go on over", 1, 2).status == "missing"
    headed = replace(plain, pages=tuple(replace(page, running=((0, 4),)) for page in plain.pages))
    assert headed.id == plain.id
    assert locate(headed, "that go on over", 1, 2).status == "span"
