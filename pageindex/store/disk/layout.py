"""Where things are in a library on disk, and where the library is."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pageindex.errors import InputError, NotFoundError

__all__ = ["AREAS", "FOLDER_NAME", "LIBRARY_VARIABLE", "Layout", "checked_file", "checked_id", "find_library"]

FOLDER_NAME = ".pageindex"
LIBRARY_VARIABLE = "PAGEINDEX_LIBRARY"

DOCUMENT, NEXT, EDITIONS = "document.json", "next", "editions"
TREE, SUMMARIES = "tree.json", "summaries.json"
DERIVED = frozenset({TREE, SUMMARIES})  #: The files of an edition that may be replaced.
AREAS = frozenset({"ledgers", "cards", "runs"})

_ID = re.compile(r"[a-z0-9]{4,64}")
_FILE = re.compile(r"[^\W.][\w.@+ -]{0,199}")


def find_library(start: Path | None = None, explicit: Path | str | None = None) -> Path:
    """The library's folder, found as git finds its own.

    In this order: ``explicit``, ``$PAGEINDEX_LIBRARY``, the nearest ``.pageindex`` in ``start`` or a folder above it, and
    ``start/.pageindex``, which need not exist. ``start`` is the working folder unless given.
    """
    named = explicit or os.environ.get(LIBRARY_VARIABLE)
    if named:
        return Path(named).expanduser().absolute()
    here = (start or Path.cwd()).absolute()
    for folder in (here, *here.parents):
        if (folder / FOLDER_NAME).is_dir():
            return folder / FOLDER_NAME
    return here / FOLDER_NAME


def checked_id(doc_id: str) -> str:
    """The id itself; raises NotFoundError for what can be no id, so that none leads out of the library."""
    if not _ID.fullmatch(doc_id):
        raise NotFoundError(f"no document has the id {doc_id!r}", "List the documents: 'pageindex list'.")
    return doc_id


def checked_file(area: str, name: str) -> tuple[str, str]:
    """Area and file name themselves; raises InputError for an unknown area or a name that is not a plain file name."""
    if area not in AREAS:
        raise InputError(f"{area!r} is no area of a document", f"Use one of {', '.join(sorted(AREAS))}.")
    if not _FILE.fullmatch(name):
        raise InputError(f"{name!r} is no plain file name", "Use letters, digits, '-', '_' and '.', up to 200.")
    return area, name


@dataclass(frozen=True, slots=True)
class Layout:
    """The paths of a library whose folder is ``root``. Nothing stored in the library names ``root``, so it can be moved."""

    root: Path

    @property
    def library(self) -> Path:
        return self.root / "library.json"

    @property
    def documents(self) -> Path:
        return self.root / "documents"

    @property
    def folders(self) -> Path:
        return self.root / "folders.json"

    @property
    def attempts(self) -> Path:
        return self.root / "attempts.jsonl"

    @property
    def lock(self) -> Path:
        return self.root / "lock"

    @property
    def cache(self) -> Path:
        return self.root / "cache"

    @property
    def catalogue(self) -> Path:
        return self.cache / "catalogue.sqlite"

    @property
    def search(self) -> Path:
        return self.root / "search.sqlite"

    @property
    def set_aside(self) -> Path:
        return self.root / "set-aside"

    def document(self, doc_id: str) -> Path:
        return self.documents / checked_id(doc_id)

    def relative(self, path: Path) -> str:
        """A path as it is shown and reported: relative to the library, with ``/``."""
        return path.relative_to(self.root).as_posix()

    def doc_ids(self) -> Iterator[str]:
        """Ids of all document folders, readable or not."""
        if self.documents.is_dir():
            with os.scandir(self.documents) as entries:
                yield from sorted(e.name for e in entries if _ID.fullmatch(e.name) and e.is_dir(follow_symlinks=False))
