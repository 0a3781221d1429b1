"""Single pages of a stored document, looked at in a worker: characters with their boxes, pictures, another extractor's text.

PDFium never runs in the caller's process: a page that kills it costs an error of that page.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from pageindex.limits import DEFAULT_LIMITS, Limits
from pageindex.reading.workers.pool import WorkerPool

if TYPE_CHECKING:
    from types import TracebackType

    from pageindex.reading.pdf.characters import Character

__all__ = ["PageInspector"]


class PageInspector:
    """Looks at pages of one PDF. Close it, or use it in ``with``; any thread may call it.

    Args:
        source: The file.
        password: Of an encrypted file.
        limits: Of each call in a worker of its own; a pool that is given has its own.
        pool: Workers to use, which stay open when the inspector is closed; without them a worker of its own starts at the first call.

    Nothing is cached here: the caller knows how many bytes it wants to keep.
    """

    def __init__(
        self,
        source: Path,
        password: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
        *,
        pool: WorkerPool | None = None,
    ) -> None:
        self._source, self._password = source, password
        self._pool = pool if pool is not None else WorkerPool(1, limits)
        self._owned = pool is None

    def __enter__(self) -> PageInspector:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the worker that was started for this inspector."""
        if self._owned:
            self._pool.kill()

    def characters(self, page: int) -> tuple[Character, ...]:
        """The printed characters of a page (1-based), in the order of the anchor; blanks and line breaks are left out.

        Raises:
            PageRangeError: No such page.
            DamagedFileError, PasswordError: The file cannot be opened, or the page not loaded, or it killed its reader (READER_CRASHED).
            LimitError: The page needs more time or memory than the limits allow.
        """
        from pageindex.reading.pdf.characters import characters

        return self._pool.submit(characters, self._source, page, self._password).result()

    def image(self, page: int, dpi: float = 144.0) -> bytes:
        """A page (1-based) as it is displayed, as a PNG; ``dpi`` is in pixels per inch.

        Raises what ``characters`` raises, and SettingsError for a picture of too many pixels.
        """
        from pageindex.reading.pdf.characters import render

        scale = dpi / 72
        future = self._pool.submit(render, self._source, page, scale, password=self._password)
        return future.result()

    def second_texts(self, pages: Iterable[int]) -> dict[int, str]:
        """The text of pages (1-based) by another extractor, pypdf; a page on which it fails is left out.

        Raises what ``characters`` raises, and MissingExtraError for a file encrypted with AES without ``cryptography``.
        """
        from pageindex.reading.pdf.second_extractor import page_text

        wanted = list(pages)
        return self._pool.submit(page_text, self._source, wanted, self._password).result()
