"""What a text says in numbers: value, magnitude, percent or points, currency, sign, unit and hedge of each, in digits and in words.

``1,204`` in a sentence is a core; "about $1.2 billion" is a quantity. What only looks like one (a page reference, a form's name, a year, a date)
is told by its role and counts no more than its words do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache

from pageindex.evidence.numbers.lexicon import (
    POINTS,
    currency_of,
    currency_pattern,
    decimal_comma,
    hedge_before,
    magnitude_after,
    percent_after,
    percent_before,
    unit_of,
)
from pageindex.evidence.numbers.spelled import spelled
from pageindex.evidence.numbers.tokens import NumberToken, Sign, number_tokens

__all__ = ["Quantity", "Role", "only_quantity", "quantities", "reading_of", "references"]


class Role(StrEnum):
    """What a number in a text is there for."""

    AMOUNT = "amount"  # it says how much or how many
    YEAR = "year"  # four digits that name a year
    REFERENCE = "reference"  # Note 5, Item 7, Table 3
    PAGE = "page"  # (p. 7)
    NAME = "name"  # 10-K, 3M, H1N1


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number of a text with all that belongs to it.

    Attributes:
        start, end: Its characters, words of magnitude, currency and percent included.
        text: Those characters.
        number: As written, without sign and magnitude; None for what is no single number (1.2.3, 10²).
        step: The place value of its last written digit, before the magnitude.
        power: The power of ten that its magnitude words say.
        token: Its digits as printed; None for a number in words.
        role: What it is there for.
        sign: What the dash before it means; ``parens`` that it stands in parentheses of its own.
        percent: ``%``, ``‰``, ``points``, ``bps`` or empty.
        currency: A code, ``$`` or ``¥``; empty for none.
        unit: A unit of measure or count by name; empty for none.
        hedge: ``about``, ``under``, ``over``, ``less``, ``more`` or empty; see ``lexicon.hedge_before``.
    """

    start: int
    end: int
    text: str
    number: Fraction | None
    step: Fraction = Fraction(1)
    power: int = 0
    token: NumberToken | None = None
    role: Role = Role.AMOUNT
    sign: Sign = Sign.NONE
    parens: bool = False
    percent: str = ""
    currency: str = ""
    unit: str = ""
    hedge: str = ""

    @property
    def size(self) -> Fraction | None:
        """The unsigned value, its magnitude taken in."""
        return None if self.number is None else self.number * Fraction(10) ** self.power

    @property
    def negative(self) -> bool:
        return self.sign is Sign.MINUS

    @property
    def bare(self) -> bool:
        """Whether nothing but digits is said: no magnitude, percent or currency."""
        return not (self.power or self.percent or self.currency)


_PAGE = re.compile(
    r"(?:[(\[]\s*)?(?<![^\W\d_])(?:pp?\.|pages?|pgs?\.|s\.|seiten?|página|páginas|págs?\.|стр\.|страниц[аеуы]|с\.|صفحة|صفحه|ص\.?)\s*\d+(?:\s*(?:[-–,]|and|und|et|y|e)\s*\d+)*\s*[)\]]?"
    r"|第\s*\d+\s*[页頁]|\d+\s*ページ|[pP]\.?\s?\d+(?=\s*[)\]])",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"(?<![^\W\d_])(?:notes?|item|table|figure|fig\.|section|sec\.|§|chapter|ch\.|part|exhibit|article|art\.|appendix|annex|rule|schedule|topic|"
    r"step|level|phase|version|no\.|nos\.|nr\.|n°|№|asu|asc|ias|ifrs|sfas|iso|rfc|regulation|act of|anmerkung|tabelle|abbildung|abschnitt|kapitel|artikel|punkt|"
    r"tableau|chapitre|annexe|nota|tabla|sección|capítulo|artículo|tabela|seção|artigo|примечани[ея]|таблиц[аеы]|рисун[а-я]+|глав[аеы]|раздел[еа]?|пункт[еа]?|стать[яеи]|"
    r"表|图|図|附注|注記|第)[\s\u00a0]?\d[\d.\-]*(?![\d,])",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"(?<![\w.,])\d{1,3}-[A-Z]{1,2}(?:T|SB)?(?:/A)?(?![\w])|(?<![\w])[A-Z]{1,6}-\d{1,4}[A-Z]?(?![\w.,]\d)|(?<![\w$€£¥.,])\d{1,3}[A-Z](?:[A-Z]+)?(?![\w])"
    r"|(?<!\w)[A-Za-z]+\d+\w*|(?<![\w$€£¥.,])\d+[A-Za-z]+\d+\w*"
)
_YEAR = re.compile(r"(?:1[89]|20|21)\d\d")
_SPACES = " \u00a0\u202f\u2009"
_NOUN = re.compile(
    rf"[{_SPACES}-]{{0,2}}(?:(?:of|de|von|d')[{_SPACES}])?(?P<noun>[^\W\d_]+(?:[{_SPACES}](?:feet|ft))?)"
)


