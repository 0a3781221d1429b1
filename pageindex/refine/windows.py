"""Long texts in windows that fit a prompt, without losing a word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pageindex.document import Edition, Span
from pageindex.text.shown import shown_page
from pageindex.text.tokens import count_tokens, cut_tokens

__all__ = ["Piece", "Window", "fenced", "split_text", "windows"]

_MARK = 12  # tokens of a page mark
_LEAST = 100  # tokens of a half


@dataclass(frozen=True, slots=True)
class Piece:
    """Text of one page, or a part of it."""

    page: int
    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Window:
    """Consecutive pieces that fit one prompt."""

    pieces: tuple[Piece, ...]

    @property
    def pages(self) -> range:
        return range(self.pieces[0].page, self.pieces[-1].page + 1)

    @property
    def tokens(self) -> int:
        return sum(piece.tokens + _MARK for piece in self.pieces)

    def halves(self) -> list[Window]:
        """The window in two, by pages where it has several, else in its text; empty when it is too short to be cut."""
        if len(self.pieces) > 1:
            half = len(self.pieces) // 2
            return [Window(self.pieces[:half]), Window(self.pieces[half:])]
        (piece,) = self.pieces
        if piece.tokens < 2 * _LEAST:
            return []
        parts = split_text(piece.text, -(-piece.tokens // 2))
        return [Window((Piece(piece.page, part, count_tokens(part)),)) for part in parts]


def split_text(text: str, budget: int) -> Iterator[str]:
    """The text in parts of at most ``budget`` tokens, cut at a line break or a space where there is one; joined they are the text."""
    while text:
        size = max(1, cut_tokens(text, budget))
        if size < len(text):
            at = max(text.rfind("\n", size // 2, size), text.rfind(" ", size // 2, size))
            size = at + 1 if at > 0 else size
        yield text[:size]
        text = text[size:]


def windows(edition: Edition, span: Span, budget: int) -> list[Window]:
    """All text of a span, as people read it, in windows of at most ``budget`` tokens, page marks included. Pages without text are left out.

    A page that does not fit is split; pages that do are never split.
    """
    found: list[Window] = []
    pending: list[Piece] = []
    for piece in _pieces(edition, span, budget - _MARK):
        if pending and sum(p.tokens + _MARK for p in pending) + piece.tokens + _MARK > budget:
            found.append(Window(tuple(pending)))
            pending = []
        pending.append(piece)
    return [*found, Window(tuple(pending))] if pending else found


def _pieces(edition: Edition, span: Span, budget: int) -> Iterator[Piece]:
    for number in span.pages:
        first, last = span.on_page(number, len(edition.page(number).data))
        text = shown_page(edition, number, first, last).text
        if not text:
            continue
        tokens = count_tokens(text)
        if tokens <= budget:
            yield Piece(number, text, tokens)
        else:
            yield from (Piece(number, part, count_tokens(part)) for part in split_text(text, budget))


def fenced(pieces: Sequence[Piece], nonce: str) -> str:
    """The text between fences that the document cannot print, since they hold a hash of it, with a mark before every page."""
    body = "\n".join(f"[page {piece.page}]\n{piece.text}" for piece in pieces)
    return f"<text {nonce}>\n{body}\n</text {nonce}>"
