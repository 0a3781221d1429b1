"""Which files some paths, folders and globs mean."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from pageindex.errors import NotFoundError
from pageindex.reading.formats import FORMATS, MARKDOWN, PDF, Format, by_suffix, names, suffixes

__all__ = ["FORMATS", "MARKDOWN", "PDF", "Format", "by_suffix", "find_files", "format_names"]

_SUFFIXES = suffixes()
_GLOB = frozenset("*?[")


def format_names() -> str:
    """The formats that are read, in a sentence."""
    return names()


def find_files(inputs: Iterable[str | Path]) -> list[Path]:
    """The files that some paths, folders and globs name, each once, in order.

    A folder stands for every file below it whose suffix is read here; hidden files and folders are left out. A file that is named
    itself is taken whatever it is called. Raises NotFoundError when one of the inputs names nothing.
    """
    found: dict[Path, None] = {}
    for given in inputs:
        path = Path(given).expanduser()
        if path.is_dir():
            matches = sorted(_below(path))
            missing = f"{path} holds no file that is read here"
        elif path.exists():
            matches, missing = [path], ""
        else:
            matches = sorted(_glob(path))
            missing = f"{path} does not exist" if not _GLOB & set(str(path)) else f"{path} matches no file"
        if not matches:
            raise NotFoundError(missing, f"Give a file, a folder or a glob; read are {', '.join(sorted(_SUFFIXES))}.")
        found.update(dict.fromkeys(Path(os.path.normpath(match.absolute())) for match in matches))
    return list(found)


def _below(folder: Path) -> Iterator[Path]:
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (
            Path(root, name) for name in files if not name.startswith(".") and Path(name).suffix.lower() in _SUFFIXES
        )


def _glob(path: Path) -> Iterator[Path]:
    if _GLOB & set(str(path)):
        pattern = str(path.relative_to(path.anchor))
        yield from (match for match in Path(path.anchor).glob(pattern) if match.is_file())
