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
    open_client,
    parse_metadata,
    write_bytes,
)
from pageindex.cli.screen import Screen, printable
from pageindex.errors import InputError

if TYPE_CHECKING:
    from pageindex.client import PageIndexClient

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
    client = open_client(library, named=not as_json)
    documents = [client.get_document(doc) for doc in docs]  # all are found before any is removed
    if not yes and sys.stdin.isatty() and sys.stdout.isatty():
        names = ", ".join(printable(document["name"]) for document in documents)
        typer.confirm(f"Remove {names}?", abort=True, err=True)
    removed = [client.delete_document(document["id"]) for document in documents]
    emit({"removed": removed}, as_json=as_json, text=lambda screen: (f"removed  {row['doc_id']}  {printable(row['name'])}" for row in removed))  # fmt: skip


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
    client = open_client(library)
    data = _markdown(client, doc, raw) if format is ExportFormat.MARKDOWN else _json(client, doc, text, raw)
    if output is None:
        write_bytes(data)
    elif output.is_dir():
        raise InputError(f"{output} is a folder", "Name a file in it.", code="IS_A_FOLDER")
    else:
        output.write_bytes(data)


def _json(client: PageIndexClient, doc: str, with_text: bool, raw: bool) -> bytes:
    from pageindex.document.codec import encode_json

    content: dict[str, Any] = {**client.get_structure(doc)}
    if with_text:
        content["structure"] = client.get_tree(doc, node_summary=True, raw=raw)["result"]
    return encode_json(content, pretty=True)


def _markdown(client: PageIndexClient, doc: str, raw: bool) -> bytes:
    from pageindex.cli.markdown import markdown_lines

    record = client.library.resolve(doc)
    tree, edition = client.library.tree(record.doc_id), client.library.edition(record.doc_id)
    return "".join(f"{line}\n" for line in markdown_lines(record, tree, edition, raw=raw)).encode("utf-8", "replace")


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
    client = open_client(library)
    document = client.get_document(doc)
    changed = {**document["metadata"], **parse_metadata(metadata or ())}
    kept = {key: value for key, value in changed.items() if value != ""}
    updated = client.update_document(document["id"], metadata=kept if metadata else None, folder_id=folder)
    pairs = ", ".join(f"{key}={value}" for key, value in updated["metadata"].items())
    emit(
        updated,
        as_json=as_json,
        text=lambda screen: [f"{updated['id']}  folder {updated['folderId']}  {pairs}".rstrip()],
    )


def list_folders(library: LibraryOption = None, as_json: JsonOption = False) -> None:
    """List all folders, each below the one it is in."""
    client = open_client(library)
    rows = list(_folders(client, None, 0))
    payload = {"folders": [{**folder, "level": level} for folder, level in rows]}

    def lines(screen: Screen) -> Iterator[str]:
        for folder, level in rows:
            yield f"{screen.paint(folder['id'], 'cyan')}  {'  ' * level}{printable(folder['name'])}"
        if not rows:
            yield "There are no folders. Make one with: pageindex folders create NAME"

    emit(payload, as_json=as_json, text=lines)


def _folders(client: PageIndexClient, parent: str | None, level: int) -> Iterator[tuple[Any, int]]:
    for folder in client.list_folders(parent):
        yield folder, level
        yield from _folders(client, folder["id"], level + 1)


def create_folder(
    name: Annotated[str, typer.Argument(help="Name of the new folder.")],
    parent: Annotated[str, typer.Option("--in", help="Folder to make it in, by id.")] = "root",
    library: LibraryOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a folder in the library."""
    folder = open_client(library, create=True).create_folder(name, parent)
    emit(folder, as_json=as_json, text=lambda screen: [f"{folder['id']}  {printable(folder['name'])}"])
