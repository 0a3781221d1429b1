"""PDF → Edition by way of PDFium: pages, lines, bookmarks."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field

from pageindex.document import Edition, Extractor, Flag, Line, Note, Page, PageState, Source
from pageindex.errors import LimitError
from pageindex.limits import DEFAULT_LIMITS, Limits
from pageindex.progress import Progress, ProgressCallback, silent
from pageindex.reading import bookmarks as outline
from pageindex.reading.pdfium_api import FLOATS, LOCK, VERSION, Document, api, wide_string
from pageindex.reading.pdfium_lines import FontTable, Frame, read_page
from pageindex.reading.states import text_state

__all__ = ["EXTRACTOR", "read"]

EXTRACTOR = Extractor("pdfium", VERSION)

PROGRESS_STEP = 16  #: Pages between two progress messages.

_INFO = {"title": b"Title", "author": b"Author", "subject": b"Subject", "producer": b"Producer", "creator": b"Creator"}


@dataclass
class _Reading:
    """What has been read of a document so far."""

    pages: list[Page] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    fonts: FontTable = field(default_factory=FontTable)
    frames: list[Frame | None] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)


def read(
    data: bytes,
    source: Source,
    limits: Limits = DEFAULT_LIMITS,
    *,
    password: str | None = None,
    progress: ProgressCallback = silent,
) -> Edition:
    """Read a PDF.

    Raises:
        DamagedFileError, PasswordError: It cannot be opened; see ``pdfium_api.Document``.
        LimitError: It has more pages than ``limits.pages``.
    """
    with LOCK, Document(data, source.name, password) as document:
        if document.page_count > limits.pages:
            raise LimitError(f"{source.name} has {document.page_count} pages; the limit is {limits.pages}.")
        reading = _Reading()
        for index in range(document.page_count):
            if index % PROGRESS_STEP == 0:
                progress(Progress(source.name, "reading", index, document.page_count))
            _read_page(document, index, reading, limits)
        found = outline.read_outline(document.handle, document.page_count, limits)
        progress(Progress(source.name, "reading", document.page_count, document.page_count))
        return Edition(
            source=source,
            extractor=EXTRACTOR,
            pages=tuple(reading.pages),
            lines=tuple(reading.lines),
            fonts=tuple(reading.fonts.fonts),
            bookmarks=found.bookmarks(reading.frames),
            info=_info(document.handle),
            notes=(*reading.notes, *found.notes),
        )


def _read_page(document: Document, index: int, reading: _Reading, limits: Limits) -> None:
    number = index + 1
    with document.page(index) as handle:
        text_page = api.FPDFText_LoadPage(handle) if handle else None
        if not text_page:
            problem = "The page cannot be loaded: its object is missing or broken."
            reading.pages.append(Page(number, "", PageState.FAILED, problem=problem))
            reading.frames.append(None)
            return
        try:
            frame = _frame(handle)
            found = read_page(text_page, number, frame, reading.fonts, limits.page_chars)
            state, flags = _state(handle, found.text)
        finally:
            api.FPDFText_ClosePage(text_page)
    width, height = frame.size
    page = Page(number, found.text, state, None, None, round(width, 2), round(height, 2), frame.rotation, flags)
    reading.pages.append(page)
    reading.frames.append(frame)
    reading.lines.extend(found.lines)


def _frame(page: int) -> Frame:
    api.FPDF_GetPageBoundingBox(page, ctypes.addressof(FLOATS))
    left, top, right, bottom = FLOATS[:4]
    return Frame(left, bottom, right, top, api.FPDFPage_GetRotation(page) * 90 % 360)


def _state(page: int, text: str) -> tuple[PageState, tuple[Flag, ...]]:
    if text.strip():
        return text_state(text)
    if api.FPDFPage_CountObjects(page) <= 0:
        return PageState.BLANK, ()
    return PageState.IMAGE_ONLY, (Flag("scanned", {"characters": 0}),)


def _info(document: int) -> dict[str, str]:
    info = {}
    for name, key in _INFO.items():
        value = wide_string(api.FPDF_GetMetaText, document, key, limit=1 << 16).strip()
        if value:
            info[name] = value
    language = wide_string(api.FPDFCatalog_GetLanguage, document, limit=256).strip()
    if language:
        info["language"] = language
    return info
