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

from pageindex.document import Edition, Page, Position, Section, Span
from pageindex.document.codec import encode_json
from pageindex.errors import InputError, PageRangeError
from pageindex.evidence.ledger import Exposure, Ledger
from pageindex.evidence.quotes.index import folded
from pageindex.evidence.quotes.passage import PageRange, Passage, joined_pages, one_page, pages_of
from pageindex.evidence.quotes.wanted import Wanted
from pageindex.text.folding import joins_words

__all__ = ["Absence", "AbsenceRefused", "Grade", "Scope", "blocking_pages", "prove_absence"]

_MOST_NAMED = 20
_BLOCKING_FLAGS = ("truncated", "scanned")  # text, but not all that is printed


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
        reason: ``present`` (a query occurs), ``blocked`` (pages cannot be taken at their word) or ``unread`` (grade ``read`` only).
        pages: The pages that stand in the way, each with its reason: ``image_only``, ``failed``, ``truncated``, ``unread`` …
        hits: For ``present``: ``(query, page)``, at most twenty.
    """

    reason: str
    scope: Scope
    pages: tuple[tuple[int, str], ...] = ()
    hits: tuple[tuple[str, int], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """``{granted, reason, scope, pages, hits}``."""
        return {
            "granted": False,
            "reason": self.reason,
            "scope": self.scope.title,
            "pages": [{"page": page, "reason": reason} for page, reason in self.pages],
            "hits": [{"query": query, "page": page} for query, page in self.hits],
        }


def prove_absence(
    edition: Edition,
    queries: Iterable[str],
    scope: Scope | None = None,
    *,
    grade: Grade = Grade.LEXICAL,
    ledger: Ledger | None = None,
) -> Absence | AbsenceRefused:
    """Look for every query in every page of the scope.

    A query occurs where its letters do, whatever the case, spaces, hyphens and line breaks, if they begin or end a word there: ``cat``
    occurs in ``cats`` and in ``CAT-like``, not in ``concatenation``. The scan is noted in the ledger.

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
    hits = [(item.quote, page) for item in wanted for page in _occurrences(edition, item, place.span)]
    _note_scan(ledger, edition, place, wanted)
    if hits:
        return AbsenceRefused("present", place, hits=tuple(hits[:_MOST_NAMED]))
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
    return next((flag for flag in _BLOCKING_FLAGS if page.has_flag(flag)), "")


def _occurrences(edition: Edition, wanted: Wanted, span: Span) -> list[int]:
    index = folded(edition)
    first, last = span.start.page, span.last_page
    pages = [page for page in index.pages_with(wanted.letters) if first <= page <= last]
    found = [page for page in pages if _occurs(edition, one_page(index, page), wanted, span)]
    for low, high in index.breaks_with(wanted.letters):
        if first <= low and high <= last and _occurs(edition, joined_pages(index, low, high), wanted, span):
            found.append(low)
    return sorted(set(found))


def _occurs(edition: Edition, passage: Passage, wanted: Wanted, span: Span) -> bool:
    """Whether a query stands in a passage inside the span, at the beginning or the end of a word."""
    text = passage.text
    at = text.letters.text.find(wanted.letters)
    while at >= 0:
        low, high = text.letters.original(at, at + len(wanted.letters))
        begins = not (low and joins_words(text.plain.text[low - 1]) and joins_words(text.plain.text[low]))
        ends = not (joins_words(text.plain.text[high : high + 1] or " ") and joins_words(text.plain.text[high - 1]))
        places = passage.page_ranges(edition, *text.plain.original(low, high))
        if (begins or ends) and all(_inside(place, span) for place in places):
            return True
        at = text.letters.text.find(wanted.letters, at + 1)
    return False


def _inside(place: PageRange, span: Span) -> bool:
    start, end = span.on_page(place.page, 1 << 62)
    return place.start < end and place.end > start


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
