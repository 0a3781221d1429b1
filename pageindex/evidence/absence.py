"""“Not in the document” is a claim with a check of its own.

*lexical*: these words do not occur. *read*: moreover, all text of the scope was delivered in this session. Either is granted only over
pages that were read whole, and the scope is always printed with it; a refusal names the pages that stand in the way.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pageindex.document import Edition, Page, PageRange, Position, Section, Span
from pageindex.document.codec import encode_json
from pageindex.document.pagespec import format_pages
from pageindex.errors import InputError, PageRangeError
from pageindex.evidence.ledger import Exposure, Ledger
from pageindex.evidence.occurrences import occurrences, stems_of
from pageindex.evidence.quotes.passage import pages_of
from pageindex.evidence.quotes.wanted import Wanted
from pageindex.text.language import guess, guess_text
from pageindex.text.words import fold as fold_word
from pageindex.text.words import words

__all__ = ["Absence", "AbsenceRefused", "Grade", "Scope", "blocking_pages", "prove_absence"]

_MOST_NAMED = 20
_NAMED = 3  # in a sentence
_BLOCKING_FLAGS = {  # text, but not all that is printed, or not surely what is printed
    "truncated": "truncated",
    "scanned": "scanned",
    "ocr_layer_suspected": "machine_read",
    "ocr": "machine_read",
    "low_agreement": "low_agreement",
}


class Grade(StrEnum):
    """How much an absence says."""

    LEXICAL = "lexical"
    READ = "read"


@dataclass(frozen=True, slots=True)
class Scope:
    """Where something is absent: a section's span, or whole pages, in words as ``title``."""

    title: str
    span: Span

    @classmethod
    def of_pages(cls, edition: Edition, first: int, last: int) -> Scope:
        """Pages ``first`` to ``last``; raises PageRangeError for pages that do not exist."""
        if not 1 <= first <= last <= edition.page_count:
            raise PageRangeError(f"pages {first}-{last} of {edition.page_count}", f"Use 1-{edition.page_count}.")
        end = Position(last + 1, 0) if last < edition.page_count else edition.end  # a last page without text is in it
        span = Span(Position(first, 0), end)
        return cls(f"p. {first}" if first == last else f"pp. {first}-{last}", span)

    @classmethod
    def of_section(cls, section: Section) -> Scope:
        pages = f"{section.start_index}-{section.end_index}"
        return cls(f"§{section.node_id} {section.title}, pp. {pages}", section.span)


@dataclass(frozen=True, slots=True)
class Absence:
    """A granted absence; ``id`` is ``absent:<12 hex>`` over everything it depends on."""

    id: str
    grade: Grade
    edition: str
    queries: tuple[str, ...]
    scope: Scope
    pages: int
    lanes: tuple[str, ...]

    def __str__(self) -> str:
        words = ", ".join(repr(query) for query in self.queries)
        said = "do not occur" if self.grade is Grade.LEXICAL else "do not occur, and all of it was read"
        return f"{words}: {said} in {self.scope.title} ({self.pages} pages) [{self.id}]"

    def to_json(self) -> dict[str, Any]:
        """``{granted, id, grade, edition, queries, scope, pages, lanes}``."""
        return {
            "granted": True,
            "id": self.id,
            "grade": self.grade.value,
            "edition": self.edition,
            "queries": list(self.queries),
            "scope": self.scope.title,
            "pages": self.pages,
            "lanes": list(self.lanes),
        }


@dataclass(frozen=True, slots=True)
class AbsenceRefused:
    """Why an absence is not granted.

    Attributes:
        reason: ``present`` (a query occurs), ``inflected`` (only other forms of it do), ``unasked`` (a query is not of the question or
            sentence), ``blocked`` (pages cannot be taken at their word) or ``unread`` (grade ``read`` only).
        pages: The pages that stand in the way, each with its reason: ``image_only``, ``picture``, ``failed``, ``truncated``, ``unread`` …
        hits: For ``present`` and ``inflected``: ``(query, page)``, at most twenty.
        forms: Beside each hit, the words printed there where they are not those of the query.
        unasked: Queries that the question or sentence does not hold.
    """

    reason: str
    scope: Scope
    pages: tuple[tuple[int, str], ...] = ()
    hits: tuple[tuple[str, int], ...] = ()
    forms: tuple[str, ...] = ()
    unasked: tuple[str, ...] = ()

    def __str__(self) -> str:
        """One sentence: ``not searched: picture on p. 7``."""
        if self.unasked:
            return f"not what was said to be missing: {', '.join(map(repr, self.unasked))}"
        if self.hits:
            forms = self.forms or ("",) * len(self.hits)
            named = [f"{form or query!r} on p. {page}" for (query, page), form in zip(self.hits, forms, strict=True)]
            return f"printed: {', '.join(named[:_NAMED])}"
        by_reason: dict[str, list[int]] = {}
        for page, reason in self.pages:
            by_reason.setdefault(reason, []).append(page)
        parts = [f"{reason.replace('_', ' ')} on {_pages(pages)}" for reason, pages in by_reason.items()]
        return f"{'not read' if self.reason == 'unread' else 'not searched'}: {', '.join(parts)}"

    def to_json(self) -> dict[str, Any]:
        """``{granted, reason, message, scope, pages, hits, unasked}``."""
        forms = self.forms or ("",) * len(self.hits)
        return {
            "granted": False,
            "reason": self.reason,
            "message": str(self),
            "scope": self.scope.title,
            "pages": [{"page": page, "reason": reason} for page, reason in self.pages],
            "hits": [
                {"query": query, "page": page} | ({"form": form} if form else {})
                for (query, page), form in zip(self.hits, forms, strict=True)
            ],
            "unasked": list(self.unasked),
        }


