"""Files into a library: one at a time or many side by side, over workers of our own or any executor.

``Ingested`` says what became of a file. Failures are values here, since one bad file must not end a run over a thousand.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pageindex.app.ingest.converting import ConvertedFile, convert, convert_isolated, installed_extractor, known_error
from pageindex.app.ingest.identity import differences, refine_options, tree_options, tree_shape, wants_refining
from pageindex.app.ingest.mishaps import MISHAPS, storing_error
from pageindex.app.ingest.refining import Refinement, estimate_file, forget_report, refine_document, refine_report
from pageindex.app.ingest.request import Request, source_sha256
from pageindex.app.models import indexing_model
from pageindex.config import Settings
from pageindex.document import DocumentRecord, Extractor
from pageindex.errors import InputError, NotFoundError, PageIndexError, SettingsError
from pageindex.limits import Limits
from pageindex.progress import Progress, ProgressCallback, silent
from pageindex.store.base import ROOT_FOLDER, Addition, Attempt, Library, Outcome

if TYPE_CHECKING:
    from pageindex.llm import Model
    from pageindex.refine import Estimate

__all__ = ["IngestOptions", "Ingested", "Plan", "ingest", "ingest_one", "plan"]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class IngestOptions:
    """How files are taken in.

    Attributes:
        settings: Models and refining. A model, merging or "no summaries" asks for refining; nothing else does.
        limits: Under which each file is read, and its tree built; None for those of the settings.
        jobs: Worker processes of our own; 0 means one per processor. Each file has its own time and memory limit.
        executor: Any executor, such as a cluster's, in place of our own workers: its workers need this package and a view of the same
            paths. Each file is still read in a process of its own there, under its limits; steps are not heard of.
    """

    settings: Settings = field(default_factory=Settings)
    limits: Limits | None = None
    jobs: int = 0
    executor: Executor | None = None

    def __post_init__(self) -> None:
        if self.jobs < 0:
            raise InputError(f"{self.jobs} jobs make no sense", "Give 1 or more, or 0 for one per processor.")
        if self.settings.mode == "standard" and not self.settings.for_index:
            raise SettingsError("mode 'standard' needs a model", "Name one, or leave the mode out.")

    @property
    def bounds(self) -> Limits:
        """The limits in force."""
        return self.limits or self.settings.limits


@dataclass(frozen=True, slots=True)
class Ingested:
    """What became of one file: a record and what was done, or the error that stopped it.

    Attributes:
        request: What was asked for.
        record: As it is now.
        outcome: What was done to the library.
        reason: Why the tree of known bytes was built anew; else empty.
        refinement: What refining gave, where it was asked for and not done before.
        error: What stopped the file; nothing of it is stored then.
        stopped: What ended refining this file, or the model's work on one before it: then this one was left unrefined.
        seconds: Wall-clock time from the request's start to the commit.
    """

    request: Request
    record: DocumentRecord | None = None
    outcome: Outcome | None = None
    reason: str = ""
    refinement: Refinement | None = None
    error: PageIndexError | None = None
    stopped: PageIndexError | None = None
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        return self.error is None


def ingest_one(
    library: Library,
    request: Request,
    options: IngestOptions | None = None,
    *,
    model: Model | None = None,
    progress: ProgressCallback = silent,
) -> Ingested:
    """Take in one file; the attempt is recorded, a failure included.

    Raises:
        PageIndexError: Whatever stopped it. What ended a model's work does not: it is in ``stopped``, and the document is there.
    """
    one = replace(options or IngestOptions(), jobs=1)
    (done,) = ingest(library, [request], one, model=model, progress=progress)
    if done.error is not None:
        raise done.error
    return done


def ingest(
    library: Library,
    requests: Iterable[Request],
    options: IngestOptions | None = None,
    *,
    model: Model | None = None,
    progress: ProgressCallback = silent,
) -> Iterator[Ingested]:
    """Take files in side by side, and yield each as it is done. One bad file never ends the run.

    Args:
        library: Where they go. Commits happen here, one at a time.
        requests: Taken only as fast as there are workers.
        options: How.
        model: For refining, when several calls share a budget; made from the settings otherwise. Its budget holds for all files of the
            run: once it is spent (or the key refused, or the provider down), the files after it are taken in unrefined, and say so.
        progress: Called from this thread and from one that listens to the workers.
    """
    chosen = options or IngestOptions()
    with _workers(chosen, progress) as submit:
        yield from _Run(library, chosen, submit, progress, model).over(requests)


@dataclass(frozen=True, slots=True)
class Plan:
    """What ``ingest`` would do with a file: ``add``, ``new edition``, ``rebuild`` or ``unchanged``, why, and what a model would cost.

    ``refuse`` it where ``error`` stands in the way.
    """

    request: Request
    action: str
    reason: str = ""
    estimate: Estimate | None = None
    error: PageIndexError | None = None


def plan(library: Library | None, requests: Iterable[Request], options: IngestOptions | None = None) -> Iterator[Plan]:
    """What ``ingest`` would do with each file, without storing anything or calling a model; without a library all are new.

    With a model, files that are not known are read for the estimate.
    """
    chosen = options or IngestOptions()
    with _workers(replace(chosen, jobs=1), silent) as submit:
        run = _Run(library, chosen, submit, silent, None)
        for request in requests:
            try:
                planned = run.plan(request)
                if chosen.settings.for_index and planned.action != "unchanged":
                    planned = replace(planned, estimate=estimate_file(request, chosen.settings, chosen.bounds))
            except PageIndexError as error:
                planned = Plan(request, "refuse", error=error)
            yield planned


# ---------------------------------------------------------------- workers

_Submit = Callable[..., "Future[Any]"]


@contextmanager
def _workers(options: IngestOptions, progress: ProgressCallback) -> Iterator[_Submit]:
    """Calls in workers: those of the executor, or of our own pool, which starts none before the first call."""
    if options.executor is not None:
        yield options.executor.submit
        return
    from pageindex.reading import WorkerPool

    with WorkerPool(options.jobs or os.cpu_count() or 1, options.bounds, on_progress=progress) as pool:
        yield pool.submit


# ---------------------------------------------------------------- one run


@dataclass(frozen=True, slots=True)
class _Started:
    """A request under way. The hash is of the file as it was when the request began; the reader's own is what gets stored."""

    request: Request
    sha256: str
    clock: float
    reasons: tuple[str, ...] = ()  # why known bytes are read again


