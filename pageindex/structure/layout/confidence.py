"""How well the headings taken in a document are likely to agree with what its makers would list, from the scores that chose them.

A small model, trained on documents of families that the scores had not seen, predicts the F1 of the choice. It is told to readers, so
that a person or a model can look where it is low.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from pageindex.structure.facts import Bools, Floats
from pageindex.structure.layout.features import FEATURES, Features
from pageindex.structure.layout.model import Trees, stored_arrays

__all__ = ["CONFIDENCE_COLUMNS", "CONFIDENCE_FILE", "confidence_row", "load"]

CONFIDENCE_FILE = "confidence.npz"

_OF_TAKEN = ("size", "bold", "chars", "body_below", "same_text", "lead", "contents", "near_cells")
_OF_DOCUMENT = ("doc_chars", "doc_landscape", "doc_contents", "doc_contents_trust", "doc_blocks", "doc_pages")
#: Columns of ``confidence_row``.
CONFIDENCE_COLUMNS: tuple[str, ...] = (
    *("quality", "sure", "a_page", "count", "missed_a_page", "split", "groups", "near", "pages", "numbered"),
    *(f"taken_{name}" for name in _OF_TAKEN),
    *_OF_DOCUMENT,
)


def confidence_row(features: Features, scores: Floats, taken: Bools) -> Floats:
    """Measures of one document's choice; shape (1, len(CONFIDENCE_COLUMNS)).

    Args:
        features: Of its units.
        scores: Of each, 0-1.
        taken: Which units are headings.
    """
    count, total = int(taken.sum()), max(float(scores.sum()), 1e-6)
    least, pages = max(count, 1), max(float(features.page.max()), 1.0)
    found = float(scores[taken].sum())
    size = np.bincount(features.group)
    members = np.bincount(features.group[taken], minlength=len(size))
    near = (scores > 0.25) & (scores < 0.75)
    column = {name: features.rows[:, FEATURES.index(name)] for name in ("number_kind", *_OF_TAKEN)}
    row = [
        2 * found / (count + total),
        found / least,
        count / pages,
        np.log1p(count),
        (total - found) / pages,
        float(np.minimum(members, size - members).sum()) / least,
        np.log1p(float((members > 0).sum())),
        float(near.sum()) / least,
        len(np.unique(features.page[taken])) / pages,
        float((column["number_kind"][taken] > 0).sum()) / least,
        *(float(column[name][taken].sum()) / least for name in _OF_TAKEN),
        *(float(features.rows[0, FEATURES.index(name)]) for name in _OF_DOCUMENT),
    ]
    return np.array([row], dtype=np.float64)


@lru_cache(maxsize=1)
def load() -> Trees:
    """The shipped model over ``CONFIDENCE_COLUMNS``, read once per process."""
    return Trees.of(stored_arrays(CONFIDENCE_FILE), CONFIDENCE_COLUMNS)
