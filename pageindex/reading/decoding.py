"""Bytes to text: marks, then what is declared, then what the bytes look like. Labels and tables are those of browsers (WHATWG Encoding).

Undeclared legacy text is told by turbohtml's detector, which scores pairs of characters as Firefox's does. What it cannot tell is decoded
all the same and said to be a guess, so that nobody takes it at its word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from pageindex.document import Note
from pageindex.errors import DamagedFileError, UnsupportedFormatError

__all__ = ["Decoded", "check_empty", "decode_text", "detected", "evident_encoding"]

_MARKS = (  # UTF-32 before UTF-16, whose mark it begins with
    (b"\xff\xfe\0\0", "utf-32"),
    (b"\0\0\xfe\xff", "utf-32"),
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_ESCAPES = (b"\x1b$", b"\x1b(J", b"\x1b(I")  # of ISO-2022-JP, whose bytes are all ASCII
_CONTROLS = bytes(byte for byte in range(32) if byte not in b"\t\n\v\f\r\x1a\x1b")
_NULS = re.compile(rb"\0+")
_CONTROL = re.compile("[\x00-\x08\x0e-\x19\x1c-\x1f]")
_PUNCTUATION = re.compile("(?<![^\\W\\d_])[“”‘’„‚–—…•·«»©®™°§£€¥¢±¼½¾²³\xa0\xad]|’|[“”«»–—…]")
MOST_ERRORS = 0.05  #: Share of the characters beyond ASCII that may be broken in a text that is called UTF-8.


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text, how it was decoded, and ``guessed``: whether nothing but a fallback speaks for it."""

    text: str
    encoding: str
    guessed: bool = False
    notes: tuple[Note, ...] = ()


def check_empty(data: bytes, name: str) -> None:
    """Raise DamagedFileError for bytes that are blanks and marks."""
    if not data.strip(b" \t\r\n\f\x00\xef\xbb\xbf\xff\xfe"):
        raise DamagedFileError(f"{name} is empty", "Add a file that has some text.", code="EMPTY_FILE")


def evident_encoding(data: bytes) -> str:
    """The codec that a byte order mark names, or that NUL bytes betray; empty without either."""
    return next((codec for mark, codec in _MARKS if data.startswith(mark)), "") or _wide(data)


def decode_text(data: bytes, name: str) -> Decoded:
    """Decode plain text. Runs of NUL bytes, which a crash leaves in a log, become one U+FFFD each, and a note.

    Raises:
        DamagedFileError: Empty.
        UnsupportedFormatError: Bytes that are no text.
    """
    check_empty(data, name)
    codec = evident_encoding(data)
    if codec:
        return _decoded(data, codec)
    if b"\0" in data:
        return _without_nuls(data, name)
    if any(escape in data for escape in _ESCAPES) and (found := detected(data)).encoding == "ISO-2022-JP":
        return found
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        pass
    _check_controls(data, name)
    return _nearly_utf8(data) or detected(data)


def _without_nuls(data: bytes, name: str) -> Decoded:
    text, places = _NULS.subn(b"\x1a", data)  # a control character that all codecs have, and that text does not hold
    _check_controls(text, name)
    found = decode_text(text, name)
    note = Note("ENCODING_ERRORS", f"{data.count(0):,} NUL bytes, in {places:,} {'place' if places == 1 else 'places'}")
    return replace(found, text=found.text.replace("\x1a", "\ufffd"), notes=(*found.notes, note))


def _check_controls(data: bytes, name: str) -> None:
    head = data[:65_536]
    if len(head) - len(head.translate(None, _CONTROLS)) > len(head) // 50:
        raise UnsupportedFormatError(f"{name} is not text: it holds control bytes")


def _wide(data: bytes) -> str:
    """UTF-16 without a mark: in Western text every second byte is NUL."""
    head = data[:4096]
    even, odd = head[::2].count(0), head[1::2].count(0)
    most, least = max(even, odd), min(even, odd)
    codec = "utf-16-le" if odd > even else "utf-16-be"
    regular = most >= max(2, len(head) // 5) and least <= most // 20
    return codec if regular and not _CONTROL.search(head.decode(codec, "ignore")) else ""


def _decoded(data: bytes, codec: str) -> Decoded:
    text = data.decode(codec, "replace")
    lost = text.count("\ufffd")
    notes = (Note("ENCODING_ERRORS", f"{lost} characters are not {codec}"),) if lost else ()
    return Decoded(text, codec, notes=notes)


def _nearly_utf8(data: bytes) -> Decoded | None:
    """UTF-8 with some broken bytes: cut off, or patched by a program that did not know."""
    found = _decoded(data, "utf-8")
    beyond = sum(not character.isascii() for character in found.text)
    lost = found.text.count("\ufffd")
    return found if lost <= MOST_ERRORS * beyond else None


def detected(data: bytes) -> Decoded:
    """Text by what its bytes look like, with a note that says so."""
    from turbohtml.detect import detect

    match = detect(data)
    codec, encoding = match.codec or "whatwg-windows-1252", match.encoding or "windows-1252"
    text = data.decode(codec)
    guessed = match.confidence == 0.0 and bool(_beyond(text))
    how = "nothing speaks for it" if guessed else "by its characters"
    note = Note("ENCODING_GUESSED", f"not UTF-8; read as {encoding}, {how}")
    return Decoded(text, encoding, guessed, (note,))


def _beyond(text: str) -> str:
    """What is not ASCII, without the punctuation that Western text has where it should be."""
    return "".join(c for c in _PUNCTUATION.sub("", text) if not c.isascii())
