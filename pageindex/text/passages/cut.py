"""Cutting a page into passages. The same page gives the same passages, whoever asks, and each row of it stands in exactly one.

Paragraphs are told apart by empty lines, by space, indents and style, by where lists and captions begin, and by where sections do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from pageindex.document import Edition, PageRange, Passage, PassageKind, Position, Section, Tree
from pageindex.document.offsets import byte_size
from pageindex.text.passages.marks import begins_sentence, ends_sentence, is_bullet, is_caption, is_counter, is_entry
from pageindex.text.passages.rows import Row, rows_of
from pageindex.text.passages.tables import table_at

__all__ = ["MOST_CHARS", "passages_in", "passages_on"]

MOST_CHARS = 900  #: Of a passage; a longer paragraph becomes several, cut between sentences where that can be.
_LONGEST_SCRAP = 16  # characters
_WORD = re.compile(r"[^\W\d_]{2,}")
_KEPT_PAGES = 512
_SENTENCE = re.compile(r"[.!?؟][\"'”’»)\]]*\s+(?=[^a-z])|[。！？；]")


def passages_on(edition: Edition, tree: Tree, page: int) -> tuple[Passage, ...]:
    """The passages of a page, in reading order. Raises IndexError when there is no such page."""
    edition.page(page)
    known, sections = edition.derived(_kept), tree.by_page.get(page, ())
    key = (page, tree.at(Position(page, 0)).node_id, *((one.node_id, one.start.byte, one.heading) for one in sections))
    if key not in known:
        while len(known) >= _KEPT_PAGES:
            known.pop(next(iter(known)), None)
        known[key] = tuple(_Cutter.of(edition, tree, page).cut())
    return known[key]


def passages_in(edition: Edition, tree: Tree, ranges: Iterable[PageRange]) -> tuple[Passage, ...]:
    """The passages of some ranges of pages, in their order; one that a range cuts in two is there with its part of it."""
    found: list[Passage] = []
    for place in ranges:
        data = edition.page(place.page).data
        for passage in passages_on(edition, tree, place.page):
            start, end = max(passage.start, place.start), min(passage.end, place.end)
            if (start, end) == (passage.start, passage.end):
                found.append(passage)
            elif start < end and (bare := data[start:end].strip()):
                start += len(data[start:end]) - len(data[start:end].lstrip())
                found.append(replace(passage, start=start, end=start + len(bare)))
    return tuple(found)


def _kept(edition: Edition) -> dict[tuple[object, ...], tuple[Passage, ...]]:
    """Of the pages cut last, by what decides the cuts: an edition may get another tree."""
    return {}


# ---------------------------------------------------------------- a page


class _Heads(NamedTuple):
    """Where sections begin on a page, and which bytes are their headings."""

    starts: tuple[int, ...]
    headings: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class _Cutter:
    edition: Edition
    tree: Tree
    page: int
    rows: Sequence[Row]
    heads: _Heads
    leading: float  # space between two lines of a paragraph

    @classmethod
    def of(cls, edition: Edition, tree: Tree, page: int) -> _Cutter:
        rows = rows_of(edition, page)
        return cls(edition, tree, page, rows, _heads(tree, page), _leading(rows))

    def cut(self) -> Iterator[Passage]:
        at, block = 0, list[Row]()
        while at < len(self.rows):
            table = [] if self._is_heading(self.rows[at]) else table_at(self.rows, at)
            if table:
                yield from self._paragraph(block)
                block = []
                for entry in table:
                    kind = PassageKind.HEADING if entry.head else PassageKind.ROW
                    yield from self._made(entry.rows, kind, entry.heads)
                    at += len(entry.rows)
                continue
            row = self.rows[at]
            if block and self._parts(block, row):
                yield from self._paragraph(block)
                block = []
            block.append(row)
            at += 1
        yield from self._paragraph(block)

    # ------------------------------------------------------------ paragraphs

    def _parts(self, block: Sequence[Row], row: Row) -> bool:
        """Whether a row begins a new passage."""
        last = block[-1]
        if (
            row.apart
            or is_entry(last.text)
            or not row.is_as_large_as(last)
            or any(last.start < at <= row.start for at in self.heads.starts)
        ):
            return True
        if self._is_heading(last) != self._is_heading(row) or is_bullet(row.text):
            return True
        ended = ends_sentence(last.text)
        if not row.is_as_bold_as(last) and (ended or not self._reaches_margin(last)):
            return True
        listed = is_counter(block[0].text) or is_bullet(block[0].text)
        if (is_counter(row.text) and (ended or listed)) or (is_caption(row.text) and ended):
            return True
        return self._is_placed_apart(block, row, ended=ended, listed=listed)

    def _reaches_margin(self, row: Row) -> bool:
        """Whether a row is as long as a line of running text is: a word in bold within it makes it no heading."""
        widths = [other.box.x1 for other in self.rows if other.box is not None]
        return row.box is not None and row.box.x1 > 0.9 * max(widths) and row.box.width > 0.5 * max(widths)

    def _is_placed_apart(self, block: Sequence[Row], row: Row, *, ended: bool, listed: bool) -> bool:
        first, last = block[0].box, block[-1].box
        if first is None or last is None or row.box is None:
            return False
        size, box = max(row.size, 1.0), row.box
        if box.y1 < last.y0:  # on top of the next column
            return ended
        if box.y0 - last.y1 > self.leading + 0.42 * size:
            return True
        if listed and len(block) > 1 and box.x0 <= first.x0 + 0.3 * size < last.x0:
            return True  # what follows a list stands further out than its items' text
        new = ended and begins_sentence(row.text)
        return new and (box.x0 > last.x0 + 0.8 * size or box.x1 > last.x1 + 8 * size)

    def _paragraph(self, block: Sequence[Row]) -> Iterator[Passage]:
        if not block:
            return
        text = block[0].text
        if self._is_heading(block[0]):
            kind = PassageKind.HEADING
        elif is_caption(text):
            kind = PassageKind.CAPTION
        elif is_bullet(text) or is_counter(text):
            kind = PassageKind.ITEM
        else:
            kind = PassageKind.PARAGRAPH
        yield from self._made(block, kind, ())

    def _is_heading(self, row: Row) -> bool:
        return any(start < row.end and row.start < end for start, end in self.heads.headings)

    # ------------------------------------------------------------ passages

    def _made(self, rows: Sequence[Row], kind: PassageKind, heads: tuple[tuple[int, int], ...]) -> Iterator[Passage]:
        start, end = rows[0].start, rows[-1].end
        section = self._section(start).node_id
        if end - start <= MOST_CHARS:  # bytes are never fewer than characters
            yield Passage(self.page, start, end, kind, section, heads)
            return
        for low, high in _pieces(self.edition.page(self.page).words(start, end)):
            yield Passage(self.page, start + low, start + high, kind, section, heads)

    def _section(self, byte: int) -> Section:
        return self.tree.at(Position(self.page, byte))


def _is_scrap(row: Row) -> bool:
    """Whether a row holds no word, and little: the figures along the axis of a chart."""
    return len(row.text) <= _LONGEST_SCRAP and not _WORD.search(row.text)


def _heads(tree: Tree, page: int) -> _Heads:
    sections = tree.by_page.get(page, ())
    starts = tuple(sorted({section.start.byte for section in sections}))
    return _Heads(starts, tuple(section.heading for section in sections if section.heading is not None))


def _leading(rows: Sequence[Row]) -> float:
    """The usual space between two lines: that of most lines that follow each other at all closely."""
    gaps = [
        lower.box.y0 - upper.box.y1
        for upper, lower in pairwise(rows)
        if upper.box and lower.box and -upper.size < lower.box.y0 - upper.box.y1 < 1.2 * upper.size
    ]
    return sorted(gaps)[len(gaps) // 3] if gaps else 0.0


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Byte ranges of a long text in pieces of at most ``MOST_CHARS`` characters, cut behind a sentence, else a blank, else anywhere."""
    at, byte = 0, 0
    while at < len(text):
        end = min(len(text), at + MOST_CHARS)
        if end < len(text):
            ends = [match.end() for match in _SENTENCE.finditer(text, at + MOST_CHARS // 3, end)]
            blank = max(text.rfind(mark, at + MOST_CHARS // 2, end) for mark in " \n\t") + 1
            end = ends[-1] if ends else blank or end
        piece = text[at:end]
        bare = piece.strip()
        if bare:
            start = byte + byte_size(piece[: len(piece) - len(piece.lstrip())])
            yield start, start + byte_size(bare)
        byte += byte_size(piece)
        at = end
