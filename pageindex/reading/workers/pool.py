"""Worker processes with limits, a sandbox and a kill: what a hostile file does to its reader stays there.

PDFium may abort, hang or fill the memory on a file of a few kilobytes, and no exception handler helps against that. A worker is a
fresh interpreter (never a fork of a threaded process) that takes one call after another; one that dies is replaced.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

from pageindex.errors import PageIndexError, SettingsError
from pageindex.limits import DEFAULT_LIMITS, Limits
from pageindex.progress import ProgressCallback
from pageindex.reading.workers.frames import Content, Kept, Request
from pageindex.reading.workers.recovery import can_avoid, with_recovery
from pageindex.reading.workers.worker import DeathError, Worker

__all__ = ["Content", "Kept", "WorkerPool", "run_isolated"]

_Result = TypeVar("_Result")

#: How often a call is made again whose worker died of something else.
RETRIES = 2


class WorkerPool:
    """Worker processes for calls on files; use it in ``with``.

    Args:
        jobs: How many work at the same time, at least 1.
        limits: For calls that have no ``Limits`` among their arguments.
        on_progress: When given, every call gets a keyword ``progress`` whose steps arrive here, on a thread of the pool.
        readable: Folders that workers may read besides installed packages, such as that of functions of your own.
    """

    def __init__(
        self,
        jobs: int = 1,
        limits: Limits = DEFAULT_LIMITS,
        *,
        on_progress: ProgressCallback | None = None,
        readable: Sequence[Path] = (),
    ) -> None:
        if jobs < 1:
            raise SettingsError(f"A pool needs at least one worker, not {jobs}.", "Give jobs=1 or more.")
        self._limits, self._on_progress = limits, on_progress
        self._readable = [str(path.absolute()) for path in readable]
        self._threads = ThreadPoolExecutor(jobs, thread_name_prefix="pageindex-worker")
        self._idle: list[Worker] = []
        self._all: set[Worker] = set()
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
            target: ``module:function``, or the function itself (one that can be imported). What it gives arrives as the type that it
                declares; that of a name, as plain values.
            args, kwargs: Plain values, paths, ``Limits``, and for bytes also ``Content`` or ``Kept``: a worker can open no file, so
                its bytes are read here. A ``Limits`` among them is the limit of this call.

        A function with a parameter ``avoid`` is called again without the pages that killed its worker; see ``recovery``.

        The future raises what the function raised, if that is an error of this package, or:
            PageIndexError: Another error (READER_FAILED).
            LimitError: Out of time (TIME_LIMIT) or memory (MEMORY_LIMIT); the worker was killed.
            DamagedFileError: The worker died (READER_CRASHED).
        """
        limits = next((value for value in (*args, *kwargs.values()) if isinstance(value, Limits)), self._limits)
        return self.submit_within(limits, target, *args, **kwargs)

    def submit_within(
        self, limits: Limits, target: str | Callable[..., _Result], /, *args: Any, **kwargs: Any
    ) -> Future[_Result]:
        """The same within limits that the function itself does not take."""
        request = Request(_name(target), args, kwargs, limits, self._on_progress is not None)
        return self._threads.submit(self._run, target, request)

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
            worker.stop()
        self._threads.shutdown(wait=True)
        for worker in workers:
            worker.kill()

    def _run(self, target: str | Callable[..., Any], request: Request) -> Any:
        try:
            if isinstance(target, str):
                return self._call(request, Any)
            kind = _result_type(target)
            if can_avoid(target):
                return with_recovery(self._call, target, request, kind)
            return self._call(request, kind)
        except DeathError as death:
            raise death.error from death.__cause__

    def _call(self, request: Request, kind: Any) -> Any:
        """One call, made again when its worker died of something else; raises DeathError."""
        for attempt in range(RETRIES + 1):
            worker = self._take(next((value.key for value in request.args if isinstance(value, Kept)), None))
            try:
                return worker.call(request, kind, self._on_progress)
            except DeathError as death:
                if not death.blameless or attempt == RETRIES or self._closed:
                    raise
            except PageIndexError:
                raise
            except BaseException:
                worker.ends = True
                raise
            finally:
                self._put_back(worker)
        raise AssertionError("a call is made at least once")

    def _take(self, key: int | None) -> Worker:
        """An idle worker that lives, if possible the one that keeps a content; else a new one."""
        with self._lock:
            idle = sorted(self._idle, key=lambda worker: worker.keeps(key))
            while idle:
                worker = idle.pop()
                self._idle.remove(worker)
                if worker.lives:
                    return worker
                self._all.discard(worker)
                worker.kill()
        worker = Worker(self._readable)
        with self._lock:
            self._all.add(worker)
            closed = self._closed
        if closed:
            worker.stop()
        return worker

    def _put_back(self, worker: Worker) -> None:
        if worker.ends:
            worker.kill()
            with self._lock:
                self._all.discard(worker)
        else:
            with self._lock:
                self._idle.append(worker)


def run_isolated(
    target: str | Callable[..., _Result],
    /,
    *args: Any,
    limits: Limits = DEFAULT_LIMITS,
    on_progress: ProgressCallback | None = None,
    readable: Sequence[Path] = (),
    **kwargs: Any,
) -> _Result:
    """One call in a worker of its own; see ``WorkerPool.submit``."""
    with WorkerPool(1, limits, on_progress=on_progress, readable=readable) as pool:
        return pool.submit(target, *args, **kwargs).result()


@lru_cache(maxsize=64)
def _result_type(function: Callable[..., Any]) -> Any:
    return get_type_hints(function).get("return", Any)


def _name(target: str | Callable[..., Any]) -> str:
    if isinstance(target, str):
        return target
    if target.__module__ == "__main__" or "<" in target.__qualname__:
        raise SettingsError(
            f"{target.__qualname__} cannot be imported by a worker.", "Define it at the top of a module."
        )
    return f"{target.__module__}:{target.__qualname__}"
