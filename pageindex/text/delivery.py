"""Text on its way to a reader, with the place of every character of it.

A ``Delivery`` is text that was cut out of pages, made readable, trimmed, scrubbed and fenced, and a piecewise map from its characters to
the bytes of the pages they came from. Where a piece was copied as it is, re-cutting the page at the reported place gives back the same
bytes; where a line break or a hyphen was undone, the place holds what stands there on the page.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pageindex.document import Edition, PageRange, Position
from pageindex.document.offsets import byte_size, whole, words_of
from pageindex.errors import EvidenceError

__all__ = ["Delivery", "Piece", "derived", "from_page", "join"]


@dataclass(frozen=True, slots=True)
class Piece:
    """``length`` characters at ``at``, which came from ``size`` bytes at ``byte`` of a page.

    Character by character where both are of one length in bytes, else as a whole: ``m`` for ``m-\\n``. Text between pieces is not the
    document's.
    """

    at: int
    length: int
    page: int
    byte: int
    size: int


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
            first, last = self._bytes(piece, start, end)
            if ranges and (ranges[-1].page, ranges[-1].end) == (piece.page, first):
                ranges[-1] = PageRange(piece.page, ranges[-1].start, last)
            else:
                ranges.append(PageRange(piece.page, first, last))
        if not ranges:
            raise EvidenceError(
                f"characters {start}-{end} are not the document's", "Quote page text.", code="NOT_QUOTABLE"
            )
        return tuple(ranges)

    def place(self, at: int) -> Position | None:
        """Page and byte from which the character at ``at`` came; None where it is not the document's."""
        found = next(iter(self._overlapping(at, at + 1)), None)
        return Position(found.page, self._bytes(found, at, at + 1)[0]) if found is not None else None

    def ranges(self) -> tuple[PageRange, ...]:
        """All bytes delivered; what a ledger records."""
        return self.source(0, len(self.text)) if self.pieces and self.quotable else ()

    def cut(self, start: int, end: int) -> Delivery:
        """Characters ``[start, end)`` with their part of the map."""
        kept = []
        for piece in self._overlapping(start, end):
            low, high = max(start, piece.at), min(end, piece.at + piece.length)
            first, last = self._bytes(piece, start, end)
            kept.append(Piece(low - start, high - low, piece.page, first, last - first))
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
        for index in range(first, len(self.pieces)):
            piece = self.pieces[index]
            if piece.at >= end:
                return
            if piece.at + piece.length > start:
                yield piece

    def _bytes(self, piece: Piece, start: int, end: int) -> tuple[int, int]:
        """The bytes of the part of a piece that lies in ``[start, end)``."""
        low, high = max(start, piece.at), min(end, piece.at + piece.length)
        if (low, high) == (piece.at, piece.at + piece.length):
            return piece.byte, piece.byte + piece.size
        text = self.text[piece.at : piece.at + piece.length]
        if byte_size(text) != piece.size:
            return piece.byte, piece.byte + piece.size
        first = piece.byte + byte_size(text[: low - piece.at])
        return first, first + byte_size(text[low - piece.at : high - piece.at])


def from_page(edition: Edition, page: int, start: int = 0, end: int | None = None) -> Delivery:
    """Bytes ``[start, end)`` of a page as they are, widened to whole characters."""
    data = edition.page(page).data
    start, last = whole(data, start, len(data) if end is None else end)
    text = words_of(data, start, last)
    return Delivery(text, (Piece(0, len(text), page, start, last - start),) if text else ())


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
        pieces += [Piece(p.at + position, p.length, p.page, p.byte, p.size) for p in part.pieces]
        position += len(part.text)
    return Delivery("".join(texts), tuple(pieces), quotable)
