"""What speaks for each page of a document as the answer to a query, as numbers between 0 and about 1.

The frame is BM25 over pages (Robertson & Zaragoza, "The Probabilistic Relevance Framework", 2009), each word weighing what its rarity
in this document makes it weigh. The other signs see what plain word counts cannot:

- **words**: BM25. **near**: that of the neighbours, since a passage runs over the page's end.
- **window**: the share of the question that some lines on end hold, as much as a paragraph.
- **pairs**: the share of the question's neighbouring words that are neighbours on the page.
- **line**: one printed line that holds much of the question and little else: a heading, a row of a table, a definition. Its words'
  weight times the share of the line they are. **head**: the same for the first lines of the page, **title** for the titles of sections
  that begin there, **path** for those of the sections around it.
- **quoted**: the share of the quoted phrases that stand there; more where the query is nothing else.
- **figures**: the share of digits, where the question asks for an amount. Amounts stand in tables.
- **rows**: the share of the items asked for, or that a ratio asked for is made of, that begin a line with figures behind; **items**: that stand
  there at all; **statement**: whether the page's head names the statement that has them. **said**: other words for what is asked.
- **pointed**: the query names the page, or something whose caption or title stands there; **inside**: the page is further inside.
- **picture**: little text and much that is drawn, where something that is seen is asked for.
- **opening**: the first page, where facts of the document as a whole are asked for.
- **listing**: contents and index pages, which match everything and say nothing, unless they are asked for.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pageindex.document import Page, PageState
from pageindex.store.search.concepts import Sought, sought
from pageindex.store.search.edition import EditionIndex, Term
from pageindex.store.search.pointers import Place, locate
from pageindex.store.search.query import Query
from pageindex.store.search.vocabulary import Ask
from pageindex.text.words import is_number

__all__ = ["SIGNS", "Signs", "page_signs", "query_terms", "worth_of"]

SIGNS = (
    "words", "near", "window", "pairs", "line", "head", "title", "path", "quoted", "figures", "rows", "items", "statement", "said",
    "pointed", "inside", "picture", "opening", "listing",
)  # fmt: skip

NOTHING_ELSE = 4.0  #: Times which a quoted phrase counts where nothing else is asked for.
MISSPELLED = 0.5  #: Weight of words that are only spelled almost as the one asked for.
K1, B = 1.2, 0.75  #: BM25's usual constants.
LOOKED_AT = 60  #: Pages, best first by word counts, whose lines are looked at.
HEAD_LINES, HEAD_WORDS = 6, 12
STATEMENT_LINES = 10
SHORTEST_LINE = 2  #: Words; a line of a single one is no whole match.
WINDOW_WORDS = 80  #: Of a passage.
DIGITS_OF_A_TABLE = 0.2  #: Share of digits at which a page is all figures.
SCRAPS = 15  #: Words of a folio and a stamp.
FEW_WORDS = 60  #: On a page that is mostly picture.


@dataclass(frozen=True, slots=True)
class Signs:
    """The signs of all pages, in page order by name, and the places pointed at."""

    of: Mapping[str, list[float]]
    places: Sequence[Place]

    def row(self, page: int) -> list[float]:
        """The signs of one page, in the order of ``SIGNS``."""
        return [self.of[name][page - 1] for name in SIGNS]


def query_terms(index: EditionIndex, query: Query) -> Sequence[Term]:
    """The query's words as the document prints them; a word that it has not, as the words spelled almost like it."""
    terms = []
    for word in query.words:
        term = index.term(word.word, word.weight, word.forms, beginning=word.beginning, function=word.function)
        if word.telling and not term.counts and not term.forms & index.title_words and (near := index.near(word.word)):
            term = replace(index.term(word.word, word.weight * MISSPELLED, near), near=tuple(near))
        terms.append(term)
    return terms


def worth_of(index: EditionIndex, terms: Sequence[Term]) -> Mapping[str, float]:
    """The weight of each word that occurs: its weight in the query times its rarity in the document."""
    pages = index.edition.page_count
    return {term.word: term.weight * _rarity(pages, len(term.counts)) for term in terms if term.counts}


def page_signs(index: EditionIndex, query: Query, terms: Sequence[Term]) -> Signs:
    """What speaks for each page."""
    asked = _Asked.of(index, query, terms)
    signs = {name: [0.0] * index.edition.page_count for name in SIGNS}
    signs["words"] = _bm25(index, terms, asked)
    _mark_meant(index, asked, signs)
    _mark_titles(index, asked, signs)
    places = locate(query.pointers, index.pointable) if query.pointers else ()
    for place in places:
        name = "inside" if place.inner else "pointed"
        signs[name][place.page - 1] = 1.0 if not place.inner else max(signs[name][place.page - 1], 0.5)
    for phrase in query.phrases:
        for page in index.pages_with(phrase, whole=True):
            signs["quoted"][page - 1] += (NOTHING_ELSE if query.only_quoted else 1.0) / len(query.phrases)
    for i in _candidates(signs):
        _mark_lines(index, i + 1, asked, signs)
    _mark_pages(index, asked, signs)
    return Signs(signs, places)


