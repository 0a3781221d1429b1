"""The ledger counts what was seen, once, by kind."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageindex.errors import EvidenceError
from pageindex.evidence import Exposure, Ledger, PageRange
from pageindex.evidence.intervals import Intervals

RANGES = st.lists(
    st.tuples(st.integers(0, 60), st.integers(0, 60)).map(lambda pair: (min(pair), max(pair))), max_size=12
)


@given(RANGES, st.integers(0, 60), st.integers(0, 60))
def test_intervals_are_the_set_of_their_bytes(ranges: list[tuple[int, int]], low: int, high: int) -> None:
    intervals, plain = Intervals(ranges), {at for start, end in ranges for at in range(start, end)}
    assert {at for start, end in intervals for at in range(start, end)} == plain
    assert intervals.total == len(plain)
    pairs = list(intervals)
    assert all(a[1] < b[0] for a, b in pairwise(pairs))
    if low <= high:
        assert intervals.covers(low, high) == set(range(low, high)).issubset(plain)
        assert {at for start, end in intervals.gaps(low, high) for at in range(start, end)} == set(
            range(low, high)
        ) - plain


def test_a_range_must_be_one() -> None:
    with pytest.raises(ValueError, match="no range"):
        Intervals([(5, 3)])


def test_kinds_are_kept_apart_and_rereads_count_once() -> None:
    ledger = Ledger("e" * 64)
    ledger.record(Exposure.SNIPPET, [PageRange(1, 0, 50)])
    ledger.deliver([PageRange(1, 0, 20)])
    ledger.deliver([PageRange(1, 10, 30), PageRange(2, 0, 5)])
    assert ledger.seen(Exposure.DELIVERED, 1).total == 30
    assert ledger.seen(Exposure.SNIPPET, 1).total == 50
    assert ledger.was_delivered(1, 5, 25)
    assert not ledger.was_delivered(1, 5, 31)
    assert ledger.pages(Exposure.DELIVERED) == [1, 2]
    assert ledger.pages(Exposure.SENT) == []


def test_only_a_result_that_was_sent_is_sent() -> None:
    ledger = Ledger("e" * 64)
    dropped = [PageRange(9, 0, 10)]  # built, never delivered: nobody tells the ledger
    first, second = ledger.deliver([PageRange(1, 0, 9)]), ledger.deliver([PageRange(2, 0, 9)])
    ledger.send(second)
    assert ledger.pages(Exposure.SENT) == [2]
    assert ledger.pages(Exposure.DELIVERED) == [1, 2]
    assert dropped[0].page not in ledger.pages(Exposure.DELIVERED)
    ledger.send(first)
    assert ledger.pages(Exposure.SENT) == [1, 2]
    with pytest.raises(EvidenceError):
        ledger.send(7)


def test_json_and_back() -> None:
    ledger = Ledger("e" * 64)
    ledger.record(Exposure.SCANNED, [PageRange(3, 0, 9)], query="risk")
    ledger.deliver([PageRange(1, 2, 9)])
    again = Ledger.from_json(json.loads(json.dumps(ledger.to_json())))
    assert again.to_json() == ledger.to_json()
    assert again.scanned_by("risk", 3) == Intervals([(0, 9)])
    again.send(0)
    assert again.pages(Exposure.SENT) == [1]


@pytest.mark.parametrize(
    "item", [{}, {"format": 2}, {"format": 1, "edition": "e", "seen": {"read": {}}, "queries": {}, "results": []}]
)
def test_what_is_no_ledger_is_an_error(item: dict[str, object]) -> None:
    with pytest.raises(EvidenceError) as caught:
        Ledger.from_json(item)
    assert caught.value.code == "CORRUPT_LEDGER"
