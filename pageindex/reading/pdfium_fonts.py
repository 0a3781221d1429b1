"""What lines are made of besides characters: the page's frame, styles, and the faces of a document."""

from __future__ import annotations

import ctypes
from typing import NamedTuple

from pageindex.document import Box, Font
from pageindex.reading.pdfium_api import FLOATS, api

__all__ = ["FontTable", "Frame", "Style", "page_frame"]

_FIXED, _SERIF, _ITALIC, _FORCE_BOLD = 1, 2, 64, 1 << 18  # font descriptor flags, ISO 32000-1 table 123


#: How foundries and TeX spell a bold face; the descriptor's flag is set in few files.
_BOLD_MARKS = ("bold", "black", "heavy", "cmbx", "-bd", "medi")


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
    """The frame of a loaded page."""
    api.FPDF_GetPageBoundingBox(page, ctypes.addressof(FLOATS))
    left, top, right, bottom = FLOATS[:4]
    return Frame(left, bottom, right, top, api.FPDFPage_GetRotation(page) * 90 % 360)


class FontTable:
    """The faces met so far, each once."""

    def __init__(self) -> None:
        self.fonts: list[Font] = []
        self._index: dict[Font, int] = {}
        self._faces: dict[int, tuple[int, int]] = {}  # of the current page, by handle
        self._described: dict[tuple[bytes, int, int], tuple[int, int]] = {}
        self.invisible: set[tuple[int, float]] = set()  # (font, size) met in render mode 3 on the current page
        self._name = ctypes.create_string_buffer(256)

    @property
    def unknown(self) -> int:
        """Index of a face without a name, for text of which nothing more is known."""
        return self._add(Font(""))

    def new_page(self) -> None:
        """Forget handles: they live as long as their page."""
        self._faces.clear()
        self.invisible.clear()

    def face(self, handle: int) -> tuple[int, int]:
        """Index and weight of the face behind a font handle of the current page."""
        face = self._faces.get(handle)
        if face is None:
            face = self._faces[handle] = self._look_up(handle)
        return face

    def _look_up(self, handle: int) -> tuple[int, int]:
        size = api.FPDFFont_GetBaseFontName(handle, self._name, 256)
        key = (
            self._name.raw[: max(min(size, 256) - 1, 0)],
            api.FPDFFont_GetFlags(handle),
            api.FPDFFont_GetWeight(handle),
        )
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
