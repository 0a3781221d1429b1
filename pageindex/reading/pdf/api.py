"""PDFium's C functions with the cheapest call that ctypes offers, its global lock, and documents that close what they open.

``pypdfium2`` ships and loads the library; its own prototypes build a pointer object per call, which costs more than the call itself.
Here handles are plain integers, results go into buffers allocated once, and the interpreter's lock is kept over the short getters.
PDFium has one global state, even across documents: whoever calls any of these functions holds ``LOCK``.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import c_char_p, c_double, c_float, c_int, c_size_t, c_uint, c_ulong, c_void_p
from typing import Any

import pypdfium2
import pypdfium2.raw as raw

from pageindex.errors import DamagedFileError, PasswordError

__all__ = ["LOCK", "VERSION", "Document", "Handle", "api", "handle", "is_ended", "text_of", "wide_string"]

LOCK = threading.RLock()

#: Of the PDFium build, which decides the text; part of an edition's identity.
VERSION = str(pypdfium2.PDFIUM_INFO)

_HANDLE = c_void_p

Handle = Any  #: A handle as an argument that ctypes has prepared; see ``handle``.

#: Prepares a handle for the functions that have no argument types: once for many calls.
handle = c_void_p.from_param

#: name → (result, arguments). Short getters keep the interpreter's lock ("short"); the others release it.
_SHORT: dict[str, tuple[Any, ...]] = {
    "FPDFText_CountChars": (c_int, _HANDLE),
    "FPDFText_GetText": (c_int, _HANDLE, c_int, c_int, c_void_p),
    "FPDFText_GetUnicode": (c_uint, _HANDLE, c_int),
    "FPDFPage_CountObjects": (c_int, _HANDLE),
    "FPDFPage_GetAnnotCount": (c_int, _HANDLE),
    "FPDFPage_GetRotation": (c_int, _HANDLE),
    "FPDFPage_SetRotation": (None, _HANDLE, c_int),
    "FPDFPage_GetAnnot": (c_void_p, _HANDLE, c_int),
    "FPDFPage_CloseAnnot": (None, _HANDLE),
    "FPDFAnnot_GetSubtype": (c_int, _HANDLE),
    "FPDFAnnot_GetFlags": (c_int, _HANDLE),
    "FPDFAnnot_SetFlags": (c_int, _HANDLE, c_int),
    "FPDFAnnot_GetRect": (c_int, _HANDLE, c_void_p),
    "FPDFAnnot_GetAP": (c_ulong, _HANDLE, c_int, c_void_p, c_ulong),
    "FPDFAnnot_GetStringValue": (c_ulong, _HANDLE, c_char_p, c_void_p, c_ulong),
    "FPDFAnnot_GetFormFieldType": (c_int, _HANDLE, _HANDLE),
    "FPDFAnnot_GetFormFieldFlags": (c_int, _HANDLE, _HANDLE),
    "FPDFAnnot_GetFormFieldValue": (c_ulong, _HANDLE, _HANDLE, c_void_p, c_ulong),
    "FPDFAnnot_GetOptionCount": (c_int, _HANDLE, _HANDLE),
    "FPDFAnnot_GetOptionLabel": (c_ulong, _HANDLE, _HANDLE, c_int, c_void_p, c_ulong),
    "FPDFAnnot_IsOptionSelected": (c_int, _HANDLE, _HANDLE, c_int),
    "FPDFPage_GetMediaBox": (c_int, _HANDLE, c_void_p, c_void_p, c_void_p, c_void_p),
    "FPDFPageObj_GetBounds": (c_int, _HANDLE, c_void_p, c_void_p, c_void_p, c_void_p),
    "FPDFPageObj_GetMatrix": (c_int, _HANDLE, c_void_p),
    "FPDFPath_CountSegments": (c_int, _HANDLE),
    "FPDFPath_GetPathSegment": (c_void_p, _HANDLE, c_int),
    "FPDFPath_GetDrawMode": (c_int, _HANDLE, c_void_p, c_void_p),
    "FPDFPathSegment_GetType": (c_int, _HANDLE),
    "FPDFPathSegment_GetPoint": (c_int, _HANDLE, c_void_p, c_void_p),
    "FPDFFormObj_CountObjects": (c_int, _HANDLE),
    "FPDFFormObj_GetObject": (c_void_p, _HANDLE, c_ulong),
    "FPDF_GetPageBoundingBox": (c_int, _HANDLE, c_void_p),
    "FPDF_GetPageCount": (c_int, _HANDLE),
    "FPDF_GetPageSizeByIndexF": (c_int, _HANDLE, c_int, c_void_p),
    "FPDF_GetLastError": (c_ulong,),
    "FPDF_GetPageLabel": (c_ulong, _HANDLE, c_int, c_void_p, c_ulong),
    "FPDF_GetMetaText": (c_ulong, _HANDLE, c_char_p, c_void_p, c_ulong),
    "FPDFCatalog_IsTagged": (c_int, _HANDLE),
    "FPDFCatalog_GetLanguage": (c_ulong, _HANDLE, c_void_p, c_ulong),
    "FPDFBookmark_GetFirstChild": (c_void_p, _HANDLE, _HANDLE),
    "FPDFBookmark_GetNextSibling": (c_void_p, _HANDLE, _HANDLE),
    "FPDFBookmark_GetTitle": (c_ulong, _HANDLE, c_void_p, c_ulong),
    "FPDFBookmark_GetDest": (c_void_p, _HANDLE, _HANDLE),
    "FPDFBookmark_GetAction": (c_void_p, _HANDLE),
    "FPDFAction_GetType": (c_ulong, _HANDLE),
    "FPDFAction_GetDest": (c_void_p, _HANDLE, _HANDLE),
    "FPDFDest_GetDestPageIndex": (c_int, _HANDLE, _HANDLE),
    "FPDFDest_GetView": (c_ulong, _HANDLE, c_void_p, c_void_p),
    "FPDFLink_Enumerate": (c_int, _HANDLE, c_void_p, c_void_p),
    "FPDFLink_GetDest": (c_void_p, _HANDLE, _HANDLE),
    "FPDFLink_GetAction": (c_void_p, _HANDLE),
    "FPDFLink_GetAnnotRect": (c_int, _HANDLE, c_void_p),
    "FPDF_StructTree_GetForPage": (c_void_p, _HANDLE),
    "FPDF_StructTree_Close": (None, _HANDLE),
    "FPDF_StructTree_CountChildren": (c_int, _HANDLE),
    "FPDF_StructTree_GetChildAtIndex": (c_void_p, _HANDLE, c_int),
    "FPDF_StructElement_GetType": (c_ulong, _HANDLE, c_void_p, c_ulong),
    "FPDF_StructElement_GetActualText": (c_ulong, _HANDLE, c_void_p, c_ulong),
    "FPDF_StructElement_CountChildren": (c_int, _HANDLE),
    "FPDF_StructElement_GetChildAtIndex": (c_void_p, _HANDLE, c_int),
    "FPDF_StructElement_GetChildMarkedContentID": (c_int, _HANDLE, c_int),
}
#: Called for every line or object: no argument types, which saves a third of a call. Handles and addresses must then be prepared with
#: ``handle`` or ``ctypes.byref``, since a plain integer would be cut to 32 bits.
_HOT: dict[str, Any] = {
    "FPDFText_CountRects": c_int,
    "FPDFText_GetRect": c_int,
    "FPDFText_GetCharIndexFromTextIndex": c_int,
    "FPDFText_GetTextObject": c_void_p,
    "FPDFText_GetFontSize": c_double,
    "FPDFText_GetMatrix": c_int,
    "FPDFText_GetFillColor": c_int,
    "FPDFText_GetCharBox": c_int,
    "FPDFText_GetCharOrigin": c_int,
    "FPDFText_GetLooseCharBox": c_int,
    "FPDFTextObj_GetFont": c_void_p,
    "FPDFTextObj_GetTextRenderMode": c_int,
    "FPDFFont_GetBaseFontName": c_size_t,
    "FPDFFont_GetFlags": c_int,
    "FPDFFont_GetWeight": c_int,
    "FPDFPage_GetObject": c_void_p,
    "FPDFPageObj_GetType": c_int,
    "FPDFPageObj_GetMarkedContentID": c_int,
}
_LONG: dict[str, tuple[Any, ...]] = {
    "FPDF_LoadMemDocument64": (c_void_p, c_void_p, c_size_t, c_char_p),
    "FPDF_CloseDocument": (None, _HANDLE),
    "FPDF_LoadPage": (c_void_p, _HANDLE, c_int),
    "FPDF_ClosePage": (None, _HANDLE),
    "FPDFText_LoadPage": (c_void_p, _HANDLE),
    "FPDFText_ClosePage": (None, _HANDLE),
    "FPDF_CreateNewDocument": (c_void_p,),
    "FPDFPage_Flatten": (c_int, _HANDLE, c_int),
    "FPDFDOC_InitFormFillEnvironment": (c_void_p, _HANDLE, c_void_p),
    "FPDFDOC_ExitFormFillEnvironment": (None, _HANDLE),
    "FPDF_ImportPagesByIndex": (c_int, _HANDLE, _HANDLE, c_void_p, c_ulong, c_int),
    "FPDF_SaveAsCopy": (c_int, _HANDLE, c_void_p, c_ulong),
    "FPDFBitmap_CreateEx": (c_void_p, c_int, c_int, c_int, c_void_p, c_int),
    "FPDFBitmap_FillRect": (c_int, _HANDLE, c_int, c_int, c_int, c_int, c_ulong),
    "FPDFBitmap_Destroy": (None, _HANDLE),
    "FPDF_RenderPageBitmap": (None, _HANDLE, _HANDLE, c_int, c_int, c_int, c_int, c_int, c_int),
}


def _address(name: str) -> int:
    return ctypes.cast(getattr(raw, name), c_void_p).value or 0


class _Api:
    """PDFium's functions by their own names."""

    def __init__(self) -> None:
        for name, (result, *arguments) in _SHORT.items():
            setattr(self, name, ctypes.PYFUNCTYPE(result, *arguments)(_address(name)))
        for name, (result, *arguments) in _LONG.items():
            setattr(self, name, ctypes.CFUNCTYPE(result, *arguments)(_address(name)))
        for name, result in _HOT.items():
            setattr(self, name, ctypes.PYFUNCTYPE(result)(_address(name)))

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"{name} is not in the tables of this module")


