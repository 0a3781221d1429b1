"""The second lane: what pypdf makes of a page. Slow and careful; asked only for pages on which PDFium alone is not enough.

The one module that touches pypdf, whose own limits on what streams unpack to hold here.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pageindex.errors import DamagedFileError, LimitError, PasswordError

if TYPE_CHECKING:
    from pypdf import PdfReader

__all__ = ["ContentCheck", "page_text"]

#: What pypdf may raise on a damaged file besides its own errors: it follows the file's structure without checking every type.
_DAMAGE = (
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    OverflowError,
    ZeroDivisionError,
    RecursionError,
    OSError,
)

#: Operators that put something on a page (ISO 32000-1, table 51): text, paths, pictures, shadings.
_PAINTS = re.compile(rb"(?:^|[\s)\]>])(?:Tj|TJ|'|\"|Do|f\*?|F|[bB]\*?|[sS]|sh|BI)(?=\s|$)")

MOST_NODES = 200_000  #: Of the page tree.


def _open(data: bytes, name: str, password: str | None) -> PdfReader:
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    logging.getLogger("pypdf").setLevel(
        logging.CRITICAL
    )  # its warnings are about the file, and we judge that ourselves
    try:
        reader = PdfReader(BytesIO(data), strict=False)
        if reader.is_encrypted and not reader.decrypt(password or ""):
            code = "PASSWORD_WRONG" if password else "PASSWORD_REQUIRED"
            raise PasswordError(f"{name} cannot be decrypted for the second lane.", code=code)
    except (PyPdfError, *_DAMAGE) as error:
        raise DamagedFileError(f"{name} cannot be read by the second lane: {error}.") from error
    return reader


def page_text(path: Path, pages: Iterable[int], password: str | None = None) -> dict[int, str]:
    """The text of pages (1-based) by pypdf's extraction; a page on which it fails is left out.

    Raises:
        DamagedFileError, PasswordError: pypdf cannot open the file.
        LimitError: A stream of one of the pages unpacks to more than pypdf allows.
    """
    from pypdf.errors import LimitReachedError, PyPdfError

    reader = _open(path.read_bytes(), path.name, password)
    texts = {}
    for number in pages:
        try:
            texts[number] = reader.pages[number - 1].extract_text()
        except LimitReachedError as error:
            raise LimitError(f"Page {number} of {path.name}: {error}", page=number) from error
        except (PyPdfError, *_DAMAGE):
            continue  # a lane that cannot read a page has no opinion of it
    return texts


class ContentCheck:
    """Tells a page on which nothing is drawn from one whose contents are broken. Opens the file at the first question."""

    def __init__(self, data: bytes, name: str, password: str | None) -> None:
        self._data, self._name, self._password = data, name, password
        self._pages: list[Any] | None = None
        self.unusable = False

    def problem(self, index: int) -> str:
        """Why the page (0-based) looks blank though it is not; empty when it really is blank, or when that cannot be told."""
        from pypdf.errors import PyPdfError

        pages = self._load()
        if index >= len(pages):
            return ""
        try:
            contents = pages[index].get("/Contents")
            parts = _streams(contents.get_object() if contents is not None else None)
            for part in parts:
                problem = _stream_problem(part)
                if problem:
                    return problem
        except (PyPdfError, *_DAMAGE) as error:
            return f"Its contents cannot be decoded ({type(error).__name__}: {error})."
        return ""

    def _load(self) -> list[Any]:
        if self._pages is None:
            from pypdf.errors import PyPdfError

            self._pages = []
            try:
                reader = _open(self._data, self._name, self._password)
                self._pages = _leaves(reader.trailer["/Root"]["/Pages"])  # type: ignore[index]
            except (PyPdfError, DamagedFileError, PasswordError, *_DAMAGE):
                self.unusable = True
        return self._pages


def _leaves(root: Any) -> list[Any]:
    """The page dictionaries below a node, in order; loops are cut."""
    pages: list[Any] = []
    seen: set[int] = set()
    stack = [root]
    while stack and len(seen) < MOST_NODES:
        node = stack.pop().get_object()
        if id(node) in seen or not hasattr(node, "get"):
            continue
        seen.add(id(node))
        kids = node.get("/Kids")
        if kids is None:
            pages.append(node)
        else:
            stack.extend(reversed(list(kids.get_object())))
    return pages


def _streams(contents: Any) -> list[Any]:
    if contents is None:
        return []
    if isinstance(contents, list):
        return [item.get_object() for item in contents]
    return [contents]


def _stream_problem(stream: Any) -> str:
    raw = getattr(stream, "_data", None)
    if raw is None:
        return "Its contents are missing from the file."
    data = stream.get_data()
    if raw.strip() and not data.strip() and "/Filter" in stream:
        # An empty stream packs to a few bytes; more than that held something that can no longer be unpacked.
        return "Its contents cannot be unpacked." if len(raw) > 16 else ""
    if _PAINTS.search(data):
        return ""  # it draws, and PDFium followed it: what it draws is empty or outside the page
    if data and sum(byte > 126 or byte < 9 for byte in data[:4096]) > 0.1 * len(data[:4096]):
        return "Its contents are not PDF operators."
    return ""
