"""Ranking the pages of one document for a query: the weighted sum of what speaks for each (``signs``).

The weights are learned from questions with known answer pages by ``python -m benchmarks train_search``, which says what they are worth on
documents that they were not learned from.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from pageindex.store.search.edition import EditionIndex, Term
from pageindex.store.search.pointers import Place
from pageindex.store.search.query import Query
from pageindex.store.search.signs import SIGNS, page_signs, query_terms

__all__ = ["WEIGHTS_FILE", "PageScore", "Ranking", "learned_weights", "rank", "rank_pages"]

WEIGHTS_FILE = "weights.json"
#: What makes a page a hit at all: words, titles and places that are asked for. The others only order hits.
_FOUND = ("words", "title", "path", "rows", "items", "said", "pointed", "inside")


@dataclass(frozen=True, slots=True)
class PageScore:
    """A page's score, and the query's words that it holds or that its section's title does."""

    page: int
    score: float
    matched: frozenset[str]


@dataclass(frozen=True, slots=True)
class Ranking:
    """The pages of a document that hold anything of a query, best first; its words as the document prints them; the places pointed at."""

    pages: Sequence[PageScore]
    terms: Sequence[Term]
    places: Sequence[Place]


@cache
def learned_weights() -> Mapping[str, float]:
    """The weight of each sign, as learned."""
    known = json.loads(resources.files(__package__).joinpath(WEIGHTS_FILE).read_text(encoding="utf-8"))
    return {name: float(known[name]) for name in SIGNS}


def rank(index: EditionIndex, query: Query, weights: Mapping[str, float] | None = None) -> Ranking:
    """Rank the pages of a document; ties go to the earlier page."""
    terms = query_terms(index, query)
    signs = page_signs(index, query, terms)
    known = weights or learned_weights()
    used = [(signs.of[name], known[name]) for name in SIGNS if known[name]]
    found = [signs.of[name] for name in _FOUND]
    scores = []
    for i in range(index.edition.page_count):
        if any(values[i] for values in found):
            score = sum(values[i] * weight for values, weight in used)
            scores.append(PageScore(i + 1, score, frozenset(term.word for term in terms if i + 1 in term.counts)))
    return Ranking(sorted(scores, key=lambda one: (-one.score, one.page)), terms, signs.places)


def rank_pages(index: EditionIndex, query: Query, weights: Mapping[str, float] | None = None) -> Sequence[PageScore]:
    """The pages that hold anything of the query, best first."""
    return rank(index, query, weights).pages
