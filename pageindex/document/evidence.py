"""Evidence: which bytes of which page of which edition say so; and the handle that stands for it in prompts."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pageindex.document.edition import Edition, text_sha256
from pageindex.errors import EvidenceError

__all__ = ["Evidence", "Handle"]

_HANDLE = re.compile(r"([0-9a-f]{6})\.p([1-9]\d{0,6})\.(\d{1,9})-(\d{1,9})~([0-9a-f]{8})")


@dataclass(frozen=True, slots=True)
class Handle:
    """A self-certifying reference, written ``f339ff.p10.100-220~0e64c89c``: edition (6 hex) · page · bytes · quote hash (8 hex)."""

    edition: str
    page: int
    start: int
    end: int
    digest: str

    def __str__(self) -> str:
        return f"{self.edition}.p{self.page}.{self.start}-{self.end}~{self.digest}"

    @classmethod
    def parse(cls, text: str) -> Handle:
        """Read a handle; raises EvidenceError (INVALID_LOCATOR) unless the whole text is one."""
        match = _HANDLE.fullmatch(text.strip())
        if match is None:
            raise EvidenceError(
                f"{text!r} is not a handle", "Send the quoted words instead; handles are only ever copied."
            )
        edition, page, start, end, digest = match.groups()
        return cls(edition, int(page), int(start), int(end), digest)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A byte range of a page's text that says something.

    Attributes:
        edition: Full edition id (64 hex).
        page: Physical, 1-based.
        start, end: Byte range in the page's UTF-8 text.
        sha256: Of the quoted bytes.
        lane: Where the text comes from: ``text``, ``row``, ``ocr`` or ``image``.
        section: Node id of the deepest section that holds it, when a tree is known.
    """

    edition: str
    page: int
    start: int
    end: int
    sha256: str
    lane: str = "text"
    section: str | None = None

    @classmethod
    def of(cls, edition: Edition, page: int, start: int, end: int, lane: str = "text") -> Evidence:
        """A byte range of a page, hashed from the page's own words."""
        words = edition.page(page).words(start, end)
        return cls(edition.id, page, start, end, text_sha256(words), lane)

    @property
    def handle(self) -> Handle:
        return Handle(self.edition[:6], self.page, self.start, self.end, self.sha256[:8])
