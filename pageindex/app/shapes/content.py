"""The JSON of a document: trees, sections, pages, blocks."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pageindex.app import document as opened
from pageindex.app.document import OpenDocument, section_text
from pageindex.document import Edition, Summaries, Tree
from pageindex.document.codec import section_to_json

if TYPE_CHECKING:
    from pageindex.app.ingest import ConvertedFile
    from pageindex.refine import Costs

from pageindex.app.shapes.types import (
    Block,
    Envelope,
    FileStructure,
    PageContent,
    PageImage,
    SectionContent,
    Structure,
    TreeNode,
)

__all__ = [
    "block",
    "envelope",
    "file_structure",
    "page_content",
    "page_image",
    "section_content",
    "structure",
    "tree_costs",
    "tree_nodes",
]


def envelope(document: OpenDocument) -> Envelope:
    """What stands round every result of a document."""
    record = document.record
    return Envelope(
        doc_id=record.doc_id,
        status=record.status,
        retrieval_ready=document.ready,
        metadata=dict(record.metadata),
    )


def page_content(found: opened.PageText) -> PageContent:
    """A page in the names that callers know."""
    content = PageContent(page_index=found.page.number, markdown=found.text, state=found.page.state.value)
    if found.label is not None:
        content["label"] = found.label
    return content


def page_image(document: OpenDocument, number: int, picture: bytes) -> PageImage:
    """A picture of a page."""
    item = PageImage(doc_id=document.doc_id, page=number, media_type="image/png", data=b64encode(picture).decode())
    if (label := document.label(number)) is not None:
        item["label"] = label
    return item


def section_content(document: OpenDocument, found: opened.SectionText) -> SectionContent:
    """A section's text in the names that callers know."""
    section = found.section
    content = SectionContent(
        doc_id=document.doc_id,
        node_id=section.node_id,
        title=section.title,
        path=[step.title for step in found.path],
        start_index=section.start_index,
        end_index=section.end_index,
        text=found.text,
    )
    if section.label is not None:
        content["label"] = section.label
    return content


def block(document: OpenDocument, found: opened.Block) -> Block:
    """The words behind a handle in the names that callers know."""
    evidence = found.evidence
    piece = Block(
        doc_id=document.doc_id,
        block_id=str(evidence.handle),
        page=evidence.page,
        start=evidence.start,
        end=evidence.end,
        node_id=found.section.node_id,
        text=found.text,
        sha256=evidence.sha256,
    )
    if (label := document.label(evidence.page)) is not None:
        piece["label"] = label
    return piece


def tree_nodes(
    tree: Tree, summaries: Summaries | None = None, edition: Edition | None = None, *, raw: bool = False
) -> list[TreeNode]:
    """The top level of a tree with all below it; with summaries, and with each section's own text, where those are given."""
    rows: list[Any] = [section_to_json(section, summaries.sections if summaries else None) for section in tree.sections]
    if edition is not None:
        for row, section in zip(_flatten(rows), (section for section, _ in tree.walk()), strict=True):
            row["page_index"] = section.start_index
            row["text"] = section_text(edition, section, own=True, raw=raw)
    return rows


def _flatten(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    stack = list(reversed(rows))
    while stack:
        row = stack.pop()
        yield row
        stack.extend(reversed(row.get("nodes", ())))


def structure(document: OpenDocument) -> Structure:
    """The tree of a document with the document's own facts before it."""
    record, tree = document.record, document.tree
    return Structure(
        doc_name=record.name,
        doc_title=tree.title,
        doc_description=record.description,
        page_count=record.page_count,
        edition=tree.edition,
        toc_source=tree.toc_source.value,
        confidence=tree.confidence,
        language=tree.language,
        structure=tree_nodes(tree, document.summaries),
    )


def tree_costs(costs: Mapping[str, Costs]) -> dict[str, dict[str, Any]]:
    """By state of the tree: ``{sections, text_tokens, outline_tokens, worst_tokens, expected_tokens, worst_pages, average_pages}``."""
    return {state: figures.to_json() for state, figures in costs.items()}


def file_structure(
    name: str, converted: ConvertedFile, *, summaries: bool = True, text: bool = False, description: bool = True
) -> FileStructure:
    """The tree of a file that is in no library; with ``text``, each section's own text as well."""
    tree, derived = converted.tree(), converted.summaries()
    head = FileStructure(doc_name=name, doc_title=tree.title)
    if description:
        head["doc_description"] = derived.description
    rest = FileStructure(
        page_count=converted.facts["page_count"],
        edition=converted.edition_id,
        toc_source=tree.toc_source.value,
        confidence=tree.confidence,
        language=converted.facts["language"],
        page_states=converted.facts["page_states"],
        structure=tree_nodes(tree, derived if summaries else None, converted.edition() if text else None),
    )
    return FileStructure(**head, **rest)