@dataclass
class _Run:
    library: Library | None
    options: IngestOptions
    submit: _Submit
    progress: ProgressCallback
    model: Model | None
    stopped: PageIndexError | None = None  # a budget or key that is gone is gone for the files after it, too
    extractors: dict[str, Extractor | None] = field(default_factory=dict)

    def over(self, requests: Iterable[Request]) -> Iterator[Ingested]:
        running: dict[Future[ConvertedFile], _Started] = {}
        most = 2 * (self.options.jobs or os.cpu_count() or 1)
        queue = iter(requests)
        exhausted = False
        while running or not exhausted:
            while not exhausted and len(running) < most:
                request = next(queue, None)
                if request is None:
                    exhausted = True
                    break
                started, early = self._start(request)
                if early is None:
                    running[self._convert(request)] = started
                else:
                    yield self._finish(started, early)
            if running:
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    started = running.pop(future)
                    yield self._finish(started, self._commit(started, future))

    def plan(self, request: Request) -> Plan:
        if request.refused is not None:
            raise request.refused
        sha256 = source_sha256(request, self.options.bounds.file_bytes)
        if self.library is None:
            return Plan(request, "add")
        known = self.library.known(sha256, request.path)
        if known is not None:
            reasons = self._reasons(known)
            return Plan(request, "rebuild", "; ".join(reasons)) if reasons else Plan(request, "unchanged")
        try:
            record = self.library.resolve(request.path)
        except NotFoundError:
            return Plan(request, "add")
        return Plan(request, "new edition" if record.source_path == request.path else "add")

    # ------------------------------------------------------------ before reading

    def _start(self, request: Request) -> tuple[_Started, Ingested | None]:
        """What is known before any page is read: the hash, and whether the library has this tree already."""
        started = _Started(request, "", time.monotonic())
        if request.refused is not None:
            return started, Ingested(request, error=request.refused)
        try:
            sha256 = source_sha256(request, self.options.bounds.file_bytes)
            started = replace(started, sha256=sha256)
            known = self._open.known(sha256, request.path)
            reasons = self._reasons(known) if known is not None else ()
            if known is None or reasons:
                return replace(started, reasons=tuple(reasons)), None
            return started, Ingested(request, self._kept(known, request), Outcome.UNCHANGED)
        except MISHAPS as error:
            return started, Ingested(request, error=storing_error(error, request.title))

    def _kept(self, record: DocumentRecord, request: Request) -> DocumentRecord:
        """A document of known bytes with what the user wants kept beside it now; what was not given stays as it is."""
        metadata = {**record.metadata, **request.metadata}
        folder_id = record.folder_id if request.folder_id == ROOT_FOLDER else request.folder_id
        if metadata == record.metadata and folder_id == record.folder_id:
            return record
        return self._open.update(record.doc_id, metadata=metadata, folder_id=folder_id)

    @property
    def _open(self) -> Library:
        if self.library is None:
            raise SettingsError("there is no library to store into", "Open one.")
        return self.library

    def _reasons(self, record: DocumentRecord) -> list[str]:
        """Why a document of the same bytes would get another tree today."""
        recorded = record.shaped_by
        extractor = self._extractor(str(recorded.get("extractor", "")).partition(" ")[0])
        if extractor is None:
            return ["how it was read is not recorded"]
        found = differences(recorded, tree_options(extractor, self.options.bounds, self.options.settings))
        settings = self.options.settings
        if wants_refining(settings) and self.library is not None:
            report = refine_report(self.library, record)
            if report is not None and report.options:
                found += differences(report.options, refine_options(settings))
        return found

    def _extractor(self, name: str) -> Extractor | None:
        """The installed reader of that name, asked for in a worker: its library is not loaded here."""
        if not name:
            return None
        if name not in self.extractors:
            call = self.submit(installed_extractor, name)
            self.extractors[name] = call.result()
        return self.extractors[name]

    def _convert(self, request: Request) -> Future[ConvertedFile]:
        limits, shape = self.options.bounds, tree_shape(self.options.settings)
        if self.options.executor is not None:
            return self.submit(convert_isolated, request, limits, shape=shape)
        content = request.content(limits.file_bytes)
        return self.submit(convert, content, request.title, request.password, limits, shape=shape)

    # ------------------------------------------------------------ after reading

    def _commit(self, started: _Started, future: Future[ConvertedFile]) -> Ingested:
        request = started.request
        failure = future.exception()
        if failure is not None:
            return Ingested(request, error=known_error(failure, request.title))
        try:
            record, outcome = self._store(started, future.result())
        except MISHAPS as error:
            return Ingested(request, error=storing_error(error, request.title))
        return Ingested(request, record, outcome, "; ".join(started.reasons))

    def _store(self, started: _Started, converted: ConvertedFile) -> tuple[DocumentRecord, Outcome]:
        request, library = started.request, self._open
        addition = Addition(
            name=request.title,
            source=request.source,
            source_path=request.path,
            source_sha256=converted.source_sha256,
            media_type=converted.media_type,
            edition_id=converted.edition_id,
            files=converted.files,
            facts={
                **converted.facts,
                "shaped_by": tree_options(converted.extractor, self.options.bounds, self.options.settings),
            },
            metadata=request.metadata,
            folder_id=request.folder_id,
        )
        before = library.known(addition.source_sha256, addition.source_path)
        if started.reasons and before is not None:
            forget_report(
                library, before.doc_id, addition.edition_id
            )  # the tree to come is one that nobody has refined
        added = library.add(addition)
        if added.outcome is Outcome.NEW_EDITION:  # it may be an earlier one again
            forget_report(library, added.record.doc_id, addition.edition_id)
        record = added.record if added.outcome is Outcome.ADDED else self._kept(added.record, request)
        if added.outcome is not Outcome.UNCHANGED or not started.reasons:
            return record, added.outcome
        rebuilt = library.replace_derived(
            added.record.doc_id,
            converted.edition_id,
            tree=converted.tree(),
            summaries=converted.summaries(),
            facts=addition.facts,
        )
        return rebuilt, Outcome.REBUILT

    def _finish(self, started: _Started, done: Ingested) -> Ingested:
        done = self._refined(done)
        seconds = time.monotonic() - started.clock
        done = replace(done, seconds=seconds)
        request, error = done.request, done.error
        outcome = str(error.code) if error is not None else done.outcome.value if done.outcome is not None else ""
        attempt = Attempt(
            at=datetime.now(UTC).isoformat(timespec="seconds"),
            source_path=request.path or request.title,
            sha256=started.sha256,
            outcome=outcome,
            doc_id=done.record.doc_id if done.record is not None else "",
            message=error.message if error is not None else "",
            seconds=round(seconds, 3),
        )
        try:
            self._open.record_attempt(attempt)
        except MISHAPS as failure:  # the log is the lesser good: the file keeps what became of it
            why = storing_error(failure, request.title).message
            _log.warning("what became of %s is not in the log of attempts: %s", request.title, why)
        note = attempt.message or outcome
        self.progress(Progress(request.title, "done" if done.ok else "failed", note=note))
        return done

    # ------------------------------------------------------------ refining

    def _refined(self, done: Ingested) -> Ingested:
        """A file with its tree refined, where that is asked for. It is stored by now, and stays so whatever stops refining."""
        if done.record is None or not wants_refining(self.options.settings):
            return done
        try:
            return self._refine(done, done.record)
        except MISHAPS as error:
            return replace(done, stopped=storing_error(error, done.request.title))

    def _refine(self, done: Ingested, record: DocumentRecord) -> Ingested:
        settings = self.options.settings
        report = refine_report(self._open, record)
        if report is not None and report.completed:
            return done
        if self.stopped is not None:
            return replace(done, stopped=self.stopped)
        self.model = self.model or indexing_model(settings)
        refinement = refine_document(self._open, record.doc_id, settings, self.model, progress=self.progress)
        self.stopped = refinement.refined.stopped
        return replace(done, record=refinement.record, refinement=refinement, stopped=self.stopped)
