"""Text on its way to a reader, with the place of every character of it.

A ``Delivery`` is text that was cut out of pages, trimmed, scrubbed and fenced, and a piecewise map from its characters to the bytes of
the pages they came from. Re-cutting the page at the reported place gives back the same bytes, for every range that is quotable.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pageindex.document import Edition
from pageindex.errors import EvidenceError
from pageindex.evidence.quotes.passage import PageRange

__all__ = ["Delivery", "Piece", "derived", "from_page", "join"]


@dataclass(frozen=True, slots=True)
class Piece:
    """``length`` characters at ``at`` that were copied, unchanged, from characters ``[start, start + length)`` of a page.

    ``byte`` is the offset of ``start`` in the page's UTF-8 text. Text between pieces is not the document's.
    """

    at: int
    length: int
    page: int
    start: int
    byte: int


@dataclass(frozen=True, slots=True)
class Delivery:
    """Text and the pieces of it that are the document's own, in order; ``quotable`` is false for derived text."""

    text: str
    pieces: tuple[Piece, ...] = ()
    quotable: bool = True

    def source(self, start: int, end: int) -> tuple[PageRange, ...]:
        """The bytes from which characters ``[start, end)`` came, one range per stretch that is whole on its page.

        Raises EvidenceError (NOT_QUOTABLE) when the text is derived, or when not one of the characters is the document's.
        """
        ranges: list[PageRange] = []
        for piece in self._overlapping(start, end) if self.quotable else ():
            low, high = max(start, piece.at), min(end, piece.at + piece.length)
            first = piece.byte + _size(self.text[piece.at : low])
            last = first + _size(self.text[low:high])
            if ranges and (ranges[-1].page, ranges[-1].end) == (piece.page, first):
                ranges[-1] = PageRange(piece.page, ranges[-1].start, last)
            else:
                ranges.append(PageRange(piece.page, first, last))
        if not ranges:
            raise EvidenceError(
                f"characters {start}-{end} are not the document's", "Quote page text.", code="NOT_QUOTABLE"
            )
        return tuple(ranges)

    def ranges(self) -> tuple[PageRange, ...]:
        """All bytes delivered; what a ledger records."""
        return self.source(0, len(self.text)) if self.pieces and self.quotable else ()

    def cut(self, start: int, end: int) -> Delivery:
        """Characters ``[start, end)`` with their part of the map."""
        kept = []
        for piece in self._overlapping(start, end):
            low, high = max(start, piece.at), min(end, piece.at + piece.length)
            skipped = low - piece.at
            byte = piece.byte + _size(self.text[piece.at : low])
            kept.append(Piece(low - start, high - low, piece.page, piece.start + skipped, byte))
        return Delivery(self.text[start:end], tuple(kept), self.quotable)

    def trimmed(self) -> Delivery:
        """Without white space at both ends."""
        start = len(self.text) - len(self.text.lstrip())
        return self.cut(start, max(start, len(self.text.rstrip())))

    def replaced(self, changes: Sequence[tuple[int, int, str]]) -> Delivery:
        """With some ranges replaced by other text, which is nobody's; ``changes`` are ``(start, end, text)``, in order, apart."""
        parts, position = [], 0
        for start, end, text in changes:
            parts += [self.cut(position, start), Delivery(text)]
            position = end
        return join([*parts, self.cut(position, len(self.text))], quotable=self.quotable)

    def _overlapping(self, start: int, end: int) -> Iterable[Piece]:
        first = max(0, bisect_right(self.pieces, start, key=lambda piece: piece.at) - 1)
        for piece in self.pieces[first:]:
            if piece.at >= end:
                return
            if piece.at + piece.length > start:
                yield piece


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def from_page(edition: Edition, page: int, start: int = 0, end: int | None = None) -> Delivery:
    """Bytes ``[start, end)`` of a page, widened to whole characters."""
    data = edition.page(page).data
    last = len(data) if end is None else min(end, len(data))
    while 0 < start < len(data) and data[start] & 0xC0 == 0x80:
        start -= 1
    while last < len(data) and data[last] & 0xC0 == 0x80:
        last += 1
    text = data[start:last].decode("utf-8", "surrogatepass")
    before = len(data[:start].decode("utf-8", "surrogatepass"))
    return Delivery(text, (Piece(0, len(text), page, before, start),) if text else ())


def derived(text: str) -> Delivery:
    """Text that is nobody's: a summary, a grid, a heading of ours. It cannot be quoted."""
    return Delivery(text, (), quotable=False)


def join(parts: Iterable[Delivery], between: str = "", *, quotable: bool = True) -> Delivery:
    """Several deliveries one after the other. Derived parts stay unquotable, for they bring no pieces."""
    texts: list[str] = []
    pieces: list[Piece] = []
    position = 0
    for index, part in enumerate(parts):
        if index and between:
            texts.append(between)
            position += len(between)
        texts.append(part.text)
        pieces += [Piece(p.at + position, p.length, p.page, p.start, p.byte) for p in part.pieces]
        position += len(part.text)
    return Delivery("".join(texts), tuple(pieces), quotable)
