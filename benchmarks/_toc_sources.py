"""Each heading source alone beside the tree that is made of all: the tree must not be worse than the best of them."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = ["of", "report"]

MARGIN = 0.02  #: By how much a source must be better than the tree to beat it.
FIGURES = (("F1@0", "heading F1"), ("edge_f1", "edge F1"))


def of(edition: Any) -> dict[str, list[dict[str, Any]]]:
    """What each source says of an edition, by its name; sources with nothing to say are left out."""
    from pageindex.structure.build import all_sources
    from pageindex.structure.facts import Facts

    return {
        result.source.value: [{"title": c.title, "page": c.page, "level": c.level} for c in result.candidates]
        for result in all_sources(Facts(edition))
        if result.candidates
    }


def report(scores: list[dict[str, Any]], scorer: ModuleType, folder: Path, gold: Path) -> str:
    """Markdown: macro figures of each source over the documents in which it says something, and where one beats the tree."""
    alone: dict[str, list[tuple[dict[str, Any], dict[str, Any]]]] = {}
    beaten = []
    for tree in scores:
        truth = json.loads((gold / f"{tree['id']}.json").read_text())["outline"]
        said = json.loads((folder / f"{tree['id']}.json").read_text()).get("sources", {})
        found = {name: scorer.evaluate(rows, truth) for name, rows in said.items()}
        for name, score in found.items():
            alone.setdefault(name, []).append((score, tree))
        better = [
            f"{head} {tree[key]:.3f}, {name} {score[key]:.3f}"
            for name, score in found.items()
            for key, head in FIGURES
            if score[key] > tree[key] + MARGIN
        ]
        if better:
            beaten.append(f"| {tree['id']} | {'; '.join(better)} |")
    heading = sum(any(score["F1@0"] > tree["F1@0"] + MARGIN for score, tree in _of(alone, tree)) for tree in scores)
    lines = [
        "#### Each source alone",
        "",
        "| source | documents | heading F1: alone → tree | edge F1: alone → tree |",
        "|---|---|---|---|",
    ]
    for name, pairs in sorted(alone.items()):
        cells = " | ".join(f"{_mean(pairs, 0, key):.3f} → {_mean(pairs, 1, key):.3f}" for key, _ in FIGURES)
        lines.append(f"| {name} | {len(pairs)} | {cells} |")
    lines += [
        "",
        f"A source alone beats the tree by more than {MARGIN} in heading F1 on {heading} of {len(scores)} documents, in either figure on {len(beaten)}.",
    ]
    return "\n".join(
        [*lines, *(["", "| document | tree, and what beats it |", "|---|---|", *beaten] if beaten else [])]
    )


def _of(
    alone: dict[str, list[tuple[dict[str, Any], dict[str, Any]]]], tree: dict[str, Any]
) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    return [pair for pairs in alone.values() for pair in pairs if pair[1] is tree]


def _mean(pairs: list[tuple[dict[str, Any], dict[str, Any]]], which: int, key: str) -> float:
    return float(sum(pair[which][key] for pair in pairs) / len(pairs))
