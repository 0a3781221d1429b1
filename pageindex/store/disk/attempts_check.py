"""What is wrong with the log of attempts, and a log that goes on from what is left of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pageindex.store.base import Attempt
from pageindex.store.disk.attempts import BEGINNING, Head, Line, encoded_line, parsed, seal_of

__all__ = ["Inspection", "inspect", "renewed"]


@dataclass
class Inspection:
    """What a log holds.

    Attributes:
        lines: Those that are as they were written.
        changed: Those that are not: changed, or torn by a kill.
        problems: What is missing or out of its place, one sentence part each: "lines 3 to 5 are missing".
        head: Up to where the chain goes; the count of lines alone where there is none.
    """

    lines: list[Line] = field(default_factory=list)
    changed: list[bytes] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    head: Head = BEGINNING


def inspect(data: bytes, head: Head | None) -> Inspection:
    """Look at all bytes of a log, and whether it reaches as far as its head says; None for no head that can be believed."""
    found = Inspection()
    spoiled = 0  # lines since the last sound one: each may be one that is missing otherwise
    met = head is None or not head.lines
    at = 0
    for raw in data.splitlines(keepends=True):
        line = parsed(raw) if raw.strip() else None
        if line is not None:
            found.problems.extend(_break(found.head, line, data, at, spoiled))
            found.lines.append(line)
            found.head = line.head if line.number else Head(found.head.lines + 1, "")
            met = met or line.head == head
            spoiled = 0 if line.number else spoiled
        elif raw.strip():
            found.changed.append(raw)
            spoiled += 1
        at += len(raw)
    if head is not None and found.head.lines < head.lines:
        found.problems.extend(_missing(found.head.lines + 1, head.lines, spoiled))
    elif not met and not found.changed and not found.problems:
        found.problems.append(f"line {head.lines if head else 0:,} is not the one that was written")
    return found


def _break(before: Head, line: Line, data: bytes, at: int, spoiled: int) -> Iterator[str]:
    """Why the line at byte ``at`` cannot stand behind the one that is before it; nothing where it can."""
    if not line.number:
        if before.lines and before.seal:
            yield f"a line behind line {before.lines:,} has no number"
        return
    if line.previous == before.seal and line.number == before.lines + 1:
        return
    if line.previous == hashlib.sha256(data[:at]).hexdigest() and line.number == data.count(b"\n", 0, at) + 1:
        return  # the first line of the chain, behind lines of before it
    if line.number > before.lines + 1:
        yield from _missing(before.lines + 1, line.number - 1, spoiled)
    elif line.number <= before.lines:
        yield f"line {line.number:,} stands behind line {before.lines:,}"
    elif not spoiled:
        yield f"line {line.number:,} does not follow the line before it"


def _missing(first: int, last: int, spoiled: int) -> Iterator[str]:
    count = last - first + 1 - spoiled
    if count > 0:
        where = f"line {first:,} is" if first == last else f"lines {first:,} to {last:,} are"
        yield f"{where} missing" if not spoiled else f"{count:,} of the lines {first:,} to {last:,} are missing"


def renewed(lines: Sequence[Line], note: Attempt) -> tuple[bytes, Head]:
    """A log of these lines in a chain of its own, with a note behind them, and its head."""
    made, head = [], BEGINNING
    for attempt in (*(line.attempt for line in lines), note):
        raw = encoded_line(attempt, head)
        made.append(raw)
        head = Head(head.lines + 1, seal_of(raw))
    return b"".join(made), head
