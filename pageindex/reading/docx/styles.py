"""Styles of a Word document: what a paragraph or a run inherits along ``basedOn``."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from typing import Any

from pageindex.reading.docx.markup import child, integer, switch, value

__all__ = ["Properties", "Styles", "own_level", "properties"]

DEFAULT_SIZE = 20  #: Half-points, where nothing says another size.
BODY_LEVEL = 9  #: Word's own number for "no outline level".
_NAMED = re.compile(r"heading ?([1-9])", re.I)


@dataclass(frozen=True, slots=True)
class Properties:
    """What a style, a paragraph or a run says of itself; None where it says nothing.

    Attributes:
        bold, italic: Of its characters.
        hidden: Whether its characters are not shown.
        size: In half-points.
        centred: Of its paragraphs.
        level: 1 to 9 for a heading, 0 for the document's title, ``BODY_LEVEL + 1`` for what is explicitly none.
        list_id, list_level: ``w:numId`` and ``w:ilvl``.
    """

    bold: bool | None = None
    italic: bool | None = None
    hidden: bool | None = None
    size: int | None = None
    centred: bool | None = None
    level: int | None = None
    list_id: str | None = None
    list_level: int | None = None

    def over(self, below: Properties) -> Properties:
        """These where they say something, those below elsewhere."""
        said = {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) is not None}
        return replace(below, **said)


def properties(paragraph: Any, run: Any) -> Properties:
    """Of a ``w:pPr`` and a ``w:rPr``; either may be None."""
    numbering = child(paragraph, "numPr")
    align = value(child(paragraph, "jc"))
    return Properties(
        bold=switch(run, "b"),
        italic=switch(run, "i"),
        hidden=switch(run, "vanish"),
        size=integer(child(run, "sz")),
        centred=align == "center" if align else None,
        level=own_level(paragraph),
        list_id=value(child(numbering, "numId")) or None,
        list_level=integer(child(numbering, "ilvl")),
    )


def own_level(paragraph: Any) -> int | None:
    """The outline level that a ``w:pPr`` states, from 1; None when it states none that makes sense."""
    level = integer(child(paragraph, "outlineLvl"))
    return level + 1 if level is not None and 0 <= level <= BODY_LEVEL else None


class Styles:
    """The styles part."""

    def __init__(self, root: Any) -> None:
        """``root`` is ``w:styles``, or None without such a part."""
        self._elements: dict[str, Any] = {}
        self._known: dict[str, Properties] = {}
        self.default_paragraph = ""
        defaults = child(root, "docDefaults/rPrDefault/rPr")
        self.defaults = properties(None, defaults).over(Properties(size=DEFAULT_SIZE))
        for style in root.iter("{*}style") if root is not None else ():
            self._elements[value(style, "styleId")] = style
            if value(style, "type") == "paragraph" and value(style, "default") in ("1", "true", "on"):
                self.default_paragraph = value(style, "styleId")

    def of(self, style_id: str) -> Properties:
        """What a style says, what it is based on included; nothing for an unknown one."""
        if style_id not in self._known:
            chain, at = [], style_id
            while at in self._elements and at not in chain:
                chain.append(at)
                at = value(child(self._elements[at], "basedOn"))
            found = Properties()
            for one in reversed(chain):
                found = self._own(one).over(found)
            self._known[style_id] = found if chain else Properties(level=_level_by_name(style_id))
        return self._known[style_id]

    def list_of(self, style_id: str) -> str:
        """The ``w:numId`` that a numbering style points to."""
        return value(child(self._elements.get(style_id), "pPr/numPr/numId"))

    def _own(self, style_id: str) -> Properties:
        style = self._elements[style_id]
        own = properties(child(style, "pPr"), child(style, "rPr"))
        shown = value(child(style, "name")).lower()
        if shown == "title":
            return replace(own, level=0)
        return own if own.level is not None else replace(own, level=_level_by_name(shown))


def _level_by_name(name: str) -> int | None:
    found = _NAMED.fullmatch(name)
    return int(found[1]) if found else None
