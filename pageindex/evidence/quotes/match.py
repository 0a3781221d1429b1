"""Where the letters and digits of a quote stand in one text, and what differs between them there.

Letters and digits say where a quote may stand, and nothing else: whether it says the same is decided by what stands between them, by the
case of its words, by its numbers, and by what it cuts off at its ends.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from pageindex.evidence.numbers.parity import Mismatch, Parity, compare_numbers, tokens_in
from pageindex.evidence.numbers.tokens import NumberToken, number_tokens
from pageindex.evidence.quotes.case import CasedWord, unlike_case
from pageindex.evidence.quotes.difference import WordChange
from pageindex.evidence.quotes.edges import cut_at, outer_change, widened
from pageindex.evidence.quotes.gaps import BULLETS, Around, same_gap
from pageindex.evidence.quotes.index import FoldedText
from pageindex.evidence.quotes.raised import SUPERSCRIPTS
from pageindex.evidence.quotes.wanted import Wanted

__all__ = ["Match", "best", "matches"]

_MOST_HITS = 200  # of one quote on one page
_MOST_CHANGES = 8  # named
_BLANKS = re.compile(r"[ \t\r\n\f\v]+")
_BREAKS_OF_NUMBERS = re.compile(r"(?<=\d)[ \u00a0\u2009\u202f](?=[^\W\d_])")
_ORDER = (Parity.EQUAL, Parity.SIGN_AMBIGUOUS, Parity.DIFFER)
_BULLET_DASH = re.compile(r"[\n ](-)[ \t]")
_FLAT = {raised: plain for plain, raised in SUPERSCRIPTS.items()}
_HAS_RAISED = re.compile(f"[{''.join(SUPERSCRIPTS.values())}\u2460-\u2473\u2776-\u2793]")
_SPACED_OUT = 3  # blanks in a row, each behind one letter: l e t t e r s


@dataclass(frozen=True, slots=True)
class Match:
    """One place of a quote in a text: characters ``[start, end)`` of the raw text, widened to whole numbers.

    Attributes:
        exact: All characters agree once typesetting is undone, not only letters and digits.
        parity, mismatches: Of the numbers.
        changes: What differs between the letters, beyond typesetting.
        cut: The word or number that the quote begins or ends inside of; empty when it is whole.
        wider: What the place was widened to take in beyond the quote, as a sentence; empty when nothing.
    """

    start: int
    end: int
    exact: bool
    parity: Parity
    mismatches: tuple[Mismatch, ...] = ()
    changes: tuple[WordChange, ...] = ()
    cut: str = ""
    wider: str = ""

    @property
    def passes(self) -> bool:
        return self.parity is Parity.EQUAL and not self.changes and not self.cut

    @property
    def order(self) -> tuple[bool, int, bool, bool, int]:
        """Best first: whole, equal numbers, nothing changed, exact, then the first on the page."""
        return bool(self.cut), _ORDER.index(self.parity), bool(self.changes), not self.exact, self.start


def matches(text: FoldedText, wanted: Wanted) -> Iterator[Match]:
    """All places where the letters and digits of a quote stand in order."""
    at, count = text.letters.text.find(wanted.letters), 0
    while at >= 0 and count < _MOST_HITS:
        yield _Hit(text, wanted, at).match()
        count += 1
        at = text.letters.text.find(wanted.letters, at + 1)


def best(found: Iterator[Match] | list[Match]) -> Match | None:
    """The match to go by."""
    return min(found, key=lambda match: match.order, default=None)


@dataclass(frozen=True)
class _Hit:
    """A place under scrutiny; ``at`` counts letters of the text."""

    text: FoldedText
    wanted: Wanted
    at: int

    def match(self) -> Match:
        plain, count = self.text.plain, len(self.wanted.letters)
        low, high = self.text.letters.original(self.at, self.at + count)
        start, end = plain.original(low, high)
        quoted = self.wanted.folded
        first, last = quoted.letters.original(0, count)
        same = quoted.plain.text[first:last] == plain.text[low:high]
        plainly = same and not _HAS_RAISED.search(self.text.raw, start, end)
        aligned = None if plainly else _Aligned.of(self.text, quoted, self.at, count)
        changes = [] if same or aligned is None else aligned.changes()
        printed = tokens_in(self.text.raw, start, end)
        cut = self._cut_number(printed, start, end) or cut_at(self.wanted, self.text, low, high)
        outer = outer_change(self.wanted, self.text.raw, start, end)
        parity, mismatches = self._numbers(printed, start, end, aligned)
        outside = isinstance(outer, WordChange)
        if isinstance(outer, WordChange):
            changes.append(outer)
        else:
            start, end = outer
        start = min([start, *(token.start for token in printed)])
        end = max([end, *(token.end for token in printed)])
        start, end, wider = widened(self.text.raw, start, end)
        if parity is Parity.DIFFER and _only_plus(mismatches, printed, self.text.raw):
            parity, mismatches, wider = Parity.EQUAL, (), wider or "the quote begins right behind '+'"
        if parity is Parity.DIFFER and not cut and _same_values(mismatches):
            parity, changes = Parity.EQUAL, changes + [WordChange(m.quoted, m.printed, True) for m in mismatches]
            mismatches = ()
        return Match(start, end, same and not outside, parity, mismatches, tuple(changes[:_MOST_CHANGES]), cut, wider)

    def _cut_number(self, printed: list[NumberToken], start: int, end: int) -> str:
        if printed and (printed[0].core_start < start or printed[-1].core_end > end):
            token = printed[0] if printed[0].core_start < start else printed[-1]
            return self.text.raw[token.start : token.end]
        return ""

    def _numbers(
        self, printed: list[NumberToken], start: int, end: int, aligned: _Aligned | None
    ) -> tuple[Parity, tuple[Mismatch, ...]]:
        raw, wanted = self.text.raw, self.wanted
        spaced, tokens = wanted.spaced, wanted.tokens
        if aligned is not None and (marked := aligned.with_marks(wanted.text)) != wanted.text:
            spaced = _BLANKS.sub(" ", marked).strip()
            tokens = list(number_tokens(spaced))
        outcome = compare_numbers(spaced, raw, tokens, printed)
        if outcome[0] is Parity.DIFFER:  # a number and its percent sign may stand on two lines of the page
            outcome = min(outcome, self._without_lines(spaced, start, end), key=_rank)
        return outcome

    def _without_lines(self, spaced: str, start: int, end: int) -> tuple[Parity, tuple[Mismatch, ...]]:
        """The comparison again with the page's line breaks seen as blanks, as the copy has them, and units apart from their numbers.

        It can only make signs less sure.
        """
        raw = self.text.raw
        before, inside, after = (
            _BREAKS_OF_NUMBERS.sub("", _BLANKS.sub(" ", part))
            for part in (raw[max(0, start - 40) : start], raw[start:end], raw[end : end + 20])
        )
        line = before + inside + after
        spaced = _BREAKS_OF_NUMBERS.sub("", spaced)
        printed = tokens_in(line, len(before), len(before) + len(inside))
        return compare_numbers(spaced, line, list(number_tokens(spaced)), printed)


def _rank(outcome: tuple[Parity, tuple[Mismatch, ...]]) -> int:
    return _ORDER.index(outcome[0])


def _only_plus(mismatches: tuple[Mismatch, ...], printed: list[NumberToken], raw: str) -> bool:
    """Whether all that differs is a plus before the first number of the quote, which is part of a sum on the page."""
    if len(mismatches) != 1 or not printed or raw[printed[0].start : printed[0].start + 1] != "+":
        return False
    return (
        mismatches[0].printed
        == raw[printed[0].start : printed[0].end]
        == "+" + (" " if raw[printed[0].start + 1].isspace() else "") + mismatches[0].quoted
    )


def _same_values(mismatches: tuple[Mismatch, ...]) -> bool:
    """Whether all that differs is how numbers are grouped: 1204 and 1,204."""
    for mismatch in mismatches:
        if mismatch.quoted == mismatch.printed:
            return False  # a sign that only its surroundings tell
        one, other = (list(number_tokens(text)) for text in (mismatch.quoted, mismatch.printed))
        if len(one) != 1 or len(other) != 1 or one[0].magnitude is None or one[0].magnitude != other[0].magnitude:
            return False
        if any(getattr(one[0], name) != getattr(other[0], name) for name in ("sign", "parens", "percent", "currency")):
            return False
    return bool(mismatches)


@dataclass(frozen=True)
class _Aligned:
    """A quote and a place of the page, letter beside letter: ranges in the plain texts, and in the raw ones."""

    quoted: FoldedText
    printed: FoldedText
    here: list[tuple[int, int]]
    there: list[tuple[int, int]]

    @classmethod
    def of(cls, printed: FoldedText, quoted: FoldedText, at: int, count: int) -> _Aligned:
        return cls(quoted, printed, quoted.letters.each(0, count), printed.letters.each(at, at + count))

    def changes(self) -> list[WordChange]:
        """What differs beyond typesetting, in order."""
        found = [self._shown(at, at + 1) for at in self._gaps()]
        found += [
            WordChange(word.quoted, word.printed, False) for word in unlike_case(list(self._words())) if word.changed
        ]
        return found

    def _gaps(self) -> Iterator[int]:
        """Letters behind which the two differ."""
        other = self.printed.plain.text
        unlike = [at for at in range(len(self.here) - 1) if self._gap_here(at) != self._gap_there(at)]
        spaced = self._spaced_out(unlike)
        for at in unlike:
            if at in spaced or (
                spaced and self._gap_here(at).replace(" ", "") == self._gap_there(at).replace(" ", "") != ""
            ):
                continue
            quoted = _raw_gap(self.quoted, self.here[at], self.here[at + 1])
            printed = _raw_gap(self.printed, self.there[at], self.there[at + 1])
            around = Around(
                other[self.there[at][1] - 1], other[self.there[at + 1][0]], _word_length(other, self.there[at][1])
            )
            if not same_gap(quoted, printed, around):
                yield at

    def _spaced_out(self, unlike: list[int]) -> set[int]:
        """Gaps of words that are printed, or written, with blanks between their letters; and behind a large first capital."""
        runs: list[list[int]] = []
        for at in unlike:
            if {self._gap_here(at), self._gap_there(at)} != {"", " "}:
                continue
            if runs and runs[-1][-1] == at - 1:
                runs[-1].append(at)
            else:
                runs.append([at])
        long = sum(len(run) >= _SPACED_OUT for run in runs)
        shortest = 1 if long > 1 else _SPACED_OUT - 1 if long else len(unlike) + 1
        return {at for run in runs for at in run if (len(run) >= shortest and self._isolated(run)) or self._capital(at)}

    def _isolated(self, run: list[int]) -> bool:
        """Whether the letters at both ends of a spaced run stand alone too."""
        gap = self._gap_here if self._gap_here(run[0]) else self._gap_there
        ends = [at for at in (run[0] - 1, run[-1] + 1) if 0 <= at < len(self.here) - 1]
        return all(gap(at) for at in ends)

    def _capital(self, at: int) -> bool:
        """C OHEN: the first letter of a word set in small capitals."""
        low, high = self.there[at][1] - 1, self.there[at + 1][0]
        word = self.printed.plain.text[low : low + 1] + self.printed.plain.text[high : high + 2]
        alone = at == 0 or bool(self._gap_here(at - 1) and self._gap_there(at - 1))
        return alone and len(word) == 3 and word.isalpha() and word.isupper()

    def _gap_here(self, at: int) -> str:
        return self.quoted.plain.text[self.here[at][1] : self.here[at + 1][0]]

    def _gap_there(self, at: int) -> str:
        return self.printed.plain.text[self.there[at][1] : self.there[at + 1][0]]

    def _words(self) -> Iterator[CasedWord]:
        """Words of the page: letters and digits with nothing between them."""
        one, other = self.quoted.plain.text, self.printed.plain.text
        start, count = 0, len(self.there)
        for at in range(1, count + 1):
            if at < count and self.there[at][0] <= self.there[at - 1][1]:
                continue
            quoted = "".join(one[low:high] for low, high in dict.fromkeys(self.here[start:at]))
            low, high = self.there[start][0], self.there[at - 1][1]
            printed = other[low:high]
            if quoted.casefold() != printed.casefold():
                quoted = printed  # ё for е, or œ for oe: no change of case
            yield CasedWord(quoted, printed, other[max(0, low - 8) : low], other[high : high + 3])
            start = at

    def _shown(self, first: int, last: int) -> WordChange:
        quoted = _word_around(self.quoted.plain.text, self.here[first][1] - 1, self.here[last][0])
        return WordChange(
            quoted, _word_around(self.printed.plain.text, self.there[first][1] - 1, self.there[last][0]), True
        )

    def with_marks(self, quote: str) -> str:
        """The quote with flat digits as the page has them where those are no digits of a number: note marks, ①; and with its bullets."""
        written = list(quote)
        for at, (low, _) in enumerate(self.there):
            raw, _ = self.printed.plain.original(low, low + 1)
            character = self.printed.raw[raw]
            if character.isdecimal() or not character.isdigit():
                continue
            start, end = self.quoted.plain.original(*self.here[at])
            if not self._is_exponent(raw) and self.quoted.raw[start:end] == str(unicodedata.digit(character)):
                written[start] = character
        for at in self._bulleted():
            written[at] = "\u2022"
        return "".join(written)

    def _is_exponent(self, at: int) -> bool:
        """Whether a raised character of the page belongs to the number before it."""
        text = self.printed.raw
        while at and text[at] in _FLAT:
            at -= 1
        return text[at].isdecimal()

    def _bulleted(self) -> Iterator[int]:
        """Where the quote has a dash, and the page the bullet of a list."""
        for at in range(len(self.here) - 1):
            gap = self._gap_there(at)
            if any(bullet in gap for bullet in BULLETS) and "-" in self._gap_here(at):
                start = self.quoted.plain.original(*self.here[at])[1]
                found = _BULLET_DASH.search(self.quoted.raw, start, self.quoted.plain.original(*self.here[at + 1])[0])
                if found:
                    yield found.start(1)


def _raw_gap(text: FoldedText, one: tuple[int, int], other: tuple[int, int]) -> str:
    return text.raw[text.plain.original(*one)[1] : text.plain.original(*other)[0]]


def _word_length(plain: str, end: int) -> int:
    start = end
    while start and plain[start - 1].isalpha() and end - start < 8:
        start -= 1
    return end - start


def _word_around(plain: str, first: int, last: int) -> str:
    """From the word of one letter to the word of another."""
    low = plain.rfind(" ", max(0, first - 24), first) + 1 or max(0, first - 24)
    high = plain.find(" ", last, last + 24)
    return plain[low : high if high >= 0 else last + 24]
