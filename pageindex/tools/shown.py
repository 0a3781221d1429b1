"""Words of a document where they are shown without a fence."""

from __future__ import annotations

from pageindex.app.document import OpenDocument
from pageindex.document import Section
from pageindex.evidence.fence import clean

__all__ = ["clean", "section_path"]


def section_path(document: OpenDocument, section: Section) -> str:
    """The titles from the top down to a section, with ``›`` between."""
    return " › ".join(clean(step.title) for step in document.tree.path(section.node_id))
