"""The JSON that doors print and return, typed (``types``), and how it is made of what the functions of ``app`` return."""

from __future__ import annotations

from pageindex.app.shapes import types
from pageindex.app.shapes.content import (
    block,
    envelope,
    file_structure,
    page_content,
    page_image,
    section_content,
    structure,
    tree_costs,
    tree_nodes,
)
from pageindex.app.shapes.findings import (
    found_words,
    located,
    search_page,
    tables,
    tables_csv,
    tables_markdown,
    verified,
)
from pageindex.app.shapes.library import (
    attempt,
    confinement_info,
    deleted,
    document_info,
    document_list,
    finding_info,
    folder_info,
    ingested,
    planned,
    refined,
    submitted,
)
from pageindex.app.shapes.types import *  # noqa: F403 - the names of types stand once

__all__ = [
    "attempt",
    "block",
    "confinement_info",
    "deleted",
    "document_info",
    "document_list",
    "envelope",
    "file_structure",
    "finding_info",
    "folder_info",
    "found_words",
    "ingested",
    "located",
    "page_content",
    "page_image",
    "planned",
    "refined",
    "search_page",
    "section_content",
    "structure",
    "submitted",
    "tables",
    "tables_csv",
    "tables_markdown",
    "tree_costs",
    "tree_nodes",
    "verified",
]
__all__ += types.__all__
