"""Where a folded quote stands in one text: every hit, with what it may not do — cut a word, cut a number, change a sign."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from pageindex.errors import InputError
from pageindex.evidence.numbers.parity import Mismatch, Parity, compare_numbers, tokens_in
from pageindex.evidence.numbers.tokens import NumberToken, number_tokens
from pageindex.evidence.quotes.index import FoldedText
from pageindex.text.folding import joins_words

__all__ = ["LONGEST_QUOTE", "Match", "Wanted", "best", "matches"]

LONGEST_QUOTE = 20_000  #: Characters.
_MOST_HITS = 200  # of one quote on one page
_BLANKS = re.compile(r"[ \t\r\n\f\v]+")
_NUMBER_INSIDE = re.compile(r"\d\|\d|\d\|[.,]\d|\d[.,]\|\d")  # the edge of a hit, with digits on both sides
_ORDER = (Parity.EQUAL, Parity.SIGN_AMBIGUOUS, Parity.DIFFER)
_LONG_WORD = 3  # letters; a digit glued to a longer word is a note mark


@dataclass(frozen=True)
class Wanted:
    """A quote, folded once."""

    quote: str
    folded: FoldedText

    @classmethod
    def of(cls, quote: str) -> Wanted:
        """Raises InputError when nothing but spaces and hyphens would be left to look for, or far more than anybody quotes."""
        if len(quote) > LONGEST_QUOTE:
            message = f"the quote has {len(quote):,} characters; {LONGEST_QUOTE:,} are looked for at once"
            raise InputError(message, "Quote the sentence that matters.", code="QUOTE_TOO_LONG")
        wanted = cls(quote, FoldedText.of(quote))
        if not wanted.skeleton:
            raise InputError("the quote holds no words", "Quote the words of the document.", code="EMPTY_QUOTE")
        return wanted

    @property
    def skeleton(self) -> str:
        return self.folded.s.text

    @cached_property
    def plain(self) -> str:
        return self.folded.n.text.strip()

    @cached_property
    def lead(self) -> int:
        """Spaces and hyphens of ``plain`` before the first character of the skeleton."""
        return len(self.plain) - len(self.plain.lstrip(" -"))

    @cached_property
    def trail(self) -> int:
        return len(self.plain) - len(self.plain.rstrip(" -"))

    @cached_property
    def spaced(self) -> str:
        """The quote with plain blanks only: where a copy breaks its lines says nothing about the page."""
        return _BLANKS.sub(" ", self.quote).strip()

    @cached_property
    def tokens(self) -> list[NumberToken]:
        return list(number_tokens(self.spaced))


@dataclass(frozen=True, slots=True)
class Match:
    """One place of a quote in a text: characters ``[start, end)`` of the raw text, widened to whole numbers.

    ``exact`` is false where only the skeletons agree.
    """

    start: int
    end: int
    exact: bool
    parity: Parity
    mismatches: tuple[Mismatch, ...]


def matches(text: FoldedText, wanted: Wanted) -> Iterator[Match]:
    """All whole places of a quote; those that cut a word or a number in two are left out."""
    at, count = text.s.text.find(wanted.skeleton), 0
    while at >= 0 and count < _MOST_HITS:
        found = _match(text, wanted, at)
        if found is not None:
            yield found
        count += 1
        at = text.s.text.find(wanted.skeleton, at + 1)


def _rank(outcome: tuple[Parity, tuple[Mismatch, ...]]) -> int:
    return _ORDER.index(outcome[0])


def _without_lines(raw: str, wanted: Wanted, start: int, end: int) -> tuple[Parity, tuple[Mismatch, ...]]:
    """The comparison again with the page's line breaks seen as blanks, as the copy has them. It can only make signs less sure."""
    before, inside, after = (
        _BLANKS.sub(" ", part) for part in (raw[max(0, start - 40) : start], raw[start:end], raw[end : end + 20])
    )
    line = before + inside + after
    printed = tokens_in(line, len(before), len(before) + len(inside))
    return compare_numbers(wanted.spaced, line, wanted.tokens, printed)


def best(found: Iterator[Match] | list[Match]) -> Match | None:
    """The match to go by: equal numbers before others, exact before folded, then the first."""
    return min(found, key=lambda match: (_ORDER.index(match.parity), not match.exact, match.start), default=None)


def _match(text: FoldedText, wanted: Wanted, at: int) -> Match | None:
    plain = text.n.text
    low, high = text.s.original(at, at + len(wanted.skeleton))
    if _cuts(plain, low, starts=True) or _cuts(plain, high, starts=False):
        return None
    exact = low >= wanted.lead and plain[low - wanted.lead : high + wanted.trail] == wanted.plain
    if exact:
        low, high = low - wanted.lead, high + wanted.trail
    start, end = text.n.original(low, high)
    printed = tokens_in(text.raw, start, end)
    if printed and (printed[0].core_start < start or printed[-1].core_end > end):
        return None
    parity, mismatches = compare_numbers(wanted.spaced, text.raw, wanted.tokens, printed)
    if parity is Parity.DIFFER:  # a number and its percent sign may stand on two lines of the page
        parity, mismatches = min((parity, mismatches), _without_lines(text.raw, wanted, start, end), key=_rank)
    start = min([start, *(token.start for token in printed)])
    end = max([end, *(token.end for token in printed)])
    return Match(start, end, exact, parity, mismatches)


def _cuts(plain: str, at: int, *, starts: bool) -> bool:
    """Whether an edge of a hit lies inside a word."""
    before, after = plain[at - 1 : at] if at else "", plain[at : at + 1]
    if not before or not after:
        return False
    if unicodedata.category(after)[0] == "M":
        return True
    if _NUMBER_INSIDE.search(plain[max(0, at - 2) : at] + "|" + plain[at : at + 2]):
        return True
    letter_before, letter_after = joins_words(before), joins_words(after)
    if letter_before and letter_after:
        return True
    if before == "'" and letter_after:
        return joins_words(plain[at - 2 : at - 1]) if at > 1 else False
    if after == "'" and letter_before:
        return joins_words(plain[at + 1 : at + 2])
    if letter_before and after.isdecimal():
        return starts or _letters(plain[:at], r"[^\W\d_]+\Z") < _LONG_WORD
    if before.isdecimal() and letter_after:
        return not starts or _letters(plain[at : at + 40], r"[^\W\d_]+") < _LONG_WORD
    return False


def _letters(text: str, pattern: str) -> int:
    found = re.search(pattern, text[-40:]) if pattern.endswith("\\Z") else re.match(pattern, text)
    return len(found.group()) if found else 0
