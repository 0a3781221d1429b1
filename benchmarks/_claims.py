"""Claims about figures of real filings, true ones as documented and as people write them, and false ones, with what the checker makes of them.

The truth is that of ``_printed_tables``: another program's words and their places. Nothing here looks into the checker; claims go in as JSON.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from benchmarks._printed_tables import PrintedPage, PrintedRow, Value

ONE, MANY = (
    {"millions": "million", "thousands": "thousand", "billions": "billion"},
    {"million": 1e6, "thousand": 1e3, "billion": 1e9},
)
COUNTED = re.compile(
    r"(?i)\bshares?\b|per |percent|%|ratio|rate|margin|number|employees|stores|locations|days|years|months|growth|change|times|square|units|points|basic|diluted"
)
EXPENSE = re.compile(
    r"(?i)expens|cost|tax|interest|depreciat|amorti|paid|payment|purchas|dividend|impairment|charge|repurchas|acquisition"
)
OPEN_SIGN = re.compile(r"(?i)loss|net |other|change|income|gain|increase|decrease|provided|adjust|effect")


@dataclass(frozen=True)
class Trial:
    """A claim as JSON, what kind it is, and whether it is true."""

    kind: str
    true: bool
    claim: dict[str, Any]


@dataclass(frozen=True)
class Fact:
    """A value of a row with everything a sentence may say of it."""

    page: PrintedPage
    row: PrintedRow
    value: Value
    sign: str = field(default="$")

    @property
    def year(self) -> str:
        return self.value.year or ""

    @property
    def unit(self) -> str:
        return ONE[self.page.unit]

    @property
    def digits(self) -> str:
        return self.value.text.strip("()%")

    @property
    def amount(self) -> str:
        return f"{self.sign}{self.digits} {self.unit}"

    @property
    def label(self) -> str:
        return _sentence_label(self.row.label)

    def quote(self) -> dict[str, Any]:
        return {"text": self.row.text, "page": self.page.number}

    def number(self, **more: str) -> dict[str, Any]:
        return {"as_printed": self.value.text, **more}


def _sentence_label(label: str) -> str:
    """A label as it stands in a sentence: no note marks, no closing colon, the first letter small unless it is a name's."""
    plain = re.sub(
        r"\s*\((?:\d+|[a-z]|(?:in )?(?:millions|thousands|billions))\)|[:*]+$|\s+(?:[a-z]|\d)$", "", label
    ).strip()
    small = plain[1:2] == " " or (plain[1:2].islower() and plain.split()[0][1:].islower())
    return plain[0].lower() + plain[1:] if small else plain


def facts(page: PrintedPage) -> list[Fact]:
    """Values in money with a year over them, in rows whose sign is plain from the row or not printed, one row to a label."""
    labels = [row.label.casefold() for row in page.rows]
    found = []
    for row in page.rows:
        if re.search(r"(?i)(?:three|six|nine) months ended|quarters? ended", page.text):
            return []  # a figure of some months is no figure of the year
        known = (
            labels.count(row.label.casefold()) == 1
            and not COUNTED.search(row.label)
            and not re.search(r"\d{4}", row.label)
        )
        if not (known and page.unit and page.currency == "$" and len(row.label.split()) < 12):
            continue
        for value in row.values:
            signed = value.in_parentheses and not (EXPENSE.search(row.label) and not OPEN_SIGN.search(row.label))
            if value.year and re.fullmatch(r"\(?[\d,]+(?:\.\d+)?\)?", value.text) and value.size >= 10 and not signed:
                found.append(Fact(page, row, value))
    return found


# ---------------------------------------------------------------- true claims

Maker = Callable[[Fact, random.Random], dict[str, Any] | None]


