"""Libraries in memory for tests of tools and chat: documents written as pages, with a nested tree, labels and page states."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pageindex.document import (
    DocumentRecord,
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
from pageindex.store.base import ROOT_FOLDER, Addition, Library
from pageindex.store.memory import MemoryLibrary


@dataclass(frozen=True)
class Sheet:
    """A page to be: its text, state and printed label."""

    text: str
    state: PageState = PageState.TEXT
    label: str | None = None


def edition_of(name: str, sheets: Sequence[Sheet | str]) -> Edition:
    pages = []
    for number, sheet in enumerate(sheets, start=1):
        sheet = Sheet(sheet) if isinstance(sheet, str) else sheet
        state = sheet.state if sheet.text or sheet.state is not PageState.TEXT else PageState.BLANK
        pages.append(Page(number, sheet.text, state, sheet.label, "pdf" if sheet.label else None, 612, 792))
    data = "\f".join(page.text for page in pages).encode()
    source = Source(name, hashlib.sha256(data).hexdigest(), len(data), "text/plain")
    return Edition(source, Extractor("made", "1"), tuple(pages))


def tree_of(edition: Edition) -> Tree:
    """Lines that begin with ``#``, ``##`` … are headings of that level; what stands before the first is a section of its own."""
    marks: list[tuple[int, str, Position, int]] = []
    for page in edition.pages:
        offset = 0
        for line in page.text.splitlines(keepends=True):
            if line.startswith("#"):
                level = len(line) - len(line.lstrip("#"))
                marks.append(
                    (level, line.lstrip("#").strip(), Position(page.number, offset), len(line.strip().encode()))
                )
            offset += len(line.encode())
    if not marks or marks[0][2] != Position(1, 0):
        marks.insert(0, (1, "Front matter", Position(1, 0), 0))
    return Tree(edition.id, marks[0][1], tuple(_nest(marks, edition.end)), edition.end, TreeSource.LAYOUT, "en")


def _nest(marks: Sequence[tuple[int, str, Position, int]], end: Position) -> list[Section]:
    sections: list[Section] = []
    children: list[list[Section]] = [[] for _ in marks]
    ends = [next((m[2] for m in marks[i + 1 :] if m[0] <= mark[0]), end) for i, mark in enumerate(marks)]
    for index in reversed(range(len(marks))):
        level, title, start, size = marks[index]
        parent = next((i for i in reversed(range(index)) if marks[i][0] < level), None)
        stop = min(ends[index], ends[parent]) if parent is not None else ends[index]
        section = Section(
            f"{index + 1:04}",
            title,
            Span(start, stop),
            TreeSource.LAYOUT,
            ("layout",),
            title != "Front matter",
            (start.byte, start.byte + size) if size else None,
            children=tuple(reversed(children[index])),
        )
        (sections if parent is None else children[parent]).append(section)
    return list(reversed(sections))


def add(
    library: Library,
    name: str,
    sheets: Sequence[Sheet | str],
    *,
    summaries: Mapping[str, str] | None = None,
    metadata: Mapping[str, Any] | None = None,
    folder_id: str = ROOT_FOLDER,
    description: str = "",
    tree: Tree | None = None,
    media_type: str = "text/plain",
    source: bytes | None = None,
    edition: Edition | None = None,
) -> DocumentRecord:
    """Add a document; its path is ``/docs/<name>``."""
    return library.add(
        addition(
            name,
            sheets,
            summaries=summaries,
            metadata=metadata,
            folder_id=folder_id,
            description=description,
            tree=tree,
            media_type=media_type,
            source=source,
            edition=edition,
        )
    ).record


def addition(
    name: str,
    sheets: Sequence[Sheet | str],
    *,
    summaries: Mapping[str, str] | None = None,
    metadata: Mapping[str, Any] | None = None,
    folder_id: str = ROOT_FOLDER,
    description: str = "",
    tree: Tree | None = None,
    media_type: str = "text/plain",
    source: bytes | None = None,
    edition: Edition | None = None,
) -> Addition:
    """All that a library takes in for such a document."""
    made = edition or edition_of(name, sheets)
    if source is not None:
        made = replace(
            made, source=replace(made.source, sha256=hashlib.sha256(source).hexdigest(), media_type=media_type)
        )
    outline = tree if tree is not None else tree_of(made)
    if outline.edition != made.id:
        outline = replace(outline, edition=made.id)
    said = {node: Summary(node, text, SummaryKind.FALLBACK) for node, text in (summaries or {}).items()}
    data = source if source is not None else "\f".join(page.text for page in made.pages).encode()
    states: dict[str, list[int]] = {}
    for page in made.pages:
        if page.state is not PageState.TEXT:
            states.setdefault(page.state.value, []).append(page.number)
    return Addition(
        name=name,
        source=data,
        source_path=f"/docs/{name}",
        source_sha256=made.source.sha256,
        media_type=media_type,
        edition_id=made.id,
        files={
            **encode_edition(made),
            "tree.json": encode_json(tree_to_json(outline)),
            "summaries.json": encode_json(summaries_to_json(Summaries(made.id, said))),
        },
        facts={
            "title": outline.title,
            "language": "en",
            "page_count": made.page_count,
            "page_states": states,
            "toc_source": "layout",
            "sections": len(outline.by_id),
            "status": "completed",
            "description": description,
        },
        metadata=metadata or {},
        folder_id=folder_id,
    )


REPORT = (
    Sheet(
        "# Overview\r\nAcme Corporation makes anvils and rockets for the mining trade in nine countries.\r\n", label="i"
    ),
    Sheet(
        "## Company history\r\nThe company was founded in 1952 by Wile and Roadrunner in Tucson, Arizona.\r\n",
        label="ii",
    ),
    Sheet(
        "# Results\r\nRevenue rose to 4,512 million dollars in the fiscal year, against 4,130 million the year before.\r\n"
        "## Costs\r\nThe cost of sales was 2,871 million dollars, mostly iron and gunpowder bought from suppliers.\r\n",
        label="1",
    ),
    Sheet(
        "## Outlook\r\nManagement expects demand for rockets to grow slowly over the next three years.\r\n", label="2"
    ),
    Sheet("", PageState.IMAGE_ONLY, label="3"),
    Sheet(
        "# Risks\r\nA shortage of iron could harm the business, as could the retirement of the coyote.\r\n", label="4"
    ),
)


def report_library() -> tuple[MemoryLibrary, DocumentRecord]:
    """A library with one document, ``acme.txt``: six pages, labels that differ, one page that is a picture."""
    library = MemoryLibrary()
    return library, add(library, "acme.txt", REPORT)
