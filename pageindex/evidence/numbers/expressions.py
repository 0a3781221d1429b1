"""Arithmetic over checked numbers, in exact fractions.

Grammar: ``n1``, ``n2`` … for the numbers of the claim, whole and decimal constants, ``+ - * /``, parentheses, and the functions ``sum``,
``mean``, ``min``, ``max``, ``abs`` and ``round(x, digits)`` (half away from zero). Nothing else, and nothing is evaluated by Python.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from pageindex.errors import InputError

__all__ = ["derive", "evaluate", "inputs_of", "round_half_up"]

_TOKEN = re.compile(r"\s*(?:(?P<name>[a-z]+\d*)|(?P<number>\d+(?:\.\d+)?)|(?P<mark>[-+*/(),−×÷]))")
_SAME = {"−": "-", "×": "*", "÷": "/"}
_LONGEST = 500  # characters
_DEEPEST = 40
_BITS = 4096  # of a numerator or denominator


def _failure(text: str, why: str) -> InputError:
    step = "Use n1, n2 …, constants, + - * /, parentheses, sum, mean, min, max, abs and round(x, digits)."
    return InputError(f"{text[:80]!r} is no expression: {why}", step, code="INVALID_EXPRESSION")


def round_half_up(value: Fraction, digits: int) -> Fraction:
    """Round to a number of decimals, halves away from zero."""
    scaled = abs(value) * Fraction(10) ** digits + Fraction(1, 2)
    size = Fraction(scaled.numerator // scaled.denominator) / Fraction(10) ** digits
    return -size if value < 0 else size


def _round(values: Sequence[Fraction]) -> Fraction:
    value, digits = values
    if digits.denominator != 1 or not -12 <= digits <= 12:
        raise ValueError("digits must be a whole number from -12 to 12")
    return round_half_up(value, int(digits))


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


_FUNCTIONS: dict[str, tuple[int | None, Callable[[Sequence[Fraction]], Fraction]]] = {
    "sum": (None, lambda values: sum(values, Fraction(0))),
    "mean": (None, _mean),
    "min": (None, min),
    "max": (None, max),
    "abs": (1, lambda values: abs(values[0])),
    "round": (2, _round),
}


def inputs_of(text: str) -> list[int]:
    """The numbers an expression refers to, 1-based, in order, each once."""
    return list(dict.fromkeys(int(name) for name in re.findall(r"\bn(\d{1,4})\b", text)))


def evaluate(text: str, inputs: Mapping[int, Fraction]) -> Fraction:
    """The value of an expression; raises InputError (INVALID_EXPRESSION) for anything that is none, or divides by zero."""
    if len(text) > _LONGEST:
        raise _failure(text, f"longer than {_LONGEST} characters")
    return _Parser(text, inputs).run()


def derive(text: str, inputs: Mapping[int, Fraction]) -> Fraction:
    """The value of an expression that proves something: it depends on each of its inputs, and its constants are units and counts.

    Raises InputError (INVALID_EXPRESSION) like ``evaluate``, and for a constant that is added to a number (but for the 1 of a growth rate), one that
    is no unit or count, no input at all, and an input whose change by a tenth changes nothing.
    """
    used = inputs_of(text)
    if not used:
        raise _failure(text, "it names no printed number")
    value = _Parser(text, inputs, strict=True).run() if len(text) <= _LONGEST else evaluate(text, inputs)
    for index in used:
        if all(_moved(text, inputs, index, factor) == value for factor in _NUDGES):
            raise _failure(text, f"its value does not depend on n{index}")
    return value


_NUDGES = (Fraction(11, 10), Fraction(9, 10), Fraction(100), Fraction(1, 100), Fraction(-1))
_UNITS = frozenset(
    {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 24, 52, 60, 360, 365, 366, *(10**power for power in range(2, 13))}
)


def _moved(text: str, inputs: Mapping[int, Fraction], index: int, factor: Fraction) -> Fraction | None:
    old = inputs.get(index, Fraction(0))
    try:
        return evaluate(text, {**inputs, index: old * factor if old else factor})
    except InputError:  # it would divide by zero there: a dependence too
        return None


class _Parser:
    def __init__(self, text: str, inputs: Mapping[int, Fraction], *, strict: bool = False) -> None:
        self.text, self.inputs, self.depth, self.strict = text, inputs, 0, strict
        self.tokens = self._split(text)
        self.at = 0

    def _split(self, text: str) -> list[str]:
        tokens, position = [], 0
        while position < len(text.rstrip()):
            match = _TOKEN.match(text, position)
            if match is None:
                raise _failure(text, f"{text[position:].strip()[:10]!r} means nothing")
            word = match.group().strip()
            tokens.append(_SAME.get(word, word))
            position = match.end()
        return tokens

    def run(self) -> Fraction:
        value = self._sum()
        if self.at < len(self.tokens):
            raise _failure(self.text, f"{self.tokens[self.at]!r} is not expected")
        return value

    def _peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _take(self, wanted: str = "") -> str:
        token = self._peek()
        if not token or (wanted and token != wanted):
            raise _failure(self.text, f"{wanted or 'a value'!r} is missing")
        self.at += 1
        return token

    def _sum(self) -> Fraction:
        first = self.at
        value = self._product()
        terms = [(value, first)]
        while self._peek() in ("+", "-"):
            plus, at = self._take() == "+", self.at
            term = self._product()
            terms.append((term, at))
            value = value + term if plus else value - term
        self._assert_no_addend(terms)
        return self._bounded(value)

    def _assert_no_addend(self, terms: Sequence[tuple[Fraction, int]]) -> None:
        """A constant added to a number would prove any number; the 1 of a rate is the one exception."""
        if not self.strict or len(terms) < 2:
            return
        ends = [at for _, at in terms[1:]] + [self.at + 1]
        for (value, at), end in zip(terms, ends, strict=True):
            if abs(value) != 1 and not self._has_input(at, end - 1):
                raise _failure(self.text, f"the constant {float(value):g} is added to a number")

    def _product(self) -> Fraction:
        value = self._value()
        while self._peek() in ("*", "/"):
            if self._take() == "*":
                value *= self._value()
                continue
            divisor = self._value()
            if divisor == 0:
                raise _failure(self.text, "it divides by zero")
            value /= divisor
        return self._bounded(value)

    def _bounded(self, value: Fraction) -> Fraction:
        if max(value.numerator.bit_length(), value.denominator.bit_length()) > _BITS:
            raise _failure(self.text, "its value is too large")
        return value

    def _value(self) -> Fraction:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise _failure(self.text, "it is nested too deeply")
        token = self._take()
        value = self._of(token)
        self.depth -= 1
        return value

    def _of(self, token: str) -> Fraction:
        if token == "-":  # noqa: S105 - a sign, no secret
            return -self._value()
        if token == "(":  # noqa: S105
            value = self._sum()
            self._take(")")
            return value
        if token[0].isdecimal():
            if self.strict and not self._is_digits() and Fraction(token) not in _UNITS:
                raise _failure(self.text, f"{token} is neither a printed number nor a unit or count")
            return Fraction(token)
        if token in _FUNCTIONS:
            return self._call(token)
        if re.fullmatch(r"n\d{1,4}", token) and int(token[1:]) in self.inputs:
            return self.inputs[int(token[1:])]
        raise _failure(self.text, f"{token!r} is not known")

    def _has_input(self, start: int, end: int) -> bool:
        return any(re.fullmatch(r"n\d+", token) for token in self.tokens[start:end])

    def _is_digits(self) -> bool:
        """Whether the constant just read is the second argument of ``round``."""
        before = self.tokens[: self.at - 1]
        return bool(before) and before[-1] in (",", "-") and "round" in before

    def _call(self, name: str) -> Fraction:
        self._take("(")
        count, function = _FUNCTIONS[name]
        values, first = [self._sum()], self.at
        while self._peek() == ",":
            self._take()
            values.append(self._sum())
            if self.strict and count is None and not self._has_input(first, self.at):
                raise _failure(self.text, f"an argument of {name} is no printed number")
            first = self.at
        self._take(")")
        if count is not None and len(values) != count:
            raise _failure(self.text, f"{name} takes {count} values")
        try:
            return self._bounded(function(values))
        except ValueError as error:
            raise _failure(self.text, str(error)) from error
