"""What a person asked: the words, the phrases in quotation marks, and the pages named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pageindex.errors import InputError
from pageindex.text import normal
from pageindex.text.words import is_number, words

__all__ = ["Query", "QueryWord", "parse_query"]

LONGEST = 4_000  #: Characters of a query; what is beyond no longer says what is looked for.
ASIDE = (
    0.5  #: Weight of a word in a sentence that asks nothing, beside one that does: it explains the form of the answer.
)
YEAR_DIGITS = 4

_QUOTED = re.compile('"([^"\n]+)"|“([^”]+)”|«([^»]+)»|„([^“”]+)[“”]|「([^」]+)」')
_SENTENCE = re.compile(r"(?<=[.?!。？！؟])\s+|(?<=[。？！])|\n+")
_ASKS = re.compile(r"[?？؟]\s*$")
_DIGITS = re.compile(r"\d+")
_PAGE = re.compile(r"\b(?:pages?|pp?\.)\s*(\d{1,5}|[ivxlc]{1,8})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class QueryWord:
    """A word of the query, folded; ``forms`` are other writings that count as the word itself."""

    word: str
    weight: float
    forms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query.

    Attributes:
        text: As asked.
        words: In order, each once with its highest weight.
        pairs: Words that stand side by side in one sentence, as indexes into ``words``.
        phrases: The folded words of each quoted phrase; a page must hold them all, side by side.
        pages: Page labels the query names (``page 12``, ``p. iv``).
    """

    text: str
    words: tuple[QueryWord, ...]
    pairs: tuple[tuple[int, int], ...]
    phrases: tuple[tuple[str, ...], ...]
    pages: tuple[str, ...]


def parse_query(text: str) -> Query:
    """Parse what was asked; raises InputError (EMPTY_QUERY, QUERY_TOO_LONG)."""
    if len(text) > LONGEST:
        step = "Ask for the few words that the passage must hold."
        raise InputError(f"the query has {len(text)} characters; {LONGEST} are allowed", step, code="QUERY_TOO_LONG")
    quoted = ["".join(groups) for groups in _QUOTED.findall(text)]
    phrases = tuple(phrase for part in quoted if (phrase := tuple(words(normal.search(part)))))
    order: dict[str, int] = {}
    weights: list[float] = []
    pairs: dict[tuple[int, int], None] = {}
    for sentence, weight in _sentences(text):
        previous = None
        for word in words(normal.search(sentence)):
            index = order.setdefault(word, len(order))
            if index == len(weights):
                weights.append(weight)
            weights[index] = max(weights[index], weight)
            if previous is not None and previous != index:
                pairs[previous, index] = None
            previous = index
    if not order:
        raise InputError(
            f"{text!r} holds no word to look for", "Ask for a word that the page holds.", code="EMPTY_QUERY"
        )
    entries = tuple(QueryWord(word, weights[index], _forms(word)) for word, index in order.items())
    return Query(text, entries, tuple(pairs), phrases, tuple(found.lower() for found in _PAGE.findall(text)))


def _sentences(text: str) -> Iterator[tuple[str, float]]:
    """Each sentence with its weight: where one asks, those that do not are asides."""
    sentences = [part for part in _SENTENCE.split(text) if part and part.strip()]
    asks = [bool(_ASKS.search(part)) for part in sentences]
    for part, asking in zip(sentences, asks, strict=True):
        yield part, 1.0 if asking or not any(asks) else ASIDE


def _forms(word: str) -> tuple[str, ...]:
    """``fy2022`` is also ``2022``: a year glued to an abbreviation is printed apart from it elsewhere."""
    if is_number(word) and word.isdigit():
        return ()
    return tuple(number for number in _DIGITS.findall(word) if len(number) == YEAR_DIGITS)