def prove_absence(
    edition: Edition,
    queries: Iterable[str],
    scope: Scope | None = None,
    *,
    grade: Grade = Grade.LEXICAL,
    ledger: Ledger | None = None,
    said: str | None = None,
) -> Absence | AbsenceRefused:
    """Look for every query in every page of the scope.

    A query occurs where its letters do, whatever the case, accents, spaces, hyphens and line breaks, if they begin or end a word there:
    ``cat`` occurs in ``cats`` and in ``CAT-like``, not in ``concatenation``. Words of the same stem are looked for too (``policies`` for
    ``policy``), a word divided over columns or pages is one. The scan is noted in the ledger.

    Args:
        edition: What was read.
        queries: The words that are said to be absent.
        scope: Where; the whole document unless given.
        grade: How much is to be shown.
        ledger: What was delivered in this session.
        said: The question or sentence that says so. With it, every word of a query must be one of its words, in whatever form: nobody
            shows that something is missing by looking for something else.

    Raises:
        InputError: Without a query, with an empty one, for an empty scope, or for grade ``read`` without a ledger of this edition.
    """
    place = scope or Scope.of_pages(edition, 1, edition.page_count)
    wanted = [Wanted.of(query) for query in queries]
    if not wanted:
        raise InputError("no query", "Name the words that are said to be absent.")
    if grade is Grade.READ and (ledger is None or ledger.edition != edition.id):
        raise InputError("nothing was recorded of this edition", "Read the scope first, or ask for a lexical absence.")
    if _is_empty(edition, place.span):
        raise InputError("the scope is empty", "Name a section or pages that hold something.", code="EMPTY_SCOPE")
    if said is not None and (unasked := _not_in(edition, wanted, said)):
        return AbsenceRefused("unasked", place, unasked=unasked)
    found = [hit for item in wanted for hit in occurrences(edition, item, place.span)][:_MOST_NAMED]
    _note_scan(ledger, edition, place, wanted)
    if found:
        reason = "present" if any(not hit.form for hit in found) else "inflected"
        hits = tuple((hit.query, hit.page) for hit in found)
        return AbsenceRefused(reason, place, hits=hits, forms=tuple(hit.form for hit in found))
    blocked = blocking_pages(edition, place)
    if blocked:
        return AbsenceRefused("blocked", place, tuple(blocked))
    if grade is Grade.READ and ledger is not None and (unread := _unread(edition, place, ledger)):
        return AbsenceRefused("unread", place, tuple(unread))
    skeletons = sorted({item.letters for item in wanted})
    lanes = ("text",)
    return Absence(
        _identity(edition, skeletons, lanes, place, grade),
        grade,
        edition.id,
        tuple(item.quote for item in wanted),
        place,
        len(pages_of(edition, place.span)),
        lanes,
    )


def _is_empty(edition: Edition, span: Span) -> bool:
    """Whether a span holds neither text nor a page; a last page that is a picture is something."""
    return span.start >= span.end and not (span.start.byte == 0 and span.end == edition.end)


def blocking_pages(edition: Edition, scope: Scope) -> list[tuple[int, str]]:
    """Pages of a scope whose text cannot be taken for all that is printed on them; a blank page can."""
    found = ((number, _blocks(edition.page(number))) for number in pages_of(edition, scope.span))
    return [(number, reason) for number, reason in found if reason]


def _blocks(page: Page) -> str:
    if not page.state.readable:
        return page.state.value
    if page.unread:
        return page.unread[0].reason.value
    return next((reason for flag, reason in _BLOCKING_FLAGS.items() if page.has_flag(flag)), "")


def _not_in(edition: Edition, wanted: Sequence[Wanted], said: str) -> tuple[str, ...]:
    """The queries with a word that a question or sentence does not hold, in any form."""
    tags = (guess(edition), guess_text(said, fewest=1))
    known = stems_of(said, *filter(None, tags))
    return tuple(
        item.quote
        for item in wanted
        if not all(known & stems_of(word, *filter(None, tags)) for word in words(fold_word(item.text)))
    )


def _pages(pages: Sequence[int]) -> str:
    named = format_pages(pages)
    return f"p. {named}" if len(pages) == 1 else f"pp. {named}"


def _note_scan(ledger: Ledger | None, edition: Edition, scope: Scope, wanted: Sequence[Wanted]) -> None:
    if ledger is None or ledger.edition != edition.id:
        return
    for number in pages_of(edition, scope.span):
        start, end = scope.span.on_page(number, len(edition.page(number).data))
        for item in wanted:
            ledger.record(Exposure.SCANNED, [PageRange(number, start, end)], query=item.quote)


def _unread(edition: Edition, scope: Scope, ledger: Ledger) -> list[tuple[int, str]]:
    pages = []
    for number in pages_of(edition, scope.span):
        start, end = scope.span.on_page(number, len(edition.page(number).data))
        if ledger.unread(edition, number, start, end):
            pages.append((number, "unread"))
    return pages


def _identity(edition: Edition, skeletons: list[str], lanes: Sequence[str], scope: Scope, grade: Grade) -> str:
    facts = {
        "edition": edition.id,
        "extractor": [edition.extractor.id, edition.extractor.version],
        "grade": grade.value,
        "lanes": list(lanes),
        "queries": skeletons,
        "scope": [list(scope.span.start), list(scope.span.end)],
    }
    return f"absent:{hashlib.sha256(encode_json(facts)).hexdigest()[:12]}"
