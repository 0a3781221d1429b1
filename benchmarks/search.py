"""Page recall of search beside plain BM25 over pages, on questions with known evidence pages.

For every question of ``qa/financebench.json`` and ``qa/mmlongbench.json`` the document is known; the pages of that document are ranked by
``library.search``'s ranking and by a plain BM25 (k1 = 1.2, b = 0.75, runs of word characters in lower case, no stemming, no stop words).
Recall@k is the share of a question's evidence pages among the first k, averaged over questions. On both sides, pages that hold nothing of the query follow the others in page order (which is all there is to go by in
a scan); ``library.search`` itself returns no such pages.
"""

from __future__ import annotations

import argparse
import json
import math
import pickle
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pageindex.document import Edition, Tree
from pageindex.store.search.edition import EditionIndex
from pageindex.store.search.query import parse_query
from pageindex.store.search.rank import rank_pages

RESULTS = Path(__file__).parent / "results" / "search.md"
DEPTHS = (1, 3, 5, 10)
SETS = {"financebench": "FinanceBench", "mmlongbench": "MMLongBench"}
TARGETS = {"financebench": 1.3, "mmlongbench": 1.12}

_WORD = re.compile(r"\w+")

Value = TypeVar("Value")
Ranker = Callable[[str, str], Sequence[int]]


@dataclass(frozen=True, slots=True)
class Question:
    """A question over one document, and the pages that answer it."""

    file: str
    text: str
    pages: frozenset[int]
    kind: str


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
    questions = {name: list(_questions(options.corpus, name)) for name in SETS}
    files = sorted({question.file for asked in questions.values() for question in asked})
    documents = _documents(options.corpus, files, options.cache)
    build, indexes = _timed(lambda: {file: EditionIndex(*documents[file]) for file in files})
    pages = sum(index.edition.page_count for index in indexes.values())
    plain = {file: PlainBM25([page.text for page in documents[file][0].pages]) for file in files}

    def ours(file: str, query: str) -> Sequence[int]:
        found = [score.page for score in rank_pages(indexes[file], parse_query(query))]
        rest = set(range(1, indexes[file].edition.page_count + 1)) - set(found)
        return [*found, *sorted(rest)]

    parts = [_head(questions, len(files), pages)]
    for name, asked in questions.items():
        seconds, after = _timed(lambda asked=asked: _recalls(ours, asked))  # type: ignore[misc]
        before = _recalls(lambda file, query: plain[file].rank(query), asked)
        parts.append(_table(name, asked, before, after, seconds))
    parts.append(f"Index of one edition, in memory: {build / pages * 120 * 1000:.0f} ms per 120 pages.\n")
    text = "\n".join(parts)
    print(text)
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(text, encoding="utf-8")
    return 0


def _questions(corpus: Path, name: str) -> Iterator[Question]:
    """The questions with evidence pages whose document is there."""
    for item in json.loads((corpus / "qa" / f"{name}.json").read_text(encoding="utf-8")):
        pages = item.get("evidence_pages") or [evidence["page"] for evidence in item.get("evidence", ())]
        if pages and (corpus / item["file"]).exists():
            yield Question(item["file"], item["question"], frozenset(pages), item.get("type") or item["doc_type"])


def _documents(corpus: Path, files: Sequence[str], cache: Path | None) -> Mapping[str, tuple[Edition, Tree]]:
    from pageindex.reading import read
    from pageindex.structure import build_tree

    if cache is not None and cache.exists():
        kept: dict[str, tuple[Edition, Tree]] = pickle.loads(cache.read_bytes())
        if set(files) <= set(kept):
            return kept
    documents = {}
    for file in files:
        edition = read(corpus / file)
        documents[file] = (edition, build_tree(edition))
    if cache is not None:
        cache.write_bytes(pickle.dumps(documents))
    return documents


def _timed(work: Callable[[], Value]) -> tuple[float, Value]:
    start = time.process_time()
    value = work()
    return time.process_time() - start, value


def _recalls(ranker: Ranker, questions: Sequence[Question]) -> Sequence[Mapping[int, float]]:
    """For each question, recall at each depth."""
    recalls = []
    for question in questions:
        ranked = ranker(question.file, question.text)
        recalls.append({k: len(question.pages & set(ranked[:k])) / len(question.pages) for k in DEPTHS})
    return recalls


def _head(questions: Mapping[str, Sequence[Question]], files: int, pages: int) -> str:
    counts = ", ".join(f"{len(asked)} questions of {SETS[name]}" for name, asked in questions.items())
    return (
        "## Search: page recall beside plain BM25\n\n"
        f"{counts}; {files} documents, {pages} pages; the document is known, the pages of all of it are ranked. "
        "Pages that hold nothing of the question follow in page order, on both sides. No model, no vectors. Trees are built from the PDFs without a model.\n"
    )


def _table(
    name: str,
    questions: Sequence[Question],
    before: Sequence[Mapping[int, float]],
    after: Sequence[Mapping[int, float]],
    seconds: float,
) -> str:
    groups: dict[str, list[int]] = defaultdict(list)
    for index, question in enumerate(questions):
        groups["**all**"].append(index)
        groups[question.kind].append(index)
    head = " | ".join(f"@{k} BM25 → ours" for k in DEPTHS)
    rows = [f"| {SETS[name]} | questions | {head} | ratio @5 |", "|---|---|" + "---|" * (len(DEPTHS) + 1)]
    for group, members in groups.items():
        cells, ratio = [], 0.0
        for k in DEPTHS:
            old, new = (sum(part[i][k] for i in members) / len(members) for part in (before, after))
            cells.append(f"{old:.3f} → {new:.3f}")
            ratio = (new / old if old else math.inf) if k == 5 else ratio
        rows.append(f"| {group} | {len(members)} | {' | '.join(cells)} | {ratio:.2f} |")
    note = f"Target: ratio @5 at least {TARGETS[name]}, nowhere below BM25. {seconds / len(questions) * 1000:.0f} ms CPU a question."
    return "\n".join(rows) + f"\n\n{note}\n"
