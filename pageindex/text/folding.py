"""Foldings under which a quote and a page can be compared, each with its way back to the page.

``N`` undoes what typesetting and copying do to text: invisible characters, line-end hyphens, runs of white space, dashes, quotation
marks and compatibility forms (Unicode NFKC, UAX #15). ``S``, the skeleton, is ``N`` casefolded without spaces and hyphens: good for titles.
``L`` is the letters and digits of ``N`` and nothing else, casefolded, with letters that are one to a reader made one: where a quote may
stand. What stands between the letters is then compared for itself. None is used for numbers: NFKC turns 10² into 102.

Offsets here count characters of the page's text; ``Located`` counts its bytes.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import lru_cache

__all__ = [
    "DASHES",
    "Folded",
    "fold",
    "joins_words",
    "letters",
    "letters_text",
    "skeleton",
    "skeleton_text",
    "unaccented",
]

#: Every code point that is printed as a dash or hyphen. U+0002 is how PDFium reports the hyphen at a line end.
DASHES = "-\x02\u058a\u05be\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u2e3a\u2e3b\u301c\ufe58\ufe63\uff0d"
_SINGLE = "\u2018\u2019\u201a\u201b\u2032\u2035\u2039\u203a`\u00b4\u02bc\u02b9\uff07"
_DOUBLE = "\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb\u301d\u301e\u301f\u02ba\uff02"
_TABLE = {**dict.fromkeys(DASHES, "-"), **dict.fromkeys(_SINGLE, "'"), **dict.fromkeys(_DOUBLE, '"')}

# Characters that print nothing: zero-width, bidi controls, soft hyphen, variation selectors, tags.
_UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\ufff0-\ufffb\uffff\U000e0000-\U000e0fff"
)
_COMBINING = "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a\ufe20-\ufe2f"

# One event per stretch that changes, or may: the rest of a page is copied as it is. The pattern begins with a plain character class,
# so that the regex engine skips over ordinary text at full speed, and looks back at the character it took.
_EVENT = re.compile(
    "[^!-,.-_a-~](?:"
    "(?<=-)\\s*?[\r\n]\\s*"  # a hyphen at a line end …
    "|(?<=[\x02\ufffe])\\s*|(?<=[\u2010\u00ad])[ \t]*[\r\n]\\s*"  # … and its other forms
    f"|(?<= )[\\s{_UNSEEN}]+|(?<=[^\\S ])[\\s{_UNSEEN}]*"  # white space
    f"|(?<=[{_UNSEEN}])[{_UNSEEN}]*|(?<=[\x00-\x08\x0e-\x1b\x7f`])"
    f"|(?<=[\u1100-\u11ff])[\u1100-\u11ff]*|(?<=[^\x00-\x7f])[{_COMBINING}]*)"
)
_COMBINED = re.compile(f"[{_COMBINING}]")
_EVENT_COMBINED = re.compile(f"[A-Za-z][{_COMBINING}]+|{_EVENT.pattern}")
_HYPHEN = frozenset("-\x02\ufffe\u2010\u00ad")
_WORD = re.compile(r"[^ \-]+")
_SIGNS = "\u2122\u2120"  # ™ and ℠, which NFKC would make letters of

# Scripts whose vowel signs and viramas are marks, and are as much of the word as its letters.
_VOWEL_SIGNS = "\u0900-\u0963\u0966-\u109f\u1780-\u17d3"
_LETTERS = re.compile(r"[^\W_]+")
_LETTERS_AND_SIGNS = re.compile(f"(?:[^\\W_]|[{_VOWEL_SIGNS}])+")
_HAS_SIGNS = re.compile(f"[{_VOWEL_SIGNS}]")
_NO_LETTERS = bytes(c for c in range(128) if not chr(c).isalnum())
_ZEROS = "\u0660\u06f0\u07c0\u0966\u09e6\u0a66\u0ae6\u0b66\u0be6\u0c66\u0ce6\u0d66\u0e50\u0ed0\u0f20\u1040\u17e0\u1810"
_ONE_LETTER = str.maketrans(
    {
        **{chr(ord(zero) + digit): str(digit) for zero in _ZEROS for digit in range(10)},
        "\u0451": "\u0435",
        "\u0153": "oe",
        "\u00e6": "ae",  # ё as е; œ and æ as two
        "\u06cc": "\u064a",
        "\u0649": "\u064a",
        "\u06a9": "\u0643",
        "\u0640": "",  # yeh and kaf of both keyboards; tatweel
        **dict.fromkeys("\u0623\u0625\u0622\u0671", "\u0627"),  # alef with and without its hamza
    }
)


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text and its map to the text it was made from.

    The map is a list of segments: ``text[at[i]:at[i + 1]]`` was made from ``[raw[i], raw_end[i])`` of the original, character by
    character where both are of one length, and as a whole otherwise.
    """

    text: str
    at: array[int]
    raw: array[int]
    raw_end: array[int]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The range of the original text from which ``text[start:end]`` was made; an empty range raises ValueError."""
        if not 0 <= start < end <= len(self.text):
            raise ValueError(f"no characters {start}-{end} in a text of {len(self.text)}")
        first, last = bisect_right(self.at, start) - 1, bisect_left(self.at, end) - 1
        begin = self.raw[first] + (start - self.at[first] if self._even(first) else 0)
        stop = self.raw[last] + (end - self.at[last]) if self._even(last) else self.raw_end[last]
        return begin, stop

    def each(self, start: int, end: int) -> list[tuple[int, int]]:
        """The range of the original text of every character of ``text[start:end]``."""
        found: list[tuple[int, int]] = []
        index, position = bisect_right(self.at, start) - 1, start
        while position < end:
            following = self.at[index + 1] if index + 1 < len(self.at) else len(self.text)
            stop = min(end, following)
            if self._even(index):
                shift = self.raw[index] - self.at[index]
                found += [(at + shift, at + shift + 1) for at in range(position, stop)]
            else:
                found += [(self.raw[index], self.raw_end[index])] * (stop - position)
            index, position = index + 1, stop
        return found

    def _even(self, index: int) -> bool:
        following = self.at[index + 1] if index + 1 < len(self.at) else len(self.text)
        return following - self.at[index] == self.raw_end[index] - self.raw[index]


class _Builder:
    """Collects segments; parts that fold to nothing leave none."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.at, self.raw, self.raw_end = array("i"), array("i"), array("i")
        self.length = 0

    def add(self, text: str, raw: int, raw_end: int) -> None:
        if text:
            self.parts.append(text)
            self.at.append(self.length)
            self.raw.append(raw)
            self.raw_end.append(raw_end)
            self.length += len(text)

    def done(self) -> Folded:
        return Folded("".join(self.parts), self.at, self.raw, self.raw_end)


