"""Train the layout model: which printed units of a document are headings, learned from documents with an outline.

``--train`` is a folder like ``dev/`` of the corpus (a manifest, files, outlines as the truth); with ``--with-corpus`` the documents of
``--corpus`` join it, heavier, since kinds such as filings and government reports are rare elsewhere. Two models come of it: one scores units, the other tells
how well the choice is likely to agree with the truth, learned from scores of models that saw no document of the family. Cross-validated
figures (folds by document family) are printed before the models that ship are trained on everything. Needs ``pip install lightgbm``.
"""

from __future__ import annotations

import argparse
import json
import pickle
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks._heading_labels import labels_of
from benchmarks._tree_arrays import joined, write_trees
from pageindex.document import Edition
from pageindex.structure.contents import source as contents
from pageindex.structure.facts import Facts
from pageindex.structure.layout.blocks import blocks_of
from pageindex.structure.layout.confidence import CONFIDENCE_COLUMNS, CONFIDENCE_FILE, confidence_row
from pageindex.structure.layout.features import FEATURES, Features, features_of
from pageindex.structure.layout.model import FIRST_TREES, MODEL_FILE, Trees
from pageindex.structure.layout.selection import chosen, completed
from pageindex.structure.layout.source import allowed_of
from pageindex.structure.layout.table import LineTable

__all__ = ["add_arguments", "run"]

SEED = 0
FOLDS = 4
MOST_PAGES = 400  #: Longer training documents add many rows of one kind.
MOST_DRAWN = 250  #: Units drawn per document of headings, and of others; they stand for all of them by weight.
FEWEST_FOUND = 0.7  #: Share of a training document's outline that must be printed as units, else its truth is doubtful.
CORPUS_WEIGHT = 1.5
NEW_SHARE = 0.6  #: Weight of the new log-odds where an older model joins in.
FAMILY_POWER = -0.35  #: A document of a family of n counts n to this power: plentiful kinds do not swamp the rest.
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
TREES = 140
CONFIDENCE_SETTINGS: dict[str, Any] = {
    "objective": "regression",
    "learning_rate": 0.05,
    "num_leaves": 6,
    "min_data_in_leaf": 30,
    "feature_fraction": 0.5,
}
CONFIDENCE_TREES = 90

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
    weight: float = 1.0
    allowed: npt.NDArray[np.bool_] = field(default_factory=lambda: np.ones(0, dtype=bool))
    scores: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--train", type=Path, required=True, help="folder with manifest.json, files and outlines")
    parser.add_argument("--with-corpus", action="store_true", help="train on the documents of --corpus, too")
    parser.add_argument("--copies", type=Path, required=True, help="stripped copies of the corpus: <id>.pdf")
    parser.add_argument("--cache", type=Path, default=Path(".benchmark-cache/samples"), help="features by document")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--threads", type=int, default=1, help="of the trainer")
    parser.add_argument("--join", type=Path, help="an older model file whose log-odds are averaged with the new ones")
    parser.add_argument("--folds", type=Path, help="keep the models of the folds here, for 'toc --folds'")
    parser.add_argument("--output", type=Path, default=Path("pageindex/structure/layout") / MODEL_FILE)


def run(options: argparse.Namespace) -> int:
    """Compute features, cross-validate, train and write the models."""
    if options.corpus is None:
        print("--corpus is needed: figures are reported on its documents", file=sys.stderr)
        return 2
    SETTINGS["num_threads"] = options.threads
    start = time.time()
    samples = gather(options)
    print(f"{len(samples)} documents, {sum(len(s.drawn) for s in samples)} rows drawn, {time.time() - start:.0f} s")
    train_all(samples, options.output.parent, options.folds)
    if options.join is not None:
        join(options.output.parent / MODEL_FILE, options.join)
    print(f"{time.time() - start:.0f} s")
    return 0


