"""HTML, parsed by lxml. The anchor is the visible text: a line per block, cells apart by a tab, ``pre`` as it stands."""

from __future__ import annotations

import re
from typing import Any

from pageindex.document import Edition, Extractor, Source
from pageindex.errors import DamagedFileError
from pageindex.limits import DEFAULT_LIMITS, Limits
from pageindex.reading.virtual import Heading, clean_title, decode_text, make_edition

__all__ = ["read"]

EXTRACTOR = Extractor("lxml-html", "1")

_UNSEEN = frozenset(
    [
        "head",
        "script",
        "style",
        "template",
        "noscript",
        "iframe",
        "object",
        "svg",
        "math",
        "audio",
        "video",
        "canvas",
        "select",
        "option",
    ]
)
_INLINE = frozenset(
    [
        "a",
        "abbr",
        "acronym",
        "b",
        "bdi",
        "bdo",
        "big",
        "cite",
        "code",
        "data",
        "del",
        "dfn",
        "em",
        "font",
        "i",
        "img",
        "input",
        "ins",
        "kbd",
        "label",
        "mark",
        "meter",
        "output",
        "q",
        "rp",
        "rt",
        "ruby",
        "s",
        "samp",
        "small",
        "span",
        "strike",
        "strong",
        "sub",
        "sup",
        "time",
        "tt",
        "u",
        "var",
        "wbr",
    ]
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_SPACES = re.compile(r"[ \t\r\n\f\v]+")
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")


def read(data: bytes, source: Source, limits: Limits = DEFAULT_LIMITS) -> Edition:
    """Read HTML bytes. Raises DamagedFileError when there is nothing to see, UnsupportedFormatError when the bytes are no text."""
    from lxml import etree, html

    markup, note = decode_text(data, source.name, markup=True)
    parser = html.HTMLParser(huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        root = html.document_fromstring(_DECLARATION.sub("", markup.replace("\x00", "")), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        raise DamagedFileError(f"{source.name} holds no HTML that can be read: {error}") from error
    writer = _Writer()
    writer.walk(root)
    text = writer.text()
    if not text.strip():
        raise DamagedFileError(f"{source.name} shows no text", "Add a page that has some text.", code="EMPTY_FILE")
    info = _info(root)
    return make_edition(source, EXTRACTOR, text, writer.headings, limits, info=info, notes=[note] if note else ())


def _info(root: Any) -> dict[str, str]:
    info = {"title": clean_title(root.findtext(".//head/title") or ""), "language": (root.get("lang") or "").strip()}
    for name, key in (("author", "author"), ("description", "subject")):
        found = root.xpath(
            "string(//head/meta[translate(@name,'ADEHINOPRSTUC','adehinoprstuc')=$name]/@content)", name=name
        )
        info[key] = clean_title(found)
    return {key: value for key, value in info.items() if value}


class _Writer:
    """Collects the visible text of a tree, without recursion: pages may nest thousands deep."""

    def __init__(self) -> None:
        self.headings: list[Heading] = []
        self._parts: list[str] = []
        self._length = 0
        self._line: list[str] = []  # of the block being written

    def text(self) -> str:
        self._break()
        return "".join(self._parts)

    def walk(self, root: Any) -> None:
        # Each entry is an element to open, or a closing action for one that is open.
        stack: list[tuple[str, Any]] = [("open", root)]
        preformatted = 0
        while stack:
            action, element = stack.pop()
            tag = element.tag if isinstance(element.tag, str) else ""
            if action == "tail":
                self._write(element.tail, preformatted)
                continue
            if action == "close":
                preformatted -= tag == "pre"
                self._close(tag)
                continue
            if not tag or tag in _UNSEEN or element.get("hidden") is not None:
                continue
            preformatted += tag == "pre"
            self._open(tag, element)
            self._write(element.text, preformatted)
            stack.append(("close", element))
            for child in reversed(element):
                stack += [("tail", child), ("open", child)]

    def _open(self, tag: str, element: Any) -> None:
        if tag == "br":
            self._break()
        elif tag == "img":
            self._write(element.get("alt"), 0)
        elif tag not in _INLINE and tag not in ("td", "th"):
            self._break()
        if tag in _HEADINGS:
            if self._parts and self._parts[-1] != "\n":
                self._put("\n")  # an empty line above, as it is displayed
            title = clean_title("".join(element.itertext()))
            if title:
                self.headings.append(Heading(self._length, _HEADINGS[tag], title))

    def _close(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._line.append("\t")
        elif tag not in _INLINE:
            self._break(keep=tag == "pre" and bool(self._line))
            if tag in ("p", "table", "ul", "ol", "pre", "blockquote") and self._parts and self._parts[-1] != "\n":
                self._put("\n")

    def _write(self, text: str | None, preformatted: int) -> None:
        if not text:
            return
        if not preformatted:
            self._line.append(_SPACES.sub(" ", text))
            return
        *whole, last = text.replace("\r\n", "\n").split("\n")
        for line in whole:
            self._line.append(line)
            self._break(keep=True)
        self._line.append(last)

    def _break(self, *, keep: bool = False) -> None:
        line = "".join(self._line)
        self._line.clear()
        line = line.rstrip() if keep else _SPACES_KEEP_TABS.sub(" ", line).strip()
        if line:
            self._put(line + "\n")
        elif keep and self._parts:
            self._put("\n")

    def _put(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)


_SPACES_KEEP_TABS = re.compile(r" {2,}")
