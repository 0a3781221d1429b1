"""``search_documents``: pages that answer a query, with the words that show why.

Snippets do not count as read. A reader that numbers passages gets the best of them whole instead, and what it gets whole it has read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any

from pageindex.app.document import OpenDocument
from pageindex.app.passage_ranking import rank_passages
from pageindex.app.reader import Reader
from pageindex.app.search import PageHit, SearchPage
from pageindex.document import DocumentRecord, PageRange, Passage, PassageKind
from pageindex.document.pagespec import format_pages
from pageindex.errors import EvidenceError, InputError, PageIndexError
from pageindex.evidence.ledger import Exposure
from pageindex.tools.declare import cost, tool
from pageindex.tools.envelope import Call, Envelope, Refusal, call, success
from pageindex.tools.numbering import choose, numbered_text, places_of
from pageindex.tools.results import SearchResult
from pageindex.tools.shown import clean, section_path

__all__ = ["ranked_documents", "search_documents"]

_HITS = 10
_OVERHEAD = 260
_HIT_TOKENS = 170
_SNIPPET_CHARS = 320
_PATH_CHARS = 90
_PASSAGE_TOKENS = 900  # of the passages of one reply
_MOST_PASSAGES = 40
_LEAST_SHARE = 0.1  # of the best passage's likelihood that another must have to be given whole


@tool(simple=["query"], spare=["where"])
def search_documents(
    reader: Reader,
    query: str,
    where: Mapping[str, Any] | None = None,
    doc_name: str | None = None,
    cursor: str | None = None,
) -> Annotated[Envelope, SearchResult]:
    """Find pages by words. Gives pages, sections and their best passages.

    Args:
        query: Words to look for; "quoted words" side by side come first. Page, figure, table, note and section numbers lead there.
        where: Metadata to match, such as {"year": 2022} or {"year": {"gte": 2020}}.
        doc_name: Search this document only.
        cursor: Only ever copied from next_steps of an earlier reply.

    Returns:
        `query, hits: [{doc_name, doc_id, page, label?, node_id, section, snippet, handle, matched}], total, next_cursor, pages_scanned,
        pages_without_text, documents_scanned, remarks?`; `passages`, numbered, in place of `snippet` where the session numbers them,
        and `whole` where they are all of their page
    """
    document = reader.open(doc_name) if doc_name else None
    most = max(1, min(_HITS, (reader.room() - _OVERHEAD) // _HIT_TOKENS))
    result = _search(reader, query, document, where, most, cursor)
    chosen = _passages(reader, query, result) if reader.numbered else {}
    hits = [_hit(reader, hit, chosen.get((hit.record.doc_id, hit.page), ())) for hit in result.hits]
    shown = _fitting(hits, reader.room() - _OVERHEAD)
    for hit in shown:
        _expose(reader, result, hit, chosen)
    scanned = sum(result.pages_scanned.values())
    data = {
        "query": query,
        "hits": shown,
        "total": result.total,
        "next_cursor": result.next_cursor,
        "documents_scanned": len(result.pages_scanned),
        "pages_scanned": scanned,
        "pages_without_text": _unsearched(reader, result),
        **({"unreadable": list(result.unreadable)} if result.unreadable else {}),
        **({"remarks": [clean(remark) for remark in result.remarks]} if result.remarks else {}),
    }
    names = {hit["doc_name"] for hit in shown}
    if document is None and len(names) == 1 and len(result.pages_scanned) == 1:
        data["doc_name"] = names.pop()
    if document is not None:
        data["doc_name"] = clean(document.name)
        _note_scan(reader, document, query)
    return success(data, _summary(shown, result, scanned), _options(query, where, document, shown, result))


def _search(
    reader: Reader,
    query: str,
    document: OpenDocument | None,
    where: Mapping[str, Any] | None,
    limit: int,
    cursor: str | None,
) -> SearchPage:
    """The library's search within what the reader may see; raises Refusal with a call that makes sense instead."""
    name = document.name if document is not None else None
    try:
        return reader.search(query, document, where=where, limit=limit, cursor=cursor)
    except EvidenceError as error:
        raise Refusal(error, call("search_documents", query=query, where=where, doc_name=name)) from error
    except InputError as error:
        other = call("get_document_structure", doc_name=name) if name else call("browse_documents", recursive=True)
        raise Refusal(error, other) from error


def ranked_documents(reader: Reader, query: str, limit: int, folder_id: str | None = None) -> list[DocumentRecord]:
    """Documents in scope, and in a folder or below it, that fit a query, best first."""
    doc_ids = None if reader.scope is None else [record.doc_id for record in reader.records_in_scope()]
    if doc_ids is not None and not doc_ids:
        return []
    try:
        found = reader.library.search_documents(query, doc_ids=doc_ids, folder_id=folder_id, limit=limit)
    except PageIndexError as error:
        raise Refusal(error, call("browse_documents", recursive=True)) from error
    return [hit.record for hit in found]


