"""Dates as printed: ISO, day and month by name, and figures in a declared order."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache

__all__ = ["MONTH_NAME", "month_of", "parse_date"]

_ISO = re.compile(r"(\d{4})[-‐‑–](\d{1,2})[-‐‑–](\d{1,2})")
_CJK = re.compile(r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]")
_FIGURES = re.compile(r"(\d{1,4})\s*[./\-]\s*(\d{1,2})\s*[./\-]\s*(\d{1,4})")
_NAME = r"(?P<month>[^\W\d_]{3,})\.?"
_DAY_FIRST = re.compile(
    rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.|º|er)?\s+(?:de\s+)?{_NAME},?\s+(?:de\s+)?(?P<year>\d{{4}})"
)
_MONTH_FIRST = re.compile(rf"{_NAME}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year>\d{{4}})")

# Names of months as CLDR gives them for six languages; abbreviations are prefixes of at least three letters.
_MONTHS = (
    "january januar janvier enero janeiro января",
    "february februar février febrero fevereiro февраля",
    "march märz mars marzo março марта",
    "april avril abril апреля",
    "may mai mayo maio мая",
    "june juni juin junio junho июня",
    "july juli juillet julio julho июля",
    "august août agosto августа",
    "september septembre septiembre setembro сентября",
    "october oktober octobre octubre outubro октября",
    "november novembre noviembre novembro ноября",
    "december dezember décembre diciembre dezembro декабря",
)

#: A month by its name or an abbreviation, for use in a pattern.
MONTH_NAME = (
    "(?:"
    + "|".join(
        sorted(
            {name[:size] for names in _MONTHS for name in names.split() for size in range(3, len(name) + 1)},
            key=len,
            reverse=True,
        )
    )
    + ")"
)


def parse_date(text: str, order: str | None = None) -> date | tuple[date, date] | None:
    """The date, both candidates of a form in figures whose order is not declared, or None for what is no date.

    ``order`` is ``dmy``, ``mdy`` or ``ymd``; a form in figures with one possible reading still needs it, since a thirteenth month is
    as likely a misprint.
    """
    if match := _ISO.fullmatch(text) or _CJK.fullmatch(text):
        return _date(*match.groups())
    if match := _DAY_FIRST.fullmatch(text) or _MONTH_FIRST.fullmatch(text):
        month = month_of(match["month"].casefold())
        return _date(match["year"], str(month), match["day"]) if month else None
    match = _FIGURES.fullmatch(text)
    return _in_figures(match, order) if match else None


def _in_figures(match: re.Match[str], order: str | None) -> date | tuple[date, date] | None:
    parts = match.groups()
    if order is not None:
        named = dict(zip(order, parts, strict=False))
        return _date(named.get("y", ""), named.get("m", ""), named.get("d", ""))
    first, second = _date(parts[2], parts[1], parts[0]), _date(parts[2], parts[0], parts[1])
    if first and second:
        return (first, second)
    only = first or second
    return (only, only) if only else None


def _date(year: str, month: str, day: str) -> date | None:
    if len(year) != 4:
        return None
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None


@lru_cache(maxsize=256)
def month_of(name: str) -> int:
    """1-12 by its name or an unambiguous abbreviation; 0 for what is no month."""
    found = {
        number
        for number, names in enumerate(_MONTHS, start=1)
        if any(full == name or (len(name) >= 3 and full.startswith(name)) for full in names.split())
    }
    return found.pop() if len(found) == 1 else 0