def quantities(text: str, language: str = "en") -> tuple[Quantity, ...]:
    """The numbers of a text in order.

    Args:
        text: Raw, never folded.
        language: Decides what a comma and a point, ``billion`` and ``mil`` mean; see ``lexicon``.
    """
    return (_short if len(text) < _SHORT else _long)(text, language)


_SHORT = 300  #: Characters of a text that is read again and again: a cell, a label, a header.


@lru_cache(maxsize=1 << 13)
def _short(text: str, language: str) -> tuple[Quantity, ...]:
    return _read(text, language)


@lru_cache(maxsize=64)
def _long(text: str, language: str) -> tuple[Quantity, ...]:
    return _read(text, language)


def _read(text: str, language: str) -> tuple[Quantity, ...]:
    text = _grouped(text, language)
    taken = [(m.start(), m.end(), role) for role, pattern in _ROLES for m in pattern.finditer(text)]
    found = [_of_token(text, token, language, taken) for token in number_tokens(text)]
    for word in spelled(text, language):
        if not any(q.start < word.end and q.end > word.start for q in found):
            quantity = _finished(
                text, Quantity(word.start, word.end, "", word.value, _step(word.value), word.power), language
            )
            found.append(replace(quantity, hedge=hedge_before(text, quantity.start)))
    return tuple(_series(text, _summed(text, sorted(found, key=lambda q: q.start))))


_SPACE_GROUPS = re.compile(r"(?<![\d.,])(\d{1,3}) (?=\d{3}(?!\d))|(?<=[\u00a0]\d{3}) (?=\d{3}(?!\d))")


def _grouped(text: str, language: str) -> str:
    """Blanks that group digits, in the languages that print them and whose users type a plain one, as the no-break spaces they stand for."""
    if language not in ("fr", "ru", "uk", "pl", "cs", "sv"):
        return text
    while (grouped := _SPACE_GROUPS.sub(lambda m: (m[1] or "") + "\u00a0", text)) != text:
        text = grouped
    return text


def references(text: str) -> list[tuple[int, str]]:
    """What a text refers to by number, with where: "Note 5", "Item 7", and names with digits: "10-K", "3M"."""
    pages = [match.span() for match in _PAGE.finditer(text)]
    found = [match for pattern in (_REFERENCE, _NAME) for match in pattern.finditer(text)]
    return [
        (m.start(), m.group().rstrip(".-")) for m in found if not any(low <= m.start() < high for low, high in pages)
    ]


_ROLES = ((Role.PAGE, _PAGE), (Role.REFERENCE, _REFERENCE), (Role.NAME, _NAME))


def _step(value: Fraction) -> Fraction:
    return Fraction(1, value.denominator) if value.denominator in (2, 4) else Fraction(1)


