"""The log of what model calls cost: one sealed JSON line each, appended in one write without a lock, so that no paid reply waits for one.

A line torn by a kill stays as it is, and the next one begins behind it; readers pass over it, and ``doctor`` sets it aside.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from pageindex.atomic import FILE_MODE
from pageindex.document.codec import FORMAT
from pageindex.errors import StoreError
from pageindex.store.base import Spent
from pageindex.store.disk.migrations import parse_sealed, sealed

__all__ = ["append_spent", "read_spent", "sorted_out"]


def append_spent(path: Path, spent: Spent) -> None:
    """Add one line and flush it to the disk."""
    line = sealed({"format": FORMAT, **asdict(spent)}, pretty=False).rstrip(b"\n") + b"\n"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, FILE_MODE)
    try:
        size = os.lseek(descriptor, 0, os.SEEK_END)
        if size:
            os.lseek(descriptor, size - 1, os.SEEK_SET)
            line = line if os.read(descriptor, 1) == b"\n" else b"\n" + line
        os.write(descriptor, line)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_spent(path: Path) -> Sequence[Spent]:
    """All lines that are as they were written, oldest first."""
    data = path.read_bytes() if path.exists() else b""
    return [spent for line in data.splitlines() if (spent := _parsed(line)) is not None]


def sorted_out(path: Path) -> tuple[bytes, bytes]:
    """The lines that are as they were written, and those that are not: changed, or torn by a kill."""
    data = path.read_bytes() if path.exists() else b""
    lines = [line for line in data.splitlines(keepends=True) if line.strip()]
    good = [_parsed(line) is not None for line in lines]
    return (
        b"".join(line for line, fine in zip(lines, good, strict=True) if fine),
        b"".join(line for line, fine in zip(lines, good, strict=True) if not fine),
    )


def _parsed(line: bytes) -> Spent | None:
    """The entry of a line; None for one that is torn or was changed."""
    try:
        item = parse_sealed(line.rstrip(b"\n") + b"\n", "spending.jsonl")
        del item["format"]
        return Spent(**{**item, "doc_ids": tuple(item["doc_ids"])})
    except (ValueError, KeyError, TypeError, StoreError):
        return None
