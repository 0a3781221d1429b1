"""The JSON of what was found in documents: words, pages, quotes, tables, changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pageindex.app import search as searching
from pageindex.app import words as finding
from pageindex.app.document import OpenDocument

if TYPE_CHECKING:
    from pageindex.app.checks import LocatedQuote, PageTables, Verification
    from pageindex.store.base import Pointed as Found

from pageindex.app.shapes.types import (
    AbsentWord,
    FoundWords,
    PageHit,
    Pointed,
    PointedPlace,
    SearchPage,
    Tables,
    Verified,
    WordHit,
)

__all__ = [
    "found_words",
    "located",
    "search_page",
    "tables",
    "tables_csv",
    "tables_markdown",
    "verified",
]


def found_words(query: str, hits: Sequence[finding.WordHit], limit: int = 0) -> FoundWords:
    """Pages that hold the words; ``limit`` 0 means all."""
    shown = hits[:limit] if limit else hits
    return FoundWords(query=query, pages=len(hits), hits=[_word_hit(hit) for hit in shown])


def _word_hit(hit: finding.WordHit) -> WordHit:
    item = WordHit(
        page=hit.page,
        node_id=hit.section.node_id,
        section=hit.section.title,
        count=len(hit.matches),
        snippet=hit.snippet,
        matches=[list(match) for match in hit.matches],
    )
    if hit.label is not None:
        item["label"] = hit.label
    return item


def search_page(found: searching.SearchPage) -> SearchPage:
    """Hits with the words, names and titles that they point at."""
    return SearchPage(
        query=found.query,
        hits=[_page_hit(hit) for hit in found.hits],
        next_cursor=found.next_cursor,
        total=found.total,
        pages_scanned=dict(found.pages_scanned),
        pages_without_text={doc_id: list(pages) for doc_id, pages in found.pages_without_text.items()},
        unreadable=list(found.unreadable),
        absent=[AbsentWord(word=one.word, near=list(one.near)) for one in found.absent],
        pointed=[_pointed(one) for one in found.pointed],
        remarks=list(found.remarks),
    )


def _pointed(found: Found) -> Pointed:
    places = [PointedPlace(doc_id=place.doc_id, page=place.page, how=place.how) for place in found.places]
    return Pointed(text=found.text, places=places)


def _page_hit(hit: searching.PageHit) -> PageHit:
    item = PageHit(
        doc_id=hit.record.doc_id,
        name=hit.record.name,
        page=hit.page,
        node_id=hit.section.node_id,
        section=hit.section.title,
        score=hit.score,
        snippets=list(hit.snippets),
        ranges=[list(span) for span in hit.ranges],
        matched=list(hit.matched),
    )
    if hit.label is not None:
        item["label"] = hit.label
    if hit.handle is not None:
        item["handle"] = hit.handle
    return item


def located(found: LocatedQuote) -> dict[str, Any]:
    """``{status, weight, handles, spans, found_pages, labels, score, …}``, and ``rectangles: [{page, box}]`` where they were asked for."""
    item = {**found.located.to_json(), "labels": {str(page): label for page, label in found.labels.items()}}
    if found.rectangles is not None:
        item["rectangles"] = [
            {"page": page, "box": [round(value, 2) for value in box]} for page, box in found.rectangles
        ]
    return item


def tables(document: OpenDocument, found: PageTables) -> Tables:
    """The tables of a page."""
    from pageindex.evidence.tables.output import to_json

    item = Tables(doc_id=document.doc_id, page=found.page, tables=[to_json(table) for table in found.tables])
    if found.label is not None:
        item["label"] = found.label
    return item


def tables_csv(found: PageTables) -> str:
    """The tables as RFC 4180 CSV, parted by an empty line."""
    from pageindex.evidence.tables.output import to_csv

    return to_csv(found.tables)


def tables_markdown(found: PageTables) -> str:
    """The tables as Markdown pipe tables."""
    from pageindex.evidence.tables.output import to_markdown

    return to_markdown(found.tables)


def verified(found: Verification) -> Verified:
    """What of a document is not as recorded."""
    findings = [finding.to_json() for finding in found.findings]
    copies = [{"which": copy.which, "path": copy.path, "state": copy.state} for copy in found.copies]
    return Verified(doc_id=found.doc_id, edition=found.edition, deep=found.deep, findings=findings, copies=copies)
