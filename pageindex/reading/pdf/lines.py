"""One page of PDFium → its printed lines with style and the anchor text that they make, at little more than the cost of plain text.

The method: the raw text of the page, got in one call, is cut at PDFium's line breaks. A stretch has its box by the rectangles of its
text objects, and is cut into cells where these stand apart; see ``joining`` for what is put together again. A text object has one font,
size and colour, so one probe gives the style of a line of one rectangle; see ``styles``. What lies outside the visible frame is left
out by where it stands. The lines, put in reading order, are the anchor.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice, pairwise
from typing import Any, NamedTuple, cast

from pageindex.document import Box, KindRange, Line, Run
from pageindex.document.edition import open_line
from pageindex.reading.pdf.annotations import NOTHING, Marks
from pageindex.reading.pdf.api import api, handle, text_of
from pageindex.reading.pdf.batch import (
    MANY_OBJECTS,
    Rect,
    char_boxes,
    char_indices,
    char_origins,
    line_rects,
    per_character,
)
from pageindex.reading.pdf.cells import cells_only, groups
from pageindex.reading.pdf.fonts import FontTable, Frame, Style, page_frame
from pageindex.reading.pdf.joining import CELL_GAP, Printed, Spot, anchor_of, joined, with_whole_characters
from pageindex.reading.pdf.mending import mended
from pageindex.reading.pdf.order import in_reading_order
from pageindex.reading.pdf.signs import with_signs_in_place
from pageindex.reading.pdf.states import is_right_to_left
from pageindex.reading.pdf.styles import Composed, StyleReader, dominant, runs_of
from pageindex.reading.pdf.text import pieces, raw_text

__all__ = ["PageText", "read_page", "text_read"]

_WORD = re.compile(r"\S+")

#: How much higher or lower than the one before, in font sizes, a word stands that is not on its row, though PDFium says so.
ROW_JUMP = 0.75

#: Mean advance of a glyph in font sizes; a line wider than this and a gap may hold a gap inside one text object.
GLYPH_WIDTH = 0.62

_new_tuple = tuple.__new__


@dataclass
class PageText:
    """What one page gave: the anchor, and its lines in reading order, each with the text object that holds its first character.

    Attributes:
        spots: Of each line, where its characters come from.
        kinds: What annotations draw of it.
        left_out: Characters beyond the limit.
    """

    text: str = ""
    lines: list[Line] = field(default_factory=list)
    objects: list[int | None] = field(default_factory=list)
    spots: list[tuple[Spot, ...]] = field(default_factory=list)
    kinds: tuple[KindRange, ...] = ()
    left_out: int = 0


@contextmanager
def text_read(
    page: int, number: int, fonts: FontTable, max_chars: int, *, marks: Marks = NOTHING, in_order: bool = True
) -> Iterator[tuple[int, Frame, PageText] | None]:
    """The text page of a loaded page, its frame, and what was read of it; None where PDFium makes no text of it.

    PDFium puts text in order as the page is displayed. Where most of it is turned there, it is read anew with the page turned back.
    """
    frame = page_frame(page) if page else Frame(0.0, 0.0, 0.0, 0.0, 0)
    with text_of(page) as text_page:
        found = (
            read_page(text_page, number, frame, fonts, max_chars, marks=marks, in_order=in_order) if text_page else None
        )
        angle = _main_angle(found.lines) if found else 0
        if found is None or not angle:
            yield (text_page, frame, found) if found else None
            return
    api.FPDFPage_SetRotation(page, (frame.rotation - angle) % 360 // 90)
    try:
        with text_of(page) as text_page:
            found = read_page(text_page, number, frame, fonts, max_chars, marks=marks, in_order=in_order)
            yield text_page, frame, found
    finally:
        api.FPDFPage_SetRotation(page, frame.rotation // 90)


def _main_angle(lines: list[Line]) -> int:
    """By how many quarters of a turn, in degrees, most of a page's text is turned as displayed."""
    turned: Counter[int] = Counter()
    for line in lines:
        if line.angle:
            turned[line.angle] += len(line.text)
    if not turned:
        return 0
    angle, weight = turned.most_common(1)[0]
    return angle if angle % 90 == 0 and 2 * weight > sum([len(line.text) for line in lines]) else 0


