"""The raw text of a page as PDFium gives it, one character per character number, and its stretches between line breaks."""

from __future__ import annotations

import ctypes
import re
import unicodedata
from array import array
from collections.abc import Iterator
from itertools import repeat

from pageindex.reading.pdf.api import Handle, api, handle

__all__ = ["join_pairs", "pieces", "raw_text"]

#: Bytes of the scratch buffer that all pages share; a larger page gets a buffer of its own. A new size costs ctypes a new type.
_SHARED = 1 << 18
_BUFFER = ctypes.create_string_buffer(_SHARED)

_HYPHEN = "\ufffe"  #: The raw text's sign for a hyphen that ends a line.
_STRETCH = re.compile(f"[^\r\n{_HYPHEN}]*{_HYPHEN}|[^\r\n{_HYPHEN}]+")

_HALF = re.compile("[\ud800-\udfff]")
_SEEN = {0: 32, 2: 0xFFFE}  # no character, and a hyphen at a line's end

_char_index, _unicode = api.FPDFText_GetCharIndexFromTextIndex, api.FPDFText_GetUnicode
_BLANKS = "\t\n\v\f\r\x85"
_UNKNOWN = "\ufffd"


def raw_text(text_page: int, count: int) -> tuple[str, bool]:
    """All ``count`` characters, within the frame or not, and whether some are halves of one beyond U+FFFF.

    PDFium counts such a character as two where the file maps a code to it. Where it knows it by its glyph's name it counts it as one, and
    leaves it out of its text, whose places then tell nothing of the characters' numbers.
    """
    page = handle(text_page)
    size = 4 * count + 32
    buffer = _BUFFER if size <= _SHARED else ctypes.create_string_buffer(size)
    units = max(api.FPDFText_GetText(text_page, 0, count, buffer) - 1, 0)
    text = ctypes.string_at(buffer, 2 * units).decode("utf-16-le", "surrogatepass")
    if len(text) < units:
        text = _split_pairs(text)
    if 0 < len(text) < count and _char_index(page, len(text) - 1) == len(text) - 1:
        text = _by_character(page, count)
    return text, not text.isascii() and _HALF.search(text) is not None


def _by_character(page: Handle, count: int) -> str:
    """The same text, asked for character by character."""
    codes = map(_unicode, repeat(page), range(count))
    return "".join([chr(_SEEN.get(code, code)) for code in codes])


def pieces(text: str) -> Iterator[tuple[int, str]]:
    """The stretches of a raw text between its line breaks, without outer blanks, each with its offset.

    A hyphen at the end of a line is one again, as it is drawn. What is no printable character is one that can be kept: a blank for any
    white space, U+FFFD for a code without meaning.
    """
    start = 0
    for part in text.split("\r\n"):
        if part.isprintable():
            if piece := part.strip():
                yield (start if part[0] == piece[0] else start + part.index(piece[0])), piece
        else:
            for stretch in _STRETCH.finditer(part):
                clean = stretch.group().translate(_CLEAN)
                if piece := clean.strip():
                    yield start + stretch.start() + len(clean) - len(clean.lstrip()), piece
        start += len(part) + 2


class _Clean(dict[int, str]):
    """What stands for a character in an anchor, as ``str.translate`` asks for it; learns as it is asked."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        kind = unicodedata.category(char)
        if char in _BLANKS or kind in ("Zl", "Zp"):
            char = " "
        elif kind == "Cc" or code & 0xFFFE == 0xFFFE or 0xFDD0 <= code < 0xFDF0:
            char = _UNKNOWN
        self[code] = char
        return char


_CLEAN = _Clean({ord(_HYPHEN): "-"})


def _split_pairs(text: str) -> str:
    units = array("H")
    units.frombytes(text.encode("utf-16-le", "surrogatepass"))
    return "".join(map(chr, units))


def join_pairs(text: str) -> str:
    """Halves put together; one without its other half becomes U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
