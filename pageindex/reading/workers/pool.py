"""Worker processes with a memory limit, a deadline and a kill: what a hostile file does to its reader stays there.

PDFium may abort, hang or fill the memory on a file of a few kilobytes, and no exception handler helps against that. A worker is a
fresh interpreter (never a fork of a threaded process) that takes one job after another; one that dies is replaced.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from queue import Empty, SimpleQueue
from typing import Any, BinaryIO, TypeVar, cast

from pageindex.errors import DamagedFileError, LimitError, SettingsError
from pageindex.limits import DEFAULT_LIMITS, Limits
from pageindex.progress import ProgressCallback
from pageindex.reading.workers.child import Job, Reply
from pageindex.reading.workers.frames import receive, send

__all__ = ["WorkerPool", "run_isolated"]

_Result = TypeVar("_Result")

#: One thread per worker: numeric libraries reserve address space for each of theirs.
_ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}

_START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from pageindex.reading.workers.child import main; main()"
)


class WorkerPool:
    """Worker processes for calls on files; use it in ``with``.

    Args:
        jobs: How many work at the same time, at least 1.
        limits: For calls that have no ``Limits`` among their arguments. Only ``seconds`` and ``memory_bytes`` matter here.
        on_progress: When given, every call gets a keyword ``progress`` whose steps arrive here, on a thread of the pool.
    """

    def __init__(
        self, jobs: int = 1, limits: Limits = DEFAULT_LIMITS, *, on_progress: ProgressCallback | None = None
    ) -> None:
        if jobs < 1:
            raise SettingsError(f"A pool needs at least one worker, not {jobs}.", "Give jobs=1 or more.")
        self._limits, self._on_progress = limits, on_progress
        self._threads = ThreadPoolExecutor(jobs, thread_name_prefix="pageindex-worker")
        self._idle: SimpleQueue[_Worker] = SimpleQueue()
        self._all: set[_Worker] = set()
        self._lock = threading.Lock()
        self._closed = False

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            self.kill()

    def submit(self, target: str | Callable[..., _Result], /, *args: Any, **kwargs: Any) -> Future[_Result]:
        """Call a function of a module in a worker.

        Args:
            target: ``module:function``, or the function itself (one that can be imported).
            args, kwargs: Anything that can be pickled. A ``Limits`` among them is the limit of this call.

        The future raises what the function raised, or:
            LimitError: Out of time (TIME_LIMIT) or memory (MEMORY_LIMIT); the worker was killed.
            DamagedFileError: The worker died (READER_CRASHED).
        """
        limits = next((value for value in (*args, *kwargs.values()) if isinstance(value, Limits)), self._limits)
        job = Job(_name(target), args, kwargs, limits.seconds, limits.memory_bytes, self._on_progress is not None)
        return self._threads.submit(self._call, job)

    def close(self) -> None:
        """Finish what was submitted, then end the workers."""
        self._threads.shutdown(wait=True)
        self.kill()

    def kill(self) -> None:
        """End the workers at once; calls that run end with an error, calls that wait are cancelled."""
        with self._lock:
            self._closed = True
            workers = list(self._all)
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.kill()
        self._threads.shutdown(wait=True)

    def _call(self, job: Job) -> Any:
        worker = self._take()
        try:
            reply = worker.run(job, self._on_progress)
        except BaseException:
            self._drop(worker)
            raise
        if reply.ends:
            self._drop(worker)
        else:
            self._idle.put(worker)
        if reply.kind == "error":
            raise reply.value
        return reply.value

    def _take(self) -> _Worker:
        try:
            return self._idle.get_nowait()
        except Empty:
            worker = _Worker()
        with self._lock:
            self._all.add(worker)
            closed = self._closed
        if closed:
            worker.kill()
        return worker

    def _drop(self, worker: _Worker) -> None:
        worker.kill()
        with self._lock:
            self._all.discard(worker)


def run_isolated(
    target: str | Callable[..., _Result],
    /,
    *args: Any,
    limits: Limits = DEFAULT_LIMITS,
    on_progress: ProgressCallback | None = None,
    **kwargs: Any,
) -> _Result:
    """One call in a worker of its own; see ``WorkerPool.submit``."""
    with WorkerPool(1, limits, on_progress=on_progress) as pool:
        return pool.submit(target, *args, **kwargs).result()


def _name(target: str | Callable[..., Any]) -> str:
    if isinstance(target, str):
        return target
    if target.__module__ == "__main__" or "<" in target.__qualname__:
        raise SettingsError(
            f"{target.__qualname__} cannot be imported by a worker.", "Define it at the top of a module."
        )
    return f"{target.__module__}:{target.__qualname__}"


class _Worker:
    """One process and the pipes to it."""

    def __init__(self) -> None:
        command = [sys.executable, "-c", _START, json.dumps(sys.path)]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **_ENVIRONMENT},
        )
        self._in = cast(BinaryIO, self._process.stdin)
        self._out = cast(BinaryIO, self._process.stdout)
        self._late = False

    def run(self, job: Job, on_progress: ProgressCallback | None) -> Reply:
        """The reply to a job; raises LimitError or DamagedFileError when the worker has to be, or is, dead."""
        self._late = False
        timer = threading.Timer(job.seconds, self._stop)
        timer.daemon = True
        timer.start()
        try:
            send(self._in, job)
            while True:
                reply: Reply = receive(self._out)
                if reply.kind != "progress":
                    return reply
                if on_progress is not None:
                    on_progress(reply.value)
        except (EOFError, BrokenPipeError):
            raise self._obituary(job) from None
        finally:
            timer.cancel()

    def _stop(self) -> None:
        self._late = True
        self._process.kill()

    def _obituary(self, job: Job) -> LimitError | DamagedFileError:
        status = self._process.wait()
        if self._late or status == -signal.SIGALRM:
            text = f"Reading it took longer than {job.seconds:g} seconds and was stopped."
            return LimitError(text, code="TIME_LIMIT", seconds=job.seconds)
        if status == -signal.SIGKILL:
            text = "Its reader was killed from outside, most likely because the machine ran out of memory."
            return LimitError(text, "Use fewer jobs at a time, or leave this file out.", code="READER_KILLED")
        cause = signal.Signals(-status).name if status < 0 else f"exit status {status}"
        limit = f"{job.memory_bytes >> 20} MiB"
        text = f"Its reader crashed ({cause}): the file is damaged or hostile, or needs more than {limit} of memory."
        return DamagedFileError(text, code="READER_CRASHED", cause=cause)

    def kill(self) -> None:
        """End the process, and wait until it has ended."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        for pipe in (self._in, self._out):
            try:
                pipe.close()
            except BrokenPipeError:  # what was left in the buffer can no longer be delivered
                continue
