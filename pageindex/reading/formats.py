"""Every format that is read, declared once. Whatever depends on a format derives from ``FORMATS``.

A new format is one module with ``read`` and ``EXTRACTOR``, and one entry here; CONTRIBUTING has the recipe.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from io import BytesIO
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from pageindex.errors import DamagedFileError

if TYPE_CHECKING:
    from pageindex.document import Extractor
    from pageindex.reading.inspect import PageInspector

__all__ = [
    "DOCX",
    "FORMATS",
    "HTML",
    "MARKDOWN",
    "PDF",
    "TEXT",
    "Format",
    "Opening",
    "by_extractor",
    "by_media_type",
    "by_suffix",
    "installed_extractor",
    "names",
    "suffixes",
]

#: Readers look for a PDF's header this far into a file (ISO 32000-1, annex H, implementation note 13); in one that is named like a PDF
#: it is looked for everywhere, since mails and servers put more in front.
HEADER_WINDOW = 1024
_LATE_PDF = re.compile(rb"%PDF-\d\.\d[\s\S]{1,4096}?\d\s+\d+\s+obj\b")

_HTML_START = re.compile(rb"(?is)\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b")
_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


class Opening:
    """The first bytes of a file, and the members of a ZIP container, for those who tell what it is."""

    def __init__(self, data: bytes, name: str) -> None:
        self.data = data
        self.name = name

    @cached_property
    def head(self) -> bytes:
        """The first 4,096 bytes, as UTF-8 where a byte order mark says how to read them."""
        head = self.data[:4096]
        for mark, codec in _MARKS:
            if head.startswith(mark):
                return head[len(mark) :].decode(codec, "ignore").encode("utf-8", "ignore")
        return head

    @property
    def is_zip(self) -> bool:
        return self.data[:4] == b"PK\x03\x04"

    @cached_property
    def members(self) -> frozenset[str]:
        """Names in the ZIP container, empty for other files; raises DamagedFileError when it cannot be opened."""
        if not self.is_zip:
            return frozenset()
        try:
            with zipfile.ZipFile(BytesIO(self.data)) as archive:
                return frozenset(archive.namelist())
        except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
            raise DamagedFileError(
                f"{self.name} begins like a ZIP container and cannot be opened as one: {error}."
            ) from error


@dataclass(frozen=True, slots=True)
class Format:
    """One format.

    Attributes:
        name: As it is listed: ``PDF``.
        phrase: In a sentence: ``a PDF``.
        suffixes: Of file names, lower case with the dot, the usual one first.
        media_type: As IANA registers it.
        extractor: ``Extractor.id`` of its reader.
        module: Has ``read(data, source, limits) -> Edition`` and ``EXTRACTOR``; imported when a file of the format is met.
        recognise: Whether a file begins as the format does.
        binary: It has a header that every file of it must show. Any bytes of text may be of a format that is not binary, so there a
            file's suffix is believed before its content.
        keywords: Which of ``password, progress, avoid`` its ``read`` takes besides.
        inspector: ``module:class`` that looks at single pages, as ``inspect.PageInspector`` does; empty without printed pages.
    """

    name: str
    phrase: str
    suffixes: tuple[str, ...]
    media_type: str
    extractor: str
    module: str
    recognise: Callable[[Opening], bool]
    binary: bool = False
    keywords: frozenset[str] = frozenset()
    inspector: str = ""

    def reader(self) -> Any:
        """The module that reads it."""
        return import_module(self.module)

    def inspector_class(self) -> Callable[..., PageInspector]:
        """What looks at single pages of a file of this format, which must have an ``inspector``."""
        module, _, name = self.inspector.partition(":")
        found: Callable[..., PageInspector] = getattr(import_module(module), name)
        return found


def _is_pdf(file: Opening) -> bool:
    if b"%PDF-" in file.data[:HEADER_WINDOW]:
        return True
    return file.name.lower().endswith(".pdf") and _LATE_PDF.search(file.data) is not None


PDF = Format(
    name="PDF",
    phrase="a PDF",
    suffixes=(".pdf",),
    media_type="application/pdf",
    extractor="pdfium",
    module="pageindex.reading.pdf.reader",
    recognise=_is_pdf,
    binary=True,
    keywords=frozenset({"password", "progress", "avoid"}),
    inspector="pageindex.reading.inspect:PageInspector",
)
MARKDOWN = Format(
    name="Markdown",
    phrase="Markdown",
    suffixes=(".md", ".markdown", ".mdown"),
    media_type="text/markdown",
    extractor="markdown-it",
    module="pageindex.reading.markdown",
    recognise=lambda file: False,
)
HTML = Format(
    name="HTML",
    phrase="an HTML page",
    suffixes=(".html", ".htm", ".xhtml"),
    media_type="text/html",
    extractor="turbohtml",
    module="pageindex.reading.html.reader",
    recognise=lambda file: _HTML_START.match(file.head) is not None,
)
DOCX = Format(
    name="DOCX",
    phrase="a Word document",
    suffixes=(".docx",),
    media_type="application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    extractor="docx",
    module="pageindex.reading.docx.reader",
    recognise=lambda file: any(member.startswith("word/") for member in file.members),
    binary=True,
)
TEXT = Format(
    name="plain text",
    phrase="plain text",
    suffixes=(".txt", ".text", ".log", ".rst"),
    media_type="text/plain",
    extractor="text",
    module="pageindex.reading.text",
    recognise=lambda file: False,
)

#: In the order in which they are listed and tried.
FORMATS: tuple[Format, ...] = (PDF, MARKDOWN, HTML, DOCX, TEXT)


def _first(found: Iterable[Format]) -> Format | None:
    return next(iter(found), None)


def by_suffix(name: str) -> Format | None:
    """The format that a file's name claims."""
    suffix = PurePath(name).suffix.lower()
    return _first(kind for kind in FORMATS if suffix in kind.suffixes)


def by_media_type(media_type: str) -> Format | None:
    """The format of a stored document."""
    return _first(kind for kind in FORMATS if kind.media_type == media_type)


def by_extractor(extractor: str) -> Format | None:
    """The format whose reader has this id."""
    return _first(kind for kind in FORMATS if kind.extractor == extractor)


def installed_extractor(extractor: str, media_type: str = "") -> Extractor | None:
    """What reads today what this extractor read: itself, else the reader of the media type; None for a format that is not read."""
    kind = by_extractor(extractor) or by_media_type(media_type)
    if kind is None:
        return None
    installed: Extractor = kind.reader().EXTRACTOR
    return installed


def suffixes() -> frozenset[str]:
    """Every suffix that is read: what a folder is searched for."""
    return frozenset(suffix for kind in FORMATS for suffix in kind.suffixes)


def names(last: str = "and") -> str:
    """All formats in a sentence: ``PDF, Markdown, HTML, DOCX and plain text``."""
    *most, final = (kind.name for kind in FORMATS)
    return f"{', '.join(most)} {last} {final}"