_Chosen = Mapping[tuple[str, int], Sequence[Passage]]


def _passages(reader: Reader, query: str, result: SearchPage) -> _Chosen:
    """The best passages of all hits, by document and page."""
    ranked = rank_passages(query, [(reader.opened(hit.record), hit) for hit in result.hits])
    budget = min(_PASSAGE_TOKENS, (reader.room() - _OVERHEAD) // 2)
    found: dict[tuple[str, int], list[Passage]] = {}
    ranked = [one for one in ranked if one.share >= _LEAST_SHARE]
    for one in choose(ranked, budget, most=_MOST_PASSAGES)[0]:
        found.setdefault((one.document.doc_id, one.passage.page), []).append(one.passage)
    return found


def _hit(reader: Reader, hit: PageHit, passages: Sequence[Passage]) -> dict[str, Any]:
    reader.checkpoint()
    document = reader.opened(hit.record)
    item: dict[str, Any] = {"doc_name": clean(document.name), "doc_id": hit.record.doc_id, "page": hit.page}
    if hit.label is not None:
        item["label"] = hit.label
    item["node_id"] = hit.section.node_id
    item["section"] = section_path(document, hit.section)[-_PATH_CHARS:]
    if passages:
        ordered = sorted(passages, key=lambda passage: passage.start)
        number = partial(reader.passages.number, document)
        item["passages"] = clean(numbered_text(document.edition, ordered, number).text)
        if _is_whole(document, hit.page, passages):
            item["whole"] = True
    elif not reader.numbered:
        item["snippet"] = " … ".join(map(clean, hit.snippets))[:_SNIPPET_CHARS]
    if hit.handle is not None:
        item["handle"] = hit.handle
    return item | {"matched": list(hit.matched)}


def _is_whole(document: OpenDocument, page: int, given: Sequence[Passage]) -> bool:
    """Whether these are all passages of a page, so that nobody need read it."""
    return all(one in given for one in document.passages(page) if one.kind is not PassageKind.HEADING)


def _expose(reader: Reader, result: SearchPage, shown: Mapping[str, Any], chosen: _Chosen) -> None:
    """Note what is shown of a hit: passages whole, or snippets, which count as nothing read."""
    hit = next(hit for hit in result.hits if (hit.record.doc_id, hit.page) == (shown["doc_id"], shown["page"]))
    edition = reader.opened(hit.record).edition.id
    if "passages" in shown:
        reader.expose(edition, Exposure.DELIVERED, places_of(chosen[hit.record.doc_id, hit.page]))
    elif "snippet" in shown:
        reader.expose(edition, Exposure.SNIPPET, [PageRange(hit.page, *pair) for pair in hit.ranges])


def _fitting(hits: list[dict[str, Any]], budget: int) -> list[dict[str, Any]]:
    kept: list[dict[str, Any]] = []
    for hit in hits:
        budget -= cost(hit)
        if kept and budget < 0:
            break
        kept.append(hit)
    return kept


def _unsearched(reader: Reader, result: SearchPage) -> dict[str, str]:
    """Pages that could not be searched, by document, at most twenty documents."""
    named = [(doc_id, pages) for doc_id, pages in result.pages_without_text.items() if pages][:20]
    return {clean(reader.library.get(doc_id).name): format_pages(pages) for doc_id, pages in named}


def _note_scan(reader: Reader, document: OpenDocument, query: str) -> None:
    pages = [page for page in document.edition.pages if page.text]
    ranges = [PageRange(page.number, 0, len(page.data)) for page in pages]
    reader.expose(document.edition.id, Exposure.SCANNED, ranges, query=query)


def _summary(shown: Sequence[dict[str, Any]], result: SearchPage, scanned: int) -> str:
    if not scanned and result.remarks:
        return result.remarks[0]
    if not shown:
        return f"Nothing found on {scanned} pages{_left_out(result)}. Try other words, or look at the outline."
    words = f"{len(shown)} of {result.total} pages{_left_out(result)}."
    if any("passages" in hit for hit in shown):
        return f"{words} Numbered passages are whole and can be cited; read the section for what stands around them."
    return f"{words} Snippets are not evidence: read a page or its section before you quote it."


def _left_out(result: SearchPage) -> str:
    return f" ({len(result.unreadable)} damaged documents left out)" if result.unreadable else ""


def _options(
    query: str,
    where: Mapping[str, Any] | None,
    document: OpenDocument | None,
    shown: Sequence[dict[str, Any]],
    result: SearchPage,
) -> list[str | Call]:
    options: list[str | Call] = []
    name = document.name if document is not None else None
    if shown:
        options.append(call("get_page_content", doc_name=shown[0]["doc_name"], pages=str(shown[0]["page"])))
    else:
        options.append(call("get_document_structure", doc_name=name) if name else call("browse_documents"))
    if result.next_cursor is not None:
        following = {"query": query, "where": where, "doc_name": name, "cursor": result.next_cursor}
        options.append(call("search_documents", **following))
    return options