def _claim(text: str, fact: Fact, numbers: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    return {"id": "c", "text": text, "quotes": [fact.quote()], "numbers": numbers or []}


def documented(fact: Fact, rng: random.Random) -> dict[str, Any] | None:
    return _claim(
        f"{_opened(fact.label)} was {fact.amount} in {fact.year}.",
        fact,
        [fact.number(row=fact.row.label, column=fact.year)],
    )


def documented_change(fact: Fact, rng: random.Random) -> dict[str, Any] | None:
    before = _year_before(fact)
    if (
        before is None
        or before.size == 0
        or fact.value.size == before.size
        or before.in_parentheses != fact.value.in_parentheses
    ):
        return None
    rate = round(abs(fact.value.size / before.size - 1) * 100, 1)
    verb = "grew" if fact.value.size > before.size else "fell"
    order = "n1 / n2 - 1" if verb == "grew" else "1 - n1 / n2"
    if rate in (0, 100) or before.in_parentheses:
        return None
    numbers = [
        fact.number(row=fact.row.label, column=fact.year),
        {"as_printed": before.text, "row": fact.row.label, "column": before.year},
    ]
    numbers.append({"as_printed": f"{rate:.1f}%", "expr": f"round({order}, 3)"})
    return _claim(f"{_opened(fact.label)} {verb} by {rate:.1f}% to {fact.amount} in {fact.year}.", fact, numbers)


def plain(fact: Fact, rng: random.Random) -> dict[str, Any] | None:
    return _claim(f"In {fact.year}, {fact.label} came to {fact.amount}.", fact)


def bare_number(fact: Fact, rng: random.Random) -> dict[str, Any] | None:
    return _claim(f"{_opened(fact.label)} for fiscal {fact.year} totaled {fact.amount}.", fact, [fact.number()])


def rounded(fact: Fact, rng: random.Random) -> dict[str, Any] | None:
    text = _rounded(fact)
    return _claim(f"{_opened(fact.label)} was about {text} in {fact.year}.", fact) if text else None


def rounded_silently(fact: Fact, rng: random.Random) -> dict[str, Any] | None:
    text = _rounded(fact)
    return (
        _claim(f"{_opened(fact.label)} stood at {text} for {fact.year} (p. {fact.page.number}).", fact)
        if text
        else None
    )


def from_to(fact: Fact, rng: random.Random) -> dict[str, Any] | None:
    before = _year_before(fact)
    if before is None or before.size == fact.value.size or before.in_parentheses != fact.value.in_parentheses:
        return None
    verb = "increased" if fact.value.size > before.size else "decreased"
    old = f"${before.text.strip('()')} {fact.unit}"
    return _claim(f"{_opened(fact.label)} {verb} from {old} in {before.year} to {fact.amount} in {fact.year}.", fact)


def compared(fact: Fact, rng: random.Random) -> dict[str, Any] | None:
    before = _year_before(fact)
    if before is None or before.in_parentheses != fact.value.in_parentheses:
        return None
    old = f"${before.text.strip('()')} {fact.unit}"
    return _claim(
        f"{_opened(fact.label)} was {fact.amount} in {fact.year}, compared with {old} in {before.year}.", fact
    )


def respectively(fact: Fact, rng: random.Random) -> dict[str, Any] | None:
    before = _year_before(fact)
    if before is None or before.in_parentheses != fact.value.in_parentheses:
        return None
    old = f"${before.text.strip('()')} {fact.unit}"
    return _claim(
        f"{_opened(fact.label)} for {fact.year} and {before.year} was {fact.amount} and {old}, respectively.", fact
    )


def long_hand(fact: Fact, rng: random.Random) -> dict[str, Any] | None:
    return _claim(f"The company reported {fact.label} of USD {fact.digits} {fact.unit} for the year {fact.year}.", fact)


def declared_short(fact: Fact, rng: random.Random) -> dict[str, Any] | None:
    number = {"as_printed": fact.amount, "row": fact.row.label, "column": fact.year}
    return _claim(f"{_opened(fact.label)} amounted to {fact.amount} in FY{fact.year}.", fact, [number])


def _rounded(fact: Fact) -> str:
    size = fact.value.size * MANY[fact.unit]
    for name, unit in (("billion", 1e9), ("million", 1e6)):
        if size >= unit and (unit > MANY[fact.unit]):
            said = (Decimal(fact.digits.replace(",", "")) * int(MANY[fact.unit]) / int(unit)).quantize(
                Decimal("0.1"), ROUND_HALF_UP
            )
            return f"${said} {name}" if said else ""
    return (
        f"${Decimal(fact.digits.replace(',', '')).quantize(Decimal(1), ROUND_HALF_UP):,} {fact.unit}"
        if "." in fact.digits
        else ""
    )


def _opened(label: str) -> str:
    return label[0].upper() + label[1:]


def _year_before(fact: Fact) -> Value | None:
    other = fact.row.of(str(int(fact.year) - 1))
    return other if other is not None and re.fullmatch(r"\(?[\d,]+(?:\.\d+)?\)?", other.text) else None


TRUE_DOCUMENTED: dict[str, Maker] = {
    "row, column": documented,
    "row, column, calculation": documented_change,
    "row, column, amount in full": declared_short,
}
TRUE_WRITTEN: dict[str, Maker] = {
    "in YEAR, … came to": plain,
    "number without its column": bare_number,
    "about, in billions": rounded,
    "rounded, page in brackets": rounded_silently,
    "from … to": from_to,
    "compared with": compared,
    "respectively": respectively,
    "USD, the company reported": long_hand,
}

# ---------------------------------------------------------------- false claims


def _with(fact: Fact, old: str, new: str, maker: Maker, rng: random.Random) -> dict[str, Any] | None:
    claim = maker(fact, rng)
    if claim is None or old not in claim["text"]:
        return None
    return claim | {"text": claim["text"].replace(old, new, 1)}


def false_number(fact: Fact, rng: random.Random) -> dict[str, Any] | None:
    places = [i for i, c in enumerate(fact.digits) if c.isdigit()]
    at = rng.choice(places)
    new = rng.choice([d for d in "123456789" if d != fact.digits[at]])
    changed = fact.digits[:at] + new + fact.digits[at + 1 :]
    if any(value.text.strip("()") == changed for value in fact.row.values):
        return None
    return _with(fact, fact.digits, changed, rng.choice([plain, documented]), rng)


def false_column(fact: Fact, rng: random.Random) -> dict[str, Any] | None:
    others = [
        v
        for v in fact.row.values
        if v.year and v.year != fact.year and v.size != fact.value.size and v.text.strip("()$—-")
    ]
    if not others:
        return None
    other = rng.choice(others)
    claim = _with(fact, fact.digits, other.text.strip("()"), rng.choice([plain, documented]), rng)
    if claim is not None and rng.random() < 0.5:
        claim["numbers"] = [{"as_printed": other.text, "row": fact.row.label, "column": fact.year}]
    return claim


def false_year(fact: Fact, rng: random.Random) -> dict[str, Any] | None:
    years = [str(int(fact.year) + step) for step in (-3, -2, -1, 1, 2)]
    same = {value.year for value in fact.row.values if abs(value.size - fact.value.size) <= 0.1 * fact.value.size}
    year = rng.choice([y for y in years if y not in same])
    return _with(fact, fact.year, year, rng.choice([plain, documented, bare_number, rounded_silently]), rng)


def false_swap(fact: Fact, rng: random.Random) -> dict[str, Any] | None:
    before = _year_before(fact)
    if before is None or before.size == fact.value.size:
        return None
    claim = rng.choice([compared, respectively])(fact, rng)
    if claim is None:
        return None
    text = claim["text"].replace(fact.year, "@@").replace(str(before.year), fact.year).replace("@@", str(before.year))
    return claim | {"text": text}


def false_magnitude(fact: Fact, rng: random.Random) -> dict[str, Any] | None:
    other = rng.choice([name for name in MANY if name != fact.unit])
    return _with(
        fact,
        f"{fact.digits} {fact.unit}",
        f"{fact.digits} {other}",
        rng.choice([plain, documented, bare_number, compared, long_hand]),
        rng,
    )


def no_magnitude(fact: Fact, rng: random.Random) -> dict[str, Any] | None:
    return _with(fact, f"{fact.digits} {fact.unit}", fact.digits, rng.choice([plain, documented]), rng)


def false_rounded_magnitude(fact: Fact, rng: random.Random) -> dict[str, Any] | None:
    text = _rounded(fact)
    return _with(fact, " billion", rng.choice([" million", " trillion"]), rounded, rng) if "billion" in text else None


def false_currency(fact: Fact, rng: random.Random) -> dict[str, Any] | None:
    if rng.random() < 0.3:
        return _with(fact, f"USD {fact.digits}", f"{rng.choice(['EUR', 'GBP', 'JPY'])} {fact.digits}", long_hand, rng)
    claim = _with(
        fact, f"${fact.digits}", f"{rng.choice('€£¥')}{fact.digits}", rng.choice([plain, documented, bare_number]), rng
    )
    if claim is not None and rng.random() < 0.3:
        claim["numbers"] = [{"as_printed": f"€{fact.digits}", "row": fact.row.label, "column": fact.year}]
    return claim


def false_currency_word(fact: Fact, rng: random.Random) -> dict[str, Any] | None:
    return _with(
        fact,
        fact.amount,
        f"{fact.digits} {fact.unit} {rng.choice(['euros', 'pounds', 'yen'])}",
        rng.choice([plain, documented]),
        rng,
    )


def false_unit(fact: Fact, rng: random.Random) -> dict[str, Any] | None:
    unit = rng.choice(
        [
            "%",
            " percent",
            " percentage points",
            " basis points",
            " shares",
            " employees",
            " tons",
            " hours",
            " million shares",
            " km",
        ]
    )
    return _with(fact, fact.amount, f"{fact.digits}{unit}", rng.choice([plain, documented]), rng)


def false_sign(fact: Fact, rng: random.Random) -> dict[str, Any] | None:
    if fact.value.in_parentheses:
        return None
    new = rng.choice(
        [
            f"-${fact.digits}",
            f"$-{fact.digits}",
            f"negative ${fact.digits}",
            f"a loss of ${fact.digits}",
            f"$({fact.digits})",
        ]
    )
    if "loss" in new and re.search(r"(?i)loss|expense|cost|charge", fact.row.label):
        return None
    return _with(fact, f"${fact.digits}", new, rng.choice([plain, documented]), rng)


def false_row(fact: Fact, rng: random.Random) -> dict[str, Any] | None:
    names = [r for r in fact.page.rows if _other_row(r, fact)]
    if not names:
        return None
    label = _sentence_label(rng.choice(names).label)
    maker = rng.choice([plain, documented, rounded_silently, bare_number])
    old = fact.label if maker is plain else _opened(fact.label)
    return _with(fact, old, label if maker is plain else _opened(label), maker, rng)


def _other_row(row: PrintedRow, fact: Fact) -> bool:
    one, other = (set(re.findall(r"[^\W\d_]+", label.casefold())) for label in (row.label, fact.row.label))
    same = row.of(fact.year)
    near = same is not None and abs(same.size - fact.value.size) <= 0.06 * max(same.size, fact.value.size)
    return (
        row is not fact.row
        and not near
        and not one <= other
        and not COUNTED.search(row.label)
        and len(row.label.split()) < 12
    )


def false_words(fact: Fact, rng: random.Random) -> dict[str, Any] | None:
    sizes = {
        "twelve million dollars": 12e6,
        "three billion dollars": 3e9,
        "forty-two million dollars": 42e6,
        "half a million dollars": 5e5,
    }
    words = rng.choice(list(sizes))
    if any(abs(v.size * MANY[fact.unit] - sizes[words]) <= sizes[words] / 3 for v in fact.row.values):
        return None
    return _with(fact, fact.amount, words, rng.choice([plain, documented]), rng)


def false_direction(fact: Fact, rng: random.Random) -> dict[str, Any] | None:
    claim = from_to(fact, rng)
    if claim is None:
        return None
    old, new = ("increased", "decreased") if "increased" in claim["text"] else ("decreased", "increased")
    before = _year_before(fact)
    swapped = claim["text"].replace(f" {old} ", f" {new} ", 1)
    return claim | {"text": swapped} if before is not None else None


def false_negation(fact: Fact, rng: random.Random) -> dict[str, Any] | None:
    return _with(fact, " came to ", " did not come to ", plain, rng)


def false_expression(fact: Fact, rng: random.Random) -> dict[str, Any] | None:
    claim = documented(fact, rng)
    if claim is None:
        return None
    made = str(rng.randrange(101, 998))
    expr = rng.choice(
        [f"n1 * 0 + {made}", f"n1 - n1 + {made}", f"max(n1 * 0, {made})", f"round(n1 / 1000000000, 0) + {made}", made]
    )
    number = {"as_printed": made, "expr": expr}
    return claim | {
        "text": f"{_opened(fact.label)} implies {made} in {fact.year}.",
        "numbers": [*claim["numbers"], number],
    }


FALSE: dict[str, Maker] = {
    "number": false_number,
    "number in words": false_words,
    "column": false_column,
    "period": false_year,
    "two periods swapped": false_swap,
    "magnitude": false_magnitude,
    "magnitude, rounded": false_rounded_magnitude,
    "magnitude left out": no_magnitude,
    "currency": false_currency,
    "currency in words": false_currency_word,
    "unit": false_unit,
    "sign": false_sign,
    "row": false_row,
    "direction": false_direction,
    "negation": false_negation,
    "calculation": false_expression,
}


def trials(page: PrintedPage, rng: random.Random, per_kind: int) -> Iterator[Trial]:
    """Up to so many claims of each kind about a page."""
    known = facts(page)
    for true, kinds, group in (
        (True, TRUE_DOCUMENTED, "declared"),
        (True, TRUE_WRITTEN, "written"),
        (False, FALSE, "false"),
    ):
        for kind, maker in kinds.items():
            drawn = rng.sample(known, min(per_kind, len(known)))
            for fact in drawn:
                claim = maker(fact, rng)
                if claim is not None:
                    yield Trial(f"{group}: {kind}", true, claim)
