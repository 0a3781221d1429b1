"""Word documents (.docx). The anchor is the text in document order: a line per paragraph, cells apart by a tab, numbers and bullets of lists.

Levels come from the outline level of a paragraph or of its style; the ``Title`` style is the document's title. Notes, comments, and the
headers and footers that stand on every page have no place in the text: they follow it on pages of their own, each of its own kind. What
tracked changes delete or move away, and what is set as hidden, is not shown and so not read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pageindex.document import Edition, Extractor, Note, Source, TextKind
from pageindex.errors import DamagedFileError
from pageindex.limits import DEFAULT_LIMITS, Limits
from pageindex.reading.docx.flow import Flow
from pageindex.reading.docx.markup import child, value
from pageindex.reading.docx.numbering import Numbering
from pageindex.reading.docx.package import Package
from pageindex.reading.docx.styles import Styles
from pageindex.reading.virtual import make_edition

__all__ = ["read"]

EXTRACTOR = Extractor("docx", "1")

_APART = {"header": TextKind.HEADER, "footer": TextKind.FOOTER}
_EMBEDDED = frozenset(["aFChunk", "subDocument", "oleObject", "package"])
_INFO = {"title": "title", "creator": "author", "subject": "subject", "language": "language"}


def read(data: bytes, source: Source, limits: Limits = DEFAULT_LIMITS) -> Edition:
    """Read a .docx.

    Raises:
        DamagedFileError: It cannot be opened, or holds no text.
        LimitError: It unpacks too large, or makes too many pages.
    """
    package = Package(data, source.name, limits)
    main = next(
        (r.target for r in package.relationships("").values() if r.kind == "officeDocument"), "word/document.xml"
    )
    body = child(package.xml(main), "body")
    if body is None:
        why = "; ".join([f"it has no body in {main}", *(note.message for note in package.notes)])
        raise DamagedFileError(f"{source.name} cannot be opened as a Word document: {why}")
    related = package.relationships(main)
    parts = {one.kind: one.target for one in related.values()}
    styles = Styles(package.xml(parts.get("styles", "")))
    flow = Flow(styles, Numbering(package.xml(parts.get("numbering", "")), styles))
    flow.write(body)
    _write_notes(package, flow, parts)
    _write_comments(package, flow, parts)
    _write_apart(package, flow, [one for one in related.values() if one.kind in _APART])
    if not flow.draft.text.strip() and not flow.draft.pictures:
        raise DamagedFileError(
            f"{source.name} holds neither text nor pictures", "Add a document that has some text.", code="EMPTY_FILE"
        )
    embedded = sum(one.kind in _EMBEDDED for one in related.values())
    content = flow.draft.content(_info(package), [*package.notes, *_notes(flow, embedded)], lost=package.lost)
    return make_edition(source, EXTRACTOR, content, limits)


def _write_notes(package: Package, flow: Flow, parts: dict[str, str]) -> None:
    """Footnotes and endnotes, each behind its mark; separators are no notes."""
    flow.draft.cut()
    for kind, element in (("footnotes", "footnote"), ("endnotes", "endnote")):
        root = package.xml(parts.get(kind, ""))
        for note in root.iterchildren(f"{{*}}{element}") if root is not None else ():
            if value(note, "type") in ("", "normal"):
                mark = flow.marks.get((kind, value(note, "id")), "")
                flow.write(note, TextKind.NOTE, f"{mark} " if mark else "")


def _write_comments(package: Package, flow: Flow, parts: dict[str, str]) -> None:
    flow.draft.cut()
    root = package.xml(parts.get("comments", ""))
    for comment in root.iterchildren("{*}comment") if root is not None else ():
        author = value(comment, "author").strip()
        flow.write(comment, TextKind.COMMENT, f"{author}: " if author else "")


def _write_apart(package: Package, flow: Flow, related: list[Any]) -> None:
    """Headers and footers, each text once: sections repeat them."""
    flow.draft.cut()
    seen = set()
    for one in sorted(related, key=lambda one: (one.kind != "header", one.target)):
        root = package.xml(one.target)
        text = "".join(t.text or "" for t in root.iter("{*}t")).strip() if root is not None else ""
        if text and (one.kind, text) not in seen:
            seen.add((one.kind, text))
            flow.write(root, _APART[one.kind])


def _notes(flow: Flow, embedded: int) -> Iterator[Note]:
    if flow.draft.pictures:
        yield Note("PICTURES_NOT_READ", f"{len(flow.draft.pictures)} pictures or charts: text in them is not read")
    if embedded:
        yield Note("EMBEDDED_NOT_READ", f"{embedded} embedded documents are not read")
    if flow.hidden:
        yield Note("HIDDEN_TEXT", f"{flow.hidden} characters that are set as hidden are left out")
    if flow.removed:
        yield Note("TRACKED_CHANGES", f"{flow.removed} deleted or moved stretches are left out; insertions are read")
    if flow.unknown:
        yield Note(
            "SYMBOLS_NOT_READ", f"{flow.unknown} characters of symbol fonts have no known meaning and are left out"
        )


def _info(package: Package) -> dict[str, str]:
    part = next(
        (r.target for r in package.relationships("").values() if r.kind == "core-properties"), "docProps/core.xml"
    )
    root = package.xml(part)
    found = {}
    for theirs, ours in _INFO.items():
        element = child(root, theirs)
        found[ours] = (element.text or "").strip() if element is not None else ""
    return found
