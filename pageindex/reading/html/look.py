"""How an element is drawn: block or inline, seen or hidden, in which type; what browsers do by default, and then its styles."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pageindex.document import TextKind
from pageindex.reading.html.css import ROOT_SIZE, length_in_points, shorthand_font
from pageindex.reading.markup import names
from pageindex.reading.numerals import numeral
from pageindex.reading.typeset import Style

if TYPE_CHECKING:
    from turbohtml import Element

__all__ = ["DRAWING", "PECULIAR", "UNSEEN", "Counter", "Look", "level_of"]

UNSEEN = names(
    "head script style template noscript iframe frame object embed param audio video canvas datalist rp area map source track "
    "colgroup col title desc metadata defs symbol annotation annotation-xml"
)
_BLOCKS = names(
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form frameset h1 "
    "h2 h3 h4 h5 h6 header hgroup hr html legend listing main menu nav ol optgroup option p plaintext pre search section summary table "
    "caption thead tbody tfoot tr ul xmp text foreignObject"
)
#: Attributes that change how an element looks.
DRAWING = names("hidden open align size type start reversed value")
#: Elements that look otherwise by where they stand or what they hold.
PECULIAR = names("ol ul menu dir li dialog font mi mn mo mrow mtext")
_BLOCK_VALUES = ("block", "flow-root", "flex", "grid", "table", "table-row", "table-caption", "list-item")
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LARGER = {
    "h1": 2.0,
    "h2": 1.5,
    "h3": 1.17,
    "h4": 1.0,
    "h5": 0.83,
    "h6": 0.67,
    "big": 1.2,
    "small": 0.83,
    "sub": 0.83,
    "sup": 0.83,
}
_BOLD = frozenset(["b", "strong", "th", *_HEADINGS])
_ITALIC = frozenset(["i", "em", "cite", "dfn", "var", "address"])
_PRE = frozenset(["pre", "textarea", "listing", "xmp", "plaintext"])
_FONT_SIZES = (0.6, 0.75, 0.89, 1.0, 1.2, 1.5, 2.0, 3.0)  # of <font size>, which counts from 1 and means 3 by default
_TYPES = {"1": "decimal", "a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman", "I": "upper-roman"}
_BULLETS = {"disc": "•", "circle": "◦", "square": "▪"}
_LATIN = {"lower-latin": "lower-alpha", "upper-latin": "upper-alpha"}
_ZERO_CLIP = re.compile(r"rect\(\s*(0|1px)\D.*\)|inset\((50|100)%\)")
_MEDIUM = Style(ROOT_SIZE)
_SCRIPTS = {"msup": (0, 1), "msub": (0, -1), "msubsup": (0, -1, 1)}
FAR = -500.0  #: Points; what stands this far to the left or above is not on the screen.


@dataclass(slots=True)
class Counter:
    """Numbers the items of one list."""

    value: int
    step: int = 1


@dataclass(frozen=True, slots=True)
class Look:
    """How the text in an element is drawn; all but ``display`` passes on to what is in it.

    Attributes:
        display: As in CSS, of the element itself.
        style: Type, its size in points.
        visible: Whether it is drawn where it stands.
        keeps_lines: Whether blanks and line ends are kept.
        raise_: 1 above the line, -1 below, else 0.
        kind: What draws it, when it is not the page's own.
        list_type: How list items are marked, as in CSS; empty where the list says nothing.
        counter: Of the list.
        sides: Whether its children are boxes side by side.
        apart: Whether the element is a box in its line, with space around it.
    """

    display: str = "inline"
    style: Style = _MEDIUM
    visible: bool = True
    keeps_lines: bool = False
    raise_: int = 0
    kind: TextKind | None = None
    list_type: str = ""
    counter: Counter | None = None
    sides: bool = False
    apart: bool = False

    @property
    def is_block(self) -> bool:
        return self.display in _BLOCK_VALUES

    def inside(self, element: Element, css: Mapping[str, str]) -> Look | None:
        """How an element in this one looks; None when neither it nor anything in it is seen."""
        tag = element.tag
        css = {**shorthand_font(css["font"]), **css} if "font" in css else css
        display = self._display(element, css.get("display", ""))
        if display == "none" or _is_away(element, css, self.style.size):
            return None
        size = self._size(element, css)
        if size <= 0:
            return None
        look = replace(
            self,
            display=display,
            style=self._style(element, css, size),
            visible=_visible(css.get("visibility"), self.visible),
            keeps_lines=_keeps_lines(css.get("white-space"), tag, self.keeps_lines),
            raise_=_raise(element, self.raise_),
            apart=display.startswith("inline") and (display != "inline" or tag in _BLOCKS or tag in ("li", "mtd")),
            sides=css.get("display", "") in ("flex", "inline-flex", "grid", "inline-grid"),
        )
        return look._listing(element, css) if tag in ("ol", "ul", "menu", "dir", "li") or "list-style" in css else look

    def marker(self, element: Element) -> str:
        """What is drawn before a list item; empty for nothing."""
        counter, kind = self.counter, _LATIN.get(self.list_type, self.list_type)
        if counter is None or kind == "none":
            return ""
        given = (element.attr("value") or "").strip()
        if re.fullmatch(r"-?\d{1,9}", given):
            counter.value = int(given)
        number, counter.value = counter.value, counter.value + counter.step
        if kind in _BULLETS:
            return _BULLETS[kind]
        return f"{numeral(number, kind)}."

    def _display(self, element: Element, declared: str) -> str:
        tag = element.tag
        hidden = element.attr("hidden")
        closed = tag == "dialog" and element.attr("open") is None
        if not declared and (closed or (hidden is not None and hidden.lower() != "until-found")):
            return "none"
        if tag in ("td", "th") and declared != "none":
            return "block" if declared == "block" else "table-cell"
        if not declared or declared in ("inherit", "initial", "unset", "revert"):
            declared = "list-item" if tag == "li" else "block" if tag in _BLOCKS else "inline"
        if self.sides and declared.startswith("inline"):
            return "block"
        return declared

    def _size(self, element: Element, css: Mapping[str, str]) -> float:
        declared = length_in_points(css["font-size"], self.style.size) if "font-size" in css else None
        if declared is not None:
            return min(declared, 400.0)
        size = (element.attr("size") or "").strip() if element.tag == "font" else ""
        if re.fullmatch(r"[+-]?[1-7]", size):
            step = int(size) + 3 * (size[0] in "+-")
            return ROOT_SIZE * _FONT_SIZES[min(max(step, 1), 7)]
        return min(self.style.size * _LARGER.get(element.tag, 1.0), 400.0)

    def _style(self, element: Element, css: Mapping[str, str], size: float) -> Style:
        tag, before = element.tag, self.style
        weight, slant = css.get("font-weight"), css.get("font-style")
        align = css.get("text-align") or (element.attr("align") or "").lower() or ("center" if tag == "center" else "")
        return Style(
            round(size, 2),
            before.bold or tag in _BOLD if weight is None else weight in ("bold", "bolder", "600", "700", "800", "900"),
            before.italic or tag in _ITALIC if slant is None else slant in ("italic", "oblique"),
            before.centred if not align else align in ("center", "-webkit-center"),
        )

    def _listing(self, element: Element, css: Mapping[str, str]) -> Look:
        tag = element.tag
        words = f"{css.get('list-style', '')} {css.get('list-style-type', '')} ".split()
        named = next((word for word in reversed(words) if word in _BULLETS or word == "none" or word in _NUMBERED), "")
        kind = named or _TYPES.get((element.attr("type") or "").strip(), "")
        if tag == "ol":
            backward = element.attr("reversed") is not None
            start = (element.attr("start") or "").strip()
            first = sum(getattr(child, "tag", "") == "li" for child in element.children) if backward else 1
            value = int(start) if re.fullmatch(r"-?\d{1,9}", start) else first
            return replace(self, list_type=kind or "decimal", counter=Counter(value, -1 if backward else 1))
        if tag in ("ul", "menu", "dir"):
            return replace(self, list_type=kind or "disc", counter=Counter(1))
        return replace(self, list_type=kind or self.list_type)


_NUMBERED = names(
    "decimal decimal-leading-zero lower-alpha upper-alpha lower-latin upper-latin lower-roman upper-roman"
)


def level_of(element: Element) -> int | None:
    """The level of a heading; None for what is none. Roles say more than tags, and ``aria-level`` more than the tag's number (WAI-ARIA 1.2)."""
    role = (element.attr("role") or "").strip().lower()
    native = _HEADINGS.get(element.tag)
    if role not in ("", "heading") or (native is None and not role):
        return None
    level = (element.attr("aria-level") or "").strip()
    return int(level) if re.fullmatch(r"[1-9]\d?", level) else native or 2


