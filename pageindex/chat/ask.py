"""A question without a model: the best pages and sections, with the words that show why, ready to be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pageindex.app.document import OpenDocument
from pageindex.app.search import PageHit
from pageindex.document import Evidence, PageRange
from pageindex.document.pagespec import format_pages
from pageindex.evidence.ledger import Exposure
from pageindex.tools import Reader
from pageindex.tools.shown import clean, section_path

__all__ = ["Found", "Passages", "find_passages"]

_MOST_RANGES = 3


@dataclass(frozen=True, slots=True)
class Found:
    """A page that may answer.

    Attributes:
        document, doc_id: Where.
        page: Physical.
        label: Printed number where it differs.
        node_id, section: The section that fits best, with the titles above it.
        section_tokens: What reading that section costs.
        quotes: Passages of the page with their handles, best first: ``(words, handle)``.
        matched: Words of the question found there.
    """

    document: str
    doc_id: str
    page: int
    label: str | None
    node_id: str
    section: str
    section_tokens: int
    quotes: Sequence[tuple[str, str]]
    matched: Sequence[str]

    def to_json(self) -> dict[str, Any]:
        """``{doc_name, doc_id, page, label?, node_id, section, section_tokens, quotes: [{text, handle}], matched}``."""
        item: dict[str, Any] = {"doc_name": self.document, "doc_id": self.doc_id, "page": self.page}
        if self.label is not None:
            item["label"] = self.label
        return item | {
            "node_id": self.node_id,
            "section": self.section,
            "section_tokens": self.section_tokens,
            "quotes": [{"text": text, "handle": handle} for text, handle in self.quotes],
            "matched": list(self.matched),
        }


@dataclass(frozen=True, slots=True)
class Passages:
    """What was found, over what.

    Attributes:
        question: As given.
        found: Pages, best first.
        coverage: One line: which pages were searched and which could not be.
        pages_scanned: How many.
        unsearched: Page ranges by document.
        remarks: What there is to say beside: words that stand nowhere, and what was looked for instead; places that the question names.
    """

    question: str
    found: Sequence[Found]
    coverage: str
    pages_scanned: int
    unsearched: dict[str, str]
    remarks: Sequence[str] = ()

    def to_json(self) -> dict[str, Any]:
        """``{question, found, coverage, pages_scanned, pages_without_text, remarks}``."""
        return {
            "question": self.question,
            "found": [item.to_json() for item in self.found],
            "coverage": self.coverage,
            "pages_scanned": self.pages_scanned,
            "pages_without_text": self.unsearched,
            "remarks": list(self.remarks),
        }


def find_passages(session: Reader, question: str, *, limit: int = 5) -> Passages:
    """Search the documents in scope for a question.

    Raises InputError (EMPTY_QUERY) when the question holds no words.
    """
    result = session.search(question, limit=limit)
    found = [_found(session, hit) for hit in result.hits]
    scanned = sum(result.pages_scanned.values())
    unsearched = {
        clean(session.library.get(doc_id).name): format_pages(pages)
        for doc_id, pages in result.pages_without_text.items()
        if pages
    }
    documents = len(result.pages_scanned)
    line = f"searched {scanned:,} pages of {documents} document{'s' if documents != 1 else ''}"
    if unsearched:
        line += "; without text: " + "; ".join(f"{name} {pages}" for name, pages in list(unsearched.items())[:5])
    return Passages(question, found, line, scanned, unsearched, result.remarks)


def _found(session: Reader, hit: PageHit) -> Found:
    document = session.opened(hit.record)
    ranges = hit.ranges[:_MOST_RANGES]
    session.expose(document.edition.id, Exposure.SNIPPET, [PageRange(hit.page, *pair) for pair in ranges])
    return Found(
        document=clean(document.name),
        doc_id=hit.record.doc_id,
        page=hit.page,
        label=hit.label,
        node_id=hit.section.node_id,
        section=section_path(document, hit.section),
        section_tokens=document.extent.tokens(hit.section.span),
        quotes=[_quote(document, hit.page, *pair) for pair in ranges],
        matched=hit.matched,
    )


def _quote(document: OpenDocument, page: int, start: int, end: int) -> tuple[str, str]:
    text = document.edition.page(page).words(start, end)
    evidence = Evidence.of(document.edition, page, start, end)
    return " ".join(clean(text).replace("\x02", "-").split()), str(evidence.handle)
