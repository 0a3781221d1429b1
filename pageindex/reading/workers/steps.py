"""Where a worker is within its call: a note in memory that its owner shares, and still reads when the worker has died.

Readers name each step before they begin it; outside of a worker that does nothing. A step has CPU seconds of its own: a worker that
stays in one for longer is ended by the signal of its timer, in C code too.
"""

from __future__ import annotations

import mmap
import os
import signal
import struct
from dataclasses import dataclass

__all__ = ["REST", "SIZE", "Step", "begin_call", "bind", "end_call", "enter", "leave", "read_place"]

STAGES = ("", "page", "again", "contents", "outline", "links", "labels", "details")

#: Begins the key of all pages from a number on.
REST = "rest"

_PLACE = struct.Struct("<QII")  # number of the call, index of the stage, page
SIZE = _PLACE.size


@dataclass(frozen=True, slots=True)
class Step:
    """A page (1-based), or another part of a file, which has page 0."""

    stage: str
    page: int = 0

    @property
    def key(self) -> str:
        """How the step is called among those to leave out."""
        return f"{self.stage} {self.page}" if self.page else self.stage


class _Here:
    """Of this process, which has one call at a time."""

    memory: mmap.mmap | None = None
    call = 0
    seconds = 0.0


def bind(descriptor: int) -> None:
    """Use memory that was made by the owner."""
    _Here.memory = mmap.mmap(descriptor, SIZE)


def begin_call(seconds: float, step_seconds: float) -> None:
    """The next call has arrived; what it and each of its steps may take. The owner's limit is the same, to the second."""
    _Here.call += 1
    _Here.seconds = step_seconds if step_seconds < seconds else 0.0  # 0: no timer of its own
    if _Here.memory is not None:
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    leave()


def end_call() -> None:
    """The call has ended, and with it its time."""
    if _Here.memory is not None:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    leave()


def leave() -> None:
    """No step is under way."""
    if _Here.memory is not None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        _write(0, 0)


def enter(stage: str, page: int = 0) -> None:
    """A step begins, and with it its time."""
    if _Here.memory is not None:
        signal.setitimer(signal.ITIMER_PROF, _Here.seconds)
        _write(STAGES.index(stage), page)


def _write(stage: int, page: int) -> None:
    if _Here.memory is not None:
        _PLACE.pack_into(_Here.memory, 0, _Here.call, stage, page)


def read_place(descriptor: int) -> tuple[int, Step | None]:
    """The number of the last call that a worker began, and the step that it was in, if any."""
    data = os.pread(descriptor, SIZE, 0)
    if len(data) < SIZE:
        return 0, None
    call, stage, page = _PLACE.unpack(data)
    return call, Step(STAGES[stage], page) if 0 < stage < len(STAGES) else None
