"""The inside of a worker process: takes jobs from standard input, one at a time, and answers on what was standard output."""

from __future__ import annotations

import math
import os
import pickle
import signal
import sys
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

from pageindex.errors import DamagedFileError, LimitError, PageIndexError
from pageindex.progress import Progress
from pageindex.reading.workers.frames import receive, send

__all__ = ["Job", "Reply", "main"]

#: A worker that has grown by this much ends after its job, so that the next file starts with the whole allowance.
KEPT_GROWTH = 256 << 20

#: Seconds after which a worker whose owner is gone ends itself, beyond the deadline that its owner keeps.
GRACE = 5


@dataclass(frozen=True, slots=True)
class Job:
    """A call to make: ``module:function``, its arguments, and the limits under which it runs."""

    target: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    seconds: float
    memory_bytes: int
    wants_progress: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """What a worker says: a step of progress, a result, or an error; ``ends`` when it will take no more jobs."""

    kind: str  # progress, result, error
    value: Any = None
    ends: bool = field(default=False)


def main() -> None:
    """Serve jobs until standard input closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the owner decides what an interrupt means
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing printed by a library may get between the messages
    while True:
        try:
            job = receive(sys.stdin.buffer)
        except EOFError:
            return
        reply = _run(job, answers)
        try:
            send(answers, reply)
        except BrokenPipeError:
            return
        if reply.ends:
            return


def _run(job: Job, answers: BinaryIO) -> Reply:
    before = _address_space()
    _set_limits(job, before)
    try:
        kwargs = dict(job.kwargs)
        if job.wants_progress:
            kwargs["progress"] = lambda step: _report(answers, step)
        value = _find(job.target)(*job.args, **kwargs)
        pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)  # a result that cannot travel is an error of the job
        reply = Reply("result", value)
    except MemoryError:
        reply = Reply("error", memory_error(job.memory_bytes))
    except RecursionError:
        reply = Reply("error", DamagedFileError("The file nests deeper than anything can be read.", code="TOO_DEEP"))
    except Exception as error:  # noqa: BLE001 - it is sent to the caller, whatever it is
        reply = Reply("error", _portable(error))
    finally:
        _lift_limits()
    grown = _address_space() - before
    return Reply(reply.kind, reply.value, ends=grown > KEPT_GROWTH)


def memory_error(memory_bytes: int) -> LimitError:
    """The error of a job that needs more memory than it may have."""
    text = f"Reading it needs more than the {memory_bytes >> 20} MiB of memory that it may have."
    return LimitError(text, code="MEMORY_LIMIT", memory_bytes=memory_bytes)


def _report(answers: BinaryIO, step: Progress) -> None:
    send(answers, Reply("progress", step))


def _find(target: str) -> Any:
    module, _, name = target.partition(":")
    found: Any = import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found


def _portable(error: Exception) -> Exception:
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    except Exception:  # noqa: BLE001 - pickling runs the error's own code, which may raise anything
        text = f"The reader raised {type(error).__name__}: {error}"
        return PageIndexError(text, "Leave the file out, and report it.", code="READER_FAILED")
    return error


def _address_space() -> int:
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:  # not a Linux: no figure, and no limit on the address space either
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _set_limits(job: Job, used: int) -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, math.ceil(job.seconds) + GRACE)  # SIGALRM ends the process, in C code too
    if used:
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (used + job.memory_bytes, hard))


def _lift_limits() -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0)
    if _address_space():
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
