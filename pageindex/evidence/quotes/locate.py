"""Locating a quote: the statuses of ``status.QuoteStatus`` in their order, from word for word down to missing.

The first that holds is taken. A model sends words; only this module makes offsets and hashes of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pageindex.document import Edition, Evidence, PageState, text_sha256
from pageindex.document.offsets import byte_of
from pageindex.errors import InputError, PageRangeError
from pageindex.evidence.fence import holds_fence
from pageindex.evidence.numbers.parity import Parity
from pageindex.evidence.quotes.difference import NEAR_SCORE, Difference, WordChange, compare
from pageindex.evidence.quotes.index import FoldedText
from pageindex.evidence.quotes.located import MOST_PLACES, Located
from pageindex.evidence.quotes.match import Match, best, matches
from pageindex.evidence.quotes.passage import Passage, evidence_of
from pageindex.evidence.quotes.raised import flattened
from pageindex.evidence.quotes.sought import CharacterSource, Place, Search
from pageindex.evidence.quotes.wanted import Wanted, parts_of
from pageindex.evidence.status import QuoteStatus, Weight

__all__ = ["OcrText", "locate"]

OcrText = Callable[[int], str | None]
"""What a machine read from the picture of a page, by page number; None where there is nothing."""

_MOST_BREAKS = 5  # pages a quote may reach over
_MOST_LEFT_OUT = 1000  # characters between the parts around an ellipsis
_OCR_LAYER = ("ocr_layer_suspected", "ocr")


def locate(
    edition: Edition,
    quote: str,
    page: int | None = None,
    page_end: int | None = None,
    *,
    ocr: OcrText | None = None,
    others: Iterable[Edition] = (),
    characters: CharacterSource | None = None,
) -> Located:
    """Find a quote in an edition.

    Args:
        edition: What was read.
        quote: Words of the document, as a reader copied them.
        page: The page cited, physical, 1-based; without one the whole document is searched and several places are ``ambiguous``.
        page_end: The page on which the quote ends, where it reaches over a page break.
        ocr: Text of pages without a text layer; asked for cited pages only.
        characters: Where the characters of a page stand, asked for only where a digit may be raised; without it only the sizes within lines tell.
        others: Further editions in which to look for a quote that this one does not hold; a hit there is ``elsewhere``.

    Raises:
        InputError: EMPTY_QUOTE, when nothing but spaces, hyphens and invisible characters is asked for.
        PageRangeError: When a cited page does not exist, or the range is empty or longer than five pages.
    """
    if holds_fence(quote):
        return Located(
            QuoteStatus.REDACTED, quote, edition.id, message="the quote holds marks that are not the document's"
        )
    matcher = _Matcher(Search(edition, Wanted.of(quote), _cited(edition, page, page_end), characters), ocr)
    located = matcher.climb()
    if located.status in (QuoteStatus.MISSING, QuoteStatus.ALTERED):
        for other in others:
            found = _Matcher(Search(other, matcher.wanted)).passing()
            if found is not None and other.id != edition.id:
                return _in_other(located, found, other)
    return located


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
class _Matcher:
    """One quote on its way down."""

    search: Search
    ocr: OcrText | None = None

    @property
    def edition(self) -> Edition:
        return self.search.edition

    @property
    def wanted(self) -> Wanted:
        return self.search.wanted

    @property
    def cited(self) -> range | None:
        return self.search.cited

    def climb(self) -> Located:
        steps = (self.passing, self.in_ocr, self.unlike, self.gapped, self.elsewhere, self.resembling)
        for step in steps:
            found = step()
            if found is not None:
                return found
        return self.missing()

    # ------------------------------------------------------------ statuses

    def passing(self) -> Located | None:
        """``exact``, ``folded`` and ``span``; or ``ambiguous``, where there are several and none was cited."""
        for form in self.search.forms:
            for places in self.search.ways(form):
                good = [place for place in places if place.match.passes]
                if good:
                    return self._passing(good)
        return None

    def _passing(self, good: list[Place]) -> Located:
        chosen = self._first(good)
        if self.cited is None and len({self.search.ranges(place) for place in good}) > 1:
            return self._located(QuoteStatus.AMBIGUOUS, chosen, good, f"printed in {len(good)} places; cite a page")
        if len({place.page for place in self.search.ranges(chosen)}) > 1:
            status = QuoteStatus.SPAN
        else:
            status = QuoteStatus.EXACT if chosen.match.exact else QuoteStatus.FOLDED
        return self._located(status, chosen, good, chosen.match.wider)

    def in_ocr(self) -> Located | None:
        """``ocr``: in the text that a machine read from the picture of a cited page that has no text of its own."""
        for page in self.cited or ():
            text = self.ocr(page) if self.ocr is not None and self._unreadable(page) else None
            found = (
                best([m for form in self.search.forms for m in matches(FoldedText.of(text), form)]) if text else None
            )
            if text and found is not None and found.passes:
                start, end = (byte_of(text, at) for at in (found.start, found.end))
                digest = text_sha256(text[found.start : found.end])
                evidence = (Evidence(self.edition.id, page, start, end, digest, "ocr"),)
                return Located(
                    QuoteStatus.OCR, self.wanted.quote, self.edition.id, evidence, found_pages=(page,), score=100.0
                )
        return None

    def unlike(self) -> Located | None:
        """``near``, ``numbers_differ`` and ``sign_ambiguous``: all letters and digits stand there in order."""
        places = self.search.all()
        if not places:
            return None
        chosen = self._first(places)
        if chosen.match.cut and (found := self._whole_elsewhere()) is not None:
            return found
        return self._unlike(chosen, places)

    def gapped(self) -> Located | None:
        """``gapped``: the parts around an ellipsis; ``altered`` where they stand in another order, or far apart."""
        for form in self.search.forms:
            parts = parts_of(form)
            if len(parts) > 1 and (found := self._gapped(parts)) is not None:
                return found
        return None

    def elsewhere(self) -> Located | None:
        """``elsewhere``: whole, on pages that were not cited."""
        if self.cited is None:
            return None
        found = self._whole_elsewhere()
        located = found or _Matcher(self.search.anywhere()).unlike()
        if found is None and located is not None:
            message = f"printed on page {located.page}, not on page {self.cited[0]}; there {located.message}"
            return replace(located, status=QuoteStatus.ELSEWHERE, message=message)
        return found

    def _whole_elsewhere(self) -> Located | None:
        if self.cited is None:
            return None
        located = _Matcher(self.search.anywhere()).passing()
        if located is None:
            return None
        message = f"printed on page {located.page}, not on page {self.cited[0]}"
        return replace(located, status=QuoteStatus.ELSEWHERE, message=message)

    def resembling(self) -> Located | None:
        """``altered``: the same passage but for words and digits."""
        passages = self.search.cited_passages() if self.cited is not None else self.search.likely
        plain = self.search.forms[-1].plain
        best_of = max(((compare(plain, p.text.plain.text), p) for p in passages), key=_score, default=None)
        if best_of is None or best_of[0].score < NEAR_SCORE:
            return None
        difference, passage = best_of
        status = QuoteStatus.NEAR if difference.cosmetic else QuoteStatus.ALTERED
        return replace(self._resembled(status, difference, passage), message=_changes(difference.changes))

    def missing(self) -> Located:
        plain = self.search.forms[-1].plain
        scored = max(((compare(plain, p.text.plain.text), p) for p in self.search.likely), key=_score, default=None)
        message = "not printed in this document"
        if scored is None:
            return Located(QuoteStatus.MISSING, self.wanted.quote, self.edition.id, message=message)
        return replace(self._resembled(QuoteStatus.MISSING, *scored), evidence=(), message=message)

    # ------------------------------------------------------------ parts of a quote

    def _gapped(self, parts: tuple[Wanted, ...]) -> Located | None:
        """The parts on one page or over one page break; the first page that holds them all is taken."""
        found: Located | None = None
        for passage in self.search.passages_of(parts):
            hits = [[m for m in matches(passage.text, part) if m.passes] for part in parts]
            if not all(hits):
                continue
            chosen = _in_order(hits)
            located = self._parts_located(passage, chosen or [part[0] for part in hits], bool(chosen))
            if located.status is QuoteStatus.GAPPED:
                return located
            found = found or located
        return found

    def _parts_located(self, passage: Passage, chosen: list[Match], ordered: bool) -> Located:
        ranges = [r for m in chosen for r in passage.page_ranges(self.edition, m.start, m.end)]
        left_out = max((b.start - a.end for a, b in pairwise(chosen)), default=0)
        status, message = QuoteStatus.GAPPED, f"{left_out} characters are left out at most"
        if not ordered:
            status, message = QuoteStatus.ALTERED, "the parts around the ellipsis stand in another order on the page"
        elif left_out > _MOST_LEFT_OUT:
            status, message = QuoteStatus.ALTERED, f"the parts around the ellipsis stand {left_out} characters apart"
        evidence = evidence_of(self.edition, ranges)
        pages = (evidence[0].page,) if evidence else ()
        return Located(
            status, self.wanted.quote, self.edition.id, evidence, (evidence,), pages, NEAR_SCORE, message=message
        )

    # ------------------------------------------------------------ results

    def _first(self, places: list[Place]) -> Place:
        return min(places, key=lambda place: place.match.order)

    def _unreadable(self, page: int) -> bool:
        found = self.edition.page(page)
        return found.state in (PageState.IMAGE_ONLY, PageState.GARBLED) or found.has_flag("scanned")

    def _unlike(self, chosen: Place, places: list[Place]) -> Located:
        match = chosen.match
        if match.cut:
            status = QuoteStatus.NUMBERS_DIFFER if match.parity is Parity.DIFFER else QuoteStatus.NEAR
            return self._located(status, chosen, places, f"begins or ends inside {match.cut!r}; quote it whole")
        if match.parity is Parity.EQUAL:
            return self._located(QuoteStatus.NEAR, chosen, places, _changes(match.changes))
        pairs = ", ".join(f"{m.quoted or 'nothing'} for {m.printed or 'nothing'}" for m in match.mismatches)
        if (
            match.parity is Parity.DIFFER and match.changes and all(m.quoted == m.printed for m in match.mismatches)
        ):  # a sign that its surroundings tell
            return self._located(QuoteStatus.NUMBERS_DIFFER, chosen, places, _changes(match.changes))
        if match.parity is Parity.SIGN_AMBIGUOUS:
            return self._located(QuoteStatus.SIGN_AMBIGUOUS, chosen, places, f"the numbers differ: {pairs}")
        if raised := self._only_raised(chosen):
            return self._located(QuoteStatus.NEAR, chosen, places, f"{raised}: {pairs}")
        return self._located(QuoteStatus.NUMBERS_DIFFER, chosen, places, f"the numbers differ: {pairs}")

    def _only_raised(self, place: Place) -> str:
        """What is to be said where all that differs is whether a digit is raised, and the page's text has it as a plain one."""
        pages = {piece.page for piece in place.passage.pieces}
        text = "".join(self.edition.page(page).text for page in pages)
        if any(
            flattened(m.quoted) != flattened(m.printed) or flattened(m.printed) not in text
            for m in place.match.mismatches
        ):
            return ""
        if all(m.printed not in text for m in place.match.mismatches):
            return "a digit is raised on the page"
        looked = all(self.search.index.looked_at(page) for page in pages)
        looked = looked or any(m.quoted == flattened(m.quoted) for m in place.match.mismatches)
        return "" if looked else "whether a digit is raised cannot be told from the text alone"

    def _located(self, status: QuoteStatus, chosen: Place, places: list[Place], message: str = "") -> Located:
        if status.weight is Weight.PASS and self._on_ocr_layer(chosen):
            status = QuoteStatus.OCR
        made = {id(p): self._evidence(p) for p in [chosen, *places[:MOST_PLACES]]}
        distinct = dict.fromkeys(made[id(place)] for place in places[:MOST_PLACES])
        return Located(
            status,
            self.wanted.quote,
            self.edition.id,
            made[id(chosen)],
            tuple(distinct),
            tuple(dict.fromkeys(found[0].page for found in map(self.search.ranges, places) if found)),
            _closeness(chosen),
            changes=chosen.match.changes,
            numbers=chosen.match.mismatches,
            message=message,
        )

    def _evidence(self, place: Place) -> tuple[Evidence, ...]:
        return evidence_of(self.edition, self.search.ranges(place))

    def _on_ocr_layer(self, place: Place) -> bool:
        return any(self.edition.page(p.page).has_flag(flag) for p in place.passage.pieces for flag in _OCR_LAYER)

    def _resembled(self, status: QuoteStatus, difference: Difference, passage: Passage) -> Located:
        evidence: tuple[Evidence, ...] = ()
        if difference.end > difference.start:
            start, end = passage.text.plain.original(difference.start, difference.end)
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


def _in_order(hits: list[list[Match]]) -> list[Match] | None:
    """One hit per part, each behind the one before, as close as can be; None where there is no such order."""
    best_of: list[Match] | None = None
    for first in hits[0]:
        chosen = [first]
        for part in hits[1:]:
            following = next((m for m in sorted(part, key=lambda m: m.start) if m.start >= chosen[-1].end), None)
            if following is None:
                break
            chosen.append(following)
        if len(chosen) == len(hits) and (best_of is None or _span(chosen) < _span(best_of)):
            best_of = chosen
    return best_of


def _span(chosen: list[Match]) -> int:
    return chosen[-1].end - chosen[0].start


def _closeness(place: Place) -> float:
    """100 where nothing differs but typesetting."""
    match = place.match
    return 100.0 if match.passes else 99.0 if not match.cut else 98.0


def _score(item: tuple[Difference, Passage]) -> float:
    return item[0].score


def _changes(changes: Sequence[WordChange]) -> str:
    pairs = ", ".join(f"{c.quoted or 'nothing'!r} for {c.printed or 'nothing'!r}" for c in changes[:4])
    return f"the page differs: {pairs}" if pairs else "the page differs in white space only"