def read_page(
    text_page: int,
    number: int,
    frame: Frame,
    fonts: FontTable,
    max_chars: int,
    *,
    marks: Marks = NOTHING,
    in_order: bool = True,
) -> PageText:
    """Anchor and lines of a loaded page.

    Args:
        marks: What its annotations draw.
        in_order: False for those who only measure what the order costs.
    """
    count = max(api.FPDFText_CountChars(text_page), 0)
    if not count and not marks.marks:
        return PageText()
    fonts.new_page()
    page = PageText(left_out=max(count - max_chars, 0))
    reader = _LineReader(text_page, number, frame, fonts)
    raw, paired = raw_text(text_page, min(count, max_chars))
    printed = mended(text_page, frame, reader.read(raw, count <= max_chars and len(raw) == count), raw)
    if marks.marks:
        printed = marks.with_values(printed, number, frame, fonts.unknown)
    printed = joined(text_page, frame, with_signs_in_place(printed))
    if in_order:
        rtl = is_right_to_left(raw)
        order = in_reading_order(printed.lines, frame.size[0], right_to_left=rtl, loose=marks.drawn(printed))
        if order is not None:
            printed = joined(text_page, frame, printed.in_order(order))
    if paired:
        with_whole_characters(printed)
    page.text = anchor_of(printed.lines)
    page.lines, page.objects, page.spots = printed
    if marks.marks:
        page.kinds = marks.kinds_of(text_page, page.lines, page.spots)
    return page


class _Pieces(NamedTuple):
    """Printed lines, or cells of them, before they are ``Line`` objects: one column per property."""

    texts: list[str]
    indices: list[int]  # number of the first character
    rects: list[Rect]  # in page coordinates
    styles: list[Style]  # of the first character
    objects: list[int | None]  # the text object that holds it
    composed: list[Composed | None]  # what is known of those that have several text objects


