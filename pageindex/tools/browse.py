"""``browse_documents``, ``get_document`` and ``remove_document``: which documents there are, and what each is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta

from pageindex.app.document import OpenDocument
from pageindex.app.library import ROOT_FOLDER, Folder
from pageindex.app.reader import Reader
from pageindex.document import DocumentRecord
from pageindex.document.pagespec import format_pages
from pageindex.errors import InputError, NotFoundError
from pageindex.tools.coverage import coverage
from pageindex.tools.declare import cost, tool
from pageindex.tools.envelope import Call, Envelope, Refusal, call, success
from pageindex.tools.find import ranked_documents
from pageindex.tools.results import BrowseResult, DocumentResult, RemovalResult
from pageindex.tools.shown import clean

__all__ = ["browse_documents", "get_document", "remove_document"]

_OVERHEAD = 200
_MOST_LISTED = 100
_DESCRIPTION_CHARS = 400
_MOST_LABEL_RUNS = 12


@tool(simple=["query"], among_several=True, spare=["folder_id", "recursive", "sort", "limit"])
def browse_documents(
    reader: Reader,
    folder_id: str = ROOT_FOLDER,
    recursive: bool = False,
    sort: Literal["time", "relevance"] = "time",
    query: str | None = None,
    offset: Annotated[int, Meta(ge=0)] = 0,
    limit: Annotated[int, Meta(ge=1)] = 10,
) -> Annotated[Envelope, BrowseResult]:
    """List the documents that may be read, newest first or by relevance to a query.

    Args:
        folder_id: A folder; 'root' by default.
        recursive: Whether to look into folders below.
        sort: Newest first, or as a query wants them.
        query: What the documents should be about.
        offset: How many to skip.
        limit: How many to list.

    Returns:
        `documents: [{name, doc_id, description, status, created_at, page_count, metadata?}], total, next_offset, has_more, folders, unreadable?`
    """
    limit = min(limit, _MOST_LISTED)
    if query is not None and query.strip():
        records, total, folders = _relevant(reader, query, folder_id, recursive, offset, limit)
    else:
        records, total, folders = _listed(reader, folder_id, recursive, offset, limit)
    damaged = reader.library.list(limit=1).unreadable if reader.scope is None else ()
    items = _fitting([_entry(record) for record in records], reader.room() - _OVERHEAD)
    following = offset + len(items)
    more = following < total
    data = {
        "documents": items,
        "total": total,
        "next_offset": following if more else None,
        "has_more": more,
        "folders": [{"folder_id": folder.folder_id, "name": clean(folder.name)} for folder in folders],
        **({"unreadable": list(damaged[:_MOST_LISTED])} if damaged else {}),
    }
    options: list[str | Call] = []
    if more:
        arguments = {"folder_id": folder_id, "recursive": recursive, "sort": sort, "query": query}
        options.append(call("browse_documents", **arguments, offset=following, limit=limit))
    if items:
        options.append(call("get_document_structure", doc_name=items[0]["doc_id"]))
    elif folders:
        options.append(call("browse_documents", folder_id=folders[0].folder_id))
    return success(data, _summary(items, total, folders), options)


def _summary(items: Sequence[dict[str, Any]], total: int, folders: Sequence[Folder]) -> str:
    if not total:
        return "No documents here." + (" Look into the folders, or list with recursive." if folders else "")
    return f"{len(items)} of {total} documents. Look at an outline, or search the text."


def _listed(
    reader: Reader, folder_id: str, recursive: bool, offset: int, limit: int
) -> tuple[Sequence[DocumentRecord], int, Sequence[Folder]]:
    if reader.scope is None:
        everywhere = folder_id == ROOT_FOLDER and recursive
        listing = reader.library.list(
            folder_id=None if everywhere else folder_id, recursive=recursive, offset=offset, limit=limit
        )
        return listing.documents, listing.total, reader.library.list_folders(folder_id)
    records = [record for record in reader.records_in_scope() if _inside(reader, record, folder_id, recursive)]
    # Folders of the library are not shown under a scope: their names speak of documents outside it.
    return records[offset : offset + limit], len(records), ()


def _inside(reader: Reader, record: DocumentRecord, folder_id: str, recursive: bool) -> bool:
    if folder_id == ROOT_FOLDER:
        return True  # a scope is a list of its own: its documents are shown whatever folder they are in
    if record.folder_id == folder_id:
        return True
    return recursive and any(f.folder_id == folder_id for f in reader.library.folder_path(record.folder_id))


def _relevant(
    reader: Reader, query: str, folder_id: str, recursive: bool, offset: int, limit: int
) -> tuple[Sequence[DocumentRecord], int, Sequence[Folder]]:
    folder = None if reader.scope is not None or (folder_id == ROOT_FOLDER and recursive) else folder_id
    ranked = ranked_documents(reader, query, _MOST_LISTED, folder)
    if reader.scope is not None:
        records = [record for record in ranked if _inside(reader, record, folder_id, recursive)]
    else:
        records = [record for record in ranked if recursive or record.folder_id == folder_id]
    return records[offset : offset + limit], len(records), ()


def _entry(record: DocumentRecord) -> dict[str, Any]:
    item: dict[str, Any] = {
        "name": clean(record.name),
        "doc_id": record.doc_id,
        "description": clean(record.description or record.title)[:_DESCRIPTION_CHARS],
        "status": record.status,
        "created_at": record.created_at,
        "page_count": record.page_count,
    }
    return item | ({"metadata": dict(record.metadata)} if record.metadata else {})


def _fitting(items: list[dict[str, Any]], budget: int) -> list[dict[str, Any]]:
    """As many as fit, and one at least; a description too long for that is cut before."""
    kept: list[dict[str, Any]] = []
    left = budget
    for item in items:
        left -= cost(item)
        if kept and left < 0:
            break
        kept.append(item)
    return kept


@tool(simple=[], in_loop=False)
def get_document(reader: Reader, doc_name: str | None = None) -> Annotated[Envelope, DocumentResult]:
    """What is known of a document: pages, printed page numbers, pages without text, what you have read of it.

    Args:
        doc_name: A document's name or doc_id. May be left out when there is only one document.

    Returns:
        `name, doc_id, title, description, status, page_count, sections, tokens, labels, flags, page_states, metadata, coverage, …`
    """
    document = reader.open(doc_name)
    record = document.record
    data = {
        **_entry(record),
        "title": clean(record.title),
        "language": record.language,
        "toc_source": record.toc_source,
        "confidence": record.confidence,
        "sections": record.sections,
        "tokens": document.tokens,
        "edition": record.edition.id[:12],
        "labels": _label_runs(document),
        "flags": {name: format_pages(pages) for name, pages in record.flags.items()},
        "page_states": {name: format_pages(pages) for name, pages in record.page_states.items()},
        "coverage": coverage(reader, document),
    }
    summary = f"{record.page_count} pages, about {document.tokens:,} tokens, {record.sections} sections."
    return success(data, summary, [call("get_document_structure", doc_name=document.name)])


def _label_runs(document: OpenDocument) -> list[dict[str, str]]:
    """Printed numbers beside physical ones, in runs: ``[{pages: "1-4", labels: "i-iv"}]``; empty where they agree."""
    runs: list[list[tuple[int, str]]] = []
    for page in document.edition.pages:
        if page.label is None or page.label == str(page.number):
            continue
        if runs and runs[-1][-1][0] == page.number - 1 and _follows(runs[-1][-1][1], page.label):
            runs[-1].append((page.number, page.label))
        else:
            runs.append([(page.number, page.label)])
    return [
        {
            "pages": format_pages([number for number, _ in run]),
            "labels": run[0][1] if len(run) == 1 else f"{run[0][1]}-{run[-1][1]}",
        }
        for run in runs[:_MOST_LABEL_RUNS]
    ]


def _follows(one: str, other: str) -> bool:
    """Whether a label may continue a run: the next number, or another label that is no number (roman, letters)."""
    if one.isdecimal() and other.isdecimal():
        return int(other) == int(one) + 1
    return not one.isdecimal() and not other.isdecimal()


@tool(needs="management", simple=[])
def remove_document(
    reader: Reader, doc_names: Annotated[list[str], Meta(min_length=1)]
) -> Annotated[Envelope, RemovalResult]:
    """Remove documents from the library for good.

    Args:
        doc_names: Names or doc_ids.

    Returns:
        `results: [{name, removed, error?}]`
    """
    if not reader.management:
        error = InputError("documents cannot be removed here", "Ask the user to do it.", code="NOT_ALLOWED")
        raise Refusal(error, call("browse_documents"))
    results = []
    for name in doc_names:
        reader.checkpoint()
        try:
            record = reader.resolve(name)
            reader.library.remove(record.doc_id)
            results.append({"name": record.name, "doc_id": record.doc_id, "removed": True})
        except Refusal as refusal:
            results.append({"name": name, "removed": False, "error": refusal.error.message})
        except NotFoundError as missing:  # removed meanwhile
            results.append({"name": name, "removed": False, "error": missing.message})
    removed = sum(bool(result["removed"]) for result in results)
    return success({"results": results}, f"{removed} of {len(results)} removed.", [call("browse_documents")])