def _raise(element: Element, before: int) -> int:
    """Above or below the line: raised elements, and what MathML raises by its place."""
    if element.tag in ("sup", "sub"):
        return 1 if element.tag == "sup" else -1
    places = _SCRIPTS.get(getattr(element.parent, "tag", ""), ())
    if not places:
        return before
    earlier = sum(hasattr(one, "tag") for one in element.previous_siblings)
    return places[earlier] if earlier < len(places) else before


def _visible(declared: str | None, before: bool) -> bool:
    return before if declared in (None, "inherit", "unset") else declared in ("visible", "initial")


def _keeps_lines(declared: str | None, tag: str, before: bool) -> bool:
    if declared is not None:
        return declared.startswith(("pre", "break-spaces"))
    return before or tag in _PRE


def _is_away(element: Element, css: Mapping[str, str], size: float) -> bool:
    """Whether styles put it where nobody sees it."""
    if not css:
        return False
    if css.get("opacity") in ("0", "0.0", "0%") or _ZERO_CLIP.fullmatch(
        css.get("clip", "") or css.get("clip-path", "")
    ):
        return True
    moved = [css.get("text-indent", "")]
    if css.get("position") in ("absolute", "fixed"):
        moved += [css.get("left", ""), css.get("top", "")]
    return any((length_in_points(value, size) or 0.0) <= FAR for value in moved if value.startswith("-"))
