"""What an answer reads off a picture: its place is shown as evidence of a grade of its own, and certifies nothing, no number above all."""

from __future__ import annotations

from dataclasses import replace

from pageindex.chat.findings import Finding
from pageindex.chat.markup import CitationMark
from pageindex.chat.places import Places
from pageindex.document import Evidence, text_sha256
from pageindex.evidence.sentences import SentenceCheck, SentenceStatus
from pageindex.evidence.status import NumberStatus, Weight

__all__ = ["off_a_picture", "seen_finding"]

OFF_A_PICTURE = "read off a picture, which no code reads: look at it"


def seen_finding(places: Places, mark: CitationMark, text: str) -> Finding | None:
    """A citation of a page whose picture was sent: the picture's place, for review; None for any other."""
    seen = places.seen([mark])
    if not seen:
        return None
    evidence = tuple(Evidence(document.edition.id, page, 0, 0, text_sha256(""), "image") for document, page in seen)
    return Finding("citation", text, "seen", Weight.REVIEW, mark.start, mark.end, OFF_A_PICTURE, evidence=evidence)


def off_a_picture(check: SentenceCheck) -> SentenceCheck:
    """The account of a sentence that cites a picture: what the text does not show may stand in it, so that is open and not refuted."""
    unprinted = [number for number in check.claim.said if number.status is NumberStatus.MISSING]
    said = tuple(
        replace(number, status=NumberStatus.IMAGE_ONLY, message=OFF_A_PICTURE) if number in unprinted else number
        for number in check.claim.said
    )
    others = tuple(item for item in check.claim.uncovered if item.weight is not Weight.FAIL)
    claim = replace(check.claim, said=said, uncovered=others)
    changed = replace(check, claim=claim)
    if changed.refuted or (check.status in (SentenceStatus.PROVEN, SentenceStatus.GROUNDED) and not unprinted):
        return check  # the text speaks for itself, or against it
    if check.status is SentenceStatus.PLAIN:
        return check
    return replace(changed, status=SentenceStatus.CITED, message=OFF_A_PICTURE)
