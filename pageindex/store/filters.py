"""``where``: comparing a document's metadata with what the caller asks for.

``{"year": 2022}`` asks for equality; ``{"year": {"gte": 2020, "lte": 2022}}``, ``{"tag": {"in": ["a", "b"]}}`` and
``{"tags": {"contains": "a"}}`` use operators, all of which must hold. A document without the key never matches, and values of
different types (a number and a string) are unequal and in no order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pageindex.errors import InputError

__all__ = ["Predicate", "compile_where"]

Predicate = Callable[[Mapping[str, Any]], bool]


def compile_where(where: Mapping[str, Any] | None) -> Predicate:
    """A test of metadata; raises InputError (INVALID_FILTER) for an unknown operator or an operand that cannot be compared."""
    tests = [(key, operator, operand) for key, asked in (where or {}).items() for operator, operand in _clauses(asked)]
    for key, operator, operand in tests:
        _check(key, operator, operand)

    def matches(metadata: Mapping[str, Any]) -> bool:
        return all(key in metadata and _OPERATORS[operator](metadata[key], operand) for key, operator, operand in tests)

    return matches


def _clauses(asked: Any) -> list[tuple[str, Any]]:
    return list(asked.items()) if isinstance(asked, Mapping) else [("eq", asked)]


def _check(key: str, operator: str, operand: Any) -> None:
    if operator not in _OPERATORS:
        known = ", ".join(_OPERATORS)
        raise InputError(f"{operator!r} is no operator for {key!r}", f"Use one of {known}.", code="INVALID_FILTER")
    if operator == "in" and not isinstance(operand, list | tuple | set | frozenset):
        raise InputError(f"'in' for {key!r} needs a list", 'Write {"in": ["a", "b"]}.', code="INVALID_FILTER")
    if operator in ("gte", "lte", "gt", "lt") and (
        isinstance(operand, bool) or not isinstance(operand, int | float | str)
    ):
        raise InputError(
            f"{operator!r} for {key!r} needs a number or a string", 'Write {"gte": 2020}.', code="INVALID_FILTER"
        )


def _equal(value: Any, operand: Any) -> bool:
    # True == 1 in Python, but not in the user's metadata.
    return isinstance(value, bool) == isinstance(operand, bool) and bool(value == operand)


def _order(value: Any, operand: Any) -> int | None:
    """-1, 0 or 1; None where the two are in no order."""
    numbers = isinstance(value, int | float) and isinstance(operand, int | float) and not isinstance(value, bool)
    if not numbers and not (isinstance(value, str) and isinstance(operand, str)):
        return None
    return int(value > operand) - int(value < operand)


def _contains(value: Any, operand: Any) -> bool:
    if isinstance(value, str):
        return isinstance(operand, str) and operand.casefold() in value.casefold()
    return isinstance(value, list | tuple) and any(_equal(item, operand) for item in value)


_OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "eq": _equal,
    "ne": lambda value, operand: not _equal(value, operand),
    "gt": lambda value, operand: _order(value, operand) == 1,
    "gte": lambda value, operand: _order(value, operand) in (0, 1),
    "lt": lambda value, operand: _order(value, operand) == -1,
    "lte": lambda value, operand: _order(value, operand) in (-1, 0),
    "in": lambda value, operand: any(_equal(value, item) for item in operand),
    "contains": _contains,
}
