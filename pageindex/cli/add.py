"""Put documents into the library: ``add``."""

from __future__ import annotations

from inspect import cleandoc
from typing import Annotated

import typer

from pageindex.cli.frame import JsonOption, LibraryOption, open_library, parse_metadata
from pageindex.cli.options import with_settings
from pageindex.config import Settings

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    from pageindex.app.ingest import format_names

    app.command("add", help=cleandoc(add.__doc__ or "").format(formats=format_names()))(add)


@with_settings("index")
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
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be done, and what a model would cost.")
    ] = False,
    seconds: Annotated[float, typer.Option(help="Most seconds to read one file.", min=0.1)] = 120.0,
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
    from dataclasses import replace

    from pageindex.app import ingest
    from pageindex.cli.intake import show_plan, take_in
    from pageindex.limits import DEFAULT_LIMITS

    options = ingest.IngestOptions(settings, replace(DEFAULT_LIMITS, seconds=seconds), jobs)
    own = parse_metadata(metadata or ())
    requests = [
        ingest.Request(file, password=password, metadata=own, folder_id=folder) for file in ingest.find_files(paths)
    ]
    if dry_run:
        show_plan(requests, library, options, as_json=as_json)
        return
    store = open_library(library, create=True, named=not as_json)
    if folder != "root":
        store.folder_path(folder)  # a folder that is not there is an error now, not after an hour
    status = take_in(store, requests, options, as_json=as_json)
    if status:
        raise typer.Exit(status)
