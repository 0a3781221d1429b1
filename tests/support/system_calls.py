"""A layer between a library and the system: every call that changes the disk is counted, recorded, and failed or ended on purpose.

The calls are those of ``os`` that the store makes (``open`` to create, ``write``, ``fsync``, ``rename``, ``replace``, ``mkdir``, ``unlink``,
``rmdir``); what SQLite does to the derived databases is not among them. A recording says what may be left after the power went: of all
that was not flushed, any part, in any order.
"""

from __future__ import annotations

import errno
import io
import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

__all__ = ["Faults", "PowerLoss", "faults"]

_SPACE = ("open", "write", "mkdir")  #: Calls that need space.


class Ended(BaseException):
    """The end of a process that a test only plays."""


@dataclass
class Faults:
    """What happens at call ``at`` (from 0): the process ends, or the call fails with ``error``, a full disk going on to be full."""

    at: int | None = None
    error: int = 0
    root: Path = Path("/")
    calls: list[str] = field(default_factory=list)
    record: list[tuple[Any, ...]] = field(default_factory=list)
    ended: bool = False
    full: bool = False

    def before(self, call: str, path: str) -> bool:
        """Count a call; raises what is to go wrong. Returns whether a write is to stop half way."""
        if self.ended:
            raise Ended
        number = len(self.calls)
        self.calls.append(f"{call} {path}")
        if number == self.at and not self.error:
            self.ended = True
            if call == "write":
                return True
            raise Ended
        if number == self.at and self.error == errno.ENOSPC:
            self.full = True
        fails = number == self.at and self.error != errno.ENOSPC
        if fails or (self.full and call in _SPACE):
            if call == "write":
                return True
            raise OSError(self.error, os.strerror(self.error), path)
        return False

    def seen(self, *item: Any) -> None:
        """Note a call that was made."""
        self.record.append(item)


