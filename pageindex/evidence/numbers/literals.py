"""Typed literals: what a printed form means under a schema type, and what of it was consumed.

Deterministic and versioned. A form with two readings is an ``ambiguous`` problem and never a guess; a form that says something else than a
value of the type (a dash, n/a, a range, a bound) comes back as that kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from fractions import Fraction

from pageindex.evidence.numbers.literal_dates import parse_date
from pageindex.evidence.numbers.tokens import NumberToken, Sign, number_tokens

__all__ = ["VERSION", "Kind", "Literal", "LiteralProblem", "parse_literal"]

VERSION = "1"  #: Changes whenever a form may be read otherwise than before.


class Kind(StrEnum):
    """What a printed form turned out to be."""

    INTEGER = "integer"
    DECIMAL = "decimal"
    PERCENT = "percent"
    BASIS_POINTS = "basis_points"
    MONEY = "money"
    DATE = "date"
    BOOLEAN = "boolean"
    TEXT = "text"
    RANGE = "range"
    BOUND = "bound"
    APPROXIMATE = "approximate"
    DASH = "dash"  # printed where a value would stand; never 0
    NOT_APPLICABLE = "not_applicable"


Value = Fraction | date | bool | str | tuple[Fraction, Fraction] | None


@dataclass(frozen=True, slots=True)
class Literal:
    """A form that was read.

    Attributes:
        kind: What it is.
        value: A Fraction for numbers (percent and basis points in their own unit), a pair for ranges, None for dash and n/a.
        consumed: The part of the text that was read; the rest is white space.
        unit: ``%``, ``bps``, a currency symbol or code, a relation for bounds; empty otherwise.
        notes: Rules that decided something: ``accounting_parentheses``, ``inherited_currency``, ``declared_locale`` …
    """

    kind: Kind
    value: Value
    consumed: str
    unit: str = ""
    notes: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class LiteralProblem:
    """A form that was not read: ``ambiguous`` (with both readings in ``readings``) or ``unparseable``."""

    reason: str
    message: str
    readings: tuple[Value, ...] = ()


_NOT_APPLICABLE = re.compile(r"n\.?\s?/?\s?a\.?|not applicable", re.IGNORECASE)
_DASHES = re.compile("[-\u2010-\u2015\u2212\u2e3a\u2e3b]{1,3}")
_BOUND = re.compile(r"\s*(<=|>=|[<>≤≥≦≧])\s*")
_ABOUT = re.compile(r"\s*([~≈≃∼]|ca\.|c\.)\s*", re.IGNORECASE)
_ISO_CODE = re.compile(r"\b([A-Z]{3})\b")
_TRUE = frozenset({"true", "yes", "y", "☒", "☑", "✓", "✔", "x", "on"})
_FALSE = frozenset({"false", "no", "n", "☐", "✗", "✘", "off"})
_RELATIONS = {"≦": "≤", "≧": "≥", "<=": "≤", ">=": "≥"}


def parse_literal(
    text: str,
    type_: str,
    *,
    decimal: str | None = None,
    date_order: str | None = None,
    currency: str | None = None,
    accounting: bool = False,
) -> Literal | LiteralProblem:
    """Read a printed form as a value of a schema type.

    Args:
        text: The printed form, raw.
        type_: ``integer``, ``number``, ``boolean``, ``date`` or ``string``.
        decimal: The document's decimal separator, ``.`` or ``,``, where it is known.
        date_order: ``dmy``, ``mdy`` or ``ymd`` for dates in figures only.
        currency: Taken from a cited header, for amounts that print none.
        accounting: Parentheses mean a negative number here; it is recorded when they do.
    """
    stripped = text.strip()
    readers: dict[str, Callable[[], Literal | LiteralProblem]] = {
        "string": lambda: Literal(Kind.TEXT, stripped, stripped),
        "boolean": lambda: _boolean(stripped),
        "date": lambda: _date(stripped, date_order),
        "integer": lambda: _number(stripped, True, decimal, currency, accounting),
        "number": lambda: _number(stripped, False, decimal, currency, accounting),
    }
    if type_ not in readers:
        return LiteralProblem("unparseable", f"no literal is of type {type_!r}")
    if not stripped:
        return LiteralProblem("unparseable", "nothing is printed")
    if type_ != "string":
        if _NOT_APPLICABLE.fullmatch(stripped):
            return Literal(Kind.NOT_APPLICABLE, None, stripped)
        if _DASHES.fullmatch(stripped):
            return Literal(Kind.DASH, None, stripped)
    return readers[type_]()


def _boolean(text: str) -> Literal | LiteralProblem:
    word = text.casefold()
    if word in _TRUE or word in _FALSE:
        return Literal(Kind.BOOLEAN, word in _TRUE, text)
    return LiteralProblem("unparseable", f"{text!r} is none of the listed word pairs")


def _date(text: str, order: str | None) -> Literal | LiteralProblem:
    found = parse_date(text, order)
    if isinstance(found, date):
        return Literal(Kind.DATE, found, text)
    if found:
        return LiteralProblem("ambiguous", f"{text!r} is {found[0]} or {found[1]}: declare the order", found)
    return LiteralProblem("unparseable", f"{text!r} is no date that is read here")


def _number(
    text: str, whole: bool, decimal: str | None, currency: str | None, accounting: bool
) -> Literal | LiteralProblem:
    for pattern, kind in ((_BOUND, Kind.BOUND), (_ABOUT, Kind.APPROXIMATE)):
        if match := pattern.match(text):
            inner = _number(text[match.end() :], False, decimal, currency, accounting)
            if isinstance(inner, LiteralProblem) or not isinstance(inner.value, Fraction):
                return inner
            sign = _RELATIONS.get(match[1], match[1])
            return Literal(kind, inner.value, text, sign if kind is Kind.BOUND else inner.unit, inner.notes)
    tokens = list(number_tokens(text))
    if len(tokens) == 2 and tokens[1].sign is Sign.RANGE:
        return _range(text, tokens, decimal)
    if len(tokens) != 1:
        return LiteralProblem("unparseable", f"{text!r} holds {len(tokens)} numbers")
    return _single(text, tokens[0], whole, decimal, currency, accounting)


def _range(text: str, tokens: list[NumberToken], decimal: str | None) -> Literal | LiteralProblem:
    ends = [core_reading(token.core, decimal) for token in tokens]
    for end in ends:
        if isinstance(end, LiteralProblem):
            return end
    low, high = (end for end in ends if isinstance(end, Fraction))
    return Literal(Kind.RANGE, (-low if tokens[0].sign is Sign.MINUS else low, high), text, tokens[1].percent)


def _single(
    text: str, token: NumberToken, whole: bool, decimal: str | None, currency: str | None, accounting: bool
) -> Literal | LiteralProblem:
    rest = (text[: token.start] + " " + text[token.end :]).strip()
    basis = token.unit.casefold() in ("bps", "bp") or rest.casefold() in ("bps", "bp")
    code = _ISO_CODE.fullmatch(rest)
    if (rest and not basis and code is None) or (token.unit and not basis) or token.superscript:
        return LiteralProblem("unparseable", f"{text!r} is more than a number")
    size = core_reading(token.core, decimal)
    if isinstance(size, LiteralProblem):
        return size
    signed = _signed(token, size, accounting)
    if isinstance(signed, LiteralProblem):
        return signed
    value, notes = signed
    notes += ("declared_locale",) if decimal and re.search(r"[.,]", token.core) else ()
    if whole and value.denominator != 1:
        return LiteralProblem("unparseable", f"{text!r} is no whole number")
    if basis:
        return Literal(Kind.BASIS_POINTS, value, text, "bps", notes)
    if token.percent:
        return Literal(Kind.PERCENT, value, text, token.percent, notes)
    printed = token.currency or (code.group() if code else "")
    if printed or currency:
        return Literal(
            Kind.MONEY, value, text, printed or currency or "", notes if printed else (*notes, "inherited_currency")
        )
    return Literal(Kind.INTEGER if value.denominator == 1 else Kind.DECIMAL, value, text, "", notes)


def _signed(token: NumberToken, size: Fraction, accounting: bool) -> tuple[Fraction, tuple[str, ...]] | LiteralProblem:
    if token.sign is Sign.AMBIGUOUS:
        return LiteralProblem("ambiguous", "the dash may be a minus", (size, -size))
    value = -size if token.sign is Sign.MINUS else size
    if not token.parens:
        return value, ()
    if not accounting:
        return LiteralProblem("ambiguous", "parentheses may mean a negative number: declare it", (size, -size))
    return -size, ("accounting_parentheses",)


_GROUPS = {",": re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?"), ".": re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?")}
_PLAIN = re.compile(r"\d*\.?\d+(?:e[+-]?\d{1,4})?|\d+,\d+")


def core_reading(core: str, decimal: str | None) -> Fraction | LiteralProblem:
    """The size of a core. One separator before exactly three digits groups or divides; only a known locale can tell."""
    readings = {point: value for point in (".", ",") if (value := _read_as(core, point)) is not None}
    if decimal is not None:
        if decimal in readings:
            return readings[decimal]
        return LiteralProblem("unparseable", f"{core!r} is no number with {decimal!r} as its decimal sign")
    values = tuple(dict.fromkeys(readings.values()))
    if len(values) == 1:
        return values[0]
    if values:
        return LiteralProblem("ambiguous", f"{core!r} is {values[0]} or {values[1]}: declare the decimal sign", values)
    return LiteralProblem("unparseable", f"{core!r} is no regular number")


def _read_as(core: str, point: str) -> Fraction | None:
    """The core with ``point`` as its decimal sign, or None when it is not regular under that reading."""
    other = "," if point == "." else "."
    if _GROUPS[other].fullmatch(core):
        return Fraction(core.replace(other, "").replace(point, "."))
    if other in core or not _PLAIN.fullmatch(core):
        return None
    mantissa, _, exponent = core.replace(",", ".").partition("e")
    return Fraction(mantissa) * Fraction(10) ** int(exponent or 0)
