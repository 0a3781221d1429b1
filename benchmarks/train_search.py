"""Train the weights with which search sums up what speaks for a page, from questions with known answer pages.

The signs (``pageindex.store.search.signs``) are a few numbers per page; the weights make one score of them. They maximise the likelihood of the
answer's pages, each page drawn in proportion to ``exp(score)``, and are held near where they start, so that a sign that the questions hardly
try keeps its weight. No sign may count against its meaning. What they are worth is told on questions over documents that they were not
learned from: the documents are split by family (reports of one company are one), never at random. ``raw`` is the start, set by hand.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks._qa import SETS, Question, documents, questions
from pageindex.store.search.edition import EditionIndex
from pageindex.store.search.query import parse_query
from pageindex.store.search.rank import WEIGHTS_FILE
from pageindex.store.search.signs import SIGNS, page_signs, query_terms

__all__ = ["DEPTHS", "START", "add_arguments", "family", "fold_weights", "run", "samples_of"]

Array = npt.NDArray[np.float64]
OUTPUT = Path("pageindex/store/search") / WEIGHTS_FILE
DEPTHS = (1, 3, 5, 10)
FOLDS = 8
SHARPNESS = 5.0  #: What a difference of scores means, on the scale of the starting weights.
HOLD = 0.005  #: How strongly weights are held near their start.
STEPS, RATE = 150, 0.15
START: Mapping[str, float] = {
    "words": 1.0, "near": 0.1, "window": 0.3, "pairs": 0.2, "line": 1.0, "head": 0.8, "title": 1.0, "path": 0.4, "quoted": 0.8, "figures": 0.4,
    "rows": 0.8, "items": 0.2, "statement": 0.4, "said": 0.3, "pointed": 1.5, "inside": 0.4, "picture": 0.1, "opening": 0.3, "listing": -0.3,
}  # fmt: skip
#: Learned weights of places that a query names by number are not used: they must lead, and no set asks often enough to show it.
GIVEN: Mapping[str, float] = {"pointed": 1.5, "quoted": 0.8, "listing": -0.3}


@dataclass(frozen=True)
class Sample:
    """A question: the signs of each page of its document, and the answer's pages as indexes."""

    question: Question
    family: str
    rows: Array
    answer: npt.NDArray[np.int64]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--cache", type=Path, help="a file in which editions and trees are kept between runs")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="where the weights are written")


def run(options: argparse.Namespace) -> int:
    """Cross-validate, then train on everything and write the weights."""
    if options.corpus is None:
        print("--corpus is needed")
        return 2
    asked = list(questions(options.corpus))
    made = documents(options.corpus, sorted({question.file for question in asked}), options.cache)
    indexes = {file: EditionIndex(*made[file]) for file in made}
    samples = samples_of(asked, indexes)
    start = _vector(START)
    pairs = zip(samples, fold_weights(samples), strict=True)
    apart = [recalls(sample, _vector(weights)) for sample, weights in pairs]
    print(f"raw: {_figures(samples, [recalls(sample, start) for sample in samples])}")
    print(f"learned, other families: {_figures(samples, apart)}")
    weights = fit(samples)
    print(f"learned, the same questions: {_figures(samples, [recalls(sample, weights) for sample in samples])}")
    options.output.write_text(json.dumps(named(weights), indent=2) + "\n", encoding="utf-8")
    print(f"wrote {options.output}: {named(weights)}")
    return 0


def samples_of(asked: Sequence[Question], indexes: Mapping[str, EditionIndex]) -> list[Sample]:
    """The questions with the signs of their documents' pages."""
    samples = []
    for question in asked:
        index, query = indexes[question.file], parse_query(question.text)
        signs = page_signs(index, query, query_terms(index, query))
        pages = [page - 1 for page in question.pages if 1 <= page <= index.edition.page_count]
        rows = np.array([signs.of[name] for name in SIGNS]).T
        samples.append(Sample(question, family(question.file), rows, np.array(pages, dtype=np.int64)))
    return samples


def family(file: str) -> str:
    """What a document is kin to: the company of a report, which begins its file's name, else the document itself."""
    name = Path(file).stem
    parts = name.replace("_", "-").split("-")
    if parts[0] == "filing":
        return parts[2].lower()
    return parts[0].lower() if any(sign in name.upper() for sign in ("10K", "10Q", "8K", "EARNINGS")) else name.lower()


def fold_weights(samples: Sequence[Sample]) -> list[Mapping[str, float]]:
    """For each question, weights learned from documents of other families."""
    families = sorted({sample.family for sample in samples})
    fold_of = {name: i % FOLDS for i, name in enumerate(families)}
    learned = [named(fit([sample for sample in samples if fold_of[sample.family] != fold])) for fold in range(FOLDS)]
    return [learned[fold_of[sample.family]] for sample in samples]


def named(weights: Array) -> Mapping[str, float]:
    """Weights by sign."""
    return {name: round(float(weight), 2) for name, weight in zip(SIGNS, weights, strict=True)}


def recalls(sample: Sample, weights: Array) -> list[float]:
    """The share of the answer's pages among the first pages, at each depth."""
    order = np.argsort(-(sample.rows @ weights), kind="stable")
    wanted = set(sample.answer.tolist())
    return [len(wanted & set(order[:depth].tolist())) / len(sample.question.pages) for depth in DEPTHS]


def fit(samples: Sequence[Sample]) -> Array:
    """The weights that make the answers' pages likely; Adam (Kingma & Ba, 2015) on the mean negative log-likelihood."""
    start, signs = _vector(START), np.array([-1.0 if START[name] < 0 else 1.0 for name in SIGNS])
    given = np.array([name in GIVEN for name in SIGNS])
    start[given] = [GIVEN[name] for name in SIGNS if name in GIVEN]
    used = [sample for sample in samples if len(sample.answer)]
    weights, mean, spread = start.copy(), np.zeros_like(start), np.zeros_like(start)
    for step in range(1, STEPS + 1):
        gradient = 2 * HOLD * (weights - start)
        for sample in used:
            scores = SHARPNESS * (sample.rows @ weights)
            drawn = np.exp(scores - scores.max())
            drawn /= drawn.sum()
            gradient -= SHARPNESS * (sample.rows[sample.answer].mean(0) - drawn @ sample.rows) / len(used)
        mean, spread = 0.9 * mean + 0.1 * gradient, 0.99 * spread + 0.01 * gradient**2
        size = RATE * (1.0 if step < STEPS * 2 // 3 else 0.3)
        weights = weights - size * (mean / (1 - 0.9**step)) / (np.sqrt(spread / (1 - 0.99**step)) + 1e-8)
        weights = np.where(given, start, np.where(signs * weights < 0, 0.0, weights))
    return weights


def _vector(weights: Mapping[str, float]) -> Array:
    return np.array([weights[name] for name in SIGNS])


def _figures(samples: Sequence[Sample], found: Sequence[Sequence[float]]) -> str:
    parts = []
    for name, title in SETS.items():
        chosen = np.array(
            [values for sample, values in zip(samples, found, strict=True) if sample.question.set == name]
        )
        means = ", ".join(f"@{depth} {value:.3f}" for depth, value in zip(DEPTHS, chosen.mean(0), strict=True))
        parts.append(f"{title} {means}")
    return "; ".join(parts)
