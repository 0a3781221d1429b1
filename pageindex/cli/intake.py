"""What ``add`` does with its files, and what it says of each."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pageindex.app import ingest
from pageindex.cli.frame import emit, open_library, print_lines, write_json
from pageindex.cli.progress import progress_bars
from pageindex.cli.refined import refined_line
from pageindex.cli.screen import Screen, counted, printable
from pageindex.errors import SOME_FAILED_STATUS, NotFoundError, PageIndexError

if TYPE_CHECKING:
    from pageindex.app.ingest import Ingested, IngestOptions, Plan, Request
    from pageindex.app.library import Library

__all__ = ["show_plan", "take_in"]


def take_in(library: Library, requests: Sequence[Request], options: IngestOptions, *, as_json: bool) -> int:
    """Take all files in, one line for each; returns the exit status."""
    live = sys.stderr.isatty() and sys.stdout.isatty()  # a line between moving bars would tear them
    results: list[Ingested] = []
    try:
        with progress_bars(len(requests)) as progress:
            for done in ingest.ingest(library, requests, options, progress=progress):
                results.append(done)
                if not live and not as_json:
                    _report(done)
    finally:  # an interrupted run tells what it stored
        if live and not as_json:
            for done in results:
                _report(done)
    if as_json:
        from pageindex.app import shapes

        write_json({"results": [shapes.ingested(done) for done in results]})
    elif len(results) > 1:
        _say(_summary(results))
    codes = {failure.exit_code for done in results if (failure := done.error or done.stopped) is not None}
    return SOME_FAILED_STATUS if len(codes) > 1 else max(codes, default=0)


def show_plan(requests: Sequence[Request], library: Path | None, options: IngestOptions, *, as_json: bool) -> None:
    """What ``add`` would do with each file; with a model also the calls, tokens and money that it would take."""
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
}


def _plan_lines(plans: Sequence[Plan], screen: Screen) -> Iterator[str]:
    for plan in plans:
        yield f"{_PLANNED[plan.action]}  {printable(plan.request.path)}"
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
        _say(_failed(done, done.error, complaints))
        return
    print_lines(_taken_in(done, Screen.of(sys.stdout)))
    if done.stopped is not None:
        _say(_stopped(done, done.stopped, complaints))


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


def _failed(done: Ingested, error: PageIndexError, screen: Screen) -> Iterator[str]:
    yield f"{screen.paint('failed', 'red')}  {printable(done.request.path or done.request.title)}"
    yield from _complaint(error, screen)


def _stopped(done: Ingested, error: PageIndexError, screen: Screen) -> Iterator[str]:
    if done.refinement is None:
        yield f"  {screen.paint('not refined', 'yellow')}: the model's work had ended before [{error.code}]"
    else:
        yield from _complaint(error, screen)


def _complaint(error: PageIndexError, screen: Screen) -> Iterator[str]:
    yield f"  {error.message} {screen.paint(f'[{error.code}]', 'dim')}"
    if error.next_step:
        yield f"  {screen.paint('next:', 'cyan')} {error.next_step}"


def _summary(results: Sequence[Ingested]) -> Iterator[str]:
    outcomes = (done.outcome.value.replace("_", " ") if done.outcome is not None else "failed" for done in results)
    yield ", ".join(f"{count:,} {word}" for word, count in Counter(outcomes).most_common())


def _say(lines: Iterator[str]) -> None:
    for line in lines:
        sys.stderr.write(f"{line}\n")
