"""Quotes, citations, passages by number, calculations and absences as they are written in an answer."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import unescape

from pageindex.chat.quotations import QuotedBy, quotations

__all__ = [
    "AbsenceMark",
    "Calculation",
    "CitationMark",
    "Mark",
    "Markup",
    "QuoteMark",
    "apart",
    "blank_out",
    "blocks",
    "parse",
]

_TAG = re.compile(r"<(?P<name>cite|absent)\b(?P<attributes>[^<>]*?)/?>(?:\s*</(?P=name)>)?", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"([\w-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>/]+))")
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")  # of words to look for: signs that no page prints would hide what it does
_PAGES = r"[\w.]{1,12}(?:\s*[-–—,]\s*[\w.]{1,12}){0,20}"
_BRACKET = re.compile(
    rf"[\[【](?:(?P<doc>[^\[\]【】\n]{{1,300}}?)\s*[,;:]\s*)?(?:pages?|pp?)\s*\.?\s*(?P<pages>{_PAGES})[\]】]",
    re.IGNORECASE,
)
_PARENTHESES = re.compile(
    r"\((?:(?P<doc>[^()\n]{1,300}?)\s*[,;:]\s*)?(?:pages?\s*|pp?\.\s*)(?P<pages>\d{1,5}(?:\s*[-–—,]\s*\d{1,5}){0,20})\)",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"(?<![^\W\d])[\[【]\s*(?:passages?\s+)?(?P<numbers>\d{1,5}(?:\s*[,;]\s*\d{1,5}){0,20})\s*[\]】](?![(:])",
    re.IGNORECASE,
)
_GLUED = re.compile(r"(?<=[^\W\d_])\[(?P<number>\d{1,5})(?=\]|[,;])")
_CALCULATION = re.compile(r"\[\s*=\s*(?P<expression>[^\[\]\n]{1,400}?)\s*\]")


@dataclass(frozen=True, slots=True)
class Mark:
    """A stretch of the body, in characters."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CitationMark(Mark):
    """``<cite doc="x" page="3"/>`` or ``[x, p. 3]``; ``document`` is empty where none is named.

    ``[3]`` is the passage of that number, and names neither; ``[3, 5]`` is two marks, side by side.
    """

    document: str
    pages: str
    passage: int | None = None


@dataclass(frozen=True, slots=True)
class AbsenceMark(Mark):
    """``<absent doc="x" words="one; two" section="0012"/>``."""

    document: str
    words: tuple[str, ...]
    section: str = ""


@dataclass(frozen=True, slots=True)
class Calculation(Mark):
    """``[= (1 + 2) / 3]`` behind the number it gives."""

    expression: str


@dataclass(frozen=True, slots=True)
class QuoteMark(Mark):
    """Words between quotation marks, or set off as if they were; ``start`` and ``end`` take in the marks."""

    text: str
    by: QuotedBy = QuotedBy.MARKS


@dataclass(frozen=True, slots=True)
class Markup:
    """All marks of a body, each kind in order."""

    body: str
    quotes: tuple[QuoteMark, ...] = ()
    citations: tuple[CitationMark, ...] = ()
    absences: tuple[AbsenceMark, ...] = ()
    calculations: tuple[Calculation, ...] = ()
    blocks: tuple[tuple[int, int], ...] = field(default=())

    def block_of(self, position: int) -> tuple[int, int]:
        """The paragraph or list item that holds a position."""
        return next(((a, b) for a, b in self.blocks if a <= position < b), (0, len(self.body)))

    def citation_for(self, quote: QuoteMark) -> CitationMark | None:
        """The citation that a quote goes with: the next one of its block, else the last one before it."""
        start, end = self.block_of(quote.start)
        inside = [citation for citation in self.citations if start <= citation.start < end]
        after = next((citation for citation in inside if citation.start >= quote.end), None)
        return after or next((citation for citation in reversed(inside) if citation.end <= quote.start), None)


