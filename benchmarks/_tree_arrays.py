"""A LightGBM booster as the arrays that ``pageindex.structure.layout.model`` evaluates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["arrays_of", "joined", "write_trees"]


Stored = dict[str, npt.NDArray[Any]]


def arrays_of(booster: Any) -> dict[str, npt.NDArray[Any]]:
    """``feature, threshold, mask, start, value`` as in ``model.Trees``; leaves are numbered from left to right.

    Raises ValueError for a tree with more than 32 leaves or with tests other than ``<=``.
    """
    features: list[int] = []
    thresholds: list[float] = []
    masks: list[int] = []
    starts: list[int] = []
    values: list[list[float]] = []
    for tree in booster.dump_model()["tree_info"]:
        starts.append(len(features))
        leaves: list[float] = []
        _walk(tree["tree_structure"], features, thresholds, masks, leaves)
        if len(leaves) > 32:
            raise ValueError(f"a tree has {len(leaves)} leaves; 32 fit")
        if len(leaves) == 1:  # a tree that never splits: a test that always passes
            features.append(0)
            thresholds.append(float("inf"))
            masks.append(0xFFFFFFFF)
        values.append(leaves)
    most = max(map(len, values))
    return {
        "feature": np.array(features, dtype=np.int16),
        "threshold": np.array(thresholds, dtype=np.float32),
        "mask": np.array(masks, dtype=np.uint32),
        "start": np.array(starts, dtype=np.int32),
        "value": np.array([row + [0.0] * (most - len(row)) for row in values], dtype=np.float32),
    }


def write_trees(path: Path, booster: Any, probe: npt.NDArray[np.float32], columns: Sequence[str]) -> None:
    """A model file: the trees, the names of their columns, and rows with the trainer's own answers (log-odds)."""
    stored: dict[str, Any] = arrays_of(booster)
    answer = np.asarray(booster.predict(probe, raw_score=True), dtype=np.float64)
    stored |= {"names": np.array(columns), "probe": probe, "answer": answer}
    np.savez_compressed(path, **stored)


def joined(
    one: Mapping[str, Any], other: Mapping[str, Any], share: float, columns: Sequence[str], first: int
) -> Stored:
    """A model whose log-odds are ``share`` times those of one and the rest of another's; the first trees of both stand in front.

    Args:
        one, other: Arrays of model files over ``columns`` or some of them.
        share: Of the first, 0-1.
        columns: Names in the order in which the new file knows them.
        first: Trees of each that stand in front, since after them hopeless rows are left alone.
    """
    place = {name: index for index, name in enumerate(columns)}
    trees = []
    for stored, weight in ((one, share), (other, 1.0 - share)):
        bounds = np.append(stored["start"], len(stored["feature"]))
        column = np.array([place[name] for name in stored["names"].tolist()])[stored["feature"]]
        parts = [slice(a, b) for a, b in pairwise(bounds.tolist())]
        trees.append(
            [
                (column[part], stored["threshold"][part], stored["mask"][part], leaves * np.float32(weight))
                for part, leaves in zip(parts, stored["value"], strict=True)
            ]
        )
    order = [*trees[0][:first], *trees[1][:first], *trees[0][first:], *trees[1][first:]]
    most = max(len(leaves) for *_, leaves in order)
    return {
        "feature": np.concatenate([tree[0] for tree in order]).astype(np.int16),
        "threshold": np.concatenate([tree[1] for tree in order]),
        "mask": np.concatenate([tree[2] for tree in order]),
        "start": np.cumsum([0, *(len(tree[0]) for tree in order[:-1])]).astype(np.int32),
        "value": np.array([np.pad(tree[3], (0, most - len(tree[3]))) for tree in order], dtype=np.float32),
        "names": np.array(columns),
    }


def _walk(
    node: dict[str, Any], features: list[int], thresholds: list[float], masks: list[int], leaves: list[float]
) -> None:
    if "leaf_value" in node:
        leaves.append(node["leaf_value"])
        return
    if node["decision_type"] != "<=":
        raise ValueError(f"test {node['decision_type']} is not supported")
    index, first = len(features), len(leaves)
    features.append(node["split_feature"])
    # A threshold between two 32-bit values must not round up onto the larger one.
    narrow = np.float32(node["threshold"])
    thresholds.append(float(narrow if narrow <= node["threshold"] else np.nextafter(narrow, np.float32(-np.inf))))
    masks.append(0)
    _walk(node["left_child"], features, thresholds, masks, leaves)
    masks[index] = 0xFFFFFFFF & ~(((1 << (len(leaves) - first)) - 1) << first)
    _walk(node["right_child"], features, thresholds, masks, leaves)
