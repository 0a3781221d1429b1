"""The two texts of a page as PDFium gives them, and their printed lines as pieces of text.

The anchor is the bounded text: what lies on the visible page. The raw text holds one character per character number of PDFium.
"""

from __future__ import annotations

import ctypes
import re
from array import array
from collections.abc import Iterator

from pageindex.reading.pdf.api import api
from pageindex.reading.pdf.fonts import Frame

__all__ = ["bounded_text", "join_pairs", "pieces", "raw_text", "split_pairs"]

#: Bytes of the scratch buffer that all pages share; a larger page gets a buffer of its own. A new size costs ctypes a new type.
_SHARED = 1 << 18
_BUFFER = ctypes.create_string_buffer(_SHARED)

_PIECE = re.compile("[^\r\n\x02]*\x02|[^\r\n\x02]+")


def _buffer(size: int) -> ctypes.Array[ctypes.c_char]:
    return _BUFFER if size <= _SHARED else ctypes.create_string_buffer(size)


def bounded_text(text_page: int, frame: Frame, count: int) -> str:
    """The text within the frame, of a text page of ``count`` characters."""
    # The same call with the same rectangle as PdfTextPage.get_text_bounded(), once instead of twice. The buffer holds a surrogate
    # pair or a line break per character, so that nothing is cut.
    room = 2 * count + 16
    buffer = _buffer(2 * room)
    got = api.FPDFText_GetBoundedText(text_page, frame.left, frame.top, frame.right, frame.bottom, buffer, room)
    text = ctypes.string_at(buffer, 2 * max(got, 0)).decode("utf-16-le", "ignore")
    return text.rstrip("\0")


def raw_text(text_page: int, count: int) -> tuple[str, bool]:
    """All ``count`` characters, within the frame or not, and whether any lies beyond U+FFFF: such a one counts as two, and is two here."""
    buffer = _buffer(4 * count + 32)
    units = max(api.FPDFText_GetText(text_page, 0, count, buffer) - 1, 0)
    text = ctypes.string_at(buffer, 2 * units).decode("utf-16-le", "surrogatepass")
    paired = len(text) < units
    if paired:
        text = split_pairs(text)
    return text.replace("\ufffe", "\x02"), paired  # the raw text's sign for a hyphen at a line end


def pieces(text: str) -> Iterator[tuple[int, str]]:
    """Printed lines without outer blanks, each with its offset; U+0002 ends one, as a line break does."""
    breaks = text.count("\r\n")
    plain = "\x02" not in text and breaks == text.count("\n") == text.count("\r")
    start = 0
    for part in text.split("\r\n"):
        if plain or part.isprintable():
            piece = part.strip()
            if piece:
                yield (start if part[0] == piece[0] else start + part.index(piece[0])), piece
        else:
            for match in _PIECE.finditer(part):
                piece = match.group().strip()
                if piece:
                    yield start + match.start() + match.group().index(piece[0]), piece
        start += len(part) + 2


def split_pairs(text: str) -> str:
    """A text in which each character beyond U+FFFF is its two surrogates: one character per character that PDFium counts."""
    units = array("H")
    units.frombytes(text.encode("utf-16-le", "surrogatepass"))
    return "".join(map(chr, units))


def join_pairs(text: str) -> str:
    """The inverse of ``split_pairs``; a half without its other half becomes U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
