"""Which passages of the pages that were found answer a question best.

A passage is worth what its page is, as the ranking of pages has it, and what it holds of the question itself: its words, those over its columns
and of its section's title, neighbouring words that are neighbours in the question, a line of a statement that prints an item asked for, what its
neighbours hold. Dear passages must hold more than cheap ones. The weights are rounded from ones learned on questions with known answers; the
sum is on the scale of a log-likelihood.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pageindex.app.document import OpenDocument
from pageindex.app.search import PageHit
from pageindex.document import Passage, PassageKind
from pageindex.errors import InputError
from pageindex.store.search.concepts import sought
from pageindex.store.search.query import Query, parse_query
from pageindex.store.search.wording import searchable
from pageindex.text.passages import heads_words, passage_words
from pageindex.text.words import Stemmer, is_number, words

__all__ = ["RankedPassage", "rank_passages"]

OWN, HEADS, TITLE = 2.0, 0.8, 0.4
PAIRS, ITEM, NEAR, LONG, DEAR = 0.8, 0.8, 0.5, 0.8, -0.5
PAGE = 2.0  #: Of the page's log-likelihood.
SHARPNESS = 5.0  #: What a difference of page scores means, as in the training of their weights.
LEAST_PAGE = -6.0  #: Log-likelihood below which pages are alike.
LONG_WORDS = 150  #: Of a passage that says all that it can.
FIXED_COST = 7  #: Words that the number of a passage and its place cost.
HEADING = -2.0  #: A heading names what it does not say.


@dataclass(frozen=True, slots=True)
class RankedPassage:
    """A passage that may answer.

    Attributes:
        document, passage: What and where.
        score: Comparable within one result only.
        share: How likely it is beside the best passage of the result: 0 to 1.
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
    own: Sequence[str]  # words
    stems: Sequence[str]
    heads: frozenset[str]
    title: frozenset[str]


def rank_passages(question: str, pages: Iterable[tuple[OpenDocument, PageHit]]) -> list[RankedPassage]:
    """The passages of some pages, best first; ties in the order of the pages."""
    by_page = [list(_candidates(document, hit)) for document, hit in pages]
    found = [one for page in by_page for one in page]
    if not found:
        return []
    asked = _Asked.of(question, found)
    likely = _likelihoods([page[0].page_score for page in by_page if page])
    made: list[tuple[float, _Candidate]] = []
    for page in by_page:
        shares = [asked.share(one.stems) for one in page]
        for i, one in enumerate(page):
            around = max([*shares[max(0, i - 1) : i], *shares[i + 1 : i + 2], 0.0])
            score = asked.score(one, shares[i], around) + PAGE * likely[one.page_score]
            made.append((score, one))
    best = max(score for score, _ in made)
    ranked = [RankedPassage(one.document, one.passage, score, math.exp(score - best)) for score, one in made]
    return sorted(ranked, key=lambda one: -one.score)


def _candidates(document: OpenDocument, hit: PageHit) -> Iterator[_Candidate]:
    stemmer = Stemmer(document.tree.language)
    for passage in document.passages(hit.page):
        own = words(searchable(passage_words(document.edition, passage)))
        title = document.tree.by_id[passage.section].title
        yield _Candidate(
            document,
            passage,
            hit.score,
            own,
            _stems(own, stemmer),
            frozenset(_stems(words(searchable(heads_words(document.edition, passage))), stemmer)),
            frozenset(_stems(words(searchable(title)), stemmer)),
        )


def _stems(found: Sequence[str], stemmer: Stemmer) -> list[str]:
    return [stemmer.stem(word) if len(word) > 2 else word for word in found]


def _likelihoods(scores: Sequence[float]) -> Mapping[float, float]:
    """The log-likelihood of each page score among all."""
    best = max(scores)
    total = math.log(math.fsum(math.exp(SHARPNESS * (score - best)) for score in scores))
    return {score: max(LEAST_PAGE, SHARPNESS * (score - best) - total) for score in scores}


@dataclass(frozen=True)
class _Asked:
    """A question as the passages that were found see it."""

    worth: Mapping[str, float]
    total: float
    pairs: Mapping[tuple[str, str], float]
    all_pairs: float
    items: frozenset[tuple[str, ...]]

    @classmethod
    def of(cls, question: str, found: Sequence[_Candidate]) -> _Asked:
        try:
            query = parse_query(question)
        except InputError:
            return cls({}, 1.0, {}, 1.0, frozenset())
        stemmer = Stemmer(found[0].document.tree.language)
        stems = _stems([word.word for word in query.words], stemmer)
        having = Counter(stem for one in found for stem in {*one.stems, *one.heads})
        worth: dict[str, float] = {}
        for stem, word in zip(stems, query.words, strict=True):
            for form in (stem, *word.forms):
                if having[form]:
                    rarity = math.log(1 + (len(found) - having[form] + 0.5) / (having[form] + 0.5))
                    worth[form] = max(worth.get(form, 0.0), rarity * word.weight)
        pairs = _pairs(query, stems, worth)
        items = frozenset(phrase for item in sought([word.word for word in query.words]).items for phrase in item)
        return cls(worth, math.fsum(worth.values()) or 1.0, pairs, math.fsum(pairs.values()) or 1.0, items)

    def share(self, stems: Iterable[str]) -> float:
        """The share of the question that some words hold."""
        return math.fsum(self.worth.get(stem, 0.0) for stem in set(stems)) / self.total

    def score(self, one: _Candidate, own: float, around: float) -> float:
        """What speaks for a passage beside its page."""
        known = frozenset(one.stems)
        length = len(one.own)
        near = math.fsum(self.pairs.get(pair, 0.0) for pair in set(zip(one.stems, one.stems[1:], strict=False)))
        return (
            OWN * own
            + HEADS * self.share(one.heads - known)
            + TITLE * self.share(one.title - known)
            + PAIRS * near / self.all_pairs
            + ITEM * self._prints_item(one.own)
            + NEAR * around
            + LONG * min(1.0, length / LONG_WORDS)
            + DEAR * math.log(length + FIXED_COST)
            + (HEADING if one.passage.kind is PassageKind.HEADING else 0.0)
        )

    def _prints_item(self, own: Sequence[str]) -> bool:
        """Whether a passage is the line of a statement that prints an item asked for, with its figures."""
        return any(tuple(own[: len(phrase)]) == phrase for phrase in self.items) and any(map(is_number, own))


def _pairs(query: Query, stems: Sequence[str], worth: Mapping[str, float]) -> dict[tuple[str, str], float]:
    """Neighbouring words of the question that say something."""
    return {
        (stems[a], stems[b]): min(worth[stems[a]], worth[stems[b]])
        for a, b in query.pairs
        if stems[a] in worth and stems[b] in worth and not query.words[a].function and not query.words[b].function
    }
