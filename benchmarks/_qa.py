"""Questions with known evidence pages, and their documents in a library in memory."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pageindex.document import Edition, Summaries, Tree
from pageindex.document.codec import encode_edition, encode_json, summaries_to_json, tree_to_json
from pageindex.store.base import Addition
from pageindex.store.memory import MemoryLibrary

__all__ = ["SETS", "Question", "documents", "library_of", "questions"]

SETS = {"financebench": "FinanceBench", "mmlongbench": "MMLongBench"}


@dataclass(frozen=True, slots=True)
class Question:
    """A question over one document, the pages that answer it, the answer where the set gives one, and what it was worked out from."""

    set: str
    file: str
    text: str
    pages: tuple[int, ...]
    kind: str
    answer: str
    reasons: str = ""


def questions(corpus: Path) -> Iterator[Question]:
    """The questions of both sets that have evidence pages and whose document is there."""
    for name in SETS:
        for item in json.loads((corpus / "qa" / f"{name}.json").read_text(encoding="utf-8")):
            pages = item.get("evidence_pages") or [evidence["page"] for evidence in item.get("evidence", ())]
            if pages and (corpus / item["file"]).exists():
                kind = item.get("type") or item["doc_type"]
                given, reasons = str(item["answer"]), str(item.get("justification") or "")
                yield Question(name, item["file"], item["question"], tuple(sorted(set(pages))), kind, given, reasons)


def documents(corpus: Path, files: Sequence[str], cache: Path | None) -> Mapping[str, tuple[Edition, Tree]]:
    """Editions and trees, without a model; kept in ``cache`` between runs."""
    from pageindex.reading import read
    from pageindex.structure import build_tree

    if cache is not None and cache.exists():
        kept: dict[str, tuple[Edition, Tree]] = pickle.loads(cache.read_bytes())
        if set(files) <= set(kept):
            return kept
    made = {}
    for file in files:
        edition = read(corpus / file)
        made[file] = (edition, build_tree(edition))
    if cache is not None:
        cache.write_bytes(pickle.dumps(made))
    return made


def library_of(made: Mapping[str, tuple[Edition, Tree]]) -> MemoryLibrary:
    """A library of these documents, named by their file names."""
    library = MemoryLibrary()
    for file, (edition, tree) in made.items():
        library.add(
            Addition(
                name=Path(file).name,
                source=file.encode(),
                source_path=f"/{file}",
                source_sha256=_sha(file),
                media_type="text/plain",
                edition_id=edition.id,
                files={
                    **encode_edition(edition),
                    "tree.json": encode_json(tree_to_json(replace(tree, edition=edition.id))),
                    "summaries.json": encode_json(summaries_to_json(Summaries(edition.id))),
                },
                facts={
                    "page_count": edition.page_count,
                    "sections": len(tree.by_id),
                    "status": "completed",
                    "title": tree.title,
                },
            )
        )
    return library


def _sha(text: str) -> str:
    import hashlib

    return hashlib.sha256(text.encode()).hexdigest()
