"""One file through reading, structure and store; many files over any ``concurrent.futures.Executor``.

``digest`` is what runs in a worker: bytes in, encoded files out, so that the caller stores them without ever decoding a page. ``Ingest``
says what became of a file; failures are values here, since one bad file must not end a run over a thousand.
"""

from __future__ import annotations

import hashlib
import logging
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pageindex.document import DocumentRecord, Edition, PageState, Tree
from pageindex.errors import InputError, LimitError, NotFoundError, PageIndexError
from pageindex.limits import DEFAULT_LIMITS, Limits
from pageindex.progress import Progress, ProgressCallback, silent
from pageindex.store.base import ROOT_FOLDER, Addition, Attempt, Library, Outcome

__all__ = [
    "Digest",
    "Ingest",
    "Request",
    "add_file",
    "add_many",
    "digest",
    "digest_isolated",
    "find_files",
    "foresee",
    "page_summary",
    "raise_failure",
]

_log = logging.getLogger(__name__)

SUFFIXES = frozenset({".pdf", ".md", ".markdown", ".html", ".htm", ".xhtml", ".docx", ".txt", ".text"})
_GLOB = frozenset("*?[")
_STRUCTURE_STAGE = "structure"


@dataclass(frozen=True, slots=True)
class Digest:
    """A file, read and structured: what one ingest stores.

    Attributes:
        edition_id: 64 hex.
        source_sha256: Of the bytes that were read.
        media_type: Of the source.
        files: ``edition.json, pages.json, lines.json.gz, tree.json, summaries.json``, encoded.
        facts: Fields of the record: ``title, language, page_count, page_states, flags, toc_source, notes, sections, status``.
    """

    edition_id: str
    source_sha256: str
    media_type: str
    files: Mapping[str, bytes]
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Request:
    """One file to index.

    Attributes:
        source: A file, or its bytes.
        name: File name the user will know it by; taken from the path when empty, and needed for bytes.
        password: For encrypted files.
        metadata, folder_id: The user's own.
        limits: Under which the file is read.
    """

    source: Path | bytes
    name: str = ""
    password: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    folder_id: str = ROOT_FOLDER
    limits: Limits = DEFAULT_LIMITS

    @property
    def title(self) -> str:
        """How the file is called in progress and errors."""
        return self.name or (self.source.name if isinstance(self.source, Path) else "bytes")

    @property
    def path(self) -> str:
        """Absolute path of the file; empty for bytes."""
        return str(self.source.absolute()) if isinstance(self.source, Path) else ""


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


def digest(
    source: Path | bytes,
    name: str,
    password: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    progress: ProgressCallback = silent,
) -> Digest:
    """Read a file and build its tree, in this process. Pure: nothing is stored.

    Raises:
        InputError: In one of its kinds, when the file cannot be read.
        LimitError: When it is larger than ``limits`` allow.
    """
    from pageindex.document.codec import encode_edition, encode_json, tree_to_json
    from pageindex.reading import read, read_bytes
    from pageindex.structure import build_tree

    if isinstance(source, bytes):
        edition = read_bytes(source, name, password=password, limits=limits, progress=progress)
    else:
        edition = read(source, password=password, limits=limits, progress=progress)
    progress(Progress(name, _STRUCTURE_STAGE, 0, edition.page_count))
    tree = build_tree(edition)
    files = {
        **encode_edition(edition),
        "tree.json": encode_json(tree_to_json(tree)),
        "summaries.json": _encode_summaries(edition, tree),
    }
    return Digest(edition.id, edition.source.sha256, edition.source.media_type, files, _facts(edition, tree))


def digest_isolated(request: Request, progress: ProgressCallback = silent) -> Digest:
    """Read one file in a worker of its own, under its limits, and build its tree; nothing is stored.

    Raises:
        PageIndexError: Whatever stopped it.
    """
    from pageindex.reading import WorkerPool

    _hash(request)  # a missing, unreadable or oversized file is told before a worker starts
    with WorkerPool(1, on_progress=progress) as pool:
        future = pool.submit(digest, request.source, request.title, request.password, request.limits)
        failure = future.exception()
    if failure is not None:
        raise _as_known_error(failure, request.title)
    return future.result()


def _encode_summaries(edition: Edition, tree: Tree) -> bytes:
    from pageindex.document import Summaries
    from pageindex.document.codec import encode_json, summaries_to_json

    return encode_json(summaries_to_json(Summaries(edition.id)))