api = _Api()

ERR_PASSWORD, ERR_SECURITY = 4, 5

#: Bytes at the end of a file in which the end-of-file mark of a whole PDF stands; some append a few lines.
END_MARK_WITHIN = 2048


class Document:
    """An open document. Use it in ``with``; every handle taken from it dies with it.

    Args:
        data: The file's bytes, which are kept alive as long as the document.
        name: For messages.
        password: User or owner password; an empty user password needs none.

    ``repair`` says what had to be done to the bytes before, and ``cut_off`` whether their end is missing; see ``repair.open_document``,
    by which files are opened.

    Raises:
        PasswordError: Encrypted, and the password is missing (PASSWORD_REQUIRED) or wrong (PASSWORD_WRONG).
        DamagedFileError: PDFium cannot open it, or it has no pages.
    """

    def __init__(self, data: bytes, name: str, password: str | None = None) -> None:
        self.data, self.name = data, name
        self.repair = ""
        self.cut_off = False
        self.handle: int = 0
        self._form: int = 0
        for secret in _spellings(password):
            self.handle = api.FPDF_LoadMemDocument64(data, len(data), secret) or 0
            error = 0 if self.handle else api.FPDF_GetLastError()
            if error != ERR_PASSWORD:
                break
        if not self.handle:
            raise _opening_error(error, name, password, ended=is_ended(data))
        self.page_count: int = api.FPDF_GetPageCount(self.handle)
        if self.page_count < 1:
            self.close()
            raise DamagedFileError(f"{name} is a PDF without a single page that can be found.", code="NO_PAGES")

    def __enter__(self) -> Document:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._form:
            api.FPDFDOC_ExitFormFillEnvironment(self._form)
            self._form = 0
        if self.handle:
            api.FPDF_CloseDocument(self.handle)
            self.handle = 0

    @contextmanager
    def page(self, index: int) -> Iterator[int]:
        """The handle of a page (0-based), closed on exit; 0 when PDFium cannot load it."""
        handle = api.FPDF_LoadPage(self.handle, index) or 0
        try:
            yield handle
        finally:
            if handle:
                api.FPDF_ClosePage(handle)

    @property
    def form(self) -> int:
        """The handle of the document's form fields, which die with it; 0 when PDFium cannot make one."""
        if not self._form:
            self._form_info = raw.FPDF_FORMFILLINFO(version=2)
            self._form = api.FPDFDOC_InitFormFillEnvironment(self.handle, ctypes.addressof(self._form_info)) or 0
        return self._form

    def extract(self, indices: list[int]) -> bytes:
        """A file of only these pages (0-based), their contents as they are; empty when PDFium cannot copy them."""
        copy = api.FPDF_CreateNewDocument()
        wanted = (c_int * len(indices))(*indices)
        chunks: list[bytes] = []

        def write(_: Any, data: int, size: int) -> int:
            chunks.append(ctypes.string_at(data, size))
            return 1

        writer = raw.FPDF_FILEWRITE(version=1)
        writer.WriteBlock = type(writer.WriteBlock)(write)
        try:
            done = api.FPDF_ImportPagesByIndex(copy, self.handle, wanted, len(indices), 0)
            done = done and api.FPDF_SaveAsCopy(copy, ctypes.addressof(writer), raw.FPDF_NO_INCREMENTAL)
        finally:
            api.FPDF_CloseDocument(copy)
        return b"".join(chunks) if done else b""


