"""Which groups of lines count as headings in this document: first scores seen together, and the cut that fits the document.

A line's own score says how much it looks like a heading anywhere. Whether such lines are sections *here* is decided by their group
(style × form of number), by its neighbours in the numbering and by how the document's other groups score. ``second_look`` turns first
scores into columns of that kind for a second model; ``chosen`` takes the number of headings that promises the best balance of right,
extra and missed headings.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pageindex.structure.facts import Bools, Floats, Ints
from pageindex.structure.numbering import Number

__all__ = ["SECOND_LOOK", "chosen", "second_look"]

BEST = 25  #: Lines whose mean score stands for what a sure heading scores in this document.

Columns = dict[str, npt.NDArray[Any]]


def second_look(scores: Floats, group: Ints, rank: Ints, numbers: Sequence[Number | None], pages: int) -> Floats:
    """Columns of ``SECOND_LOOK`` over the blocks of one document, from their first scores (0-1)."""
    count = len(scores)
    if not count:
        return np.zeros((0, len(SECOND_LOOK)))
    best = float(np.sort(scores)[-BEST:].mean())
    columns: Columns = {
        "score": scores,
        "relative": scores / max(best, 1e-6),
        "doc_best": np.full(count, best),
        "doc_expected": np.full(count, np.log1p(scores.sum())),
        "doc_rate": np.full(count, min(float(scores.sum()) / max(pages, 1), 20.0)),
    }
    columns |= _of_key("group", group, scores)
    columns |= _of_key("rank", rank, scores)
    columns["group_higher"] = _higher(group, scores)
    columns |= _neighbours(scores, group)
    columns |= _relatives(scores, numbers)
    return np.stack([np.asarray(columns[name], dtype=np.float64) for name in SECOND_LOOK], axis=1)


def _of_key(name: str, key: Ints, scores: Floats) -> Columns:
    """Of the other members of a block's group: mean, share of sure ones; and the expected number of headings among all of them."""
    count = np.bincount(key).astype(np.float64)
    total = np.bincount(key, weights=scores)
    sure = np.bincount(key, weights=scores > 0.5)
    square = np.bincount(key, weights=scores * scores)
    mean = (total / count)[key]
    spread = np.sqrt(np.maximum((square / count)[key] - mean * mean, 0.0))
    others = np.maximum(count[key] - 1, 1)
    alone = count[key] < 2
    return {
        f"{name}_mean": mean,
        f"{name}_others": np.where(alone, -1.0, (total[key] - scores) / others),
        f"{name}_sure": np.where(alone, -1.0, (sure[key] - (scores > 0.5)) / others),
        f"{name}_spread": spread,
        f"{name}_expected": np.log1p(total)[key],
    }


def _higher(group: Ints, scores: Floats) -> Floats:
    """Share of the document's expected headings that lie in groups of a higher mean score."""
    count = np.bincount(group).astype(np.float64)
    total = np.bincount(group, weights=scores)
    order = np.argsort(-total / count, kind="stable")
    before = np.zeros(len(count))
    before[order] = np.cumsum(total[order]) - total[order]
    return np.asarray((before / max(float(total.sum()), 1e-9))[group])


def _neighbours(scores: Floats, group: Ints) -> Columns:
    """Scores of the blocks before and after, in the document and in the group; -1 where there is none."""
    previous, following = np.append(-1.0, scores[:-1]), np.append(scores[1:], -1.0)
    order = np.argsort(group, kind="stable")
    ordered, keys = scores[order], group[order]
    fresh = keys[1:] != keys[:-1]
    mine_before, mine_after = np.full(len(scores), -1.0), np.full(len(scores), -1.0)
    mine_before[order[1:]] = np.where(fresh, -1.0, ordered[:-1])
    mine_after[order[:-1]] = np.where(fresh, -1.0, ordered[1:])
    return {
        "previous": previous,
        "following": following,
        "group_previous": mine_before,
        "group_following": mine_after,
    }


def _relatives(scores: Floats, numbers: Sequence[Number | None]) -> Columns:
    """Best scores of the blocks that carry the parent's, the elder and the younger sibling's and the first child's number; -1 without."""
    best: dict[tuple[str, tuple[int, ...]], float] = {}
    listed = scores.tolist()
    for number, score in zip(numbers, listed, strict=True):
        if number is not None:
            key = (number.prefix, number.values)
            if score > best.get(key, -1.0):
                best[key] = score
    parent, elder, younger, child = ([-1.0] * len(listed) for _ in range(4))
    for index, number in enumerate(numbers):
        if number is None:
            continue
        word, values = number.prefix, number.values
        if len(values) > 1:
            parent[index] = max(best.get((word, values[:-1]), -1.0), best.get(("", values[:-1]), -1.0))
        elder[index] = best.get((word, (*values[:-1], values[-1] - 1)), -1.0)
        younger[index] = best.get((word, (*values[:-1], values[-1] + 1)), -1.0)
        child[index] = max(best.get((word, (*values, 1)), -1.0), best.get(("", (*values, 1)), -1.0))
    names = ("parent", "elder", "younger", "child")
    return {name: np.array(found) for name, found in zip(names, (parent, elder, younger, child), strict=True)}


_OF_KEY = ("mean", "others", "sure", "spread", "expected")

#: Names of the columns of ``second_look``, in order.
SECOND_LOOK: tuple[str, ...] = (
    *("score", "relative", "doc_best", "doc_expected", "doc_rate"),
    *(f"group_{name}" for name in _OF_KEY),
    *(f"rank_{name}" for name in _OF_KEY),
    "group_higher",
    *("previous", "following", "group_previous", "group_following", "parent", "elder", "younger", "child"),
)


def chosen(scores: Floats, *, unseen: float = 0.0) -> Bools:
    """The blocks to take: as many of the best as give the highest expected F1, if scores are probabilities.

    With the ``k`` best taken, expected F1 is about ``2 Σ_k p / (k + Σ p + unseen)``, where ``unseen`` are headings that no block holds.
    (The plug-in rule for the F-measure; Ye, Chai, Lee and Chieu, "Optimizing F-measure", ICML 2012.)
    """
    taken = np.zeros(len(scores), dtype=bool)
    if not len(scores):
        return taken
    order = np.argsort(-scores, kind="stable")
    running = np.cumsum(scores[order])
    quality = 2 * running / (np.arange(1, len(scores) + 1) + running[-1] + unseen)
    taken[order[: int(np.argmax(quality)) + 1]] = True
    return taken