class _LineReader:
    """The lines of one page."""

    def __init__(self, text_page: int, number: int, frame: Frame, fonts: FontTable) -> None:
        self._number, self._frame = number, frame
        self._page = handle(text_page)
        self._styles = StyleReader(text_page, frame, fonts)

    def read(self, raw: str, same_index: bool) -> Printed:
        """The lines of a raw text in its order; ``same_index`` says whether its places are the numbers of the characters."""
        places: list[int] = []
        texts: list[str] = []
        for place, text in pieces(raw):
            places.append(place)
            texts.append(text)
        indices = places if same_index else char_indices(self._page, places)
        found, gaps = self._measured(texts, indices)
        if found.rects and not self._all_visible(found.rects):
            found, gaps = self._measured(*self._visible(found))
        if gaps and (cells := self._cells(found, gaps)):
            found = _with_cells(found, cells)
        spots: list[tuple[Spot, ...]] = [
            ((0, index, len(text)),) for index, text in zip(found.indices, found.texts, strict=True)
        ]
        return Printed(self._lines(found), found.objects, spots)

    def _all_visible(self, rects: list[Rect]) -> bool:
        left, bottom, right, top, _ = self._frame
        lefts, tops, rights, bottoms = zip(*rects, strict=True)
        return bool(left <= min(lefts) and max(rights) <= right and bottom <= min(bottoms) and max(tops) <= top)

    def _visible(self, found: _Pieces) -> tuple[list[str], list[int]]:
        """The stretches of all characters whose middle is within the frame."""
        texts: list[str] = []
        indices: list[int] = []
        for text, index, rect in zip(found.texts, found.indices, found.rects, strict=True):
            if self._all_visible([rect]):
                texts.append(text)
                indices.append(index)
                continue
            words = [(at, char) for at, char in enumerate(text) if char != " "]
            boxes = char_boxes(self._page, [index + at for at, _ in words])
            kept = {at for (at, _), box in zip(words, boxes, strict=True) if self._holds(box)}
            masked = "".join([char if at in kept or char == " " else "\n" for at, char in enumerate(text)])
            start = 0
            for part in masked.split("\n"):
                if solid := part.strip():
                    texts.append(solid)
                    indices.append(index + start + len(part) - len(part.lstrip()))
                start += len(part) + 1
        return texts, indices

    def _holds(self, box: Rect) -> bool:
        left, bottom, right, top, _ = self._frame
        return left <= (box[0] + box[2]) / 2 <= right and bottom <= (box[1] + box[3]) / 2 <= top

    def _measured(self, texts: list[str], indices: list[int]) -> tuple[_Pieces, list[int]]:
        """Lines with their rectangles and first styles, and the numbers of those that may hold a gap between cells."""
        counts, each = line_rects(self._page, indices, texts)
        styles, items, faces = self._styles.at(indices)
        rotation = self._frame.rotation
        rects: list[Rect] = []
        composed: list[Composed | None] = [None] * len(texts)
        gaps: list[int] = []
        for number, (count, text, style) in enumerate(zip(counts, texts, styles, strict=True)):
            if count == 1:
                rect = next(each)
                gap = rect[2] - rect[0] > (GLYPH_WIDTH * len(text) + CELL_GAP) * style[0]
            elif count < 1:  # its glyphs have no size
                rect, gap = self._at_origin(text, indices[number], style), False
            elif count > MANY_OBJECTS and per_character(count, text):
                composed[number] = Composed(text, indices[number], count, (), items[number], faces[number], style)
                rect, gap = self._around_words(text, indices[number], style)
            else:
                parts = list(islice(each, count))
                composed[number] = Composed(text, indices[number], count, parts, items[number], faces[number], style)
                rect, gap = _around(parts, style, sideways=(style[4] - rotation) % 180 != 0)
            rects.append(rect)
            if gap and len(text) > 2 and not 0.0 < style[0] < 2.0:
                gaps.append(number)
        return _Pieces(texts, indices, rects, styles, items, composed), gaps

    def _at_origin(self, text: str, index: int, style: Style) -> Rect:
        """A rectangle for glyphs that have none: from the origin of the first to that of the last, as high as the font."""
        (x, y), (x_too, y_too) = char_origins(self._page, [index, index + len(text) - 1])
        return min(x, x_too), max(y, y_too) + style.size, max(x, x_too), min(y, y_too)

    def _around_words(self, text: str, index: int, style: Style) -> tuple[Rect, bool]:
        """The same as ``_around``, by the first and last character of each word."""
        words = [word.span() for word in _WORD.finditer(text)]
        boxes = char_boxes(self._page, [index + at for begin, stop in words for at in (begin, stop - 1)])
        rects = [_union(pair) for pair in zip(boxes[::2], boxes[1::2], strict=True)]
        return _around(rects, style, sideways=(style.angle - self._frame.rotation) % 180 != 0)

    def _cells(self, found: _Pieces, gaps: list[int]) -> dict[int, _Pieces]:
        """The cells of those lines that fall apart, by the number of the line."""
        cut = {number: parts for number in gaps if (parts := self._scattered(found, number))}
        wide = [number for number in gaps if " " in found.texts[number] and number not in cut]
        for number, cuts in zip(wide, self._cuts(found, wide), strict=True):
            if cuts:
                cut[number] = list(pairwise([0, *cuts, len(found.texts[number])]))
        cut = dict(sorted(cut.items()))
        texts: list[str] = []
        indices: list[int] = []
        for number, parts in cut.items():
            text, index = found.texts[number], found.indices[number]
            for first, last in parts:
                texts.append(text[first:last].rstrip())
                indices.append(index + first)
        measured, _ = self._measured(texts, indices)
        columns: list[Iterator[Any]] = [iter(column) for column in measured]
        return {
            number: _Pieces(*[list(islice(column, len(parts))) for column in columns]) for number, parts in cut.items()
        }

    def _scattered(self, found: _Pieces, number: int) -> list[tuple[int, int]]:
        """The groups of a line that is drawn without blanks, if it has several."""
        text, style = found.texts[number], found.styles[number]
        if " " in text or (style.angle - self._frame.rotation) % 360:
            return []
        index = found.indices[number]
        return groups(text, char_boxes(self._page, range(index, index + len(text))), style.size or 10.0)

    def _cuts(self, printed: _Pieces, numbers: list[int]) -> list[list[int]]:
        """Where each of some lines falls into cells: offsets of the words that begin one."""
        spans = [[word.span() for word in _WORD.finditer(printed.texts[number])] for number in numbers]
        ends: list[int] = []
        for number, words in zip(numbers, spans, strict=True):
            index = printed.indices[number]
            ends += [index + at for begin, stop in words for at in (begin, stop - 1)]
        boxes = iter(char_boxes(self._page, ends))
        found = []
        for number, words in zip(numbers, spans, strict=True):
            style = printed.styles[number]
            wide = CELL_GAP * (style.size or 10.0)
            upright = (style.angle - self._frame.rotation) % 180 == 0
            cuts: list[int] = []
            rows: set[int] = set()  # cuts between two rows
            before_low, before_high, before_across, jump = -1e9, 1e9, 1e9, 2 * ROW_JUMP * (style.size or 10.0)
            for begin, _ in words:
                left, top, right, bottom = next(boxes)
                left_too, top_too, right_too, bottom_too = next(boxes)
                if upright:
                    low, high = (left if left < left_too else left_too), (right if right > right_too else right_too)
                    across = (top if top > top_too else top_too) + (bottom if bottom < bottom_too else bottom_too)
                else:
                    low, high = min(bottom, bottom_too), max(top, top_too)
                    across = (right if right > right_too else right_too) + (left if left < left_too else left_too)
                if abs(across - before_across) > jump:
                    cuts.append(begin)
                    rows.add(begin)
                elif low - before_high > wide or before_low - high > wide:
                    cuts.append(begin)
                before_low, before_high, before_across = low, high, across
            found.append(cells_only(printed.texts[number], [at for at in cuts if at], rows))
        return found

    def _lines(self, printed: _Pieces) -> list[Line]:
        """The lines, each with its dominant style and its runs."""
        styles, runs = list(printed.styles), dict[int, tuple[Run, ...]]()
        several = [(number, line) for number, line in enumerate(printed.composed) if line is not None]
        if several:
            found = self._styles.stretches([line for _, line in several])
            for (number, line), parts in zip(several, found, strict=True):
                if len(parts) > 1:
                    styles[number], runs[number] = dominant(len(line.text), parts), runs_of(parts)
        lines, page, runs_at = [], self._number, runs.get
        columns = zip(printed.texts, self._boxes(printed.rects), styles, strict=True)
        for number, (text, box, (size, font, weight, color, angle)) in enumerate(columns):
            if size < 2.0 and angle == 0 and box.height > 3.0:
                size = round(box.height * 1.2, 1)  # a Type 3 font in glyph units says nothing of its size
            lines.append(open_line(page, text, box, size, font, weight, color, runs_at(number, ()), angle))
        return lines

    def _boxes(self, rects: list[Rect]) -> list[Box]:
        """Rectangles on the displayed page."""
        frame, x, y = self._frame, self._frame.left, self._frame.top
        if frame.rotation:
            return [frame.box(*rect) for rect in rects]
        # The same as Frame.box, and thrice as fast as calling Box.
        return [_new_tuple(Box, (left - x, y - top, right - x, y - bottom)) for left, top, right, bottom in rects]


