"""What stands between two letters of a quote, beside what stands there on the page: typesetting, or a change.

Spaces, line breaks and line-end hyphens, the glyph of a dash or a quotation mark, half-width and full-width punctuation, leaders and bullets
are typesetting. A blank or hyphen between letters makes other words; a dash that stands alone in a row is a value, one glued to what follows
it is a minus or an option; any other mark says something too.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from pageindex.text.folding import DASHES, joins_words

__all__ = ["BULLETS", "Around", "Gap", "same_gap"]

_LONG = frozenset("\u2212\u2013\u2014\u2015\u2e3a\u2e3b\ufe58")
_QUOTES = "'\"`\u00b4\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2032\u2033\u2035\u2036\u2039\u203a\u00ab\u00bb\u02b9\u02ba\u02bc\u300c\u300d\u300e\u300f\u301d\u301e\u301f\uff02\uff07"
_PRIMES = "'\"\u2032\u2033"  # may count feet and inches; others are quotation marks
_ANY_QUOTE = frozenset("'\"\u201d")
BULLETS = frozenset(
    "\u2022\u2023\u2043\u25cf\u25cb\u25e6\u25a0\u25aa\u25ab\u25b6\u25ba\u27a2\u27a4\u2756\uf0a7\uf0b7\uf0d8\uf02d\ufffd"
)
_NOTES = frozenset("*\u2020\u2021\u2122\u2120\u00ae\u00a9")  # printed behind a word, and left out of a copy
_ONE = str.maketrans(
    {
        **dict.fromkeys("\u3002\uff61\u06d4\u0964", "."),
        **dict.fromkeys("\u3001\uff64\u060c", ","),
        "\u061b": ";",
        "\u061f": "?",
        "\u066a": "%",
        "\u2236": ":",
        "\u2044": "/",
        "\u2215": "/",
        "\u223c": "~",
        "\u2219": "\u00b7",
        **dict.fromkeys("\u22c5\u30fb\u2027\uff65", "\u00b7"),
        "\u066b": ".",
        "\u066c": ",",
    }
)
_TOKEN = re.compile(
    r"(?P<leader>(?:[.\u00b7\u2026\u2024\u2025]\s{0,3}){4,}|\u2026{2,}|\.{4,})"
    r"|(?P<ellipsis>\.\s{0,3}\.\s{0,3}\.|\u2026)"
    f"|(?P<dash>[{re.escape(DASHES)}\\ufffe]+|\u00ad(?=\\s))"
    r"|(?P<break>[ \t\u00a0]*[\r\n\f\v\u2028]\s*)"
    r"|(?P<blank>\s+)"
    f"|(?P<quote>''|``|[{_QUOTES}])"
    r"|(?P<other>.)",
    re.DOTALL,
)
_BREAK = re.compile(r"[ \t\u00a0]*[\r\n\f\v\u2028]")
_OPENS_ITEM = re.compile(
    rf"[ \t\u00a0\u200b\u200c\u2060\ufeff]+(?:\Z|[(\[{_QUOTES}])"
)  # what stands behind the bullet of a list item
_UNWRITTEN = re.compile(
    "[\u0591-\u05bd\u05bf\u05c1-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed]"
)  # vowel signs
_GROUPING = "\u00a0\u2007\u2009\u202f"  # blanks within a number
_LONG_WORD = 4  # letters; a star behind a shorter one may be a sign


@dataclass(frozen=True, slots=True)
class _Dash:
    """A dash as it stands: long ones are punctuation wherever they stand; ``ends`` one ends a line between two letters."""

    long: bool
    glued_before: bool
    glued_behind: bool
    ends: bool
    double: bool


@dataclass(frozen=True, slots=True)
class Gap:
    """What stands between two letters: marks and dashes in order, and whether there is a blank.

    ``bullets`` are the positions in ``items`` of marks that open a line.
    """

    items: tuple[str | _Dash, ...]
    blank: bool
    bullets: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Around:
    """The letters beside a gap of the page, and how many letters the word before has."""

    before: str
    behind: str
    word: int = 0


@lru_cache(maxsize=1 << 14)
def _gap(raw: str) -> Gap:
    items: list[str | _Dash] = []
    bullets: list[int] = []
    blank, opens = False, False
    for match in _TOKEN.finditer(raw):
        kind = match.lastgroup
        if kind in ("blank", "break"):
            blank, opens = True, opens or kind == "break"
            continue
        item = _item(raw, match, kind or "")
        if not item:
            continue
        if opens and _OPENS_ITEM.match(raw, match.end()) and (isinstance(item, _Dash) or item in "\u2022*\u00b7"):
            bullets.append(len(items))
        items.append(item)
        opens = False
    return Gap(tuple(items), blank, tuple(bullets))


def _item(raw: str, match: re.Match[str], kind: str) -> str | _Dash:
    text = match.group()
    if kind == "leader":
        return "\u2026\u2026"
    if kind == "ellipsis":
        return "\u2026"
    if kind == "quote":
        if text not in _PRIMES:
            return "\u201d"
        return '"' if text in '"\u2033' else "'"
    if kind == "dash":
        return _dash(raw, match)
    if text in _NOTES:
        return text  # of \u2122, which NFKC would make letters of, too
    text = unicodedata.normalize("NFKC", text).translate(_ONE)
    if not text or unicodedata.category(text[0]) in ("Cc", "Cf") or _UNWRITTEN.match(text):
        return ""  # prints nothing, or is a vowel sign that may be left out
    return "\u2022" if text in BULLETS else text


def _dash(raw: str, match: re.Match[str]) -> _Dash:
    text, before, behind = match.group(), raw[: match.start()], raw[match.end() :]
    glued_before = not before or not before[-1].isspace()
    glued_behind = not behind or not behind[0].isspace()
    long = bool(_LONG & set(text))
    double = len(text) > 1 and not long
    ends = not before and not behind.strip() and bool(_BREAK.match(behind) or text[-1] in "\x02\u00ad\ufffe")
    return _Dash(long or (double and glued_before >= glued_behind), glued_before, glued_behind, ends, double)


def same_gap(quoted: str, printed: str, around: Around) -> bool:
    """Whether two gaps differ in typesetting only; the raw text of the quote, and that of the page."""
    one, other = _gap(quoted), _gap(printed)
    if one == other:
        return True
    if not one.items and not other.items:
        if one.blank != other.blank and around.before.isdecimal() and around.behind.isdecimal():
            return (quoted or printed) in _GROUPING  # else two numbers, or a note mark and a number, are one
        return one.blank == other.blank or not (joins_words(around.before) and joins_words(around.behind))
    return any(
        _same_items(one_items, other_items, one, other, around)
        for one_items, other_items in _choices(one, other, around)
    )


_Items = tuple["str | _Dash", ...]


def _choices(one: Gap, other: Gap, around: Around) -> list[tuple[_Items, _Items]]:
    """The items as they are, and without what a copy may leave out: bullets, leaders, note marks, hyphens at line ends."""
    quoted = [one.items]
    printed = [other.items]
    if one.bullets and _may_go(one, around):
        quoted.append(_without(one.items, one.bullets))
    if other.bullets and _may_go(other, around):
        printed.append(_without(other.items, other.bullets))
        if not one.bullets and one.items and _is_bullet(one.items[-1]):
            quoted.append(one.items[:-1])
    if other.bullets and one.bullets and "\u2022" in (one.items[one.bullets[-1]], other.items[other.bullets[-1]]):
        quoted.append(_without(one.items, one.bullets))
        printed.append(_without(other.items, other.bullets))
    if any(_is_soft(item) for item in one.items):
        quoted += [tuple(item for item in items if not _is_soft(item)) for items in quoted]
    if any(_is_soft(item) for item in other.items):
        printed += [tuple(item for item in items if not _is_soft(item)) for items in printed]
    if other.items and (other.items[0] in _NOTES or "\u2026\u2026" in other.items):
        marks = _NOTES if around.word >= _LONG_WORD or other.items[0] not in ("*",) else frozenset()
        for left_out in ({"\u2026\u2026"}, marks, marks | {"\u2026\u2026"}):
            printed += [tuple(i for i in items if i not in left_out) for items in printed[:4]]
    return [(a, b) for a in quoted for b in printed]


def _may_go(gap: Gap, around: Around) -> bool:
    """Whether the bullets of a gap may be left out: a dash only where it opens an item behind the end of a clause, for else it may be a value."""
    dashes = [item for item in gap.items if isinstance(item, _Dash)]
    if not dashes:
        return True
    clause = gap.items[0]
    return len(dashes) == 1 and around.behind.isalpha() and isinstance(clause, str) and clause in ".,:;?!"


def _without(items: _Items, places: tuple[int, ...]) -> _Items:
    return tuple(item for at, item in enumerate(items) if at not in places)


def _is_soft(item: str | _Dash) -> bool:
    return isinstance(item, _Dash) and item.ends


def _is_bullet(item: str | _Dash) -> bool:
    if isinstance(item, _Dash):
        return not item.glued_before and not item.glued_behind
    return item in "\u2022*\u00b7"


def _same_items(quoted: _Items, printed: _Items, one: Gap, other: Gap, around: Around) -> bool:
    if len(quoted) != len(printed):
        return False
    if not quoted and any(map(_is_soft, (*one.items, *other.items))):
        return _rejoined(one, other)
    if not quoted:
        led = one.blank and "\u2026\u2026" in other.items  # leaders set words apart without a blank
        return led or one.blank == other.blank or not _glues(around)
    return all(_same_item(a, b, around) for a, b in zip(quoted, printed, strict=True)) and (
        one.blank == other.blank or not {"_"} & {item for item in quoted if isinstance(item, str)}
    )


def _glues(around: Around) -> bool:
    return joins_words(around.before) and joins_words(around.behind)


def _rejoined(one: Gap, other: Gap) -> bool:
    """Whether all that is left of one side is a word joined over a line end."""
    soft = [gap for gap in (one, other) if gap.items and _is_soft(gap.items[0])]
    plain = [gap for gap in (one, other) if not gap.items]
    return bool(soft) and all(not gap.blank for gap in plain)


def _same_item(quoted: str | _Dash, printed: str | _Dash, around: Around) -> bool:
    if isinstance(quoted, _Dash) and isinstance(printed, _Dash):
        return _same_dash(quoted, printed, around)
    if isinstance(quoted, _Dash) or isinstance(printed, _Dash):
        return False
    if quoted in _ANY_QUOTE and printed in _ANY_QUOTE:
        return {quoted, printed} != {"'", '"'} or not around.before.isdecimal()  # 5' is no 5"
    return quoted == printed


def _is_em(dash: _Dash) -> bool:
    return dash.long and not dash.double


def _same_dash(quoted: _Dash, printed: _Dash, around: Around) -> bool:
    places = [(dash.glued_before, dash.glued_behind) for dash in (quoted, printed)]
    option = any(dash.glued_behind and not dash.glued_before for dash in (quoted, printed))
    if quoted.double != printed.double and option:
        return False  # --all is not -all
    if (
        quoted.double != printed.double
        and not quoted.ends
        and not printed.ends
        and all(map(all, places))
        and not any(map(_is_em, (quoted, printed)))
    ):
        return False  # a--b is not a-b in a program
    if places[0] == places[1] or around.behind.isdecimal():
        return True  # signs of numbers are compared with the numbers
    if around.before.isdecimal() and places[1] == (True, True):
        return True  # CO₂ -free, as readers set it
    if quoted.ends or printed.ends:
        return not (option and not (quoted.long or printed.long))
    return quoted.long or printed.long
