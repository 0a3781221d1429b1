"""One worker process, as its owner sees it: how it starts, what it is sent, what it may use, and what its death means."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, cast

from pageindex.errors import DamagedFileError, InputError, LimitError, PageIndexError
from pageindex.limits import Limits
from pageindex.progress import Progress, ProgressCallback
from pageindex.reading.workers import sandbox, steps
from pageindex.reading.workers.frames import (
    OUT_OF_MEMORY,
    Content,
    Fault,
    Kept,
    Request,
    UnintelligibleError,
    decode,
    read_reply,
    write_request,
)

__all__ = ["DeathError", "Worker"]

#: One thread per worker: numeric libraries reserve address space for each of theirs.
_THREADS = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}

_START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1])['path']; "
    "from pageindex.reading.workers.child import main; main()"
)

_POSIX = os.name == "posix"

#: What ends a worker from outside: a user, the system, a machine out of memory.
_FROM_OUTSIDE = (signal.SIGTERM, getattr(signal, "SIGKILL", None), getattr(signal, "SIGHUP", None), signal.SIGINT)

_OUT_OF_TIME, _STEP_OUT_OF_TIME = ("SIGXCPU", "SIGVTALRM"), "SIGPROF"

#: Contents that a worker keeps between calls, and their bytes.
MOST_CONTENTS, MOST_KEPT = 4, 256 << 20

#: Seconds in which a worker that has closed its pipe ends by itself.
ENDING = 5.0


class DeathError(Exception):
    """A worker ended before it answered, or a step of its call failed in a way that nobody foresaw.

    Attributes:
        error: What that means for the call.
        step: What it was doing.
        blameless: Whether the call has nothing to do with it, so that it may be tried again.
    """

    def __init__(self, error: PageIndexError, step: steps.Step | None, *, blameless: bool = False) -> None:
        super().__init__(str(error))
        self.error, self.step, self.blameless = error, step, blameless


class Worker:
    """A process and the pipes to it. ``readable`` are folders that it may read besides installed packages."""

    def __init__(self, readable: Sequence[str] = ()) -> None:
        self._place = _shared_memory("place", steps.SIZE) if _POSIX else -1
        self._last_words = _shared_memory("last-words", 0) if _POSIX else -1
        heard, self._lifeline = os.pipe() if _POSIX else (-1, -1)
        path = [os.path.abspath(folder) for folder in sys.path if folder]  # noqa: PTH100 - of a string, without a look at the disk
        settings = {"path": path, "readable": list(readable), "lifeline": heard, "place": self._place}
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _START, json.dumps(settings)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._last_words if self._last_words >= 0 else subprocess.DEVNULL,
                env=_environment(),
                cwd=os.sep if _POSIX else None,
                pass_fds=(heard, self._place) if _POSIX else (),
                start_new_session=_POSIX,
            )
        finally:
            if heard >= 0:
                os.close(heard)
        self._in = cast(BinaryIO, self._process.stdin)
        self._out = cast(BinaryIO, self._process.stdout)
        self._calls = 0
        self._late = False
        self._kept: dict[int, int] = {}
        self.ends = False
        _living.add(self)

    @property
    def lives(self) -> bool:
        return self._process.poll() is None

    def keeps(self, key: int | None) -> bool:
        """Whether it has the content of this key."""
        return key in self._kept

    def call(self, request: Request, kind: Any, on_progress: ProgressCallback | None = None) -> Any:
        """Make one call and wait for what it gives, as a value of type ``kind``. ``ends`` says whether the worker takes another.

        Raises:
            PageIndexError: What the function raised.
            DeathError: The worker ended, or had to be ended, before it answered.
        """
        self._calls += 1
        self._late = False
        timer = threading.Timer(request.limits.wall_seconds, self._stop)
        timer.daemon = True
        timer.start()
        try:
            return self._call(request, kind, on_progress)
        except (EOFError, BrokenPipeError, ProcessLookupError):
            self.ends = True
            raise self._death(request.limits) from None
        except UnintelligibleError as error:
            self.ends = True
            text = f"Its reader gave an answer that is none: {error}."
            raise DeathError(DamagedFileError(text, code="READER_CRASHED"), self._where()[1]) from error
        finally:
            timer.cancel()

    def _call(self, request: Request, kind: Any, on_progress: ProgressCallback | None) -> Any:
        self._limit(request.limits)
        with contextlib.suppress(BrokenPipeError):  # it may have said why it stopped listening
            self._send(request)
        while True:
            reply = read_reply(self._out, request.limits.memory_bytes)
            if reply.kind == "progress":
                step = decode(reply.value, Progress)
                if on_progress is not None:
                    on_progress(step)
                continue
            self.ends = reply.ends
            if reply.kind == "result":
                return decode(reply.value, kind)
            error = decode(reply.value, Fault).error()
            if error.code == "READER_FAILED" and (step := self._where()[1]):
                raise DeathError(error, step)  # the worker lives; the step can be left out as if it had not
            raise error

    def _send(self, request: Request) -> None:
        new = {
            kept.key: _size(kept.content)
            for kept in request.args
            if isinstance(kept, Kept) and not self.keeps(kept.key)
        }
        forget = self._to_forget(new)
        try:
            write_request(self._in, replace(request, forget=forget), self._kept)
        except BrokenPipeError:
            raise
        except OSError as error:
            self.ends = True
            step = "Try again when nothing writes to it."
            raise InputError(f"The file cannot be read: {error}", step, code="UNREADABLE") from error
        for key in forget:
            del self._kept[key]
        self._kept |= new

    def _to_forget(self, new: Mapping[int, int]) -> tuple[int, ...]:
        """Keys of the contents that give way to new ones, the oldest first."""
        if not new:
            return ()
        held, forget = dict(self._kept), []
        while held and (len(held) >= MOST_CONTENTS or sum(held.values()) + sum(new.values()) > MOST_KEPT):
            forget.append(oldest := next(iter(held)))
            del held[oldest]
        return tuple(forget)

    def _limit(self, limits: Limits) -> None:
        """Set what the process may use from now on. It cannot lift that by itself."""
        try:
            from resource import RLIM_INFINITY, RLIMIT_AS, RLIMIT_CPU, prlimit
        except ImportError:  # not a Linux: the clock alone limits
            return
        pid = self._process.pid
        try:
            pages = int(Path(f"/proc/{pid}/statm").read_text().split()[0])
            spent = time.clock_gettime(~pid << 3 | 2)  # the processor time of another process
        except (OSError, IndexError, ValueError):
            raise ProcessLookupError from None
        prlimit(pid, RLIMIT_AS, (pages * os.sysconf("SC_PAGE_SIZE") + limits.memory_bytes, RLIM_INFINITY))
        prlimit(pid, RLIMIT_CPU, (int(spent + limits.seconds) + 1, RLIM_INFINITY))

    def _stop(self) -> None:
        self._late = True
        self._process.kill()

    def _where(self) -> tuple[int, steps.Step | None]:
        return steps.read_place(self._place) if self._place >= 0 else (self._calls, None)

    def _death(self, limits: Limits) -> DeathError:
        try:
            status = self._process.wait(ENDING)
        except subprocess.TimeoutExpired:  # it has closed its pipe, and still runs
            self._process.kill()
            status = self._process.wait()
        begun, step = self._where()
        error = self._meaning(status, limits)
        outside = status < 0 and -status in _FROM_OUTSIDE and not self._late
        of_file = self._late or _signal_name(status) in _OUT_OF_TIME  # wherever it was
        return DeathError(error, None if of_file else step, blameless=begun < self._calls or outside)

    def _meaning(self, status: int, limits: Limits) -> PageIndexError:
        cause = _signal_name(status) or f"exit status {status}"
        if self._late:
            text = f"Reading it took longer than {limits.wall_seconds:g} seconds and was stopped."
            return LimitError(text, code="TIME_LIMIT", seconds=limits.wall_seconds)
        if cause in (*_OUT_OF_TIME, _STEP_OUT_OF_TIME):
            seconds = limits.seconds if cause in _OUT_OF_TIME else limits.page_seconds
            text = f"Reading it took longer than {seconds:g} seconds of processor time and was stopped."
            return LimitError(text, code="TIME_LIMIT", seconds=seconds)
        if status < 0 and -status in _FROM_OUTSIDE:
            text = f"Its reader was killed from outside ({cause}), most likely because the machine ran out of memory."
            return LimitError(text, "Use fewer jobs at a time, or leave this file out.", code="READER_KILLED")
        if status == OUT_OF_MEMORY or (cause == "SIGABRT" and self._aborted_in_silence()):
            text = f"Reading it needs more than the {limits.memory_bytes >> 20} MiB of memory that it may have."
            return LimitError(text, code="MEMORY_LIMIT", memory_bytes=limits.memory_bytes)
        text = f"Its reader crashed ({cause}): the file is damaged or hostile."
        return DamagedFileError(text, code="READER_CRASHED", cause=cause)

    def _aborted_in_silence(self) -> bool:
        """PDFium aborts without a word when it gets no memory; whoever aborts for another reason says which."""
        words = os.pread(self._last_words, 4096, 0) if self._last_words >= 0 else b"unknown"
        return not words.strip() or b"bad_alloc" in words

    def stop(self) -> None:
        """End the process, from any thread; whoever waits for its answer learns of its death."""
        if self.lives:
            self._process.kill()

    def kill(self) -> None:
        """End the process, wait until it has ended, and give back what it held."""
        self.stop()
        self._process.wait()
        for pipe in (self._in, self._out):
            with contextlib.suppress(BrokenPipeError):  # what was left in the buffer can no longer be delivered
                pipe.close()
        self._let_go()

    def _let_go(self) -> None:
        for descriptor in (self._lifeline, self._place, self._last_words):
            if descriptor >= 0:
                os.close(descriptor)
        self._lifeline = self._place = self._last_words = -1


_living: weakref.WeakSet[Worker] = weakref.WeakSet()


def _forget_after_fork() -> None:
    """A copy of the owner must not keep its workers alive."""
    for worker in _living:
        worker._let_go()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_after_fork)


def _signal_name(status: int) -> str:
    return signal.Signals(-status).name if status < 0 else ""


def _size(content: Content | bytes) -> int:
    return len(content) if isinstance(content, bytes) else content.path.stat().st_size


def _environment() -> dict[str, str]:
    return {**{name: os.environ[name] for name in sandbox.KEPT_VARIABLES if name in os.environ}, **_THREADS}


def _shared_memory(name: str, size: int) -> int:
    """Bytes that the worker writes and its owner reads, after the death of the worker too."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create(f"pageindex-worker-{name}")
    else:
        with tempfile.TemporaryFile() as file:
            descriptor = os.dup(file.fileno())
    os.ftruncate(descriptor, size)
    return descriptor
