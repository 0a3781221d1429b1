"""The token grammar: one row per printed form, each with the tokens it must give."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageindex.evidence.numbers.tokens import NumberToken, number_tokens

# Marks of a row: sign (m minus, p plus, a ambiguous, r range, h hyphen), P parentheses, then percent, ^superscript, !footnote, $currency, =unit.
VECTORS: list[tuple[str, list[str]]] = [
    ("-0.087", ["0.087 m"]),
    ("(0.044)", ["0.044 P"]),
    ("1,204", ["1,204"]),
    (".05", [".05"]),
    ("12.5%", ["12.5 %"]),
    ("= - 0.041", ["0.041 m"]),
    ("of - 0.30", ["0.30 a"]),
    ("-0.164a", ["0.164 m !a"]),
    ("2019-2020", ["2019", "2020 r"]),
    ("COVID-19", ["19 h"]),
    ("customers.2", ["2"]),
    ("10²", ["10 ^²"]),
    ("$ -3.2", ["3.2 m $$"]),
    ("(31) %", ["31 P %"]),
    ("−76,067", ["76,067 m"]),
    ("-1.5e-3", ["1.5e-3 m"]),
    ("0.034***", ["0.034 !***"]),
    ("12,5", ["12,5"]),
    ("1 204", ["1", "204"]),
    ("[0.12, -0.34]", ["0.12", "0.34 m"]),
    ("p<.001", [".001"]),
    ("H2O", []),
    ("2018 1,719,302", ["2018", "1,719,302"]),
    ("1\u00a0204", ["1204"]),
    ("1\u202f204\u202f000", ["1204000"]),
    ("1\u2009204 5", ["1204", "5"]),
    ("12\u00a034", ["12", "34"]),
    ("1'204'000", ["1204000"]),
    ("1’204", ["1204"]),
    ("5'10", ["5", "10"]),
    ("1.234.567,89", ["1.234.567,89"]),
    ("1,234,567.89", ["1,234,567.89"]),
    ("3.2.1", ["3.2.1"]),
    ("12.03.2020", ["12.03.2020"]),
    ("2020-03-12", ["2020", "03 r", "12 r"]),
    ("12:30", ["12", "30"]),
    ("3/4", ["3", "4"]),
    ("1,204.", ["1,204"]),
    ("1,204, and", ["1,204"]),
    ("(see 12)", ["12"]),
    ("(12 items)", ["12"]),
    ("( 31 )", ["31 P"]),
    ("$(31)", ["31 P $$"]),
    ("(31)%", ["31 P %"]),
    ("($31)", ["31 P $$"]),
    ("(-5)", ["5 m P"]),
    ("(5) and (6)", ["5 P", "6 P"]),
    ("0.5(0.2)", ["0.5", "0.2 P"]),
    ("(0.12)***", ["0.12 P !***"]),
    ("12.5 %", ["12.5 %"]),
    ("12\u00a0%", ["12 %"]),
    ("3‰", ["3 ‰"]),
    ("５％", ["5 %"]),
    ("25bps", ["25 =bps"]),
    ("25 bps", ["25"]),
    ("5km", ["5 =km"]),
    ("10mg/l", ["10 =mg"]),
    ("3D", ["3 !D"]),
    ("1Q22", []),
    ("Q3", []),
    ("A4-sized", []),
    ("v1", []),
    ("x_1", []),
    ("2019年12月", ["2019", "12"]),
    ("第3章", ["3"]),
    ("١٢٫٥", ["12.5"]),
    ("١٬٢٠٤", ["1,204"]),
    ("-$3.2", ["3.2 m $$"]),
    ("$-3.2", ["3.2 m $$"]),
    ("$ 1,204", ["1,204 $$"]),
    ("US$5", ["5 $$"]),
    ("€12", ["12 $€"]),
    ("12 €", ["12 $€"]),
    ("£ (7)", ["7 P $£"]),
    ("5 -3", ["5", "3 m"]),
    ("5 - 3", ["5", "3 a"]),
    ("5–3", ["5", "3 r"]),
    ("5%-10%", ["5 %", "10 r %"]),
    ("word-5", ["5 h"]),
    ("word -5", ["5 m"]),
    ("word - 5", ["5 a"]),
    ("word— 5", ["5 a"]),
    ("profit — 5 million", ["5 a"]),
    (") - 5", ["5 a"]),
    ("(a) -5", ["5 m"]),
    ("—5", ["5 m"]),
    ("--5", ["5 a"]),
    ("x\r\n- 5 items", ["5 m"]),
    ("cell\t- 5", ["5 m"]),
    ("cell  - 5", ["5 m"]),
    ("x\x025", ["5 h"]),
    ("5\x026", ["5", "6 r"]),
    ("COVID-\r\n19", ["19 h"]),
    ("2019-\r\n2020", ["2019", "2020 r"]),
    ("of -\r\n0.30", ["0.30 a"]),
    ("\u00ad5", ["5 m"]),
    ("“-5”", ["5 m"]),
    ("a,-5", ["5 m"]),
    ("x=-5", ["5 m"]),
    ("3×-5", ["3", "5 m"]),
    ("+5", ["5 p"]),
    ("C+5", ["5"]),
    ("±0.5", ["0.5"]),
    ("~7", ["7"]),
    ("≤ 3", ["3"]),
    ("1.5×10⁻³", ["1.5", "10 ^⁻³"]),
    ("2E+5", ["2e+5"]),
    ("7e", ["7 !e"]),
    ("5a)", ["5 !a"]),
    ("12†", ["12 !†"]),
    ("(1)", ["1 P"]),
    (").05", ["05"]),
    ("].5", ["5"]),
    ("..5", ["5"]),
    (" .5", [".5"]),
]


def written(token: NumberToken) -> str:
    marks = {"minus": "m", "plus": "p", "ambiguous": "a", "range": "r", "hyphen": "h"}
    parts = [
        token.core,
        marks.get(token.sign, ""),
        "P" if token.parens else "",
        token.percent,
        f"^{token.superscript}" if token.superscript else "",
        f"!{token.footnote}" if token.footnote else "",
        f"${token.currency}" if token.currency else "",
        f"={token.unit}" if token.unit else "",
    ]
    return " ".join(part for part in parts if part)


def test_the_table_is_long_enough() -> None:
    assert len({text for text, _ in VECTORS}) >= 90


@pytest.mark.parametrize(("text", "tokens"), VECTORS)
def test_tokens(text: str, tokens: list[str]) -> None:
    assert [written(token) for token in number_tokens(text)] == tokens


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,204", 1204),
        ("-0.5", Fraction(-1, 2)),
        ("12,5", Fraction(25, 2)),
        ("1.234.567,5", Fraction(2469135, 2)),
        ("1.5e3", 1500),
        ("(31)", None),
        ("of - 3", None),
        ("10²", None),
        ("1.2.3", None),
        ("+7", 7),
    ],
)
def test_a_value_only_where_the_form_settles_it(text: str, value: Fraction | int | None) -> None:
    (token,) = number_tokens(text)
    assert token.value == value


def test_extents_hold_everything_that_belongs_to_the_number() -> None:
    for text, inside in [
        ("was $(1,204) % of", "$(1,204) %"),
        ("a -0.5a b", "-0.5a"),
        ("so 10² is", "10²"),
        ("x - 5", "5"),
    ]:
        (token,) = number_tokens(text)
        assert text[token.start : token.end] == inside


@given(st.text(alphabet="0123456789.,-−()%$ ²aé\x02\r\n\u00a0e*", max_size=40))
def test_tokens_are_ordered_apart_and_inside_the_text(text: str) -> None:
    position = 0
    for token in number_tokens(text):
        assert 0 <= token.start <= token.core_start < token.core_end <= token.end <= len(text)
        assert token.core_start >= position
        assert any(c.isdecimal() for c in token.core)
        position = token.core_end
