"""Small made-up documents, for the conformance kit and for tests of other code over a library."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from pageindex.document import (
    Edition,
    Extractor,
    Page,
    PageState,
    Position,
    Section,
    Source,
    Span,
    Summaries,
    Summary,
    SummaryKind,
    Tree,
    TreeSource,
)
from pageindex.document.codec import encode_edition, encode_json, summaries_to_json, tree_to_json
from pageindex.store.base import ROOT_FOLDER, Addition
from pageindex.store.disk.layout import SUMMARIES, TREE

__all__ = ["sample_addition", "sample_edition", "sample_summaries", "sample_tree"]


def sample_edition(name: str, pages: Sequence[str], data: bytes) -> Edition:
    """An edition with these page texts; an empty text makes a blank page."""
    return Edition(
        source=Source(name, hashlib.sha256(data).hexdigest(), len(data), "text/plain"),
        extractor=Extractor("sample", "1"),
        pages=tuple(
            Page(number, text, PageState.TEXT if text else PageState.BLANK)
            for number, text in enumerate(pages, start=1)
        ),
    )


def sample_tree(edition: Edition, language: str = "en") -> Tree:
    """One section for each line that begins with ``# ``; what stands before the first is a section of its own."""
    starts = [Position(1, 0)]
    titles = ["Front matter"]
    headings: list[tuple[int, int] | None] = [None]
    for page in edition.pages:
        offset = 0
        for line in page.text.splitlines(keepends=True):
            if line.startswith("# "):
                where, end = Position(page.number, offset), offset + len(line.rstrip().encode())
                if where == starts[-1]:
                    titles[-1], headings[-1] = line[2:].strip(), (offset, end)
                else:
                    starts.append(where)
                    titles.append(line[2:].strip())
                    headings.append((offset, end))
            offset += len(line.encode())
    ends = [*starts[1:], edition.end]
    sections = tuple(
        Section(f"{number:04}", title, Span(start, end), TreeSource.LAYOUT, ("layout",), heading is not None, heading)
        for number, (title, start, end, heading) in enumerate(zip(titles, starts, ends, headings, strict=True))
    )
    return Tree(edition.id, titles[0] if headings[0] else "", sections, edition.end, TreeSource.LAYOUT, language)


def sample_summaries(tree: Tree, texts: Mapping[str, str] | None = None) -> Summaries:
    """Summaries of the sections named by node id, and a description."""
    kind = SummaryKind.FALLBACK
    sections = {node_id: Summary(node_id, text, kind) for node_id, text in (texts or {}).items()}
    return Summaries(tree.edition, sections, f"About {tree.title or 'nothing'}.")


def sample_addition(
    path: str,
    pages: Sequence[str],
    *,
    data: bytes | None = None,
    metadata: Mapping[str, Any] | None = None,
    folder_id: str = ROOT_FOLDER,
    language: str = "en",
    summaries: Mapping[str, str] | None = None,
) -> Addition:
    """Everything an ingest of a text file at ``path`` would put into a library; ``data`` is its bytes if not its pages."""
    data = "\f".join(pages).encode() if data is None else data
    name = PurePosixPath(path).name
    edition = sample_edition(name, pages, data)
    tree = sample_tree(edition, language)
    files = {
        **encode_edition(edition),
        TREE: encode_json(tree_to_json(tree)),
        SUMMARIES: encode_json(summaries_to_json(sample_summaries(tree, summaries))),
    }
    facts = {
        "title": tree.title,
        "language": language,
        "page_count": edition.page_count,
        "page_states": {"blank": [page.number for page in edition.pages if not page.text]},
        "toc_source": tree.toc_source.value,
        "sections": len(tree.by_id),
        "status": "completed",
    }
    return Addition(
        name=name,
        source=data,
        source_path=path,
        source_sha256=edition.source.sha256,
        media_type="text/plain",
        edition_id=edition.id,
        files=files,
        facts=facts,
        metadata=metadata or {},
        folder_id=folder_id,
    )
