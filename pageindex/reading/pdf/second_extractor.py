"""The second extractor: what pypdf makes of a page. Slow and careful; asked only for pages on which PDFium alone is not enough.

The one module that touches pypdf, whose own limits on what streams unpack to hold here.
"""

from __future__ import annotations

import logging
import struct
import zlib
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pageindex.errors import Code, DamagedFileError, LimitError, MissingExtraError, PasswordError

if TYPE_CHECKING:
    from pypdf import PdfReader

__all__ = ["SecondLook", "page_problems", "page_text", "texts_of"]

#: What pypdf may raise on a damaged file besides its own errors: it follows the file's structure without checking every type.
_DAMAGE = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    EOFError,
    LookupError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
    struct.error,
    zlib.error,
)

MOST_NODES = 200_000  #: Of the page tree.


def _open(data: bytes, name: str, password: str | None) -> PdfReader:
    from pypdf import PdfReader
    from pypdf.errors import DependencyError, PyPdfError

    logging.getLogger("pypdf").setLevel(
        logging.CRITICAL
    )  # its warnings are about the file, and we judge that ourselves
    try:
        reader = PdfReader(BytesIO(data), strict=False)
        if reader.is_encrypted and not reader.decrypt(password or ""):
            code: Code = "PASSWORD_WRONG" if password else "PASSWORD_REQUIRED"
            raise PasswordError(f"{name} cannot be decrypted for the second extractor.", code=code)
    except DependencyError as error:
        step = "Install the package 'cryptography'."
        raise MissingExtraError(
            f"{name} is encrypted with AES, which the second extractor cannot undo alone.", step
        ) from error
    except (PyPdfError, *_DAMAGE) as error:
        raise DamagedFileError(f"{name} cannot be read by the second extractor: {error}.") from error
    return reader


def page_text(path: Path, pages: Iterable[int], password: str | None = None) -> dict[int, str]:
    """The text of pages (1-based) by pypdf's extraction; a page on which it fails is left out.

    Raises:
        DamagedFileError, PasswordError: pypdf cannot open the file.
        MissingExtraError: It is encrypted with AES, and ``cryptography`` is not installed.
        LimitError: A stream of one of the pages unpacks to more than pypdf allows.
    """
    return texts_of(path.read_bytes(), path.name, password, pages)


def texts_of(data: bytes, name: str, password: str | None, pages: Iterable[int]) -> dict[int, str]:
    """The same of a file's bytes."""
    from pypdf.errors import LimitReachedError, PyPdfError

    reader = _open(data, name, password)
    texts = {}
    for number in pages:
        try:
            texts[number] = reader.pages[number - 1].extract_text()
        except LimitReachedError as error:
            raise LimitError(f"Page {number} of {name}: {error}", page=number) from error
        except (PyPdfError, *_DAMAGE):
            continue  # an extractor that cannot read a page has no opinion of it
    return texts


def page_problems(data: bytes, name: str) -> list[str]:
    """For each page of a file on which nothing is drawn, why that is no blank page; empty when it is one, or cannot be told."""
    from pypdf.errors import PyPdfError

    try:
        pages = _leaves(_open(data, name, None).trailer["/Root"]["/Pages"])  # type: ignore[index]
    except (PyPdfError, DamagedFileError, PasswordError, MissingExtraError, *_DAMAGE):
        return []
    return [_page_problem(page) for page in pages]


def _page_problem(page: Any) -> str:
    from pypdf.errors import PyPdfError

    try:
        contents = page.get("/Contents")
        parts = _streams(contents.get_object() if contents is not None else None)
        return next((problem for part in parts if (problem := _stream_problem(part))), "")
    except (PyPdfError, *_DAMAGE) as error:
        return f"Its contents cannot be decoded ({type(error).__name__}: {error})."


class SecondLook:
    """What PDFium hides of an outline. Opens the file at the first question; knows nothing of a file that it cannot open."""

    def __init__(self, data: bytes, name: str, password: str | None) -> None:
        self._data, self._name, self._password = data, name, password
        self._root: Any = None
        self._opened = False

    def outline_problem(self) -> str:
        """``cycle`` when the top entries do not end where the outline says, ``unreadable`` when there is an outline and no entry
        can be had from it; empty when it is absent, empty or sound."""
        from pypdf.errors import PyPdfError

        try:
            root = self._catalog()
            outline = root.get("/Outlines") if root is not None else None
            outline = outline.get_object() if outline is not None else None
            if outline is None or (hasattr(outline, "get") and not outline.get("/First") and not outline.get("/Count")):
                return ""
            first = outline.get("/First")
            entry = first.get_object() if first is not None else None
            if not hasattr(entry, "get"):
                return "unreadable"
            return _chain_problem(entry)
        except (PyPdfError, *_DAMAGE):
            return "unreadable"

    def _catalog(self) -> Any:
        if not self._opened:
            self._opened = True
            try:
                self._root = _open(self._data, self._name, self._password).trailer["/Root"].get_object()
            except (DamagedFileError, PasswordError, MissingExtraError, *_DAMAGE):
                self._root = None
        return self._root


def _chain_problem(entry: Any) -> str:
    seen: set[int] = set()
    while hasattr(entry, "get"):
        if id(entry) in seen:
            return "cycle"
        seen.add(id(entry))
        following = entry.get("/Next")
        if following is None:
            return ""
        entry = following.get_object()
    return "unreadable"


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
    # Operators are ASCII; only strings and inline pictures are not, and a page on which nothing is drawn has neither.
    head = data[:4096]
    if sum(byte > 126 or byte < 9 for byte in head) > 0.2 * max(len(head), 1):
        return "Its contents are not PDF operators."
    return ""
