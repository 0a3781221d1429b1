"""An answer as sentences, each with its quotations, its calculations and the citations that go with it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pageindex.chat.markup import AbsenceMark, Calculation, CitationMark, Mark, Markup, QuoteMark

__all__ = ["Spoken", "spoken"]

_CITED, _WORDS = (
    "\x00",
    "\x01",
)  # stand for a citation, and for the inside of a quotation, while sentences are told apart
# Possessive throughout: a citation is a long run of one sign, and trying its divisions would take for ever.
_END = re.compile(
    rf"(?:[.!?؟]+|[。！？]+)[\"'”’»)\]*_{_WORDS}]*(?:\s*+{_CITED}++[.。]?+)*+(?=\s|$)|[。！？]+[”’」』）]*(?:\s*+{_CITED}++)*+"
)
_INNER = "X"  # a quotation begins a sentence as a capital does
_ABBREVIATED = re.compile(
    r"(?:^|[\s(\[])(?:[^\W\d_]|(?:[^\W\d_]\.)+[^\W\d_]|Inc|Co|Corp|Ltd|Nos?|Nr|pp?|Mr|Mrs|Ms|Dr|St|Figs?|Secs?|Ch|Art|Eq|vs|cf|ca|approx|etc|al|Jan|Feb|Mar|Apr|Aug|Sept?|Oct|Nov|Dec)\.$"
)
_MARKER = re.compile(r"[ \t>]*(?:#{1,6}[ \t]+)?(?:[-*+•][ \t]+)?(?:\*\*)?(?:(?P<number>\d{1,3})[.)](?=[ \t*]))?")
_INLINE = re.compile(r"\((\d{1,2})\)")
_HEADING = re.compile(r"[ \t>]*#{1,6}[ \t]|[ \t]*\|[^\n]*\n[ \t]*\|?[ \t]*:?-[-:| \t]*$")
_MARKS = re.compile(r"[*_`#]+(?=\S)|(?<=\S)[*_`#]+|^[ \t>]*(?:[-*+•|])[ \t]+|\|")


@dataclass(frozen=True, slots=True)
class Spoken:
    """A sentence of an answer.

    Attributes:
        start, end: Its characters in the body, the citations behind it included.
        text: Its words, quotations included; without citations, tags, markup and the numbers that only count items.
        quotes, citations, absences, calculations: The marks within it.
        nearby: Citations of the same paragraph, item or row (of what follows, for a line that ends in a colon), where it has none of its own.
        heading: Whether it is a heading of the answer, or of a table in it.
    """

    start: int
    end: int
    text: str
    quotes: tuple[QuoteMark, ...] = ()
    citations: tuple[CitationMark, ...] = ()
    absences: tuple[AbsenceMark, ...] = ()
    calculations: tuple[Calculation, ...] = ()
    nearby: tuple[CitationMark, ...] = ()
    heading: bool = False


def spoken(marks: Markup) -> list[Spoken]:
    """The sentences of an answer in order; together they hold every character that is not white space."""
    pieces = list(_pieces(marks, _masked(marks)))
    left_out = [*marks.citations, *marks.absences, *marks.calculations, *_counters(marks)]
    found = []
    for index, (start, end, block) in enumerate(pieces):
        inside = tuple(mark for mark in marks.citations if start <= mark.start < end)
        text = _text(marks.body, start, end, left_out)
        nearby = () if inside else tuple(mark for mark in marks.citations if block[0] <= mark.start < block[1])
        if not inside and not nearby and text.endswith((":", "：")):
            nearby = tuple(_following(marks, pieces[index + 1 :]))
        found.append(
            Spoken(
                start,
                end,
                text,
                tuple(mark for mark in marks.quotes if start <= mark.start < end),
                inside,
                tuple(mark for mark in marks.absences if start <= mark.start < end),
                tuple(mark for mark in marks.calculations if start <= mark.start < end),
                nearby,
                _HEADING.match(marks.body[start:end].lstrip("\n")) is not None,
            )
        )
    return [one for one in found if one.text or one.quotes or one.absences]


def _pieces(marks: Markup, masked: str) -> Iterator[tuple[int, int, tuple[int, int]]]:
    """Sentences as character ranges, each with its block; a quotation over several blocks makes them one."""
    for start, end in _joined_blocks(marks):
        at = start
        for match in _END.finditer(masked, start, end):
            if _ends(masked, match):
                yield at, match.end(), (start, end)
                at = match.end()
        if masked[at:end].strip(" \t\n" + _CITED):
            yield at, end, (start, end)


def _joined_blocks(marks: Markup) -> Iterator[tuple[int, int]]:
    blocks = list(marks.blocks)
    while blocks:
        start, end = blocks.pop(0)
        while blocks and any(start <= quote.start < end < quote.end for quote in marks.quotes):
            end = blocks.pop(0)[1]
        yield start, end


def _ends(masked: str, match: re.Match[str]) -> bool:
    """Whether a full stop ends a sentence: no abbreviation's, and nothing goes on in small letters."""
    if masked[match.start()] in "。！？!?؟":
        return True
    if _ABBREVIATED.search(masked[max(0, match.start() - 12) : match.start() + 1]):
        return False
    rest = masked[match.end() :].lstrip()
    return not rest[:1].islower()


