"""What ``add`` does with its files, and what it says of each."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pageindex import pipeline
from pageindex.cli.frame import emit, open_library, print_lines, write_json
from pageindex.cli.progress import progress_bars
from pageindex.cli.refined import refined_line, refined_to_json
from pageindex.cli.screen import Screen, counted, printable
from pageindex.errors import SOME_FAILED_STATUS, ModelError, NotFoundError, PageIndexError

if TYPE_CHECKING:
    from pageindex.config import Settings
    from pageindex.llm import Model
    from pageindex.pipeline import Ingest, Refinement, Request
    from pageindex.progress import ProgressCallback
    from pageindex.store.base import Library

__all__ = ["Done", "Intake", "show_plan", "wants_refining"]

_OUTCOMES = {"added": "added", "new_edition": "new edition", "unchanged": "unchanged"}


@dataclass(frozen=True, slots=True)
class Done:
    """A file that was taken in, or the error that stopped it, and what refining it gave."""

    ingest: Ingest
    refinement: Refinement | None = None

    @property
    def stopped(self) -> ModelError | None:
        """What ended the model's work on it."""
        return self.refinement.refined.stopped if self.refinement is not None else None

    @property
    def exit_code(self) -> int:
        failure: PageIndexError | None = self.ingest.error or self.stopped
        return failure.exit_code if failure is not None else 0


def wants_refining(settings: Settings) -> bool:
    """Whether anything beyond the tree and the sections' own words is asked for."""
    from pageindex.config import Optimize, SummaryMode

    return bool(settings.for_index) or settings.optimize is Optimize.MERGE or settings.summaries is SummaryMode.NONE


class Intake:
    """Takes files into a library, one line for each, and refines them where that is asked for."""

    def __init__(self, library: Library, settings: Settings, jobs: int, *, as_json: bool) -> None:
        self._library, self._settings, self._jobs, self._as_json = library, settings, jobs, as_json
        self._model = self._open_model() if settings.for_index else None
        self._spent = False  # a budget or key that is gone is gone for the files after it, too
        self.done: list[Done] = []

    def _open_model(self) -> Model:
        from pageindex.llm import Model

        return Model(self._settings)

    def run(self, requests: Sequence[Request]) -> int:
        """Take all in; returns the exit status."""
        live = sys.stderr.isatty() and sys.stdout.isatty()  # a line between moving bars would tear them
        try:
            with progress_bars(len(requests)) as progress:
                for ingest in pipeline.add_many(self._library, requests, jobs=self._jobs, progress=progress):
                    self.done.append(Done(ingest, self._refine(ingest, progress)))
                    if not live and not self._as_json:
                        _report(self.done[-1])
        finally:  # an interrupted run tells what it stored
            if live and not self._as_json:
                for done in self.done:
                    _report(done)
        if self._as_json:
            write_json({"results": [_to_json(done) for done in self.done]})
        elif len(self.done) > 1:
            _say(_summary(self.done))
        codes = {done.exit_code for done in self.done} - {0}
        return SOME_FAILED_STATUS if len(codes) > 1 else max(codes, default=0)

    def _refine(self, ingest: Ingest, progress: ProgressCallback) -> Refinement | None:
        record = ingest.record
        if record is None or self._spent or not wants_refining(self._settings):
            return None
        if pipeline.is_refined(self._library, record):
            return None
        done = pipeline.refine_document(self._library, record.doc_id, self._settings, self._model, progress=progress)
        self._spent = done.refined.stopped is not None
        return done


def show_plan(requests: Sequence[Request], library: Path | None, settings: Settings, *, as_json: bool) -> None:
    """What ``add`` would do with each file; with a model also the calls, tokens and money that it would take."""
    try:
        store = open_library(library)
    except NotFoundError:  # nothing is known yet
        store = None
    rows: list[dict[str, Any]] = []
    for request in requests:
        action = pipeline.foresee(store, Path(request.path)) if store is not None else "add"
        rows.append({"path": request.path, "action": action})
        if settings.for_index and action != "unchanged":
            rows[-1]["estimate"] = pipeline.estimate_file(request, settings).to_json()
    emit({"plan": rows}, as_json=as_json, text=lambda screen: _plan_lines(rows, screen))