def parse(body: str) -> Markup:
    """Find every mark of an answer."""
    citations, absences = _tags(body)
    marks: list[Mark] = [*citations, *absences]
    taken = [(mark.start, mark.end) for mark in marks]
    for match in (*_BRACKET.finditer(body), *_PARENTHESES.finditer(body)):
        if not _overlaps(taken, *match.span()):
            citations.append(
                CitationMark(match.start(), match.end(), (match["doc"] or "").strip(' "“”'), match["pages"])
            )
    calculations = tuple(Calculation(*match.span(), match["expression"]) for match in _CALCULATION.finditer(body))
    plain = blank_out(body, [*citations, *absences, *calculations])
    quotes = tuple(QuoteMark(one.start, one.end, one.text, one.by) for one in quotations(plain))
    citations += _numbered(plain, quotes)
    citations.sort(key=lambda mark: mark.start)
    return Markup(body, quotes, tuple(citations), tuple(absences), calculations, tuple(blocks(body)))


def apart(body: str, given: Container[int]) -> str:
    """The body with a blank before numbers of passages that were given and stand right behind a word; ``list[3]`` stays where 3 was not."""
    return _GLUED.sub(lambda match: f" {match.group()}" if int(match["number"]) in given else match.group(), body)


def _numbered(plain: str, quotes: Sequence[QuoteMark]) -> Iterator[CitationMark]:
    """Passages by number, each by itself; what stands within a quotation is the document's own, such as a reference to literature."""
    for match in _NUMBERED.finditer(plain):
        if any(quote.start < match.start() < quote.end for quote in quotes):
            continue
        numbers = list(re.finditer(r"\d+", match.group()))
        ends = [number.end() for number in numbers[:-1]] + [len(match.group())]
        start = 0
        for number, end in zip(numbers, ends, strict=True):
            yield CitationMark(match.start() + start, match.start() + end, "", "", int(number.group()))
            start = end


def _tags(body: str) -> tuple[list[CitationMark], list[AbsenceMark]]:
    citations, absences = [], []
    for match in _TAG.finditer(body):
        attributes = {a[0].lower(): unescape(a[1] or a[2] or a[3]) for a in _ATTRIBUTE.findall(match["attributes"])}
        document = attributes.get("doc", attributes.get("document", "")).strip()
        if match["name"].lower() == "cite":
            pages = attributes.get("page", attributes.get("pages", "")).strip()
            citations.append(CitationMark(*match.span(), document, pages))
        else:
            parts = (_EDGES.sub("", part) for part in re.split(r"[;|]", attributes.get("words", "")))
            words = tuple(part for part in parts if part)
            absences.append(AbsenceMark(*match.span(), document, words, attributes.get("section", "")))
    return citations, absences


def _overlaps(taken: list[tuple[int, int]], start: int, end: int) -> bool:
    return any(start < high and end > low for low, high in taken)


def blank_out(body: str, marks: Iterable[Mark]) -> str:
    """The body with some marks replaced by spaces, so that offsets stay what they are."""
    characters = list(body)
    for mark in marks:
        characters[mark.start : mark.end] = " " * (mark.end - mark.start)
    return "".join(characters)


def blocks(body: str) -> Iterator[tuple[int, int]]:
    """Paragraphs, headings, list items and table rows, as character ranges that cover the body."""
    start = 0
    for match in re.finditer(r"\n(?=[ \t]*(?:\n|[-*+•|][ \t|]|(?:\*\*)?\d{1,3}[.)][ \t*]|#{1,6} ))", body):
        if match.start() > start:
            yield from _headed(body, start, match.start())
        start = match.start()
    if start < len(body):
        yield from _headed(body, start, len(body))


def _headed(body: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A block, of which a heading in its first line is one by itself."""
    heading = re.compile(r"\n*[ \t>]*#{1,6}[ \t][^\n]*").match(body, start, end)
    if heading is not None and heading.end() < end:
        yield start, heading.end()
        start = heading.end()
    yield start, end
