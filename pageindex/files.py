"""Files of the user's disk: opened only where they are regular files, and their names as text that any encoder takes."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
from collections.abc import Iterator
from io import FileIO
from pathlib import Path
from typing import NamedTuple

from pageindex.errors import InputError, LimitError, NotFoundError

__all__ = ["OpenFile", "open_regular", "path_of", "spelled"]

_PIECE = 1 << 20
_ESCAPED = re.compile(r"\\x([89a-f][0-9a-f])")


class OpenFile(NamedTuple):
    """A regular file that is open, and its size in bytes when it was opened."""

    stream: FileIO
    size: int

    def pieces(self) -> Iterator[bytes]:
        """Its bytes as far as it went when it was opened: what is written behind, or a kernel makes up without end, is not waited for.

        Raises OSError also for a file that became shorter, or has nothing to give now.
        """
        left = self.size
        while left:
            piece = self.stream.read(min(left, _PIECE))
            if not piece:
                raise OSError(errno.EIO, f"it ends {left:,} of {self.size:,} bytes early")
            yield piece
            left -= len(piece)

    def sha256(self) -> str:
        """The SHA-256 (hex) of its bytes, after which it is closed; errors as ``pieces``."""
        digest = hashlib.sha256()
        with self.stream:
            for piece in self.pieces():
                digest.update(piece)
        return digest.hexdigest()


def open_regular(path: Path, most: int | None = None) -> OpenFile:
    """A regular file, opened, then checked on its handle; a pipe or a device is never waited for, and its bytes are never taken.

    Args:
        path: Links are followed.
        most: The largest size in bytes.

    Raises:
        NotFoundError: There is none.
        InputError: IS_A_FOLDER, NOT_A_FILE for a pipe, socket or device, UNREADABLE.
        LimitError: FILE_TOO_LARGE.
    """
    name = spelled(str(path))
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except FileNotFoundError as error:
        raise NotFoundError(f"{name} does not exist", "Check the path.") from error
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the path
        raise _refused(path, name, error) from error
    found = os.fstat(handle)
    if stat.S_ISREG(found.st_mode) and (most is None or found.st_size <= most):
        return OpenFile(os.fdopen(handle, "rb", buffering=0), found.st_size)
    os.close(handle)
    if not stat.S_ISREG(found.st_mode):
        raise _no_file(name, found.st_mode)
    text = f"{spelled(path.name)} has {found.st_size:,} bytes; at most {most:,} are read"
    raise LimitError(text, code="FILE_TOO_LARGE", limit=most)


def _refused(path: Path, name: str, error: OSError | ValueError) -> InputError:
    if isinstance(error, OSError):
        try:
            mode = path.stat().st_mode
        except OSError:
            mode = stat.S_IFREG
        if not stat.S_ISREG(mode):  # a socket cannot be opened; a folder cannot on some systems
            return _no_file(name, mode)
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return InputError(f"{name} cannot be opened: {reason}", "Check its permissions.", code="UNREADABLE")


def _no_file(name: str, mode: int) -> InputError:
    if stat.S_ISDIR(mode):
        return InputError(f"{name} is a folder", "Name a file in it.", code="IS_A_FOLDER")
    return InputError(f"{name} is not a regular file", "Copy it into a file first.", code="NOT_A_FILE")


def spelled(name: str) -> str:
    """A file name with each byte that is not UTF-8 written as ``\\xe9``; any other name as it is."""
    if name.isascii():
        return name
    try:
        return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:  # half characters that no file system gives
        return name.encode("utf-8", "backslashreplace").decode()


def path_of(text: str) -> Path:
    """The path that ``spelled`` wrote: as it stands, or with its bytes put back where only that exists."""
    path = Path(text)
    if "\\x" not in text or path.exists():
        return path
    data = _ESCAPED.sub(lambda found: os.fsdecode(bytes([int(found[1], 16)])), text)
    return Path(data)
