"""The printed-heading validator: the only way by which a proposed heading comes into a tree, whoever proposes it.

A fresh reply of a model, a cached one, a title from a contents page: all pass here. What is printed is decided by
``pageindex.evidence.quotes.headings``, what stands as a heading does by ``heading_units``; here it is decided whether it is *new* and *in
order*.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pageindex.document import Edition, Position, Section, Span
from pageindex.evidence.quotes.headings import HeadingFound
from pageindex.refine.edit import Heading, start_of
from pageindex.refine.heading_units import FAULTS, HeadingUnits
from pageindex.structure.numbering.marks import parse

__all__ = ["MOST_PROPOSALS", "HeadingValidator", "Proposal", "Refusal", "heading_lines"]

MOST_PROPOSALS = 2_000  #: Of one section; a model that names more is listing lines.
_MOST_LEVEL = 12


@dataclass(frozen=True, slots=True)
class Proposal:
    """A heading that someone says is there.

    Attributes:
        title: As proposed.
        page: Physical page cited; None when none was, and the pages of ``window`` are looked at in order.
        level: 1 is the top; only its order counts.
        window: Pages of the text in which it was seen.
    """

    title: str
    page: int | None
    level: int
    window: range


@dataclass(frozen=True, slots=True)
class Refusal:
    """A proposal that did not enter the tree, and why."""

    section: str
    title: str
    page: int | None
    reason: str
    message: str

    def to_json(self) -> dict[str, Any]:
        return {
            "section": self.section,
            "title": self.title,
            "page": self.page,
            "reason": self.reason,
            "message": self.message,
        }


def heading_lines(sections: Iterable[Section]) -> dict[Position, str]:
    """Where the headings of a tree are printed, with their titles: what a proposal must not repeat."""
    found: dict[Position, str] = {}
    for top in sections:
        for section, _ in top.walk():
            if section.heading is not None:
                found[Position(section.start_index, section.heading[0])] = section.title
    return found


class HeadingValidator:
    """The validator of one edition.

    Args:
        edition: What was read.
        known: ``heading_lines`` of the tree as it is.
    """

    def __init__(self, edition: Edition, known: Mapping[Position, str] | None = None) -> None:
        self.edition, self.known = edition, dict(known or {})
        self._units = HeadingUnits(edition)

    def admit(self, proposals: Sequence[Proposal], span: Span, section: str) -> tuple[list[Heading], list[Refusal]]:
        """The proposals that are printed headings inside ``span``, in the order of the document, and the others with their reasons.

        Args:
            proposals: In the order given.
            span: Where they may stand.
            section: Node id for the refusals.
        """
        refusals: list[Refusal] = []
        placed: list[tuple[Proposal, HeadingFound]] = []
        taken = dict(self.known)
        for proposal in proposals[:MOST_PROPOSALS]:
            found, refusal = self._located(proposal, span, taken, section)
            if found is not None:
                taken[Position(found.page, found.start)] = proposal.title
                placed.append((proposal, found))
            elif refusal is not None:
                refusals.append(refusal)
        if len(proposals) > MOST_PROPOSALS:
            words = f"{len(proposals) - MOST_PROPOSALS} proposals beyond the first {MOST_PROPOSALS} were not looked at"
            refusals.append(Refusal(section, "", None, "too_many", words))
        kept = _in_order([(found.page, found.start) for _, found in placed])
        headings = []
        for index, (proposal, found) in enumerate(placed):
            if index in kept:
                headings.append(self._heading(span, proposal, found))
            else:
                message = f"{proposal.title!r} on page {found.page} does not follow the headings proposed before it"
                refusals.append(Refusal(section, proposal.title, proposal.page, "out_of_order", message))
        return headings, refusals

    def _heading(self, span: Span, proposal: Proposal, found: HeadingFound) -> Heading:
        level = min(max(proposal.level, 1), _MOST_LEVEL)
        start = max(span.start, start_of(self.edition, found.page, found.start))
        return Heading(found.text, start, (found.start, found.end), level)

    def _located(
        self, proposal: Proposal, span: Span, taken: Mapping[Position, str], section: str
    ) -> tuple[HeadingFound | None, Refusal | None]:
        """The first place of the title on its page that is free; else why there is none."""
        title, refusal = proposal.title, None
        counted = {number.prefix for owner in taken.values() if (number := parse(owner)) is not None}
        for page in [proposal.page] if proposal.page is not None else proposal.window:
            if page not in span.pages:
                words = f"page {page} is outside the section (pages {span.start.page}-{span.last_page})"
                refusal = refusal or Refusal(section, title, page, "outside_section", words)
                continue
            places = list(self._units.places(title, page, span))
            if not places:
                reason, message = self._units.why_none(title, page, span)
                refusal = refusal or Refusal(section, title, page, reason, message)
            for found, unit in places:
                if fault := self._units.fault(found, unit, title, counted):
                    words = f"{title!r} on page {page} {FAULTS.get(fault, f'is printed as {fault}')}"
                    refusal = refusal or Refusal(section, title, page, fault, words)
                elif (owner := taken.get(Position(page, found.start))) is None:
                    return found, None
                else:
                    words = f"{title!r} on page {page} is in the tree already, as {owner!r}"
                    refusal = Refusal(section, title, page, "already_in_tree", words)
        return None, refusal


def _in_order(places: Sequence[tuple[int, int]]) -> set[int]:
    """Indexes of a longest rising run of places (patience sorting), so that one stray costs only itself."""
    tails: list[tuple[int, int]] = []
    tail_index: list[int] = []
    before: list[int | None] = []
    for index, place in enumerate(places):
        at = bisect_left(tails, place)
        before.append(tail_index[at - 1] if at else None)
        if at == len(tails):
            tails.append(place)
            tail_index.append(index)
        else:
            tails[at], tail_index[at] = place, index
    kept: set[int] = set()
    last = tail_index[-1] if tail_index else None
    while last is not None:
        kept.add(last)
        last = before[last]
    return kept
