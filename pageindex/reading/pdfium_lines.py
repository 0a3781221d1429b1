"""One page of PDFium → its anchor text and its printed lines with style, at little more than the cost of the plain text.

The method: the anchor comes from one call for the page's bounded text, the character numbers from one call for its raw text; each
printed line is found in the raw text by a substring search, its box by the rectangles of its text objects. A text object has one
font, size and colour, so one probe gives the style of a line of one rectangle; see ``pdfium_styles``.
"""

from __future__ import annotations

import ctypes
import re
import struct
from bisect import bisect_left
from collections.abc import Callable, Iterator
from ctypes import c_void_p
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from pageindex.document import Box, Line, Run
from pageindex.document.edition import new_line
from pageindex.reading.pdfium_api import DOUBLES, api
from pageindex.reading.pdfium_fonts import FontTable, Frame, Style
from pageindex.reading.pdfium_styles import MANY_OBJECTS, Rect, StyleReader
from pageindex.reading.pdfium_text import bounded_text, join_pairs, pieces, raw_text, split_pairs, utf8_length

__all__ = ["PageText", "read_page"]

#: A gap between two words of one baseline, in font sizes, from which on they stand in two cells. A justified space stays below 1,
#: gutters between columns begin at about 1.8.
CELL_GAP = 1.6

#: How far beyond the expected place a line is looked for in the raw text, in characters.
WINDOW = 96

_WORD = re.compile(r"\S+")
_LABEL = re.compile(
    r"[^\w\s]{1,3}|[^\w\s]{0,2}(?:\d[\w.\-–:]{0,9}|[^\W\d_]{1,5}[.:)\]]?|[^\W\d_]{1,4}[.\-]\d[\d.\-]{0,6})[^\w\s]{0,2}"
)
_FOLIO = re.compile(r"[\d\-–.]{1,7}|[ivxlcdmIVXLCDM]{1,7}")

_FIRST_HALF = re.compile("[\ud800-\udbff]")
_NOTE_MARKS = frozenset("0123456789*†‡§")

#: Mean advance of a glyph in font sizes; a line wider than this and a gap may hold a gap inside one text object.
GLYPH_WIDTH = 0.62

_D, _D1, _D2, _D3 = (c_void_p(ctypes.addressof(DOUBLES) + 8 * i) for i in range(4))

_four: Callable[[Any], Rect] = struct.Struct("4d").unpack_from

_count_rects, _get_rect, _char_box = api.FPDFText_CountRects, api.FPDFText_GetRect, api.FPDFText_GetCharBox
_new_tuple = tuple.__new__


@dataclass
class PageText:
    """What one page gave: the anchor, and its lines in the file's order, each with PDFium's number of its first character."""

    text: str = ""
    lines: list[Line] = field(default_factory=list)
    chars: list[int] = field(default_factory=list)
    left_out: int = 0


def read_page(text_page: int, number: int, frame: Frame, fonts: FontTable, max_chars: int) -> PageText:
    """Anchor and lines of a loaded page."""
    count = api.FPDFText_CountChars(text_page)
    if count <= 0:
        return PageText()
    text = bounded_text(text_page, frame, count)[:max_chars]
    fonts.new_page()
    reader = _LineReader(text_page, number, frame, fonts, text, count)
    return PageText(text, reader.read(), reader.chars, max(count - max_chars, 0))


