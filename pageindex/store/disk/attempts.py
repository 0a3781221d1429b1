"""The log of ingest attempts: one JSON line each, appended and flushed, failures included.

Each line holds its number and the seal of the line before it, and its own seal covers both: the lines are a chain, from which none can be
taken. How many there are, and the last one's seal, is kept apart in ``attempts.head.json``, which is written after the line: a log that is
longer than its head says belongs to a command that was killed, and is sound; one that is shorter has lost lines (see ``attempts_check``).

Lines of before the chain have no number. The first one behind them has their count and, in place of a seal, the digest of all their bytes.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from pageindex.atomic import AtomicWriter
from pageindex.document.codec import FORMAT, decode_json
from pageindex.errors import StoreError
from pageindex.store.base import Attempt
from pageindex.store.disk.layout import Layout
from pageindex.store.disk.migrations import parse_sealed, sealed

__all__ = [
    "BEGINNING",
    "Head",
    "Line",
    "append_attempt",
    "encoded_head",
    "encoded_line",
    "parsed",
    "read_attempts",
    "read_head",
    "seal_of",
]

BLOCK = 1 << 16


@dataclass(frozen=True, slots=True)
class Head:
    """Up to where a log is known: so many lines, the last of which has this seal."""

    lines: int
    seal: str


BEGINNING = Head(0, "0" * 64)  #: Of a log without a line.


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is as it was written; ``number`` is 0 and the seals may be empty for one of before the chain."""

    attempt: Attempt
    number: int
    previous: str
    seal: str

    @property
    def head(self) -> Head:
        """The head of a log that ends here."""
        return Head(self.number, self.seal)


def append_attempt(writer: AtomicWriter, layout: Layout, attempt: Attempt) -> None:
    """Add one line, then bring the head up to it. The caller holds the writer's lock.

    A last line torn by a kill is taken away first. Where lines that were written are missing or damaged, the new one goes on from the head
    behind whatever is there, so that the damage stays to be seen.
    """
    kept, last = _end(layout.attempts, _trusted_head(layout.attempts_head))
    line = encoded_line(attempt, last)
    writer.append_line(layout.attempts, line, kept)
    with suppress(OSError):  # the attempt is in the log; the head follows with the next one
        writer.write(layout.attempts_head, encoded_head(Head(last.lines + 1, seal_of(line))), lasting=False)


def encoded_line(attempt: Attempt, before: Head) -> bytes:
    """The line of an attempt behind those that ``before`` speaks of."""
    item = {"format": FORMAT, **asdict(attempt), "number": before.lines + 1, "previous": before.seal}
    return sealed(item, pretty=False)


def encoded_head(head: Head) -> bytes:
    """A file's content that says up to where the log goes."""
    return sealed({"format": FORMAT, "lines": head.lines, "last": head.seal})


def read_head(path: Path) -> Head:
    """What the head says.

    Raises FileNotFoundError; ValueError, TypeError, KeyError and StoreError for bytes that cannot be trusted.
    """
    item = parse_sealed(path.read_bytes(), path.name)
    lines, last = item["lines"], item["last"]
    if not isinstance(lines, int) or not isinstance(last, str):
        raise TypeError("no number of lines and seal")
    return Head(lines, last)


def read_attempts(path: Path, limit: int) -> Sequence[Attempt]:
    """The newest attempts first; reads the file from its end. A line torn by a kill is left out."""
    found: list[Attempt] = []
    for raw in _lines_backwards(path):
        if len(found) >= limit:
            break
        line = parsed(raw)
        if line is not None:
            found.append(line.attempt)
    return found


def parsed(raw: bytes) -> Line | None:
    """A line that is as it was written; None for one that is changed or torn."""
    try:
        item = parse_sealed(raw, "attempts.jsonl")
        del item["format"]
        number, previous = item.pop("number", 0), item.pop("previous", "")
        if not isinstance(number, int) or not isinstance(previous, str):
            return None
        return Line(Attempt(**item), number, previous, seal_of(raw))
    except (ValueError, KeyError, TypeError, StoreError):
        return None


def seal_of(raw: bytes) -> str:
    """The seal of a line; empty for one of the first format."""
    return str(decode_json(raw).get("seal", ""))


def _trusted_head(path: Path) -> Head | None:
    try:
        return read_head(path)
    except (OSError, ValueError, TypeError, KeyError, StoreError):  # it is made anew; doctor named it until then
        return None


def _end(path: Path, head: Head | None) -> tuple[int, Head]:
    """How many bytes of a log are kept, and what the next line follows."""
    size, last, rest = _tail(path)
    line = parsed(last)
    if line is not None and line.number and (head is None or line.number > head.lines or line.head == head):
        return size - len(rest), line.head
    if head is not None and head.lines:
        return size, head
    before = path.read_bytes()[: size - len(rest)] if last else b""
    return len(before), _of_before(before)


def _of_before(data: bytes) -> Head:
    """What the first line of the chain follows: the lines of before it."""
    return Head(data.count(b"\n"), hashlib.sha256(data).hexdigest()) if data else BEGINNING


def _tail(path: Path) -> tuple[int, bytes, bytes]:
    """Size in bytes of a log, its last whole line, and what stands behind that; a line that lacks but its end is whole."""
    lines = _lines_backwards(path)
    last = next(lines, b"")
    size = path.stat().st_size if last else 0
    if not last or _ends_a_line(path) or parsed(last) is not None:
        return size, last, b""
    return size, next(lines, b""), last[:-1]


def _ends_a_line(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


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
