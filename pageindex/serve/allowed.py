"""Which files a caller from outside may have taken in: those below folders that the owner of the server named."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from pageindex.errors import InputError
from pageindex.files import spelled

__all__ = ["allowed_path"]


def allowed_path(given: str, folders: Iterable[Path]) -> Path:
    """The absolute path that a caller means, if it is below one of the folders and no link leads there.

    A relative path is looked for in each folder in turn. The folders themselves may be reached over links: their owner named them.

    Raises:
        InputError: NOT_ALLOWED, where the path leads out of the folders, goes through ``..`` or through a link, or no folder is allowed.
    """
    homes = [Path(os.path.realpath(folder)) for folder in folders]
    if not homes:
        text = "no folder is open to this server, so it can take in no file"
        raise InputError(text, "Start it with --allow FOLDER.", code="NOT_ALLOWED")
    path = Path(given)
    if "\0" in given or ".." in path.parts:
        raise InputError(f"{spelled(given)!r} is no plain path", "Give a path without '..'.", code="NOT_ALLOWED")
    tried = [path] if path.is_absolute() else [home / path for home in homes]
    inside = [(_within(each, folders, homes), each) for each in tried]
    found = [(home, each) for home, each in inside if home is not None]
    if not found:
        text = f"{spelled(given)!r} is in no folder that is open to this server"
        raise InputError(text, f"Open are: {', '.join(spelled(str(home)) for home in homes)}.", code="NOT_ALLOWED")
    for home, each in found:
        if os.path.lexists(each):
            return _unlinked(each, home, given)
    return found[0][1]


def _within(path: Path, named: Iterable[Path], homes: Iterable[Path]) -> Path | None:
    """The folder, as it is spelled in the path, below which the path is."""
    for folder in (*map(Path.absolute, named), *homes):
        if path.is_relative_to(folder):
            return folder
    return None


def _unlinked(path: Path, home: Path, given: str) -> Path:
    """The path again; raises where one of its parts below the folder is a link."""
    place = home
    for part in path.relative_to(home).parts:
        place = place / part
        if place.is_symlink():
            text = f"{spelled(given)!r} goes through the link {spelled(str(place.relative_to(home)))!r}"
            raise InputError(text, "Give the path of what it leads to, if that is in the folder.", code="NOT_ALLOWED")
    return path
