"""Capitals of a quote beside those of the page: a manner of writing, or another unit, option, symbol or name.

Case is a manner where it begins a quote, or changes for all of it: a quote in capitals, in lower case, in title case, or a heading printed in
capitals. One word that changes among others that do not is for review: ``-e`` is not ``-E``, ``mW`` not ``MW``, ``US`` not ``us``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

__all__ = ["CasedWord", "unlike_case"]

_SYSTEMATIC = 3  # words that change in one manner
_RUN_LETTERS = 8  # of the words of a heading in capitals, inside a quote
_LONG_WORD = 5
_TITLED = 4
_CAMEL = re.compile(r"[^\W\d_A-Z][A-Z]")
_CODE = re.compile(r"[_\\$@#]\Z|[\w)](?:\.|::|->)\Z")
_CALL = re.compile(r"[_(\\]|::|->|\.\w")
# The International System of Units (BIPM, 9th edition, tables 2-8) and the units of information: symbols whose case tells them apart.
_UNIT = re.compile(
    r"(?:da|[QRYZEPTGMkhdcmµμnpfazyrq]|[KMGTPEZY]i)?(?:m|g|s|A|K|mol|cd|Hz|N|Pa|J|W|C|V|F|Ω|S|Wb|T|H|lm|lx|Bq|Gy|Sv|kat|L|l|t|eV|u|B|b|bit|bar|Wh|VA|M|k)"
)
_ONE_LETTER_WORDS = frozenset("aàeéioyuôвикосуаяжб")


@dataclass(frozen=True, slots=True)
class CasedWord:
    """A word as quoted and as printed, with the page's text right before and behind it."""

    quoted: str
    printed: str
    before: str
    behind: str

    @property
    def changed(self) -> bool:
        return self.quoted != self.printed

    @property
    def plain(self) -> bool:
        """Letters only, in one of the usual forms: word, Word, WORD."""
        return all(w.isalpha() and (w.isupper() or w[1:] == w[1:].lower()) for w in (self.quoted, self.printed))

    @property
    def code(self) -> bool:
        """An option, or a name of a program: its case is part of it."""
        option = self.before.endswith("-") and not self.before[-2:-1].isalnum()
        return option or bool(_CODE.search(self.before[-3:]) or (_CALL.match(self.behind) and not self.plain))

    @property
    def unit(self) -> bool:
        """Two different units, behind a number or another unit."""
        symbols = [re.sub(r"^\d+", "", word) for word in (self.quoted, self.printed)]
        counted = self.before.rstrip(" \u00a0\u2009\u202f")[-1:]
        glued = self.printed[:1].isdecimal()
        return (glued or counted.isdecimal() or self.before.endswith("/")) and all(map(_UNIT.fullmatch, symbols))


def unlike_case(words: Sequence[CasedWord]) -> list[CasedWord]:
    """The words whose case says something else than the page's."""
    changed = [word for word in words if word.changed]
    if not changed:
        return []
    if len(changed) >= _SYSTEMATIC and _one_manner(words):
        return [word for word in changed if word.code or word.unit]
    cased = [word for word in words if word.printed.upper() != word.printed.lower()]
    if cased == changed and all(word.plain and len(word.printed) >= _LONG_WORD and not word.code for word in cased):
        return []  # all there is of capitals, as in a quote of another script
    allowed = {id(word) for word in _in_runs(words)}
    if words[0].changed and _begins(words[0]):
        allowed.add(id(words[0]))
    rest = [word for word in changed if id(word) not in allowed]
    if _lowered(words, rest):
        return []
    return rest


def _one_manner(words: Sequence[CasedWord]) -> bool:
    for side in ([word.quoted for word in words], [word.printed for word in words]):
        text = "".join(side)
        if text == text.lower() or text == text.upper():
            return True
        lettered = [word for word in side if word[0].isalpha()]
        if len(lettered) >= _TITLED and all(word[0].isupper() or not word[0].islower() for word in lettered):
            return True
    return False


def _begins(word: CasedWord) -> bool:
    """Whether only the first letter of an ordinary word changes, as at the beginning of a sentence."""
    if word.quoted[1:] != word.printed[1:] or word.code or word.unit:
        return False
    return word.plain and (len(word.quoted) > 1 or word.quoted.lower() in _ONE_LETTER_WORDS)


def _in_runs(words: Sequence[CasedWord]) -> list[CasedWord]:
    """Words of a stretch printed, or quoted, in capitals throughout."""
    found: list[CasedWord] = []
    for changed, group in groupby(words, key=lambda word: word.changed):
        run = list(group)
        if not changed or len(run) < 2 or sum(len(word.printed) for word in run) < _RUN_LETTERS:
            continue
        capitals = all(word.printed.isupper() for word in run) or all(word.quoted.isupper() for word in run)
        if capitals and all(word.plain for word in run):
            found += [word for word in run if not word.code and not word.unit]
    return found


def _lowered(words: Sequence[CasedWord], rest: Sequence[CasedWord]) -> bool:
    """A quote typed without any capitals, where the page has them only at the beginning of words."""
    quoted = "".join(word.quoted for word in words)
    ordinary = all(
        w.plain and len(w.printed) > 1 and w.printed[1:].islower() and not w.code and not w.unit for w in rest
    )
    return quoted == quoted.lower() and ordinary
