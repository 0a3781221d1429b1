"""How long sections are, in tokens, without counting every word of a long document.

Tokens are counted exactly on a sample of pages spread over the document; the ratio to bytes found there prices every span. On ordinary
text the estimate for a section is within a few per cent; ``Extent.method`` says what was counted with.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate

from pageindex.document.edition import Edition
from pageindex.document.offsets import byte_size
from pageindex.document.position import Position, Span
from pageindex.text import tokens

__all__ = ["Extent"]

_SAMPLED_PAGES = 8
_SAMPLED_CHARS = 6_000


@dataclass(frozen=True)
class Extent:
    """Prices spans of one edition.

    Attributes:
        offsets: Byte at which each page begins in the whole document, and the length of all as the last item.
        ratio: Tokens per byte.
        method: See ``pageindex.tokens.method``.
    """

    offsets: tuple[int, ...]
    ratio: float
    method: str

    @classmethod
    def of(cls, edition: Edition) -> Extent:
        lengths = [len(page.data) for page in edition.pages]
        offsets = (0, *accumulate(lengths))
        written = [page for page, length in zip(edition.pages, lengths, strict=True) if length]
        step = max(1, len(written) // _SAMPLED_PAGES)
        texts = [page.text[:_SAMPLED_CHARS] for page in written[step // 2 :: step][: _SAMPLED_PAGES + 1]]
        size = sum(byte_size(text) for text in texts)
        counted = sum(tokens.count_tokens(text) for text in texts)
        return cls(offsets, counted / size if size else 0.0, tokens.method())

    def offset(self, position: Position) -> int:
        """Bytes of the document before a position."""
        return self.offsets[position.page - 1] + position.byte

    def tokens(self, span: Span) -> int:
        """Estimated tokens of a span; 0 only for an empty one."""
        size = max(0, self.offset(span.end) - self.offset(span.start))
        return max(1, round(size * self.ratio)) if size else 0

    def position(self, offset: int) -> Position:
        """Inverse of ``offset``; an offset on a page border is the start of the later page."""
        page = min(bisect_right(self.offsets, offset), len(self.offsets) - 1)
        return Position(page, offset - self.offsets[page - 1])
