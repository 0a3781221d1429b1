"""What the text objects of a page are set in. A text object has one font, size and colour: one probe of any of its characters tells.

Asking is cheap for one object and dear for many, so the objects of a line are met at the characters that their rectangles suggest,
and a border between two is looked for only where their styles differ.
"""

from __future__ import annotations

import ctypes
import re
import struct
from collections.abc import Iterator
from ctypes import c_void_p
from math import atan2, degrees, hypot

from pageindex.document import Run
from pageindex.document.edition import new_run
from pageindex.reading.pdfium_api import api
from pageindex.reading.pdfium_fonts import FontTable, Frame, Style

__all__ = ["MANY_OBJECTS", "Key", "Rect", "StyleReader"]

#: From so many text objects on, a line may be drawn character by character.
MANY_OBJECTS = 12

#: Characters beside the suggested one that are tried to meet an object.
MOST_STEPS = 6

Rect = tuple[float, float, float, float]  #: Left, top, right, bottom in page coordinates.
Key = tuple[int, float]  #: Handle of the font and nominal size.

_WORD = re.compile(r"\S+")

#: How a text object looks, in one piece of memory that serves as a key: its matrix (six floats), over whose last two, the place, the
#: colour is then written (four numbers).
_LOOK = ctypes.create_string_buffer(32)
_LOOK_FIELDS = struct.Struct("4f4I")
_S = c_void_p(ctypes.addressof(_LOOK))
_R, _G, _B, _A = (c_void_p(ctypes.addressof(_LOOK) + 16 + 4 * i) for i in range(4))

_text_object, _font_of = api.FPDFText_GetTextObject, api.FPDFTextObj_GetFont
_font_size, _matrix, _fill_color = api.FPDFText_GetFontSize, api.FPDFText_GetMatrix, api.FPDFText_GetFillColor

_INVISIBLE = 3  # text render mode that fills and strokes nothing

_Local = dict[Key, Style]  # of one line
_Hit = tuple[int, int]  # offset in a line, and the text object there


