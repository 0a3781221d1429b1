"""Search over a library: pages that answer best, with the words that show why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pageindex.app.remarks import remarks
from pageindex.document import DocumentRecord, Evidence, Section
from pageindex.errors import NotFoundError, StoreError
from pageindex.store.base import AbsentWord, Hit, Library, Pointed
from pageindex.text.shown import shown_page

__all__ = ["PageHit", "SearchPage", "search"]


@dataclass(frozen=True, slots=True)
class PageHit:
    """A page that answers a query.

    Attributes:
        record: The document.
        page: Physical.
        label: Printed number where it differs.
        section: The section of that page that fits best.
        score: Comparable within one result only.
        ranges: Byte ranges in the page's text, best first.
        snippets: The words of each range, on one line.
        handle: Of the best range; None where there is none.
        matched: Words of the query that the page holds.
    """

    record: DocumentRecord
    page: int
    label: str | None
    section: Section
    score: float
    ranges: tuple[tuple[int, int], ...]
    snippets: tuple[str, ...]
    handle: str | None
    matched: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SearchPage:
    """Hits, best first.

    Attributes:
        query: As given.
        hits: At most the limit.
        next_cursor: Goes on where this result ends; None at its end.
        total: Pages of all results.
        pages_scanned: Pages with text whose words were compared, by document.
        pages_without_text: Pages that could not be searched, by document.
        unreadable: Ids of documents that would have been searched, are damaged, and were left out.
        absent: Words of the query that stand nowhere in what was searched, and words spelled almost like them, which were looked for instead.
        pointed: Places that the query names ("page 17", "Figure 2"), and where they are; without places where they are not.
        remarks: Sentences that say all of this to a reader, what could not be searched first; empty where there is nothing to say.
    """

    query: str
    hits: tuple[PageHit, ...]
    next_cursor: str | None
    total: int
    pages_scanned: Mapping[str, int]
    pages_without_text: Mapping[str, Sequence[int]]
    unreadable: Sequence[str] = ()
    absent: Sequence[AbsentWord] = ()
    pointed: Sequence[Pointed] = ()
    remarks: Sequence[str] = ()


def search(
    library: Library,
    query: str,
    documents: str | Iterable[str] | None = None,
    *,
    where: Mapping[str, Any] | None = None,
    folder_id: str | None = None,
    limit: int = 10,
    cursor: str | None = None,
) -> SearchPage:
    """Pages that answer a query, best first.

    Args:
        library: Where to look.
        query: Words; pages with ``"quoted words"`` side by side come first, ``deprec*`` is any word that begins so, and a page, slide,
            figure, table, note or section that is named leads there. Case, accents and inflection do not matter.
        documents: Only these, by id, start of an id, name or path; none at all finds nothing.
        where: Compares metadata, such as ``{"year": {"gte": 2020}}``.
        folder_id: Only this folder and those below it.
        limit: Most hits.
        cursor: Where an earlier result ended.

    Raises:
        InputError: EMPTY_QUERY, QUERY_TOO_LONG, or a filter or limit that means nothing.
        NotFoundError: A document or the folder does not exist.
        EvidenceError: The cursor is none, or of another query (INVALID_CURSOR, CURSOR_QUERY_MISMATCH, CURSOR_STALE).
    """
    named = [documents] if isinstance(documents, str) else documents
    ids = [library.resolve(reference).doc_id for reference in named] if named is not None else None
    if ids is not None and not ids:
        return SearchPage(query, (), None, 0, {}, {})
    found = library.search(query, doc_ids=ids, where=where, folder_id=folder_id, limit=limit, cursor=cursor or None)
    hits, gone = [], []
    for hit in found.hits:
        try:
            hits.append(_hit(library, hit))
        except StoreError:  # damaged between the ranking and the reading
            gone.append(hit.doc_id)
        except NotFoundError:  # removed meanwhile: as if it had not been found
            continue
    return SearchPage(
        query,
        tuple(hits),
        found.next_cursor,
        found.total,
        found.pages_scanned,
        found.pages_without_text,
        tuple(dict.fromkeys((*found.unreadable, *gone))),
        found.absent,
        found.pointed,
        tuple(remarks(library, found, one=ids is not None and len(ids) == 1)),
    )


def _hit(library: Library, hit: Hit) -> PageHit:
    edition = library.edition(hit.doc_id, hit.edition)
    page = edition.page(hit.page)
    shown = [shown_page(edition, hit.page, *span).text for span in hit.ranges]
    return PageHit(
        record=library.get(hit.doc_id),
        page=hit.page,
        label=page.printed_label,
        section=library.tree(hit.doc_id, hit.edition).by_id[hit.node_id],
        score=round(hit.score, 4),
        ranges=tuple(hit.ranges),
        snippets=tuple(" ".join(text.split()) for text in shown),
        handle=str(Evidence.of(edition, hit.page, *hit.ranges[0]).handle) if hit.ranges else None,
        matched=tuple(hit.matched),
    )
