"""Years, quarters, dates and "the prior year" in a text, and which number of it each belongs to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pageindex.evidence.numbers.literal_dates import MONTH_NAME, month_of
from pageindex.evidence.numbers.quantities import Quantity, Role

__all__ = ["Bound", "Period", "bind", "periods"]


@dataclass(frozen=True, slots=True)
class Period:
    """A period or day that a text names.

    Attributes:
        start, end: Its characters.
        year: Four digits; None where only a part or a relation is named.
        part: ``Q1`` … ``Q4``, ``H1``, ``H2``, ``3M``, ``6M``, ``9M``, ``12M``, or empty.
        month, day: Of a date.
        before: How many years before another period that the text names: 1 for "the prior year".
    """

    start: int
    end: int
    year: int | None = None
    part: str = ""
    month: int = 0
    day: int = 0
    before: int = 0

    @property
    def key(self) -> _Key:
        return self.year, self.part, self.month, self.before


_Key = tuple[int | None, str, int, int]


@dataclass(frozen=True, slots=True)
class Bound:
    """The period of one number; ``sure`` unless its place in the sentence only suggests it, ``other`` when all that is known is another one."""

    period: Period
    sure: bool = True
    other: bool = False


_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "erste": 1, "zweite": 2, "dritte": 3, "vierte": 4, "premier": 1, "deuxième": 2, "second ": 2,
    "troisième": 3, "quatrième": 4, "primer": 1, "segundo": 2, "tercer": 3, "cuarto": 4, "primeiro": 1, "terceiro": 3, "quarto": 4,
    "перв": 1, "втор": 2, "трет": 3, "четверт": 4, "1": 1, "2": 2, "3": 3, "4": 4, "一": 1, "二": 2, "三": 3, "四": 4, "i": 1, "ii": 2, "iii": 3, "iv": 4,
    "الأول": 1, "الثاني": 2, "الثالث": 3, "الرابع": 4, "اول": 1, "دوم": 2, "سوم": 3, "چهارم": 4,
}  # fmt: skip
_LENGTHS = {
    "three": "3M",
    "six": "6M",
    "nine": "9M",
    "twelve": "12M",
    "3": "3M",
    "6": "6M",
    "9": "9M",
    "12": "12M",
    "thirteen": "3M",
    "twenty-six": "6M",
}
_Y = r"(?P<{}>(?:1[89]|20|21)\d\d)"
_GAP = r"(?:[\s,]+(?:of|in|for|the|fiscal|year|fy|de|du|des|del|do|im|jahr(?:es)?|exercice|года?|ended|ending)){0,4}[\s,'’]*"
_QUARTER = re.compile(
    rf"(?<![\w])(?:Q(?P<q1>[1-4])|(?P<q2>[1-4])Q|H(?P<h1>[12])|(?P<h2>[12])H)(?:[\s'’]*{_Y.format('y1')}|['’]?(?P<s1>\d\d)(?!\d))?(?!\w)"
    rf"|(?P<ord>first|second|third|fourth|erste[ns]?|zweite[ns]?|dritte[ns]?|vierte[ns]?|premier|deuxième|troisième|quatrième|primer|segundo|tercer|cuarto|primeiro|"
    rf"terceiro|quarto|перв\w+|втор\w+|трет\w+|четверт\w+|I{{1,3}}|IV|[1-4]\.)[\s\-]+(?:fiscal[\s-])?(?P<kind>quarter|half|quartals?|halbjahr|trimestre|semestre|квартал\w*|полугоди\w*){_GAP}{_Y.format('y2')}?"
    rf"|(?:{_Y.format('y3')}\s*年\s*)?第?(?P<zh>[一二三四1-4])(?P<zk>季度|四半期)|(?P<ak>الربع|سه‌?ماهه)\s+(?P<ao>الأول|الثاني|الثالث|الرابع|اول|دوم|سوم|چهارم)",
    re.IGNORECASE,
)
_SPAN = re.compile(
    r"(?<!\w)(?P<n>three|six|nine|twelve|thirteen|twenty-six|3|6|9|12)[\s-]+(?P<u>months?|weeks?)(?:[\s,]+(?:period[\s]+)?(?:ended|ending|to))?",
    re.IGNORECASE,
)
_DATE = re.compile(
    rf"(?P<iy>\d{{4}})[-‐–/.](?P<im>\d{{1,2}})[-‐–/.](?P<id>\d{{1,2}})(?!\d)|(?P<cy>\d{{4}})\s*[年년]\s*(?P<cm>\d{{1,2}})\s*[月월](?:\s*(?P<cd>\d{{1,2}})\s*[日일])?"
    rf"|(?<!\d)(?P<f1>\d{{1,2}})[/.](?P<f2>\d{{1,2}})[/.](?P<fy>\d{{4}}|\d\d(?!\d))"
    rf"|(?<!\d)(?P<d1>\d{{1,2}})(?:st|nd|rd|th|\.|º|er)?\s+(?:de\s+)?(?<![^\W_])(?P<n1>{MONTH_NAME})\.?,?\s+(?:de\s+)?{_Y.format('y1')}"
    rf"|(?<![^\W_])(?P<n2>{MONTH_NAME})\.?\s+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s+{_Y.format('y2')})?(?!\d)|(?<![^\W_])(?P<n3>{MONTH_NAME})\.?,?\s+(?:of\s+|de\s+)?{_Y.format('y3')}(?!\d)",
    re.IGNORECASE,
)
_FISCAL = re.compile(
    rf"(?<!\w)(?:FY|GJ)[\s'’]*(?:{_Y.format('long')}|(?P<short>\d\d)(?!\d))(?:\s*/\s*\d\d)?(?!\w)", re.IGNORECASE
)
_PRIOR = re.compile(
    r"(?<!\w)(?:(?:the\s+)?(?:prior|previous|preceding|last|year-ago)[\s-]+(?:fiscal\s+)?(?:year|quarter|year['’]s quarter)|the\s+(?:prior|previous|preceding|year-ago)[\s-]+period|(?:a|one)\s+year\s+(?:earlier|ago|before|prior)|"
    r"vorjahr\w*|l['’](?:année|exercice)\s+précédente?|un\s+an\s+(?:plus\s+tôt|auparavant)|(?:el\s+|o\s+|no\s+)?(?:año|ano|ejercicio|exercício)\s+(?:anterior|passado)|"
    r"(?:в\s+)?(?:прошл|предыдущ)\w+\s+год\w*|годом\s+ранее)(?!\w)|上年(?:同期|度)?|去年(?:同期)?|前年(?:同期|度)?|العام\s+(?:السابق|الماضي)|السنة\s+السابقة|سال\s+(?:قبل|گذشته)",
    re.IGNORECASE,
)


def periods(text: str, found: Sequence[Quantity]) -> list[Period]:
    """The periods of a text in order; ``found`` are its numbers, whose years have that role."""
    named = [*_quarters(text), *_dates(text), *_fiscal(text)]
    named += [Period(m.start(), m.end(), before=1) for m in _PRIOR.finditer(text)]
    years = [Period(q.start, q.end, int(q.number)) for q in found if q.role is Role.YEAR and q.number is not None]
    kept: list[Period] = []
    for period in sorted([*named, *years], key=lambda p: (p.start, -p.end)):
        if not kept or period.start >= kept[-1].end:
            kept.append(period)
    return _joined(text, kept)


def _quarters(text: str) -> list[Period]:
    found = []
    for m in _QUARTER.finditer(text):
        quarter = m["q1"] or m["q2"]
        half = m["h1"] or m["h2"]
        if m["ord"]:
            number = next((n for stem, n in _ORDINALS.items() if m["ord"].casefold().rstrip(".").startswith(stem)), 0)
            number = _ORDINALS.get(m["ord"].casefold().rstrip("."), number)
            part = f"{'H' if m['kind'].casefold().startswith(('half', 'halb', 'sem', 'полу')) else 'Q'}{number}"
        elif m["zh"] or m["ao"]:
            part = f"Q{_ORDINALS[m['zh'] or m['ao']]}"
        else:
            part = f"Q{quarter}" if quarter else f"H{half}"
        year = m["y1"] or m["y2"] or m["y3"]
        short = 2000 + int(m["s1"]) if m["s1"] else None
        found.append(Period(m.start(), m.end(), int(year) if year else short, part))
    return [p for p in found if p.part[1:] not in ("", "0")]


def _dates(text: str) -> list[Period]:
    found = []
    for m in _DATE.finditer(text):
        name = m["n1"] or m["n2"] or m["n3"]
        year, month, day = (
            m["iy"] or m["cy"] or m["y1"] or m["y2"] or m["y3"],
            m["im"] or m["cm"],
            m["id"] or m["cd"] or m["d1"] or m["d2"],
        )
        if m["fy"]:
            one, other = int(m["f1"]), int(m["f2"])
            year, month = (
                (m["fy"] if len(m["fy"]) == 4 else f"20{m['fy']}"),
                str(one if other > 12 else other if one > 12 else 0),
            )
            day = str(other if other > 12 else one if one > 12 else 0)
        number = month_of(name.casefold()) if name else int(month or 0)
        if (name and not number) or number > 12 or int(day or 0) > 31:
            continue
        found.append(Period(m.start(), m.end(), int(year) if year else None, "", number, int(day or 0)))
    return found


def _fiscal(text: str) -> list[Period]:
    return [
        Period(m.start(), m.end(), int(m["long"]) if m["long"] else 2000 + int(m["short"]))
        for m in _FISCAL.finditer(text)
    ]


def _joined(text: str, kept: list[Period]) -> list[Period]:
    """Spans of months join the date behind them; a day without a year takes that of the next period named, or of the last ("December 31, 2022 and 2021")."""
    for match in _SPAN.finditer(text):
        following = next((i for i, p in enumerate(kept) if p.start >= match.end()), None)
        part = _LENGTHS[match["n"].casefold()]
        if following is not None and kept[following].start - match.end() < 24:
            kept[following] = replace(kept[following], start=match.start(), part=part)
        elif match.group().casefold().rstrip().endswith(("ended", "ending")):
            kept.append(Period(match.start(), match.end(), None, part))
    kept.sort(key=lambda p: p.start)
    for index, period in enumerate(kept):
        if period.year is None and period.month and not period.before:
            years = [p.year for p in (*kept[index + 1 :], *reversed(kept[:index])) if p.year]
            kept[index] = replace(period, year=next(iter(years), None))
    return kept


# ---------------------------------------------------------------- which number is of which period

_NEAR = re.compile(
    r"[\s(\[]*(?:(?:in|for|during|at|as|of|on|from|the|full|fiscal|financial|year|years?|ended|ending|end|quarter|im|jahr|geschäftsjahr|für|per|zum|am|en|au|pour|de|l['’]?|del?|"
    r"do|em|ano|año|exercice|ejercicio|exercício|в|за|на|по|год\w*|period|calendar|total|في|عام|سنة|در|سال|年)[\s'’]*){0,6}[(\[]?\s*",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"(?:['’]s)?\s*[:(=–—-]\s*|(?:['’]s)\s+\S*\s*|\s*(?:was|were|is|:)\s*", re.IGNORECASE)
_AND = re.compile(r"[\s,;]*(?:and|or|to|und|bis|et|à|y|e|a|и|и\s+в|和|と|و)?\s*", re.IGNORECASE)
_COMPARED = re.compile(
    r"(?:from|compared\s+(?:with|to)|versus|vs\.?|against|than|gegenüber|verglichen\s+mit|nach|contre|par\s+rapport\s+à|comparé\s+à|frente\s+a|comparado\s+con|contra|"
    r"comparado\s+a|em\s+comparação\s+com|по\s+сравнению\s+с|против|с|مقارنة\s+(?:ب|مع)|در\s+مقایسه\s+با)(?:\s+(?:an?|the|about|nearly|almost|approximately|around|only|von|just))*\s*\Z",
    re.IGNORECASE,
)
_RESPECTIVELY = re.compile(
    r"respectively|\bjeweils\b|beziehungsweise|\bbzw\b|respectivement|respectivamente|соответственно|分别|それぞれ|على التوالي|به ترتیب",
    re.IGNORECASE,
)


def bind(text: str, numbers: Sequence[Quantity], named: Sequence[Period]) -> dict[int, Bound]:
    """The period of each number, by its index; a number of a text without periods has none."""
    if not named or not numbers:
        return {}
    resolved = [_resolved(period, named) for period in named]
    if _RESPECTIVELY.search(text):
        found = _by_order(numbers, resolved)
        if found:
            return found
    near = _adjacent(text, numbers, resolved)
    rest = [i for i in range(len(numbers)) if i not in near]
    taken = {bound.period.key for bound in near.values()}
    return near | {index: _far(text, numbers, index, resolved, taken) for index in rest}


def _resolved(period: Period, named: Sequence[Period]) -> Period:
    """ "The prior year" as a year, where the sentence names one other year."""
    years = {p.year for p in named if p.year is not None}
    if not period.before or len(years) != 1:
        return period
    return replace(period, year=years.pop() - period.before, before=0)


def _by_order(numbers: Sequence[Quantity], named: Sequence[Period]) -> dict[int, Bound]:
    years = list({p.key: p for p in named}.values())
    if len(years) < 2 or len(numbers) % len(years):
        return {}
    return {index: Bound(years[index % len(years)]) for index in range(len(numbers))}


def _adjacent(text: str, numbers: Sequence[Quantity], named: Sequence[Period]) -> dict[int, Bound]:
    found: dict[int, Bound] = {}
    for index, number in enumerate(numbers):
        following = next((p for p in named if p.start >= number.end), None)
        heads = following is not None and text[following.end : following.end + 2].lstrip().startswith(":")
        if following is not None and not heads and _NEAR.fullmatch(text[number.end : following.start]):
            found[index] = Bound(following)
    for index, number in enumerate(numbers):
        before = next((p for p in reversed(named) if p.end <= number.start), None)
        if index not in found and before is not None and _BEFORE.fullmatch(text[before.end : number.start]):
            found[index] = Bound(before)
    for index in range(len(numbers) - 2, -1, -1):
        link = text[numbers[index].end : numbers[index + 1].start]
        compared = _COMPARED.search(text[max(0, numbers[index].start - 60) : numbers[index].start])
        if index not in found and index + 1 in found and link.strip() and _AND.fullmatch(link) and not compared:
            found[index] = found[index + 1]
    return found


_WITHIN = re.compile(
    r"\s*(?:in|for|during|im|für|en|pour|durante|em|no|в|за)\s+(?:the\s+|das\s+|l['’])?(?:fiscal\s+|calendar\s+|financial\s+)?(?:year\s+|jahr(?:e)?\s+|année\s+|año\s+)?",
    re.IGNORECASE,
)


def _far(text: str, numbers: Sequence[Quantity], index: int, named: Sequence[Period], taken: set[_Key]) -> Bound:
    """The period of a number with none beside it: the only one, the only one left, or the last one named before it."""
    number, distinct = numbers[index], {p.key for p in named}
    if len(distinct) == 1:
        compared = _COMPARED.search(text[max(0, number.start - 60) : number.start])
        heads = all(
            text[p.end : p.end + 2].lstrip().startswith(":")  # … 1,150; 2022: 1,204
            and p.start >= number.end
            and any(later.start >= p.end for later in numbers)
            and not _WITHIN.fullmatch(text[number.end : p.start])
            for p in named
        )
        return Bound(named[0], other=heads or bool(compared and (taken or len(numbers) > 1)))
    free = [p for p in named if p.key not in taken] or list(named)
    before = [p for p in free if p.end <= number.start]
    if not before:
        return Bound(next(p for p in free if p.start >= number.end), sure=len({p.key for p in free}) == 1)
    nearest = before[-1]
    alone = not any(nearest.end <= other.start < number.start for other in numbers)
    opened = named[0].end <= numbers[0].start
    return Bound(nearest, sure=len({p.key for p in free}) == 1 or (alone and opened))
