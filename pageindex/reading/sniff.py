"""What a file is, by its first bytes and, only where those say nothing, by its name."""

from __future__ import annotations

from pageindex.errors import DamagedFileError, UnsupportedFormatError
from pageindex.reading.formats import FORMATS, TEXT, Format, Opening, by_suffix, names

__all__ = ["detect"]

_FOREIGN = {
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"II*\0": "a TIFF picture",
    b"MM\0*": "a TIFF picture",
    b"%!PS": "PostScript",
    b"{\\rtf": "RTF",
    b"\xd0\xcf\x11\xe0": "an old or encrypted Office file (.doc, .xls, .ppt, .docx with a password)",
    b"\x1f\x8b": "gzip-compressed",
    b"7z\xbc\xaf": "a 7z archive",
}
_WIDE = (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")  # byte order marks of text that may hold NUL bytes
_RENAME = "Rename it to what it is, or fetch it again: a download often saves an error page under the name asked for."


def detect(data: bytes, name: str) -> Format:
    """The format of a file's bytes.

    Raises:
        DamagedFileError: Empty (EMPTY_FILE), or something else than its name says (NOT_WHAT_IT_SAYS).
        UnsupportedFormatError: Of no format that is read here.
    """
    if not data.strip(b"\0 \t\r\n\f"):
        what = "is empty" if not data else "holds nothing but blanks"
        raise DamagedFileError(f"{name} {what} ({len(data)} bytes).", code="EMPTY_FILE")
    claimed = by_suffix(name)
    found = _by_content(data, name)
    if found is None:
        if claimed is not None and claimed.binary:
            raise DamagedFileError(f"{name} is not {claimed.phrase}: it has no such header.", code="NOT_WHAT_IT_SAYS")
        if claimed is None and b"\0" in data[:4096] and not data.startswith(_WIDE):
            raise _unsupported(f"{name} is a binary file of no format that is read here.")
        return claimed or TEXT
    if claimed is None or claimed is found:
        return found
    if claimed.binary:
        message = f"{name} is named like {claimed.phrase}, but its bytes are {found.phrase}."
        raise DamagedFileError(message, _RENAME, code="NOT_WHAT_IT_SAYS", found=found.media_type)
    # Markdown and text may well begin with a tag, or quote a PDF's header.
    begins = Opening(data[:8], name)
    return found if found.binary and (begins.is_zip or found.recognise(begins)) else claimed


def _by_content(data: bytes, name: str) -> Format | None:
    opening = Opening(data, name)
    found = next((kind for kind in FORMATS if kind.recognise(opening)), None)
    if found is not None:
        return found
    if opening.is_zip:
        raise _unsupported(f"{name} is a ZIP container of no format that is read here.")
    for magic, what in _FOREIGN.items():
        if data.startswith(magic):
            raise _unsupported(f"{name} is {what}, which is not read here.")
    return None


def _unsupported(message: str) -> UnsupportedFormatError:
    return UnsupportedFormatError(message, f"Give a file of a format that is read here: {names('or')}.")