def _plan_lines(rows: Sequence[dict[str, Any]], screen: Screen) -> Iterator[str]:
    words = {"add": "would add", "new edition": "would add a new edition of", "unchanged": "has already"}
    for row in rows:
        yield f"{words[row['action']]}  {printable(row['path'])}"
        if "estimate" in row:
            cost = row["estimate"]
            money = f", about ${cost['usd']:.4f}" if cost["usd"] is not None else ", price not known"
            tokens = f"{cost['prompt_tokens']:,} prompt and {cost['completion_tokens']:,} completion tokens"
            yield screen.paint(f"  with {cost['model']}: {counted(cost['calls'], 'call')}, {tokens}{money}", "dim")


def _report(done: Done) -> None:
    ingest, complaints = done.ingest, Screen.of(sys.stderr)
    if ingest.error is not None:
        _say(_failed(ingest, complaints))
        return
    print_lines(_taken_in(done, Screen.of(sys.stdout)))
    if done.stopped is not None:
        _say(_stopped(done.stopped, complaints))


def _taken_in(done: Done, screen: Screen) -> Iterator[str]:
    from pageindex.document.pagespec import format_pages

    ingest = done.ingest
    if ingest.record is None or ingest.outcome is None:
        return
    record = done.refinement.record if done.refinement is not None else ingest.record
    word = _OUTCOMES[ingest.outcome.value]
    facts = f"{counted(record.page_count, 'page')}, {counted(record.sections, 'section')} from {record.toc_source}"
    name = f"{screen.paint(record.doc_id, 'cyan')}  {printable(record.name)}"
    yield f"{screen.paint(word, 'green')}  {name}  {screen.paint(facts, 'dim')}"
    for state, pages in record.page_states.items():
        if state != "blank":
            words = state.replace("_", " ")
            yield f"  {screen.paint(words, 'yellow')}: {'page' if len(pages) == 1 else 'pages'} {format_pages(pages)}"
    if done.refinement is not None:
        yield f"  {screen.paint(refined_line(done.refinement.refined), 'dim')}"


def _failed(ingest: Ingest, screen: Screen) -> Iterator[str]:
    if ingest.error is not None:
        yield f"{screen.paint('failed', 'red')}  {printable(ingest.request.path or ingest.request.title)}"
        yield from _stopped(ingest.error, screen)


def _stopped(error: PageIndexError, screen: Screen) -> Iterator[str]:
    yield f"  {error.message} {screen.paint(f'[{error.code}]', 'dim')}"
    if error.next_step:
        yield f"  {screen.paint('next:', 'cyan')} {error.next_step}"


def _summary(results: Sequence[Done]) -> Iterator[str]:
    outcomes = (done.ingest.outcome for done in results)
    counts = Counter(_OUTCOMES[outcome.value] if outcome is not None else "failed" for outcome in outcomes)
    yield ", ".join(f"{count:,} {word}" for word, count in counts.most_common())


def _say(lines: Iterator[str]) -> None:
    for line in lines:
        sys.stderr.write(f"{line}\n")


def _to_json(done: Done) -> dict[str, Any]:
    from pageindex.client.shapes import document_info

    ingest = done.ingest
    item: dict[str, Any] = {"path": ingest.request.path, "seconds": round(ingest.seconds, 3)}
    if ingest.error is not None:
        return item | {"outcome": "failed", "error": ingest.error.to_json()}
    if ingest.record is not None and ingest.outcome is not None:
        record = done.refinement.record if done.refinement is not None else ingest.record
        item |= {"outcome": ingest.outcome.value, "document": document_info(record)}
    if done.refinement is not None:
        item["refined"] = refined_to_json(done.refinement.refined)
    return item
