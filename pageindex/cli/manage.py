"""Change the library: ``remove``, ``export``, ``move``, ``folders``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pageindex.cli.frame import (
    DocumentArgument,
    JsonOption,
    LibraryOption,
    emit,
    open_document,
    open_library,
    parse_metadata,
    write_output,
)
from pageindex.cli.screen import Screen, printable
from pageindex.errors import InputError

if TYPE_CHECKING:
    from pageindex.app.document import OpenDocument
    from pageindex.document import DocumentRecord

__all__ = ["register"]


class ExportFormat(StrEnum):
    """What ``export`` writes."""

    JSON = "json"
    MARKDOWN = "markdown"


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("remove")(remove)
    app.command("export")(export)
    app.command("move")(move)
    folders = typer.Typer(help="Manage the folders of the library.", no_args_is_help=True, rich_markup_mode=None)
    folders.command("list")(list_folders)
    folders.command("create")(create_folder)
    app.add_typer(folders, name="folders")


def remove(
    docs: Annotated[list[str], typer.Argument(metavar="DOC", help="Documents: ids, starts of ids, names or paths.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    library: LibraryOption = None,
    as_json: JsonOption = False,
) -> None:
    """Remove documents: text, copy, index entries and all.

    The file a document was added from is never touched. Asks first on a terminal.
    """
    from pageindex.app import shapes
    from pageindex.app.library import remove_documents

    store = open_library(library, named=not as_json)
    records = [store.resolve(doc) for doc in docs]
    if not yes and sys.stdin.isatty() and sys.stdout.isatty():
        names = ", ".join(printable(record.name) for record in records)
        typer.confirm(f"Remove {names}?", abort=True, err=True)
    removed = remove_documents(store, [record.doc_id for record in records])
    payload = {"removed": [shapes.deleted(record) for record in removed]}
    emit(payload, as_json=as_json, text=lambda screen: _removed(removed))


def _removed(records: list[DocumentRecord]) -> Iterator[str]:
    for record in records:
        yield f"removed  {record.doc_id}  {printable(record.name)}"


def export(
    doc: DocumentArgument,
    format: Annotated[ExportFormat, typer.Option("--format", "-f", help="What to write.")] = ExportFormat.JSON,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write; standard output otherwise.")
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="With JSON: the text of every section as well.")] = False,
    raw: Annotated[
        bool, typer.Option("--raw", help="Text as it is stored, with running heads, feet and page numbers.")
    ] = False,
    library: LibraryOption = None,
) -> None:
    """Write a document as JSON or Markdown.

    JSON is the section tree with the document's facts, as run_index.py writes it. Markdown is the whole text under its headings, with
    a mark where each page begins.
    """
    document = open_document(library, doc)
    data = _markdown(document, raw) if format is ExportFormat.MARKDOWN else _json(document, text, raw)
    write_output(output, data)


def _json(document: OpenDocument, with_text: bool, raw: bool) -> bytes:
    from pageindex.app import shapes
    from pageindex.document.codec import encode_json

    content: dict[str, Any] = {**shapes.structure(document)}
    if with_text:
        content["structure"] = shapes.tree_nodes(document.tree, document.summaries, document.edition, raw=raw)
    return encode_json(content, pretty=True)


def _markdown(document: OpenDocument, raw: bool) -> bytes:
    from pageindex.app.export import markdown_lines

    return "".join(f"{line}\n" for line in markdown_lines(document, raw=raw)).encode("utf-8", "replace")


def move(
    doc: DocumentArgument,
    folder: Annotated[
        str | None, typer.Option("--folder", help="Folder to move it into, by id; root is the top.")
    ] = None,
    metadata: Annotated[
        list[str] | None, typer.Option("--metadata", "-m", help="key=value to set; key= alone takes it away.")
    ] = None,
    library: LibraryOption = None,
    as_json: JsonOption = False,
) -> None:
    """Move a document into another folder, or change its metadata."""
    if folder is None and not metadata:
        raise InputError("there is nothing to change", "Give --folder or --metadata.")
    from pageindex.app import shapes
    from pageindex.app.library import change_document

    store = open_library(library)
    record = store.resolve(doc)
    changed = {**record.metadata, **parse_metadata(metadata or ())}
    kept = {key: value for key, value in changed.items() if value != ""}
    after = change_document(store, record.doc_id, metadata=kept if metadata else None, folder_id=folder)
    updated = shapes.document_info(after)
    pairs = ", ".join(f"{key}={value}" for key, value in updated["metadata"].items())
    emit(
        updated,
        as_json=as_json,
        text=lambda screen: [f"{updated['id']}  folder {updated['folderId']}  {pairs}".rstrip()],
    )


def list_folders(library: LibraryOption = None, as_json: JsonOption = False) -> None:
    """List all folders, each below the one it is in."""
    from pageindex.app import shapes
    from pageindex.app.library import all_folders

    rows = list(all_folders(open_library(library)))
    payload = {"folders": [{**shapes.folder_info(row.folder), "level": row.level} for row in rows]}

    def lines(screen: Screen) -> Iterator[str]:
        for row in rows:
            name = printable(row.folder.name)
            yield f"{screen.paint(row.folder.folder_id, 'cyan')}  {'  ' * row.level}{name}"
        if not rows:
            yield "There are no folders. Make one with: pageindex folders create NAME"

    emit(payload, as_json=as_json, text=lines)


def create_folder(
    name: Annotated[str, typer.Argument(help="Name of the new folder.")],
    parent: Annotated[str, typer.Option("--in", help="Folder to make it in, by id.")] = "root",
    library: LibraryOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a folder in the library."""
    from pageindex.app import shapes

    folder = shapes.folder_info(open_library(library, create=True).create_folder(name, parent))
    emit(folder, as_json=as_json, text=lambda screen: [f"{folder['id']}  {printable(folder['name'])}"])
