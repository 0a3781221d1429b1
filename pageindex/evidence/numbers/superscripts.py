"""Superscripts that only their place tells: a digit set smaller and higher than the number before it.

The page's text has them as plain digits, so 10² reads 102 there. With character boxes the raised part is taken off the core.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pageindex.document.offsets import byte_of, byte_size
from pageindex.evidence.characters import Character
from pageindex.evidence.numbers.tokens import NumberToken

__all__ = ["raised_bytes", "without_raised"]

_SMALLER = 0.85  # of the size of the character before
_HIGHER = 0.12  # of that size


def raised_bytes(characters: Sequence[Character]) -> set[int]:
    """The first bytes of the characters that are set as superscripts of the one before them, or go on from such a one."""
    found: set[int] = set()
    base: Character | None = None
    for character in characters:
        if base is not None and _is_raised(character, base):
            found.add(character.start)
            continue
        base = character
    return found


def _is_raised(character: Character, base: Character) -> bool:
    near = character.box.x0 - base.box.x1 < 3 * base.size and character.box.x0 > base.box.x0
    rise = base.baseline - character.baseline
    return near and character.size < _SMALLER * base.size and _HIGHER * base.size < rise < base.size


def without_raised(tokens: Iterable[NumberToken], text: str, raised: set[int]) -> Iterator[NumberToken]:
    """The tokens of a page's text with their raised digits as superscripts; a token that is raised as a whole is a note mark, and left out."""
    for token in tokens:
        byte = byte_of(text, token.core_start)
        flags = []
        for character in text[token.core_start : token.core_end]:
            flags.append(byte in raised)
            byte += byte_size(character)
        if not any(flags):
            yield token
            continue
        cut = flags.index(True)
        if cut and all(flags[cut:]) and not token.superscript:
            at = token.core_start + cut
            kept = token.core[: len(token.core) - (token.core_end - at)].rstrip(".,")
            yield replace(token, core=kept, core_end=at, superscript=text[at : token.core_end])
        elif cut:
            yield token  # raised in its middle: nothing that is known