@dataclass(frozen=True)
class _Asked:
    """A query as one document sees it."""

    worth: Mapping[str, float]
    total: float
    by_form: Mapping[str, str]
    pairs: Mapping[tuple[str, str], float]
    all_pairs: float
    meant: Sought
    firsts: Mapping[str, tuple[tuple[int, tuple[str, ...]], ...]]
    asks: frozenset[Ask]
    amount: bool

    @classmethod
    def of(cls, index: EditionIndex, query: Query, terms: Sequence[Term]) -> _Asked:
        worth = worth_of(index, terms)
        pairs = {}
        for a, b in query.pairs:
            first, second = query.words[a], query.words[b]
            if not first.function and not second.function and first.word in worth and second.word in worth:
                pairs[first.word, second.word] = min(worth[first.word], worth[second.word])
        meant = sought([word.word for word in query.words])
        by_form = {form: term.word for term in terms for form in term.forms}
        amount = Ask.AMOUNT in query.asks or bool(meant.items) or any(is_number(form) for form in by_form)
        firsts: dict[str, list[tuple[int, tuple[str, ...]]]] = {}
        for number, item in enumerate(meant.items):
            for phrase in item:
                firsts.setdefault(phrase[0], []).append((number, phrase))
        return cls(
            worth,
            math.fsum(worth.values()) or 1.0,
            by_form,
            pairs,
            math.fsum(pairs.values()) or 1.0,
            meant,
            {word: tuple(found) for word, found in firsts.items()},
            query.asks,
            amount,
        )


def _rarity(pages: int, having: int) -> float:
    return math.log(1 + (pages - having + 0.5) / (having + 0.5))


def _bm25(index: EditionIndex, terms: Sequence[Term], asked: _Asked) -> list[float]:
    scores = [0.0] * index.edition.page_count
    average = index.average_length
    for term in terms:
        for page, count in term.counts.items():
            length = K1 * (1 - B + B * index.lengths[page - 1] / average)
            scores[page - 1] += asked.worth[term.word] * count / (count + length) / asked.total
    return scores


def _mark_meant(index: EditionIndex, asked: _Asked, signs: Mapping[str, list[float]]) -> None:
    """Items, and other words for what is asked, wherever they stand."""
    for item in asked.meant.items:
        for page in {page for phrase in item for page in index.pages_with(phrase)}:
            signs["items"][page - 1] += 1 / len(asked.meant.items)
    having = [index.pages_with(phrase) for phrase in asked.meant.said]
    rarities = [_rarity(index.edition.page_count, len(pages)) if pages else 0.0 for pages in having]
    total = math.fsum(rarities) or 1.0
    for pages, rarity in zip(having, rarities, strict=True):
        for page in pages:
            signs["said"][page - 1] += rarity / total


def _candidates(signs: Mapping[str, list[float]]) -> Sequence[int]:
    """The pages whose lines are worth a look, as indexes."""
    names = ("words", "title", "path", "items", "said", "pointed", "quoted")
    rough = [sum(values) for values in zip(*(signs[name] for name in names), strict=True)]
    order = sorted(range(len(rough)), key=lambda i: -rough[i])[:LOOKED_AT]
    return [i for i in order if rough[i]]


# ---------------------------------------------------------------- lines


def _mark_lines(index: EditionIndex, page: int, asked: _Asked, signs: Mapping[str, list[float]]) -> None:
    """The signs that lines give: lines, windows, pairs, rows, heads."""
    lines, i = index.lines(page), page - 1
    found = [frozenset(asked.by_form[word] for word in line if word in asked.by_form) for line in lines]
    line, head = _best_lines(lines, found, asked)
    signs["line"][i], signs["head"][i] = line / asked.total, head / asked.total
    signs["window"][i] = _best_window(lines, found, asked.worth) / asked.total
    flow = [word for line in lines for word in line]
    signs["pairs"][i] = math.fsum(asked.pairs[pair] for pair in _pairs_on(flow, asked)) / asked.all_pairs
    if asked.meant.items:
        signs["rows"][i] = len(_rows(lines, asked)) / len(asked.meant.items)
    if asked.meant.statements:
        top = [word for line in lines[:STATEMENT_LINES] for word in line]
        signs["statement"][i] = float(any(_holds(top, head_words) for head_words in asked.meant.statements))


