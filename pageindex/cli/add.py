"""Put documents into the library: ``add``."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pageindex.cli.frame import (
    JsonOption,
    LibraryOption,
    PasswordOption,
    complain,
    emit,
    open_library,
    parse_metadata,
    print_lines,
    write_json,
)
from pageindex.cli.options import with_settings
from pageindex.cli.refined import refined_line
from pageindex.cli.screen import Screen, counted, printable
from pageindex.config import Settings
from pageindex.errors import SOME_FAILED_STATUS, ModelError, NotFoundError, PageIndexError

if TYPE_CHECKING:
    from pageindex.app.ingest import Ingested, IngestOptions, Plan, Request
    from pageindex.app.library import Library

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    from pageindex.app.ingest import format_names

    app.command("add", help=cleandoc(add.__doc__ or "").format(formats=format_names()))(add)


@with_settings("index", "add")
def add(
    paths: Annotated[list[str], typer.Argument(metavar="PATH", help="Files, folders and globs.")],
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", help="Files read side by side; 0 is one per processor.", min=0)
    ] = 0,
    password: PasswordOption = None,
    folder: Annotated[str, typer.Option("--folder", help="Folder of the library to put them into, by id.")] = "root",
    metadata: Annotated[
        list[str] | None, typer.Option("--metadata", "-m", help="Your own key=value; may be given again.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be done, and what a model would cost.")
    ] = False,
    library: LibraryOption = None,
    as_json: JsonOption = False,
    *,
    settings: Settings,
) -> None:
    """Index files, folders or globs into the library.

    A folder stands for every file below it in one of the formats {formats}. The same bytes again change nothing; changed bytes at
    the same path become a new edition of the same document, and other options build the tree of known bytes anew. No model is used
    unless one is named. Files that fail are named, with the reason, and the others are kept; the exit status is that of the failure,
    or 1 when files failed for different reasons.
    """
    from pageindex.app import ingest

    options = ingest.IngestOptions(settings, jobs=jobs)
    own = parse_metadata(metadata or ())
    requests = [
        ingest.Request(found.path, password=password, metadata=own, folder_id=folder, refused=found.refused)
        for found in ingest.find_files(paths)
    ]
    if dry_run:
        _show_plan(requests, library, options, as_json=as_json)
        return
    store = open_library(library, create=True, named=not as_json)
    if folder != "root":
        store.folder_path(folder)  # a folder that is not there is an error now, not after an hour
    status = _take_in(store, requests, options, as_json=as_json)
    if status:
        raise typer.Exit(status)


def _take_in(library: Library, requests: Sequence[Request], options: IngestOptions, *, as_json: bool) -> int:
    """Take all files in, one line for each; returns the exit status."""
    from pageindex.app import ingest
    from pageindex.cli.progress import progress_bars

    live = sys.stderr.isatty() and sys.stdout.isatty()  # a line between moving bars would tear them
    results: list[Ingested] = []
    interrupted = True
    try:
        with progress_bars(len(requests)) as progress:
            for done in ingest.ingest(library, requests, options, progress=progress):
                results.append(done)
                if not live and not as_json:
                    _report(done)
        interrupted = False
    finally:  # an interrupted run tells what it stored
        if live and not as_json:
            for done in results:
                _report(done)
        if as_json:
            from pageindex.app import shapes

            write_json({"results": [shapes.ingested(done) for done in results]})
        elif len(results) > 1:
            complain(_summary(results))
        if interrupted:
            kept = sum(done.ok for done in results)
            text = f"{kept:,} of {counted(len(requests), 'file')} done and kept in the library"
            complain(f"ended early: {text}.", "To go on, run the same command again: what is kept is not read anew.")
    codes = {failure.exit_code for done in results if (failure := done.error or done.stopped) is not None}
    return SOME_FAILED_STATUS if len(codes) > 1 else max(codes, default=0)


def _show_plan(requests: Sequence[Request], library: Path | None, options: IngestOptions, *, as_json: bool) -> None:
    """What ``add`` would do with each file; with a model also the calls, tokens and money that it would take."""
    from pageindex.app import ingest

    try:
        store = open_library(library)
    except NotFoundError:  # nothing is known yet
        store = None
    from pageindex.app import shapes

    plans = list(ingest.plan(store, requests, options))
    payload = {"plan": [shapes.planned(plan) for plan in plans]}
    emit(payload, as_json=as_json, text=lambda screen: _plan_lines(plans, screen))


_PLANNED = {
    "add": "would add",
    "new edition": "would add a new edition of",
    "rebuild": "would build anew",
    "unchanged": "has already",
    "refuse": "could not take",
}


def _plan_lines(plans: Sequence[Plan], screen: Screen) -> Iterator[str]:
    for plan in plans:
        yield f"{_PLANNED[plan.action]}  {printable(plan.request.path)}"
        if plan.error is not None:
            yield from _complaint(plan.error, screen)
        if plan.reason:
            yield screen.paint(f"  {printable(plan.reason)}", "dim")
        if plan.estimate is not None:
            cost = plan.estimate
            money = f", about ${cost.usd:.4f}" if cost.usd is not None else ", price not known"
            tokens = f"{cost.prompt_tokens:,} prompt and {cost.completion_tokens:,} completion tokens"
            yield screen.paint(f"  with {cost.model}: {counted(cost.calls, 'call')}, {tokens}{money}", "dim")


def _report(done: Ingested) -> None:
    complaints = Screen.of(sys.stderr)
    if done.error is not None:
        complain(*_failed(done, done.error, complaints))
        return
    print_lines(_taken_in(done, Screen.of(sys.stdout)))
    if done.stopped is not None:
        complain(*_stopped(done, done.stopped, complaints))


def _taken_in(done: Ingested, screen: Screen) -> Iterator[str]:
    from pageindex.document.pagespec import format_pages

    record = done.record
    if record is None or done.outcome is None:
        return
    word = done.outcome.value.replace("_", " ")
    facts = f"{counted(record.page_count, 'page')}, {counted(record.sections, 'section')} from {record.toc_source}"
    name = f"{screen.paint(record.doc_id, 'cyan')}  {printable(record.name)}"
    yield f"{screen.paint(word, 'green')}  {name}  {screen.paint(facts, 'dim')}"
    if done.reason:
        yield f"  {screen.paint(printable(done.reason), 'dim')}"
    for state, pages in record.page_states.items():
        if state != "blank":
            words = state.replace("_", " ")
            yield f"  {screen.paint(words, 'yellow')}: {'page' if len(pages) == 1 else 'pages'} {format_pages(pages)}"
    if done.refinement is not None:
        yield f"  {screen.paint(refined_line(done.refinement.refined), 'dim')}"
    for note in record.notes:
        if (code := note["code"]) in _TOLD:
            place = f" page {note['page']}:" if note["page"] else ""
            yield f"  note:{place} {printable(note['message'])} {screen.paint(f'[{code}]', 'dim')}"


#: Notes that say that a file is not read as it should have been; the others are for those who look at the document.
_TOLD = ("REPAIRED", "CUT_OFF", "PART_UNREADABLE")


def _failed(done: Ingested, error: PageIndexError, screen: Screen) -> Iterator[str]:
    yield f"{screen.paint('failed', 'red')}  {printable(done.request.path or done.request.title)}"
    yield from _complaint(error, screen)


def _stopped(done: Ingested, error: PageIndexError, screen: Screen) -> Iterator[str]:
    if done.refinement is None and isinstance(error, ModelError):
        yield f"  {screen.paint('not refined', 'yellow')}: the model's work had ended before [{error.code}]"
    else:
        yield from _complaint(error, screen)


def _complaint(error: PageIndexError, screen: Screen) -> Iterator[str]:
    yield f"  {printable(error.message)} {screen.paint(f'[{error.code}]', 'dim')}"
    if error.next_step:
        yield f"  {screen.paint('next:', 'cyan')} {printable(error.next_step)}"


def _summary(results: Sequence[Ingested]) -> str:
    outcomes = (done.outcome.value.replace("_", " ") if done.outcome is not None else "failed" for done in results)
    return ", ".join(f"{count:,} {word}" for word, count in Counter(outcomes).most_common())
