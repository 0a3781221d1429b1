"""Files that are either wholly there or not at all, through power cuts and kills.

A file is written under a temporary name beside its place, flushed to the disk, renamed over its place, and the folder that names it
is flushed too. Every step is announced to ``on_step`` before it happens, which is where a test dies on purpose; in use it does nothing.
Files are created with mode 0600 and folders with 0700.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from pageindex.errors import PageIndexError
from pageindex.files import open_regular

__all__ = ["TEMPORARY", "AtomicWriter", "StepHook"]

TEMPORARY = ".tmp-"  #: How the names of unfinished files and folders begin.
FILE_MODE, FOLDER_MODE = 0o600, 0o700

StepHook = Callable[[str, Path], None]


def _ignore(step: str, path: Path) -> None:
    """The hook that does nothing."""


@dataclass(frozen=True, slots=True)
class AtomicWriter:
    """All changes that a library makes to the disk go through one of these.

    Attributes:
        on_step: Called with the name of each elementary step and the path it is about to touch.
    """

    on_step: StepHook = _ignore

    def folder(self, path: Path) -> None:
        """Make a folder and the missing ones above it; one that exists is left as it is."""
        if path.is_dir():
            return
        self.folder(path.parent)
        self.on_step("make folder", path)
        path.mkdir(mode=FOLDER_MODE, exist_ok=True)
        self.sync_folder(path.parent)

    def write(self, path: Path, data: bytes, *, lasting: bool = True) -> None:
        """Put ``data`` at ``path``, in place of what was there; without ``lasting``, a loss of power may bring back what was there."""
        self._publish(path, lambda file: file.write(data), lasting=lasting)

    def copy(self, source: Path, path: Path) -> str:
        """Copy a file to ``path``; returns the SHA-256 (hex) of the bytes that were copied.

        A copy and not a hard link: an edit of the original in place would change what was read, and its mode is its owner's.
        """
        digest = hashlib.sha256()

        def fill(file: BinaryIO) -> None:
            opened = open_regular(source)
            with opened.stream:
                for piece in opened.pieces():
                    digest.update(piece)
                    file.write(piece)

        self._publish(path, fill)
        return digest.hexdigest()

    def publish_folder(self, path: Path, files: Mapping[str, bytes]) -> None:
        """Make ``path`` a folder of exactly these files (names may hold ``/``); it appears with all of them or not at all."""
        with self.new_folder(path) as folder:
            self.fill_folder(folder, files)

    @contextmanager
    def new_folder(self, path: Path) -> Iterator[Path]:
        """A folder under a temporary name, which becomes ``path`` when the block ends well and is deleted when it raises."""
        self.folder(path.parent)
        temporary = path.parent / f"{TEMPORARY}{secrets.token_hex(6)}"
        self.folder(temporary)
        try:
            yield temporary
            self.on_step("rename folder", path)
            temporary.rename(path)
        except (PageIndexError, OSError):
            shutil.rmtree(temporary, ignore_errors=True)
            raise
        self.sync_folder(path.parent)

    def fill_folder(self, folder: Path, files: Mapping[str, bytes]) -> None:
        """Write files into a folder that nobody sees yet; names may hold ``/``."""
        for name, data in files.items():
            self.folder((folder / name).parent)
            self._fill(folder / name, lambda file, data=data: file.write(data))  # type: ignore[misc]
        for inner in {folder, *((folder / name).parent for name in files)}:
            self.sync_folder(inner)

    def move(self, source: Path, target: Path) -> None:
        """Rename a file or folder; a file replaces the one at ``target``."""
        self.folder(target.parent)
        self.on_step("move", target)
        source.replace(target)
        self.sync_folder(target.parent)
        if source.parent != target.parent:
            self.sync_folder(source.parent)

    def remove_tree(self, path: Path) -> None:
        """Make a folder vanish in one step, then delete what was in it. What is not there is no error."""
        if not path.exists():
            return
        if not path.name.startswith(TEMPORARY):
            hidden = path.parent / f"{TEMPORARY}{secrets.token_hex(6)}"
            self.move(path, hidden)
            path = hidden
        self.on_step("delete", path)
        shutil.rmtree(path)

    def remove_file(self, path: Path) -> None:
        """Delete a file; one that is not there is no error."""
        self.on_step("delete", path)
        path.unlink(missing_ok=True)

    def append_line(self, path: Path, line: bytes, kept: int) -> None:
        """Add one line to a log behind its first ``kept`` bytes, wholly or not at all; what a kill left behind them is taken away first."""
        self.on_step("append", path)
        new = not path.exists()
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, FILE_MODE)
        with os.fdopen(descriptor, "ab+") as file:
            file.truncate(kept)
            file.seek(max(0, kept - 1))
            open_end = kept > 0 and file.read(1) != b"\n"
            try:
                file.write(b"\n" * open_end + line.rstrip(b"\n") + b"\n")
                file.flush()
                os.fsync(file.fileno())
            except OSError:
                os.ftruncate(descriptor, kept)  # what could not be written must not stay half
                raise
        if new:
            self.sync_folder(path.parent)

    def sync_folder(self, path: Path) -> None:
        """Flush a folder's own list of names."""
        if os.name == "nt":  # folders cannot be opened there, and renames are flushed by the system
            return
        self.on_step("flush folder", path)
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def _publish(self, path: Path, fill: Callable[[BinaryIO], object], *, lasting: bool = True) -> None:
        temporary = path.parent / f"{TEMPORARY}{secrets.token_hex(6)}"
        try:
            self._fill(temporary, fill)
            self.on_step("rename", path)
            temporary.replace(path)
        except (PageIndexError, OSError):
            temporary.unlink(missing_ok=True)
            raise
        if lasting:
            self.sync_folder(path.parent)

    def _fill(self, path: Path, fill: Callable[[BinaryIO], object]) -> None:
        self.on_step("create", path)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE)
        with os.fdopen(descriptor, "wb") as file:
            self.on_step("fill", path)
            fill(file)
            file.flush()
            self.on_step("flush", path)
            os.fsync(file.fileno())
