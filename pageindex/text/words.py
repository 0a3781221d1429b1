"""From text to the words that are searched: one way for pages and queries.

Case, diacritics and ligatures are folded away; a word broken at a line end is joined (PDFium writes its hyphen as U+0002). Scripts
written without spaces become overlapping pairs of characters, which need no dictionary. Inflection is folded when a query is asked
(``Stemmer``), so that an index holds the words as they are and serves every language.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from pageindex.text.normal import search as fold

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Stemmer", "fold", "is_number", "spaced", "words"]

_WORD = re.compile(r"[^\W_]+")
# Thai to Myanmar, Khmer, kana and Han, Hangul: scripts that leave no space between words, or glue endings to them.
_UNSPACED_RANGE = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
)
_UNSPACED = re.compile(f"[{_UNSPACED_RANGE}]+")

#: Snowball's name of each language it has an algorithm for (https://snowballstem.org), by BCP 47 tag.
_ALGORITHMS = {
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish",
    "et": "estonian", "eu": "basque", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian",
    "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian", "ne": "nepali", "nl": "dutch",
    "no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish",
    "ta": "tamil", "tr": "turkish",
}  # fmt: skip


def spaced(folded: str) -> str:
    """Folded text in which every run of an unspaced script is written as its pairs of characters."""
    if folded.isascii() or not _UNSPACED.search(folded):
        return folded
    return _UNSPACED.sub(lambda run: f" {' '.join(_pairs(run.group()))} ", folded)


def words(folded: str) -> list[str]:
    """The words of folded text, in order: runs of letters and digits, and pairs of characters of unspaced scripts."""
    return _WORD.findall(spaced(folded))


def is_number(word: str) -> bool:
    """Whether a word begins with a digit."""
    return word[:1].isdigit()


def _pairs(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)] if len(run) > 1 else [run]


class Stemmer:
    """Folds inflection in one language; a language without an algorithm keeps its words."""

    def __init__(self, language: str) -> None:
        self._algorithm = _ALGORITHMS.get(language.split("-")[0].lower(), "")

    def stem(self, word: str) -> str:
        """The stem of a folded word; numbers and mixed words are their own."""
        return _stemmed(self._algorithm, word) if self._algorithm and word.isalpha() else word

    def prefix(self, word: str) -> str:
        """What every word of the same stem begins with, as far as endings are all that varies."""
        stem = self.stem(word)
        shared = next(
            (i for i, (a, b) in enumerate(zip(stem, word, strict=False)) if a != b), min(len(stem), len(word))
        )
        # The last letter of a stem may itself be altered (happy, happi-ness), so one more is given up.
        return word[: shared if shared < len(stem) else max(3, shared - 1)]


@lru_cache(maxsize=100_000)
def _stemmed(algorithm: str, word: str) -> str:
    return fold(_load(algorithm)(word))


@lru_cache(maxsize=8)
def _load(algorithm: str) -> Callable[[str], str]:
    import snowballstemmer

    stem: Callable[[str], str] = snowballstemmer.stemmer(algorithm).stemWord
    return stem