def reading_of(token: NumberToken, language: str) -> Fraction | None:
    """The size of a token's core as a language writes numbers; superscripts make it no single number."""
    if token.superscript or token.magnitude is None:
        return None
    core = token.core
    if decimal_comma(language) and re.fullmatch(r"\d{1,3}(?:\.\d{3})+", core):
        return Fraction(core.replace(".", ""))
    if decimal_comma(language) and re.fullmatch(r"\d{1,3},\d{3}", core):
        return Fraction(core.replace(",", "."))
    return token.magnitude


def _of_token(text: str, token: NumberToken, language: str, taken: Sequence[tuple[int, int, Role]]) -> Quantity:
    role = next((role for low, high, role in taken if low <= token.core_start < high), Role.AMOUNT)
    quantity = Quantity(
        token.start, token.core_end + len(token.superscript), "", reading_of(token, language), _place(token, language),
        token=token, role=role, sign=token.sign, parens=token.parens,
        percent=token.percent if token.percent in ("%", "‰") else "", currency=currency_of(token.currency),
    )  # fmt: skip
    if role is Role.NAME and (quantity.currency or token.percent):
        quantity = replace(quantity, role=Role.AMOUNT)
    quantity = _finished(text, quantity, language)
    quantity = replace(quantity, hedge=hedge_before(text, quantity.start))
    if quantity.role is Role.AMOUNT and _is_year(quantity, text):
        quantity = replace(quantity, role=Role.YEAR)
    return quantity


def _place(token: NumberToken, language: str) -> Fraction:
    """The place value of the last digit of a core."""
    core, _, exponent = token.core.partition("e")
    mark = max(core.rfind("."), core.rfind(","))
    digits = len(core) - mark - 1 if mark >= 0 else 0
    size = reading_of(token, language)
    if size is None:
        return Fraction(1)
    grouped = digits == 3 and size.denominator == 1 and size >= 1000
    place = Fraction(1) if mark < 0 or grouped else Fraction(1, 10**digits)
    return place * Fraction(10) ** int(exponent) if exponent and len(exponent) < 4 else place


def _finished(text: str, quantity: Quantity, language: str) -> Quantity:
    """The quantity with what stands before and behind it: currency, magnitude, percent, unit."""
    currency, start = quantity.currency, quantity.start
    symbol = quantity.token.currency if quantity.token else ""
    leading = len(symbol) if symbol and text.startswith(symbol, start) else 0
    if leading or not currency:  # "US$" and "R$" are longer than their sign
        longer, low = _currency_before(text, start + leading)
        currency, start = (longer, low) if longer else (currency, start)
    inner = quantity.token.end if quantity.token and quantity.token.parens else quantity.end
    end, power, percent = max(quantity.end, inner if quantity.parens else 0), quantity.power, quantity.percent
    if not power and not percent:
        decimal = bool(quantity.number is not None and quantity.number.denominator > 1)
        power, end = magnitude_after(text, end, language, bool(currency) or decimal)
    if not percent:
        percent, end = percent_after(text, end, points=True)
        percent = "%" if not percent and percent_before(text, start) else percent
    if percent in ("%", "‰") and quantity.percent and quantity.token:
        end = max(end, quantity.token.end)
    if not currency and not percent:
        currency, end = _currency_behind(text, end)
        power, end = magnitude_after(text, end, language, True) if currency and not power else (power, end)
    unit = "" if percent or currency else _unit(text, end)
    if percent == POINTS and re.search(r"points?$", text[:end]) and "percent" not in text[quantity.end : end]:
        percent, unit = (POINTS, "") if quantity.number is not None else ("", "")
    end = max(end, quantity.end)
    return replace(
        quantity, start=start, end=end, text=text[start:end], power=power, percent=percent, currency=currency, unit=unit
    )


