"""Waiting: how long, and what a provider may ask."""

from __future__ import annotations

import email.utils
import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageindex.llm import Backoff
from pageindex.llm.faults import retry_after


@given(st.integers(0, 9), st.integers(0, 10**6))
def test_waits_grow_with_jitter_up_to_the_cap(attempt: int, seed: int) -> None:
    wait = Backoff(10, base=1.0, cap=60.0, random=random.Random(seed)).delay(attempt)
    bound = min(60.0, 2.0**attempt)
    assert wait is not None
    assert bound / 2 <= wait <= bound


def test_waits_differ_between_callers() -> None:
    assert len({Backoff(3, random=random.Random(seed)).delay(1) for seed in range(20)}) == 20


@given(st.floats(0, 120), st.integers(0, 4))
def test_a_retry_after_is_never_cut_short(asked: float, attempt: int) -> None:
    wait = Backoff(5, max_wait=120).delay(attempt, asked)
    assert wait is not None
    assert asked <= wait <= asked + 0.25


def test_retries_and_patience_end() -> None:
    backoff = Backoff(2, max_wait=10)
    assert backoff.delay(2) is None
    assert backoff.delay(0, 10.5) is None
    assert Backoff(0).delay(0) is None


@pytest.mark.parametrize(("value", "wanted"), [("3", 3.0), (" 1.5 ", 1.5), ("-4", 0.0), ("soon", None), ("", None)])
def test_retry_after_in_seconds(value: str, wanted: float | None) -> None:
    assert retry_after({"retry-after": value}) == wanted


def test_retry_after_as_a_date() -> None:
    later = email.utils.formatdate(time.time() + 30, usegmt=True)
    assert 28 <= (retry_after({"retry-after": later}) or 0) <= 30
    assert retry_after({"retry-after": email.utils.formatdate(0, usegmt=True)}) == 0.0
    assert retry_after(None) is None