def _facts(edition: Edition, tree: Tree) -> dict[str, Any]:
    flags: dict[str, list[int]] = {}
    for page in edition.pages:
        for flag in page.flags:
            flags.setdefault(flag.name, []).append(page.number)
    states = page_summary(edition)
    return {
        "title": tree.title,
        "language": tree.language or edition.info.get("language", ""),
        "page_count": edition.page_count,
        "page_states": states,
        "flags": flags,
        "toc_source": tree.toc_source.value,
        "notes": [
            {"code": note.code, "message": note.message, "page": note.page} for note in (*edition.notes, *tree.notes)
        ],
        "sections": sum(1 for _ in tree.walk()),
        "status": "partial" if PageState.FAILED.value in states else "completed",
        "description": "",
        "usage": {},
    }


def page_summary(edition: Edition) -> dict[str, list[int]]:
    """Pages that are not plain text, by state: ``{"image_only": [3, 4]}``."""
    states: dict[str, list[int]] = {}
    for page in edition.pages:
        if page.state is not PageState.TEXT:
            states.setdefault(page.state.value, []).append(page.number)
    return states


# ---------------------------------------------------------------- which files


def find_files(inputs: Iterable[str | Path]) -> list[Path]:
    """The files that some paths, folders and globs name, each once, in order.

    A folder stands for every file below it whose suffix is read here; hidden files and folders are left out. A file that is named
    itself is taken whatever it is called. Raises NotFoundError when one of the inputs names nothing.
    """
    found: dict[Path, None] = {}
    for given in inputs:
        path = Path(given).expanduser()
        if path.is_dir():
            matches = sorted(_below(path))
            missing = f"{path} holds no file that is read here"
        elif path.exists():
            matches, missing = [path], ""
        else:
            matches = sorted(_glob(path))
            missing = f"{path} does not exist" if not _GLOB & set(str(path)) else f"{path} matches no file"
        if not matches:
            raise NotFoundError(missing, f"Give a file, a folder or a glob; read are {', '.join(sorted(SUFFIXES))}.")
        found.update(dict.fromkeys(Path(os.path.normpath(match.absolute())) for match in matches))
    return list(found)


def _below(folder: Path) -> Iterator[Path]:
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (
            Path(root, name) for name in files if not name.startswith(".") and Path(name).suffix.lower() in SUFFIXES
        )


def _glob(path: Path) -> Iterator[Path]:
    if _GLOB & set(str(path)):
        pattern = str(path.relative_to(path.anchor))
        yield from (match for match in Path(path.anchor).glob(pattern) if match.is_file())


# ---------------------------------------------------------------- one file and many


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
    if library.known(_hash(request), request.path) is not None:
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
        sha256 = _hash(request)
        known = library.known(sha256, request.path)
    except PageIndexError as error:
        return _Started(request, "", clock), error
    started = _Started(request, sha256, clock)
    return started, ((known, Outcome.UNCHANGED) if known is not None else None)


def _hash(request: Request) -> str:
    limit = request.limits.file_bytes
    if isinstance(request.source, bytes):
        if not request.name:
            raise InputError("bytes have no name", "Give a name with the suffix of the format, such as report.pdf.")
        _check_size(len(request.source), limit, request.title)
        return hashlib.sha256(request.source).hexdigest()
    path = request.source
    if path.is_dir():
        raise InputError(f"{path} is a folder", "Name a file in it.", code="IS_A_FOLDER")
    try:
        with path.open("rb") as stream:
            _check_size(os.fstat(stream.fileno()).st_size, limit, request.title)
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except FileNotFoundError as error:
        raise NotFoundError(f"{path} does not exist", "Check the path.") from error
    except OSError as error:
        raise InputError(
            f"{path} cannot be read: {error.strerror}", "Check its permissions.", code="UNREADABLE"
        ) from error


def _check_size(size: int, limit: int, name: str) -> None:
    if size > limit:
        raise LimitError(f"{name} has {size:,} bytes; at most {limit:,} are read", code="FILE_TOO_LARGE", limit=limit)


def _commit(library: Library, started: _Started, future: Future[Digest]) -> _Result:
    failure = future.exception()
    if failure is not None:
        return _as_known_error(failure, started.request.title)
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


def _as_known_error(failure: BaseException, name: str) -> PageIndexError:
    if isinstance(failure, PageIndexError):
        return failure
    if not isinstance(failure, Exception):
        raise failure  # KeyboardInterrupt and its like are no outcome of a file
    _log.error("reading %s raised %r", name, failure, exc_info=failure)
    return PageIndexError(
        f"{name} stopped its reader: {type(failure).__name__}: {failure}",
        "Leave the file out, and report it: this should have been a clearer error.",
        code="READER_FAILED",
    )


def _finish(library: Library, started: _Started, result: _Result, progress: ProgressCallback) -> Ingest:
    request, seconds = started.request, time.monotonic() - started.clock
    if isinstance(result, PageIndexError):
        ingest = Ingest(request, error=result, seconds=seconds)
        outcome, doc_id, message = result.code, "", result.message
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
