"""Format versions and seals: every record says which format it is of, and which bytes it is made of.

``MIGRATIONS[n]`` turns a record of format ``n + 1`` into one of format ``n + 2``; a change of the format appends one function here and
adds one to ``codec.FORMAT``. Migrations work on the parsed JSON of any record and look at its keys to know which kind it is.

A *sealed* record ends in ``"seal": "…"``: the SHA-256 of its own bytes with zeros in place of the hash. Records that no other record
vouches for are sealed (``library.json``, ``folders.json``, ``document.json``, each line of ``attempts.jsonl`` and ``spending.jsonl``), from format 2 on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pageindex.document.codec import FORMAT, decode_json, encode_json
from pageindex.errors import FormatVersionError

__all__ = ["MIGRATIONS", "Migration", "parse", "parse_sealed", "sealed", "upgrade"]

Migration = Callable[[dict[str, Any]], dict[str, Any]]

SEALED_SINCE = 2  #: Format.
_SEAL = "seal"
_ZEROS = b"0" * 64


def _with_digests(item: dict[str, Any]) -> dict[str, Any]:
    """Format 2: records hold the digests of a document's files. What was stored before has none, and is believed as before."""
    if "editions" not in item:
        return item
    return {**item, "files": {}, "editions": [{**entry, "files": {}} for entry in item["editions"]]}


MIGRATIONS: Sequence[Migration] = (_with_digests,)


def sealed(item: Mapping[str, Any], *, pretty: bool = True) -> bytes:
    """The JSON of a record, with its seal as the last key."""
    blank = encode_json({**item, _SEAL: _ZEROS.decode()}, pretty=pretty)
    head, _, tail = blank.rpartition(_ZEROS)
    return head + hashlib.sha256(blank).hexdigest().encode() + tail


def parse(data: bytes, name: str) -> dict[str, Any]:
    """A stored JSON record in today's format, which another record vouches for.

    Raises:
        ValueError, TypeError, KeyError: The bytes are no such record.
        FormatVersionError: It is of a format this version does not know.
    """
    return upgrade(decode_json(data), name)


def parse_sealed(data: bytes, name: str) -> dict[str, Any]:
    """A stored record whose seal holds, without the seal, in today's format; errors as ``parse``."""
    item = decode_json(data)
    if isinstance(item, dict):
        seal, found = item.pop(_SEAL, None), item.get("format")
        if seal is not None or (isinstance(found, int) and SEALED_SINCE <= found <= FORMAT):
            _check_seal(data, seal)
    return upgrade(item, name)


def _check_seal(data: bytes, seal: object) -> None:
    found = seal.encode() if isinstance(seal, str) else b""
    head, middle, tail = data.rpartition(found) if len(found) == len(_ZEROS) else (b"", b"", b"")
    if not middle or hashlib.sha256(head + _ZEROS + tail).hexdigest().encode() != found:
        raise ValueError("its bytes are not those that were written")


def upgrade(item: Any, name: str, migrations: Sequence[Migration] = MIGRATIONS) -> dict[str, Any]:
    """Lift a parsed record to the newest format; errors as ``parse``."""
    if not isinstance(item, dict):
        raise TypeError("not a JSON object")
    found, newest = item["format"], 1 + len(migrations)
    if not isinstance(found, int) or found < 1:
        raise ValueError(f"no format version, but {found!r}")
    if found > newest:
        raise FormatVersionError(f"{name} is of format {found}; this pageindex knows up to {newest}", file=name)
    record: dict[str, Any] = item
    for number in range(found, newest):
        record = {**migrations[number - 1](record), "format": number + 1}
    return record


def _consistent() -> None:
    if len(MIGRATIONS) != FORMAT - 1:
        raise RuntimeError(f"format {FORMAT} needs {FORMAT - 1} migrations, not {len(MIGRATIONS)}")


_consistent()
