"""Look at the library: ``list``, ``show``, ``tree``, ``read``, ``find``, ``image``."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pageindex.cli.frame import (
    DocumentArgument,
    JsonOption,
    LibraryOption,
    PasswordOption,
    damaged,
    emit,
    open_document,
    open_library,
    write_json,
    write_output,
)
from pageindex.cli.refined import cost_lines
from pageindex.cli.screen import Column, Screen, counted, fit, printable
from pageindex.errors import InputError

if TYPE_CHECKING:
    from pageindex.app.document import OpenDocument
    from pageindex.app.shapes import Block, DocumentInfo, DocumentList, FoundWords, PageContent, SectionContent

__all__ = ["register"]

_TITLE_WIDTH = 200
SURE = 0.75  #: Confidence from which nothing is said of it.


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("list")(list_documents)
    app.command("show")(show)
    app.command("tree")(tree)
    app.command("read")(read)
    app.command("find")(find)
    app.command("image")(image)


def list_documents(
    folder: Annotated[str | None, typer.Option("--folder", help="Only this folder, by id, and those below it.")] = None,
    where: Annotated[
        list[str] | None, typer.Option("--where", help="Only documents with this metadata, key=value.")
    ] = None,
    limit: Annotated[int, typer.Option(help="How many to list.", min=1)] = 50,
    offset: Annotated[int, typer.Option(help="How many to skip.", min=0)] = 0,
    library: LibraryOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the documents of the library, newest first."""
    from pageindex.app import shapes
    from pageindex.app.library import list_documents as listed
    from pageindex.cli.frame import parse_metadata

    filters = parse_metadata(where or ())
    store = open_library(library, named=not as_json)
    found = listed(store, folder_id=folder, where=filters or None, limit=limit, offset=offset)
    listing = shapes.document_list(found)
    emit(listing, as_json=as_json, text=lambda screen: _listing(listing, screen))


def _listing(listing: DocumentList, screen: Screen) -> Iterable[str]:
    documents = listing["documents"]
    yield from damaged(listing["unreadable"], screen)
    if not documents:
        yield "The library holds no such documents. Index some with: pageindex add FILE"
        return
    columns = [
        Column("id", style="cyan"),
        Column("name", flexible=True),
        Column("title", style="dim", flexible=True),
        Column("pages", right=True),
        Column("sections", right=True),
        Column("from"),
        Column("status"),
    ]
    rows = [
        (
            document["id"],
            printable(document["name"]),
            fit(printable(document["title"]), _TITLE_WIDTH),
            f"{document['pageNum']:,}",
            f"{document['sections']:,}",
            document["toc_source"],
            document["status"],
        )
        for document in documents
    ]
    yield from screen.table(columns, rows)
    if listing["total"] > len(documents):
        following = listing["offset"] + len(documents)
        yield screen.paint(f"{len(documents)} of {listing['total']:,}; more with --offset {following}", "dim")


def show(doc: DocumentArgument, library: LibraryOption = None, as_json: JsonOption = False) -> None:
    """Show what the library knows of a document."""
    from pageindex.app import shapes

    document = shapes.document_info(open_library(library).resolve(doc))
    emit(document, as_json=as_json, text=lambda screen: _document(document, screen))


def _document(document: DocumentInfo, screen: Screen) -> Iterator[str]:
    from pageindex.document.pagespec import format_pages

    yield screen.paint(printable(document["title"]) or printable(document["name"]), "bold")
    facts: list[tuple[str, Any]] = [
        ("id", document["id"]),
        ("name", printable(document["name"])),
        ("description", printable(document["description"])),
        ("status", document["status"]),
        ("pages", f"{document['page_count']:,}"),
        ("sections", f"{document['sections']:,}, from {document['toc_source']}{doubt(document['confidence'])}"),
        ("language", document["language"]),
        ("folder", "" if document["folderId"] == "root" else document["folderId"]),
        ("metadata", ", ".join(f"{key}={value}" for key, value in document["metadata"].items())),
        ("source", printable(document["source_path"])),
        ("format", document["media_type"]),
        ("added", document["createdAt"]),
        ("updated", document["updated_at"] if document["updated_at"] != document["createdAt"] else ""),
        ("edition", f"{document['edition'][:12]} ({document['editions']} kept)"),
    ]
    facts += [
        (state.replace("_", " "), f"pages {format_pages(pages)}") for state, pages in document["page_states"].items()
    ]
    facts += [(f"flag {flag}", f"pages {format_pages(pages)}") for flag, pages in document["flags"].items()]
    width = max(len(name) for name, value in facts if value)
    for name, value in facts:
        if value:
            shown = fit(str(value), screen.width - width - 2) if screen.width else str(value)
            yield f"{screen.paint(name.ljust(width), 'dim')}  {shown}"
    for note in document["notes"]:
        page = f" (page {note['page']})" if note.get("page") else ""
        yield f"{screen.paint('note'.ljust(width), 'yellow')}  {printable(note['message'])}{page} [{note['code']}]"


