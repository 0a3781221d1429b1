"""The claim sentence itself: every number, date and proper noun in it must be covered by its quotes or its derived numbers.

What is checked is thereby not left to whoever wrote the claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from pageindex.evidence.numbers.literal_dates import parse_date
from pageindex.evidence.numbers.tokens import NumberToken, Sign, number_tokens
from pageindex.evidence.status import Weight
from pageindex.text.folding import fold, skeleton_text

__all__ = ["Uncovered", "dates_in", "uncovered"]

_DATE = re.compile(
    r"\d{4}[-‐‑–]\d{1,2}[-‐‑–]\d{1,2}|\d{4}\s*[年년]\s*\d{1,2}\s*[月월]\s*\d{1,2}\s*[日일]"
    r"|\d{1,2}(?:st|nd|rd|th|\.|º|er)?\s+(?:de\s+)?[^\W\d_]{3,}\.?,?\s+(?:de\s+)?\d{4}"
    r"|[^\W\d_]{3,}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4}"
)
_WORD = re.compile(r"[^\W\d_][\w'’&.\-]*[\w]|[^\W\d_]")
_SENTENCE_END = re.compile(r"[.!?:]['\")\]”’»]*\s+$|^\W*$")


@dataclass(frozen=True, slots=True)
class Uncovered:
    """A part of the claim sentence that nothing covers: ``kind`` is ``number``, ``sign``, ``date`` or ``name``."""

    kind: str
    text: str

    @property
    def weight(self) -> Weight:
        """A number or date out of nowhere fails; a name, or a number whose sign the sentence only implies, is for review."""
        return Weight.FAIL if self.kind in ("number", "date") else Weight.REVIEW


def uncovered(sentence: str, sources: Sequence[str], derived: Iterable[NumberToken] = ()) -> list[Uncovered]:
    """What of a sentence is in none of its sources (raw spans of quotes) nor among its derived numbers."""
    found: list[Uncovered] = []
    dates = list(_dated(sentence))
    known_dates = {day for source in sources for day, _ in _dated(source)}
    known = [token for source in sources for token in number_tokens(source)] + list(derived)
    for day, (start, end) in dates:
        if day not in known_dates:
            found.append(Uncovered("date", sentence[start:end]))
    for token in number_tokens(sentence):
        if any(start <= token.core_start < end for _, (start, end) in dates):
            continue
        same = [other for other in known if _size(other) == _size(token)]
        words = sentence[token.start : token.end]
        if not same:
            found.append(Uncovered("number", words))
        elif not any(_signs_agree(token, other) for other in same):
            found.append(Uncovered("sign", words))
    return found + _names(sentence, sources, [span for _, span in dates])


def dates_in(text: str) -> set[date]:
    """The dates that a text prints in full: ISO, CJK, or with the month by name."""
    return {day for day, _ in _dated(text)}


def _dated(text: str) -> Iterator[tuple[date, tuple[int, int]]]:
    for match in _DATE.finditer(text):
        day = parse_date(re.sub(r"\s+", " ", match.group()))
        if isinstance(day, date):
            yield day, match.span()


def _size(token: NumberToken) -> tuple[str, str, str]:
    size = token.magnitude
    return (str(size) if size is not None else token.core, token.percent, token.superscript)


def _signs_agree(said: NumberToken, printed: NumberToken) -> bool:
    """“fell by 3.2 %” says a sign in words that no code reads: a printed minus without one in the sentence is for review."""
    negative = printed.sign in (Sign.MINUS, Sign.AMBIGUOUS) or printed.parens
    return (said.sign is Sign.MINUS or said.parens) == negative


def _names(sentence: str, sources: Sequence[str], dates: Sequence[tuple[int, int]]) -> list[Uncovered]:
    """Capitalised words that no source holds. The first word of a sentence counts only when capitals run on inside it."""
    held = {skeleton_text(word) for source in sources for word in _words(source)}
    found = []
    for match in _WORD.finditer(sentence):
        word = match.group().rstrip(".")
        if any(start <= match.start() < end for start, end in dates) or not word[0].isupper():
            continue
        opens = bool(_SENTENCE_END.search(sentence[: match.start()]))
        if (opens and not any(c.isupper() for c in word[1:])) or len(word) < 2:
            continue
        parts = [part for part in re.split(r"['’]s$", word) if part]
        if not any(skeleton_text(fold(part).text) in held for part in (word, *parts)):
            found.append(Uncovered("name", word))
    return found


def _words(text: str) -> Iterator[str]:
    plain = fold(text).text
    for match in _WORD.finditer(plain):
        word = match.group().rstrip(".")
        yield word
        yield re.sub(r"'s$", "", word)
        if "-" in word:
            yield from word.split("-")
