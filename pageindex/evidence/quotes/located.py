"""What locating a quote returns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from pageindex.document import Evidence, Handle, Position, Tree
from pageindex.evidence.numbers.parity import Mismatch
from pageindex.evidence.quotes.difference import WordChange
from pageindex.evidence.status import QuoteStatus, Weight

__all__ = ["MOST_PLACES", "Located", "with_sections"]

MOST_PLACES = 5  #: Places returned when a quote stands in several.


@dataclass(frozen=True, slots=True)
class Located:
    """Where a quote stands.

    Attributes:
        status: One of the closed list; its ``weight`` says what it is worth.
        quote: As it was given.
        edition: Id of the edition it was found in, or sought in when it was not.
        evidence: The place: one per page, two or more only over a page break. For a status that fails it is what was found instead.
        places: All places when there are several, at most five; each a tuple of evidence like ``evidence``.
        found_pages: Pages on which the whole quote begins, whatever was cited.
        score: 100 for a match of the foldings; else the best partial ratio met, 0-100.
        best_page: The page of that score when the quote is missing.
        changes: Words that differ, for ``near``, ``altered`` and ``missing`` passages close enough to compare.
        numbers: Numbers that differ, for ``numbers_differ`` and ``sign_ambiguous``.
        message: One sentence for people.
    """

    status: QuoteStatus
    quote: str
    edition: str
    evidence: tuple[Evidence, ...] = ()
    places: tuple[tuple[Evidence, ...], ...] = ()
    found_pages: tuple[int, ...] = ()
    score: float = 0.0
    best_page: int | None = None
    changes: tuple[WordChange, ...] = ()
    numbers: tuple[Mismatch, ...] = ()
    message: str = ""

    @property
    def weight(self) -> Weight:
        return self.status.weight

    @property
    def handles(self) -> tuple[Handle, ...]:
        return tuple(item.handle for item in self.evidence)

    @property
    def page(self) -> int | None:
        """The page on which the place begins."""
        return self.evidence[0].page if self.evidence else None

    def to_json(self) -> dict[str, Any]:
        """``{status, weight, quote, edition, handles, spans, found_pages, score, …}``; empty parts are left out."""
        item: dict[str, Any] = {
            "status": self.status.value,
            "weight": self.weight.name.lower(),
            "quote": self.quote,
            "edition": self.edition,
            "handles": [str(handle) for handle in self.handles],
            "spans": [_span(piece) for piece in self.evidence],
            "found_pages": list(self.found_pages),
            "score": round(self.score, 2),
        }
        if len(self.places) > 1:
            item["places"] = [[_span(piece) for piece in place] for place in self.places]
        if self.best_page is not None:
            item["best_page"] = self.best_page
        if self.changes:
            item["diff"] = [{"quoted": c.quoted, "printed": c.printed, "cosmetic": c.cosmetic} for c in self.changes]
        if self.numbers:
            item["numbers"] = [{"quoted": n.quoted, "printed": n.printed} for n in self.numbers]
        return item | ({"message": self.message} if self.message else {})


def with_sections(located: Located, tree: Tree) -> Located:
    """The same with the deepest section of every piece of evidence named; evidence of another edition is left as it is."""

    def named(piece: Evidence) -> Evidence:
        if piece.edition != tree.edition or piece.lane != "text":
            return piece
        return replace(piece, section=tree.at(Position(piece.page, piece.start)).node_id)

    places = tuple(tuple(map(named, place)) for place in located.places)
    return replace(located, evidence=tuple(map(named, located.evidence)), places=places)


def _span(piece: Evidence) -> dict[str, Any]:
    item: dict[str, Any] = {
        "page": piece.page,
        "start": piece.start,
        "end": piece.end,
        "sha256": piece.sha256,
        "lane": piece.lane,
        "handle": str(piece.handle),
    }
    return item | ({"section": piece.section} if piece.section is not None else {})
