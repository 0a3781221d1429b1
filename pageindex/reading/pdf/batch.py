"""Getters of PDFium, each called for many characters of a page in one go, at the least that ctypes costs.

A call costs more than PDFium's answer. Here ``map`` makes the calls, and all answers go into buffers whose addresses were made ready at
import: arguments that ctypes has prepared before (``byref``, ``from_param``) instead of ``c_void_p`` objects take a third off a call
with four of them (measured: 430 to 280 ns). Whoever calls any of these functions holds ``pdfium_api.LOCK``, which guards the buffers too.
"""

from __future__ import annotations

import ctypes
import struct
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from ctypes import byref
from itertools import repeat
from math import hypot

from pageindex.reading.pdf.api import Handle, api, handle

__all__ = [
    "MANY_OBJECTS",
    "Face",
    "Look",
    "Rect",
    "char_boxes",
    "char_indices",
    "char_origins",
    "char_spans",
    "enlargement",
    "faces",
    "line_rects",
    "looks",
    "per_character",
    "scales",
    "text_objects",
]

Rect = tuple[float, float, float, float]  #: Left, top, right, bottom in page coordinates.
Face = tuple[int | None, float]  #: Handle of the font, and size: the nominal one, or as displayed where that is 1.
Look = tuple[Face, tuple[bytes]]  #: Face, and the bytes of matrix and colour.

#: From so many text objects on, a line may be drawn character by character.
MANY_OBJECTS = 12

#: Answers that the buffers hold.
CAPACITY = 1024

_RECTS = (ctypes.c_double * (4 * CAPACITY))()
_LEFT, _TOP, _RIGHT, _BOTTOM = ([byref(_RECTS, 32 * i + 8 * k) for i in range(CAPACITY)] for k in range(4))
_CORNERS = list(zip(_LEFT, _TOP, _RIGHT, _BOTTOM, strict=True))

#: How a text object looks, in one piece of memory that serves as a key: its matrix (six floats), over whose last two, the place, the
#: colour is then written (four numbers).
_LOOKS = ctypes.create_string_buffer(32 * CAPACITY)
_MATRIX = [byref(_LOOKS, 32 * i) for i in range(CAPACITY)]
_RED, _GREEN, _BLUE, _ALPHA = ([byref(_LOOKS, 32 * i + 16 + 4 * k) for i in range(CAPACITY)] for k in range(4))

_rect_count, _rect, _char_box = api.FPDFText_CountRects, api.FPDFText_GetRect, api.FPDFText_GetCharBox
_origin, _loose_box = api.FPDFText_GetCharOrigin, api.FPDFText_GetLooseCharBox
_LOOSE_BOX = (ctypes.c_float * 4)()
_LOOSE = byref(_LOOSE_BOX)
_char_index = api.FPDFText_GetCharIndexFromTextIndex
_text_object, _font_of = api.FPDFText_GetTextObject, api.FPDFTextObj_GetFont
_font_size, _matrix, _fill_color = api.FPDFText_GetFontSize, api.FPDFText_GetMatrix, api.FPDFText_GetFillColor

_unpack_rects, _unpack_looks = struct.Struct("4d").iter_unpack, struct.Struct("32s").iter_unpack
_unpack_scales = struct.Struct("8x2f16x").iter_unpack  # the third and fourth number of a matrix

_exhaust = deque[object](maxlen=0).extend  # makes all calls of a map and keeps no result


def char_indices(page: Handle, places: Iterable[int]) -> list[int]:
    """Numbers of the characters at some places of the raw text, which leaves out those that mean nothing."""
    return list(map(_char_index, repeat(page), places))


def text_objects(page: Handle, indices: Iterable[int]) -> list[int | None]:
    """The text object that holds each character; None for a character that PDFium made up."""
    return list(map(_text_object, repeat(page), indices))


def faces(page: Handle, indices: Sequence[int], objects: Sequence[int | None]) -> list[Face]:
    """Font and nominal size of characters, given the text object of each."""
    return list(zip(map(_font_of, map(handle, objects)), map(_font_size, repeat(page), indices), strict=True))


