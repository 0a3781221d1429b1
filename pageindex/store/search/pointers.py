"""Places that a query names ("page 17", "Figure 2", "Item 1A", "the second slide"), and where a document has them.

A page number is looked for twice: as the printed number and as the number of the page in the file; both are given, each said which.
A figure or table is where its caption stands: a line that begins with its name. A section, chapter, note, item or appendix is where its
title stands: in the tree, or at the beginning of a short line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pageindex.document import Section

__all__ = ["How", "Place", "Pointable", "Pointer", "locate", "parse_pointers"]

LONGEST_TITLE = 14  #: Words of a line that may be a printed title.
MOST_PLACES = 8  #: Of one pointer: what stands in more places points nowhere.

How = str
PRINTED, PHYSICAL, CAPTION, TITLE, LINE, COVER, LAST = (
    "printed page number",
    "page of the file",
    "caption",
    "section title",
    "printed line",
    "first page",
    "last page",
)

#: The names of each kind of place, as they are written in a question and on a page.
_NAMES: Mapping[str, tuple[str, ...]] = {
    "page": ("pages", "page", "pp.", "pp", "pg.", "pg", "p.", "seiten", "seite", "s.", "página", "pagina", "strona", "стр.", "страница"),
    "slide": ("slides", "slide", "folie", "diapositive", "diapositiva"),
    "figure": ("figures", "figure", "figs.", "figs", "fig.", "fig", "abbildung", "abb.", "figura", "рисунок", "рис."),
    "chart": ("charts", "chart", "graph", "diagram", "plot"),
    "table": ("tables", "table", "tab.", "tabelle", "tableau", "tabla", "tabela", "таблица"),
    "note": ("notes", "note", "footnote"),
    "section": ("sections", "section", "subsection", "sec.", "sec", "§", "abschnitt", "sección", "seção", "раздел"),
    "item": ("items", "item"),
    "chapter": ("chapters", "chapter", "ch.", "kapitel", "chapitre", "capítulo", "глава"),
    "appendix": ("appendices", "appendix", "annex", "anhang", "anexo", "annexe", "приложение"),
    "part": ("part", "teil", "partie", "parte", "часть"),
    "exhibit": ("exhibit",),
    "algorithm": ("algorithm",),
    "equation": ("equation", "eq."),
    "schedule": ("schedule",),
    "article": ("article", "artikel", "artículo"),
    "box": ("box",),
    "step": ("step",),
}  # fmt: skip
_CAPTIONED = frozenset({"figure", "chart", "table", "algorithm", "equation", "exhibit", "schedule", "box"})
_PAGED = frozenset({"page", "slide"})
_KIND = {name: kind for kind, names in _NAMES.items() for name in names}

_FIRST_TEN = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_TO_TWENTY = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen",
    "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
_ORDINALS = {word: number for number, word in enumerate(_FIRST_TEN, start=1)}
_CARDINALS = {word: number for number, word in enumerate(_TO_TWENTY, start=1)}
_NUMBER = r"\d{1,5}(?:[.\-–]\d{1,3}){0,4}[a-z]?|[ivxlc]{1,8}|[a-z][.\-–]?\d{1,3}(?:\.\d{1,3}){0,3}|[a-z]"
_SPELLED = "|".join(_CARDINALS)
_ANY_NAME = "|".join(sorted(map(re.escape, _KIND), key=len, reverse=True))
_NAMED = re.compile(
    rf"(?<![\w.])(?P<name>{_ANY_NAME})(?:\s*|(?<=\.)\s*)(?:no\.?\s*|number\s+|#\s*)?(?P<first>(?:{_NUMBER}|{_SPELLED})(?![\w]))"
    rf"(?P<more>(?:\s*(?:,|and|&|or|to)\s*(?:{_NUMBER})(?!\w))*)",
    re.IGNORECASE,
)
_ORDINAL = re.compile(
    rf"\b(?P<order>{'|'.join(_ORDINALS)}|last|cover|title|\d{{1,3}}(?:st|nd|rd|th))\s+(?P<name>page|slide|figure|table|chapter|chart"
    r"|section|appendix)\b(?!\s*\d)",
    re.IGNORECASE,
)
_PARTS = re.compile(rf"(?:{_NUMBER})(?!\w)", re.IGNORECASE)
_ROMAN = re.compile(r"m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")


@dataclass(frozen=True, slots=True)
class Pointer:
    """A place that a query names: its kind, and its number in small letters (``4.2``, ``1a``, ``iv``, ``last``)."""

    text: str
    kind: str
    number: str


@dataclass(frozen=True, slots=True)
class Place:
    """A page that a pointer leads to, and by what; ``inner`` is a page further inside of a section that it names."""

    pointer: Pointer
    page: int
    how: How
    inner: bool = False


@dataclass(frozen=True, slots=True)
class Pointable:
    """What of a document a pointer may lead to.

    Attributes:
        texts, labels: Of the pages, folded.
        sections: With their folded titles.
        listed: Whether a page is a list of contents or an index, which names everything and has nothing.
    """

    texts: Sequence[str]
    labels: Sequence[str]
    sections: Sequence[tuple[Section, str]]
    listed: Callable[[int], bool]


# ---------------------------------------------------------------- the query


def parse_pointers(text: str) -> tuple[Pointer, ...]:
    """The places that a query names, in its order, each once."""
    found: dict[tuple[str, str], Pointer] = {}
    for match in _NAMED.finditer(text):
        kind = _KIND[match["name"].lower()]
        for number in _numbers(match, kind):
            found.setdefault((kind, number), Pointer(f"{match['name']} {number}", kind, number))
    for match in _ORDINAL.finditer(text):
        order, kind = match["order"].lower(), _KIND[match["name"].lower()]
        number = str(_ORDINALS.get(order) or (order if order in ("last", "cover", "title") else int(order[:-2])))
        if (number in ("cover", "title")) and kind not in _PAGED:
            continue
        pointer = Pointer(match.group(), kind, "1" if number in ("cover", "title") else number)
        found.setdefault((kind, pointer.number), pointer)
    return tuple(found.values())


def _numbers(match: re.Match[str], kind: str) -> Iterator[str]:
    first = match["first"].lower()
    spelled = _CARDINALS.get(first)
    if (
        spelled is None
        and first.isalpha()
        and not (_lettered(match, kind) if len(first) == 1 else _ROMAN.fullmatch(first))
    ):
        return
    yield str(spelled) if spelled is not None else first.replace("–", "-")
    for number in _PARTS.findall(match["more"]):
        if number[:1].isdigit():
            yield number.lower().replace("–", "-")


def _lettered(match: re.Match[str], kind: str) -> bool:
    """Whether a single letter is a number here: "appendix B", and no article ("page a person …") or verb's object."""
    letter = match["first"]
    return kind not in _PAGED and (letter.isupper() or (kind in ("appendix", "part") and letter not in "ai"))


