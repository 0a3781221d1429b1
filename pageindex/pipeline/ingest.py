"""Files into a library: one at a time or many side by side, over workers of our own or any executor.

``Ingest`` says what became of a file. Failures are values here, since one bad file must not end a run over a thousand.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pageindex.document import DocumentRecord
from pageindex.errors import InputError, NotFoundError, PageIndexError
from pageindex.pipeline.reading import Digest, Request, digest, digest_isolated, known_error, source_sha256
from pageindex.progress import Progress, ProgressCallback, silent
from pageindex.store.base import Addition, Attempt, Library, Outcome

__all__ = ["Ingest", "add_file", "add_many", "foresee", "raise_failure"]


@dataclass(frozen=True, slots=True)
class Ingest:
    """What became of one file: a record and what was done, or the error that stopped it.

    ``seconds`` is wall-clock time from the request's start to the commit.
    """

    request: Request
    record: DocumentRecord | None = None
    outcome: Outcome | None = None
    error: PageIndexError | None = None
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        return self.error is None


def add_file(library: Library, request: Request, *, progress: ProgressCallback = silent) -> Ingest:
    """Index one file in a worker of its own and commit it; the attempt is recorded, a failure included.

    Raises:
        PageIndexError: Whatever stopped it.
    """
    (ingest,) = add_many(library, [request], jobs=1, progress=progress)
    return raise_failure(ingest)


def raise_failure(ingest: Ingest) -> Ingest:
    """The ingest, unless it failed: then its error is raised."""
    if ingest.error is not None:
        raise ingest.error
    return ingest


def add_many(
    library: Library,
    requests: Iterable[Request],
    *,
    jobs: int = 0,
    executor: Executor | None = None,
    progress: ProgressCallback = silent,
) -> Iterator[Ingest]:
    """Index files side by side, and yield each as it is done. One bad file never ends the run.

    Args:
        library: Where they go. Commits happen here, one at a time.
        requests: Taken only as fast as there are workers.
        jobs: Worker processes of our own; 0 means one per processor. Each file has its own time and memory limit.
        executor: Any executor, such as a cluster's, in place of our own workers: its workers need this package and a view of the same
            paths. Each file is still read in a process of its own there, under its limits; steps are not heard of.
        progress: Called from this thread and from one that listens to the workers.
    """
    if jobs < 0:
        raise InputError(f"{jobs} jobs make no sense", "Give 1 or more, or 0 for one per processor.")
    workers = jobs or os.cpu_count() or 1
    if executor is not None:

        def submit(request: Request) -> Future[Digest]:
            return executor.submit(digest_isolated, request)

        yield from _run(library, requests, submit, workers, progress)
        return
    from pageindex.reading import WorkerPool

    with WorkerPool(workers, on_progress=progress) as pool:

        def submit_own(request: Request) -> Future[Digest]:
            return pool.submit(digest, request.source, request.title, request.password, request.limits)

        yield from _run(library, requests, submit_own, workers, progress)


def foresee(library: Library, path: Path) -> str:
    """What ``add_file`` would do with a file, without reading more than its bytes: ``add``, ``new edition`` or ``unchanged``.

    Raises:
        InputError: The file cannot be opened.
    """
    request = Request(path)
    if library.known(source_sha256(request), request.path) is not None:
        return "unchanged"
    try:
        record = library.resolve(request.path)
    except NotFoundError:
        return "add"
    return "new edition" if record.source_path == request.path else "add"


@dataclass(frozen=True, slots=True)
class _Started:
    """A request under way. The hash is of the file as it was when the request began; the reader's own is what gets stored."""

    request: Request
    sha256: str
    clock: float


def _run(
    library: Library,
    requests: Iterable[Request],
    submit: Callable[[Request], Future[Digest]],
    workers: int,
    progress: ProgressCallback,
) -> Iterator[Ingest]:
    running: dict[Future[Digest], _Started] = {}
    queue = iter(requests)
    exhausted = False
    while running or not exhausted:
        while not exhausted and len(running) < 2 * workers:
            request = next(queue, None)
            if request is None:
                exhausted = True
                break
            started, early = _start(library, request)
            if early is None:
                running[submit(request)] = started
            else:
                yield _finish(library, started, early, progress)
        if running:
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                started = running.pop(future)
                yield _finish(library, started, _commit(library, started, future), progress)


_Result = tuple[DocumentRecord, Outcome] | PageIndexError


def _start(library: Library, request: Request) -> tuple[_Started, _Result | None]:
    """What is known before any page is read: the hash, and whether the library has these bytes already."""
    clock = time.monotonic()
    try:
        sha256 = source_sha256(request)
        known = library.known(sha256, request.path)
    except PageIndexError as error:
        return _Started(request, "", clock), error
    started = _Started(request, sha256, clock)
    return started, ((known, Outcome.UNCHANGED) if known is not None else None)


def _commit(library: Library, started: _Started, future: Future[Digest]) -> _Result:
    failure = future.exception()
    if failure is not None:
        return known_error(failure, started.request.title)
    result, request = future.result(), started.request
    addition = Addition(
        name=request.title,
        source=request.source,
        source_path=request.path,
        source_sha256=result.source_sha256,
        media_type=result.media_type,
        edition_id=result.edition_id,
        files=result.files,
        facts=result.facts,
        metadata=request.metadata,
        folder_id=request.folder_id,
    )
    try:
        added = library.add(addition)
    except PageIndexError as error:
        return error
    return added.record, added.outcome


def _finish(library: Library, started: _Started, result: _Result, progress: ProgressCallback) -> Ingest:
    request, seconds = started.request, time.monotonic() - started.clock
    if isinstance(result, PageIndexError):
        ingest = Ingest(request, error=result, seconds=seconds)
        outcome, doc_id, message = str(result.code), "", result.message
    else:
        record, done = result
        ingest = Ingest(request, record, done, seconds=seconds)
        outcome, doc_id, message = done.value, record.doc_id, ""
    at = datetime.now(UTC).isoformat(timespec="seconds")
    library.record_attempt(
        Attempt(at, request.path or request.title, started.sha256, outcome, doc_id, message, round(seconds, 3))
    )
    progress(Progress(request.title, "done" if ingest.ok else "failed", note=message or outcome))
    return ingest
