"""Quotes, citations, calculations and absences as they are written in an answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import unescape

__all__ = ["AbsenceMark", "Calculation", "CitationMark", "Mark", "Markup", "QuoteMark", "blank_out", "blocks", "parse"]

_TAG = re.compile(r"<(?P<name>cite|absent)\b(?P<attributes>[^<>]*?)/?>(?:\s*</(?P=name)>)?", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"([\w-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>/]+))")
_PAGES = r"[\w.]{1,12}(?:\s*[-–—,]\s*[\w.]{1,12}){0,20}"
_BRACKET = re.compile(
    rf"[\[【](?:(?P<doc>[^\[\]【】\n]{{1,300}}?)\s*[,;:]\s*)?(?:pages?|pp?)\s*\.?\s*(?P<pages>{_PAGES})[\]】]",
    re.IGNORECASE,
)
_CALCULATION = re.compile(r"\[\s*=\s*(?P<expression>[^\[\]\n]{1,400}?)\s*\]")
_BLOCKQUOTE = re.compile(r"(?:^|(?<=\n))[ \t]*>[^\n]*(?:\n[ \t]*>[^\n]*)*")
_PAIRS = {"“": "”", "‘": "’", "„": "“”", "«": "»", "»": "«", "「": "」", "『": "』", '"': '"'}
_LEAST_QUOTE = 2  # characters
_LONGEST_QUOTE = 4_000


@dataclass(frozen=True, slots=True)
class Mark:
    """A stretch of the body, in characters."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CitationMark(Mark):
    """``<cite doc="x" page="3"/>`` or ``[x, p. 3]``; ``document`` is empty where none is named."""

    document: str
    pages: str


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
    """Words between quotation marks; ``start`` and ``end`` take in the marks."""

    text: str


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
    for match in _BRACKET.finditer(body):
        if not _overlaps(taken, *match.span()):
            citations.append(
                CitationMark(match.start(), match.end(), (match["doc"] or "").strip(' "“”'), match["pages"])
            )
    calculations = tuple(Calculation(*match.span(), match["expression"]) for match in _CALCULATION.finditer(body))
    citations.sort(key=lambda mark: mark.start)
    plain = blank_out(body, [*citations, *absences, *calculations])
    quotes = tuple(sorted([*_quotes(plain), *_block_quotes(plain)], key=lambda quote: quote.start))
    return Markup(body, quotes, tuple(citations), tuple(absences), calculations, tuple(blocks(body)))


def _tags(body: str) -> tuple[list[CitationMark], list[AbsenceMark]]:
    citations, absences = [], []
    for match in _TAG.finditer(body):
        attributes = {a[0].lower(): unescape(a[1] or a[2] or a[3]) for a in _ATTRIBUTE.findall(match["attributes"])}
        document = attributes.get("doc", attributes.get("document", "")).strip()
        if match["name"].lower() == "cite":
            pages = attributes.get("page", attributes.get("pages", "")).strip()
            citations.append(CitationMark(*match.span(), document, pages))
        else:
            words = tuple(
                word.strip(" \"'") for word in re.split(r"[;|]", attributes.get("words", "")) if word.strip(" \"'")
            )
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
    """Paragraphs, list items and table rows, as character ranges that cover the body."""
    start = 0
    for match in re.finditer(r"\n(?=[ \t]*(?:\n|[-*+•|][ \t|]|\d{1,3}[.)][ \t]|#{1,6} ))", body):
        if match.start() > start:
            yield start, match.start()
        start = match.start()
    if start < len(body):
        yield start, len(body)


def _quotes(body: str) -> Iterator[QuoteMark]:
    """Quotations in any of the usual pairs, within one block; a mark that is never closed opens nothing."""
    for low, high in blocks(body):
        position = low
        while position < high:
            closing = _PAIRS.get(body[position])
            if closing is None or _inside_word(body, position):
                position += 1
                continue
            end = _closing(body, position + 1, min(high, position + _LONGEST_QUOTE), closing)
            if end is None:
                position += 1
                continue
            text = body[position + 1 : end].strip()
            if len(text) >= _LEAST_QUOTE and any(character.isalnum() for character in text):
                yield QuoteMark(position, end + 1, text)
            position = end + 1


def _closing(body: str, start: int, end: int, marks: str) -> int | None:
    """Where a quotation ends; an apostrophe within a word ends none."""
    for at in range(start, end):
        if body[at] in marks and not (body[at] == "’" and body[at + 1 : at + 2].isalpha()):
            return at
    return None


def _block_quotes(body: str) -> Iterator[QuoteMark]:
    """Lines behind ``>`` that are no quotation in marks already."""
    for match in _BLOCKQUOTE.finditer(body):
        if any(mark in match.group() for mark in _PAIRS):
            continue
        text = " ".join(line.strip().lstrip(">").strip() for line in match.group().splitlines()).strip(" —–-")
        if any(character.isalnum() for character in text):
            yield QuoteMark(match.start(), match.end(), text)


def _inside_word(body: str, position: int) -> bool:
    """Whether a straight mark stands for inches or seconds, as in ``5" pipe``."""
    return body[position] == '"' and position > 0 and body[position - 1].isalnum()
