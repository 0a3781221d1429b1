"""Number tokens of a raw text: core, sign, parentheses, percent, superscript, footnote mark, currency and unit, each kept apart.

Always applied to raw page text, never to a folded one. Offsets count characters of the text given.

What belongs to one number: digits grouped by comma, point, apostrophe, no-break or thin space (never by an ASCII space: ``2018 1,719,302``
is two numbers), an exponent, superscripts. ``.05`` is a number only when nothing glued stands before its point. Digits glued to a word
(``H2O``, ``Q3``) are part of the word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from pageindex.text.folding import DASHES, joins_words

__all__ = ["GROUP_SPACES", "NumberToken", "Sign", "number_tokens"]

GROUP_SPACES = "\u00a0\u2007\u2009\u202f"  #: Spaces that group digits; an ASCII space never does.
_DASH = f"[{re.escape(DASHES)}\u00ad]"  # some fonts draw their minus as a soft hyphen
_BLANK = "[ \t\u00a0\u2007\u2009\u202f]"
_CURRENCY = "$¢£¤¥֏؋৲৳฿៛₠-₿﷼﹩＄￠￡￥￦"

_CORE = re.compile(
    rf"(?:\d+(?:[.,٫٬]\d+|['’]\d{{3}}(?!\d)|[{GROUP_SPACES}]\d{{3}}(?![\d]))*|(?<![\w.)\]])\.\d+)"
    rf"(?:[eE](?:\+|{_DASH})?\d+(?!\w))?"
)
_BEFORE = re.compile(
    rf"(?:(?P<c0>[{_CURRENCY}]{_BLANK}{{0,3}})?(?P<open>\({_BLANK}?))?(?P<c1>[{_CURRENCY}]{_BLANK}{{0,3}})?(?:(?P<dash>{_DASH}+|\+)(?P<gap>[ \t\r\n\u00a0]{{0,3}}))?"
    rf"(?P<c2>[{_CURRENCY}]{_BLANK}{{0,3}})?\Z"
)
_AFTER = re.compile(
    rf"(?P<sup>[²³¹⁰-⁹⁺⁻]*)(?P<p1>{_BLANK}?[%‰٪％])?(?P<mark>[*†‡§¶]{{1,4}}|[A-Za-z](?![^\W_]))?(?P<unit>[A-Za-zµ°À-ӿ]{{2,}})?"
    rf"(?P<c>{_BLANK}?[{_CURRENCY}](?!{_BLANK}?\d))?(?P<close>{_BLANK}{{0,2}}\))?(?P<p2>{_BLANK}?[%‰٪％])?(?P<mark2>[*†‡§¶]{{1,4}})?"
)
_OPERATORS = frozenset("=<>±≈~≤≥≠×÷·*/+:,;|∈∼≃")
_OPENING = frozenset("([{\"'“‘«‹")
_WINDOW = 24


class Sign(StrEnum):
    """What a dash before a number means, as far as its surroundings decide it."""

    NONE = "none"
    PLUS = "plus"
    MINUS = "minus"
    AMBIGUOUS = "ambiguous"  # word, blank, dash, blank, number: a minus or a dash
    RANGE = "range"  # 2019-2020
    HYPHEN = "hyphen"  # COVID-19


@dataclass(frozen=True, slots=True)
class NumberToken:
    """One number as printed.

    Attributes:
        start, end: Everything that belongs to it: sign, currency, parentheses, percent sign, marks.
        core_start, core_end: Digits, separators and exponent.
        core: The core in ASCII digits, grouping spaces and apostrophes taken out, commas and points kept.
        sign: What the dash before it means.
        parens: Stands in parentheses of its own; never taken for a minus.
        percent: ``%``, ``‰`` or empty.
        apart: White space stands between the sign and the number.
        superscript: Raised characters glued behind it, as printed.
        footnote: One trailing letter, stars or daggers.
        currency: Symbol before or behind it.
        unit: Two or more letters glued behind it.
    """

    start: int
    end: int
    core_start: int
    core_end: int
    core: str
    sign: Sign = Sign.NONE
    parens: bool = False
    percent: str = ""
    superscript: str = ""
    footnote: str = ""
    currency: str = ""
    unit: str = ""
    apart: bool = False

    @property
    def magnitude(self) -> Fraction | None:
        """The size of the core, commas in threes read as grouping; None for what is no single number (1.2.3, 10²)."""
        return None if self.superscript else core_value(self.core)

    @property
    def value(self) -> Fraction | None:
        """The signed value; None too where the sign is ambiguous or parentheses may stand for it."""
        size = self.magnitude
        if size is None or self.parens or self.sign is Sign.AMBIGUOUS:
            return None
        return -size if self.sign is Sign.MINUS else size


def number_tokens(text: str) -> Iterator[NumberToken]:
    """The numbers of a raw text in order."""
    position = 0
    while match := _CORE.search(text, position):
        position = match.end()
        before = text[match.start() - 1 : match.start()]
        if joins_words(before) or before == "_":
            position = _skip_word(text, position)
            continue
        token = _token(text, match.start(), match.end())
        if token is None:
            position = _skip_word(text, position)
            continue
        position = max(position, token.core_end)
        yield token


def _skip_word(text: str, position: int) -> int:
    while position < len(text) and (joins_words(text[position]) or text[position].isdecimal()):
        position += 1
    return position


def _token(text: str, start: int, end: int) -> NumberToken | None:
    low = max(0, start - _WINDOW)
    before, after = _BEFORE.search(text[low:start]), _AFTER.match(text, end)
    if before is None or after is None:
        return None  # never: all their parts are optional
    follows = text[after.end("unit") : after.end("unit") + 1] if after["unit"] else text[end : end + 1]
    if not after["mark"] and (follows.isdecimal() if after["unit"] else joins_words(follows)):
        return None  # 1Q22 is a code, not a number
    parens = bool(before["open"] and after["close"])
    sign, begin = _sign_and_start(text[low:start], before, parens)
    return NumberToken(
        start=low + begin,
        end=max([end, *(after.end(name) for name in (_TAIL + _OUTER if parens else _TAIL) if after[name])]),
        core_start=start,
        core_end=end,
        core=_ascii(text[start:end]),
        sign=sign,
        parens=parens,
        percent=_percent(after["p1"] or (after["p2"] if parens else None) or ""),
        superscript=after["sup"],
        footnote=after["mark"] or (after["mark2"] if parens else None) or "",
        currency=(before["c0"] or before["c1"] or before["c2"] or after["c"] or "").strip(_SPACES),
        unit=after["unit"] or "",
        apart=bool(before["gap"]),
    )


_SPACES = " \t\u00a0\u2007\u2009\u202f"
_TAIL = ("sup", "p1", "mark", "unit", "c")
_OUTER = ("close", "p2", "mark2")  # what stands behind a number in parentheses of its own


def _percent(printed: str) -> str:
    return printed.strip(_SPACES).replace("٪", "%").replace("％", "%")


def _sign_and_start(prefix: str, before: re.Match[str], parens: bool) -> tuple[Sign, int]:
    """The sign, and where the token begins in the prefix: a dash that is no sign of this number is not part of it."""
    dash, gap = before["dash"], before["gap"] or ""
    begin = before.end("open") if before["open"] and not parens else before.start()
    if not dash:
        return Sign.NONE, begin
    context = prefix[: before.start("dash")]
    if dash == "+":
        sign = Sign.NONE if context[-1:].isalnum() else Sign.PLUS
    else:
        sign = Sign.AMBIGUOUS if len(dash) > 1 else _dash(context, gap)
    if sign in (Sign.MINUS, Sign.PLUS):
        return sign, begin
    return sign, before.end("gap")


def _dash(context: str, gap: str) -> Sign:
    """What one dash means, from the text before it and the white space between it and the number."""
    bare = context.rstrip(_SPACES)
    last, blanks = bare[-1:], len(context) - len(bare)
    if not last or last in "\r\n" or "\t" in context[len(bare) :] or blanks > 1:
        return Sign.MINUS  # a line or a cell begins here
    if last in _OPERATORS or last in _OPENING or unicodedata.category(last) == "Sc":
        return Sign.MINUS
    if blanks:
        return Sign.AMBIGUOUS if gap else Sign.MINUS
    broken = "\n" in gap or "\r" in gap
    if last.isalpha():
        return Sign.HYPHEN if broken or not gap else Sign.AMBIGUOUS
    if last.isdecimal() or last in "%‰)]":
        return Sign.RANGE if broken or not gap else Sign.AMBIGUOUS
    return Sign.AMBIGUOUS


def _ascii(core: str) -> str:
    plain = "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in core if c not in GROUP_SPACES + "'’")
    return re.sub(_DASH, "-", plain).replace("٫", ".").replace("٬", ",").lower()


_LONGEST = 200  # digits of a number that means something
_PLAIN = re.compile(r"\d*\.?\d+(?:e[+-]?\d+)?")
_COMMA_GROUPS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_POINT_GROUPS = re.compile(r"\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?|\d{1,3}(?:\.\d{3})+,\d+")
_COMMA_DECIMAL = re.compile(r"\d+,\d+")


def core_value(core: str) -> Fraction | None:
    """The value of a core: points are decimal and commas in threes grouping, unless the core itself shows otherwise; None beyond reason."""
    if len(core) > _LONGEST:
        return None
    if _PLAIN.fullmatch(core):
        mantissa, _, exponent = core.partition("e")
        return Fraction(mantissa) * Fraction(10) ** int(exponent or 0) if len(exponent) < 5 else None
    if _COMMA_GROUPS.fullmatch(core):
        return Fraction(core.replace(",", ""))
    if _POINT_GROUPS.fullmatch(core):
        return Fraction(core.replace(".", "").replace(",", "."))
    if _COMMA_DECIMAL.fullmatch(core):
        return Fraction(core.replace(",", "."))
    return None
