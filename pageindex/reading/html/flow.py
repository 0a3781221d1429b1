"""The visible text of an HTML page, element by element, without recursion: pages may nest a million deep."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pageindex.document import TextKind
from pageindex.reading.draft import Draft, Piece
from pageindex.reading.html.css import Cascade
from pageindex.reading.html.look import DRAWING, PECULIAR, UNSEEN, Look, level_of
from pageindex.reading.html.tables import layout_cells
from pageindex.reading.markup import names
from pageindex.reading.numerals import lowered, raised

if TYPE_CHECKING:
    from turbohtml import Document, Element

__all__ = ["Flow"]

_BLANKS = re.compile(r"[ \t\r\n\f]+")
_INVISIBLE = {ord(c): None for c in "\xad\u200b\u2060\ufeff"} | {n: None for n in range(32) if n not in (9, 10, 12, 13)}
_EMBEDDED = frozenset(["iframe", "object", "embed", "video", "canvas", "frame"])
_PARAGRAPHS = frozenset(["p", "table", "ul", "ol", "dl", "pre", "blockquote", "hr", "figure", "section", "article"])
_SHOWN_INPUTS = names("text search email url tel number date month week time datetime-local button submit reset")
_CLOSERS = re.compile(r"[)\]%]+[%*†‡]?|[*†‡]")  # what bookkeepers put into a column of its own behind a figure
_LINKED = re.compile(r"\s*\[[\s|]*(?:\ue000[^\ue000\ue001]*\ue001[\s|]*)+\]\s*$")  # "[edit]" behind a title
DEEPEST = 500  #: Elements in each other; the parser's own limit is 512, that of Chromium.
ICON = 32  #: Pixels; smaller pictures hold no text.


@dataclass(slots=True)
class _Open:
    """A heading that is being written; links stand between U+E000 and U+E001."""

    element: Any
    offset: int
    level: int
    parts: list[str] = field(default_factory=list)

    @property
    def title(self) -> str:
        title = "".join(self.parts)
        while (shorter := _LINKED.sub("", title)) != title and shorter.strip():
            title = shorter
        return title.replace("\ue000", "").replace("\ue001", "")


class Flow:
    """Writes a page into ``draft``.

    Attributes:
        draft: The text.
        hidden: Characters that styles and attributes hide.
        embedded: Frames, objects and films, which are not read.
        flattened: Whether the page nests deeper than its parser, like browsers, keeps elements in each other.
    """

    def __init__(self, document: Document) -> None:
        self.draft = Draft()
        self.hidden = 0
        self.embedded = 0
        self.flattened = False
        self._document = document
        self._cascade = Cascade(document)
        self._layout = layout_cells(document)
        self._line: list[Piece] = []
        self._headings: list[_Open] = []
        self._joined: list[Any] = []  # data cells that are open: their blocks stand side by side
        self._looks: dict[tuple[object, ...], tuple[Look, Look | None]] = {}
        self._marker = ""  # of a list item, until its first text

    def run(self) -> None:
        """Write the whole page."""
        root = self._document.root
        if root is None:
            return
        depth = 0
        stack: list[tuple[bool, Any, Look]] = [(True, root, Look())]
        while stack:
            opening, node, look = stack.pop()
            if not opening:
                depth -= 1
                self._close(node, look)
            elif hasattr(node, "tag"):
                inner = self._open(node, look)
                if inner is not None:
                    depth += 1
                    self.flattened = self.flattened or depth > DEEPEST
                    stack.append((False, node, inner))
                    stack += [(True, child, inner) for child in reversed(node.children)]
            elif type(node).__name__ in ("Text", "CData"):
                self._write(node.data, look)
        self._break()

    # ------------------------------------------------------------ elements

    def _open(self, element: Element, outer: Look) -> Look | None:
        """Begin an element; None when what is in it is not written."""
        tag = element.tag
        if tag in UNSEEN:
            if tag in _EMBEDDED and outer.visible:
                self.embedded += 1
                self.draft.pictures.append(self.draft.length)
            return None
        look = self._look(element, outer)
        if look is None or (self._headings and _is_self_link(element)):
            self.hidden += _visible_length(element) if look is None else 0
            return None
        if self._is_atom(element, look):
            return None
        self._begin_box(element, look)
        level = level_of(element)
        if level is not None:
            self._blank()
            self._headings.append(_Open(element, self.draft.length, level))
        if look.display == "list-item":
            self._marker = look.marker(element) or self._marker
        self._mark_link(tag, "\ue000")
        if tag == "rt":
            self._write("(", look)
        elif getattr(element.parent, "tag", "") == "mfrac" and element is not _first_element(element.parent):
            self._write("/", look)
        return look

    def _begin_box(self, element: Element, look: Look) -> None:
        """End the line before a block, open a cell, or keep a box in the line apart."""
        if element.tag in ("td", "th") or look.display == "table-cell":
            if element in self._layout or look.display == "block":
                self._break()
            else:
                self._joined.append(element)
        elif look.is_block:
            self._break()
        elif look.apart:
            self._append(" ", look)

    def _look(self, element: Element, outer: Look) -> Look | None:
        """How an element looks; those of one tag and one style in the same place look the same."""
        css = self._cascade.of(element)
        if element.tag in PECULIAR or not DRAWING.isdisjoint(element.attrs):
            return outer.inside(element, css)
        key = (id(outer), element.tag, *css.items())
        if key not in self._looks:
            self._looks[key] = (outer, outer.inside(element, css))  # the outer look is kept, so its id stays its own
        return self._looks[key][1]

    def _close(self, element: Element, look: Look) -> None:
        tag = element.tag
        self._mark_link(tag, "\ue001")
        if tag == "rt":
            self._write(")", look)
        if self._joined and self._joined[-1] is element:
            self._joined.pop()
            self._end_cell()
        elif look.is_block or tag in ("td", "th"):
            self._break(keep=look.keeps_lines and bool(self._line))
            if tag in _PARAGRAPHS:
                self._blank()
        elif look.apart:
            self._append(" ", look)
        if look.display == "list-item":
            self._marker = ""
        if self._headings and self._headings[-1].element is element:
            heading = self._headings.pop()
            self.draft.heading(heading.offset, heading.level, heading.title)

    def _is_atom(self, element: Element, look: Look) -> bool:
        """Write an element whose children, if any, are not its text; False for the others."""
        tag = element.tag
        if tag == "br":
            self._break(keep=look.keeps_lines)
        elif tag in ("img", "image"):
            self._picture(element, look)
        elif tag == "input":
            kind = (element.attr("type") or "text").lower()
            shown = element.attr("alt" if kind == "image" else "value")
            if shown and (kind in _SHOWN_INPUTS or kind == "image"):
                self._field(shown, look)
        elif tag == "select":
            for option in _selected(element):
                self._field(option, look)
        elif tag in ("textarea", "button"):
            self._field(element.text, look)
        else:
            return False
        return True

    def _field(self, text: str, look: Look) -> None:
        flat = replace(look, keeps_lines=False)
        self._write(" ", flat)
        self._write(text, replace(look, kind=TextKind.FORM))
        self._write(" ", flat)

    def _picture(self, element: Element, look: Look) -> None:
        alt = element.attr("alt")
        self._write(alt or "", replace(look, keeps_lines=False))
        sizes = [element.attr(name) or "" for name in ("width", "height")]
        icon = any(size.isdigit() and int(size) <= ICON for size in sizes)
        if look.visible and alt != "" and not icon and element.attr("role") not in ("presentation", "none"):
            self.draft.pictures.append(self.draft.length)

    def _mark_link(self, tag: str, sign: str) -> None:
        if tag == "a" and self._headings:
            self._headings[-1].parts.append(sign)

    # ------------------------------------------------------------ characters

    def _write(self, text: str, look: Look) -> None:
        if not look.visible:
            self.hidden += len(text.strip())
            return
        text = text.translate(_INVISIBLE)
        if look.raise_:
            text = raised(text) if look.raise_ > 0 else lowered(text)
        if not look.keeps_lines:
            self._append(_BLANKS.sub(" ", text), look)
            return
        *whole, last = text.replace("\r\n", "\n").split("\n")
        for line in whole:
            self._append(line, look)
            self._break(keep=True)
        self._append(last, look)

    def _append(self, text: str, look: Look) -> None:
        if not look.keeps_lines and (not self._line or self._line[-1].text[-1] in " \t"):
            text = text.lstrip(" ")
        if not text:
            return
        if self._marker and text.strip():
            self._line.append(Piece(f"{self._marker} ", look.style))
            self._marker = ""
        self._line.append(Piece(text, look.style, look.kind))
        for heading in self._headings:
            heading.parts.append(text)

    def _end_cell(self) -> None:
        """A tab behind the cell, but none before what belongs to the figure in the cell before it, or behind its currency's sign."""
        self._trim(" ")
        at = next((n for n in range(len(self._line) - 1, -1, -1) if self._line[n].text == "\t"), -1)
        cell = "".join(piece.text for piece in self._line[at + 1 :]).strip()
        if at >= 0 and _CLOSERS.fullmatch(cell):
            del self._line[at]
        sign = bool(cell) and all(unicodedata.category(character) == "Sc" for character in cell)
        self._line.append(Piece(" " if sign else "\t", Look().style))

    def _trim(self, blanks: str) -> None:
        while self._line:
            text = self._line[-1].text.rstrip(blanks)
            if text:
                self._line[-1] = replace(self._line[-1], text=text)
                return
            self._line.pop()

    def _break(self, *, keep: bool = False) -> None:
        """End the line, if there is one; ``keep`` keeps empty ones."""
        if self._joined:
            self._append(" ", Look())
            return
        self._trim(" \t\r")
        for heading in self._headings:
            heading.parts.append(" ")
        if not self._line:
            if keep and self.draft.length:
                self.draft.put("\n")
            return
        for piece in self._line:
            self.draft.write(piece)
        self.draft.put("\n")
        self._line.clear()

    def _blank(self) -> None:
        """An empty line, as it is displayed."""
        if not self._joined:
            self.draft.blank()


def _is_self_link(element: Element) -> bool:
    """A sign in a heading that links the heading to itself, or that only adorns it: ¶, #, §, a chain."""
    links = element.tag == "a" and (element.attr("href") or "").startswith("#")
    if not links and element.attr("aria-hidden") != "true":
        return False
    return not any(character.isalnum() for character in element.text) and element.find("img") is None


def _first_element(parent: Any) -> Any:
    return next((child for child in parent.children if hasattr(child, "tag")), None)


def _visible_length(element: Element) -> int:
    """Characters that would be seen if the element were."""
    unseen = sum(len(one.text) for one in element.find_all(["script", "style", "template"]))
    return max(0, len(element.text) - unseen) if element.text.strip() else 0


def _selected(select: Element) -> list[str]:
    options = list(select.find_all("option"))
    chosen = [option for option in options if option.attr("selected") is not None]
    several = select.attr("multiple") is not None
    return [option.text for option in (chosen or ([] if several else options[:1]))]
