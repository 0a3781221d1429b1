"""The printed-heading validator: the only way by which a proposed heading comes into a tree, whoever proposes it.

A fresh reply of a model, a cached one, a title from a contents page: all pass here. What is printed is decided by
``pageindex.evidence.quotes.headings``; here it is decided whether the line stands as a heading does, and whether it is *new* and *in order*.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pageindex.document import Edition, Position, Section, Span
from pageindex.evidence.quotes.headings import HeadingFound, HeadingReason, HeadingRefused, printed_heading
from pageindex.refine.edit import Heading, start_of
from pageindex.refine.heading_style import HeadingStyle

__all__ = ["MOST_PROPOSALS", "HeadingValidator", "Proposal", "Refusal", "heading_lines"]

MOST_PROPOSALS = 2_000  #: Of one section; a model that names more is listing lines.
_MOST_LEVEL = 12
_FAULTS = {
    "running_line": "stands where running heads and feet stand",
    "number_missing": "stands without its number",
    "list_item": "is an item of a list",
    "body_line": "is set as the text round it is",
}
_LOOK_AGAIN = (
    HeadingReason.PART_OF_LINE,
    HeadingReason.MID_SENTENCE,
    HeadingReason.NOT_PRINTED,
    HeadingReason.NOT_A_TITLE,
    HeadingReason.OTHER_PAGE,
    HeadingReason.CONTENTS_LINE,
)


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
        self._style = HeadingStyle(edition)

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
        for page in [proposal.page] if proposal.page is not None else proposal.window:
            if page not in span.pages:
                words = f"page {page} is outside the section (pages {span.start.page}-{span.last_page})"
                refusal = refusal or Refusal(section, title, page, "outside_section", words)
                continue
            for found in self._places(title, page, span):
                if isinstance(found, HeadingRefused):
                    refusal = refusal or Refusal(section, title, page, found.reason.value, found.message)
                elif fault := self._style.fault(found, title):
                    refusal = refusal or Refusal(
                        section, title, page, fault, f"{title!r} on page {page} {_FAULTS[fault]}"
                    )
                elif (owner := taken.get(Position(page, found.start))) is None:
                    return found, None
                else:
                    words = f"{title!r} on page {page} is in the tree already, as {owner!r}"
                    refusal = Refusal(section, title, page, "already_in_tree", words)
        return None, refusal

    def _places(self, title: str, page: int, span: Span) -> Iterator[HeadingFound | HeadingRefused]:
        """All places of a title on a page, one after the other; the refusal when there is none at all."""
        found = printed_heading(self.edition, title, page, span)
        if isinstance(found, HeadingRefused):
            again = found.reason in _LOOK_AGAIN
            yield (self._style.otherwise(title, page, span, found.reason) if again else None) or found
            return
        while isinstance(found, HeadingFound):
            yield found
            after = Position(page, found.start + 1)
            if after >= span.end:
                return
            span = Span(after, span.end)
            found = printed_heading(self.edition, title, page, span)


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
