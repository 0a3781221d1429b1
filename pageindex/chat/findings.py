"""What a check of an answer found, item by item."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pageindex.document import Evidence
from pageindex.evidence.status import Verdict, Weight, verdict

__all__ = ["Finding", "Report"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One quote, citation, number, absence or sentence of an answer.

    Attributes:
        kind: ``quote``, ``citation``, ``number``, ``absence`` or ``sentence``.
        text: The words of the answer.
        status: As the evidence room names it (``exact``, ``elsewhere``, ``unread`` …); for citations ``cited``, ``seen``, ``unknown_document``,
            ``page_out_of_range``; for numbers as in claims, ``computed`` or ``no_evidence``; for absences ``absent`` or why not; for
            sentences ``proven``, ``grounded``, ``cited`` or ``uncited``.
        weight: What the status is worth.
        start, end: Where it stands in the answer's body, in characters.
        message: One sentence for people and for the model.
        document: Name of the document.
        doc_id: Its id.
        page: Physical page.
        label: Printed page number where it differs.
        section: Titles down to the section.
        evidence: The place.
    """

    kind: str
    text: str
    status: str
    weight: Weight
    start: int
    end: int
    message: str = ""
    document: str = ""
    doc_id: str = ""
    page: int | None = None
    label: str | None = None
    section: str = ""
    evidence: tuple[Evidence, ...] = ()

    @property
    def holds(self) -> bool:
        if self.kind == "sentence":
            return self.weight < Weight.REVIEW
        return self.weight < Weight.FAIL and self.status not in _OPEN

    @property
    def repairable(self) -> bool:
        """Whether it is worth asking for other words; none make a picture searchable, and what rests on nothing is only said."""
        return (
            not self.holds
            and self.status not in ("blocked", "may_stand_there", "image_only")
            and (self.kind != "sentence" or self.weight is Weight.FAIL)
        )

    def to_json(self) -> dict[str, Any]:
        """``{kind, text, status, weight, message?, document?, doc_id?, page?, label?, section?, handles, pictures?}``."""
        item: dict[str, Any] = {
            "kind": self.kind,
            "text": self.text,
            "status": self.status,
            "weight": self.weight.name.lower(),
        }
        for name in ("message", "document", "doc_id", "page", "label", "section"):
            if value := getattr(self, name):
                item[name] = value
        pictures = [piece.page for piece in self.evidence if piece.lane == "image"]
        item |= {"handles": [str(piece.handle) for piece in self.evidence if piece.lane != "image"]}
        return item | ({"pictures": pictures} if pictures else {})


#: Statuses that are no failure and hold nothing up either.
_OPEN = frozenset({"unread", "unclosed", "like_a_quotation", "blocked", "may_stand_there", "image_only"})


@dataclass(frozen=True, slots=True)
class Report:
    """All findings of one answer, in its order, and in one line what its sentences rest on and what is not judged."""

    findings: Sequence[Finding] = ()
    summary: str = ""

    @property
    def verdict(self) -> Verdict:
        """That of the worst item; FAIL for an answer in which nothing could be checked, NEEDS_REVIEW where nothing is said of what it points to."""
        weights = [finding.weight for finding in self.findings]
        if weights and all(finding.kind in ("citation", "quote") for finding in self.findings):
            weights.append(Weight.REVIEW)
        return verdict(weights)

    @property
    def failing(self) -> list[Finding]:
        """What does not hold, or rests on text that was not read."""
        return [finding for finding in self.findings if not finding.holds]

    @property
    def shows_anything(self) -> bool:
        """Whether the answer points to any document: by a quotation, a citation or an absence."""
        return any(finding.kind in ("quote", "citation", "absence") for finding in self.findings)

    def of(self, kind: str) -> list[Finding]:
        return [finding for finding in self.findings if finding.kind == kind]
