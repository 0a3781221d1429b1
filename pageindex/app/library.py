"""The library itself: opened, listed, changed, kept sound."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pageindex.document import DocumentRecord
from pageindex.errors import InputError
from pageindex.store.base import ROOT_FOLDER, Attempt, Finding, Folder, Library, Listing, Outcome
from pageindex.store.disk.layout import Found, locate_library

__all__ = [
    "ROOT_FOLDER",
    "Attempt",
    "Finding",
    "Folder",
    "Found",
    "Library",
    "Listing",
    "Outcome",
    "PlacedFolder",
    "all_folders",
    "change_document",
    "list_documents",
    "locate_library",
    "open_library",
    "remove_documents",
    "root_of",
]


def open_library(path: str | os.PathLike[str] | None = None, *, create: bool = True, strict: bool = True) -> Library:
    """The library of a folder; by default the nearest ``.pageindex`` upwards, else ``.pageindex`` here.

    Args:
        path: Its folder.
        create: Make one where there is none.
        strict: Refuse a library that is damaged; without it what can be read is read, for ``doctor``.

    Raises:
        NotFoundError: There is none, and none is to be made.
        StoreError: It cannot be read.
    """
    from pageindex.store.disk.library import DiskLibrary

    return DiskLibrary.open(Path(path) if path is not None else None, create=create, strict=strict)


def root_of(library: Library) -> Path | None:
    """The folder of a library on disk; None for any other."""
    root = getattr(library, "root", None)
    return root if isinstance(root, Path) else None


def list_documents(
    library: Library,
    *,
    folder_id: str | None = None,
    recursive: bool = True,
    where: Mapping[str, Any] | None = None,
    limit: int = 50,
    offset: int = 0,
) -> Listing:
    """Documents, newest first; ``where`` compares metadata. Raises InputError for a limit or an offset that means nothing."""
    if limit < 1 or offset < 0:
        raise InputError(f"limit {limit} and offset {offset} make no sense", "Give limit ≥ 1 and offset ≥ 0.")
    return library.list(folder_id=folder_id, recursive=recursive, where=where, offset=offset, limit=limit)


def change_document(
    library: Library,
    reference: str,
    *,
    metadata: Mapping[str, Any] | None = None,
    folder_id: str | None = None,
) -> DocumentRecord:
    """Replace a document's metadata, or move it into another folder; None leaves a part as it is.

    Raises InputError when there is nothing to change.
    """
    if metadata is None and folder_id is None:
        raise InputError("there is nothing to change", "Give metadata or a folder.")
    return library.update(library.resolve(reference).doc_id, metadata=metadata, folder_id=folder_id)


def remove_documents(library: Library, references: Sequence[str]) -> list[DocumentRecord]:
    """Remove documents with their text, copies, index entries and caches. All are found before any is removed.

    Raises NotFoundError, and removes nothing, when one of them is not there.
    """
    records = {record.doc_id: record for record in map(library.resolve, references)}
    for doc_id in records:
        library.remove(doc_id)
    return list(records.values())


@dataclass(frozen=True, slots=True)
class PlacedFolder:
    """A folder, and how deep it lies: 0 is the top."""

    folder: Folder
    level: int


def all_folders(library: Library, parent_id: str = ROOT_FOLDER, level: int = 0) -> Iterator[PlacedFolder]:
    """The folders below one, each behind the one it is in."""
    for folder in library.list_folders(parent_id):
        yield PlacedFolder(folder, level)
        yield from all_folders(library, folder.folder_id, level + 1)
