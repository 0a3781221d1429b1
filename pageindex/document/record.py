"""What a library knows of a document without opening its pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["DocumentRecord", "EditionEntry"]


@dataclass(frozen=True, slots=True)
class EditionEntry:
    """One edition of a document.

    Attributes:
        id: Edition id (64 hex).
        source_sha256: Of the bytes it was read from.
        source_file: File name inside the document's folder.
        added_at: ISO 8601, UTC.
        files: SHA-256 (hex) of each of the edition's stored files, by name; empty where an older version stored them.
    """

    id: str
    source_sha256: str
    source_file: str
    added_at: str
    files: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """The commit marker of a document (``document.json``).

    Attributes:
        doc_id: Stable over editions.
        name: File name the user knows it by; made unique in a listing only by ``doc_id``.
        title: The document's own title, or empty.
        description: One sentence, or empty.
        status: ``completed``, ``partial`` (some pages or model stages failed) or ``failed``.
        created_at, updated_at: ISO 8601, UTC.
        page_count: Physical pages.
        media_type: Of the source.
        source_path: Absolute path it was added from; empty when it was added as bytes.
        editions: Oldest first; the last one is current.
        toc_source: Heading source of the tree's frame.
        confidence: Of the tree's headings, as in ``Tree``.
        language: BCP 47 primary tag, or empty.
        page_states: Pages that are not plain text, by state: ``{"image_only": [3, 4]}``.
        flags: Pages by flag name.
        folder_id: ``root`` or a folder.
        metadata: The user's own key and value pairs.
        usage: Model usage: calls, prompt, cached and completion tokens, money where known.
        notes: Codes and messages worth showing: ``[{"code", "message", "page"}]``.
        sections: Number of sections in the tree.
        files: SHA-256 (hex) of each file beside the editions, such as ``runs/refine-1a2b.json``.
        shaped_by: What shaped the tree besides the file's bytes: the reader and its version, limits.
    """

    doc_id: str
    name: str
    title: str
    status: str
    created_at: str
    updated_at: str
    page_count: int
    media_type: str
    source_path: str
    editions: tuple[EditionEntry, ...]
    toc_source: str
    description: str = ""
    language: str = ""
    page_states: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    flags: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    folder_id: str = "root"
    metadata: Mapping[str, Any] = field(default_factory=dict)
    usage: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[Mapping[str, Any], ...] = ()
    sections: int = 0
    files: Mapping[str, str] = field(default_factory=dict)
    shaped_by: Mapping[str, Any] = field(default_factory=dict)
    confidence: float | None = None

    @property
    def edition(self) -> EditionEntry:
        """The current edition."""
        return self.editions[-1]
