"""What the heads of a table say of all its numbers: "in millions, except per share amounts", "TEUR", "单位：百万元"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from pageindex.evidence.numbers.lexicon import currency_of, currency_pattern, magnitude_of

__all__ = ["Scale", "scales"]


@dataclass(frozen=True, slots=True)
class Scale:
    """A statement about the unit of numbers: power of ten, currency where it names one, and what it excepts, as printed."""

    power: int
    currency: str = ""
    excepted: str = ""
    start: int = 0


_EN = r"thousands?|millions?|billions?|hundreds|trillions?"
_SHORT = r"mio|mrd|tsd|mn|bn|m|k|b"
_WORDS = re.compile(
    rf"(?:\bin\s+(?P<en>{_EN})\b|[(\[]\s*(?:[$€£]|US\$|USD|EUR)?\s*(?P<bare>{_EN})\b|\b(?P<of>{_EN})\s+of\s+(?=[^\W\d]|[$€£])"
    rf"|(?:US\$|[$€£]|\bUSD|\bEUR|\bGBP)\s?(?P<sym>{_EN}|{_SHORT})(?![\w.]*\d)(?!\w)|(?P<zeros>[('$£€ ]['’]?000['’]?s?\b(?![.,\d]))"
    r"|\bin\s+(?P<de>tausend|tsd|mio|mrd|millionen|milliarden)\b\.?|(?P<de2>mio|mrd|tsd)\.\s?(?=€|eur|us|chf)|\b(?P<teur>teur|t€|tchf|tusd|k€|keur|m€|md€)(?!\w)"
    r"|\ben\s+(?P<fr>milliers|millions|milliards|miles|millones)\b|\bem\s+(?P<pt>milhares|milhões|bilhões)\b|r\$\s?(?P<pt2>mil|milhões|bilhões|mi|bi)\b"
    r"|(?:\bв\s+)?(?P<ru>тыс|млн|млрд|тысячах|миллионах|миллиардах)\.?\s*(?=руб|долл|евро|тенге|₽|\$|€|рос|\))|単?[单單]?位[:：]\s*(?:人民币|人民幣|港币|美元)?\s*(?P<zh>百万|千万|亿|億|万|萬|千|十万)?(?=元|円|美元|人民币|港元)"
    r"|[(（]\s*(?:人民币|人民幣)?(?P<zh2>百万|億|亿|万|千)(?:元|円|美元|港元)|(?:人民币|人民幣)(?P<zh3>百万|亿|万|千)元"
    r"|(?P<ar>بالملايين|بالآلاف|بملايين|بآلاف|بالمليارات)|(?:ارقام|مبالغ)?\s*(?:به\s+)?(?P<fa>میلیون|میلیارد|هزار)\s+(?=ریال|تومان|دلار))",
    re.IGNORECASE,
)
_POWERS = {
    "thousand": 3, "million": 6, "billion": 9, "hundred": 2, "trillion": 12, "k": 3, "m": 6, "b": 9, "teur": 3, "t€": 3, "tchf": 3, "tusd": 3,
    "k€": 3, "keur": 3, "m€": 6, "md€": 9, "тысячах": 3, "миллионах": 6, "миллиардах": 9, "بالملايين": 6, "بملايين": 6, "بالآلاف": 3, "بآلاف": 3,
    "بالمليارات": 9, "milhares": 3, "mi": 6, "bi": 9,
}  # fmt: skip
_EXCEPT = re.compile(
    r"[^)\]\n]{0,40}?\b(?:except|other than|unless|sauf|außer|excepto|exceto|кроме)\b(?P<what>[^)\]\n]{0,120}(?:\n[^)\]\n]{0,60})?)",
    re.IGNORECASE,
)
_TEUR = {
    "teur": "EUR",
    "t€": "EUR",
    "k€": "EUR",
    "keur": "EUR",
    "m€": "EUR",
    "md€": "EUR",
    "tchf": "CHF",
    "tusd": "USD",
}


def scales(text: str) -> Iterator[Scale]:
    """The statements of a text in order."""
    for match in _WORDS.finditer(text):
        kind = match.lastgroup or ""
        form = (match[kind] if kind else "").strip()
        power = 3 if kind == "zeros" else _power(form)
        if not kind and "位" not in match.group():
            continue
        excepted = _EXCEPT.match(text, match.end())
        yield Scale(
            power,
            _TEUR.get(form.casefold()) or _currency(text, match),
            excepted["what"] if excepted else "",
            match.start(),
        )


def _power(form: str) -> int:
    if not form:
        return 0
    key = form.casefold()
    return _POWERS.get(key) or _POWERS.get(key.removesuffix("s")) or magnitude_of(form, "en")


@lru_cache(maxsize=1)
def _beside() -> re.Pattern[str]:
    return re.compile(rf"(?P<before>{currency_pattern().pattern})[\s\w]{{0,12}}\Z", re.IGNORECASE)


def _currency(text: str, match: re.Match[str]) -> str:
    """The currency named right before or behind a statement: "dollars in millions", "millions of euros"."""
    behind = currency_pattern().search(text, match.end(), match.end() + 18)
    before = list(currency_pattern().finditer(text, max(0, match.start() - 22), match.end()))
    found = before[-1] if before else behind
    return currency_of(found.group()) if found else ""
