"""Page labels: the file's own (/PageLabels), else inferred from printed page numbers, piece by piece.

A folio is believed only as part of a sequence: the same prefix and style, rising by one from page to page.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pageindex.document import Line

__all__ = [
    "EDGE",
    "Folio",
    "edge_lines",
    "folios",
    "from_folios",
    "inner_lines",
    "rising",
    "roman_value",
    "to_roman",
    "whole_folios",
]

EDGE = 0.1  #: Share of the page's height at its top and foot in which heads, feet and folios stand.
FAR_EDGE = 0.16  #: … where nothing stands further out, as in books printed on larger paper.
EDGE_LINES = 3  #: How many lines from the top and the foot may be heads, feet or folios.
INNER_LINES = 2  #: The same where they follow the text, at whatever height it ends.
NEAR = 4  #: Pages on each side among which a page number must rise.

_ROMAN = re.compile(r"m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_STEPS = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"))
_SMALL = ((9, "ix"), (5, "v"), (4, "iv"), (1, "i"))

#: A printed page number: an optional prefix that ends in a hyphen, dash or dot, or is one or two letters; then digits or roman.
_FOLIO = re.compile(
    r"((?:[A-Za-z]{1,3}|\d{1,3}|[ivxlIVXL]{1,6})\s?[-–—.:]\s?|[A-Z]{1,2})?(\d{1,4}|[ivxlcdm]{1,9}|[IVXLCDM]{1,9})"
)
LONGEST_WORD = 6  #: Letters of "Page", "Seite", "Página", before a page number.
_TRIM = " \t|·•-–—[]()<>«»~*_/\\,:;."


class Folio(NamedTuple):
    """A printed number that may be a page's: where it stands, and what it says."""

    line: int  # index among the document's lines
    prefix: str
    style: str  # D, r or R, as in /PageLabels
    value: int

    def key(self, page: int) -> tuple[str, str, int]:
        """The same for all pages of one sequence."""
        return (self.prefix, self.style, self.value - page)

    @property
    def text(self) -> str:
        return self.prefix + _spell(self.style, self.value)


def roman_value(text: str) -> int:
    """The value of a well-formed roman number in lower case, else 0."""
    if not text or not _ROMAN.fullmatch(text):
        return 0
    values = [_VALUES[char] for char in text]
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True))


def to_roman(value: int) -> str:
    """A number in lower-case roman digits."""
    parts = []
    for size, text in (*_STEPS, *_SMALL):
        count, value = divmod(value, size)
        parts.append(text * count)
    return "".join(parts)


def _spell(style: str, value: int) -> str:
    if style == "D":
        return str(value)
    return to_roman(value) if style == "r" else to_roman(value).upper()


def edge_lines(lines: Sequence[Line], order: Iterable[int], height: float) -> tuple[list[int], list[int]]:
    """Lines (of ``order``) at the top and at the foot of a page: in its outer ``EDGE``, and among its first or last three rows;
    where nothing is there, the outermost row if it is in the outer ``FAR_EDGE``."""
    near, far = EDGE * height, FAR_EDGE * height
    top: list[int] = []
    foot: list[int] = []
    for index in order:
        box = lines[index].box
        if box.y1 <= far:
            top.append(index)
        elif box.y0 >= height - far:
            foot.append(index)
    top.sort(key=lambda i: lines[i].box.y0)
    foot.sort(key=lambda i: -lines[i].box.y1)
    return (
        _rows(lines, [i for i in top if lines[i].box.y1 <= near]) or _rows(lines, top, 1),
        _rows(lines, [i for i in foot if lines[i].box.y0 >= height - near]) or _rows(lines, foot, 1),
    )


def inner_lines(lines: Sequence[Line], order: Iterable[int], edges: Iterable[int]) -> tuple[list[int], list[int]]:
    """The first and the last rows of a page that are not at its edges: many filings print the folio right under the text."""
    taken = set(edges)
    rest = [index for index in order if index not in taken and not lines[index].angle]
    top = sorted(rest, key=lambda i: lines[i].box.y0)
    foot = sorted(rest, key=lambda i: -lines[i].box.y1)
    return _rows(lines, top, INNER_LINES), _rows(lines, foot, INNER_LINES)


def _rows(lines: Sequence[Line], order: list[int], most: int = EDGE_LINES) -> list[int]:
    kept: list[int] = []
    rows: list[float] = []  # their middles
    for index in order:
        middle = (lines[index].box.y0 + lines[index].box.y1) / 2
        if not any(abs(middle - row) <= 4.0 for row in rows):
            if len(rows) == most:
                break
            rows.append(middle)
        kept.append(index)
    return kept