def _best_lines(lines: Sequence[Sequence[str]], found: Sequence[frozenset[str]], asked: _Asked) -> tuple[float, float]:
    """The best line of a page, and the best of its first ones."""
    best = head = 0.0
    for number, (line, hits) in enumerate(zip(lines, found, strict=True)):
        if not hits:
            continue
        upper = math.fsum(asked.worth.get(word, 0.0) for word in hits if not is_number(word))
        early = number < HEAD_LINES and len(line) <= HEAD_WORDS
        if upper <= best and not (early and upper > head):
            continue
        value = _fit(frozenset(word for word in line if not is_number(word)), asked)
        best = max(best, value)
        head = max(head, value) if early else head
    return best, head


def _fit(line: frozenset[str], asked: _Asked) -> float:
    """What of the query a line or title holds, times the share of it that is of the query."""
    hits = [word for word in line if word in asked.by_form]
    if not hits:
        return 0.0
    value = math.fsum(asked.worth.get(word, 0.0) for word in {asked.by_form[hit] for hit in hits})
    return value * len(hits) / max(len(line), SHORTEST_LINE)


def _best_window(lines: Sequence[Sequence[str]], found: Sequence[frozenset[str]], worth: Mapping[str, float]) -> float:
    """The most that lines on end hold of the query, a passage's words at most."""
    counts: dict[str, int] = {}
    best = value = 0.0
    length = first = 0
    for line, hits in zip(lines, found, strict=True):
        length += len(line)
        for word in hits:
            counts[word] = counts.get(word, 0) + 1
            if counts[word] == 1:
                value += worth.get(word, 0.0)
        while length > WINDOW_WORDS and lines[first] is not line:
            length -= len(lines[first])
            for word in found[first]:
                counts[word] -= 1
                if not counts[word]:
                    value -= worth.get(word, 0.0)
            first += 1
        best = max(best, value)
    return best


def _pairs_on(flow: Sequence[str], asked: _Asked) -> frozenset[tuple[str, str]]:
    """The question's neighbours that are neighbours here, at most one word apart."""
    if not asked.pairs:
        return frozenset()
    present = set()
    before = earlier = ""
    for word in flow:
        term = asked.by_form.get(word, "")
        if term:
            present |= {pair for pair in ((before, term), (earlier, term)) if pair in asked.pairs}
        earlier, before = before, term
    return frozenset(present)


def _holds(flow: Sequence[str], phrase: tuple[str, ...]) -> bool:
    return any(tuple(flow[i : i + len(phrase)]) == phrase for i, word in enumerate(flow) if word == phrase[0])


def _rows(lines: Sequence[Sequence[str]], asked: _Asked) -> frozenset[int]:
    """The items that begin a line which has figures, or whose next line is of figures."""
    found = set()
    for number, line in enumerate(lines):
        for item, phrase in asked.firsts.get(line[0], ()):
            if tuple(line[: len(phrase)]) == phrase:
                following = lines[number + 1][:1] if number + 1 < len(lines) else ()
                if any(is_number(word) for word in (*line[len(phrase) :], *following)):
                    found.add(item)
    return frozenset(found)


# ---------------------------------------------------------------- titles and pages


def _mark_titles(index: EditionIndex, asked: _Asked, signs: Mapping[str, list[float]]) -> None:
    """The titles of the sections that begin on a page, and of those that a page is inside of."""
    count = len(signs["title"])
    for section, title in index.headings:
        value = _fit(title, asked) / asked.total
        if not value:
            continue
        first, last = section.start_index, min(section.end_index, count)
        signs["title"][first - 1] = max(signs["title"][first - 1], value)
        for page in range(first, last + 1):
            signs["path"][page - 1] = max(signs["path"][page - 1], value / math.sqrt(last - first + 1))


def _mark_pages(index: EditionIndex, asked: _Asked, signs: Mapping[str, list[float]]) -> None:
    """The signs of whole pages: figures, neighbours, pictures, openings, lists."""
    words = signs["words"]
    for i, page in enumerate(index.edition.pages):
        if asked.amount and page.state is PageState.TEXT and index.lengths[i] > SCRAPS:
            signs["figures"][i] = min(1.0, index.digit_shares[i] / DIGITS_OF_A_TABLE)
        signs["near"][i] = (sum(words[max(0, i - 1) : i]) + sum(words[i + 1 : i + 2])) / 2
        if Ask.PICTURE in asked.asks:
            signs["picture"][i] = _pictured(page, index.lengths[i])
    if Ask.DOCUMENT in asked.asks:
        signs["opening"][0] = 1.0
    for i in _candidates(signs):
        share = index.listing(i + 1)
        signs["listing"][i] = -share if Ask.CONTENTS in asked.asks else share


def _pictured(page: Page, length: int) -> float:
    drawn = bool(page.unread_parts) or page.has_flag("figure") or page.state is PageState.IMAGE_ONLY
    return (
        (0.5 if drawn else 0.0) + 0.5 * max(0.0, 1 - length / (4 * FEW_WORDS)) if drawn or length < FEW_WORDS else 0.0
    )