def fold(text: str) -> Folded:
    """``N``: what a text says once typesetting is undone; case is kept."""
    builder, position = _Builder(), 0
    for match in (_EVENT_COMBINED if _COMBINED.search(text) else _EVENT).finditer(text):
        start, end = match.span()
        found = match.group()
        new = _hyphen(text, start, end) if found[0] in _HYPHEN else _folded(found)
        if new == found:
            continue
        if start > position:
            builder.add(text[position:start], position, start)
        builder.add(new, start, end)
        position = end
    if position < len(text):
        builder.add(text[position:], position, len(text))
    return builder.done()


def skeleton_text(folded: str) -> str:
    """The text of ``skeleton`` without its map, many times faster."""
    return folded.casefold().replace(" ", "").replace("-", "")


def skeleton(folded: Folded) -> Folded:
    """``S`` of an ``N``: casefolded, without spaces and hyphens; its map leads to the ``N``."""
    text = folded.text
    even = len(text.casefold()) == len(text)
    builder = _Builder()
    for match in _WORD.finditer(text.casefold() if even else text):
        if even or len(match.group().casefold()) == len(match.group()):
            builder.add(match.group().casefold(), match.start(), match.end())
            continue
        for index, character in enumerate(match.group(), match.start()):
            builder.add(character.casefold(), index, index + 1)
    return builder.done()


