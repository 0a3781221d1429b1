"""Ranking the pages of one document for a query, with what its sections, lines and page numbers say.

The frame is BM25 over pages (Robertson & Zaragoza, "The Probabilistic Relevance Framework", 2009), each word weighing what its rarity
in this document makes it weigh. Around it stand signs that plain word counts cannot see, each between 0 and about 1:

- **line**: one printed line that holds much of the question and little else: a heading, a row of a table, a definition. Its words'
  weight times the share of the line they are.
- **head**: the same for the first lines of the page, and **title** for the titles of sections that begin there, **path** for those of
  the sections around it: a page counts for its section.
- **figures**: the share of digits on the page, where the question has a number in it. Amounts stand in tables.
- **caption**: a line that begins with a word and number that stand side by side in the question ("Figure 4", "Section 3.3").
- **named**: the question names the page.
- **listing**, which counts against a page: the share of its lines that are words and a last small number, as on contents and index
  pages, which match everything and say nothing.
- **near**: the neighbours' scores, since a passage runs over the page's end.

``Weights`` were set by coordinate ascent on coarse steps (``benchmarks/search.py``), and rounded.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from pageindex.document import Page
from pageindex.store.search.edition import EditionIndex, Term
from pageindex.store.search.query import Query
from pageindex.text.words import is_number

__all__ = ["PageScore", "Weights", "page_signs", "query_terms", "rank_pages", "worth_of"]

K1, B = 1.2, 0.75  #: BM25's usual constants.
LOOKED_AT = 60  #: Pages, best first by word counts, whose lines are looked at.
HEAD_LINES, HEAD_WORDS = 6, 12
SHORTEST_LINE = 2  #: Words; a line of a single one is no whole match.
LISTING_LINES = 8  #: Lines below which a page is no list of contents.
LONGEST_FOLIO = 3  #: Digits of a page number.
DIGITS_OF_A_TABLE = 0.2  #: Share of digits at which a page is all figures.


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each sign counts beside BM25, which counts 1."""

    line: float = 1.0
    head: float = 0.8
    title: float = 1.0
    path: float = 0.4
    figures: float = 0.4
    caption: float = 0.2
    named: float = 0.8
    listing: float = -0.2
    near: float = 0.1


@dataclass(frozen=True, slots=True)
class PageScore:
    """A page's score, and the query's words that it holds or that its section's title does."""

    page: int
    score: float
    matched: frozenset[str]


def rank_pages(index: EditionIndex, query: Query, weights: Weights = Weights()) -> Sequence[PageScore]:
    """The pages that hold anything of the query, best first; ties go to the earlier page."""
    terms = query_terms(index, query)
    signs = page_signs(index, query, terms)
    allowed = _allowed(index, query, terms)
    scores = []
    for page in range(1, index.edition.page_count + 1):
        if allowed is not None and page not in allowed:
            continue
        score = signs["words"][page - 1]
        if not score and not any(signs[name][page - 1] for name in ("title", "path", "named")):
            continue
        score += sum(getattr(weights, f.name) * signs[f.name][page - 1] for f in fields(weights))
        scores.append(PageScore(page, score, frozenset(t.word for t in terms if page in t.counts)))
    return sorted(scores, key=lambda s: (-s.score, s.page))


def query_terms(index: EditionIndex, query: Query) -> Sequence[Term]:
    """The query's words as the document prints them."""
    return [index.term(word.word, word.weight, word.forms) for word in query.words]


def worth_of(index: EditionIndex, terms: Sequence[Term]) -> Mapping[str, float]:
    """The weight of each word that occurs: its weight in the query times its rarity in the document."""
    pages = index.edition.page_count
    return {term.word: term.weight * _rarity(pages, len(term.counts)) for term in terms if term.counts}


def page_signs(index: EditionIndex, query: Query, terms: Sequence[Term]) -> Mapping[str, list[float]]:
    """Each sign for each page, in page order."""
    count = index.edition.page_count
    worth = worth_of(index, terms)
    total = sum(worth.values()) or 1.0
    by_form = {form: term.word for term in terms for form in term.forms}
    signs = {f.name: [0.0] * count for f in fields(Weights)}
    signs["words"] = _bm25(index, terms, worth, total)
    order = sorted(range(count), key=lambda i: -signs["words"][i])[:LOOKED_AT]
    captions = _captions(query)
    for i in order:
        if signs["words"][i]:
            lines = index.lines(i + 1)
            line, head, caption = _lines(lines, worth, by_form, captions)
            signs["line"][i], signs["head"][i], signs["caption"][i] = line / total, head / total, caption
            signs["listing"][i] = _listing(lines)
    _titles(index, worth, by_form, total, signs)
    figures = any(is_number(form) for form in by_form)
    for i in range(count):
        signs["figures"][i] = min(1.0, index.digit_shares[i] / DIGITS_OF_A_TABLE) if figures else 0.0
        around = signs["words"][max(0, i - 1) : i] + signs["words"][i + 1 : i + 2]
        signs["near"][i] = sum(around) / 2
    for page in _named(index.edition.pages, query):
        signs["named"][page - 1] = 1.0
    return signs