class _Raw(io.FileIO):
    """An open file whose writes are counted."""

    layer: Faults
    place: str

    def write(self, data: Any) -> int:
        if self.layer.ended:
            return len(data)
        whole = bytes(data)
        if self.layer.before("write", self.place):
            half = whole[: len(whole) // 2]
            super().write(half)
            self.layer.seen("write", self.place, half)
            if self.layer.ended:
                raise Ended
            raise OSError(self.layer.error, os.strerror(self.layer.error), self.place)
        self.layer.seen("write", self.place, whole)
        return super().write(whole) or 0


_REAL = {
    name: getattr(os, name) for name in ("open", "fdopen", "fsync", "rename", "replace", "mkdir", "unlink", "rmdir")
}


@dataclass
class _Layer:
    """The calls as the store sees them."""

    layer: Faults
    places: dict[int, str] = field(default_factory=dict)

    def ours(self, path: Any) -> bool:
        if not isinstance(path, str | os.PathLike) or not os.fspath(path).startswith(str(self.layer.root)):
            return False
        return not os.fspath(path).endswith((".sqlite", "-wal", "-shm", "-journal", "/lock"))

    def open(self, path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if dir_fd is not None or not self.ours(path):
            return int(_REAL["open"](path, flags, mode, dir_fd=dir_fd))
        place = os.fspath(path)
        if flags & os.O_CREAT and not os.path.lexists(place):
            self.layer.before("open", place)
            self.layer.seen("create", place)
        descriptor = int(_REAL["open"](path, flags, mode))
        self.places[descriptor] = place
        return descriptor

    def fdopen(self, descriptor: int, mode: str = "r", *rest: Any, **options: Any) -> Any:
        place = self.places.get(descriptor)
        if place is None or not set("wa+") & set(mode):
            return _REAL["fdopen"](descriptor, mode, *rest, **options)
        raw = _Raw(descriptor, "rb+" if "+" in mode else "wb")
        raw.layer, raw.place = self.layer, place
        if "+" not in mode:
            return io.BufferedWriter(raw, 1 << 20)
        raw.seek(0, os.SEEK_END)
        return io.BufferedRandom(raw)

    def fsync(self, descriptor: int) -> None:
        if place := self.places.get(descriptor):
            self.layer.before("fsync", place)
            self.layer.seen("fsync", place)
        else:
            _REAL["fsync"](descriptor)

    def changing(self, name: str) -> Callable[..., Any]:
        """A call that changes names."""

        def call(path: Any, *rest: Any, **options: Any) -> Any:
            place, folder = path, options.get("dir_fd")
            if folder is not None and not os.path.isabs(path):
                place = os.path.join(os.readlink(f"/proc/self/fd/{folder}"), path)
            if self.ours(place):
                self.layer.before(name, os.fspath(place))
                self.layer.seen(name, os.fspath(place), *(os.fspath(r) for r in rest if not isinstance(r, int)))
            return _REAL[name](path, *rest, **options)

        return call


@contextmanager
def faults(layer: Faults) -> Iterator[Faults]:
    """Put the layer in while the block runs; only what is below ``layer.root`` is counted."""
    calls = _Layer(layer)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("open", "fdopen", "fsync"):
            patch.setattr(os, name, getattr(calls, name))
        for name in ("rename", "replace", "mkdir", "unlink", "rmdir"):
            patch.setattr(os, name, calls.changing(name))
        yield layer


# ---------------------------------------------------------------- power loss


@dataclass
class _File:
    durable: bytes = b""
    volatile: bytes = b""


@dataclass
class _Folder:
    durable: dict[str, Any] = field(default_factory=dict)
    volatile: dict[str, Any] = field(default_factory=dict)


_Step = list[tuple[_Folder, str, Any]]  # names that one call sets or (None) takes away, at once


class PowerLoss:
    """A disk that follows a recording: what is flushed lasts; of the rest any names and any data may have come to the disk."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.top = self._load(root)
        self.pending: list[_Step] = []

    def _load(self, folder: Path) -> _Folder:
        made = _Folder()
        for path in folder.iterdir():
            if path.is_dir() and path.name == "cache":
                continue
            if path.is_file() and (".sqlite" in path.name or path.name == "lock"):
                continue
            node = self._load(path) if path.is_dir() else _File(path.read_bytes(), path.read_bytes())
            made.durable[path.name] = made.volatile[path.name] = node
        return made

    def _find(self, path: str) -> tuple[_Folder, str, Any]:
        parts = Path(path).relative_to(self.root).parts
        folder = self.top
        for part in parts[:-1]:
            folder = folder.volatile.get(part) or _Folder()
        name = parts[-1] if parts else ""
        return folder, name, folder.volatile.get(name) if parts else self.top

    def _set(self, *changes: tuple[_Folder, str, Any]) -> None:
        for folder, name, node in changes:
            folder.volatile.pop(name, None)
            if node is not None:
                folder.volatile[name] = node
        self.pending.append(list(changes))

    def play(self, item: tuple[Any, ...]) -> None:
        """Follow one recorded call."""
        call, path, *rest = item
        folder, name, node = self._find(path)
        if call in ("create", "mkdir"):
            if node is None:
                self._set((folder, name, _File() if call == "create" else _Folder()))
        elif call == "write" and node is not None:
            node.volatile += rest[0]
        elif call in ("rename", "replace"):
            target, new, _ = self._find(rest[0])
            self._set((folder, name, None), (target, new, node))
        elif call in ("unlink", "rmdir"):
            self._set((folder, name, None))
        elif call == "fsync" and isinstance(node, _File):
            node.durable = node.volatile
        elif call == "fsync" and isinstance(node, _Folder):
            done = [step for step in self.pending if any(folder is node for folder, _, _ in step)]
            for step in done:
                self._apply(step)
            self.pending = [step for step in self.pending if step not in done]

    @staticmethod
    def _apply(step: _Step, entries: dict[int, dict[str, Any]] | None = None) -> None:
        for folder, name, node in step:
            names = folder.durable if entries is None else entries.setdefault(id(folder), dict(folder.durable))
            names.pop(name, None)
            if node is not None:
                names[name] = node

    def left(self, target: Path, draw: random.Random, share: float) -> None:
        """Make a folder of what may be left: each name and each file's data that were not flushed came through with this probability."""
        entries: dict[int, dict[str, Any]] = {}
        for step in self.pending:
            if draw.random() < share:
                self._apply(step, entries)
        self._write(self.top, target, entries, draw, share)

    def _write(
        self, folder: _Folder, target: Path, entries: dict[int, dict[str, Any]], draw: random.Random, share: float
    ) -> None:
        target.mkdir()
        for name, node in entries.get(id(folder), folder.durable).items():
            if isinstance(node, _Folder):
                self._write(node, target / name, entries, draw, share)
            else:
                whole = node.volatile if draw.random() < share else node.durable
                torn = node.volatile != node.durable and draw.random() < 0.3
                (target / name).write_bytes(whole[: len(whole) // 2] if torn and whole != node.durable else whole)
