"""What a person asked: the words, the phrases in quotation marks, the places pointed at, and what kind of thing is wanted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pageindex.errors import InputError
from pageindex.store.search.pointers import Pointer, parse_pointers
from pageindex.store.search.vocabulary import ASKS, Ask, is_function_word
from pageindex.store.search.wording import searchable
from pageindex.text.words import is_number, words

__all__ = ["Query", "QueryWord", "parse_query"]

LONGEST = 4_000  #: Characters of a query; what is beyond no longer says what is looked for.
ASIDE = 0.5  #: Weight of a word in a sentence that asks nothing, beside one that does: it explains the question.
FORM = 0.1  #: Weight of a word of a sentence that says what form the answer should have, and of examples of that form.
FUNCTION = 0.1  #: Weight of a word that is there for the grammar of the question.
POINTING = 0.3  #: Weight of the words of a pointer ("figure 3"), which says more than they do.
SHORTEST_BEGINNING = 2  #: Letters before a ``*``.
YEAR_DIGITS = 4

_QUOTED = re.compile('"([^"\n]+)"|“([^”]+)”|«([^»]+)»|„([^“”]+)[“”]|「([^」]+)」')
_EXAMPLES = re.compile(r"\[[^\[\]\n]*[\"'“”‘’,][^\[\]\n]*\]")
_SENTENCE = re.compile(r"(?<=[.?!。？！؟])\s+|(?<=[。？！])|\n+")
_ASKS = re.compile(r"[?？؟]\s*$")
_FORM = re.compile(
    r"\s*(?:please\s+|directly\s+)*(?:answer|write|format|round|return|respond|reply|provide|express|enumerate|your answer"
    r"|the answer|use the|if the answer)\b(?!.*[?？؟]\s*$)",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d+")
_BEGINNING = re.compile(r"([^\W_]+)\*(?!\w)")


@dataclass(frozen=True, slots=True)
class QueryWord:
    """A word of the query, folded.

    Attributes:
        word: As it is asked.
        weight: Between 0 and 1.
        forms: Other writings that count as the word itself.
        beginning: Whether it is the beginning of words (``depreci*``).
        function: Whether it is there for the grammar of the question.
    """

    word: str
    weight: float
    forms: tuple[str, ...] = ()
    beginning: bool = False
    function: bool = False

    @property
    def telling(self) -> bool:
        """Whether it is worth saying that the word stands nowhere."""
        return self.weight >= ASIDE and not self.function


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query.

    Attributes:
        text: As asked.
        words: In order, each once with its highest weight.
        pairs: Words that stand side by side in one sentence, as indexes into ``words``.
        phrases: The folded words of each quoted phrase; pages that hold them side by side are preferred.
        pointers: Places that the query names: ``page 12``, ``Figure 2``, ``Item 1A``.
        asks: What kinds of thing are asked for.
    """

    text: str
    words: tuple[QueryWord, ...]
    pairs: tuple[tuple[int, int], ...]
    phrases: tuple[tuple[str, ...], ...]
    pointers: tuple[Pointer, ...]
    asks: frozenset[Ask]

    @property
    def only_quoted(self) -> bool:
        """Whether all that is asked for stands in quotation marks."""
        quoted = {word for phrase in self.phrases for word in phrase}
        return bool(quoted) and all(word.word in quoted for word in self.words)


def parse_query(text: str) -> Query:
    """Parse what was asked; raises InputError (EMPTY_QUERY, QUERY_TOO_LONG)."""
    if len(text) > LONGEST:
        step = "Ask for the few words that the passage must hold."
        raise InputError(f"the query has {len(text)} characters; {LONGEST} are allowed", step, code="QUERY_TOO_LONG")
    examples = _EXAMPLES.findall(text)
    asked = _EXAMPLES.sub(" ", text)
    pointers = parse_pointers(asked)
    quoted = ["".join(groups) for groups in _QUOTED.findall(asked)]
    phrases = tuple(phrase for part in quoted if len(phrase := tuple(words(searchable(part)))) > 1)
    pointing = {word for pointer in pointers for word in words(searchable(pointer.text))}
    collected = _Words({word for phrase in phrases for word in phrase}, pointing)
    collected.beginnings.update(
        searchable(word) for word in _BEGINNING.findall(asked) if len(word) >= SHORTEST_BEGINNING
    )
    for sentence, weight in _sentences(asked):
        collected.add(sentence, weight)
    for example in examples:
        collected.add(example, FORM)
    if not collected.order:
        raise InputError(
            f"{text!r} holds no word to look for", "Ask for a word that the page holds.", code="EMPTY_QUERY"
        )
    asks = frozenset(kind for kind, pattern in ASKS.items() if pattern.search(asked))
    return Query(text, collected.entries(), tuple(collected.pairs), phrases, pointers, asks)


class _Words:
    """The words of a query as they are gathered, sentence by sentence."""

    def __init__(self, quoted: set[str], pointing: set[str]) -> None:
        self.quoted, self.pointing = quoted, pointing
        self.beginnings: set[str] = set()
        self.order: dict[str, int] = {}
        self.weights: list[float] = []
        self.pairs: dict[tuple[int, int], None] = {}

    def add(self, sentence: str, weight: float) -> None:
        previous = None
        for word in words(searchable(sentence)):
            index = self.order.setdefault(word, len(self.order))
            if index == len(self.weights):
                self.weights.append(0.0)
            self.weights[index] = max(self.weights[index], weight * self._share(word))
            if previous is not None and previous != index:
                self.pairs[previous, index] = None
            previous = index

    def _share(self, word: str) -> float:
        if word in self.quoted:
            return 1.0
        if word in self.pointing:
            return POINTING
        return FUNCTION if is_function_word(word) else 1.0

    def entries(self) -> tuple[QueryWord, ...]:
        return tuple(
            QueryWord(word, self.weights[index], _forms(word), word in self.beginnings, is_function_word(word))
            for word, index in self.order.items()
        )


def _sentences(text: str) -> Iterator[tuple[str, float]]:
    """Each sentence with its weight: where one asks, those that do not are asides, and those on the answer's form are less."""
    sentences = [part for part in _SENTENCE.split(text) if part and part.strip()]
    asks = [bool(_ASKS.search(part)) for part in sentences]
    forms = [bool(_FORM.match(part)) for part in sentences]
    for part, asking, form in zip(sentences, asks, forms, strict=True):
        if form and not all(forms):
            yield part, FORM
        else:
            yield part, 1.0 if asking or not any(asks) else ASIDE


def _forms(word: str) -> tuple[str, ...]:
    """``fy2022`` is also ``2022``: a year glued to an abbreviation is printed apart from it elsewhere."""
    if is_number(word) and word.isdigit():
        return ()
    return tuple(number for number in _DIGITS.findall(word) if len(number) == YEAR_DIGITS)
