"""What style sheets and style attributes say of an element: the CSS cascade over a page's own styles.

Sheets in other files are not there to be read, and conditional rules (``@media``) are left out. Only the properties that decide whether and
how text is seen are kept. Parsing, selectors and specificity are turbohtml's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pageindex.reading.markup import names

if TYPE_CHECKING:
    from turbohtml import Document, Element

__all__ = ["Cascade", "length_in_points", "shorthand_font"]


_PROPERTIES = names(
    "display visibility opacity font font-size font-weight font-style white-space text-align list-style list-style-type "
    "position left top text-indent clip clip-path"
)
MOST_RULES = 5_000  #: Rules of one page that are applied; frameworks have about 2,000.

_LENGTH = re.compile(r"(-?\d*\.?\d+(?:e\d+)?)\s*(px|pt|pc|in|cm|mm|em|rem|ex|ch|%)?", re.I)
_POINTS = {"px": 0.75, "pt": 1.0, "pc": 12.0, "in": 72.0, "cm": 72 / 2.54, "mm": 72 / 25.4}
_KEYWORDS = {
    "xx-small": 0.6,
    "x-small": 0.75,
    "small": 0.89,
    "medium": 1.0,
    "large": 1.2,
    "x-large": 1.5,
    "xx-large": 2.0,
    "xxx-large": 3.0,
}
ROOT_SIZE = 12.0  #: What browsers call medium, in points.


class Cascade:
    """The declared values of each element of a page."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._inline: dict[str, Mapping[str, tuple[str, bool]]] = {}

    def of(self, element: Element) -> Mapping[str, str]:
        """Property to value, lower case; what is not declared is not there."""
        sheet = self._sheets.get(element)
        own = element.attr("style")
        if not own:
            return {name: value for name, (_, value) in sheet.items()} if sheet else {}
        if own not in self._inline:
            self._inline[own] = dict(_declarations(own))
        found = {name: value for name, (_, value) in (sheet or {}).items()}
        for name, (value, important) in self._inline[own].items():
            if important or not (sheet and name in sheet and sheet[name][0][0]):
                found[name] = value
        return found

    @cached_property
    def _sheets(self) -> Mapping[Element, dict[str, tuple[tuple[Any, ...], str]]]:
        """By element and property: the weight ``(important, specificity, order)`` of the winning rule, and its value."""
        from turbohtml.convert import css_specificity
        from turbohtml.cssom import StyleSheet

        found: dict[Element, dict[str, tuple[tuple[Any, ...], str]]] = {}
        order = 0
        for sheet in self._document.find_all("style"):
            for rule in StyleSheet(sheet.text).rules:
                wanted = [name for name in rule.style.properties() if name.lower() in _PROPERTIES]
                if not wanted or order >= MOST_RULES:
                    continue
                order += 1
                for selector in _selectors(rule.selector_text):
                    try:
                        elements = list(self._document.select(selector))
                        strength = css_specificity(selector)[0]
                    except (ValueError, IndexError):  # pseudo-elements, and selectors that are none
                        continue
                    for name in wanted:
                        weight = (rule.style.important(name), strength, order)
                        value = rule.style[name].strip().lower()
                        for element in elements:
                            values = found.setdefault(element, {})
                            if name.lower() not in values or values[name.lower()][0] <= weight:
                                values[name.lower()] = (weight, value)
        return found


def _selectors(text: str) -> Iterator[str]:
    """The members of a selector list, each to be judged by itself."""
    depth, start = 0, 0
    for at, character in enumerate(text):
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            yield text[start:at].strip()
            start = at + 1
    yield text[start:].strip()


def _declarations(text: str) -> Iterator[tuple[str, tuple[str, bool]]]:
    from turbohtml.cssom import StyleDeclaration

    block = StyleDeclaration.parse(text)
    for name in block.properties():
        if name.lower() in _PROPERTIES:
            yield name.lower(), (block[name].strip().lower(), block.important(name))


def length_in_points(value: str, parent: float) -> float | None:
    """A font size or length in points; None for what is not understood.

    Args:
        parent: What ``em`` and ``%`` refer to, in points.
    """
    value = value.strip()
    if value in _KEYWORDS:
        return ROOT_SIZE * _KEYWORDS[value]
    if value in ("larger", "smaller"):
        return parent * (1.2 if value == "larger" else 1 / 1.2)
    found = _LENGTH.fullmatch(value)
    if found is None:
        return None
    number, unit = float(found[1]), (found[2] or "").lower()
    if unit in _POINTS:
        return number * _POINTS[unit]
    relative = {"em": parent, "%": parent / 100, "rem": ROOT_SIZE, "ex": parent / 2, "ch": parent / 2, "": 0.75}
    return number * relative[unit]


_FONT_SIZE = re.compile(r"(?:^|\s)((?:xx?-)?(?:small|large)|medium|\d*\.?\d+(?:px|pt|pc|em|rem|%))(?=\s|/|$)")


def shorthand_font(value: str) -> dict[str, str]:
    """The size, weight and style that a ``font`` shorthand sets; what it leaves out is reset."""
    size = _FONT_SIZE.search(value)
    if size is None:
        return {}
    weight = re.search(r"\b(bold|bolder|lighter|[1-9]00)\b", value[: size.start()])
    italic = re.search(r"\b(italic|oblique)\b", value[: size.start()])
    return {
        "font-size": size[1],
        "font-weight": weight[1] if weight else "normal",
        "font-style": italic[1] if italic else "normal",
    }
