"""Numbers and bullets that Word draws before paragraphs (ECMA-376, part 1, 17.9)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from pageindex.reading.docx.markup import child, integer, switch, value
from pageindex.reading.docx.styles import Styles
from pageindex.reading.docx.symbols import bullet
from pageindex.reading.numerals import numeral

__all__ = ["Marker", "Numbering"]

_FORMATS = {
    "lowerLetter": "lower-alpha",
    "upperLetter": "upper-alpha",
    "lowerRoman": "lower-roman",
    "upperRoman": "upper-roman",
    "decimalZero": "decimal-leading-zero",
}
_PLACE = re.compile(r"%([1-9])")
LEVELS = 9


@dataclass(frozen=True, slots=True)
class Marker:
    """What stands before a paragraph, and whether it counts; a bullet does not."""

    text: str
    counts: bool


@dataclass(slots=True)
class _Level:
    form: str = "decimal"
    text: str = ""
    start: int = 1
    restart: int | None = None  # the level whose number starts this one anew; None is the one above
    legal: bool = False
    style: str = ""
    font: str = ""


@dataclass(slots=True)
class _List:
    levels: dict[int, _Level] = field(default_factory=dict)
    counts: dict[int, int] = field(default_factory=dict)


class Numbering:
    """The numbering part, with the state of every list; paragraphs are to be asked for in the document's order."""

    def __init__(self, root: Any, styles: Styles) -> None:
        """``root`` is ``w:numbering``, or None without such a part."""
        self._styles = styles
        self._abstract = {
            value(e, "abstractNumId"): e for e in (root.iter("{*}abstractNum") if root is not None else ())
        }
        self._nums = {value(e, "numId"): e for e in (root.iterchildren("{*}num") if root is not None else ())}
        self._lists: dict[str, _List] = {}
        self._started: set[str] = set()

    def marker(self, list_id: str | None, level: int | None, style_id: str) -> Marker | None:
        """Count the next paragraph of a list; None for a paragraph that stands in none.

        Args:
            list_id, level: Its ``w:numId`` and ``w:ilvl``.
            style_id: Its style, which may stand for a level.
        """
        num = self._nums.get(list_id or "")
        if num is None or list_id == "0":
            return None
        found = self._list(value(child(num, "abstractNumId")), set())
        if level is None:
            level = next((at for at, one in found.levels.items() if one.style == style_id), 0)
        one = found.levels.get(level)
        if one is None:
            return None
        overrides = self._overrides(num)
        if list_id not in self._started:
            self._started.add(list_id or "")
            for at, start in overrides.items():
                found.counts[at] = start - 1
        found.counts[level] = found.counts.get(level, one.start - 1) + 1
        for at, below in found.levels.items():
            if at > level and (below.restart is None or level < below.restart):
                found.counts.pop(at, None)
        return self._drawn(found, one)

    def _drawn(self, found: _List, one: _Level) -> Marker | None:
        if one.form == "none" and not one.text:
            return None
        if one.form == "bullet":
            return Marker(bullet(one.text, one.font), counts=False) if one.text else None

        def number(place: re.Match[str]) -> str:
            at = int(place[1]) - 1
            level = found.levels.get(at, _Level())
            form = "decimal" if one.legal else _FORMATS.get(level.form, "decimal")
            return numeral(found.counts.setdefault(at, level.start), form) if level.form != "none" else ""

        text = _PLACE.sub(number, one.text).strip()
        return Marker(text, counts=True) if text else None

    def _list(self, abstract_id: str, seen: set[str]) -> _List:
        """The levels of an abstract list, by way of the numbering style that it may stand for."""
        element = self._abstract.get(abstract_id)
        link = value(child(element, "numStyleLink"))
        if link and abstract_id not in seen:
            num = self._nums.get(self._styles.list_of(link))
            return self._list(value(child(num, "abstractNumId")), seen | {abstract_id})
        if abstract_id not in self._lists:
            self._lists[abstract_id] = _List(_levels(element))
        return self._lists[abstract_id]

    def _overrides(self, num: Any) -> dict[int, int]:
        starts = {}
        for one in num.iterchildren("{*}lvlOverride"):
            at, start = integer(one, "ilvl"), integer(child(one, "startOverride"))
            if at is not None and start is not None:
                starts[at] = start
        return starts


def _levels(element: Any) -> dict[int, _Level]:
    found = {}
    for one in element.iterchildren("{*}lvl") if element is not None else ():
        at, start = integer(one, "ilvl"), integer(child(one, "start"))
        if at is not None and 0 <= at < LEVELS:
            found[at] = _Level(
                form=value(child(one, "numFmt")) or "decimal",
                text=value(child(one, "lvlText")),
                start=1 if start is None else start,
                restart=integer(child(one, "lvlRestart")),
                legal=bool(switch(one, "isLgl")),
                style=value(child(one, "pStyle")),
                font=value(child(one, "rPr/rFonts"), "ascii"),
            )
    return found
