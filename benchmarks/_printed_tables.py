"""Rows of tables on the pages of filings, from where poppler sees their words: label, values, and the year that stands over each.

The truth for cells and claims. Nothing here imports the package that is measured. Only rows whose reading is plain are taken: a label, then nothing but
values; a year where a row of different years stands above and each value is nearest to one of them.
"""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lxml import etree

NUMBER = re.compile(r"[$€£]?\(?[$€£]?-?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?\)?%?\)?")
DASH = re.compile(r"[$€£]?[—–-]+%?")
YEAR = re.compile(r"(?:19|20)\d\d,?")
MARKS = ("$", "€", "£", "%", ")", ")%", "*")
FEWEST_NUMBERS = 25
GAP = 5.0  # points between a label and its first value


@dataclass(frozen=True, slots=True)
class Word:
    """A word and its place, y downwards."""

    text: str
    x0: float
    x1: float
    y0: float
    y1: float


@dataclass(frozen=True, slots=True)
class Value:
    """A value as printed, without its currency sign; ``year`` where one stands over it; ``money`` where a currency stands in its row."""

    text: str
    year: str | None
    x1: float

    @property
    def size(self) -> float:
        return float(re.sub(r"[^\d.]", "", self.text) or 0)

    @property
    def in_parentheses(self) -> bool:
        return self.text.startswith("(")


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """A row of a table: its label, its values from left to right, the row's words in one line."""

    label: str
    values: tuple[Value, ...]
    text: str

    def of(self, year: str) -> Value | None:
        found = [value for value in self.values if value.year == year]
        return found[0] if len(found) == 1 else None


@dataclass(frozen=True)
class PrintedPage:
    """A page with tables; ``unit`` is the one magnitude that the page says its figures are in, ``currency`` the one sign on it."""

    path: Path
    number: int
    rows: tuple[PrintedRow, ...]
    unit: str = ""
    currency: str = ""
    text: str = ""


def is_filing(path: Path) -> bool:
    return bool(re.match(r"filing-|[A-Z\d]+_\d{4}(?:Q\d)?_", path.name))


def filings(corpus: Path) -> list[Path]:
    """All filings of a corpus."""
    folders = ("dev/orig", "dev2/orig", "qa/pdf")
    return [path for folder in folders for path in sorted((corpus / folder).glob("*.pdf")) if is_filing(path)]


def pages(path: Path, count: int, rng: random.Random) -> Iterator[PrintedPage]:
    """Random pages of a file that hold tables."""
    order = list(range(1, _page_count(path) + 1))
    rng.shuffle(order)
    found = 0
    for number in order[: 8 * count]:
        words = placed_words(path, number)
        if found == count:
            return
        if (
            sum(bool(NUMBER.fullmatch(word.text)) and any(c.isdigit() for c in word.text) for word in words)
            < FEWEST_NUMBERS
        ):
            continue
        page = read_page(path, number, words)
        if page.rows:
            found += 1
            yield page


def _page_count(path: Path) -> int:
    out = subprocess.run(["pdfinfo", str(path)], capture_output=True, check=False).stdout.decode("utf-8", "replace")
    match = re.search(r"Pages:\s+(\d+)", out)
    return int(match[1]) if match else 0


def placed_words(path: Path, number: int) -> list[Word]:
    """Poppler's words of a page with their places."""
    command = ["pdftotext", "-bbox", "-f", str(number), "-l", str(number), str(path), "-"]
    data = subprocess.run(command, capture_output=True, check=False, timeout=300).stdout
    root = etree.fromstring(data, etree.XMLParser(recover=True, huge_tree=True)) if data else None
    found = []
    for node in root.iter("{*}word") if root is not None else ():
        x0, x1, y0, y1 = (float(node.get(key, "0")) for key in ("xMin", "xMax", "yMin", "yMax"))
        found.append(Word((node.text or "").strip(), x0, x1, y0, y1))
    return [word for word in found if word.text]


