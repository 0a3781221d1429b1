"""A PDF opened as far as it can be: a lost index is made anew, and the pages that a file states are counted."""

from __future__ import annotations

import ctypes

from pageindex.errors import DamagedFileError, PasswordError
from pageindex.reading.pdf.api import Document, api, is_ended
from pageindex.reading.pdf.salvage import Salvage, from_header, page_marks, salvage

__all__ = ["open_document"]

TOLERATED = 1024  #: Bytes before a header that every reader passes over.


def open_document(data: bytes, name: str, password: str | None = None) -> Document:
    """Open a PDF; its ``repair`` says what had to be done. The same bytes always open in the same way.

    Raises:
        PasswordError: See ``Document``.
        DamagedFileError: Neither PDFium nor a search for its objects finds a page.
    """
    before = len(data)
    data = from_header(data)
    document = _opened(data, name, password)
    if not document.repair and before - len(data) > TOLERATED:
        document.repair = (
            f"The file begins with {before - len(data):,} bytes that are none of it; they were passed over."
        )
    return document


def _opened(data: bytes, name: str, password: str | None) -> Document:
    try:
        document = Document(data, name, password)
    except PasswordError:
        raise
    except DamagedFileError as error:
        if error.code == "UNSUPPORTED_ENCRYPTION":
            raise
        found = salvage(data)
        if found is None:
            raise
        try:
            document = Document(found.data, name, password)
        except DamagedFileError:
            raise error from None
        document.repair = _lost(found)
        document.cut_off = not is_ended(data)
        return document
    return _counted(document, data, password)


def _lost(found: Salvage) -> str:
    text = "The index of the file was missing or broken; its objects were searched for"
    if found.by_search:
        return f"{text}. The list of its pages was lost too: they are in the order in which they stand in the file."
    return f"{text}."


def _counted(document: Document, data: bytes, password: str | None) -> Document:
    """The document, opened anew with a true page count when the one it states is wrong."""
    stated = document.page_count
    phantoms = not _exists(document, stated - 1)
    if page_marks(data) <= stated and not phantoms:
        return document
    found = salvage(data)
    if found is None or found.by_search or found.pages == stated or (found.pages < stated and not phantoms):
        return document
    try:
        repaired = Document(found.data, document.name, password)
    except (DamagedFileError, PasswordError):
        return document
    document.close()
    repaired.repair = f"The file states that it has {stated:,} pages; {repaired.page_count:,} were counted."
    return repaired


def _exists(document: Document, index: int) -> bool:
    """Whether there is a page of this number (0-based)."""
    size = (ctypes.c_float * 2)()
    return bool(api.FPDF_GetPageSizeByIndexF(document.handle, index, ctypes.addressof(size)))