def _around(rects: Sequence[Rect], style: Style, *, sideways: bool) -> tuple[Rect, bool]:
    """The rectangle around some, in page coordinates, and whether two neighbours stand as far apart as cells do."""
    size = style.size if style.size >= 2.0 else 10.0
    wide, jump = CELL_GAP * size, 2 * ROW_JUMP * size
    if sideways:
        apart = any(
            b[3] - a[1] > wide or a[3] - b[1] > wide or abs(a[0] + a[2] - b[0] - b[2]) > jump
            for a, b in pairwise(rects)
        )
        return _union(rects), apart
    gap, x0, y0, x1, y1 = False, 1e9, -1e9, -1e9, 1e9
    before_left, before_right = -1e9, 1e9
    before_height = rects[0][1] + rects[0][3] if rects else 0.0
    for left, top, right, bottom in rects:
        if left - before_right > wide or before_left - right > wide or abs(top + bottom - before_height) > jump:
            gap = True
        before_left, before_right, before_height = left, right, top + bottom
        x0, y0 = left if left < x0 else x0, top if top > y0 else y0
        x1, y1 = right if right > x1 else x1, bottom if bottom < y1 else y1
    return ((x0, y0, x1, y1) if rects else (0.0, 0.0, 0.0, 0.0)), gap


def _with_cells(found: _Pieces, cells: dict[int, _Pieces]) -> _Pieces:
    """Lines of which some are replaced by their cells."""
    merged = []
    for place, column in enumerate(cast("tuple[list[Any], ...]", found)):
        parts: list[Any] = []
        behind = 0
        for number, replacing in cells.items():  # in the order of the lines
            parts += column[behind:number]
            parts += replacing[place]
            behind = number + 1
        merged.append(parts + column[behind:])
    return _Pieces(*merged)


def _union(rects: Sequence[Rect]) -> Rect:
    if len(rects) == 1:
        return rects[0]
    if not rects:
        return (0.0, 0.0, 0.0, 0.0)
    left, top, right, bottom = zip(*rects, strict=True)
    return min(left), max(top), max(right), min(bottom)
