"""Quotations as they are written in an answer: between quotation marks of any script, as block quotes, and in markup that looks like one.

Any opening mark opens a quotation, whatever stands before it and however many lines it spans; one that does not close is told apart. What is
set off by apostrophes, emphasis, code or ``<q>`` reads like a quotation, and is sought like one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Quotation", "QuotedBy", "quotations"]

LEAST = 2  #: Characters of a quotation.
LONGEST = 4_000
LEAST_WORDS_SET_OFF = 4  #: From which a stretch in apostrophes, emphasis or code reads like a quotation.

#: Closing marks by opening mark.
PAIRS = {
    "“": "”“", "„": "“”‟", "‟": "”", "«": "»", "»": "«", "‹": "›", "›": "‹", "‚": "‘’", "‘": "’",
    "「": "」", "『": "』", "｢": "｣", "﹁": "﹂", "﹃": "﹄", "〝": "〞〟", "❝": "❞", "❛": "❜", "＂": "＂", "״": "״", '"': '"',
}  # fmt: skip
_SAME = frozenset('"＂״')  # the mark that closes is the mark that opens
_WORD = re.compile(r"\w+")
_WORD_MARKS = "'’׳"  # within a word: an apostrophe
_BLOCKQUOTE = re.compile(r"(?:^|(?<=\n))[ \t]*>[^\n]*(?:\n[ \t]*>[^\n]*)*")
_TAGGED = re.compile(
    r"<(?P<tag>q|blockquote|em|i|b|strong|mark|code|tt)\b[^<>]*>(?P<text>.*?)</(?P=tag)\s*>", re.I | re.S
)
_SET_OFF = re.compile(
    r"(?P<mark>`{1,3})(?P<code>[^`]+)(?P=mark)"
    r"|(?P<stars>\*{1,3}|_{1,3})(?=\S)(?P<emphasis>[^*_]*?\S)(?P=stars)(?!\w)"
    r"|``(?P<tex>[^`']+)''"
    r"|(?<![^\W_])'(?=\S)(?P<single>[^'\n]*(?:(?<=\w)'(?=\w)[^'\n]*)*\S)'(?!\w)",
    re.S,
)


class QuotedBy(StrEnum):
    """What makes words a quotation."""

    MARKS = "marks"
    BLOCK = "block"  # lines behind ``>``
    MARKUP = "markup"  # emphasis, code, apostrophes: it only looks like one
    UNCLOSED = "unclosed"


@dataclass(frozen=True, slots=True)
class Quotation:
    """A quotation: its characters in the body, marks included, and its words."""

    start: int
    end: int
    text: str
    by: QuotedBy = QuotedBy.MARKS


def quotations(body: str) -> list[Quotation]:
    """All quotations of a body in order, none within another. Citation marks and the like are blanked out before."""
    found = list(_between_marks(body))
    taken = [(one.start, one.end) for one in found]
    for more in (*_block_quotes(body), *_set_off(body)):
        if not any(more.start < high and more.end > low for low, high in taken):
            found.append(more)
            taken.append((more.start, more.end))
    return sorted(found, key=lambda one: one.start)


def _between_marks(body: str) -> Iterator[Quotation]:
    at = 0
    while at < len(body):
        closing = PAIRS.get(body[at])
        if closing is None or _is_measure(body, at) or _is_apostrophe(body, at):
            at += 1
            continue
        end = _closing(body, at, closing)
        if end is None:
            text = body[at + 1 : _paragraph_end(body, at)].strip()
            if text:
                yield Quotation(at, at + 1 + len(text), text, QuotedBy.UNCLOSED)
            at += 1
            continue
        text = body[at + 1 : end].strip()
        if len(text) >= LEAST and any(character.isalnum() for character in text):
            yield Quotation(at, end + 1, _flat(text))
        at = end + 1


def _closing(body: str, start: int, marks: str) -> int | None:
    """Where the quotation that opens at ``start`` closes; nested pairs of the same kind are passed over."""
    opening, depth = body[start], 1
    for at in range(start + 1, min(len(body), start + LONGEST)):
        mark = body[at]
        if mark in marks and not _is_apostrophe(body, at):
            depth -= 1
            if depth == 0:
                return at
        elif mark == opening and opening not in _SAME and mark not in marks:
            depth += 1
    return None


def _paragraph_end(body: str, at: int) -> int:
    end = body.find("\n\n", at)
    return len(body) if end < 0 else end


def _is_measure(body: str, at: int) -> bool:
    """A straight mark for inches or seconds, as in ``5" pipe``."""
    return body[at] in _SAME and at > 0 and body[at - 1].isdigit()


def _is_apostrophe(body: str, at: int) -> bool:
    """An apostrophe or gershayim within a word, or one that stands for the first letters of a word (’90s)."""
    before, after = body[at - 1 : at], body[at + 1 : at + 2]
    if body[at] == "״":
        return before.isalpha() and after.isalpha()
    if body[at] not in "’‘":
        return False
    return (before.isalnum() and after.isalpha()) or (not before.isalnum() and after.isdigit())


def _block_quotes(body: str) -> Iterator[Quotation]:
    for match in _BLOCKQUOTE.finditer(body):
        lines = (line.strip().lstrip("> \t") for line in match.group().splitlines())
        text = " ".join(line for line in lines if line).strip(" —–-")
        if any(character.isalnum() for character in text):
            yield Quotation(match.start(), match.end(), text, QuotedBy.BLOCK)


def _set_off(body: str) -> Iterator[Quotation]:
    for match in _TAGGED.finditer(body):
        by = QuotedBy.MARKS if match["tag"].lower() in ("q", "blockquote") else QuotedBy.MARKUP
        yield from _long_enough(match, match["text"], by)
    for match in _SET_OFF.finditer(body):
        if match["tex"] is not None:
            yield from _long_enough(match, match["tex"], QuotedBy.MARKS)
        else:
            yield from _long_enough(match, match["code"] or match["emphasis"] or match["single"] or "", QuotedBy.MARKUP)


def _long_enough(match: re.Match[str], text: str, by: QuotedBy) -> Iterator[Quotation]:
    wide = sum(character > "⺀" for character in text)
    if len(text) <= LONGEST and (by is QuotedBy.MARKS or len(_WORD.findall(text)) >= LEAST_WORDS_SET_OFF or wide >= 8):
        yield Quotation(match.start(), match.end(), _flat(text), by)


def _flat(text: str) -> str:
    """The words of a quotation that spans lines: without the bullets and quote signs that begin them."""
    lines = (re.sub(r"^[ \t]*(?:>[ \t]*)*(?:[-*+•][ \t]+|\d{1,3}[.)][ \t]+)?", "", line) for line in text.split("\n"))
    return " ".join(line.strip() for line in lines if line.strip())
