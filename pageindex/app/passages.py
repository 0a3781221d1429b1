"""Passages by number: what a reader was shown under ``[3]``, and which passages answer a question best."""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pageindex.app.document import OpenDocument
from pageindex.app.search import PageHit
from pageindex.document import Passage, PassageKind
from pageindex.errors import EvidenceError
from pageindex.text import normal
from pageindex.text.passages import heads_words, passage_words
from pageindex.text.words import Stemmer, words

__all__ = ["Given", "PassageBook", "RankedPassage", "rank_passages"]

K1, B = 1.2, 0.75  #: BM25's usual constants.
_TITLE = 0.6  #: What a word counts that stands in the section's title, or over the columns of a row.
_PAGE = 0.5  #: What the page's own score counts beside the best passage's, which counts 1.
_SLIGHT = 0.25  #: Of a heading, which names what it does not say.
_LEAST_WORDS = 8  # a passage of fewer is as dear as one of so many


@dataclass(frozen=True, slots=True)
class Given:
    """A passage that was shown under a number.

    Attributes:
        number: In its session, from 1.
        doc_id, edition: The document, and the edition that was read.
        passage: The passage.
    """

    number: int
    doc_id: str
    edition: str
    passage: Passage


class PassageBook:
    """The numbers of one session: a passage keeps its number, and a number its passage. Safe to share between threads."""

    def __init__(self) -> None:
        self._given: dict[int, Given] = {}
        self._numbers: dict[tuple[str, int, int, int], int] = {}
        self._last = 0
        self._lock = threading.Lock()

    def number(self, document: OpenDocument, passage: Passage) -> int:
        """The number of a passage; the next one for a passage that has none."""
        edition = document.record.edition.id
        with self._lock:
            known = self._numbers.get(_key(edition, passage))
            return known or self._put(Given(self._last + 1, document.doc_id, edition, passage))

    def recall(self, number: int, document: OpenDocument, passage: Passage) -> bool:
        """Give a passage the number it had in an earlier conversation; False where one of the two is taken."""
        edition = document.record.edition.id
        with self._lock:
            if number in self._given or _key(edition, passage) in self._numbers:
                return self._numbers.get(_key(edition, passage)) == number
            self._put(Given(number, document.doc_id, edition, passage))
            return True

    def get(self, number: int) -> Given | None:
        """What stands under a number; None for one that was never given."""
        return self._given.get(number)

    def __contains__(self, number: object) -> bool:
        return number in self._given

    def __len__(self) -> int:
        return len(self._given)

    def _put(self, given: Given) -> int:
        self._given[given.number] = given
        self._numbers[_key(given.edition, given.passage)] = given.number
        self._last = max(self._last, given.number)
        return given.number

    def to_json(self) -> list[list[Any]]:
        """``[[number, doc_id, edition, page, start, end, kind, section, heads], …]``."""
        return [
            [
                one.number,
                one.doc_id,
                one.edition,
                p.page,
                p.start,
                p.end,
                p.kind.value,
                p.section,
                [*map(list, p.heads)],
            ]
            for one in self._given.values()
            for p in (one.passage,)
        ]

    def restore(self, rows: Sequence[Sequence[Any]]) -> None:
        """Inverse of ``to_json``, into an empty book; raises EvidenceError (CORRUPT_LEDGER) on anything else."""
        try:
            for number, doc_id, edition, page, start, end, kind, section, heads in rows:
                places = tuple((int(low), int(high)) for low, high in heads)
                passage = Passage(int(page), int(start), int(end), PassageKind(kind), str(section), places)
                self._put(Given(int(number), str(doc_id), str(edition), passage))
        except (TypeError, ValueError) as error:
            message = f"these are no passages of a session: {error}"
            raise EvidenceError(message, "Start a new session.", code="CORRUPT_LEDGER") from error


def _key(edition: str, passage: Passage) -> tuple[str, int, int, int]:
    return (edition, passage.page, passage.start, passage.end)


# ---------------------------------------------------------------- ranking


@dataclass(frozen=True, slots=True)
class RankedPassage:
    """A passage that may answer.

    Attributes:
        document, passage: What and where.
        score: Comparable within one result only.
        share: How much of the question its words hold, beside the best passage of the result: 0 to 1.
    """

    document: OpenDocument
    passage: Passage
    score: float
    share: float


@dataclass(frozen=True, slots=True)
class _Candidate:
    document: OpenDocument
    passage: Passage
    page_score: float
    counts: Mapping[str, float]
    length: int


def rank_passages(question: str, pages: Iterable[tuple[OpenDocument, PageHit]]) -> list[RankedPassage]:
    """The passages of some pages, best first: BM25 over passages, each with its section's title and its column heads, and the page's own score."""
    found = [one for document, hit in pages for one in _candidates(document, hit)]
    if not found:
        return []
    asked = _asked(question, found[0].document)
    having = Counter(word for one in found for word in asked if word in one.counts)
    rarity = {word: math.log(1 + (len(found) - n + 0.5) / (n + 0.5)) for word, n in having.items()}
    average = sum(one.length for one in found) / len(found)
    scores = [
        _bm25(one, rarity, average) * (_SLIGHT if one.passage.kind is PassageKind.HEADING else 1.0) for one in found
    ]
    best, best_page = max(scores) or 1.0, max(one.page_score for one in found) or 1.0
    made = [
        RankedPassage(one.document, one.passage, score / best + _PAGE * one.page_score / best_page, score / best)
        for one, score in zip(found, scores, strict=True)
    ]
    return sorted(made, key=lambda one: -one.score)


def _candidates(document: OpenDocument, hit: PageHit) -> Iterator[_Candidate]:
    stemmer = Stemmer(document.tree.language)
    for passage in document.passages(hit.page):
        own = _stems(passage_words(document.edition, passage), stemmer)
        title = document.tree.by_id[passage.section].title
        around = _stems(f"{title} {heads_words(document.edition, passage)}", stemmer)
        counts: dict[str, float] = dict(Counter(own))
        for word in around:
            counts[word] = max(counts.get(word, 0.0), _TITLE)
        yield _Candidate(document, passage, hit.score, counts, max(_LEAST_WORDS, len(own)))


def _asked(question: str, document: OpenDocument) -> set[str]:
    return set(_stems(question, Stemmer(document.tree.language)))


def _stems(text: str, stemmer: Stemmer) -> list[str]:
    return [stemmer.stem(word) if word.isalpha() and len(word) > 2 else word for word in words(normal.search(text))]


def _bm25(one: _Candidate, rarity: Mapping[str, float], average: float) -> float:
    norm = K1 * (1 - B + B * one.length / average)
    return sum(
        weight * one.counts[word] / (one.counts[word] + norm) for word, weight in rarity.items() if word in one.counts
    )
