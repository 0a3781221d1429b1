"""One page of PDFium → its anchor text and its printed lines with style, at little more than the cost of the plain text.

The method: the anchor comes from one call for the page's bounded text, the character numbers from one call for its raw text; each
printed line is found in the raw text by a substring search, its box by the rectangles of its text objects. A text object has one
font, size and colour, so one probe gives the style of a line of one rectangle; only lines of several are probed object by object.
"""

from __future__ import annotations

import ctypes
import re
import struct
from collections.abc import Callable, Iterator
from ctypes import c_void_p
from dataclasses import dataclass, field
from itertools import pairwise
from math import atan2, degrees, hypot
from typing import Any

from pageindex.document import Box, Line, Run
from pageindex.document.edition import new_line
from pageindex.reading.pdfium_api import DOUBLES, api
from pageindex.reading.pdfium_fonts import FontTable, Frame, Style
from pageindex.reading.pdfium_text import bounded_text, pieces, raw_text, utf8_length

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

#: Mean advance of a glyph in font sizes; a line wider than this and a gap may hold a gap inside one text object.
GLYPH_WIDTH = 0.62

#: Up to so many text objects in a line, their borders are cheaper to find by halving than by looking at every word.
FEW_OBJECTS = 3

#: From so many text objects on, a line may be drawn character by character.
MANY_OBJECTS = 12

_Rect = tuple[float, float, float, float]

_D, _D1, _D2, _D3 = (c_void_p(ctypes.addressof(DOUBLES) + 8 * i) for i in range(4))

#: How a text object looks, in one piece of memory that serves as a key: its matrix (six floats), over whose last two, the place, the
#: colour is then written (four numbers).
_LOOK = ctypes.create_string_buffer(32)
_LOOK_FIELDS = struct.Struct("4f4I")
_S = c_void_p(ctypes.addressof(_LOOK))
_R, _G, _B, _A = (c_void_p(ctypes.addressof(_LOOK) + 16 + 4 * i) for i in range(4))
_four: Callable[[Any], _Rect] = struct.Struct("4d").unpack_from

_count_rects, _get_rect, _char_box = api.FPDFText_CountRects, api.FPDFText_GetRect, api.FPDFText_GetCharBox
_text_object, _font_of = api.FPDFText_GetTextObject, api.FPDFTextObj_GetFont
_font_size, _matrix, _fill_color = api.FPDFText_GetFontSize, api.FPDFText_GetMatrix, api.FPDFText_GetFillColor

_INVISIBLE = 3  # text render mode that fills and strokes nothing


