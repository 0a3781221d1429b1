"""What a source says: headings it saw, and how far it can be trusted. Facts and judgement, no tree yet."""

from __future__ import annotations

from dataclasses import dataclass

from pageindex.document import Note, TreeSource

__all__ = ["Candidate", "SourceHeadings"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A heading that one source saw.

    Attributes:
        title: One line, spaces folded, hyphenation undone.
        page: Physical, 1-based.
        byte: Where its section's text begins on that page.
        heading: Byte range of the printed heading on that page; None when it was not found printed there.
        level: 1 is the top; only its order within one result means something.
        source: Who saw it.
        why: Short reason for people: ``numbering 1.2, bold 14 pt``.
        confidence: 0-1, how sure the source is of this one entry.
    """

    title: str
    page: int
    byte: int
    heading: tuple[int, int] | None
    level: int
    source: TreeSource
    why: str = ""
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class SourceHeadings:
    """All that one source says of a document.

    Attributes:
        source: Who.
        candidates: In document order.
        trust: 0 (ignore) to 1 (may be the frame of the tree on its own).
        complete: Whether the source claims to list every heading (a rich outline), or only some (chapters).
        notes: What was doubted, repaired or dropped.
        confidence: How well all of it is expected to agree with the makers' own list (F1, 0-1); None where that is not estimated.
        listed: Indices into the edition's lines that only list headings (contents pages) and are never headings themselves.
    """

    source: TreeSource
    candidates: tuple[Candidate, ...] = ()
    trust: float = 0.0
    complete: bool = False
    notes: tuple[Note, ...] = ()
    listed: frozenset[int] = frozenset()
    confidence: float | None = None