# ---------------------------------------------------------------- the document


def locate(pointers: Sequence[Pointer], document: Pointable) -> Sequence[Place]:
    """Where a document has the places that a query names, in the order of the pointers; none for one that it has not."""
    places: list[Place] = []
    for pointer in pointers:
        if pointer.kind in _PAGED:
            found = _pages(pointer, document)
        elif pointer.kind in _CAPTIONED:
            found = _captions(pointer, document) or _titles(pointer, document)
        else:
            found = _titles(pointer, document) or _lines(pointer, document)
        places += found if len({place.page for place in found if not place.inner}) <= MOST_PLACES else ()
    return places


def _pages(pointer: Pointer, document: Pointable) -> list[Place]:
    count = len(document.texts)
    if pointer.number == "last":
        return [Place(pointer, count, LAST)]
    places = []
    if pointer.kind == "page":
        wanted = {pointer.number, pointer.number.lstrip("0")}
        places = [Place(pointer, n, PRINTED) for n, label in enumerate(document.labels, start=1) if label in wanted]
    if pointer.number.isdigit() and 1 <= int(pointer.number) <= count:
        number = int(pointer.number)
        if all(place.page != number for place in places):
            places.append(Place(pointer, number, PHYSICAL))
    return places


def _captions(pointer: Pointer, document: Pointable) -> list[Place]:
    """The pages with a line that begins with the name, a sign or a capital's title behind it; any such line where there is none of these."""
    if pointer.number == "last":
        return []
    pattern = _caption(pointer.kind, pointer.number)
    found: dict[str, list[int]] = {"sure": [], "else": []}
    for page, text in enumerate(document.texts, start=1):
        best = ""
        for match in pattern.finditer(text):
            best = "sure" if match["sign"] else best or "else"
        if best and not document.listed(page):
            found[best].append(page)
    return [Place(pointer, page, CAPTION) for page in found["sure"] or found["else"]]