@contextmanager
def text_of(page: int) -> Iterator[int]:
    """The handle of a page's text, closed on exit; 0 when PDFium cannot make one, as of a page that was not loaded."""
    handle = (api.FPDFText_LoadPage(page) or 0) if page else 0
    try:
        yield handle
    finally:
        if handle:
            api.FPDFText_ClosePage(handle)


def is_ended(data: bytes) -> bool:
    """Whether the end of a file is there."""
    return b"%%EOF" in data[-END_MARK_WITHIN:]


def _spellings(password: str | None) -> list[bytes | None]:
    # Files up to revision 4 hash the password in Latin-1, later ones in UTF-8.
    if not password:
        return [None]
    utf8 = password.encode("utf-8", "surrogatepass")
    latin = password.encode("latin-1", "replace")
    return [utf8] if utf8 == latin else [utf8, latin]


def _opening_error(error: int, name: str, password: str | None, *, ended: bool) -> DamagedFileError | PasswordError:
    if error == ERR_PASSWORD:
        if password:
            return PasswordError(f"The password given does not open {name}.", code="PASSWORD_WRONG")
        return PasswordError(f"{name} is encrypted and needs a password.", code="PASSWORD_REQUIRED")
    if error == ERR_SECURITY:
        return DamagedFileError(f"{name} is encrypted in a way that is not supported.", code="UNSUPPORTED_ENCRYPTION")
    if not ended:
        text = f"{name} begins like a PDF, but its end is missing, and with it the list of its pages."
        step = "Download or copy the file again; the transfer was most likely cut off."
        return DamagedFileError(text, step)
    return DamagedFileError(f"{name} begins like a PDF, but cannot be read as one (PDFium error {error}).")


def wide_string(getter: Any, *handles: Any, limit: int = 1 << 20) -> str:
    """What a two-step getter of UTF-16 text gives (called for the size in bytes, then for the text)."""
    size = getter(*handles, None, 0)
    if size <= 2 or size > limit:
        return ""
    buffer = ctypes.create_string_buffer(size)
    getter(*handles, buffer, size)
    return buffer.raw[: size - 2].decode("utf-16-le", "ignore")


#: Scratch space for results, used under ``LOCK`` only.
DOUBLES = (c_double * 8)()
FLOATS = (c_float * 8)()