class _LineReader:
    """The lines of one page."""

    def __init__(self, text_page: int, number: int, frame: Frame, fonts: FontTable, text: str, count: int) -> None:
        self._text_page, self._number, self._frame, self._fonts, self._text = text_page, number, frame, fonts, text
        self._handle = c_void_p(text_page)
        self._upright, self._left, self._top = frame.rotation == 0, frame.left, frame.top
        self._raw = raw_text(text_page, count)
        if paired := not self._raw.isascii() and max(self._raw, default="") > "\uffff":
            # PDFium counts a character beyond U+FFFF as two. Lines are found in texts that do so, and mended at the end.
            self._raw, self._text = split_pairs(self._raw), split_pairs(text)
        self._paired = paired
        self._same_index = len(self._raw) == count
        self._styles = StyleReader(text_page, frame, fonts)
        self.chars: list[int] = []  # of each line, the number of its first character

    def read(self) -> list[Line]:
        lines: list[Line] = []
        append, note_char, text = lines.append, self.chars.append, self._text
        find, handle = self._raw.find, self._handle
        probe, runs_of = self._styles.probe, self._styles.runs
        same_index, plain, same_text = self._same_index, text.isascii(), text == self._raw
        cursor = behind = end = 0
        for start, piece in pieces(text):
            length = len(piece)
            begin = start if plain else end + utf8_length(text[behind:start])
            behind = start + length
            end = behind if plain else begin + utf8_length(piece)
            place = start if same_text else find(piece, cursor, cursor + length + WINDOW)
            if place < 0 and (place := self._search(piece, cursor)) < 0:
                append(self._without_place(piece, begin, end, lines))
                note_char(self.chars[-1] if self.chars else 0)
                continue
            cursor = place + length
            index = place if same_index else self._char_index(place)
            objects = _count_rects(handle, index, length)
            first = probe(index)
            style = first[0]
            if objects == 1:
                _get_rect(handle, 0, _D, _D1, _D2, _D3)
                rect = _four(DOUBLES)
                wide = rect[2] - rect[0] > (GLYPH_WIDTH * length + CELL_GAP) * style[0]
                if not wide or not (cuts := self._cuts(piece, index, style)):
                    note_char(index)
                    append(self._line(piece, begin, end, rect, style, ()))
                    continue
            else:
                rect, rects, gap = self._measure(piece, index, objects, style)
                if not gap or not (cuts := self._cuts(piece, index, style)):
                    style, runs = runs_of(piece, index, objects, rects, first)
                    note_char(index)
                    append(self._line(piece, begin, end, rect, style, runs))
                    continue
            lines.extend(self._cells(piece, begin, index, cuts))
        self._mend(lines)
        return self._joined_pairs(lines) if self._paired else lines

    def _joined_pairs(self, lines: list[Line]) -> list[Line]:
        """Lines whose texts, byte ranges and runs count a character beyond U+FFFF once, and its four bytes."""
        places = [utf8_length(self._text[: half.start()]) for half in _FIRST_HALF.finditer(self._text)]
        whole = []
        for line in lines:
            start, end = (at - 2 * bisect_left(places, at) for at in (line.start, line.end))
            runs = tuple(replace(run, start=len(join_pairs(line.text[: run.start]))) for run in line.runs)
            whole.append(replace(line, start=start, end=end, text=join_pairs(line.text), runs=runs))
        return whole

    def _mend(self, lines: list[Line]) -> None:
        """PDFium ends a line behind a raised footnote mark; where the next one goes on beside it, the two are one again."""
        marked = [number for number, line in enumerate(lines) if line.text[-1] in _NOTE_MARKS]
        for number in reversed(marked):
            if number + 1 < len(lines):
                line, following = lines[number], lines[number + 1]
                mark, char = self.chars[number] + len(line.text) - 1, self.chars[number + 1]
                if _goes_on(line, following) and self._baseline(mark) - self._baseline(char) > 0.1 * line.size:
                    lines[number : number + 2] = [self._joined(line, following)]
                    del self.chars[number + 1]

    def _baseline(self, index: int) -> float:
        api.FPDFText_GetCharOrigin(self._text_page, index, _D, _D1)
        return DOUBLES[1]

    def _joined(self, line: Line, following: Line) -> Line:
        data = self._text.encode("utf-8", "surrogatepass")
        text = data[line.start : following.end].decode("utf-8", "surrogatepass")
        shift = len(text) - len(following.text)
        first, second = (one.runs or (Run(0, one.size, one.font, one.weight, one.color),) for one in (line, following))
        runs = (*first, *[Run(run.start + shift, run.size, run.font, run.weight, run.color) for run in second])
        if not line.runs and not following.runs and replace(runs[1], start=0) == runs[0]:
            runs = ()
        longer = line if len(line.text) >= len(following.text) else following
        box = line.box.union(following.box)
        style = (longer.size, longer.font, longer.weight, longer.color)
        return Line(line.page, line.start, following.end, text, box, *style, runs, line.angle)

    def _search(self, piece: str, cursor: int) -> int:
        place = self._raw.find(piece, cursor)
        if place >= 0:
            return place
        # Where a raised character stands, one text has a line break and the other has none.
        solid = "".join(piece.split())
        place = _find_solid(self._raw[cursor : cursor + 2 * len(piece) + WINDOW], solid)
        return cursor + place if place >= 0 else _find_solid(self._raw, solid)

    def _char_index(self, place: int) -> int:
        return int(api.FPDFText_GetCharIndexFromTextIndex(self._text_page, place))

    def _without_place(self, piece: str, begin: int, end: int, before: list[Line]) -> Line:
        # Text that cannot be found among the characters still is text: it stands where the line before it stands.
        last = before[-1] if before else Line(self._number, 0, 0, "", Box(0, 0, 0, 0), 0, self._fonts.unknown)
        return Line(self._number, begin, end, piece, last.box, last.size, last.font, last.weight, last.color)

    def _cells(self, piece: str, begin: int, index: int, cuts: list[int]) -> Iterator[Line]:
        """The cells of a line that falls apart at some offsets."""
        for first, last in zip([0, *cuts], [*cuts, len(piece)], strict=True):
            cell, at = piece[first:last].rstrip(), index + first
            objects = _count_rects(self._handle, at, len(cell))
            first_object = self._styles.probe(at)
            rect, rects, _ = self._measure(cell, at, objects, first_object[0])
            style, runs = self._styles.runs(cell, at, objects, rects, first_object)
            self.chars.append(at)
            start = begin + utf8_length(piece[:first])
            yield self._line(cell, start, start + utf8_length(cell), rect, style, runs)

    def _measure(self, piece: str, index: int, objects: int, style: Style) -> tuple[Rect, list[Rect], bool]:
        """The rectangle around the text objects last counted, in page coordinates, their own, and whether two of them stand far apart.

        Where they are so many that each must be a single character, the words are measured instead, and no rectangles are given.
        """
        handle, wide = self._handle, CELL_GAP * (style.size if style.size >= 2.0 else 10.0)
        if objects > MANY_OBJECTS and objects > 3 * (1 + piece.count(" ")):
            words = [self._word_rect(index + w.start(), index + w.end() - 1) for w in _WORD.finditer(piece)]
            return _union(words), [], self._far_apart(words, style, wide)
        rects: list[Rect] = []
        if (style.angle - self._frame.rotation) % 180:
            for number in range(objects):
                _get_rect(handle, number, _D, _D1, _D2, _D3)
                rects.append(_four(DOUBLES))
            return _union(rects), [], self._far_apart(rects, style, wide)
        gap, x0, y0, x1, y1 = False, 1e9, -1e9, -1e9, 1e9
        before_left, before_right = -1e9, 1e9
        for number in range(objects):
            _get_rect(handle, number, _D, _D1, _D2, _D3)
            rect = left, top, right, bottom = _four(DOUBLES)
            rects.append(rect)
            if left - before_right > wide or before_left - right > wide:
                gap = True
            before_left, before_right = left, right
            x0, y0 = left if left < x0 else x0, top if top > y0 else y0
            x1, y1 = right if right > x1 else x1, bottom if bottom < y1 else y1
        return ((x0, y0, x1, y1) if objects else (0.0, 0.0, 0.0, 0.0)), rects, gap

    def _far_apart(self, rects: list[Rect], style: Style, wide: float) -> bool:
        low, high = (3, 1) if (style.angle - self._frame.rotation) % 180 else (0, 2)
        return any(b[low] - a[high] > wide or a[low] - b[high] > wide for a, b in pairwise(rects))

    def _word_rect(self, first: int, last: int) -> Rect:
        rects = []
        for index in (first, last):
            _char_box(self._handle, index, _D, _D2, _D3, _D1)  # it gives left, right, bottom, top
            rects.append(_four(DOUBLES))
        return _union(rects)

    def _line(self, piece: str, begin: int, end: int, rect: Rect, style: Style, runs: tuple[Run, ...]) -> Line:
        size, font, weight, color, angle = style
        if self._upright:
            left, top, right, bottom = rect
            x, y = self._left, self._top
            box = _new_tuple(Box, (left - x, y - top, right - x, y - bottom))  # thrice as fast as calling Box
        else:
            box = self._frame.box(*rect)
        if size < 2.0 and angle == 0 and box.height > 3.0:
            size = round(box.height * 1.2, 1)  # a Type 3 font in glyph units says nothing of its size
        return new_line(self._number, begin, end, piece, box, size, font, weight, color, runs, angle)

    def _cuts(self, piece: str, index: int, style: Style) -> list[int]:
        """Where a line falls into cells: offsets of the words that begin one."""
        if (" " not in piece and "\t" not in piece) or (0.0 < style.size < 2.0):
            return []
        wide = CELL_GAP * (style.size or 10.0)
        words = [word.span() for word in _WORD.finditer(piece)]
        upright = (style.angle - self._frame.rotation) % 180 == 0
        cuts: list[int] = []
        before_low, before_high = -1e9, 1e9
        for begin, stop in words:
            low, high = self._extent(index + begin, index + stop - 1, upright)
            if low - before_high > wide or before_low - high > wide:
                cuts.append(begin)
            before_low, before_high = low, high
        return _cells_only(piece, cuts)

    def _extent(self, first: int, last: int, upright: bool) -> tuple[float, float]:
        """Where a word begins and ends along its line."""
        _char_box(self._handle, first, _D, _D1, _D2, _D3)  # left, right, bottom, top
        left, right, bottom, top = _four(DOUBLES)
        low, high = (left, right) if upright else (bottom, top)
        if last > first:
            _char_box(self._handle, last, _D, _D1, _D2, _D3)
            left, right, bottom, top = _four(DOUBLES)
            a, b = (left, right) if upright else (bottom, top)
            low, high = (low if low < a else a), (high if high > b else b)
        return low, high


