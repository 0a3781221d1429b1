"""Where things are in a library on disk, and where the library is."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pageindex.config import belongs_to_user, home_folder, mask
from pageindex.errors import InputError, NotFoundError

__all__ = [
    "AREAS",
    "CEILING_VARIABLE",
    "FOLDER_NAME",
    "LIBRARY_VARIABLE",
    "Found",
    "Layout",
    "checked_file",
    "checked_id",
    "find_library",
    "locate_library",
]

FOLDER_NAME = ".pageindex"
LIBRARY_VARIABLE = "PAGEINDEX_LIBRARY"
CEILING_VARIABLE = "PAGEINDEX_CEILING"

DOCUMENT, NEXT, EDITIONS = "document.json", "next", "editions"
TREE, SUMMARIES = "tree.json", "summaries.json"
DERIVED = frozenset({TREE, SUMMARIES})  #: The files of an edition that may be replaced.
AREAS = frozenset({"ledgers", "cards", "runs"})

_ID = re.compile(r"[a-z0-9]{4,64}")
_ADDRESS = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]+:/"
)  # of two letters at least: C:/ is a drive; a path keeps one slash of two
_FILE = re.compile(r"[^\W.][\w.@+ -]{0,199}")


@dataclass(frozen=True, slots=True)
class Found:
    """A library's folder and what led to it.

    Attributes:
        root: The folder, absolute; it need not exist.
        how: ``named`` by the caller, ``environment``, found ``here``, found ``above``, or ``new`` where there is none yet.
    """

    root: Path
    how: str

    @property
    def elsewhere(self) -> bool:
        """Whether it stands anywhere but in the working folder, so that people should be told which one it is."""
        return self.root.parent != Path.cwd()


def find_library(start: Path | None = None, explicit: Path | str | None = None) -> Path:
    """The folder of the library in use; see ``locate_library``."""
    return locate_library(start, explicit).root


def locate_library(start: Path | None = None, explicit: Path | str | None = None) -> Found:
    """The library's folder, found as git finds its own.

    In this order: ``explicit``, ``$PAGEINDEX_LIBRARY``, the nearest ``.pageindex`` in ``start`` or a folder above it, and
    ``start/.pageindex``, which need not exist. ``start`` is the working folder unless given. The search ends with the home folder, at the
    border of a file system, and before a folder that ``$PAGEINDEX_CEILING`` names (several are separated as in ``$PATH``; ``start`` itself is always looked at).

    Raises InputError: an address instead of a folder (NOT_A_FOLDER), a library of another user that nobody named (FOREIGN_LIBRARY).
    """
    if explicit:
        return Found(_folder(explicit, "--library"), "named")
    if named := os.environ.get(LIBRARY_VARIABLE):
        return Found(_folder(named, f"${LIBRARY_VARIABLE}"), "environment")
    here = (start or Path.cwd()).absolute()
    for folder in _upwards(here):
        found = folder / FOLDER_NAME
        if _is_folder(found):
            return Found(_own(found), "here" if folder == here else "above")
    return Found(here / FOLDER_NAME, "new")


def _folder(named: Path | str, by: str) -> Path:
    text = str(named)
    if _ADDRESS.match(text):
        raise InputError(
            f"{by} names an address, {mask(text.replace(':/', '://', 1).replace(':///', '://', 1))}, and a library is a folder",
            "Name a folder of this machine, such as ./library.",
            code="NOT_A_FOLDER",
        )
    return Path(named).expanduser().absolute()


def _upwards(here: Path) -> Iterator[Path]:
    """``here`` and the folders above it that may be searched."""
    home = home_folder()
    homes = {home, home.resolve()} if home is not None else set()
    ceilings = {Path(name).expanduser() for name in os.environ.get(CEILING_VARIABLE, "").split(os.pathsep) if name}
    ceilings |= {folder.resolve() for folder in ceilings}
    device = _device(here)
    for folder in (here, *here.parents):
        if folder != here and (folder in ceilings or _device(folder) != device):
            return
        yield folder
        if folder in homes:
            return


def _device(folder: Path) -> int | None:
    try:
        return folder.stat().st_dev
    except OSError:  # not there, or not ours to look at
        return None


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # a folder above that we may not look into
        return False


def _own(found: Path) -> Path:
    if belongs_to_user(found):
        return found
    raise InputError(
        f"the library at {found} belongs to another user",
        f"If you trust it, name it: --library {found}. Else set ${CEILING_VARIABLE} to {found.parent}, so that it is not looked for there.",
        code="FOREIGN_LIBRARY",
        path=str(found),
    )


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
    def attempts_head(self) -> Path:
        return self.root / "attempts.head.json"

    @property
    def spending(self) -> Path:
        return self.root / "spending.jsonl"

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
