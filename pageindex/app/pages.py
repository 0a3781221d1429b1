"""Pages of source files, read anew in a worker process: characters with their boxes, pictures, other readers' text.

What native code does to its process stays in the worker. What was read is kept up to a number of bytes, for whoever owns the reader.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from cachetools import LRUCache

from pageindex.limits import DEFAULT_LIMITS, Limits
from pageindex.reading import formats

if TYPE_CHECKING:
    from pageindex.document import Edition, Extractor
    from pageindex.evidence.characters import Character
    from pageindex.reading import WorkerPool

__all__ = ["PageReader"]

KEPT_BYTES = 32 << 20
_CHARACTER_BYTES = 500  # of a character with its box, as Python keeps it

_Result = TypeVar("_Result")


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
        self._lock = threading.Lock()
        self._pool: WorkerPool | None = None
        self._end: weakref.finalize[..., PageReader] | None = None

    def close(self) -> None:
        """End the worker and forget what was read."""
        with self._lock:
            self._kept.clear()
            if self._end is not None:
                self._end()
            self._pool = self._end = None

    def characters(
        self, media_type: str, path: Path, page: int, password: str | None = None
    ) -> Sequence[Character] | None:
        """The printed characters of a page with their boxes; None for a format without printed pages."""
        found: Sequence[Character] | None = self._page(media_type, "characters", path, page, password)
        return found

    def image(self, media_type: str, path: Path, page: int, password: str | None = None) -> bytes | None:
        """A page as a PNG picture; None for a format without printed pages."""
        found: bytes | None = self._page(media_type, "image", path, page, password)
        return found

    def second_texts(
        self, media_type: str, path: Path, pages: Sequence[int], password: str | None = None
    ) -> Mapping[int, str] | None:
        """Texts of pages by another extractor; None where there is none for the format."""
        kind = formats.by_media_type(media_type)
        if kind is None or not kind.second:
            return None
        found: Mapping[int, str] = self._call(kind.second, path, list(pages), password)
        return found

    def machine_text(self, path: Path, page: int, password: str | None = None) -> str:
        """What a machine reads from the picture of a page; raises MissingExtraError where no engine is installed."""
        found = self._call("pageindex.reading.ocr:read_pages", path, [page], password=password)
        text: str = found[page].text
        return text

    def installed_extractor(self, name: str, media_type: str) -> Extractor | None:
        """What reads today what the reader of that name read; None for a format that is not read."""
        found: Extractor | None = self._call("pageindex.reading.formats:installed_extractor", name, media_type)
        return found

    def edition(self, path: Path, password: str | None = None) -> Edition:
        """A file read anew as a whole; raises whatever stopped the reader."""
        found: Edition = self._call("pageindex.reading:read", path, password=password, limits=self._limits)
        return found

    def _page(self, media_type: str, ability: str, path: Path, page: int, password: str | None) -> Any:
        kind = formats.by_media_type(media_type)
        target = getattr(kind, ability) if kind is not None else ""
        if not target:
            return None
        key = (target, str(path), path.stat().st_mtime_ns, page, password)
        with self._lock:
            if key in self._kept:
                return self._kept[key]
        found = self._call(target, path, page, password=password)
        with self._lock:
            if _size(found) <= self._kept.maxsize:
                self._kept[key] = found
        return found

    def _call(self, target: str | Callable[..., _Result], *args: Any, **kwargs: Any) -> Any:
        return self._workers().submit(target, *args, **kwargs).result()

    def _workers(self) -> WorkerPool:
        from pageindex.reading import WorkerPool

        with self._lock:
            if self._pool is None:
                self._pool = WorkerPool(1, self._limits)
                self._end = weakref.finalize(self, self._pool.kill)
            return self._pool


def _size(value: Any) -> int:
    return len(value) if isinstance(value, bytes) else _CHARACTER_BYTES * max(1, len(value))
