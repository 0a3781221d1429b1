"""Page recall of search beside plain BM25 over pages, on questions with known evidence pages.

For every question of ``qa/financebench.json`` and ``qa/mmlongbench.json`` the document is known; the pages of that document are ranked by
``library.search``'s ranking and by a plain BM25 (k1 = 1.2, b = 0.75, runs of word characters in lower case, no stemming, no stop words).
Recall@k is the share of a question's evidence pages among the first k, averaged over questions. Search learns its weights from such questions
(``train_search``): each question is ranked by weights learned from documents of other families. *raw* are the weights set by hand from which
learning starts, *shipped* those in the package, which know these questions. On all sides, pages that hold nothing of the query follow the others in
page order (which is all there is to go by in a scan); ``library.search`` itself returns no such pages.
"""

from __future__ import annotations

import argparse
import math
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from benchmarks._qa import SETS, Question, documents, questions
from benchmarks.train_search import DEPTHS, START, fold_weights, samples_of
from pageindex.store.search.edition import EditionIndex
from pageindex.store.search.query import parse_query
from pageindex.store.search.rank import learned_weights, rank_pages

RESULTS = Path(__file__).parent / "results" / "search.md"
TARGETS = {"financebench": (0.75, 0.80), "mmlongbench": (0.70, 0.75)}

_WORD = re.compile(r"\w+")

Value = TypeVar("Value")
Recalls = Sequence[Mapping[int, float]]


class PlainBM25:
    """The baseline: BM25 over the pages of one document."""

    def __init__(self, pages: Sequence[str]) -> None:
        self.counts = [Counter(_WORD.findall(text.lower())) for text in pages]
        self.lengths = [sum(count.values()) for count in self.counts]
        self.average = sum(self.lengths) / len(pages) or 1.0
        self.having = Counter(word for count in self.counts for word in count)

    def rank(self, query: str) -> Sequence[int]:
        """All pages, best first; ties go to the earlier page."""
        scores = [0.0] * len(self.counts)
        for word in _WORD.findall(query.lower()):
            rarity = math.log(1 + (len(scores) - self.having[word] + 0.5) / (self.having[word] + 0.5))
            for index, count in enumerate(self.counts):
                if count[word]:
                    length = 1.2 * (0.25 + 0.75 * self.lengths[index] / self.average)
                    scores[index] += rarity * count[word] * 2.2 / (count[word] + length)
        return [index + 1 for index in sorted(range(len(scores)), key=lambda i: -scores[i])]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--cache", type=Path, help="a file in which editions and trees are kept between runs")


def run(options: argparse.Namespace) -> int:
    if options.corpus is None:
        print("--corpus is needed")
        return 2
    asked = list(questions(options.corpus))
    files = sorted({question.file for question in asked})
    made = documents(options.corpus, files, options.cache)
    build, indexes = _timed(lambda: {file: EditionIndex(*made[file]) for file in files})
    plain = {file: PlainBM25([page.text for page in made[file][0].pages]) for file in files}
    apart = fold_weights(samples_of(asked, indexes))

    def ours(weights: Sequence[Mapping[str, float]]) -> Recalls:
        return _recalls(asked, lambda i, question: _ranked(indexes[question.file], question.text, weights[i]))

    ways: dict[str, Recalls] = {
        "BM25": _recalls(asked, lambda _, question: plain[question.file].rank(question.text)),
        "raw": ours([START] * len(asked)),
        "shipped": ours([learned_weights()] * len(asked)),
    }
    seconds, ways["learned"] = _timed(lambda: ours(apart))
    pages = sum(index.edition.page_count for index in indexes.values())
    longest = max(indexes.values(), key=lambda index: index.edition.page_count)
    parts = [_head(asked, len(files), pages)]
    parts += [_table(name, asked, ways) for name in SETS]
    parts.append(
        f"{seconds / len(asked) * 1000:.0f} ms CPU a question; {_slowest(longest, asked):.0f} ms in the longest document "
        f"({longest.edition.page_count} pages). Index of one edition, in memory: {build / pages * 120 * 1000:.0f} ms per 120 pages.\n"
    )
    text = "\n".join(parts)
    print(text)
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(text, encoding="utf-8")
    return 0


def _ranked(index: EditionIndex, query: str, weights: Mapping[str, float]) -> Sequence[int]:
    found = [score.page for score in rank_pages(index, parse_query(query), weights)]
    rest = set(range(1, index.edition.page_count + 1)) - set(found)
    return [*found, *sorted(rest)]


def _slowest(index: EditionIndex, asked: Sequence[Question]) -> float:
    """Mean milliseconds of a question in one document, whatever it asks."""
    queries = [parse_query(question.text) for question in asked[:: max(1, len(asked) // 60)]]
    seconds, _ = _timed(lambda: [rank_pages(index, query) for query in queries])
    return seconds / len(queries) * 1000


def _timed(work: Callable[[], Value]) -> tuple[float, Value]:
    start = time.process_time()
    value = work()
    return time.process_time() - start, value


def _recalls(asked: Sequence[Question], ranker: Callable[[int, Question], Sequence[int]]) -> Recalls:
    """For each question, recall at each depth."""
    recalls = []
    for i, question in enumerate(asked):
        ranked, pages = ranker(i, question), set(question.pages)
        recalls.append({k: len(pages & set(ranked[:k])) / len(pages) for k in DEPTHS})
    return recalls


def _head(asked: Sequence[Question], files: int, pages: int) -> str:
    counts = ", ".join(f"{sum(one.set == name for one in asked)} questions of {title}" for name, title in SETS.items())
    return (
        "## Search: page recall beside plain BM25\n\n"
        f"{counts}; {files} documents, {pages} pages; the document is known, the pages of all of it are ranked. Search ranks each question by "
        "weights learned from documents of other families (reports of one company are one). Pages that hold nothing of the question follow in "
        "page order, on both sides. No model, no vectors. Trees are built from the PDFs without a model. The words of statements and ratios that "
        "search knows were written by people who had read questions of these sets: figures on questions of other sets count.\n"
    )


def _table(name: str, asked: Sequence[Question], ways: Mapping[str, Recalls]) -> str:
    groups: dict[str, list[int]] = defaultdict(list)
    for index, question in enumerate(asked):
        if question.set == name:
            groups["**all**"].append(index)
            groups[question.kind].append(index)
    head = " | ".join(f"@{k} BM25 → ours" for k in DEPTHS)
    rows = [
        f"| {SETS[name]} | questions | {head} | ratio @5 | raw, shipped @5 |",
        "|---|---|" + "---|" * (len(DEPTHS) + 2),
    ]
    for group, members in groups.items():
        means = {
            way: {k: sum(found[i][k] for i in members) / len(members) for k in DEPTHS} for way, found in ways.items()
        }
        cells = [f"{means['BM25'][k]:.3f} → {means['learned'][k]:.3f}" for k in DEPTHS]
        ratio = means["learned"][5] / means["BM25"][5] if means["BM25"][5] else math.inf
        both = f"{means['raw'][5]:.3f}, {means['shipped'][5]:.3f}"
        rows.append(f"| {group} | {len(members)} | {' | '.join(cells)} | {ratio:.2f} | {both} |")
    least, aim = TARGETS[name]
    return "\n".join(rows) + f"\n\nTarget @5: at least {least}, aim {aim}, nowhere below BM25.\n"
