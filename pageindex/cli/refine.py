"""Refine a document that is already in the library: ``refine``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from pageindex.cli.frame import DocumentArgument, JsonOption, LibraryOption, emit, open_library, print_error
from pageindex.cli.options import with_settings
from pageindex.cli.screen import Screen, counted, printable
from pageindex.config import Settings

if TYPE_CHECKING:
    from pageindex.app.ingest.refining import Estimate, Refined

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("refine")(refine)


@with_settings("index")
def refine(
    doc: DocumentArgument,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only estimate calls, tokens and money; nothing is called.")
    ] = False,
    refusals: Annotated[bool, typer.Option("--refusals", help="List the proposed headings that were refused.")] = False,
    library: LibraryOption = None,
    as_json: JsonOption = False,
    *,
    settings: Settings,
) -> None:
    """Make the tree of a document cheaper to read, and summarise it.

    Without a model, sections that cost more to list than to read are folded with --optimize merge. With one, it proposes subsections of
    large sections; those whose headings are printed in the text, and that make the document cheaper to read, enter the tree. A run that
    was stopped goes on with the same command: finished calls are not paid twice.
    """
    store = open_library(library)
    record = store.resolve(doc)
    if dry_run:
        from pageindex.app.ingest import estimate_document

        guess = estimate_document(store, record.doc_id, settings)
        emit(guess.to_json(), as_json=as_json, text=lambda screen: _estimate_lines(guess, screen))
        return
    from pageindex.app import shapes
    from pageindex.app.ingest import refine_document
    from pageindex.cli.progress import progress_bars

    with progress_bars(1) as progress:
        done = refine_document(store, record.doc_id, settings, progress=progress)
    refined = done.refined
    emit(
        shapes.refined(done),
        as_json=as_json,
        text=lambda screen: _lines(record.name, refined, screen, refusals=refusals),
    )
    if refined.stopped is not None:
        print_error(refined.stopped, as_json=as_json)
        raise typer.Exit(refined.stopped.exit_code)


def _estimate_lines(guess: Estimate, screen: Screen) -> Iterator[str]:
    for stage in guess.stages:
        if stage.calls:
            tokens = f"{stage.prompt_tokens:,} + {stage.completion_tokens:,} tokens"
            yield f"{stage.name:12} {counted(stage.calls, 'call')}, {tokens}"
    money = f"about ${guess.usd:.4f}" if guess.usd is not None else "price not known"
    total = f"{guess.prompt_tokens:,} prompt and {guess.completion_tokens:,} completion tokens"
    yield screen.paint(f"with {guess.model}: {counted(guess.calls, 'call')}, {total}, {money}", "bold")


def _lines(name: str, refined: Refined, screen: Screen, *, refusals: bool) -> Iterator[str]:
    from pageindex.cli.refined import cost_lines, refined_line

    yield f"{screen.paint(printable(name), 'cyan')}  {refined_line(refined)}"
    yield from cost_lines({"before": refined.before.to_json(), "now": refined.after.to_json()}, screen)
    for note in refined.notes():
        yield f"{screen.paint('note:', 'yellow')} {printable(note.message)}"
    if refusals:
        for refusal in refined.refusals:
            page = f"p. {refusal.page}" if refusal.page is not None else "–"
            yield f"{screen.paint(refusal.reason, 'yellow')}  {page}  {printable(refusal.title)}"
