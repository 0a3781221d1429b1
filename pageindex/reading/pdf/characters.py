"""Single characters with their boxes, and pictures of pages: on demand, never on the main path."""

from __future__ import annotations

import ctypes
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from math import hypot
from pathlib import Path

from pageindex.document.offsets import byte_size
from pageindex.errors import DamagedFileError, PageRangeError, SettingsError
from pageindex.limits import DEFAULT_LIMITS
from pageindex.reading.pdf.annotations import shown_page
from pageindex.reading.pdf.api import FLOATS, LOCK, Document, api, handle
from pageindex.reading.pdf.batch import char_origins, char_spans
from pageindex.reading.pdf.character import Character
from pageindex.reading.pdf.fonts import FontTable, Frame, page_frame
from pageindex.reading.pdf.lines import PageText, text_read
from pageindex.reading.pdf.repair import open_document

__all__ = ["Character", "characters", "characters_of", "image_of", "render"]

MOST_PIXELS = 100_000_000  #: Of a rendered page.

_BGR, _BGRX = 2, 3  # FPDFBitmap_*
_ANNOTATIONS = 1  # FPDF_ANNOT


def characters(path: Path, page: int, password: str | None = None) -> tuple[Character, ...]:
    """The printed characters of a page (1-based), in the order of the anchor; blanks and line breaks are left out.

    Raises:
        PageRangeError: No such page.
        DamagedFileError, PasswordError: The file cannot be opened, or the page not loaded.
    """
    with LOCK, open_document(path.read_bytes(), path.name, password) as document:
        return characters_of(document, page)


def characters_of(document: Document, page: int) -> tuple[Character, ...]:
    """The same of a document that is open; the caller holds ``LOCK``."""
    _check_number(document, page)
    limit = DEFAULT_LIMITS.page_chars
    with (
        shown_page(document, page - 1) as shown,
        text_read(shown.page, page, FontTable(), limit, marks=shown.marks) as found,
    ):
        if not found:
            raise _not_loaded(document, page)
        return tuple(_characters(*found))


def _check_number(document: Document, page: int) -> None:
    if not 1 <= page <= document.page_count:
        text = f"{document.name} has no page {page}; it has pages 1-{document.page_count}."
        raise PageRangeError(text, "Ask for one of these.", pages=document.page_count)


@contextmanager
def _page(document: Document, page: int) -> Iterator[int]:
    _check_number(document, page)
    with document.page(page - 1) as handle:
        if not handle:
            raise _not_loaded(document, page)
        yield handle


def _not_loaded(document: Document, page: int) -> DamagedFileError:
    return DamagedFileError(f"Page {page} of {document.name} cannot be loaded.")


def _characters(text_page: int, frame: Frame, page: PageText) -> Iterator[Character]:
    for line, spots in zip(page.lines, page.spots, strict=True):
        before: tuple[float, float] | None = None
        numbers = {at + k: index + k for at, index, length in spots if index >= 0 for k in range(length)}
        start = line.start
        for at, char in enumerate(line.text):
            end = start + byte_size(char)
            if (
                not char.isspace() and at in numbers
            ):  # a blank between two pieces of a line, or a value without appearance, has none
                found = _character(text_page, numbers[at], frame, char, (start, end), before)
                yield found
                before = (found.baseline, found.size)
            start = end


def _character(
    text_page: int, index: int, frame: Frame, char: str, span: tuple[int, int], before: tuple[float, float] | None
) -> Character:
    page = handle(text_page)
    ((left, top, right, bottom),) = char_spans(page, [index])
    box = frame.box(left, top, right, bottom)
    size = api.FPDFText_GetFontSize(page, index)
    if api.FPDFText_GetMatrix(page, index, ctypes.byref(FLOATS)):
        size *= hypot(FLOATS[2], FLOATS[3])
    ((x, y),) = char_origins(page, [index])
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
    with LOCK, open_document(path.read_bytes(), path.name, password) as document:
        return image_of(document, page, scale)


def image_of(document: Document, page: int, scale: float) -> bytes:
    """The same of a document that is open; the caller holds ``LOCK``."""
    with _page(document, page) as handle:
        width, height = (max(round(side * scale), 1) for side in page_frame(handle).size)
        if width * height > MOST_PIXELS:
            raise SettingsError(
                f"Page {page} at scale {scale:g} has {width} x {height} pixels.", "Give a smaller scale."
            )
        stride = 4 * width
        pixels = ctypes.create_string_buffer(stride * height)
        bitmap = api.FPDFBitmap_CreateEx(width, height, _BGRX, pixels, stride)
        if not bitmap:
            raise DamagedFileError(f"Page {page} of {document.name} cannot be drawn.")
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
