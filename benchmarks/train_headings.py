"""Train the layout model: which printed units of a document are headings, learned from documents with an outline.

``--train`` is a folder like ``dev/`` of the corpus (a manifest, files, outlines as the truth); with ``--with-corpus`` the documents of
``--corpus`` join it, three times as heavy, since kinds such as filings and government reports are found only there. Cross-validated
figures (folds by document family) are printed before the model that ships is trained on everything. Needs ``pip install lightgbm``.
"""

from __future__ import annotations

import argparse
import json
import pickle
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks._heading_labels import labels_of
from benchmarks._tree_arrays import write_trees
from pageindex.document import Edition
from pageindex.structure.contents import source as contents
from pageindex.structure.facts import Facts
from pageindex.structure.layout.blocks import blocks_of
from pageindex.structure.layout.features import FEATURES, Features, features_of
from pageindex.structure.layout.model import MODEL_FILE
from pageindex.structure.layout.selection import chosen
from pageindex.structure.layout.table import LineTable

__all__ = ["add_arguments", "run"]

SEED = 0
FOLDS = 4
MOST_PAGES = 400  #: Longer training documents add many rows of one kind.
MOST_NEGATIVES = 400  #: Units that are no headings, drawn per document; they stand for all of them by weight.
FEWEST_FOUND = 0.7  #: Share of a training document's outline that must be printed as units, else its truth is doubtful.
CORPUS_WEIGHT = 3.0
NO_CONTENTS, NO_ECHO = (
    0.3,
    0.15,
)  #: Shares of documents trained as if they had no contents page, or none that can be read.

#: Few leaves and strong shrinkage, since documents differ more than lines do.
SETTINGS: dict[str, Any] = {
    "objective": "binary",
    "learning_rate": 0.1,
    "num_leaves": 15,
    "min_data_in_leaf": 40,
    "feature_fraction": 0.4,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "max_bin": 63,
    "verbose": -1,
    "seed": SEED,
    "deterministic": True,
    "force_row_wise": True,
}
TREES = 150

_CONTENTS = (
    "contents",
    "contents_level",
    "listed",
    "rank_contents",
    "group_contents",
    "doc_contents",
    "doc_contents_trust",
)
_ECHO = ("echo", "rank_echo", "group_echo")


@dataclass
class Sample:
    """One document: its rows, labels, and what the models say of it."""

    id: str
    family: str
    kind: str
    lang: str
    pages: int
    features: Features
    labels: npt.NDArray[np.int64]
    outline: int  # entries that are printed
    rows: npt.NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 0), dtype=np.float32))
    drawn: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    weights: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    own: bool = False  # of the corpus that figures are reported on
    fold: int = 0
    scores: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--train", type=Path, required=True, help="folder with manifest.json, files and outlines")
    parser.add_argument("--with-corpus", action="store_true", help="train on the documents of --corpus, too")
    parser.add_argument("--copies", type=Path, required=True, help="stripped copies of the corpus: <id>.pdf")
    parser.add_argument("--cache", type=Path, default=Path(".benchmark-cache/samples"), help="features by document")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--threads", type=int, default=1, help="of the trainer")
    parser.add_argument("--folds", type=Path, help="keep the models of the folds here, for 'toc --folds'")
    parser.add_argument("--skip-validation", action="store_true", help="train the final model only")
    parser.add_argument("--output", type=Path, default=Path("pageindex/structure/layout") / MODEL_FILE)


def run(options: argparse.Namespace) -> int:
    """Compute features, cross-validate, train and write the model."""
    if options.corpus is None:
        print("--corpus is needed: figures are reported on its documents", file=sys.stderr)
        return 2
    SETTINGS["num_threads"] = options.threads
    start = time.time()
    samples = gather(options)
    print(f"{len(samples)} documents, {sum(len(s.drawn) for s in samples)} rows drawn, {time.time() - start:.0f} s")
    if not options.skip_validation:
        cross_validate(samples, options.folds)
        print(f"cross-validated: {figures(samples)}, {time.time() - start:.0f} s")
    write_trees(options.output, fit(samples), _probe(samples), FEATURES)
    print(f"wrote {options.output} ({options.output.stat().st_size // 1024} KiB), {time.time() - start:.0f} s")
    return 0


# ---------------------------------------------------------------- samples


def gather(options: argparse.Namespace) -> list[Sample]:
    """The samples of all documents, read or taken from the cache."""
    tasks = _tasks(options.train, None, options.cache / "train")
    if options.with_corpus:
        tasks += _tasks(options.corpus, options.copies, options.cache / "corpus")
    with ProcessPoolExecutor(options.jobs) as pool:
        made = [sample for sample in pool.map(make_sample, tasks, chunksize=4) if sample is not None]
    rng = np.random.default_rng(SEED)
    return [sample for sample in made if _draw(sample, rng)]


def _tasks(root: Path, copies: Path | None, cache: Path) -> list[tuple[dict[str, Any], Path, Path, Path, bool]]:
    own = copies is not None
    manifest = json.loads((root / "dev" / "manifest.json" if own else root / "manifest.json").read_text())
    cache.mkdir(parents=True, exist_ok=True)
    tasks = []
    for item in manifest:
        source = copies / f"{item['id']}.pdf" if copies is not None else root / item["files"]["bare"]
        if source.exists() and (own or item["pages"] <= MOST_PAGES):
            tasks.append((item, source, root / item["files"]["gold"], cache / f"{item['id']}.pickle", own))
    return tasks


