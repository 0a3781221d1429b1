"""Cursors: given out here, for this question, of this state."""

from __future__ import annotations

import pytest

from pageindex.document.cursor import fingerprint, make_cursor, read_cursor
from pageindex.errors import EvidenceError

ASKED, STATE = fingerprint("words", {"a": 1, "b": [2]}), fingerprint("state")


@pytest.mark.parametrize("position", [(10,), (3, 4711), (0, 0, 0)])
def test_a_cursor_says_where_to_go_on(position: tuple[int, ...]) -> None:
    assert read_cursor(f" {make_cursor(ASKED, STATE, position)}\n", ASKED, STATE, len(position)) == position


def test_cursors_cannot_be_made_up() -> None:
    cursor = make_cursor(ASKED, STATE, [10])
    for position in range(len(cursor)):
        for letter in "0f.~-":
            changed = cursor[:position] + letter + cursor[position + 1 :]
            if changed != cursor:
                with pytest.raises(EvidenceError) as caught:
                    read_cursor(changed, ASKED, STATE)
                assert caught.value.code == "INVALID_CURSOR"


@pytest.mark.parametrize(
    ("asked", "state", "length", "code"),
    [
        (fingerprint("other"), STATE, 1, "CURSOR_QUERY_MISMATCH"),
        (ASKED, fingerprint("later"), 1, "CURSOR_STALE"),
        (ASKED, STATE, 2, "CURSOR_QUERY_MISMATCH"),
    ],
)
def test_a_cursor_of_something_else_is_told_apart(asked: str, state: str, length: int, code: str) -> None:
    with pytest.raises(EvidenceError) as caught:
        read_cursor(make_cursor(ASKED, STATE, [10]), asked, state, length)
    assert caught.value.code == code


def test_fingerprints_do_not_depend_on_the_order_of_keys_and_take_any_text() -> None:
    assert fingerprint({"a": 1, "b": 2}) == fingerprint({"b": 2, "a": 1}) != fingerprint({"a": 2, "b": 1})
    assert len(fingerprint("\ud800")) == 64