@lru_cache(maxsize=256)
def _caption(kind: str, number: str) -> re.Pattern[str]:
    names = _NAMES["figure"] + _NAMES["chart"] if kind in ("figure", "chart") else _NAMES[kind]
    alternatives = "|".join(re.escape(_folded(name)) for name in sorted(names, key=len, reverse=True))
    numbers = "|".join(re.escape(writing) for writing in sorted(_writings(number), key=len, reverse=True))
    return re.compile(
        rf"^[^\w\n]{{0,4}}(?:{alternatives})[ \t]*(?:{numbers})(?![\w])(?!\.\d)[ \t]*(?P<sign>[:.|)\-–—]|$)?",
        re.MULTILINE,
    )


def _titles(pointer: Pointer, document: Pointable) -> list[Place]:
    """The sections whose title begins with the name and number, or with the number where the name is no part of titles."""
    places: list[Place] = []
    pattern, bare = (
        _title(pointer.kind, pointer.number),
        pointer.kind in ("section", "chapter", "note", "part", "appendix"),
    )
    named = [section for section, title in document.sections if pattern.match(title)]
    if not named and bare:
        number = _bare(pointer.number)
        named = [section for section, title in document.sections if number.match(title)]
    for section in named:
        places.append(Place(pointer, section.start_index, TITLE))
        last = min(section.end_index, len(document.texts))
        places += [Place(pointer, page, TITLE, inner=True) for page in range(section.start_index + 1, last + 1)]
    return places


@lru_cache(maxsize=256)
def _title(kind: str, number: str) -> re.Pattern[str]:
    alternatives = "|".join(re.escape(_folded(name)) for name in sorted(_NAMES[kind], key=len, reverse=True))
    numbers = "|".join(re.escape(writing) for writing in sorted(_writings(number), key=len, reverse=True))
    return re.compile(rf"\W{{0,4}}(?:{alternatives})\s*(?:{numbers})(?!\w|\.\d)")


@lru_cache(maxsize=256)
def _bare(number: str) -> re.Pattern[str]:
    numbers = "|".join(re.escape(writing) for writing in sorted(_writings(number), key=len, reverse=True))
    return re.compile(rf"\W{{0,2}}(?:{numbers})(?:[.:)]|\s)(?!\d)")


def _lines(pointer: Pointer, document: Pointable) -> list[Place]:
    """The pages with a short line that begins with the name and number, or with the number of a section; lists of contents have none."""
    patterns = [_title(pointer.kind, pointer.number)]
    if pointer.kind == "section" and "." in pointer.number:
        patterns.append(_bare(pointer.number))
    for pattern in patterns:
        pages = [
            page
            for page, text in enumerate(document.texts, start=1)
            if any(pattern.match(line) and len(line.split()) <= LONGEST_TITLE for line in text.splitlines())
            and not document.listed(page)
        ]
        if pages:
            return [Place(pointer, page, LINE) for page in pages]
    return []


def _folded(name: str) -> str:
    from pageindex.store.search.wording import searchable

    return searchable(name)


def _writings(number: str) -> frozenset[str]:
    """A number as it may be printed: ``3`` also as ``iii`` and ``three``, ``iv`` also as ``4``."""
    forms = {number, number.replace("-", ".")}
    if number.isdigit() and 1 <= int(number) <= len(_CARDINALS):
        forms |= {_roman(int(number)), next(word for word, value in _CARDINALS.items() if value == int(number))}
    elif number and _ROMAN.fullmatch(number) and len(number) > 1:
        forms.add(str(_value(number)))
    return frozenset(forms)


_ROMANS = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))


def _roman(number: int) -> str:
    text = ""
    for value, sign in _ROMANS:
        text += sign * (number // value)
        number %= value
    return text


def _value(roman: str) -> int:
    values = [{"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}[sign] for sign in roman]
    return sum(-v if v < max(values[i:]) else v for i, v in enumerate(values))