def _masked(marks: Markup) -> str:
    """The body with citations as one sign, and no full stop within quotations but the last."""
    characters = list(marks.body)
    for quote in marks.quotes:
        inner = characters[quote.start : quote.end]
        last = next((i for i in range(len(inner) - 1, -1, -1) if inner[i].isalnum() or inner[i] in ".!?。！？؟"), 0)
        keep = inner[last] in ".!?。！？؟"
        for at in range(quote.start, quote.end):
            if not (keep and at == quote.start + last):
                characters[at] = _WORDS if keep and at > quote.start + last else _INNER
    for mark in (*marks.citations, *marks.absences, *marks.calculations):
        characters[mark.start : mark.end] = _CITED * (mark.end - mark.start)
    return "".join(characters)


def _text(body: str, start: int, end: int, left_out: Sequence[Mark]) -> str:
    characters = list(body[start:end])
    for mark in left_out:
        low, high = max(mark.start, start) - start, min(mark.end, end) - start
        if low < high:
            characters[low:high] = " " * (high - low)
    text = _MARKS.sub(" ", "".join(characters))
    text = re.sub(r"\s+([.,;:!?。])", r"\1", " ".join(text.split()))
    return re.sub(r"^[-*+•>|\s]+", "", text).strip(" |")


def _following(marks: Markup, pieces: Sequence[tuple[int, int, tuple[int, int]]]) -> list[CitationMark]:
    """The citations of the items that a line with a colon announces: those up to the first paragraph that is no item."""
    found: list[CitationMark] = []
    for start, end, block in pieces:
        if not re.match(r"\s*(?:[-*+•>|]|\d{1,3}[.)])", marks.body[block[0] : block[1]]):
            break
        found += [mark for mark in marks.citations if start <= mark.start < end]
    return found


def _counters(marks: Markup) -> list[Mark]:
    """Numbers that only count: of items that go on from 1 or from the one before, and (1), (2), … within the text."""
    counters, expected = [], 1
    for start, end in marks.blocks:
        first = start + len(marks.body[start:end]) - len(marks.body[start:end].lstrip("\n"))
        match = _MARKER.match(marks.body, first, end)
        if match is not None and match["number"] is not None:
            number = int(match["number"])
            if number in (1, expected):
                counters.append(Mark(match.start("number"), match.end()))
                expected = number + 1
    inline = list(_INLINE.finditer(marks.body))
    if [int(match[1]) for match in inline] == list(range(1, len(inline) + 1)):
        counters += [Mark(*match.span()) for match in inline]
    return counters
