"""The log of ingest attempts: one JSON line each, appended and flushed, failures included."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from pageindex.atomic import AtomicWriter
from pageindex.document.codec import FORMAT
from pageindex.errors import StoreError
from pageindex.store.base import Attempt
from pageindex.store.disk.migrations import parse_sealed, sealed

__all__ = ["append_attempt", "read_attempts", "sorted_out"]

BLOCK = 1 << 16


def append_attempt(writer: AtomicWriter, path: Path, attempt: Attempt) -> None:
    """Add one line."""
    writer.append_line(path, sealed({"format": FORMAT, **asdict(attempt)}, pretty=False))


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


def sorted_out(path: Path) -> tuple[bytes, bytes]:
    """The lines that are as they were written, and those that are not: changed, or torn by a kill."""
    data = path.read_bytes() if path.exists() else b""
    lines = [line for line in data.splitlines(keepends=True) if line.strip()]
    good = [_parsed(line) is not None for line in lines]
    return (
        b"".join(line for line, fine in zip(lines, good, strict=True) if fine),
        b"".join(line for line, fine in zip(lines, good, strict=True) if not fine),
    )


def _parsed(line: bytes) -> Attempt | None:
    try:
        item = parse_sealed(line, "attempts.jsonl")
        del item["format"]
        return Attempt(**item)
    except (ValueError, KeyError, TypeError, StoreError):
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
            yield from (line + b"\n" for line in reversed(lines) if line)
            rest = first
        if rest:
            yield rest + b"\n"
