"""Which files some paths, folders and globs mean. What cannot be taken is among them, with its reason: nothing drops out of a batch unsaid."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pageindex.errors import InputError, NotFoundError, PageIndexError
from pageindex.files import spelled
from pageindex.reading.formats import FORMATS, MARKDOWN, PDF, Format, by_suffix, names, suffixes

__all__ = ["FORMATS", "MARKDOWN", "PDF", "Format", "FoundFile", "by_suffix", "find_files", "format_names"]

_SUFFIXES = suffixes()
_GLOB = frozenset("*?[")


def format_names() -> str:
    """The formats that are read, in a sentence."""
    return names()


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A path that a batch has to answer for; ``refused`` is why it is not even opened."""

    path: Path
    refused: PageIndexError | None = None


def find_files(inputs: Iterable[str | Path]) -> list[FoundFile]:
    """The files that some paths, folders and globs name, each once, in order.

    A folder stands for every file below it whose suffix is read here; hidden files and folders are left out. A file that is named
    itself is taken whatever it is called. What names nothing, folders that cannot be read and links out of a named folder are
    refused, each by itself. Raises NotFoundError when no input names anything.
    """
    found: dict[Path, FoundFile] = {}
    nothing: list[PageIndexError] = []
    for given in inputs:
        path = Path(os.path.expanduser(given))  # noqa: PTH111 (Path.expanduser raises for unknown users)
        for one in _named(path):
            absolute = Path(os.path.normpath(one.path.absolute()))
            found.setdefault(absolute, FoundFile(absolute, one.refused))
            if one.path == path and one.refused is not None:
                nothing.append(one.refused)
    if nothing and len(nothing) == len(found):
        raise nothing[0]
    return list(found.values())


def _named(path: Path) -> Iterator[FoundFile]:
    shown = spelled(str(path))
    if os.path.isdir(path):  # noqa: PTH112 (which raises where a folder above cannot be searched)
        matches, missing = sorted(_below(path), key=lambda one: one.path), f"{shown} holds no file that is read here"
    elif os.path.lexists(path) or not _GLOB & set(str(path)):
        matches, missing = [FoundFile(path)] if _may_be_there(path) else [], f"{shown} does not exist"
    else:
        matches, missing = [FoundFile(one) for one in sorted(_glob(path))], f"{shown} matches no file"
    if not matches:
        step = f"Give a file, a folder or a glob; read are {', '.join(sorted(_SUFFIXES))}."
        yield FoundFile(path, NotFoundError(missing, step))
    yield from matches


def _may_be_there(path: Path) -> bool:
    """Whether it is there, or something stands in the way of knowing, which opening it will name."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False
    except OSError:
        return True
    return True


def _below(folder: Path) -> Iterator[FoundFile]:
    """What is below a folder. Links are followed to files in the same folder, and nowhere else."""
    home, waiting = Path(os.path.realpath(folder)), [folder]
    while waiting:
        place = waiting.pop()
        try:
            with os.scandir(place) as entries:
                seen = [entry for entry in entries if not entry.name.startswith(".")]
        except OSError as error:
            reason = f"the folder {spelled(str(place))} cannot be read: {error.strerror}"
            yield FoundFile(place, InputError(reason, "Check its permissions.", code="UNREADABLE"))
            continue
        for entry in seen:
            path = Path(entry.path)
            if entry.is_symlink():
                yield from _linked(path, home)
            elif entry.is_dir(follow_symlinks=False):
                waiting.append(path)
            elif path.suffix.lower() in _SUFFIXES:
                yield FoundFile(path)


def _linked(path: Path, home: Path) -> Iterator[FoundFile]:
    """A link in a folder: a file of the same folder is taken; what leads out of it, and would be taken otherwise, is named."""
    target = Path(os.path.realpath(path))
    inside, is_folder = target.is_relative_to(home), os.path.isdir(target)  # noqa: PTH112
    if not inside and (is_folder or path.suffix.lower() in _SUFFIXES):
        text = f"{spelled(str(path))} is a link out of the folder, to {spelled(str(target))}, and is not followed"
        yield FoundFile(path, InputError(text, "Name its target itself to add it.", code="NOT_ALLOWED"))
    elif not is_folder and path.suffix.lower() in _SUFFIXES:
        yield FoundFile(path)


def _glob(path: Path) -> Iterator[Path]:
    pattern = str(path.relative_to(path.anchor))
    for match in Path(path.anchor).glob(pattern):
        try:
            if not stat.S_ISDIR(match.stat().st_mode):
                yield match
        except OSError:  # a link to nothing, or behind a closed door: opening it will say so
            yield match
