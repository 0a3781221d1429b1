"""Search the library: ``search``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from pageindex.cli.frame import JsonOption, LibraryOption, damaged, emit, open_library, parse_metadata
from pageindex.cli.screen import Screen, counted, fit, printable

if TYPE_CHECKING:
    from pageindex.app.shapes import PageHit, SearchPage

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("search")(search)


def search(
    query: Annotated[
        list[str],
        typer.Argument(help='Words to look for; "quoted words" side by side come first, deprec* is a beginning.'),
    ],
    doc: Annotated[
        list[str] | None, typer.Option("--doc", "-d", help="Only this document; may be given again.")
    ] = None,
    folder: Annotated[str | None, typer.Option("--folder", help="Only this folder, by id, and those below it.")] = None,
    where: Annotated[
        list[str] | None, typer.Option("--where", help="Only documents with this metadata, key=value.")
    ] = None,
    limit: Annotated[int, typer.Option(help="Pages to list.", min=1)] = 10,
    cursor: Annotated[str | None, typer.Option("--cursor", help="Where an earlier result ended.")] = None,
    library: LibraryOption = None,
    as_json: JsonOption = False,
) -> None:
    """Search all documents, and list the pages that answer best.

    Words are compared without regard to case, accents and inflection. Nothing is sent anywhere and no model is used.
    """
    # An argument with spaces was quoted in the shell, so its words stand together; a query of one argument is a query.
    words = [f'"{word}"' if len(query) > 1 and " " in word and '"' not in word else word for word in query]
    filters = parse_metadata(where or ())
    from pageindex.app import search as searching
    from pageindex.app import shapes

    store = open_library(library)
    page = searching.search(
        store, " ".join(words), doc or None, where=filters or None, folder_id=folder, limit=limit, cursor=cursor
    )
    found = shapes.search_page(page)
    emit(found, as_json=as_json, text=lambda screen: _lines(found, screen))


def _lines(found: SearchPage, screen: Screen) -> Iterator[str]:
    if not found["hits"]:
        yield "No page answers that."
    for hit in found["hits"]:
        yield from _hit(hit, screen)
    scanned = sum(found["pages_scanned"].values())
    left = sum(len(pages) for pages in found["pages_without_text"].values())
    coverage = f"{found['total']:,} of {counted(scanned, 'page')} with text hold words of the query"
    coverage += f"; {counted(left, 'page')} without text could not be searched" if left else ""
    yield screen.paint(coverage, "dim")
    for remark in found["remarks"]:
        yield screen.paint(printable(remark), "yellow")
    yield from damaged(found["unreadable"], screen)
    if found["next_cursor"]:
        yield screen.paint(f"more with --cursor {found['next_cursor']}", "dim")


def _hit(hit: PageHit, screen: Screen) -> Iterator[str]:
    label = f" (printed {hit['label']})" if hit.get("label") else ""
    where = screen.paint(f"{printable(hit['name'])} page {hit['page']}{label}", "cyan")
    yield f"{where}  {hit['node_id']} {printable(hit['section'])}"
    for snippet in hit["snippets"][:2]:
        text = printable(snippet)
        yield f"    {fit(text, screen.width - 4) if screen.width else text}"
