"""Cursors: where to go on in one search over one state of the documents. Asking with the same one again gives the same hits."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from pageindex.errors import EvidenceError

__all__ = ["fingerprint", "read_cursor", "write_cursor"]

_CURSOR = re.compile(r"([0-9a-f]{12})\.([0-9a-f]{12})\.([1-9]\d{0,8})~([0-9a-f]{6})")


def fingerprint(parts: Sequence[object]) -> str:
    """Twelve hex digits over the representation of values."""
    return hashlib.sha256(repr(tuple(parts)).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def write_cursor(query: str, generation: str, offset: int) -> str:
    """A cursor for the fingerprints of a query with its scope, and of the documents' state."""
    body = f"{query}.{generation}.{offset}"
    return f"{body}~{fingerprint([body])[:6]}"


def read_cursor(cursor: str, query: str, generation: str) -> int:
    """The offset a cursor stands for.

    Raises:
        EvidenceError: INVALID_CURSOR: it was not given out here. CURSOR_QUERY_MISMATCH: it belongs to another query or scope.
            CURSOR_STALE: the documents have changed since.
    """
    match = _CURSOR.fullmatch(cursor.strip())
    again = "Search again without a cursor."
    if match is None or fingerprint([cursor.strip().split("~")[0]])[:6] != match[4]:
        raise EvidenceError(f"{cursor!r} is no cursor of a search", again, code="INVALID_CURSOR")
    if match[1] != query:
        raise EvidenceError("the cursor belongs to another query or scope", again, code="CURSOR_QUERY_MISMATCH")
    if match[2] != generation:
        raise EvidenceError("the documents have changed since the cursor was given", again, code="CURSOR_STALE")
    return int(match[3])
