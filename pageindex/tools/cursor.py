"""Cursors: where a long answer goes on.

A cursor binds what was asked (a fingerprint), the edition or index it was asked of, and a position; nothing is kept on our side, so a
replayed cursor gives the same answer. Its own hash at the end tells a mistyped cursor from a stale one.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import Any

from pageindex.document.codec import encode_json
from pageindex.errors import EvidenceError

__all__ = ["fingerprint", "make_cursor", "read_cursor"]

_SHAPE = re.compile(r"([0-9a-f]{8})-([0-9a-f]{8})-([0-9][0-9.]{0,60})-([0-9a-f]{6})")


def fingerprint(*parts: Any) -> str:
    """Eight hex digits over JSON values: equal for equal questions."""
    return hashlib.sha256(encode_json(list(parts))).hexdigest()[:8]


def make_cursor(query: str, generation: str, position: Sequence[int]) -> str:
    """A cursor for a query's fingerprint, the id of the edition or index (8 hex are kept), and whole numbers for the position."""
    body = f"{query}-{generation[:8]}-{'.'.join(map(str, position))}"
    return f"{body}-{_check(body)}"


def read_cursor(cursor: str, query: str, generation: str, length: int) -> tuple[int, ...]:
    """The position of a cursor, ``length`` numbers.

    Raises EvidenceError: INVALID_CURSOR for what is no cursor, CURSOR_QUERY_MISMATCH when it belongs to another question,
    CURSOR_STALE when the document or the index has changed since.
    """
    match = _SHAPE.fullmatch(cursor.strip()) if isinstance(cursor, str) else None
    again = "Make the call without the cursor."
    if match is None or _check(cursor.strip()[:-7]) != match[4]:
        raise EvidenceError("this is not a cursor", again, code="INVALID_CURSOR")
    position = tuple(int(number) for number in match[3].split(".") if number)
    if match[1] != query or len(position) != length:
        raise EvidenceError("the cursor belongs to another call", again, code="CURSOR_QUERY_MISMATCH")
    if match[2] != generation[:8]:
        raise EvidenceError("the text has changed since the cursor was given", again, code="CURSOR_STALE")
    return position


def _check(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()[:6]
