"""Put documents into the library: ``add``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pageindex.cli.frame import JsonOption, LibraryOption, emit, open_library, parse_metadata, print_lines, write_json
from pageindex.cli.screen import Screen, counted, printable

if TYPE_CHECKING:
    from pageindex.pipeline import Ingest

__all__ = ["register"]

SOME_FAILED = 1  #: Exit status when files failed for different reasons; one reason alone gives its own.

_OUTCOMES = {"added": "added", "new_edition": "new edition", "unchanged": "unchanged"}


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("add")(add)


def add(
    paths: Annotated[list[str], typer.Argument(metavar="PATH", help="Files, folders and globs.")],
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", help="Files read side by side; 0 is one per processor.", min=0)
    ] = 0,
    password: Annotated[
        str | None, typer.Option(help="Password of encrypted files.", envvar="PAGEINDEX_PASSWORD", show_default=False)
    ] = None,
    folder: Annotated[str, typer.Option("--folder", help="Folder of the library to put them into, by id.")] = "root",
    metadata: Annotated[
        list[str] | None, typer.Option("--metadata", "-m", help="Your own key=value; may be given again.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")] = False,
    seconds: Annotated[float, typer.Option(help="Most seconds for one file.", min=0.1)] = 120.0,
    library: LibraryOption = None,
    as_json: JsonOption = False,
) -> None:
    """Index files, folders or globs into the library.

    A folder stands for every PDF, Markdown, HTML, DOCX and text file below it. The same bytes again change nothing; changed bytes at
    the same path become a new edition of the same document. No model is used. Files that fail are named, with the reason, and the
    others are kept; the exit status is that of the failure, or 1 when files failed for different reasons.
    """
    from dataclasses import replace

    from pageindex import pipeline
    from pageindex.cli.progress import progress_bars
    from pageindex.limits import DEFAULT_LIMITS

    files = pipeline.find_files(paths)
    if dry_run:
        _plan(files, library, as_json)
        return
    store = open_library(library, create=True)
    if folder != "root":
        store.folder_path(folder)  # a folder that is not there is an error now, not after an hour
    limits = replace(DEFAULT_LIMITS, seconds=seconds)
    own = parse_metadata(metadata or ())
    requests = [
        pipeline.Request(file, password=password, metadata=own, folder_id=folder, limits=limits) for file in files
    ]
    results: list[Ingest] = []
    live = sys.stderr.isatty() and sys.stdout.isatty()  # a line between moving bars would tear them
    try:
        with progress_bars(len(requests)) as progress:
            for ingest in pipeline.add_many(store, requests, jobs=jobs, progress=progress):
                results.append(ingest)
                if not live and not as_json:
                    _report([ingest])
    finally:  # an interrupted run tells what it stored
        if live and not as_json:
            _report(results)
    if as_json:
        write_json({"results": [_to_json(ingest) for ingest in results]})
    elif len(results) > 1:
        _say(_summary(results))
    _exit(results)


def _plan(files: Sequence[Path], library: Path | None, as_json: bool) -> None:
    from pageindex import pipeline
    from pageindex.errors import NotFoundError

    try:
        store = open_library(library)
    except NotFoundError:  # nothing is known yet
        plan = [(file, "add") for file in files]
    else:
        plan = [(file, pipeline.foresee(store, file)) for file in files]
    payload = {"plan": [{"path": str(file), "action": action} for file, action in plan]}
    emit(
        payload, as_json=as_json, text=lambda screen: (f"{action:18}  {printable(str(file))}" for file, action in plan)
    )


def _report(results: Sequence[Ingest]) -> None:
    screen, complaints = Screen.of(sys.stdout), Screen.of(sys.stderr)
    for ingest in results:
        if ingest.error is None:
            print_lines(_done(ingest, screen))
        else:
            _say(_failed(ingest, complaints))


def _done(ingest: Ingest, screen: Screen) -> Iterator[str]:
    from pageindex.document.pagespec import format_pages

    if ingest.record is None or ingest.outcome is None:
        return
    record = ingest.record
    word = _OUTCOMES[ingest.outcome.value]
    facts = f"{counted(record.page_count, 'page')}, {counted(record.sections, 'section')} from {record.toc_source}"
    yield f"{screen.paint(word, 'green')}  {screen.paint(record.doc_id, 'cyan')}  {printable(record.name)}  {screen.paint(facts, 'dim')}"
    for state, pages in record.page_states.items():
        if state != "blank":
            words = state.replace("_", " ")
            yield f"  {screen.paint(words, 'yellow')}: {'page' if len(pages) == 1 else 'pages'} {format_pages(pages)}"


def _failed(ingest: Ingest, screen: Screen) -> Iterator[str]:
    error = ingest.error
    if error is not None:
        yield f"{screen.paint('failed', 'red')}  {printable(ingest.request.path or ingest.request.title)}"
        yield f"  {error.message} {screen.paint(f'[{error.code}]', 'dim')}"
        if error.next_step:
            yield f"  {screen.paint('next:', 'cyan')} {error.next_step}"


def _summary(results: Sequence[Ingest]) -> Iterator[str]:
    from collections import Counter

    counts = Counter(_OUTCOMES[i.outcome.value] if i.outcome is not None else "failed" for i in results)
    yield ", ".join(f"{count:,} {word}" for word, count in counts.most_common())


def _say(lines: Iterator[str]) -> None:
    for line in lines:
        sys.stderr.write(f"{line}\n")


def _to_json(ingest: Ingest) -> dict[str, Any]:
    item: dict[str, Any] = {"path": ingest.request.path, "seconds": round(ingest.seconds, 3)}
    if ingest.error is not None:
        return item | {"outcome": "failed", "error": ingest.error.to_json()}
    if ingest.record is not None and ingest.outcome is not None:
        from pageindex.client.shapes import document_info

        item |= {"outcome": ingest.outcome.value, "document": document_info(ingest.record)}
    return item


def _exit(results: Sequence[Ingest]) -> None:
    codes = {ingest.error.exit_code for ingest in results if ingest.error is not None}
    if codes:
        raise typer.Exit(codes.pop() if len(codes) == 1 else SOME_FAILED)
