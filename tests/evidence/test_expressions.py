"""Exact arithmetic, and nothing but arithmetic."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageindex.errors import InputError
from pageindex.evidence.numbers.expressions import derive, evaluate, inputs_of, round_half_up

INPUTS = {1: Fraction(1204), 2: Fraction(1150), 3: Fraction(-1, 2)}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1+2*3", 7),
        ("(1+2)*3", 9),
        ("n1 - n2", 54),
        ("-n3", Fraction(1, 2)),
        ("1 - -1", 2),
        ("0.1 + 0.2", Fraction(3, 10)),
        ("n1 / n2", Fraction(1204, 1150)),
        ("8 / 4 / 2", 1),
        ("7 − 2 × 3 ÷ 6", 6),
        ("sum(n1, n2, 1)", 2355),
        ("mean(1, 2)", Fraction(3, 2)),
        ("max(1, min(5, 3))", 3),
        ("abs(n3)", Fraction(1, 2)),
        ("round(2.5, 0)", 3),
        ("round(-2.5, 0)", -3),
        ("round(1.005, 2)", Fraction(101, 100)),
        ("round(1234, -2)", 1200),
    ],
)
def test_values(text: str, value: Fraction | int) -> None:
    assert evaluate(text, INPUTS) == value


@pytest.mark.parametrize(
    "text",
    ["", "1 +", "(1", "1)", "n9", "x", "1 2", "2 ** 3", "1 / 0", "n1 / (n2 - 1150)", "round(1)", "round(1, 0.5)", "abs(1, 2)",
     "sum()", "a" * 600, "(" * 60 + "1" + ")" * 60, "import os", "n1; n2", "1 < 2"],
)  # fmt: skip
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(InputError) as caught:
        evaluate(text, INPUTS)
    assert caught.value.code == "INVALID_EXPRESSION"


def test_values_are_bounded() -> None:
    huge = {1: Fraction(10) ** 1000}
    assert evaluate("n1 * 2", huge) == 2 * Fraction(10) ** 1000
    with pytest.raises(InputError):
        evaluate("n1 * n1", huge)


def test_inputs_are_named_once_in_order() -> None:
    assert inputs_of("n2 + n10 - n2 + sum(n1)") == [2, 10, 1]


@given(st.fractions(), st.integers(-3, 6))
def test_rounding_is_the_nearest(value: Fraction, digits: int) -> None:
    rounded = round_half_up(value, digits)
    assert abs(rounded - value) <= Fraction(1, 2) / Fraction(10) ** digits
    assert (rounded * Fraction(10) ** digits).denominator == 1


@pytest.mark.parametrize(
    "expr",
    [
        "n1 - n2",
        "round((n1 - n2) / n2, 3)",
        "(n1 / n2 - 1) * 100",
        "mean(n1, n2)",
        "max(n1, n2)",
        "1 - n2 / n1",
        "round(n1, -2)",
        "n1 / 12",
    ],
)
def test_what_depends_on_its_inputs_derives(expr: str) -> None:
    inputs = {1: Fraction(1204), 2: Fraction(1150)}
    assert derive(expr, inputs) == evaluate(expr, inputs)


@pytest.mark.parametrize(
    ("expr", "why"),
    [
        ("n1 * 0 + 999", "0 is neither"),
        ("n1 - n1 + n2", "does not depend on n1"),
        ("n1 + 100", "the constant 100 is added"),
        ("n1 * 17", "17 is neither"),
        ("sum(n1, n2, 5)", "an argument of sum"),
        ("max(n1, 100000)", "an argument of max"),
        ("54", "names no printed number"),
    ],
)
def test_what_does_not_is_refused(expr: str, why: str) -> None:
    with pytest.raises(InputError, match=re.escape(why)):
        derive(expr, {1: Fraction(1204), 2: Fraction(1150)})
