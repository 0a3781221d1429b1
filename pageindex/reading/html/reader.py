"""HTML, parsed by turbohtml as browsers parse it. The anchor is the visible text: a line per block, cells apart by a tab, ``pre`` as it stands.

What a browser does not draw is not text: scripts, what styles hide, closed dialogs, signs that link a heading to itself. The numbers and
bullets that it draws for lists are; raised and lowered digits are written as such (10², H₂O), since a number is told by them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pageindex.document import Edition, Extractor, Note, Source
from pageindex.errors import DamagedFileError
from pageindex.limits import DEFAULT_LIMITS, Limits
from pageindex.reading.decoding import Decoded, check_empty, detected, evident_encoding
from pageindex.reading.html.flow import Flow
from pageindex.reading.typeset import Heading
from pageindex.reading.virtual import clean_title, make_edition

if TYPE_CHECKING:
    from turbohtml import Document

__all__ = ["read"]

EXTRACTOR = Extractor("turbohtml", "1")


_BESIDE = re.compile(r"\s+[-–—|·•:»«/]\s+|:\s+|\s*\|\s*")
_XML_ENCODING = re.compile(rb"""\s*<\?xml[^>]{0,100}?\sencoding\s*=\s*["']([A-Za-z0-9_.:-]{1,40})["']""")


def read(data: bytes, source: Source, limits: Limits = DEFAULT_LIMITS) -> Edition:
    """Read HTML bytes. Raises DamagedFileError when there is nothing to see."""
    check_empty(data, source.name)
    document, decoded = _parse(data)
    flow = Flow(document)
    flow.run()
    if not flow.draft.text.strip() and not flow.draft.pictures:
        raise DamagedFileError(f"{source.name} shows no text", "Add a page that has some text.", code="EMPTY_FILE")
    notes = [*decoded.notes, *_notes(flow)]
    lost = flow.draft.text.count("\ufffd")
    if lost:
        notes.append(Note("ENCODING_ERRORS", f"{lost} characters are not {decoded.encoding}"))
    content = flow.draft.content(_info(document, flow.draft.headings), notes, guessed=decoded.guessed)
    return make_edition(source, EXTRACTOR, content, limits)


def _parse(data: bytes) -> tuple[Document, Decoded]:
    """The page, its encoding sniffed as browsers do: mark, declaration, characters."""
    from turbohtml import parse

    evident = evident_encoding(data)
    if evident:
        return parse(data.decode(evident, "replace")), Decoded("", evident)
    document = _declared_by_xml(data) or parse(data, detect_encoding=True)
    encoding = document.encoding or "UTF-8"
    if document.encoding_confidence == "certain" or encoding == "UTF-8" or data.isascii():
        return document, Decoded("", encoding)
    return document, replace(detected(data), text="", encoding=encoding)


def _declared_by_xml(data: bytes) -> Document | None:
    """The page by the encoding that its XML declaration names, where the label is one of the web's."""
    from turbohtml import parse

    found = _XML_ENCODING.match(data)
    label = found[1].decode("ascii") if found else ""
    if not label or label.lower().startswith("utf-16"):  # which the declaration's own bytes deny
        return None
    try:
        return parse(data, encoding=label)
    except LookupError:
        return None


def _info(document: Document, headings: Sequence[Heading]) -> dict[str, str]:
    stated = document.select_one("head > title")
    title = clean_title(stated.text) if stated else ""
    # Sites put their name beside the page's: "Harbour - Encyclopedia" over the heading "Harbour".
    parts = {part.strip() for part in _BESIDE.split(title)}
    printed = [heading for heading in headings if heading.title in parts]
    root = document.select_one("html")
    info = {
        "title": min(printed, key=lambda heading: heading.level).title if printed else title,
        "language": (root.attr("lang") or root.attr("xml:lang") or "").strip() if root else "",
    }
    for name, key in (("author", "author"), ("description", "subject")):
        found = document.select_one(f'head > meta[name="{name}" i]')
        info[key] = clean_title(found.attr("content") or "") if found else ""
    return info


def _notes(flow: Flow) -> Iterator[Note]:
    if flow.hidden:
        yield Note("HIDDEN_TEXT", f"{flow.hidden} characters that the page does not show are left out")
    if flow.flattened:
        yield Note(
            "NESTING_FLATTENED", "elements nested deeper than 500 stand side by side, as in browsers; no text is lost"
        )
    pictures = len(flow.draft.pictures) - flow.embedded
    if pictures:
        yield Note("PICTURES_NOT_READ", f"{pictures} pictures: text in them is not read")
    if flow.embedded:
        yield Note("EMBEDDED_NOT_READ", f"{flow.embedded} frames or objects: what they show is not read")
