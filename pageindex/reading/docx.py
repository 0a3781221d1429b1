"""Word documents (.docx), opened by python-docx. The anchor is the text in document order: a line per paragraph, cells apart by a tab.

Levels come from the outline level of a paragraph or of its style; the ``Title`` style is the document's title. Notes stand on a
last page of their own, since they have no place in the text.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import Any

from pageindex.document import Edition, Extractor, Note, Source
from pageindex.errors import DamagedFileError, LimitError
from pageindex.limits import DEFAULT_LIMITS, Limits
from pageindex.reading.virtual import Heading, clean_title, make_edition

__all__ = ["read"]

EXTRACTOR = Extractor("python-docx", "1")

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_BODY_LEVEL = 9  # Word's own number for "no outline level"


def read(data: bytes, source: Source, limits: Limits = DEFAULT_LIMITS) -> Edition:
    """Read a .docx. Raises DamagedFileError when it cannot be opened or holds no text, LimitError when it unpacks too large."""
    document = _open(data, source.name, limits)
    levels = _style_levels(document)
    parts: list[str] = []
    headings: list[Heading] = []
    cuts: list[int] = []
    length = 0
    for block in _blocks(document.element.body):
        text = _block_text(block) + "\n"
        level = _level(block, levels) if block.tag == f"{_W}p" else None
        if level is not None and text.strip():
            headings.append(Heading(length, level, clean_title(text)))
        parts.append(text)
        length += len(text)
    notes_text = "".join(_notes(document))
    if notes_text:
        cuts.append(length)
        parts.append(notes_text)
    if not "".join(parts).strip():
        raise DamagedFileError(f"{source.name} holds no text", "Add a document that has some text.", code="EMPTY_FILE")
    found = _pictures(document)
    notes = [Note("PICTURES_NOT_READ", f"{found} pictures: text in them is not read")] if found else []
    info = _info(document)
    return make_edition(source, EXTRACTOR, "".join(parts), headings, limits, cuts=cuts, info=info, notes=notes)


def _open(data: bytes, name: str, limits: Limits) -> Any:
    from docx import Document
    from docx.opc.exceptions import PackageNotFoundError
    from lxml import etree

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            unpacked = sum(item.file_size for item in archive.infolist())
        if unpacked > limits.memory_bytes // 4:
            raise LimitError(f"{name} unpacks to {unpacked} bytes", code="TOO_LARGE")
        return Document(io.BytesIO(data))
    except (zipfile.BadZipFile, PackageNotFoundError, KeyError, ValueError, etree.XMLSyntaxError, OSError) as error:
        raise DamagedFileError(f"{name} cannot be opened as a Word document: {error}") from error


def _blocks(body: Any) -> Iterator[Any]:
    """Paragraphs and tables in order, content controls looked through."""
    stack = list(reversed(body))
    while stack:
        element = stack.pop()
        if element.tag in (f"{_W}p", f"{_W}tbl"):
            yield element
        elif element.tag in (f"{_W}sdt", f"{_W}sdtContent", f"{_W}customXml", f"{_W}ins", f"{_W}smartTag"):
            stack.extend(reversed(element))


def _block_text(block: Any) -> str:
    if block.tag == f"{_W}p":
        return _paragraph_text(block)
    rows = []
    for row in block.iter(f"{_W}tr"):
        if next(row.iterancestors(f"{_W}tbl")) is block:  # rows of a table in a cell belong to that cell's text
            cells = row.iter(f"{_W}tc")
            own = (cell for cell in cells if next(cell.iterancestors(f"{_W}tr")) is row)
            rows.append("\t".join(" ".join(_paragraph_text(p) for p in cell.iter(f"{_W}p")).strip() for cell in own))
    return "\n".join(rows) + "\n"


def _paragraph_text(paragraph: Any) -> str:
    """The text of one paragraph; the paragraphs of text boxes anchored in it follow on lines of their own."""
    parts: list[str] = []
    stack = list(reversed(paragraph))
    while stack:
        element = stack.pop()
        tag = element.tag
        if tag == f"{_W}t":
            parts.append(element.text or "")
        elif tag in (f"{_W}tab", f"{_W}ptab"):
            parts.append("\t")
        elif tag in (f"{_W}br", f"{_W}cr"):
            parts.append("\n")
        elif tag == f"{_W}noBreakHyphen":
            parts.append("\u2011")
        elif tag == f"{_W}txbxContent":
            parts += ["\n" + _block_text(inner) for inner in _blocks(element)]
        elif tag not in (_FALLBACK, f"{_W}pPr", f"{_W}rPr", f"{_W}del"):  # a fallback repeats what stands beside it
            stack.extend(reversed(element))
    return "".join(parts)


def _style_levels(document: Any) -> dict[str, int]:
    """Heading level by style id, inherited along ``basedOn``; 0 for the title."""
    own: dict[str, int | None] = {}
    based: dict[str, str] = {}
    levels: dict[str, int] = {}
    for style in document.styles.element.iter(f"{_W}style"):
        name = style.get(f"{_W}styleId")
        parent = style.find(f"{_W}basedOn")
        outline = style.find(f"{_W}pPr/{_W}outlineLvl")
        own[name] = int(outline.get(f"{_W}val")) + 1 if outline is not None else None
        if parent is not None:
            based[name] = parent.get(f"{_W}val")
        shown = style.find(f"{_W}name")
        if shown is not None and shown.get(f"{_W}val", "").lower() == "title":
            levels[name] = 0
    for name in own:
        at, seen = name, set[str]()
        while own.get(at) is None and at in based and at not in seen:
            seen.add(at)
            at = based[at]
        level = own.get(at)
        if level is not None and level <= _BODY_LEVEL:
            levels.setdefault(name, level)
    return levels


def _level(paragraph: Any, levels: dict[str, int]) -> int | None:
    outline = paragraph.find(f"{_W}pPr/{_W}outlineLvl")
    if outline is not None:
        level = int(outline.get(f"{_W}val")) + 1
        return level if level <= _BODY_LEVEL else None
    style = paragraph.find(f"{_W}pPr/{_W}pStyle")
    return levels.get(style.get(f"{_W}val")) if style is not None else None


def _notes(document: Any) -> Iterator[str]:
    from lxml import etree

    for part in document.part.package.iter_parts():
        kind = str(part.partname)
        if kind.endswith(("/footnotes.xml", "/endnotes.xml")):
            root = etree.fromstring(part.blob, etree.XMLParser(resolve_entities=False, no_network=True))
            for paragraph in root.iter(f"{_W}p"):
                text = _paragraph_text(paragraph).strip()
                if text:
                    yield text + "\n"


def _pictures(document: Any) -> int:
    return sum(str(part.partname).startswith("/word/media/") for part in document.part.package.iter_parts())


def _info(document: Any) -> dict[str, str]:
    core = document.core_properties
    found = {"title": core.title, "author": core.author, "subject": core.subject, "language": core.language}
    return {key: str(value) for key, value in found.items() if value}
