"""What lines are made of besides characters: the page's frame, styles, and the faces of a document."""

from __future__ import annotations

import ctypes
import struct
from math import atan2, degrees, isfinite, isnan
from typing import NamedTuple

from pageindex.document import Box, Font
from pageindex.reading.pdf.api import FLOATS, api, handle
from pageindex.reading.pdf.batch import enlargement

__all__ = ["FontTable", "Frame", "Style", "page_frame"]

_FIXED, _SERIF, _ITALIC, _FORCE_BOLD = 1, 2, 64, 1 << 18  # font descriptor flags, ISO 32000-1 table 123


#: How foundries and TeX spell a bold face; the descriptor's flag is set in few files.
_BOLD_MARKS = ("bold", "black", "heavy", "cmbx", "-bd", "medi")


_NAME_BUFFER = ctypes.create_string_buffer(256)
_NAME, _NAME_ROOM = ctypes.byref(_NAME_BUFFER), ctypes.c_size_t.from_param(len(_NAME_BUFFER))

_base_font_name, _flags, _weight = api.FPDFFont_GetBaseFontName, api.FPDFFont_GetFlags, api.FPDFFont_GetWeight

_PICTURE = struct.Struct("4f4I")


class Style(NamedTuple):
    """What a text object is set in; ``angle`` is clockwise on the displayed page."""

    size: float
    font: int
    weight: int
    color: int
    angle: int


class Frame(NamedTuple):
    """The visible part of a page in its own coordinates, and the rotation under which it is displayed."""

    left: float
    bottom: float
    right: float
    top: float
    rotation: int  # degrees clockwise

    @property
    def size(self) -> tuple[float, float]:
        """Width and height as displayed."""
        width, height = self.right - self.left, self.top - self.bottom
        return (height, width) if self.rotation in (90, 270) else (width, height)

    def box(self, left: float, top: float, right: float, bottom: float) -> Box:
        """A rectangle of page coordinates on the displayed page."""
        if self.rotation == 0:
            return Box(left - self.left, self.top - top, right - self.left, self.top - bottom)
        if self.rotation == 90:
            return Box(bottom - self.bottom, left - self.left, top - self.bottom, right - self.left)
        if self.rotation == 180:
            return Box(self.right - right, bottom - self.bottom, self.right - left, top - self.bottom)
        return Box(self.top - top, self.right - right, self.top - bottom, self.right - left)


def page_frame(page: int) -> Frame:
    """The frame of a loaded page: its crop box, or its media box where the two do not overlap."""
    address = ctypes.addressof(FLOATS)
    api.FPDF_GetPageBoundingBox(page, address)
    left, top, right, bottom = FLOATS[:4]
    if (left >= right or bottom >= top) and api.FPDFPage_GetMediaBox(page, *(address + 4 * i for i in range(4))):
        left, bottom, right, top = FLOATS[:4]
    return Frame(left, bottom, right, top, api.FPDFPage_GetRotation(page) * 90 % 360)


class FontTable:
    """The faces met so far, each once."""

    def __init__(self) -> None:
        self.fonts: list[Font] = []
        self._index: dict[Font, int] = {}
        self._faces: dict[int, tuple[int, int]] = {}  # of the current page, by handle
        self._described: dict[tuple[bytes, int, int], tuple[int, int]] = {}
        self.invisible: set[tuple[int, float]] = set()  # (font, size) met in render mode 3 on the current page
        self._drawn: dict[tuple[int, int, float, bytes, int], Style] = {}
        self._styles: dict[Style, Style] = {}

    @property
    def unknown(self) -> int:
        """Index of a face without a name, for text of which nothing more is known."""
        return self._add(Font(""))

    def new_page(self) -> None:
        """Forget handles: they live as long as their page."""
        self._faces.clear()
        self.invisible.clear()

    def face(self, number: int) -> tuple[int, int]:
        """Index and weight of the face behind a font handle of the current page."""
        face = self._faces.get(number)
        if face is None:
            face = self._faces[number] = self._look_up(number)
        return face

    def style(self, style: Style) -> Style:
        """The one object that stands for all equal styles."""
        return self._styles.setdefault(style, style)

    def drawn(self, number: int, size: float, picture: bytes, rotation: int) -> Style:
        """The style of text drawn in a font at a nominal size.

        Args:
            number: Handle of the font.
            picture: First four numbers of the text matrix (floats), then red, green, blue, alpha (32 bits each).
            rotation: Of the page, in degrees clockwise.
        """
        face, weight = self.face(number)
        key = (face, weight, size, picture, rotation)
        style = self._drawn.get(key)
        if style is None:
            a, b, c, d, red, green, blue, _ = _PICTURE.unpack(picture)
            size *= enlargement(c, d)
            if not isfinite(size):  # of a damaged matrix, as the angle below
                size = 0.0
            upright = (b == 0.0 and a >= 0.0) or isnan(a) or isnan(b)
            angle = rotation if upright else round(rotation - degrees(atan2(b, a))) % 360
            color = red << 16 | green << 8 | blue
            style = self._drawn[key] = self.style(Style(round(abs(size), 2), face, weight, color, angle))
        return style

    def _look_up(self, number: int) -> tuple[int, int]:
        font = handle(number)
        size = min(_base_font_name(font, _NAME, _NAME_ROOM), len(_NAME_BUFFER))
        key = (ctypes.string_at(_NAME_BUFFER, max(size - 1, 0)), _flags(font), _weight(font))
        face = self._described.get(key)
        if face is None:
            face = self._described[key] = self._describe(*key)
        return face

    def _describe(self, base_name: bytes, flags: int, weight: int) -> tuple[int, int]:
        raw = base_name.decode("utf-8", "replace")
        name = raw[7:] if raw[6:7] == "+" and raw[:6].isupper() else raw
        lower = name.lower()
        font = Font(
            name=name,
            bold=bool(flags > 0 and flags & _FORCE_BOLD) or any(mark in lower for mark in _BOLD_MARKS),
            italic=bool(flags > 0 and flags & _ITALIC) or "italic" in lower or "oblique" in lower,
            mono=bool(flags > 0 and flags & _FIXED) or "mono" in lower or "courier" in lower,
            serif=bool(flags > 0 and flags & _SERIF),
        )
        # Standard fonts that are not embedded have no weight of their own.
        return self._add(font), weight if weight > 0 else (700 if font.bold else 400)

    def _add(self, font: Font) -> int:
        index = self._index.setdefault(font, len(self.fonts))
        if index == len(self.fonts):
            self.fonts.append(font)
        return index