def _rarity(pages: int, having: int) -> float:
    return math.log(1 + (pages - having + 0.5) / (having + 0.5))


def _bm25(index: EditionIndex, terms: Sequence[Term], worth: Mapping[str, float], total: float) -> list[float]:
    scores = [0.0] * index.edition.page_count
    average = index.average_length
    for term in terms:
        for page, count in term.counts.items():
            length = K1 * (1 - B + B * index.lengths[page - 1] / average)
            scores[page - 1] += worth[term.word] * count / (count + length) / total
    return scores


def _lines(
    lines: Sequence[Sequence[str]],
    worth: Mapping[str, float],
    by_form: Mapping[str, str],
    captions: frozenset[tuple[str, str]],
) -> tuple[float, float, float]:
    """The best line of a page, the best of its first ones, and whether one begins as a caption does."""
    best = head = caption = 0.0
    for number, line in enumerate(lines):
        if captions and len(line) > 1 and (line[0], line[1]) in captions:
            caption = 1.0
        found = {by_form[word] for word in line if word in by_form}
        upper = sum(worth.get(word, 0.0) for word in found if not is_number(word))
        early = number < HEAD_LINES and len(line) <= HEAD_WORDS
        if upper <= best and not (early and upper > head):
            continue
        value = _fit(frozenset(word for word in line if not is_number(word)), worth, by_form)
        best = max(best, value)
        head = max(head, value) if early else head
    return best, head, caption


def _listing(lines: Sequence[Sequence[str]]) -> float:
    """The share of lines that end, after words and at most a number of their own, in a small number."""
    if len(lines) <= LISTING_LINES:
        return 0.0
    entries = sum(
        len(line) > 1
        and line[-1].isdigit()
        and len(line[-1]) <= LONGEST_FOLIO
        and not is_number(line[0])
        and sum(map(str.isdigit, line)) <= 2
        for line in lines
    )
    return entries / len(lines)


def _fit(line: frozenset[str], worth: Mapping[str, float], by_form: Mapping[str, str]) -> float:
    """What of the query a line or title holds, times the share of it that is of the query."""
    hits = [word for word in line if word in by_form]
    if not hits:
        return 0.0
    value = sum(worth.get(word, 0.0) for word in {by_form[hit] for hit in hits})
    return value * len(hits) / max(len(line), SHORTEST_LINE)


def _titles(
    index: EditionIndex,
    worth: Mapping[str, float],
    by_form: Mapping[str, str],
    total: float,
    signs: Mapping[str, list[float]],
) -> None:
    """The titles of the sections that begin on a page, and of those that a page is inside of."""
    count = len(signs["title"])
    for section, title in index.headings:
        value = _fit(title, worth, by_form) / total
        if not value:
            continue
        first, last = section.start_index, min(section.end_index, count)
        signs["title"][first - 1] = max(signs["title"][first - 1], value)
        for page in range(first, last + 1):
            signs["path"][page - 1] = max(signs["path"][page - 1], value / math.sqrt(last - first + 1))


def _captions(query: Query) -> frozenset[tuple[str, str]]:
    """Word and number, side by side in the query."""
    pairs = ((query.words[a].word, query.words[b].word) for a, b in query.pairs)
    return frozenset((a, b) for a, b in pairs if is_number(b) and not is_number(a))


def _named(pages: Sequence[Page], query: Query) -> Sequence[int]:
    """Pages whose label or number the query names."""
    wanted = set(query.pages)
    return [p.number for p in pages if wanted and (str(p.number) in wanted or (p.label or "").lower() in wanted)]


def _allowed(index: EditionIndex, query: Query, terms: Sequence[Term]) -> frozenset[int] | None:
    """The pages that hold every quoted phrase; None where there is none."""
    if not query.phrases:
        return None
    counts = {term.word: term.counts for term in terms}
    allowed: frozenset[int] | None = None
    for phrase in query.phrases:
        pages = frozenset.intersection(*(frozenset(counts.get(word, {})) for word in phrase))
        pages = frozenset(page for page in pages if _holds(index, page, phrase))
        allowed = pages if allowed is None else allowed & pages
    return allowed


def _holds(index: EditionIndex, page: int, phrase: Sequence[str]) -> bool:
    text = [word for line in index.lines(page) for word in line]
    return any(tuple(text[i : i + len(phrase)]) == phrase for i, word in enumerate(text) if word == phrase[0])