def join(path: Path, older: Path) -> None:
    """Average the new model with an older one that knows other documents."""
    with np.load(path) as new, np.load(older) as old:
        probe = new["probe"]
        sums = [Trees.of(dict(stored), FEATURES).log_odds(probe) for stored in (new, old)]
        arrays = joined(dict(new), dict(old), NEW_SHARE, FEATURES, FIRST_TREES // 2)
    answer = NEW_SHARE * sums[0] + (1 - NEW_SHARE) * sums[1]
    np.savez_compressed(path, probe=probe, answer=answer, **arrays)


def train_all(samples: Sequence[Sample], folder: Path, folds: Path | None) -> None:
    """Cross-validate, keep the models of the folds, and write those that ship."""
    weigh(samples)
    cross_validate(samples, folds)
    print(f"cross-validated: {figures(samples)}")
    print(calibration(samples, folds))
    if folds is not None:
        (folds / "families.json").write_text(json.dumps(folds_of(samples)))
    for part in (HEADINGS, CONFIDENCE):
        path = folder / part.file
        write_trees(path, part.fit(samples), _probe(samples, part.rows), part.columns)
        print(f"wrote {path} ({path.stat().st_size // 1024} KiB)")


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
    features, labels, printed, allowed = made
    sample = Sample(
        item["id"], item["group"], item["kind"], item["lang"], edition.page_count, features, labels, printed, own=own
    )
    sample.allowed = allowed
    sample.weight = CORPUS_WEIGHT if own else float(item.get("weight", 1.0))
    cached.write_bytes(pickle.dumps(sample, protocol=5))
    return sample


def sample_of(
    edition: Edition, outline: Sequence[dict[str, Any]]
) -> tuple[Features, npt.NDArray[np.int64], int, npt.NDArray[np.bool_]] | None:
    """Features and labels of a document's blocks, how many entries of its outline are printed, and which blocks facts allow."""
    facts = Facts(edition)
    table = LineTable(facts)
    blocks = blocks_of(table)
    if not blocks:
        return None
    listed = contents.find_headings(facts)
    features = features_of(table, blocks, listed)
    labels = np.array(labels_of(table, blocks, outline), dtype=np.int64)
    printed = sum(bool(row["printed"]) and row["page"] is not None for row in outline)
    return features, labels, printed, allowed_of(table, features, listed)


def _draw(sample: Sample, rng: np.random.Generator) -> bool:
    """Draw the rows to train on; False where the document's truth is doubtful. Some documents lose their contents pages."""
    found = np.flatnonzero(sample.labels > 0)
    others = np.flatnonzero((sample.labels <= 0) & sample.allowed)
    sample.rows = sample.features.rows.astype(np.float32)
    hide, mute = rng.random() < NO_CONTENTS, rng.random() < NO_ECHO
    if not sample.own:
        if len(found) < FEWEST_FOUND * sample.outline or not len(others) or not len(found):
            return False
        for names, wanted in ((_CONTENTS, hide), (_ECHO, mute)):
            if wanted:
                sample.rows[:, [FEATURES.index(name) for name in names]] = 0.0
    parts, weights = [], []
    for members in (found, others):
        drawn = members if len(members) <= MOST_DRAWN else rng.choice(members, MOST_DRAWN, replace=False)
        parts.append(drawn)
        weights.append(np.full(len(drawn), len(members) / max(len(drawn), 1) / np.sqrt(len(found) + 5)))
    sample.drawn, sample.weights = np.concatenate(parts), np.concatenate(weights)
    return True


def weigh(samples: Sequence[Sample]) -> None:
    """Let plentiful families count less a document."""
    size = Counter(sample.family for sample in samples)
    for sample in samples:
        sample.weights = sample.weights * sample.weight * size[sample.family] ** FAMILY_POWER


# ---------------------------------------------------------------- training

Rows = Callable[[Sample], npt.NDArray[np.float32]]


def rows_of(sample: Sample) -> npt.NDArray[np.float32]:
    return sample.rows


def rows_of_confidence(sample: Sample) -> npt.NDArray[np.float32]:
    return confidence_row(sample.features, sample.scores, chosen(sample.scores)).astype(np.float32)


def fit(samples: Sequence[Sample]) -> Any:
    """A booster over the drawn rows of the samples."""
    import lightgbm

    rows = np.concatenate([sample.rows[sample.drawn] for sample in samples])
    labels = np.concatenate([sample.labels[sample.drawn] > 0 for sample in samples]).astype(np.float64)
    weights = np.concatenate([sample.weights for sample in samples])
    return lightgbm.train(SETTINGS, lightgbm.Dataset(rows, labels, weight=weights), TREES)


def fit_confidence(samples: Sequence[Sample]) -> Any:
    """A booster that tells the F1 of a document's choice."""
    import lightgbm

    rows = np.concatenate([rows_of_confidence(sample) for sample in samples])
    reached = np.array([_figures_of(sample)[2] for sample in samples])
    return lightgbm.train(SETTINGS | CONFIDENCE_SETTINGS, lightgbm.Dataset(rows, reached), CONFIDENCE_TREES)


def folds_of(samples: Sequence[Sample]) -> dict[str, int]:
    """The fold of each document family."""
    families = sorted({sample.family for sample in samples})
    np.random.default_rng(SEED).shuffle(families)
    return {family: index % FOLDS for index, family in enumerate(families)}


@dataclass(frozen=True)
class Part:
    """One of the models: its file, its columns, its rows of a document, its training."""

    file: str
    columns: tuple[str, ...]
    rows: Rows
    fit: Callable[[Sequence[Sample]], Any]


HEADINGS = Part(MODEL_FILE, FEATURES, rows_of, fit)
CONFIDENCE = Part(CONFIDENCE_FILE, CONFIDENCE_COLUMNS, rows_of_confidence, fit_confidence)


def cross_validate(samples: Sequence[Sample], keep: Path | None) -> None:
    """Score each document by a model that saw no document of its family; the models are kept for ``toc --folds``."""
    for fold, model in fold_boosters(samples, HEADINGS, keep):
        for sample in samples:
            if sample.fold == fold:
                scores = model.predict(sample.rows, num_threads=SETTINGS["num_threads"])
                sample.scores = np.asarray(scores, dtype=np.float64) * sample.allowed


def fold_boosters(samples: Sequence[Sample], part: Part, keep: Path | None) -> Iterator[tuple[int, Any]]:
    """For each fold a booster trained without its families."""
    fold_of = folds_of(samples)
    for sample in samples:
        sample.fold = fold_of[sample.family]
    for fold in range(FOLDS):
        others = [sample for sample in samples if sample.fold != fold]
        model = part.fit(others)
        if keep is not None:
            keep.mkdir(parents=True, exist_ok=True)
            write_trees(keep / f"{fold}-{part.file}", model, _probe(others, part.rows), part.columns)
        yield fold, model


def calibration(samples: Sequence[Sample], keep: Path | None) -> str:
    """What the confidence says of families it was not trained on, in bands, beside what was reached there."""
    pairs = []
    for fold, model in fold_boosters(samples, CONFIDENCE, keep):
        for sample in samples:
            if sample.fold == fold:
                said = float(np.clip(model.predict(rows_of_confidence(sample)), 0, 1)[0])
                pairs.append((said, _figures_of(sample)[2]))
    lines = [f"confidence: correlation {np.corrcoef(np.array(pairs).T)[0, 1]:.2f}"]
    for low, high in pairwise((0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01)):
        band = np.array([pair for pair in pairs if low <= pair[0] < high])
        if len(band):
            said, reached = band.mean(axis=0)
            lines.append(f"  {low:.1f}-{high:.1f}: {len(band)} documents, said {said:.2f}, reached {reached:.2f}")
    return "\n".join(lines)


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
    scores = sample.scores
    taken = completed(chosen(scores), scores, sample.features.group, sample.features.numbers)
    right = int((taken & (sample.labels > 0)).sum())
    count = int((taken & (sample.labels >= 0)).sum())
    return right / max(count, 1), right / max(sample.outline, 1), 2 * right / max(count + sample.outline, 1)


def _probe(samples: Sequence[Sample], measured: Rows) -> npt.NDArray[np.float32]:
    """Some rows to ship with a model."""
    rows = []
    for sample in samples[:: max(1, len(samples) // 120)]:
        own = measured(sample)
        rows.append(own[sample.drawn[:: max(1, len(sample.drawn) // 4)]][:4] if len(own) > 1 else own)
    return np.asarray(np.concatenate(rows)[:200])