def folios(lines: Sequence[Line], places: Iterable[int]) -> list[Folio]:
    """Every reading of the lines' first and last words, and of whole lines, as a page number."""
    found: list[Folio] = []
    for index in places:
        text = lines[index].text.strip(_TRIM)
        words = text.split()
        if not words:
            continue
        tries = {words[-1].strip(_TRIM), text}
        if len(words) == 1 or words[0][-1] not in ".):":
            tries.add(words[0].strip(_TRIM))  # with a full stop it is the number of a heading
        if len(words) >= 3 and words[-2].lower() in ("of", "/", "von", "de", "sur", "из"):
            tries.add(words[-3].strip(_TRIM))
        for attempt in tries:
            found.extend(_read(attempt, index))
    return found


def whole_folios(lines: Sequence[Line], places: Iterable[int]) -> list[Folio]:
    """The lines that are page numbers and nothing else, a word such as "Page" apart."""
    found: list[Folio] = []
    for index in places:
        words = lines[index].text.strip(_TRIM).split()
        if len(words) == 2 and words[0].isalpha() and words[1].isdigit() and len(words[0]) <= LONGEST_WORD:
            words = words[1:]
        if len(words) == 1:
            found.extend(_read(words[0].strip(_TRIM), index))
    return found


def _read(text: str, line: int) -> list[Folio]:
    match = _FOLIO.fullmatch(text) if len(text) <= 16 else None
    if match is None:
        return []
    prefix, number = re.sub(r"\s", "", match[1] or ""), match[2]
    if number.isdigit():
        return [Folio(line, prefix, "D", int(number))] if number[0] != "0" or number == "0" else []
    value = roman_value(number.lower())
    return [Folio(line, prefix, "r" if number.islower() else "R", value)] if value else []


def from_folios(pages: Sequence[Sequence[Folio]]) -> list[tuple[str, int | None] | None]:
    """For each page its label and the line that prints it (None where the label is only interpolated); None without a label."""
    support: Counter[tuple[str, str, int]] = Counter()
    for number, found in enumerate(pages):
        support.update({folio.key(number) for folio in found})
    chosen: list[Folio | None] = [_best(number, found, support, pages) for number, found in enumerate(pages)]
    labels: list[tuple[str, int | None] | None] = [(f.text, f.line) if f is not None else None for f in chosen]
    _fill_gaps(chosen, labels)
    return labels


def _best(
    number: int, found: Sequence[Folio], support: Counter[tuple[str, str, int]], pages: Sequence[Sequence[Folio]]
) -> Folio | None:
    best, best_rank = None, (0, 0)
    for folio in found:
        key = folio.key(number)
        near = _neighbours(number, folio, pages)
        if near >= _needed(folio, len(pages)) and (near, support[key]) > best_rank:
            best, best_rank = folio, (near, support[key])
    return best


def _neighbours(number: int, folio: Folio, pages: Sequence[Sequence[Folio]]) -> int:
    """On how many pages near by the same sequence goes on."""
    key = folio.key(number)
    return sum(
        any(other.key(at) == key for other in pages[at])
        for at in range(max(number - NEAR, 0), min(number + NEAR + 1, len(pages)))
        if at != number
    )


def rising(pages: Sequence[Sequence[Folio]]) -> set[int]:
    """All lines whose number rises with the pages, whether or not it is the one that names its page."""
    least = min(2, max(len(pages) - 1, 1))
    return {
        folio.line
        for number, found in enumerate(pages)
        for folio in found
        if _neighbours(number, folio, pages) >= least
    }


def _needed(folio: Folio, page_count: int) -> int:
    # Two neighbours (one, in a document or a chapter of few pages) make a sequence; a year or a count does not rise. "3.1" and "3.2" on
    # two pages are more often sections than pages.
    if folio.prefix.endswith((".", ":")):
        return 3
    return 2 if page_count > 6 and not folio.prefix else 1


def _fill_gaps(chosen: list[Folio | None], labels: list[tuple[str, int | None] | None]) -> None:
    """Pages without a folio between two of one sequence belong to it; so do pages before the first, down to number 1."""
    known = [number for number, folio in enumerate(chosen) if folio is not None]
    for a, b in itertools.pairwise(known):
        first, second = chosen[a], chosen[b]
        if first is None or second is None:
            continue
        for number in range(a + 1, b):
            if first.key(a) == second.key(b):
                labels[number] = (first.prefix + _spell(first.style, first.value + number - a), None)
            elif (value := second.value - (b - number)) >= 1 and b - number <= _head_start(second, b, a):
                labels[number] = (second.prefix + _spell(second.style, value), None)
    if known and (first := chosen[known[0]]) is not None:
        for number in range(known[0]):
            value = first.value - (known[0] - number)
            if value >= 1:
                labels[number] = (first.prefix + _spell(first.style, value), None)


def _head_start(folio: Folio, at: int, before: int) -> int:
    # A new sequence begins at 1 on a page that seldom prints its number.
    return folio.value - 1 if folio.value - 1 < at - before else 0
