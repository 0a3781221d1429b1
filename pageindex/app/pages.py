"""Pages of source files, read anew in a worker process: characters with their boxes, pictures, other readers' text.

What native code does to its process stays in the worker. What was read is kept up to a number of bytes, for whoever owns the reader.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cachetools import LRUCache

from pageindex.limits import DEFAULT_LIMITS, Limits
from pageindex.reading import formats

if TYPE_CHECKING:
    from pageindex.document import Edition, Extractor
    from pageindex.evidence.characters import Character
    from pageindex.reading import WorkerPool
    from pageindex.reading.inspect import PageInspector

__all__ = ["PageReader"]

KEPT_BYTES = 32 << 20
MOST_FILES = 64  #: Whose pages are told apart; what was read of a file is kept by its path.
_CHARACTER_BYTES = 500  # of a character with its box, as Python keeps it


class PageReader:
    """Reads single pages of source files, in one worker that is started when it is first needed.

    Args:
        limits: Time and memory of each call.
        kept_bytes: Most bytes of results that are kept for the next time they are asked for.

    May be used from several threads. ``close`` ends the worker; the reader may still be used.
    """

    def __init__(self, limits: Limits = DEFAULT_LIMITS, kept_bytes: int = KEPT_BYTES) -> None:
        self._limits = limits
        self._kept: LRUCache[tuple[Any, ...], Any] = LRUCache(kept_bytes, getsizeof=_size)
        self._inspectors: LRUCache[tuple[Any, ...], PageInspector] = LRUCache(MOST_FILES)
        self._lock = threading.Lock()
        self._pool: WorkerPool | None = None
        self._end: weakref.finalize[..., PageReader] | None = None

    def close(self) -> None:
        """End the worker and forget what was read."""
        with self._lock:
            self._kept.clear()
            self._inspectors.clear()
            if self._end is not None:
                self._end()
            self._pool = self._end = None

    def characters(
        self, media_type: str, path: Path, page: int, password: str | None = None
    ) -> Sequence[Character] | None:
        """The printed characters of a page with their boxes; None for a format without printed pages."""
        found: Sequence[Character] | None = self._page(
            "characters", media_type, path, page, password, lambda inspector: inspector.characters(page)
        )
        return found

    def image(self, media_type: str, path: Path, page: int, password: str | None = None) -> bytes | None:
        """A page as a PNG picture; None for a format without printed pages."""
        found: bytes | None = self._page(
            "image", media_type, path, page, password, lambda inspector: inspector.image(page)
        )
        return found

    def second_texts(
        self, media_type: str, path: Path, pages: Sequence[int], password: str | None = None
    ) -> Mapping[int, str] | None:
        """Texts of pages by another extractor; None where there is none for the format."""
        inspector = self._inspector(media_type, path, password)
        return inspector.second_texts(pages) if inspector is not None else None

    def machine_text(self, media_type: str, path: Path, page: int, password: str | None = None) -> str:
        """What a machine reads from the picture of a page, which is drawn in a worker; raises MissingExtraError without an engine."""
        from pageindex.reading.ocr import read_pages

        inspector = self._inspector(media_type, path, password)
        return read_pages(inspector, [page])[page].text if inspector is not None else ""

    def installed_extractor(self, name: str, media_type: str) -> Extractor | None:
        """What reads today what the reader of that name read; None for a format that is not read."""
        from pageindex.reading.isolated import extractor

        return self._workers().submit(extractor, name, media_type).result()

    def edition(self, path: Path, password: str | None = None) -> Edition:
        """A file read anew as a whole; raises whatever stopped the reader."""
        from pageindex.reading import read_isolated

        return read_isolated(path, password=password, limits=self._limits, pool=self._workers())

    def _page(
        self,
        what: str,
        media_type: str,
        path: Path,
        page: int,
        password: str | None,
        look: Callable[[PageInspector], Any],
    ) -> Any:
        inspector = self._inspector(media_type, path, password)
        if inspector is None:
            return None
        key = (what, str(path), path.stat().st_mtime_ns, page, password)
        with self._lock:
            if key in self._kept:
                return self._kept[key]
        found = look(inspector)
        with self._lock:
            if _size(found) <= self._kept.maxsize:
                self._kept[key] = found
        return found

    def _inspector(self, media_type: str, path: Path, password: str | None) -> PageInspector | None:
        kind = formats.by_media_type(media_type)
        if kind is None or not kind.inspector:
            return None
        key = (str(path), path.stat().st_mtime_ns, password)
        workers = self._workers()
        with self._lock:
            if key not in self._inspectors:
                self._inspectors[key] = kind.inspector_class()(path, password, self._limits, pool=workers)
            return self._inspectors[key]

    def _workers(self) -> WorkerPool:
        from pageindex.reading import WorkerPool

        with self._lock:
            if self._pool is None:
                self._pool = WorkerPool(1, self._limits)
                self._end = weakref.finalize(self, self._pool.kill)
            return self._pool


def _size(value: Any) -> int:
    return len(value) if isinstance(value, bytes) else _CHARACTER_BYTES * max(1, len(value))
