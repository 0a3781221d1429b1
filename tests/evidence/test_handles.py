"""Handles certify themselves: any change of one is noticed."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageindex.errors import EvidenceError
from pageindex.evidence import locate, resolve
from tests.support.evidence_editions import text_edition

EDITION = text_edition("Überall wird geprüft, was geschrieben steht 😀.\r\n" * 20, "second page of the same report\r\n")
HANDLE = str(locate(EDITION, "was geschrieben steht", 1).handles[0])
SHORT = str(locate(EDITION, "second", 2).handles[0])


def test_a_handle_resolves_to_its_words() -> None:
    found = resolve(HANDLE, [text_edition("another"), EDITION])
    assert found.text == "was geschrieben steht"
    assert str(found.evidence.handle) == HANDLE


@given(st.integers(0, len(HANDLE) - 1), st.sampled_from(string.digits + "abcdefp.-~ A"))
def test_a_flipped_character_is_refused(at: int, character: str) -> None:
    flipped = HANDLE[:at] + character + HANDLE[at + 1 :]
    if flipped == HANDLE:
        return
    with pytest.raises(EvidenceError) as caught:
        resolve(flipped, [EDITION])
    assert caught.value.code == ("SOURCE_CHANGED" if at < 6 and character in "0123456789abcdef" else "INVALID_LOCATOR")


@pytest.mark.parametrize(
    "text", ["", "p1", f"{HANDLE}0", f"x{HANDLE}", HANDLE.replace(".p1.", ".p01."), HANDLE.replace(".p1.", ".p99.")]
)
def test_what_is_no_handle_is_refused(text: str) -> None:
    with pytest.raises(EvidenceError) as caught:
        resolve(text, [EDITION])
    assert caught.value.code == "INVALID_LOCATOR"


def test_leading_zeros_are_not_how_a_handle_is_written() -> None:
    start = HANDLE.split(".")[2].split("-")[0]
    with pytest.raises(EvidenceError):
        resolve(HANDLE.replace(f".{start}-", f".0{start}-"), [EDITION])


def test_one_changed_character_of_the_source_makes_another_edition() -> None:
    changed = text_edition(EDITION.page(1).text.replace("wird", "word"), EDITION.page(2).text)
    with pytest.raises(EvidenceError) as caught:
        resolve(HANDLE, [changed])
    assert caught.value.code == "SOURCE_CHANGED"


def test_a_short_span_must_have_been_delivered() -> None:
    with pytest.raises(EvidenceError):
        resolve(SHORT, [EDITION])
    with pytest.raises(EvidenceError):
        resolve(SHORT, [EDITION], lambda *_: False)
    seen = []

    def delivered(edition: str, page: int, start: int, end: int) -> bool:
        seen.append((edition, page, start, end))
        return True

    assert resolve(SHORT, [EDITION], delivered).text == "second"
    assert seen == [(EDITION.id, 2, 0, 6)]


def test_a_span_that_cuts_a_character_is_refused() -> None:
    handle = locate(EDITION, "geprüft, was geschrieben", 1).handles[0]
    with pytest.raises(EvidenceError):
        resolve(f"{handle.edition}.p1.{1}-{handle.end}~{handle.digest}", [EDITION])