def read_page(path: Path, number: int, words: Sequence[Word]) -> PrintedPage:
    """The rows of a page's tables."""
    rows: list[PrintedRow] = []
    years: list[Word] = []
    for line in _lines(words):
        heads = _years(line)
        if heads:
            years = heads
            continue
        row = _row(line, years)
        if row is None:
            years = years if len(line) <= 9 else []  # a line of text ends a table
        elif not _doubtful(row):
            rows.append(row)
    text = " ".join(word.text for word in words)
    units = {match.casefold() for match in re.findall(r"(?i)(?:\bin |\()(millions|thousands|billions)\b", text)}
    signs = {sign for sign in "$€£¥" if sign in text}
    return PrintedPage(
        path, number, tuple(rows), units.pop() if len(units) == 1 else "", signs.pop() if len(signs) == 1 else "", text
    )


def _lines(words: Sequence[Word]) -> list[list[Word]]:
    groups: list[list[Word]] = []
    for word in sorted(words, key=lambda w: (w.y0 + w.y1, w.x0)):
        middle = (word.y0 + word.y1) / 2
        home = next(
            (
                g
                for g in reversed(groups[-6:])
                if abs((g[0].y0 + g[0].y1) / 2 - middle) < max(2.0, 0.35 * (word.y1 - word.y0))
            ),
            None,
        )
        if home is None:
            groups.append([word])
        else:
            home.append(word)
    return [sorted(group, key=lambda w: w.x0) for group in groups]


def _years(line: Sequence[Word]) -> list[Word]:
    """The years of a line that heads columns: at least two, all different, and no figures beside them."""
    years = [word for word in line if YEAR.fullmatch(word.text)]
    rest = [word for word in line if word not in years]
    figures = any(
        "," in word.text and NUMBER.fullmatch(word.text) and any(c.isdigit() for c in word.text) for word in rest
    )
    good = (
        len(years) > 1
        and len({word.text for word in years}) == len(years)
        and not figures
        and len(rest) <= 4 * len(years)
    )
    return [replace(word, text=word.text.rstrip(",")) for word in years] if good else []


def _row(line: Sequence[Word], years: Sequence[Word]) -> PrintedRow | None:
    start = next(
        (i for i in range(1, len(line)) if line[i].x0 - line[i - 1].x1 > GAP and all(map(_is_value, line[i:]))), None
    )
    if start is None:
        return None
    values: list[list[object]] = []
    for word in line[start:]:
        text = word.text.strip("$€£")
        if re.fullmatch(r"\([a-z]\)", text) or not text:
            continue
        if text in MARKS and values:
            values[-1][0] = f"{values[-1][0]}{text}"
        else:
            values.append([text, word.x0, word.x1])
    label = " ".join(word.text for word in line[:start])
    named = [
        _year_over(float(str(x0)), float(str(x1)), years) if len(values) <= len(years) else None for _, x0, x1 in values
    ]
    if len(set(named)) < len(named):
        named = [None] * len(values)
    found = tuple(Value(str(text), year, float(str(x1))) for (text, _, x1), year in zip(values, named, strict=True))
    return PrintedRow(label, found, " ".join(word.text for word in line))


def _is_value(word: Word) -> bool:
    number = NUMBER.fullmatch(word.text) and any(c.isdigit() for c in word.text)
    return bool(number or DASH.fullmatch(word.text) or word.text in MARKS or re.fullmatch(r"\([a-z]\)", word.text))


def _year_over(x0: float, x1: float, years: Sequence[Word]) -> str:
    return min(years, key=lambda y: min(abs(y.x1 - x1), abs((y.x0 + y.x1) / 2 - (x0 + x1) / 2))).text


def _doubtful(row: PrintedRow) -> bool:
    """A line that is a header, an entry of a contents page, a range, a running line: no row of a table."""
    label, values = row.label, row.values
    if not re.search(r"[^\W\d_]{3}", label) or len(label) > 100 or not values:
        return True
    if re.search(r"(?i)in (?:millions|thousands)|^\(\$|form 10-|\bpage\b|\.\s?\.", label) or all(
        YEAR.fullmatch(v.text) for v in values
    ):
        return True
    if len(values) == 1 and (re.match(r"[\dIVX]+\.", label) or re.fullmatch(r"\d{1,3}", values[0].text)):
        return True
    return any(
        re.fullmatch(r"[-–—]", v.text) and 0 < i < len(values) - 1 and v.x1 - values[i - 1].x1 < 20
        for i, v in enumerate(values)
    )
