"""Single characters with their boxes, and pictures of pages: on demand, never on the main path."""

from __future__ import annotations

import ctypes
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import hypot
from pathlib import Path

from pageindex.document import Box
from pageindex.document.offsets import byte_size
from pageindex.errors import DamagedFileError, PageRangeError, SettingsError
from pageindex.reading.pdf.api import DOUBLES, FLOATS, LOCK, Document, api, text_of
from pageindex.reading.pdf.fonts import Frame, page_frame
from pageindex.reading.pdf.text import bounded_text

__all__ = ["Character", "characters", "render"]

MOST_PIXELS = 100_000_000  #: Of a rendered page.

_BGR, _BGRX = 2, 3  # FPDFBitmap_*
_ANNOTATIONS = 1  # FPDF_ANNOT


@dataclass(frozen=True, slots=True)
class Character:
    """One printed character of a page.

    Attributes:
        start, end: Its bytes in the page's anchor.
        text: The character.
        box: The font's box of it (ascent to descent) on the displayed page.
        size: Font size in points, as displayed.
        baseline: Height of its origin on the displayed page, from the top, in points.
        raised: How far its origin stands above that of the character before it on the same line, in its own sizes; > 0.1 with a
            smaller size is a superscript.
    """

    start: int
    end: int
    text: str
    box: Box
    size: float
    baseline: float
    raised: float = 0.0


def characters(path: Path, page: int, password: str | None = None) -> tuple[Character, ...]:
    """The printed characters of a page (1-based), in the order of the anchor; blanks and line breaks are left out.

    Raises:
        PageRangeError: No such page.
        DamagedFileError, PasswordError: The file cannot be opened, or the page not loaded.
    """
    with LOCK, _page(path, page, password) as (_, handle), text_of(handle) as text_page:
        if not text_page:
            raise DamagedFileError(f"Page {page} of {path.name} cannot be loaded.")
        return tuple(_characters(text_page, page_frame(handle)))


@contextmanager
def _page(path: Path, page: int, password: str | None) -> Iterator[tuple[Document, int]]:
    with Document(path.read_bytes(), path.name, password) as document:
        if not 1 <= page <= document.page_count:
            text = f"{path.name} has no page {page}; it has pages 1-{document.page_count}."
            raise PageRangeError(text, "Ask for one of these.", pages=document.page_count)
        with document.page(page - 1) as handle:
            if not handle:
                raise DamagedFileError(f"Page {page} of {path.name} cannot be loaded.")
            yield document, handle


def _characters(text_page: int, frame: Frame) -> Iterator[Character]:
    count = api.FPDFText_CountChars(text_page)
    text = bounded_text(text_page, frame, count)
    place = offset = 0
    before: tuple[float, float] | None = None
    for index in range(max(count, 0)):
        code = api.FPDFText_GetUnicode(text_page, index)
        if code <= 0x20 and code != 2:
            before = before if code in (9, 0x20) else None
            continue
        char = _char(text_page, index, code)
        at = text.find(char, place, place + 8) if char else -1
        if at < 0:
            continue  # outside the visible page, so not part of the anchor
        offset += byte_size(text[place:at])
        end = offset + byte_size(char)
        found = _character(text_page, index, frame, char, (offset, end), before)
        yield found
        before = (found.baseline, found.size)
        place, offset = at + 1, end


def _char(text_page: int, index: int, code: int) -> str:
    """The character behind a code; empty for none, and for the second half of one beyond U+FFFF, which PDFium counts as two."""
    if 0xD800 <= code < 0xDC00:
        low = api.FPDFText_GetUnicode(text_page, index + 1)
        return chr(0x10000 + ((code - 0xD800) << 10) + low - 0xDC00) if 0xDC00 <= low < 0xE000 else ""
    return chr(code) if code < 0x110000 and not 0xDC00 <= code < 0xE000 else ""


def _character(
    text_page: int, index: int, frame: Frame, char: str, span: tuple[int, int], before: tuple[float, float] | None
) -> Character:
    address = ctypes.addressof(FLOATS)
    api.FPDFText_GetLooseCharBox(text_page, index, address)
    left, top, right, bottom = FLOATS[:4]
    box = frame.box(left, top, right, bottom)
    handle = ctypes.c_void_p(text_page)
    size = api.FPDFText_GetFontSize(handle, index)
    if api.FPDFText_GetMatrix(handle, index, ctypes.c_void_p(address)):
        size *= hypot(FLOATS[2], FLOATS[3])
    place = ctypes.addressof(DOUBLES)
    api.FPDFText_GetCharOrigin(text_page, index, place, place + 8)
    x, y = DOUBLES[0], DOUBLES[1]
    origin = frame.box(x, y, x, y)
    raised = (before[0] - origin.y0) / size if before and size > 0 and abs(before[0] - origin.y0) < before[1] else 0.0
    return Character(span[0], span[1], char, box, round(abs(size), 2), round(origin.y0, 2), round(raised, 3))


def render(path: Path, page: int, scale: float = 2.0, *, password: str | None = None) -> bytes:
    """A page (1-based) as it is displayed, as a PNG; ``scale`` is in pixels per point.

    Raises:
        PageRangeError: No such page.
        SettingsError: The picture would have more than ``MOST_PIXELS`` pixels.
        DamagedFileError, PasswordError: The file cannot be opened, or the page not loaded.
    """
    with LOCK, _page(path, page, password) as (_, handle):
        width, height = (max(round(side * scale), 1) for side in page_frame(handle).size)
        if width * height > MOST_PIXELS:
            raise SettingsError(
                f"Page {page} at scale {scale:g} has {width} x {height} pixels.", "Give a smaller scale."
            )
        stride = 4 * width
        pixels = ctypes.create_string_buffer(stride * height)
        bitmap = api.FPDFBitmap_CreateEx(width, height, _BGRX, pixels, stride)
        if not bitmap:
            raise DamagedFileError(f"Page {page} of {path.name} cannot be drawn.")
        try:
            api.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF)
            api.FPDF_RenderPageBitmap(bitmap, handle, 0, 0, width, height, 0, _ANNOTATIONS)
        finally:
            api.FPDFBitmap_Destroy(bitmap)
    return _png(pixels.raw, width, height)


def _png(bgrx: bytes, width: int, height: int) -> bytes:
    """An RGB PNG of rows of blue, green, red and a filler byte."""
    rgb = bytearray(3 * width * height)
    rgb[0::3], rgb[1::3], rgb[2::3] = bgrx[2::4], bgrx[1::4], bgrx[0::4]
    rows = b"".join(b"\0" + rgb[i * 3 * width : (i + 1) * 3 * width] for i in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows, 6)), (b"IEND", b""))
    body = b"".join(struct.pack(">I", len(d)) + n + d + struct.pack(">I", zlib.crc32(n + d)) for n, d in chunks)
    return b"\x89PNG\r\n\x1a\n" + body
