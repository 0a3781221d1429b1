"""Boosted decision trees, evaluated in numpy for all rows of a document at once.

The trees are trained elsewhere (``benchmarks/train_headings.py``) and shipped as arrays; nothing of the trainer is needed here. Evaluation
follows QuickScorer (Lucchese, Nardini, Orlando, Perego, Tonellotto and Venturini, SIGIR 2015): every node whose test fails strikes out
the leaves of its left branch, and the leftmost leaf that is left is the answer. That needs no walk from node to node, so it is a
handful of array operations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from pageindex.structure.facts import Floats
from pageindex.structure.layout.features import FEATURES

__all__ = ["MODEL_FILE", "Trees", "load", "stored_arrays"]

MODEL_FILE = "model.npz"

CHUNK = 512  #: Rows evaluated at once: rows × nodes booleans stay within the cache of a core.
FIRST_TREES = 48  #: Trees that all rows go through; rows that they leave hopeless are not looked at again.
HOPELESS = -5.0  #: Log-odds after the first trees below which a row is hopeless: of training rows that end above 0.05, 1 in 5,000 lies there.


@dataclass(frozen=True)
class Trees:
    """A sum of decision trees over the columns of a row.

    Attributes:
        feature: Column each node tests; shape (nodes,), trees one behind the other.
        threshold: A row passes a node's test when its column is at most this; shape (nodes,).
        mask: Bits of the leaves that remain when the test fails; shape (nodes,).
        start: First node of each tree; shape (trees,).
        value: What each leaf adds to the log-odds; shape (trees, leaves).
    """

    feature: npt.NDArray[np.int64]
    threshold: npt.NDArray[np.float32]
    mask: npt.NDArray[np.uint32]
    start: npt.NDArray[np.int64]
    value: npt.NDArray[np.float32]

    @classmethod
    def of(cls, stored: Mapping[str, npt.NDArray[Any]], columns: Sequence[str] | None = None) -> Trees:
        """Take them from the arrays of a model file; raises KeyError when one is missing, ValueError for an unknown column.

        The file names its columns, so that rows with more columns, or in another order, can be scored: ``columns`` are theirs.
        """
        feature = stored["feature"].astype(np.int64)
        if columns is not None:
            place = {name: index for index, name in enumerate(columns)}
            names = stored["names"].tolist()
            if missing := set(names) - set(place):
                raise ValueError(f"the model knows columns that are not measured: {sorted(missing)}")
            feature = np.array([place[name] for name in names], dtype=np.int64)[feature]
        return cls(
            feature,
            stored["threshold"].astype(np.float32),
            stored["mask"].astype(np.uint32),
            stored["start"].astype(np.int64),
            stored["value"].astype(np.float32),
        )

    @property
    def count(self) -> int:
        return len(self.start)

    def log_odds(self, rows: Floats) -> Floats:
        """Sum of the trees for each row; shape (rows,)."""
        return self._sum(rows.astype(np.float32), 0, self.count)

    def scores(self, rows: Floats) -> Floats:
        """Probabilities (0-1). Rows that the first trees leave hopeless keep what those trees say."""
        narrow = rows.astype(np.float32)
        first = min(FIRST_TREES, self.count)
        total = self._sum(narrow, 0, first)
        alive = np.flatnonzero(total > HOPELESS)
        if first < self.count and len(alive):
            total[alive] += self._sum(narrow[alive], first, self.count)
        return np.asarray(1.0 / (1.0 + np.exp(-total)))

    def _sum(self, rows: npt.NDArray[np.float32], first: int, last: int) -> Floats:
        bounds = np.append(self.start, len(self.feature))
        nodes = slice(int(bounds[first]), int(bounds[last]))
        feature, threshold, mask = self.feature[nodes], self.threshold[nodes], self.mask[nodes]
        starts = self.start[first:last] - bounds[first]
        value = self.value[first:last]
        trees = np.arange(last - first)
        everything = np.uint32(0xFFFFFFFF)
        total = np.zeros(len(rows))
        for begin in range(0, len(rows), CHUNK):
            part = rows[begin : begin + CHUNK]
            failed = part[:, feature] > threshold
            left = np.bitwise_and.reduceat(np.where(failed, mask, everything), starts, axis=1)
            lowest = left & (~left + np.uint32(1))
            leaf = np.frexp(lowest.astype(np.float64))[1] - 1
            total[begin : begin + CHUNK] = value[trees, leaf].sum(axis=1, dtype=np.float64)
        return total


@lru_cache(maxsize=1)
def load() -> Trees:
    """The shipped model over ``features.FEATURES``, read once per process."""
    return Trees.of(stored_arrays(MODEL_FILE), FEATURES)


def stored_arrays(name: str) -> dict[str, npt.NDArray[Any]]:
    """All arrays of a model file of this package: the trees, the names of their columns, and ``probe`` and ``answer``.

    The last two are rows and what the trainer says of them (log-odds), for the test that holds the evaluation against the trainer.
    """
    with files("pageindex.structure.layout").joinpath(name).open("rb") as file, np.load(file) as stored:
        return {name: stored[name] for name in stored.files}