def _find_solid(text: str, solid: str) -> int:
    """Where a string without blanks begins in a text whose blanks do not count; -1 where it does not occur."""
    at = "".join(text.split()).find(solid)
    if at >= 0:
        for word in _WORD.finditer(text):
            length = word.end() - word.start()
            if at < length:
                return word.start() + at
            at -= length
    return -1


def _goes_on(line: Line, following: Line) -> bool:
    """Whether a line of about the same size stands behind another on its row, no further than words of one line may."""
    a, b = line.box, following.box
    near = 0.0 <= b.x0 - a.x1 < CELL_GAP * line.size and b.y0 > a.y0 - 1.0 and abs(a.y1 - b.y1) < 0.25 * line.size
    alike = not line.angle and not following.angle and abs(line.size - following.size) < 0.1 * line.size
    return near and alike and not _LABEL.fullmatch(line.text)


def _union(rects: list[Rect]) -> Rect:
    if len(rects) == 1:
        return rects[0]
    if not rects:
        return (0.0, 0.0, 0.0, 0.0)
    left, top, right, bottom = zip(*rects, strict=True)
    return min(left), max(top), max(right), min(bottom)


def _cells_only(piece: str, cuts: list[int]) -> list[int]:
    """Cuts without those behind a heading number or bullet, and before the page number of a contents line."""
    if cuts and _LABEL.fullmatch(piece[: cuts[0]].strip()) and piece[cuts[0]].isalpha():
        cuts = cuts[1:]
    if len(cuts) == 1 and _FOLIO.fullmatch(piece[cuts[0] :]) and any(char.isalpha() for char in piece[: cuts[0]]):
        return []
    return cuts
