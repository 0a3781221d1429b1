"""Single pages of a stored document, looked at in a worker: characters with their boxes, pictures, another extractor's text.

PDFium never runs in the caller's process: a page that kills it costs an error of that page.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from pageindex.limits import DEFAULT_LIMITS, Limits
from pageindex.reading.workers.pool import Content, Kept, WorkerPool

if TYPE_CHECKING:
    from types import TracebackType

    from pageindex.reading.pdf.characters import Character

__all__ = ["PageInspector"]

_keys = itertools.count(1)  #: Of the contents that workers keep.


class PageInspector:
    """Looks at pages of one PDF. Close it, or use it in ``with``; any thread may call it.

    Args:
        source: The file, or its bytes. A worker that has it keeps it for the next call.
        password: Of an encrypted file.
        limits: Of each call.
        name: For messages; the file's own when empty.
        pool: Workers to use, which stay open when the inspector is closed; without them a worker of its own starts at the first call.

    Nothing is cached here: the caller knows how many bytes it wants to keep.
    """

    def __init__(
        self,
        source: Path | bytes,
        password: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
        *,
        name: str = "",
        pool: WorkerPool | None = None,
    ) -> None:
        content = Content(source, limits.file_bytes) if isinstance(source, Path) else source
        title = name or (source.name if isinstance(source, Path) else "the document")
        self._file = (Kept(next(_keys), content), title, password)
        self._limits = limits
        self._pool = pool if pool is not None else WorkerPool(1)
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
        from pageindex.reading.pdf.inspection import characters

        return self._pool.submit_within(self._limits, characters, *self._file, page).result()

    def image(self, page: int, dpi: float = 144.0) -> bytes:
        """A page (1-based) as it is displayed, as a PNG; ``dpi`` is in pixels per inch.

        Raises what ``characters`` raises, and SettingsError for a picture of too many pixels.
        """
        from pageindex.reading.pdf.inspection import image

        return self._pool.submit_within(self._limits, image, *self._file, page, dpi / 72).result()

    def second_texts(self, pages: Iterable[int]) -> dict[int, str]:
        """The text of pages (1-based) by another extractor, pypdf; a page on which it fails is left out.

        Raises what ``characters`` raises, and MissingExtraError for a file encrypted with AES without ``cryptography``.
        """
        from pageindex.reading.pdf.inspection import second_texts

        return self._pool.submit_within(self._limits, second_texts, *self._file, list(pages)).result()
