"""Arithmetic over checked numbers, in exact fractions.

Grammar: ``n1``, ``n2`` … for the numbers of the claim, whole and decimal constants, ``+ - * /``, parentheses, and the functions ``sum``,
``mean``, ``min``, ``max``, ``abs`` and ``round(x, digits)`` (half away from zero). Nothing else, and nothing is evaluated by Python.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from pageindex.errors import InputError

__all__ = ["evaluate", "inputs_of", "round_half_up"]

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


class _Parser:
    def __init__(self, text: str, inputs: Mapping[int, Fraction]) -> None:
        self.text, self.inputs, self.depth = text, inputs, 0
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
        value = self._product()
        while self._peek() in ("+", "-"):
            value = value + self._product() if self._take() == "+" else value - self._product()
        return self._bounded(value)

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
            return Fraction(token)
        if token in _FUNCTIONS:
            return self._call(token)
        if re.fullmatch(r"n\d{1,4}", token) and int(token[1:]) in self.inputs:
            return self.inputs[int(token[1:])]
        raise _failure(self.text, f"{token!r} is not known")

    def _call(self, name: str) -> Fraction:
        self._take("(")
        values = [self._sum()]
        while self._peek() == ",":
            self._take()
            values.append(self._sum())
        self._take(")")
        count, function = _FUNCTIONS[name]
        if count is not None and len(values) != count:
            raise _failure(self.text, f"{name} takes {count} values")
        try:
            return self._bounded(function(values))
        except ValueError as error:
            raise _failure(self.text, str(error)) from error