def tree(
    doc: DocumentArgument,
    depth: Annotated[int, typer.Option(help="Levels to show; 0 is all.", min=0)] = 0,
    costs: Annotated[
        bool, typer.Option("--costs", help="What the tree costs a reader, as it is and as merging would leave it.")
    ] = False,
    library: LibraryOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the section tree of a document.

    Each line shows the section's id, physical pages, printed page labels where they differ, and tokens (estimated). A title in yellow
    is not printed on its page: it comes from a bookmark alone.
    """
    from pageindex.app import shapes

    document = open_document(library, doc)
    if costs:
        from pageindex.app.ingest import tree_costs

        figures = shapes.tree_costs(tree_costs(document.library, document.record))
        emit({"costs": figures}, as_json=as_json, text=lambda screen: cost_lines(figures, screen))
        return
    if as_json:
        structure = shapes.structure(document)
        nodes: list[Any] = list(structure["structure"])
        write_json({**structure, "structure": _prune(nodes, depth)})
        return
    emit(None, as_json=False, text=lambda screen: _tree(document, depth, screen))


def doubt(confidence: float | None) -> str:
    """What is said behind the source of headings that may be wrong; nothing where they are sure."""
    if confidence is None or confidence >= SURE:
        return ""
    return f", headings uncertain (about {confidence:.0%} right)"


def _tree(document: OpenDocument, depth: int, screen: Screen) -> Iterator[str]:
    from pageindex.cli.outline import outline_lines, outline_rows

    record = document.record
    rows = outline_rows(document, depth)
    yield screen.paint(printable(record.title) or printable(record.name), "bold")
    facts = " · ".join(
        [printable(record.name), counted(record.page_count, "page"), counted(record.sections, "section")]
    )
    yield screen.paint(
        f"{facts} · from {record.toc_source}{doubt(record.confidence)} · ≈{document.tokens:,} tokens", "dim"
    )
    yield from outline_lines(rows, screen)


def _prune(nodes: list[dict[str, Any]], depth: int) -> list[dict[str, Any]]:
    """The nodes down to a depth; what is left out is told as ``hidden``, a count."""
    if not depth:
        return nodes
    top = [dict(node) for node in nodes]
    level, remaining = top, depth
    while level and remaining > 1:
        for node in level:
            if "nodes" in node:
                node["nodes"] = [dict(child) for child in node["nodes"]]
        level = [child for node in level for child in node.get("nodes", ())]
        remaining -= 1
    for node in level:
        below = node.pop("nodes", [])
        if below:
            node["hidden"] = _count(below)
    return top


def _count(nodes: list[dict[str, Any]]) -> int:
    total, stack = 0, list(nodes)
    while stack:
        total += 1
        stack.extend(stack.pop().get("nodes", ()))
    return total


def read(
    doc: DocumentArgument,
    pages: Annotated[
        str | None, typer.Option("--pages", "-p", help="Pages: 5, 3,7, 5-10, a label such as iv, label:12.")
    ] = None,
    section: Annotated[str | None, typer.Option("--section", "-s", help="A section, by its id in the tree.")] = None,
    handle: Annotated[
        str | None, typer.Option("--handle", help="What a handle stands for, such as f339ff.p10.100-220~0e64c89c.")
    ] = None,
    raw: Annotated[
        bool,
        typer.Option(
            "--raw", help="As it is stored: with running heads, feet and page numbers, words as lines divide them."
        ),
    ] = False,
    library: LibraryOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the text of pages, of a section, or what a handle stands for."""
    if sum(given is not None for given in (pages, section, handle)) != 1:
        raise InputError(
            "read needs either --pages or --section or --handle",
            f"For example: pageindex read {doc} --pages 1-3. Sections are listed by: pageindex tree {doc}",
        )
    from pageindex.app import shapes

    document = open_document(library, doc)
    if section is not None:
        content = shapes.section_content(document, document.section(section, raw=raw))
        emit(content, as_json=as_json, text=lambda screen: _section(content, screen))
    elif pages is not None:
        texts = [shapes.page_content(page) for page in document.pages(pages, raw=raw)]
        emit(texts, as_json=as_json, text=lambda screen: _pages(texts, screen))
    elif handle is not None:
        block = shapes.block(document, document.block(handle))
        emit(block, as_json=as_json, text=lambda screen: _block(block, screen))


def _block(block: Block, screen: Screen) -> Iterator[str]:
    label = f" (printed {block['label']})" if block.get("label") else ""
    yield screen.paint(f"── page {block['page']}{label}, bytes {block['start']}-{block['end']}", "cyan")
    yield from _text(block["text"])


def _section(content: SectionContent, screen: Screen) -> Iterator[str]:
    first, last = content["start_index"], content["end_index"]
    where = f"page {first}" if first == last else f"pages {first}-{last}"
    label = f", printed {content['label']}" if content.get("label") else ""
    yield screen.paint(f"── {' › '.join(map(printable, content['path']))} · {where}{label}", "cyan")
    yield from _text(content["text"].replace("\f", "\n"))


def _pages(pages: list[PageContent], screen: Screen) -> Iterator[str]:
    for page in pages:
        label = f" (printed {page['label']})" if page.get("label") else ""
        yield screen.paint(f"── page {page['page_index']}{label}", "cyan")
        if page["state"] == "text":
            yield from _text(page["markdown"])
        else:
            yield screen.paint(f"[{page['state'].replace('_', ' ')}]", "yellow")
            yield from _text(page["markdown"])


def _text(text: str) -> Iterator[str]:
    # Raw text may hold PDFium's U+0002 for a hyphen at a line's end, and other controls; a terminal must not obey them.
    for line in text.replace("\x02", "-").splitlines():
        yield "".join(character for character in line if character == "\t" or character.isprintable()).rstrip()


def find(
    doc: DocumentArgument,
    words: Annotated[list[str], typer.Argument(help='Words that stand on one page; "quoted words" stand together.')],
    limit: Annotated[int, typer.Option(help="Most pages to list; 0 is all.", min=0)] = 20,
    library: LibraryOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find words in the pages of a document."""
    from pageindex.app import shapes
    from pageindex.app.words import find_words

    # An argument with spaces was quoted in the shell, so its words stand together.
    query = " ".join(f'"{word}"' if " " in word.strip() and '"' not in word else word for word in words)
    found = shapes.found_words(query, find_words(open_document(library, doc), query), limit)
    emit(found, as_json=as_json, text=lambda screen: _hits(found, screen))


def _hits(found: FoundWords, screen: Screen) -> Iterator[str]:
    hits = found["hits"]
    if not hits:
        yield f"No page holds {found['query']}."
        return
    for hit in hits:
        label = f" (printed {hit['label']})" if hit.get("label") else ""
        yield (
            screen.paint(f"page {hit['page']}{label}", "cyan")
            + f"  {hit['node_id']} {printable(hit['section'])}  ×{hit['count']}"
        )
        yield "    " + (fit(printable(hit["snippet"]), screen.width - 4) if screen.width else printable(hit["snippet"]))
    if found["pages"] > len(hits):
        yield screen.paint(f"{len(hits)} of {found['pages']} pages; more with --limit 0", "dim")


def image(
    doc: DocumentArgument,
    page: Annotated[str, typer.Argument(metavar="PAGE", help="Physical page, from 1, or a printed label.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write; standard output otherwise.")
    ] = None,
    password: PasswordOption = None,
    library: LibraryOption = None,
    as_json: JsonOption = False,
) -> None:
    """Draw a page of a PDF as a PNG picture.

    With --json it stands in ``data``, as base64.
    """
    document = open_document(library, doc, password)
    picture = document.image(page)
    if as_json:
        from pageindex.app import shapes

        write_json(shapes.page_image(document, document.page_number(page), picture))
        return
    if output is None and sys.stdout.isatty():
        raise InputError("a picture cannot be shown on a terminal", "Name a file with --output.")
    write_output(output, picture)
