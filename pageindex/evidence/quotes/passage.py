"""Raw text that a quote may be sought in: one page, or several joined with their running lines left out; and its way back to bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pageindex.document import Edition, Evidence, Line, PageRange, Span
from pageindex.document.offsets import byte_of, byte_size
from pageindex.evidence.characters import Character
from pageindex.evidence.quotes.index import NO_DIGITS, FoldedEdition, FoldedText, kept_ranges
from pageindex.evidence.quotes.raised import marks_in

__all__ = [
    "PageRange",
    "Passage",
    "evidence_of",
    "in_blocks",
    "joined_bodies",
    "joined_pages",
    "one_page",
    "pages_of",
    "without_marks",
]

_PAGE_BREAK = "\r\n"  # as a line break, so that a word hyphenated over the page fuses


@dataclass(frozen=True, slots=True)
class _Piece:
    page: int
    at: int  # character offset in the passage
    start: int  # characters of the page
    end: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A text beside its foldings, and where its pieces come from; ``unsure`` are places where more than a note mark may be left out."""

    text: FoldedText
    pieces: tuple[_Piece, ...]
    unsure: tuple[int, ...] = ()
    apart: bool = False

    def page_ranges(self, edition: Edition, start: int, end: int) -> tuple[PageRange, ...]:
        """The byte range on each page that characters ``[start, end)`` of the passage cover; one for each piece that stands ``apart``."""
        spans: dict[tuple[int, int], tuple[int, int]] = {}
        raw = self.text.raw
        for piece in self.pieces:
            low, high = max(start, piece.at), min(end, piece.at + piece.end - piece.start)
            high -= len(raw[low:high]) - len(raw[low:high].rstrip())  # the break itself is not part of the quote
            low += len(raw[low:high]) - len(raw[low:high].lstrip())
            if low < high:
                first, last = low - piece.at + piece.start, high - piece.at + piece.start
                place = (piece.page, piece.at if self.apart else 0)
                known = spans.get(place, (first, last))
                spans[place] = (min(known[0], first), max(known[1], last))
        return tuple(_bytes(edition, page, first, last) for (page, _), (first, last) in spans.items())


def pages_of(edition: Edition, span: Span) -> range:
    """The pages of a span. One that ends where the document does holds its last page too, even if that has no text."""
    last = edition.page_count if span.end >= edition.end else span.last_page
    return range(span.start.page, last + 1)


def one_page(index: FoldedEdition, page: int, characters: Sequence[Character] | None = None) -> Passage:
    """A page as it is, running lines included."""
    text = index.page(page, characters)
    return Passage(text, (_Piece(page, 0, 0, len(text.raw)),))


def joined_pages(index: FoldedEdition, first: int, last: int, *, running: bool = False) -> Passage:
    """Pages ``first`` to ``last`` in one text, a line break between pages, without running lines unless they are asked for."""
    parts, pieces, position = [], [], 0
    for number in range(first, last + 1):
        text = index.page(number).raw
        ranges = [(0, len(text))] if running else kept_ranges(index.edition.page(number))
        for start, end in ranges:
            parts.append(text[start:end])
            pieces.append(_Piece(number, position, start, end))
            position += end - start
        if number < last:
            parts.append(_PAGE_BREAK)
            position += len(_PAGE_BREAK)
    return Passage(FoldedText.of("".join(parts)), tuple(pieces))


def joined_bodies(index: FoldedEdition, first: int, last: int) -> Passage:
    """The bodies of pages ``first`` to ``last`` in one text; see ``bodies``."""
    return _of_lines(index, [(line, 0) for page in range(first, last + 1) for line in index.bodies[page - 1]])


def in_blocks(
    index: FoldedEdition, page: int, needle: str, characters: Sequence[Character] | None = None, *, marks: bool = True
) -> Passage | None:
    """A page with its cells and columns each in one piece; None where it does not hold some letters and digits even so.

    ``characters`` tell narrow columns apart. Without ``marks`` it is enough that it holds the letters, for note marks may stand between them.
    """
    letters, lines = index.blocks(page, characters)
    if not marks:
        letters, needle = letters.translate(NO_DIGITS), needle.translate(NO_DIGITS)
    return replace(_of_lines(index, lines), apart=True) if needle in letters else None


def _of_lines(index: FoldedEdition, lines: Sequence[tuple[Line, int]]) -> Passage:
    """Some lines in this order; beside each, how many characters at its beginning are left out."""
    parts, pieces, position = [], [], 0
    for line, cut in lines:
        page = index.edition.page(line.page)
        start, end = page.char(line.start) + cut, page.char(line.end)
        parts += [index.page(line.page).raw[start:end], _PAGE_BREAK]
        pieces.append(_Piece(line.page, position, start, end))
        position += end - start + len(_PAGE_BREAK)
    return Passage(FoldedText.of("".join(parts)), tuple(pieces))


def without_marks(passage: Passage) -> Passage | None:
    """The passage without what may be note marks; None where it has none."""
    found = marks_in(passage.text.raw)
    if found is None:
        return None
    text, marks = found
    unsure = tuple(at for at, sure in marks if not sure)
    return Passage(FoldedText.of(text), passage.pieces, unsure, passage.apart)


def _bytes(edition: Edition, number: int, start: int, end: int) -> PageRange:
    text = edition.page(number).text
    if text.isascii():
        return PageRange(number, start, end)
    first = byte_of(text, start)
    return PageRange(number, first, first + byte_size(text[start:end]))


def evidence_of(edition: Edition, ranges: Sequence[PageRange], lane: str = "text") -> tuple[Evidence, ...]:
    """One piece of evidence per page, hashed from the page's own bytes."""
    return tuple(Evidence.of(edition, place.page, place.start, place.end, lane) for place in ranges)