def make_sample(task: tuple[dict[str, Any], Path, Path, Path, bool]) -> Sample | None:
    """Read one document and measure its blocks; None where it cannot be read or prints nothing."""
    item, source, truth, cached, own = task
    if cached.exists():
        sample: Sample = pickle.loads(cached.read_bytes())
        return sample
    from pageindex.errors import PageIndexError
    from pageindex.reading import read

    try:
        edition = read(source)
    except PageIndexError as problem:
        print(f"{item['id']}: {problem}", file=sys.stderr)
        return None
    made = sample_of(edition, json.loads(truth.read_text())["outline"])
    if made is None:
        return None
    features, labels, printed = made
    sample = Sample(
        item["id"], item["group"], item["kind"], item["lang"], edition.page_count, features, labels, printed, own=own
    )
    cached.write_bytes(pickle.dumps(sample, protocol=5))
    return sample


def sample_of(
    edition: Edition, outline: Sequence[dict[str, Any]]
) -> tuple[Features, npt.NDArray[np.int64], int] | None:
    """Features and labels of a document's blocks, and how many entries of its outline are printed."""
    facts = Facts(edition)
    table = LineTable(facts)
    blocks = blocks_of(table)
    if not blocks:
        return None
    features = features_of(table, blocks, contents.find_headings(facts))
    labels = np.array(labels_of(table, blocks, outline), dtype=np.int64)
    return features, labels, sum(bool(row["printed"]) and row["page"] is not None for row in outline)


def _draw(sample: Sample, rng: np.random.Generator) -> bool:
    """Draw the rows to train on; False where the document's truth is doubtful. Some documents lose their contents pages."""
    found = np.flatnonzero(sample.labels > 0)
    others = np.flatnonzero(sample.labels == 0)
    sample.rows = sample.features.rows.astype(np.float32)
    hide, mute = rng.random() < NO_CONTENTS, rng.random() < NO_ECHO
    if not sample.own:
        if len(found) < FEWEST_FOUND * sample.outline or not len(others):
            return False
        for names, wanted in ((_CONTENTS, hide), (_ECHO, mute)):
            if wanted:
                sample.rows[:, [FEATURES.index(name) for name in names]] = 0.0
    kept = others if len(others) <= MOST_NEGATIVES else rng.choice(others, MOST_NEGATIVES, replace=False)
    base = (CORPUS_WEIGHT if sample.own else 1.0) / np.sqrt(len(found) + 5)
    sample.drawn = np.concatenate([found, kept])
    stand_for = base * len(others) / max(len(kept), 1)
    sample.weights = np.concatenate([np.full(len(found), base), np.full(len(kept), stand_for)])
    return True


# ---------------------------------------------------------------- training


def fit(samples: Sequence[Sample]) -> Any:
    """A booster over the drawn rows of the samples."""
    import lightgbm

    rows = np.concatenate([sample.rows[sample.drawn] for sample in samples])
    labels = np.concatenate([sample.labels[sample.drawn] > 0 for sample in samples]).astype(np.float64)
    weights = np.concatenate([sample.weights for sample in samples])
    return lightgbm.train(SETTINGS, lightgbm.Dataset(rows, labels, weight=weights), TREES)


def folds_of(samples: Sequence[Sample]) -> dict[str, int]:
    """The fold of each document family."""
    families = sorted({sample.family for sample in samples})
    np.random.default_rng(SEED).shuffle(families)
    return {family: index % FOLDS for index, family in enumerate(families)}


def cross_validate(samples: Sequence[Sample], keep: Path | None) -> None:
    """Score each document by a model that saw no document of its family."""
    fold_of = folds_of(samples)
    for fold in range(FOLDS):
        model = fit([s for s in samples if fold_of[s.family] != fold])
        for sample in samples:
            if fold_of[sample.family] == fold:
                scores = model.predict(sample.rows, num_threads=SETTINGS["num_threads"])
                sample.scores = np.asarray(scores, dtype=np.float64)
        if keep is not None:
            keep.mkdir(parents=True, exist_ok=True)
            write_trees(keep / f"{fold}.npz", model, _probe(samples), FEATURES)
            (keep / "families.json").write_text(json.dumps(fold_of))


def figures(samples: Sequence[Sample]) -> str:
    """Macro P, R and F1 of the cut that ships, on the corpus's documents and on the others."""
    parts = []
    tests: tuple[tuple[str, Callable[[Sample], bool]], ...] = (
        ("corpus", lambda s: s.own),
        ("others", lambda s: not s.own),
    )
    for title, test in tests:
        rows = [_figures_of(sample) for sample in samples if test(sample)]
        if rows:
            precision, recall, f1 = np.mean(rows, axis=0)
            parts.append(f"{title}: P {precision:.3f} R {recall:.3f} F1 {f1:.3f}")
    return "; ".join(parts)


def _figures_of(sample: Sample) -> tuple[float, float, float]:
    taken = chosen(sample.scores)
    right = int((taken & (sample.labels > 0)).sum())
    count = int((taken & (sample.labels >= 0)).sum())
    return right / max(count, 1), right / max(sample.outline, 1), 2 * right / max(count + sample.outline, 1)


def _probe(samples: Sequence[Sample]) -> npt.NDArray[np.float32]:
    """Some rows to ship with the model."""
    rows = np.concatenate([sample.rows[sample.drawn[:: max(1, len(sample.drawn) // 4)]][:4] for sample in samples])
    return np.asarray(rows[:: max(1, len(rows) // 200)][:200])
