"""Cursors: where a long answer goes on.

A cursor binds what was asked (a fingerprint), the edition, index or state of the documents it was asked of, and a position; nothing is
kept on our side, so a cursor that is sent again gives the same answer. Its own hash at the end tells a mistyped cursor from a stale one.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from typing import Any

from pageindex.errors import EvidenceError

__all__ = ["fingerprint", "make_cursor", "read_cursor"]

_DIGITS = 8
_SHAPE = re.compile(r"([0-9a-f]{8})-([0-9a-f]{8})-([0-9]{1,12}(?:\.[0-9]{1,12}){0,4})-([0-9a-f]{6})")
_AGAIN = "Make the same call without the cursor."


def fingerprint(*parts: Any) -> str:
    """64 hex digits over JSON values: equal for equal ones, whatever the order of their keys."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def make_cursor(query: str, generation: str, position: Sequence[int]) -> str:
    """A cursor for the fingerprint of a query, that of what it is asked of (8 digits of each are kept), and whole numbers."""
    body = f"{query[:_DIGITS]}-{generation[:_DIGITS]}-{'.'.join(map(str, position))}"
    return f"{body}-{_check(body)}"


def read_cursor(cursor: str, query: str, generation: str, length: int = 1) -> tuple[int, ...]:
    """The position of a cursor, ``length`` numbers.

    Raises EvidenceError: INVALID_CURSOR for what was not given out here, CURSOR_QUERY_MISMATCH when it belongs to another question,
    CURSOR_STALE when what was asked has changed since.
    """
    match = _SHAPE.fullmatch(cursor.strip())
    if match is None or _check(cursor.strip()[:-7]) != match[4]:
        raise EvidenceError(f"{cursor[:80]!r} is no cursor", _AGAIN, code="INVALID_CURSOR")
    position = tuple(int(number) for number in match[3].split("."))
    if match[1] != query[:_DIGITS] or len(position) != length:
        raise EvidenceError("the cursor belongs to another query or scope", _AGAIN, code="CURSOR_QUERY_MISMATCH")
    if match[2] != generation[:_DIGITS]:
        raise EvidenceError("the documents have changed since the cursor was given", _AGAIN, code="CURSOR_STALE")
    return position


def _check(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()[:6]
