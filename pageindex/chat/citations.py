"""Citations of a finished answer: read, and resolved only where they hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pageindex.app.checks import rectangles_of
from pageindex.app.document import OpenDocument
from pageindex.chat.markup import Markup, parse
from pageindex.chat.passage_findings import passage_finding
from pageindex.chat.places import Places
from pageindex.document import Evidence
from pageindex.evidence.quotes.locate import locate
from pageindex.evidence.status import Weight
from pageindex.tools import Reader
from pageindex.tools.shown import clean

__all__ = ["Citation", "get_citations", "resolve_citations"]


@dataclass(frozen=True, slots=True)
class Citation:
    """One reference of an answer; ``quotes`` are the quotations that go with it."""

    document: str
    pages: str
    text: str
    quotes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """``{doc, page, text, quotes}``."""
        return {"doc": self.document, "page": self.pages, "text": self.text, "quotes": list(self.quotes)}


def get_citations(answer: str) -> list[Citation]:
    """The references of an answer in order, as they are written; nothing is looked up."""
    marks = parse(answer)
    found = []
    for mark in marks.citations:
        quotes = tuple(quote.text for quote in marks.quotes if marks.citation_for(quote) is mark)
        found.append(Citation(mark.document, mark.pages, answer[mark.start : mark.end], quotes))
    return found


def resolve_citations(answer: str, session: Reader) -> list[dict[str, Any]]:
    """Look every reference of an answer up.

    Returns:
        ``[{doc, page, passage?, status, resolved, message?, doc_id?, name?, pages?, label?, quotes: [{text, status, weight, page?, handles,
        rectangles}]}]``. ``resolved`` is false, and nothing is pointed at, for a document that is not in scope, a page that does not
        exist, or a quote that is not printed there. Reading in this session is not asked for: the answer may be an old one.
    """
    marks, places = parse(answer), Places(session)
    return [_resolved(session, marks, places, index) for index in range(len(marks.citations))]


def _resolved(session: Reader, marks: Markup, places: Places, index: int) -> dict[str, Any]:
    mark = marks.citations[index]
    cited = places.cited(mark)
    item: dict[str, Any] = {"doc": mark.document, "page": mark.pages, "status": cited.status}
    if cited.document is None or not cited.pages:
        return {**item, "resolved": False, "message": cited.message, "quotes": []}
    document = cited.document
    page = document.edition.page(cited.pages[0])
    item |= {"doc_id": document.record.doc_id, "name": clean(document.name), "pages": list(cited.pages)}
    if (label := page.printed_label) is not None:
        item["label"] = label
    texts = [quote.text for quote in marks.quotes if marks.citation_for(quote) is mark]
    if cited.given is not None:
        found = passage_finding(session, mark, cited, marks.body[marks.block_of(mark.start)[0] : mark.start])
        item |= {"passage": mark.passage}
        texts = [found.text, *texts]
    quotes = [_quote(session, document, text, cited.pages) for text in texts]
    holds = all(quote["weight"] != Weight.FAIL.name.lower() for quote in quotes)
    return {**item, "status": "cited" if holds else "quote_fails", "resolved": holds, "quotes": quotes}


def _quote(session: Reader, document: OpenDocument, text: str, pages: Sequence[int]) -> dict[str, Any]:
    tried = [locate(document.edition, text, page) for page in pages]
    located = min(tried, key=lambda found: found.weight)
    item: dict[str, Any] = {"text": text, "status": located.status.value, "weight": located.weight.name.lower()}
    if located.message:
        item["message"] = located.message
    if located.weight is Weight.FAIL:
        return item | {"found_pages": list(located.found_pages), "handles": [], "rectangles": []}
    return item | {"page": located.page, **_places(session, document, located.evidence)}


def _places(session: Reader, document: OpenDocument, evidence: Sequence[Evidence]) -> dict[str, Any]:
    """``{handles, rectangles: [{page, x0, y0, x1, y1}]}`` in points from the top left of the displayed page."""
    boxes = rectangles_of(document, evidence)
    shown = [{"page": page, **{name: round(value, 2) for name, value in box._asdict().items()}} for page, box in boxes]
    return {"handles": [str(piece.handle) for piece in evidence], "rectangles": shown}
