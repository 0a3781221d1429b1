"""What a file is, by its first bytes and, only where those say nothing, by its name."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO
from pathlib import PurePath

from pageindex.errors import DamagedFileError, UnsupportedFormatError

__all__ = ["DOCX", "HTML", "MARKDOWN", "PDF", "TEXT", "media_type"]

PDF = "application/pdf"
HTML = "text/html"
MARKDOWN = "text/markdown"
TEXT = "text/plain"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

#: Readers look for the header this far into a file (ISO 32000-1, annex H, implementation note 13).
HEADER_WINDOW = 1024

_BY_SUFFIX = {
    ".pdf": PDF,
    ".html": HTML,
    ".htm": HTML,
    ".xhtml": HTML,
    ".md": MARKDOWN,
    ".markdown": MARKDOWN,
    ".mdown": MARKDOWN,
    ".txt": TEXT,
    ".text": TEXT,
    ".log": TEXT,
    ".rst": TEXT,
    ".docx": DOCX,
}
_NAMES = {PDF: "a PDF", HTML: "an HTML page", MARKDOWN: "Markdown", TEXT: "plain text", DOCX: "a Word document"}
_HTML_START = re.compile(rb"(?is)\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b")
_FOREIGN = {
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"II*\0": "a TIFF picture",
    b"MM\0*": "a TIFF picture",
    b"%!PS": "PostScript",
    b"{\\rtf": "RTF",
    b"\xd0\xcf\x11\xe0": "an old Office file (.doc, .xls, .ppt)",
    b"\x1f\x8b": "gzip-compressed",
    b"7z\xbc\xaf": "a 7z archive",
}


def media_type(data: bytes, name: str) -> str:
    """The media type of a file's bytes.

    Raises:
        DamagedFileError: Empty (EMPTY_FILE), or something else than its name says (NOT_WHAT_IT_SAYS).
        UnsupportedFormatError: Of no format that is read here.
    """
    if not data.strip(b"\0 \t\r\n\f"):
        what = "is empty" if not data else "holds nothing but blanks"
        raise DamagedFileError(f"{name} {what} ({len(data)} bytes).", code="EMPTY_FILE")
    claimed = _BY_SUFFIX.get(PurePath(name).suffix.lower())
    found = _by_content(data, name)
    if found is None:
        if claimed in (PDF, DOCX):
            raise DamagedFileError(f"{name} is not {_NAMES[claimed]}: it has no such header.", code="NOT_WHAT_IT_SAYS")
        if claimed is None and b"\0" in data[:4096] and data[:2] not in (b"\xff\xfe", b"\xfe\xff"):
            raise UnsupportedFormatError(f"{name} is a binary file of no format that is read here.")
        return claimed or TEXT
    if claimed in (PDF, DOCX) and found != claimed:
        message = f"{name} is named like {_NAMES[claimed]}, but its bytes are {_NAMES[found]}."
        step = (
            "Rename it to what it is, or fetch it again: a download often saves an error page under the name asked for."
        )
        raise DamagedFileError(message, step, code="NOT_WHAT_IT_SAYS", found=found)
    # Markdown and text may well begin with a tag, or quote a PDF's header.
    return claimed if claimed in (MARKDOWN, TEXT) and found != DOCX and not data.startswith(b"%PDF-") else found


def _by_content(data: bytes, name: str) -> str | None:
    if b"%PDF-" in data[:HEADER_WINDOW]:
        return PDF
    if data[:4] == b"PK\x03\x04":
        return _zip_type(data, name)
    for magic, what in _FOREIGN.items():
        if data.startswith(magic):
            raise UnsupportedFormatError(f"{name} is {what}, which is not read here.")
    head = data[:4096]
    for mark, codec in ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if head.startswith(mark):
            head = head[len(mark) :].decode(codec, "ignore").encode()
    return HTML if _HTML_START.match(head) else None


def _zip_type(data: bytes, name: str) -> str:
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            names = set(archive.namelist())
    except zipfile.BadZipFile as error:
        raise DamagedFileError(f"{name} begins like a ZIP container and cannot be opened as one: {error}.") from error
    if any(entry.startswith("word/") for entry in names):
        return DOCX
    raise UnsupportedFormatError(f"{name} is a ZIP container, but not a Word document.")
