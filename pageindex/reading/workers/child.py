"""The inside of a worker process: takes calls from standard input, one at a time, and answers on what was standard output."""

from __future__ import annotations

import json
import os
import signal
import sys
from importlib import import_module
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from pageindex.errors import DamagedFileError, PageIndexError
from pageindex.progress import Progress
from pageindex.reading.workers import sandbox, steps
from pageindex.reading.workers.frames import OUT_OF_MEMORY, Fault, Request, fault_of, read_request, write_reply

__all__ = ["main", "protections"]

#: A worker that has grown by this much ends after its call, so that the next file starts with the whole allowance.
KEPT_GROWTH = 256 << 20

#: What reading a file imports. Where it is not compiled yet, in a fresh checkout, it is imported while that may still be written down.
_HEAVY = ("pageindex.reading.pdf.reader", "pageindex.reading.html", "pageindex.reading.docx", "pageindex.structure")
_COMPILED_LAST = "structure/build.py"

_missing: tuple[str, ...] = ()


def main() -> None:
    """Serve calls until standard input closes. The argument of the program is what ``worker.Worker`` gives."""
    global _missing
    settings: dict[str, Any] = json.loads(sys.argv[1])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the owner decides what an interrupt means
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing printed by a library may get between the messages
    if settings["lifeline"] >= 0:
        _die_with(settings["lifeline"])
    if settings["place"] >= 0:
        steps.bind(settings["place"])
    if not Path(cache_from_source(str(Path(__file__).parents[2] / _COMPILED_LAST))).exists():
        for name in _HEAVY:
            import_module(name)
    _missing = sandbox.close_up(settings["readable"])
    try:
        _serve(answers)
    except MemoryError:
        os._exit(OUT_OF_MEMORY)  # anything else, an answer too, might need memory again


def protections() -> list[str]:
    """What this worker could not give up, each with its reason; empty where everything is closed."""
    return list(_missing)


def _die_with(lifeline: int) -> None:
    """Be ended by the kernel when the owner is gone, in C code too: its end of the lifeline closes then, which is a signal here."""
    import fcntl
    import select

    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    flags = fcntl.fcntl(lifeline, fcntl.F_GETFL)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, flags | getattr(os, "O_ASYNC", 0))
    if select.select([lifeline], [], [], 0)[0]:
        sys.exit(1)  # gone already


def _serve(answers: BinaryIO) -> None:
    kept: dict[int, bytes] = {}
    while True:
        try:
            request = read_request(sys.stdin.buffer, kept)
        except EOFError:
            return
        before = _address_space()
        steps.begin_call(request.limits.seconds, request.limits.page_seconds)
        packed, failed = _run(request, answers)
        ends = _address_space() - before > KEPT_GROWTH
        try:
            write_reply(answers, "fault" if failed else "result", packed, ends=ends)
        except BrokenPipeError:
            return
        if ends:
            return


def _run(request: Request, answers: BinaryIO) -> tuple[bytes, bool]:
    """The encoded result or fault of a call, and whether it is a fault."""
    try:
        kwargs = dict(request.kwargs)
        if request.wants_progress:
            kwargs["progress"] = lambda step: _report(answers, step)
        value = _find(request.target)(*request.args, **kwargs)
        packed = msgspec.msgpack.encode(value)
    except MemoryError:
        raise
    except RecursionError:
        error = DamagedFileError("The file nests deeper than anything can be read.", code="TOO_DEEP")
        return msgspec.msgpack.encode(fault_of(error)), True
    except PageIndexError as error:
        return msgspec.msgpack.encode(fault_of(error)), True
    except Exception as error:  # noqa: BLE001 - it is sent to the caller, whatever it is
        return msgspec.msgpack.encode(_unexpected(error)), True
    steps.end_call()
    return packed, False


def _unexpected(error: Exception) -> Fault:
    text = f"The reader raised {type(error).__name__}: {error}"
    step = "Leave the file out, and report it: this should have been a clearer error."
    return fault_of(PageIndexError(text, step, code="READER_FAILED"))


def _report(answers: BinaryIO, step: Progress) -> None:
    write_reply(answers, "progress", msgspec.msgpack.encode(step))


def _find(target: str) -> Any:
    module, _, name = target.partition(":")
    found: Any = import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found


def _open_statm() -> int:
    try:
        return os.open("/proc/self/statm", os.O_RDONLY)
    except OSError:  # not a Linux: no figure, and no limit on the address space either
        return -1


_STATM = _open_statm()  # opened before everything closes


def _address_space() -> int:
    return int(os.pread(_STATM, 64, 0).split()[0]) * os.sysconf("SC_PAGE_SIZE") if _STATM >= 0 else 0
