"""Which document and pages a citation means."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pageindex.app.document import OpenDocument
from pageindex.app.passages import Given
from pageindex.chat.markup import CitationMark
from pageindex.document import PageRange
from pageindex.document.pagespec import LABEL_PREFIX, format_pages, parse_pages
from pageindex.errors import PageIndexError, PageRangeError
from pageindex.evidence.ledger import Exposure
from pageindex.evidence.numbers.tokens import number_tokens
from pageindex.tools import Reader
from pageindex.tools.envelope import Refusal
from pageindex.tools.shown import clean

__all__ = ["Cited", "Places"]

_MOST_CITED = 50  # pages of one citation
_MOST_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Cited:
    """What a citation means; without a document or pages, ``status`` and ``message`` say why. ``given`` is the passage cited by number."""

    document: OpenDocument | None
    pages: tuple[int, ...] = ()
    status: str = "cited"
    message: str = ""
    given: Given | None = None

    @property
    def ranges(self) -> tuple[PageRange, ...]:
        """The bytes of the passage cited by number, and of what stands over it; empty where pages are cited."""
        if self.given is None:
            return ()
        passage = self.given.passage
        return (passage.range, *(PageRange(passage.page, start, end) for start, end in passage.heads))


@dataclass
class Places:
    """Citations of one answer, each resolved once."""

    session: Reader
    _known: dict[tuple[str, str, int | None], Cited] = field(default_factory=dict)

    def cited(self, mark: CitationMark) -> Cited:
        key = (mark.document, mark.pages, mark.passage)
        if key not in self._known:
            self._known[key] = self._resolve(mark)
        return self._known[key]

    def _resolve(self, mark: CitationMark) -> Cited:
        if mark.passage is not None:
            return self._passage(mark.passage)
        try:
            document = self.document(mark.document)
        except PageIndexError as error:
            return Cited(None, (), "unknown_document", f"{error.message}. {error.next_step}".strip())
        if not mark.pages:
            return Cited(document, (), "no_page", "the citation names no page")
        try:
            pages = _pages(mark.pages, document)
        except PageRangeError as error:
            status = "page_out_of_range" if error.code == "PAGE_OUT_OF_RANGE" else "invalid_page"
            return Cited(document, (), status, error.message)
        if len(pages) > _MOST_CITED:
            return Cited(document, (), "too_many_pages", f"{len(pages)} pages are no citation; name the page")
        return Cited(document, pages)

    def _passage(self, number: int) -> Cited:
        given = self.session.passages.get(number)
        if given is None:
            return Cited(None, (), "unknown_passage", f"no passage was given under [{number}]")
        try:
            document = self.session.open(given.doc_id)
        except Refusal as refusal:
            return Cited(None, (), "unknown_document", refusal.error.message)
        except PageIndexError as error:
            return Cited(None, (), "unknown_document", error.message)
        if document.record.edition.id != given.edition:
            message = f"{clean(document.name)} was read anew since [{number}] was given"
            return Cited(None, (), "source_changed", message)
        return Cited(document, (given.passage.page,), given=given)

    def document(self, reference: str) -> OpenDocument:
        """A document by name; the only one read where none is named. Raises PageIndexError."""
        read = self.read()
        if not reference and len(read) == 1:
            return read[0]
        try:
            return self.session.open(reference or None)
        except Refusal as refusal:
            raise refusal.error from refusal

    def read(self) -> list[OpenDocument]:
        """The documents of which anything was delivered in this session, those opened last first."""
        return [document for document in self.session.open_documents() if self._any(document)]

    def _any(self, document: OpenDocument) -> bool:
        ledger = self.session.ledgers.get(document.record.edition.id)
        return ledger is not None and bool(ledger.pages(Exposure.DELIVERED) or ledger.pages(Exposure.VIEWED))

    def seen(self, marks: Iterable[CitationMark]) -> list[tuple[OpenDocument, int]]:
        """The pages that citations name whose picture was sent to the model."""
        found = []
        for cited in map(self.cited, marks):
            ledger = self.session.ledgers.get(cited.document.record.edition.id) if cited.document is not None else None
            if cited.document is None or ledger is None or cited.given is not None:
                continue
            found += [(cited.document, page) for page in cited.pages if ledger.seen(Exposure.VIEWED, page)]
        return found

    def by_edition(self, edition: str) -> OpenDocument | None:
        opened = self.session.open_documents()
        return next((document for document in opened if document.record.edition.id == edition), None)

    def pages_printing(self, number: str) -> str:
        """Where a number stands in what was read, in words; empty when nowhere."""
        wanted = {token.core for token in number_tokens(number)}
        for document in self.read():
            ledger = self.session.ledgers[document.record.edition.id]
            pages = [
                page
                for page in ledger.pages(Exposure.DELIVERED)
                if wanted and wanted <= {token.core for token in number_tokens(document.edition.page(page).text)}
            ]
            if pages:
                return f"page {format_pages(pages[:_MOST_SHOWN])} of {clean(document.name)}"
        return ""


def _pages(spec: str, document: OpenDocument) -> tuple[int, ...]:
    """Physical pages; what is none may be a printed number, such as 5-2 for the second page of chapter 5."""
    try:
        return parse_pages(spec, document.record.page_count, document.labels)
    except PageRangeError:
        if spec.strip() in document.labels:
            return parse_pages(f"{LABEL_PREFIX}{spec}", document.record.page_count, document.labels)
        raise
