"""Train the model that ranks kinds of headings by pairs, from the documents and the cache of ``train_headings``.

For each ordered pair of kinds of a document's true headings the model learns whether the outline puts the one above the other. Figures
are parent accuracy (share of headings under the right parent, given the true headings), by documents of families not trained on.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks import train_headings
from benchmarks._tree_arrays import write_trees
from benchmarks.train_headings import FOLDS, SEED, SETTINGS, Sample, folds_of
from pageindex.structure.layout.levels import LEVELS_FILE, PAIR_COLUMNS, Kinds, kinds_of, nested, pair_rows
from pageindex.structure.layout.source import heading_of

__all__ = ["add_arguments", "run"]

NO_CONTENTS = 0.3  #: Share of documents whose levels in the contents are hidden.
TREES = 120
#: More size, weight or depth never speaks against standing above (+0.003 parent accuracy, and no surprises in small documents).
RISING = ("size_ratio", "bold_more", "deeper", "listed_deeper")
PAIR_SETTINGS: dict[str, Any] = {
    "feature_fraction": 0.6,
    "min_data_in_leaf": 20,
    "num_leaves": 12,
    "monotone_constraints": [int(name in RISING) for name in PAIR_COLUMNS],
}


@dataclass(frozen=True)
class Pairs:
    """The pairs of kinds of one document: rows, answers and weights; and its true parents."""

    sample: Sample
    kinds: Kinds
    rows: npt.NDArray[np.float32]
    above: npt.NDArray[np.float64]
    weights: npt.NDArray[np.float64]
    parents: list[int]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    train_headings.add_arguments(parser)
    parser.set_defaults(output=Path("pageindex/structure/layout") / LEVELS_FILE)


def run(options: argparse.Namespace) -> int:
    """Cross-validate, then train on everything and write the model."""
    if options.corpus is None:
        print("--corpus is needed: figures are reported on its documents", file=sys.stderr)
        return 2
    SETTINGS["num_threads"] = options.threads
    rng = np.random.default_rng(SEED)
    documents = [pairs_of(s, rng) for s in train_headings.gather(options) if (s.labels > 0).any()]
    print(f"{len(documents)} documents, {sum(len(d.rows) for d in documents)} pairs")
    cross_validate(documents, options.folds)
    write_trees(options.output, fit(documents), _probe(documents), PAIR_COLUMNS)
    print(f"wrote {options.output} ({options.output.stat().st_size // 1024} KiB)")
    return 0


def pairs_of(sample: Sample, rng: np.random.Generator) -> Pairs:
    """The pairs of a document's true headings."""
    members = np.flatnonzero(sample.labels > 0)
    headings = [heading_of(sample.features, int(index)) for index in members]
    if not sample.own and rng.random() < NO_CONTENTS:
        headings = [replace(heading, listed=0) for heading in headings]
    kinds = kinds_of(headings)
    count = len(kinds.own)
    levels = sample.labels[members]
    common = np.array([Counter(levels[kinds.of == k].tolist()).most_common(1)[0][0] for k in range(count)])
    size = np.bincount(kinds.of)
    weights = np.sqrt(np.outer(size, size))
    np.fill_diagonal(weights, 0.0)
    heavy = sample.weight * np.sqrt(len(members))
    return Pairs(
        sample,
        kinds,
        pair_rows(kinds).astype(np.float32),
        (common[:, None] < common[None, :]).reshape(-1).astype(np.float64),
        weights.reshape(-1) / max(float(weights.sum()), 1e-9) * heavy,
        parents_of(levels.tolist()),
    )


def parents_of(levels: Sequence[int]) -> list[int]:
    """Index of the parent of each heading, -1 at the top."""
    stack: list[int] = []
    parents = []
    for index, level in enumerate(levels):
        while stack and levels[stack[-1]] >= level:
            stack.pop()
        parents.append(stack[-1] if stack else -1)
        stack.append(index)
    return parents


def fit(documents: Sequence[Pairs]) -> Any:
    """A booster over all pairs of different kinds."""
    import lightgbm

    rows = np.concatenate([d.rows for d in documents])
    above = np.concatenate([d.above for d in documents])
    weights = np.concatenate([d.weights for d in documents])
    used = weights > 0
    data = lightgbm.Dataset(rows[used], above[used], weight=weights[used])
    return lightgbm.train(SETTINGS | PAIR_SETTINGS, data, TREES)


def cross_validate(documents: Sequence[Pairs], keep: Path | None) -> None:
    """Print parent accuracy on families not trained on; keep the models of the folds."""
    fold_of = folds_of([d.sample for d in documents])
    right: dict[bool, list[float]] = {True: [], False: []}
    for fold in range(FOLDS):
        model = fit([d for d in documents if fold_of[d.sample.family] != fold])
        for document in documents:
            if fold_of[document.sample.family] == fold:
                right[document.sample.own].append(accuracy(document, model))
        if keep is not None:
            write_trees(keep / f"{fold}-{LEVELS_FILE}", model, _probe(documents), PAIR_COLUMNS)
    for own, title in ((True, "corpus"), (False, "others")):
        if right[own]:
            print(f"{title}: parent accuracy {np.mean(right[own]):.3f} given the true headings")


def accuracy(document: Pairs, model: Any) -> float:
    """Share of a document's headings under the right parent."""
    count = len(document.kinds.own)
    above = np.asarray(model.predict(document.rows, num_threads=SETTINGS["num_threads"])).reshape(count, count)
    found = parents_of(nested(document.kinds.of, above))
    return float(np.mean([a == b for a, b in zip(found, document.parents, strict=True)]))


def _probe(documents: Sequence[Pairs]) -> npt.NDArray[np.float32]:
    rows = np.concatenate([d.rows[:: max(1, len(d.rows) // 4)][:4] for d in documents])
    return np.asarray(rows[:: max(1, len(rows) // 200)][:200])