class StyleReader:
    """Styles on one page."""

    def __init__(self, text_page: int, frame: Frame, fonts: FontTable) -> None:
        self._handle, self._frame, self._fonts = c_void_p(text_page), frame, fonts
        self._known: dict[tuple[int, float, bytes], Style] = {}

    def probe(self, index: int) -> tuple[Style, Key, int | None]:
        """The style of the text object that holds a character, its font and nominal size, and the object."""
        handle, item = self._handle, _text_object(self._handle, index)
        if item is None:  # a character that PDFium made up; the next one is printed
            index += 1
            item = _text_object(handle, index)
        _matrix(handle, index, _S)
        _fill_color(handle, index, _R, _G, _B, _A)
        key = (_font_of(c_void_p(item)), _font_size(handle, index), _LOOK.raw)
        return self._known.get(key) or self._new_style(item, key), key[:2], item

    def runs(
        self, piece: str, index: int, objects: int, rects: list[Rect], first: tuple[Style, Key, int | None]
    ) -> tuple[Style, tuple[Run, ...]]:
        """The dominant style of a line of so many text objects and, where there is more than one, the stretches of each.

        Args:
            piece: The line's text, and ``index`` the number of its first character.
            rects: Of the objects, where they were measured.
            first: What ``probe`` told of the first object.
        """
        style, key, item = first
        if objects <= 1:
            return style, ()
        local, few = {key: style}, objects == 2 or 2 < len(rects) <= MANY_OBJECTS
        if few and (hits := self._hits(piece, index, item, rects)):
            starts, styles = self._between(index, hits, rects, style, local)
        else:
            starts, styles = [0], [style]
            for at, style in self._word_borders(piece, index, objects, local):
                if style is not styles[-1] and style != styles[-1]:
                    starts.append(at)
                    styles.append(style)
        if len(styles) == 1:
            return styles[0], ()
        runs = tuple([new_run(at, s[0], s[1], s[2], s[3]) for at, s in zip(starts, styles, strict=True)])
        return _dominant(len(piece), starts, styles), runs

    def _hits(self, piece: str, index: int, before: int | None, rects: list[Rect]) -> list[_Hit]:
        """One character of each text object, met where the middle of its rectangle suggests; empty where one is not met."""
        handle, last = self._handle, len(piece) - 1
        end = _text_object(handle, index + last)
        if before is None or end is None or before == end:
            return []
        hits = [(0, before)]
        if len(rects) > 2:
            left, right = rects[0][0], rects[-1][2]
            per_point = len(piece) / (right - left) if right > left else 0.0
            low = 0
            for rect in rects[1:-1]:
                at = min(max(int(((rect[0] + rect[2]) / 2 - left) * per_point), low + 1), last)
                item = _text_object(handle, index + at)
                step, steps = (-1 if item == end else 1), MOST_STEPS
                while item in (before, end, None) or piece[at] == " ":
                    at += step
                    steps -= 1
                    if steps == 0 or not low < at < last:
                        return []
                    item = _text_object(handle, index + at)
                hits.append((at, item))
                low, before = at, item
        hits.append((last, end))
        return hits

    def _between(
        self, index: int, hits: list[_Hit], rects: list[Rect], first: Style, local: _Local
    ) -> tuple[list[int], list[Style]]:
        """Where each style begins. Only where two neighbours differ, the border between them is looked for."""
        handle, starts, styles = self._handle, [0], [first]
        low, current, before = 0, hits[0][1], first
        left, right = (rects[0][0], rects[-1][2]) if rects else (0.0, 0.0)
        per_point = hits[-1][0] / (right - left) if right > left else 0.0
        for number, (at, following) in enumerate(hits[1:], start=1):
            key = (_font_of(c_void_p(following)), _font_size(handle, index + at))
            style = local.get(key)
            if style is None:
                style = local[key] = self.probe(index + at)[0]
            if style is not before and style != before:
                guess = int((rects[number][0] - left) * per_point) if rects else 0
                starts.append(self._border(index, low, at, current, guess))
                styles.append(style)
            low, current, before = at, following, style
        return starts, styles

    def _border(self, index: int, low: int, high: int, current: int, guess: int) -> int:
        """The first character beyond a text object that holds ``low`` and not ``high``: looked for around a guess, ever further away,
        and by halving beyond it."""
        handle, stride = self._handle, 2
        while high - low > 1:
            middle = guess if low < guess < high else (low + high) // 2
            item = _text_object(handle, index + middle)
            if item == current or item is None:  # a space that PDFium made up belongs to no object
                low, guess = middle, middle + stride
            else:
                high, guess = middle, middle - stride
            stride *= 3
        return high

    def _word_borders(self, piece: str, index: int, objects: int, local: _Local) -> Iterator[tuple[int, Style]]:
        """The style at each word's start and, unless each character is an object, at every character of a word of two styles."""
        handle = self._handle
        spans = [word.span() for word in _WORD.finditer(piece)]
        look_inside = objects <= 3 * len(spans)
        before: int | None = -1
        style: Style | None = None
        for begin, stop in spans:
            item = _text_object(handle, index + begin)
            if item is not None and item != before:
                style = self._nearby(index + begin, item, local)
                yield begin, style
                before = item
            if not look_inside or stop - begin == 1:
                continue
            item = _text_object(handle, index + stop - 1)
            if item is None or item == before:
                continue
            before, last = item, self._nearby(index + stop - 1, item, local)
            if last is not style and last != style:
                for at in range(begin + 1, stop):
                    item = _text_object(handle, index + at)
                    if item is not None:
                        style = self._nearby(index + at, item, local)
                        yield at, style

    def _nearby(self, index: int, item: int, local: _Local) -> Style:
        """The style of a text object, taken from another object of its line where font and nominal size are the same."""
        key = (_font_of(c_void_p(item)), _font_size(self._handle, index))
        style = local.get(key)
        if style is None:
            style = local[key] = self.probe(index)[0]
        return style

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


def _dominant(length: int, starts: list[int], styles: list[Style]) -> Style:
    """The style of most characters; the first of those that are equal."""
    if len(styles) == 2:
        return styles[0] if 2 * starts[1] >= length else styles[1]
    weights: dict[Style, int] = {}
    for style, begin, stop in zip(styles, starts, [*starts[1:], length], strict=True):
        weights[style] = weights.get(style, 0) + stop - begin
    return max(weights, key=weights.__getitem__)
