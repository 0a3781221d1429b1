"""Locating a quote: the ladder of ``status.QuoteStatus``, from word for word down to missing.

The first rung that holds is taken. A model sends words; only this module makes offsets and hashes of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from pageindex.document import Edition, Evidence, PageState, text_sha256
from pageindex.errors import InputError, PageRangeError
from pageindex.evidence.fence import holds_fence
from pageindex.evidence.numbers.parity import Parity
from pageindex.evidence.quotes.difference import NEAR_SCORE, Difference, compare
from pageindex.evidence.quotes.index import FoldedEdition, FoldedText, folded
from pageindex.evidence.quotes.located import MOST_PLACES, Located
from pageindex.evidence.quotes.match import Match, Wanted, best, matches
from pageindex.evidence.quotes.passage import Passage, evidence_of, joined_pages, one_page
from pageindex.evidence.status import QuoteStatus, Weight
from pageindex.text.folding import skeleton_text

__all__ = ["OcrText", "locate", "locate_across"]

OcrText = Callable[[int], str | None]
"""What a machine read from the picture of a page, by page number; None where there is nothing."""

_MOST_PAGES = 20  # pages of a frequent phrase that are looked at
_MOST_BREAKS = 5  # pages a quote may reach over
_LIKELY = 3  # pages compared word by word when a quote is found nowhere
_OCR_LAYER = ("ocr_layer_suspected", "ocr")


def locate(
    edition: Edition,
    quote: str,
    page: int | None = None,
    page_end: int | None = None,
    *,
    ocr: OcrText | None = None,
    others: Iterable[Edition] = (),
) -> Located:
    """Find a quote in an edition.

    Args:
        edition: What was read.
        quote: Words of the document, as a reader copied them.
        page: The page cited, physical, 1-based; without one the whole document is searched and several places are ``ambiguous``.
        page_end: The page on which the quote ends, where it reaches over a page break.
        ocr: Text of pages without a text layer; asked for cited pages only.
        others: Further editions in which to look for a quote that this one does not hold; a hit there is ``elsewhere``.

    Raises:
        InputError: EMPTY_QUOTE, when nothing but spaces, hyphens and invisible characters is asked for.
        PageRangeError: When a cited page does not exist, or the range is empty or longer than five pages.
    """
    if holds_fence(quote):
        return Located(
            QuoteStatus.REDACTED, quote, edition.id, message="the quote holds marks that are not the document's"
        )
    ladder = _Ladder(edition, Wanted.of(quote), _cited(edition, page, page_end), ocr)
    located = ladder.climb()
    if located.status in (QuoteStatus.MISSING, QuoteStatus.ALTERED):
        for other in others:
            found = _Ladder(other, ladder.wanted, None, None).within_pages()
            if found is not None and other.id != edition.id:
                return _in_other(located, found, other)
    return located


def locate_across(editions: Iterable[Edition], quote: str) -> list[Located]:
    """One result per edition that holds the quote, in the order given; an empty list when none does."""
    results = (locate(edition, quote) for edition in editions)
    return [found for found in results if found.evidence and found.score == 100.0]


def _in_other(located: Located, found: Located, other: Edition) -> Located:
    message = f"printed in another document, {other.source.name}, on page {found.page}"
    return replace(found, status=QuoteStatus.ELSEWHERE, quote=located.quote, message=message)


def _cited(edition: Edition, page: int | None, page_end: int | None) -> range | None:
    if page is None:
        if page_end is not None:
            raise InputError("page_end was given without page", "Give both, or neither.")
        return None
    last = page if page_end is None else page_end
    if not (1 <= page <= last <= edition.page_count and last - page < _MOST_BREAKS):
        message = f"pages {page}-{last} of a document of {edition.page_count}"
        raise PageRangeError(message, f"Cite pages from 1 to {edition.page_count}, at most {_MOST_BREAKS} together.")
    return range(page, last + 1)


@dataclass(frozen=True)
class _Place:
    passage: Passage
    match: Match


@dataclass(frozen=True)
class _Ladder:
    """One quote on its way down."""

    edition: Edition
    wanted: Wanted
    cited: range | None
    ocr: OcrText | None

    @cached_property
    def index(self) -> FoldedEdition:
        return folded(self.edition)

    def climb(self) -> Located:
        rungs = (self.within_pages, self.over_break, self.in_ocr, self.resembling, self.elsewhere)
        for rung in rungs:
            found = rung()
            if found is not None:
                return found
        return self.missing()

    # ------------------------------------------------------------ rungs

    def within_pages(self) -> Located | None:
        """``exact`` and ``folded``, or what keeps a hit from being one: numbers that differ, several places."""
        places = self._places(self.cited) if self.cited is not None else self._anywhere
        good = [place for place in places if place.match.parity is Parity.EQUAL]
        if not good:
            return self._unequal(places)
        chosen = self._first(good)
        if self.cited is None and len(good) > 1:
            return self._located(QuoteStatus.AMBIGUOUS, chosen, good, f"printed in {len(good)} places; cite a page")
        return self._located(QuoteStatus.EXACT if chosen.match.exact else QuoteStatus.FOLDED, chosen, good)

    def over_break(self) -> Located | None:
        """``span``: over a declared page break, or over any when no page was cited."""
        if self.cited is not None:
            ranges = [(self.cited[0], self.cited[-1])] if len(self.cited) > 1 else []
        else:
            ranges = list(islice(self.index.breaks_with(self.wanted.skeleton), MOST_PLACES))
        places = [place for first, last in ranges for place in self._crossing(first, last)]
        good = [place for place in places if place.match.parity is Parity.EQUAL]
        if not good:
            return self._unequal(places)
        if len(good) > 1 and self.cited is None:
            return self._located(QuoteStatus.AMBIGUOUS, good[0], good, "printed over several page breaks")
        return self._located(QuoteStatus.SPAN, good[0], good)

    def in_ocr(self) -> Located | None:
        """``ocr``: in the text that a machine read from the picture of a cited page that has no text of its own."""
        for page in self.cited or ():
            text = self.ocr(page) if self.ocr is not None and self._unreadable(page) else None
            found = best(matches(FoldedText.of(text), self.wanted)) if text else None
            if text and found is not None and found.parity is Parity.EQUAL:
                start, end = (len(text[:at].encode("utf-8", "surrogatepass")) for at in (found.start, found.end))
                digest = text_sha256(text[found.start : found.end])
                evidence = (Evidence(self.edition.id, page, start, end, digest, "ocr"),)
                return Located(
                    QuoteStatus.OCR, self.wanted.quote, self.edition.id, evidence, found_pages=(page,), score=100.0
                )
        return None

    def resembling(self) -> Located | None:
        """``near`` and ``altered``: the same passage but for punctuation, or but for words and digits."""
        passages = self._cited_passages() if self.cited is not None else self._likely
        best_of = max(((compare(self.wanted.plain, p.text.n.text), p) for p in passages), key=_score, default=None)
        if best_of is None or best_of[0].score < NEAR_SCORE:
            return None
        difference, passage = best_of
        status = QuoteStatus.NEAR if difference.cosmetic else QuoteStatus.ALTERED
        return replace(
            self._resembled(status, difference, passage), message=_changes(difference), found_pages=self._found_pages
        )

    def elsewhere(self) -> Located | None:
        """``elsewhere``: whole, on pages that were not cited."""
        if self.cited is None:
            return None
        found = _Ladder(self.edition, self.wanted, None, None)
        located = found.within_pages() or found.over_break()
        if located is None or located.status.weight is Weight.FAIL:
            return None
        message = f"printed on page {located.page}, not on page {self.cited[0]}"
        if len(located.evidence) > 1:
            message = f"printed over pages {located.page}-{located.evidence[-1].page}; declare the page it ends on"
        return replace(located, status=QuoteStatus.ELSEWHERE, message=message)

    def missing(self) -> Located:
        scored = max(((compare(self.wanted.plain, p.text.n.text), p) for p in self._likely), key=_score, default=None)
        message = "not printed in this document"
        if any(True for _ in self.index.pages_with(self.wanted.skeleton)):
            message = "printed only where it cuts a word or a number in two; quote whole words"
        if scored is None:
            return Located(QuoteStatus.MISSING, self.wanted.quote, self.edition.id, message=message)
        return replace(self._resembled(QuoteStatus.MISSING, *scored), evidence=(), message=message)

    # ------------------------------------------------------------ parts

    @cached_property
    def _anywhere(self) -> list[_Place]:
        places = self._places(islice(self.index.pages_with(self.wanted.skeleton), _MOST_PAGES))
        counted = [place for place in places if not self._in_running_line(place)]
        return counted or places

    @cached_property
    def _found_pages(self) -> tuple[int, ...]:
        pages = (p.passage.pieces[0].page for p in self._anywhere if p.match.parity is not Parity.DIFFER)
        return tuple(dict.fromkeys(pages))

    @cached_property
    def _likely(self) -> list[Passage]:
        words = sorted({skeleton_text(word) for word in self.wanted.plain.split()}, key=lambda w: (-len(w), w))
        if len(words) < 3:  # a script without spaces
            words = [self.wanted.skeleton[at : at + 4] for at in range(0, len(self.wanted.skeleton), 4)]
        return [one_page(self.index, page) for page in self.index.likely_pages(words[:12], _LIKELY)]

    def _places(self, pages: Iterable[int]) -> list[_Place]:
        passages = (one_page(self.index, page) for page in pages)
        return [_Place(passage, match) for passage in passages for match in matches(passage.text, self.wanted)]

    def _crossing(self, first: int, last: int) -> Iterator[_Place]:
        passage = joined_pages(self.edition, first, last)
        for match in matches(passage.text, self.wanted):
            if len(passage.page_ranges(self.edition, match.start, match.end)) > 1:
                yield _Place(passage, match)

    def _cited_passages(self) -> list[Passage]:
        cited = self.cited or range(0)
        joined = [joined_pages(self.edition, cited[0], cited[-1])] if len(cited) > 1 else []
        return [*(one_page(self.index, page) for page in cited), *joined]

    def _first(self, places: list[_Place]) -> _Place:
        chosen = best([place.match for place in places])
        return next(place for place in places if place.match is chosen)

    def _in_running_line(self, place: _Place) -> bool:
        page = self.edition.page(place.passage.pieces[0].page)
        if not page.running:
            return False
        (found,) = place.passage.page_ranges(self.edition, place.match.start, place.match.end)
        return any(start <= found.start and found.end <= end for start, end in page.running)

    def _unreadable(self, page: int) -> bool:
        found = self.edition.page(page)
        return found.state in (PageState.IMAGE_ONLY, PageState.GARBLED) or found.has_flag("scanned")

    def _unequal(self, places: list[_Place]) -> Located | None:
        """Hits whose numbers are not those of the quote."""
        if not places:
            return None
        chosen = self._first(places)
        unsure = chosen.match.parity is Parity.SIGN_AMBIGUOUS
        status = QuoteStatus.SIGN_AMBIGUOUS if unsure else QuoteStatus.NUMBERS_DIFFER
        pairs = ", ".join(f"{m.quoted or 'nothing'} for {m.printed or 'nothing'}" for m in chosen.match.mismatches)
        return self._located(status, chosen, places, f"the numbers differ: {pairs}")

    def _located(self, status: QuoteStatus, chosen: _Place, places: list[_Place], message: str = "") -> Located:
        if status.weight is Weight.PASS and self._on_ocr_layer(chosen):
            status = QuoteStatus.OCR
        made = {id(p): self._evidence(p) for p in [chosen, *places[:MOST_PLACES]]}
        return Located(
            status,
            self.wanted.quote,
            self.edition.id,
            made[id(chosen)],
            tuple(made[id(place)] for place in places[:MOST_PLACES]),
            self._found_pages or tuple(dict.fromkeys(made[id(p)][0].page for p in places[:MOST_PLACES])),
            100.0,
            numbers=chosen.match.mismatches,
            message=message,
        )

    def _evidence(self, place: _Place) -> tuple[Evidence, ...]:
        ranges = place.passage.page_ranges(self.edition, place.match.start, place.match.end)
        return evidence_of(self.edition, ranges)

    def _on_ocr_layer(self, place: _Place) -> bool:
        return any(self.edition.page(p.page).has_flag(flag) for p in place.passage.pieces for flag in _OCR_LAYER)

    def _resembled(self, status: QuoteStatus, difference: Difference, passage: Passage) -> Located:
        evidence: tuple[Evidence, ...] = ()
        if difference.end > difference.start:
            start, end = passage.text.n.original(difference.start, difference.end)
            evidence = evidence_of(self.edition, passage.page_ranges(self.edition, start, end))
        return Located(
            status,
            self.wanted.quote,
            self.edition.id,
            evidence,
            score=difference.score,
            best_page=evidence[0].page if evidence else None,
            changes=difference.changes,
        )


def _score(item: tuple[Difference, Passage]) -> float:
    return item[0].score


def _changes(difference: Difference) -> str:
    pairs = ", ".join(f"{c.quoted or 'nothing'!r} for {c.printed or 'nothing'!r}" for c in difference.changes[:4])
    return f"the page differs: {pairs}" if pairs else "the page differs in white space only"
