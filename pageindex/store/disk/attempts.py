"""The log of ingest attempts: one JSON line each, appended and flushed, failures included."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from pageindex.document.codec import FORMAT, decode_json, encode_json
from pageindex.store.base import Attempt
from pageindex.store.disk.atomic import AtomicWriter

__all__ = ["append_attempt", "read_attempts"]

BLOCK = 1 << 16


def append_attempt(writer: AtomicWriter, path: Path, attempt: Attempt) -> None:
    """Add one line."""
    writer.append_line(path, encode_json({"format": FORMAT, **asdict(attempt)}))


def read_attempts(path: Path, limit: int) -> Sequence[Attempt]:
    """The newest attempts first; reads the file from its end. A line torn by a kill is left out."""
    found: list[Attempt] = []
    for line in _lines_backwards(path):
        if len(found) >= limit:
            break
        attempt = _parsed(line)
        if attempt is not None:
            found.append(attempt)
    return found


def _parsed(line: bytes) -> Attempt | None:
    try:
        item = decode_json(line)
        del item["format"]
        return Attempt(**item)
    except (ValueError, KeyError, TypeError):
        return None


def _lines_backwards(path: Path) -> Iterator[bytes]:
    if not path.exists():
        return
    with path.open("rb") as file:
        position, rest = file.seek(0, os.SEEK_END), b""
        while position > 0:
            size = min(BLOCK, position)
            position -= size
            file.seek(position)
            first, *lines = (file.read(size) + rest).split(b"\n")
            yield from (line for line in reversed(lines) if line)
            rest = first
        if rest:
            yield rest
