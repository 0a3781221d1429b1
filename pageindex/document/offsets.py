"""Between characters and the bytes of their UTF-8, which all offsets of the package count.

A text may hold lone surrogates (a damaged file gives them); each is three bytes, as ``surrogatepass`` writes it. Nothing here fails or
loses any of them, and a byte within a character stands for the character.
"""

from __future__ import annotations

__all__ = ["byte_of", "byte_size", "char_of", "encoded", "whole", "words_of"]

_FOLLOWING = bytes(range(0x80, 0xC0))  # bytes of a character behind its first


def encoded(text: str) -> bytes:
    """The bytes that offsets count."""
    return text.encode("utf-8", "surrogatepass")


def byte_size(text: str) -> int:
    """Bytes of a text."""
    return len(text) if text.isascii() else len(encoded(text))


def byte_of(text: str, char: int) -> int:
    """The byte at which a character begins; the end of the text for one beyond it."""
    return min(char, len(text)) if text.isascii() else len(encoded(text[:char]))


def char_of(data: bytes, byte: int) -> int:
    """The character that a byte belongs to; the number of characters for one beyond them."""
    return len(data[: _start(data, byte)].translate(None, _FOLLOWING))


def whole(data: bytes, start: int, end: int) -> tuple[int, int]:
    """A byte range widened to whole characters; an empty one stays empty."""
    if start >= end:
        return _start(data, start), _start(data, start)
    end = max(0, min(end, len(data)))
    while end < len(data) and data[end] & 0xC0 == 0x80:
        end += 1
    return _start(data, start), end


def words_of(data: bytes, start: int, end: int) -> str:
    """The text of a byte range, widened to whole characters."""
    start, end = whole(data, start, end)
    return data[start:end].decode("utf-8", "surrogatepass")


def _start(data: bytes, byte: int) -> int:
    """The first byte of the character that a byte belongs to."""
    byte = max(0, min(byte, len(data)))
    while 0 < byte < len(data) and data[byte] & 0xC0 == 0x80:
        byte -= 1
    return byte