def letters_text(folded: str) -> str:
    """The text of ``letters`` without its map, many times faster."""
    if folded.isascii():
        return folded.lower().encode().translate(None, _NO_LETTERS).decode()
    pattern = _LETTERS_AND_SIGNS if _HAS_SIGNS.search(folded) else _LETTERS
    return "".join(pattern.findall(folded.casefold().translate(_ONE_LETTER)))


def letters(folded: Folded) -> Folded:
    """``L`` of an ``N``: its letters and digits; its map leads to the ``N``."""
    text, builder = folded.text, _Builder()
    lowered = text.casefold().translate(_ONE_LETTER)
    pattern = _LETTERS_AND_SIGNS if _HAS_SIGNS.search(text) else _LETTERS
    if len(lowered) == len(text):
        for match in pattern.finditer(lowered):
            builder.add(match.group(), match.start(), match.end())
        return builder.done()
    for match in pattern.finditer(text):
        for index, character in enumerate(match.group(), match.start()):
            builder.add(letters_text(character), index, index + 1)
    return builder.done()


@lru_cache(maxsize=1 << 16)
def _folded(found: str) -> str:
    if any(c.isspace() for c in found):
        return " "
    if found in _SIGNS:
        return found
    kept = "".join(
        c for c in found if c in _TABLE or (unicodedata.category(c) not in ("Cc", "Cf") and not _selector(c))
    )
    return "".join(_TABLE.get(c, c) for c in unicodedata.normalize("NFKC", "".join(_TABLE.get(c, c) for c in kept)))


def _selector(character: str) -> bool:
    return "\ufe00" <= character <= "\ufe0f" or character in "\u034f\u115f\u1160" or character >= "\U000e0000"


def _hyphen(text: str, start: int, end: int) -> str:
    """A line-end hyphen fuses two letters and stays a hyphen anywhere else; a soft hyphen inside a line prints nothing."""
    if (text[start] == "\u00ad" and not text[start:end].strip("\u00ad")) or text[start:end] == "\u2010":
        return "" if text[start] == "\u00ad" else "-"
    before, after = text[start - 1 : start], text[end : end + 1]
    return "" if before.isalpha() and after.isalpha() else "-"


def joins_words(character: str) -> bool:
    """Whether a character is a letter of a script that puts spaces between words, so that cutting beside it cuts a word."""
    if not character.isalpha():
        return False
    code = ord(character)
    return not (
        0x0E00 <= code <= 0x0FFF
        or 0x1000 <= code <= 0x109F
        or 0x1780 <= code <= 0x17FF
        or 0x2E80 <= code <= 0xA4CF
        or 0xF900 <= code <= 0xFAFF
        or 0xFF66 <= code <= 0xFF9F
        or code >= 0x20000
    )


#: Letters of Cyrillic and Greek, small or capital, that nobody can tell from Latin ones when they are printed.
_LOOK_ALIKE = ("\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0456\u0455\u0458\u04bb\u0501\u051b\u051d"
               "\u03b1\u03b2\u03b5\u03b6\u03b7\u03b9\u03ba\u03bc\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7", "abekmhopctyxisjhdqw" "abezhikmnoptyx")  # fmt: skip


@lru_cache(maxsize=1)
def _plain_letters() -> dict[int, str]:
    """Letters of Latin and Greek with their accents → without, look-alikes → Latin; one for one, so that offsets stay."""
    found = {}
    for code in (*range(0xC0, 0x250), *range(0x386, 0x3CF), *range(0x1E00, 0x2000)):
        plain = unicodedata.normalize("NFD", chr(code))[0]
        if plain != chr(code):
            found[code] = plain
    return (
        found
        | {ord("ø"): "o", ord("ł"): "l", ord("đ"): "d", ord("ı"): "i"}
        | dict(zip(map(ord, _LOOK_ALIKE[0]), _LOOK_ALIKE[1], strict=True))
    )


def unaccented(text: str) -> str:
    """Casefolded text without accents, and with the letters of Cyrillic and Greek that look like Latin ones as those; as long as it was."""
    return text if text.isascii() else text.translate(_plain_letters())