_new_tuple = tuple.__new__
_Local = dict[tuple[int, float], Style]  # of one line: face and nominal size → style


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
        self._same_index = len(self._raw) == count
        self._known: dict[tuple[int, float, bytes], Style] = {}
        self._squeezed: tuple[str, list[int]] | None = None
        self.chars: list[int] = []  # of each line, the number of its first character

    def read(self) -> list[Line]:
        lines: list[Line] = []
        append, note_char, text = lines.append, self.chars.append, self._text
        find, handle, known = self._raw.find, self._handle, self._known
        same_index, plain = self._same_index, text.isascii()
        cursor = behind = end = 0
        for start, piece in pieces(text):
            length = len(piece)
            begin = start if plain else end + utf8_length(text[behind:start])
            behind = start + length
            end = behind if plain else begin + utf8_length(piece)
            place = find(piece, cursor, cursor + length + WINDOW)
            if place < 0 and (place := self._search(piece, cursor)) < 0:
                append(self._without_place(piece, begin, end, lines))
                note_char(self.chars[-1] if self.chars else 0)
                continue
            cursor = place + length
            index = place if same_index else self._char_index(place)
            objects = _count_rects(handle, index, length)
            # The probe of a style, written out: a call more for every line is a tenth of its cost.
            item = _text_object(handle, index)
            _matrix(handle, index, _S)
            _fill_color(handle, index, _R, _G, _B, _A)
            key = (_font_of(c_void_p(item)), _font_size(handle, index), _LOOK.raw)
            style = known.get(key) or self._new_style(item, key)
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
                    style, runs = self._runs(piece, index, objects, rects, style, key[:2])
                    note_char(index)
                    append(self._line(piece, begin, end, rect, style, runs))
                    continue
            lines.extend(self._cells(piece, begin, index, cuts))
        return lines

    def _search(self, piece: str, cursor: int) -> int:
        place = self._raw.find(piece, cursor)
        if place >= 0:
            return place
        if self._squeezed is None:
            kept = [(char, index) for index, char in enumerate(self._raw) if char > " "]
            self._squeezed = ("".join(char for char, _ in kept), [index for _, index in kept])
        text, index = self._squeezed
        at = text.find("".join(piece.split()))
        return index[at] if at >= 0 else -1

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
            style, key = self._probe(at)
            rect, rects, _ = self._measure(cell, at, objects, style)
            style, runs = self._runs(cell, at, objects, rects, style, key)
            self.chars.append(at)
            start = begin + utf8_length(piece[:first])
            yield self._line(cell, start, start + utf8_length(cell), rect, style, runs)

    def _measure(self, piece: str, index: int, objects: int, style: Style) -> tuple[_Rect, list[_Rect], bool]:
        """The rectangle around the text objects last counted, in page coordinates, their own, and whether two of them stand far apart.

        Where they are so many that each must be a single character, the words are measured instead, and no rectangles are given.
        """
        handle, wide = self._handle, CELL_GAP * (style.size if style.size >= 2.0 else 10.0)
        if objects > MANY_OBJECTS and objects > 3 * (1 + piece.count(" ")):
            words = [self._word_rect(index + w.start(), index + w.end() - 1) for w in _WORD.finditer(piece)]
            return _union(words), [], self._far_apart(words, style, wide)
        rects: list[_Rect] = []
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

    def _far_apart(self, rects: list[_Rect], style: Style, wide: float) -> bool:
        low, high = (3, 1) if (style.angle - self._frame.rotation) % 180 else (0, 2)
        return any(b[low] - a[high] > wide or a[low] - b[high] > wide for a, b in pairwise(rects))

    def _word_rect(self, first: int, last: int) -> _Rect:
        rects = []
        for index in (first, last):
            _char_box(self._handle, index, _D, _D2, _D3, _D1)  # it gives left, right, bottom, top
            rects.append(_four(DOUBLES))
        return _union(rects)

    def _line(self, piece: str, begin: int, end: int, rect: _Rect, style: Style, runs: tuple[Run, ...]) -> Line:
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

    def _runs(
        self, piece: str, index: int, objects: int, rects: list[_Rect], first: Style, key: tuple[int, float]
    ) -> tuple[Style, tuple[Run, ...]]:
        """The dominant style of a line of so many text objects and, where there is more than one, the stretches of each.

        ``key`` is the face and nominal size of the first object, which has the style ``first``.
        """
        local = {key: first}
        if objects <= 1 or (1 < len(rects) <= MANY_OBJECTS and self._all_alike(piece, index, rects, first, local)):
            return first, ()
        starts, styles = [0], [first]
        few = objects <= FEW_OBJECTS
        borders = self._borders(index, len(piece), local) if few else self._word_borders(piece, index, objects, local)
        for at, style in borders:
            if style is not styles[-1] and style != styles[-1]:
                starts.append(at)
                styles.append(style)
        if len(styles) == 1:
            return first, ()
        weights: dict[Style, int] = {}
        for style, begin, stop in zip(styles, starts, [*starts[1:], len(piece)], strict=True):
            weights[style] = weights.get(style, 0) + stop - begin
        dominant = max(weights, key=weights.__getitem__)
        return dominant, tuple([Run(at, s[0], s[1], s[2], s[3]) for at, s in zip(starts, styles, strict=True)])

    def _all_alike(self, piece: str, index: int, rects: list[_Rect], first: Style, local: _Local) -> bool:
        """Whether every text object of a line surely has the style of its first: each is met at the character that its middle
        suggests. Most lines are done with that, and need no borders."""
        handle, last = self._handle, len(piece) - 1
        end = _text_object(handle, index + last)
        if self._style_nearby(index + last, end, local) != first:
            return False
        if len(rects) == 2:
            return True
        seen = {end, _text_object(handle, index)}
        left, right = rects[0][0], rects[-1][2]
        per_point = len(piece) / (right - left) if right > left else 0.0
        for rect in rects[1:-1]:
            at = min(max(int(((rect[0] + rect[2]) / 2 - left) * per_point), 0), last)
            item = _text_object(handle, index + at)
            if item in seen or piece[at] == " " or self._style_nearby(index + at, item, local) != first:
                return False
            seen.add(item)
        return True

    def _borders(self, index: int, length: int, local: _Local) -> Iterator[tuple[int, Style]]:
        """Where a further text object begins, found by halving: an object holds its characters together."""
        handle, low, last = self._handle, 0, length - 1
        current, end = _text_object(handle, index), _text_object(handle, index + last)
        while current != end:
            high = last
            while high - low > 1:
                middle = (low + high) // 2
                found = _text_object(handle, index + middle)
                if found == current or found is None:  # a space that PDFium made up belongs to no object
                    low = middle
                else:
                    high = middle
            low, current = high, _text_object(handle, index + high)
            yield high, self._style_nearby(index + high, current, local)

    def _word_borders(self, piece: str, index: int, objects: int, local: _Local) -> Iterator[tuple[int, Style]]:
        """The style at each word's start and, unless each character is an object, at every character of a word of two styles."""
        handle = self._handle
        spans = [word.span() for word in _WORD.finditer(piece)]
        look_inside = objects <= 3 * len(spans)
        before: int | None = -1
        style: Style | None = None
        for begin, stop in spans:
            item = _text_object(handle, index + begin)
            if item != before:
                style = self._style_nearby(index + begin, item, local)
                yield begin, style
                before = item
            if not look_inside or stop - begin == 1:
                continue
            item = _text_object(handle, index + stop - 1)
            if item == before:
                continue
            before, last = item, self._style_nearby(index + stop - 1, item, local)
            if last is not style and last != style:
                for at in range(begin + 1, stop):
                    item = _text_object(handle, index + at)
                    style = self._style_nearby(index + at, item, local)
                    yield at, style

    def _style_nearby(self, index: int, item: int | None, local: _Local) -> Style:
        """The style of a text object, taken from another object of its line where font and nominal size are the same."""
        key = (_font_of(c_void_p(item)), _font_size(self._handle, index)) if item else (0, 0.0)
        style = local.get(key)
        if style is None:
            style = local[key] = self._probe(index)[0]
        return style

    def _probe(self, index: int) -> tuple[Style, tuple[int, float]]:
        """The style of the text object that holds a character, and its face and nominal size."""
        handle, item = self._handle, _text_object(self._handle, index)
        _matrix(handle, index, _S)
        _fill_color(handle, index, _R, _G, _B, _A)
        key = (_font_of(c_void_p(item)), _font_size(handle, index), _LOOK.raw)
        return self._known.get(key) or self._new_style(item, key), key[:2]

    def _new_style(self, item: int | None, key: tuple[int, float, bytes]) -> Style:
        if not item:
            return Style(0.0, self._fonts.unknown, 400, 0, 0)
        style = self._known[key] = self._style(*key)
        if api.FPDFTextObj_GetTextRenderMode(item) == _INVISIBLE:
            self._fonts.invisible.add((style.font, style.size))
        return style

    def _style(self, font: int, size: float, look: bytes) -> Style:
        index, weight = self._fonts.face(font)
        a, b, c, d, red, green, blue, _ = _LOOK_FIELDS.unpack(look)
        size *= abs(d) if c == 0.0 else hypot(c, d)
        angle = self._frame.rotation
        if b != 0.0 or a < 0.0:
            angle = round(angle - degrees(atan2(b, a))) % 360
        return Style(round(abs(size), 2), index, weight, red << 16 | green << 8 | blue, angle)

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


def _union(rects: list[_Rect]) -> _Rect:
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
