"""A file → an Edition: pages in one state each, printed lines with style, bookmarks, tags, links, labels."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pageindex.errors import DamagedFileError, InputError, LimitError, NotFoundError
from pageindex.limits import DEFAULT_LIMITS, Limits
from pageindex.progress import ProgressCallback, silent

if TYPE_CHECKING:
    from pageindex.document import Edition
    from pageindex.reading.isolated import read_isolated
    from pageindex.reading.workers.pool import WorkerPool, run_isolated

__all__ = ["WorkerPool", "read", "read_bytes", "read_isolated", "run_isolated"]


def __getattr__(name: str) -> Any:
    # Workers start processes; what only reads need not load them.
    if name in ("WorkerPool", "run_isolated"):
        from pageindex.reading.workers import pool as workers

        return getattr(workers, name)
    if name == "read_isolated":
        from pageindex.reading.isolated import read_isolated

        return read_isolated
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def read(
    path: str | Path,
    *,
    password: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    progress: ProgressCallback | None = None,
) -> Edition:
    """Read one file of any format, told by its bytes.

    Raises:
        NotFoundError: No such file.
        InputError: A folder, or something that is not a regular file.
        DamagedFileError, UnsupportedFormatError, PasswordError: The bytes cannot be read as what they claim to be.
        LimitError: Larger than the limits allow.
    """
    path = Path(path)
    return read_bytes(_load(path, limits), path.name, password=password, limits=limits, progress=progress)


def read_bytes(
    data: bytes,
    name: str,
    *,
    password: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    progress: ProgressCallback | None = None,
    avoid: Mapping[str, str] | None = None,
) -> Edition:
    """Read a file that is in memory; ``name`` is for messages, and its suffix for telling text formats apart.

    ``avoid`` holds parts to leave out, each with what is wrong with it; a pool of workers gives it when a part ended its worker.
    """
    from pageindex.document import Source
    from pageindex.reading.sniff import detect

    kind = detect(data, name)
    source = Source(name, hashlib.sha256(data).hexdigest(), len(data), kind.media_type)
    given = {"password": password, "progress": progress or silent, "avoid": avoid or {}}
    edition: Edition = kind.reader().read(
        data, source, limits, **{word: value for word, value in given.items() if word in kind.keywords}
    )
    return edition


def _load(path: Path, limits: Limits) -> bytes:
    if not path.exists():
        raise NotFoundError(f"There is no file {path}.", "Check the path.")
    if path.is_dir():
        step = "Name a file, or use 'pageindex add' on the folder, which takes every file in it."
        raise InputError(f"{path} is a folder.", step, code="IS_A_FOLDER")
    if not path.is_file():
        raise InputError(f"{path} is not a regular file.", "Copy it into a file first.", code="NOT_A_FILE")
    size = path.stat().st_size
    if size > limits.file_bytes:
        raise LimitError(f"{path.name} has {size} bytes; the limit is {limits.file_bytes}.", limit=limits.file_bytes)
    try:
        return path.read_bytes()
    except PermissionError as error:
        raise InputError(f"{path} may not be read: {error.strerror}.", "Change its permissions.") from error
    except OSError as error:
        raise DamagedFileError(f"{path} cannot be read from disk: {error.strerror}.") from error
