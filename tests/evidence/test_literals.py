"""Typed literals: one reading, or none."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import Any

import pytest

from pageindex.evidence import Literal, LiteralProblem, parse_literal

F = Fraction


@pytest.mark.parametrize(
    ("text", "type_", "options", "kind", "value", "unit"),
    [
        ("1204", "integer", {}, "integer", F(1204), ""),
        (" −7 ", "integer", {}, "integer", F(-7), ""),
        ("1,204,000", "integer", {}, "integer", F(1204000), ""),
        ("1.204.000", "integer", {}, "integer", F(1204000), ""),
        ("1,204", "integer", {"decimal": "."}, "integer", F(1204), ""),
        ("1,204", "number", {"decimal": ","}, "decimal", F(1204, 1000), ""),
        ("1.204", "number", {"decimal": "."}, "decimal", F(1204, 1000), ""),
        ("12,5", "number", {}, "decimal", F(25, 2), ""),
        ("12.5", "number", {}, "decimal", F(25, 2), ""),
        ("1,234.5", "number", {}, "decimal", F(2469, 2), ""),
        ("1.234,5", "number", {}, "decimal", F(2469, 2), ""),
        ("1\u00a0204,5", "number", {}, "decimal", F(2409, 2), ""),
        ("1.5e-3", "number", {}, "decimal", F(3, 2000), ""),
        ("12.5%", "number", {}, "percent", F(25, 2), "%"),
        ("25 bps", "number", {}, "basis_points", F(25), "bps"),
        ("25bp", "number", {}, "basis_points", F(25), "bps"),
        ("$3.5", "number", {}, "money", F(7, 2), "$"),
        ("3.5 €", "number", {}, "money", F(7, 2), "€"),
        ("USD 35", "number", {}, "money", F(35), "USD"),
        ("35", "number", {"currency": "EUR"}, "money", F(35), "EUR"),
        ("(31)", "number", {"accounting": True}, "integer", F(-31), ""),
        ("—", "number", {}, "dash", None, ""),
        ("-", "integer", {}, "dash", None, ""),
        ("n/a", "number", {}, "not_applicable", None, ""),
        ("N.A.", "date", {}, "not_applicable", None, ""),
        ("10-20", "number", {}, "range", (F(10), F(20)), ""),
        ("5%–10%", "number", {}, "range", (F(5), F(10)), "%"),
        ("≤ 5", "number", {}, "bound", F(5), "≤"),
        (">=5.5", "number", {}, "bound", F(11, 2), "≥"),
        ("~7", "number", {}, "approximate", F(7), ""),
        ("yes", "boolean", {}, "boolean", True, ""),
        ("☐", "boolean", {}, "boolean", False, ""),
        ("☒", "boolean", {}, "boolean", True, ""),
        ("2023-05-04", "date", {}, "date", date(2023, 5, 4), ""),
        ("4 May 2023", "date", {}, "date", date(2023, 5, 4), ""),
        ("May 4, 2023", "date", {}, "date", date(2023, 5, 4), ""),
        ("Sept. 4, 2023", "date", {}, "date", date(2023, 9, 4), ""),
        ("4. Mai 2023", "date", {}, "date", date(2023, 5, 4), ""),
        ("1er juillet 2023", "date", {}, "date", date(2023, 7, 1), ""),
        ("4 de mayo de 2023", "date", {}, "date", date(2023, 5, 4), ""),
        ("4 мая 2023", "date", {}, "date", date(2023, 5, 4), ""),
        ("2023年5月4日", "date", {}, "date", date(2023, 5, 4), ""),
        ("04/05/2023", "date", {"date_order": "dmy"}, "date", date(2023, 5, 4), ""),
        ("04/05/2023", "date", {"date_order": "mdy"}, "date", date(2023, 4, 5), ""),
        ("any words", "string", {}, "text", "any words", ""),
        ("—", "string", {}, "text", "—", ""),
    ],
)
def test_read(text: str, type_: str, options: dict[str, Any], kind: str, value: Any, unit: str) -> None:
    found = parse_literal(text, type_, **options)
    assert isinstance(found, Literal), found
    assert (found.kind, found.value, found.unit) == (kind, value, unit)
    assert found.consumed == text.strip()


@pytest.mark.parametrize(
    ("text", "type_", "reason"),
    [
        ("1,234", "number", "ambiguous"),
        ("1.234", "number", "ambiguous"),
        ("(31)", "number", "ambiguous"),
        ("of - 3", "number", "unparseable"),
        ("04/05/2023", "date", "ambiguous"),
        ("25.12.2023", "date", "ambiguous"),
        ("12.5", "integer", "unparseable"),
        ("1,23,456", "number", "unparseable"),
        ("1 204", "number", "unparseable"),
        ("12 apples", "number", "unparseable"),
        ("5km", "number", "unparseable"),
        ("10²", "number", "unparseable"),
        ("", "number", "unparseable"),
        ("maybe", "boolean", "unparseable"),
        ("31 February 2023", "date", "unparseable"),
        ("4 Ju 2023", "date", "unparseable"),
        ("Mar 2023", "date", "unparseable"),
        ("x", "colour", "unparseable"),
    ],
)
def test_not_read(text: str, type_: str, reason: str) -> None:
    found = parse_literal(text, type_)
    assert isinstance(found, LiteralProblem), found
    assert found.reason == reason


def test_what_decided_is_recorded() -> None:
    accounting = parse_literal("(1.5)", "number", accounting=True, decimal=".", currency="EUR")
    assert isinstance(accounting, Literal)
    assert accounting.notes == ("accounting_parentheses", "declared_locale", "inherited_currency")
    both = parse_literal("1,234", "number")
    assert isinstance(both, LiteralProblem)
    assert set(both.readings) == {F(1234), F(1234, 1000)}
