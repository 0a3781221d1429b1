"""What a worker does for ``inspect.PageInspector``: single pages of a document that stays open between calls.

The owner imports this module for what the functions return, so PDFium is loaded where they run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageindex.reading.pdf.character import Character
from pageindex.reading.workers import steps

if TYPE_CHECKING:
    from pageindex.reading.pdf.api import Document

__all__ = ["characters", "image", "second_texts"]


class _Last:
    """The document of the last call, which is most often that of the next one too."""

    data: bytes = b""
    password: str | None = None
    document: Document | None = None


def _opened(data: bytes, name: str, password: str | None) -> Document:
    if _Last.document is None or _Last.data is not data or _Last.password != password:
        if _Last.document is not None:
            _Last.document.close()
            _Last.document = None
        from pageindex.reading.pdf.repair import open_document

        _Last.document = open_document(data, name, password)
        _Last.data, _Last.password = data, password
    return _Last.document


def characters(data: bytes, name: str, password: str | None, page: int) -> tuple[Character, ...]:
    """See ``PageInspector.characters``."""
    from pageindex.reading.pdf.api import LOCK
    from pageindex.reading.pdf.characters import characters_of

    with LOCK:
        document = _opened(data, name, password)
        steps.enter("page", page)
        return characters_of(document, page)


def image(data: bytes, name: str, password: str | None, page: int, scale: float) -> bytes:
    """See ``PageInspector.image``."""
    from pageindex.reading.pdf.api import LOCK
    from pageindex.reading.pdf.characters import image_of

    with LOCK:
        document = _opened(data, name, password)
        steps.enter("page", page)
        return image_of(document, page, scale)


def second_texts(data: bytes, name: str, password: str | None, pages: list[int]) -> dict[int, str]:
    """See ``PageInspector.second_texts``."""
    from pageindex.reading.pdf.second_extractor import texts_of

    return texts_of(data, name, password, pages)