def looks(page: Handle, indices: Sequence[int], known: Sequence[Face]) -> list[Look]:
    """All that tells the styles of characters apart, given the face of each; meaningless for a character that PDFium made up."""
    found: list[Look] = []
    for first in range(0, len(indices), CAPACITY):
        part = indices[first : first + CAPACITY]
        _exhaust(map(_matrix, repeat(page), part, _MATRIX))
        _exhaust(map(_fill_color, repeat(page), part, _RED, _GREEN, _BLUE, _ALPHA))
        pictures = _unpack_looks(ctypes.string_at(_LOOKS, 32 * len(part)))
        found += zip(known[first : first + CAPACITY], pictures, strict=True)
    return found


def scales(page: Handle, indices: Sequence[int]) -> list[float]:
    """How much the matrix of each character enlarges its nominal size."""
    found: list[float] = []
    for first in range(0, len(indices), CAPACITY):
        part = indices[first : first + CAPACITY]
        _exhaust(map(_matrix, repeat(page), part, _MATRIX))
        numbers = _unpack_scales(ctypes.string_at(_LOOKS, 32 * len(part)))
        found += [enlargement(c, d) for c, d in numbers]
    return found


def enlargement(c: float, d: float) -> float:
    """How much a matrix enlarges the height of text, given its third and fourth number."""
    return abs(d) if c == 0.0 else hypot(c, d)


def char_boxes(page: Handle, indices: Sequence[int]) -> list[Rect]:
    """The box of the ink of each character."""
    boxes: list[Rect] = []
    for first in range(0, len(indices), CAPACITY):
        part = indices[first : first + CAPACITY]
        _exhaust(map(_char_box, repeat(page), part, _LEFT, _RIGHT, _BOTTOM, _TOP))
        boxes += _rects(len(part))
    return boxes


def char_origins(page: Handle, indices: Sequence[int]) -> list[tuple[float, float]]:
    """Where the pen stands as each of a few characters is drawn, in page coordinates."""
    found = []
    for index in indices:
        _origin(page, index, _LEFT[0], _TOP[0])
        found.append((_RECTS[0], _RECTS[1]))
    return found


def char_spans(page: Handle, indices: Sequence[int]) -> list[Rect]:
    """The box of each of a few characters as its font has it: as wide as its advance, from ascent to descent."""
    found = []
    for index in indices:
        _loose_box(page, index, _LOOSE)
        found.append((_LOOSE_BOX[0], _LOOSE_BOX[1], _LOOSE_BOX[2], _LOOSE_BOX[3]))
    return found


def line_rects(page: Handle, indices: Sequence[int], texts: Sequence[str]) -> tuple[list[int], Iterator[Rect]]:
    """How many text objects each line has, and the rectangles of all of them, line by line.

    Lines drawn ``per_character`` have no rectangles: their words tell as much.

    Args:
        indices: Number of each line's first character.
        texts: The characters of each line.
    """
    counts: list[int] = []
    rects: list[Rect] = []
    used = 0  # rectangles in the buffer
    corners, count_of, rect_of = _CORNERS, _rect_count, _rect
    for index, text in zip(indices, texts, strict=True):
        objects = count_of(page, index, len(text))
        counts.append(objects)
        if used + objects > CAPACITY:
            rects += _rects(used)
            used = 0
        if objects == 1:
            rect_of(page, 0, *corners[used])
            used += 1
        elif objects <= MANY_OBJECTS or not per_character(objects, text):
            for number in range(objects):
                rect_of(page, number, *corners[used])
                used += 1
    return counts, iter(rects + _rects(used))


def per_character(objects: int, text: str) -> bool:
    """Whether a line has so many text objects that each must be a single character."""
    return objects > MANY_OBJECTS and (objects > 3 * (1 + text.count(" ")) or objects > CAPACITY)


def _rects(count: int) -> list[Rect]:
    return list(_unpack_rects(ctypes.string_at(_RECTS, 32 * count)))
