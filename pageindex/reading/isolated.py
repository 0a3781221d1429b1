"""Reading a file in a worker: what ``read`` gives, without the file's parsers ever running in the caller's process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pageindex.document import Edition, Extractor
from pageindex.limits import DEFAULT_LIMITS, Limits
from pageindex.progress import ProgressCallback
from pageindex.reading.workers.frames import Content

if TYPE_CHECKING:
    from pageindex.reading.workers.pool import WorkerPool

__all__ = ["edition", "extractor", "read_isolated"]


def read_isolated(
    source: Path | bytes,
    *,
    name: str = "",
    password: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    progress: ProgressCallback | None = None,
    pool: WorkerPool | None = None,
) -> Edition:
    """Read one file of any format in a worker of its own, or of a pool (which then has its own ``progress``).

    Args:
        source: The file, or its bytes.
        name: For messages, and its suffix for telling text formats apart; the file's own when empty.

    Raises what ``read`` raises, and:
        LimitError: Out of time (TIME_LIMIT) or memory (MEMORY_LIMIT).
        DamagedFileError: The worker died (READER_CRASHED), and no single page is to blame.
    """
    from pageindex.reading.workers.pool import run_isolated

    content = Content(source, limits.file_bytes) if isinstance(source, Path) else source
    title = name or (source.name if isinstance(source, Path) else "the file")
    if pool is not None:
        found = pool.submit(edition, content, title, password, limits).result()
    else:
        found = run_isolated(edition, content, title, password, limits, limits=limits, on_progress=progress)
    return replace(found, lines=tuple(found.lines))


def edition(
    data: bytes,
    name: str,
    password: str | None,
    limits: Limits,
    progress: ProgressCallback | None = None,
    avoid: Mapping[str, str] | None = None,
) -> Edition:
    """What runs in the worker."""
    from pageindex.reading import read_bytes

    return read_bytes(data, name, password=password, limits=limits, progress=progress, avoid=avoid)


def extractor(name: str, media_type: str) -> Extractor | None:
    """``formats.installed_extractor``, for a worker: it loads the reader."""
    from pageindex.reading.formats import installed_extractor

    return installed_extractor(name, media_type)
