"""Absence: words that are plainly visible must not be granted, words that are nowhere must be."""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import _evidence_hidden  # noqa: F401 - registers its kinds
from benchmarks._evidence_pages import all_kinds, drawn
from benchmarks._evidence_samples import key
from pageindex import reading
from pageindex.document import Edition
from pageindex.evidence import Absence, prove_absence

WORDS = ("zebrafish", "walrusine", "quagmires", "obsidians")
NOWHERE = "xylophonist"
_BLOCKED_FOR_ALL = (
    *(
        "picture",
        "outlines",
        "codes",
        "strip",
        "stencil",
        "scan",
        "point by point",
        "points",
        "squares",
        "dots",
        "shapes",
    ),
    *("pen", "ink"),
)


def measure(
    options: argparse.Namespace, paths: Sequence[Path], read: Callable[[Path], Edition]
) -> tuple[list[str], list[dict[str, object]], bool]:
    """The section of the results, the faults, and whether a word that is visible was granted."""
    granted, refused_control, kinds = [], [], all_kinds()
    with tempfile.TemporaryDirectory() as folder:
        for kind in kinds:
            for word in WORDS:
                path = Path(folder) / "page.pdf"
                path.write_bytes(drawn(kind, word))
                edition = reading.read(path)
                if isinstance(prove_absence(edition, [word]), Absence):
                    granted.append({"part": "absence", "kind": kind, "word": word, "text": edition.page(1).text})
                if not any(part in kind for part in _BLOCKED_FOR_ALL) and not isinstance(
                    prove_absence(edition, [NOWHERE]), Absence
                ):
                    refused_control.append(
                        {"part": "absence control", "kind": kind, "answer": str(prove_absence(edition, [NOWHERE]))}
                    )
    visible, hidden = _in_documents(options, paths, read)
    readable = sum(not any(part in kind for part in _BLOCKED_FOR_ALL) for kind in kinds)
    trials = len(kinds) * len(WORDS)
    lines = [
        "## Absence",
        f"{len(kinds)} kinds of pages drawn for the purpose, {len(WORDS)} words each; and words of the corpus' own pages, as poppler gives them.",
        "",
        "| | number | measured | target |\n|---|---|---|---|",
        f"| visible words granted as absent, drawn pages | {trials:,} | **{len(granted)}** | 0 |",
        f"| visible words granted as absent, pages of the corpus | {visible[0]:,} | **{visible[1]}** | 0 |",
        f"| a word that is nowhere refused, drawn pages that can be read | {readable * len(WORDS):,} | {len(refused_control)} | |",
        f"| a word that is nowhere, documents all of which can be read: granted | {hidden[0]:,} | {hidden[1]:,} | all |",
    ]  # fmt: skip
    kinds_granted = sorted({str(fault["kind"]) for fault in granted})
    if kinds_granted:
        lines += ["", f"Granted: {', '.join(kinds_granted)}."]
    return lines, [*granted, *refused_control], bool(granted or visible[1])


def _in_documents(
    options: argparse.Namespace, paths: Sequence[Path], read: Callable[[Path], Edition]
) -> tuple[tuple[int, int], tuple[int, int]]:
    """``(words tried, granted)`` of words that poppler sees, and ``(documents, granted)`` of a word that is nowhere."""
    from benchmarks import _outside

    rng = random.Random(options.seed)
    tried = granted = documents = absent = 0
    for path in paths:
        edition = read(path)
        texts = _outside.page_texts(path)
        if len(texts) != edition.page_count:
            continue
        words = sorted({word for text in texts for word in text.split() if word.isalpha() and len(word) > 4})
        for word in rng.sample(words, min(12, len(words))):
            tried += 1
            granted += isinstance(prove_absence(edition, [rng.choice([word, word.upper(), word.lower()])]), Absence)
        nowhere = "".join(rng.choices("bcdfghjklmnpqrstvwxz", k=11))
        if nowhere not in key(" ".join(texts)) and not any(page.unread or page.flags for page in edition.pages):
            documents += 1
            absent += isinstance(prove_absence(edition, [nowhere]), Absence)
    return (tried, granted), (documents, absent)