def _currency_before(text: str, start: int) -> tuple[str, int]:
    low = max(0, start - 20)
    window = text[low:start].rstrip(_SPACES + "(")
    if len(text[low:start]) - len(window) > 3:
        return "", start
    for match in currency_pattern().finditer(window):
        if match.end() == len(window):
            return currency_of(match.group()), low + match.start()
    return "", start


def _currency_behind(text: str, end: int) -> tuple[str, int]:
    rest = text[end : end + 4]
    blanks = len(rest) - len(rest.lstrip(_SPACES + "-"))
    at = end + blanks
    linked = re.match(r"(?:de|d['’]|of|von|in)[\s\u00a0]*", text[at : at + 4], re.IGNORECASE)
    for position in (at, at + linked.end() if linked else at):
        match = currency_pattern().match(text, position)
        if match and blanks <= 2 and not re.match(rf"[{_SPACES}]?\d", text[match.end() :]):
            return currency_of(match.group()), match.end()
    return "", end


def _unit(text: str, end: int) -> str:
    match = _NOUN.match(text, end)
    if match is None:
        return ""
    return unit_of(match["noun"]) or (unit_of(match["noun"].split()[0]) if " " in match["noun"] else "")


def _is_year(quantity: Quantity, text: str) -> bool:
    token = quantity.token
    plain = (
        token is not None and not (token.footnote or token.parens or token.unit) and bool(_YEAR.fullmatch(token.core))
    )
    counted = (
        bool(quantity.unit) and text[quantity.token.core_end : quantity.token.core_end + 1] not in ("年", "년")
        if quantity.token
        else True
    )
    return plain and quantity.bare and not counted and quantity.sign in (Sign.NONE, Sign.RANGE)


def _summed(text: str, found: list[Quantity]) -> list[Quantity]:
    """``12億400万円``: amounts glued together, each of a lower magnitude than the one before, are one."""
    kept: list[Quantity] = []
    for quantity in found:
        last = kept[-1] if kept else None
        glued = (
            last is not None
            and last.end == quantity.start
            and last.power > quantity.power > 0
            and not (last.currency or last.percent)
        )
        if last is None or not glued or last.size is None or quantity.size is None:
            kept.append(quantity)
            continue
        unit = Fraction(10) ** quantity.power
        start, end = last.start, quantity.end
        number = (last.size + quantity.size) / unit
        kept[-1] = replace(
            quantity,
            start=start,
            end=end,
            text=text[start:end],
            number=number,
            token=None,
            hedge=last.hedge,
            sign=last.sign,
        )
    return kept


_LINK = re.compile(r"\s*,?\s*(?:and|or|to|und|oder|bis|et|ou|à|y|o|e|a|и|или|до|和|と|و|-|–)\s*", re.IGNORECASE)


def _series(text: str, found: list[Quantity]) -> list[Quantity]:
    """ "$5 and $6 million", "between 3 and 4 percent": what stands behind the last number of a list belongs to all of it."""
    for index in range(len(found) - 2, -1, -1):
        one, following = found[index], found[index + 1]
        if (
            one.role is not Role.AMOUNT
            or following.role is not Role.AMOUNT
            or not _LINK.fullmatch(text[one.end : following.start])
        ):
            continue
        open_ = not (one.power or one.percent or one.unit) and bool(following.power or following.percent)
        if open_ and not (one.currency and following.percent) and (one.currency or not following.currency):
            found[index] = replace(one, power=following.power, percent=following.percent)
    return found


def only_quantity(text: str, language: str) -> Quantity | None:
    """The one number of a declared form ("$34.2 billion"); None when it holds none, several, or other words."""
    text = text.strip()
    found = quantities(text, language)
    if len(found) != 1:
        return None
    rest = text[: found[0].start] + text[found[0].end :]
    hedge = hedge_before(text, found[0].start)
    plain = rest if not hedge else text[found[0].end :]
    return (
        found[0]
        if not any(c.isalnum() for c in plain) or (found[0].unit and unit_of(plain.strip()) == found[0].unit)
        else None
    )
