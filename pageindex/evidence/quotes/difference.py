"""How far a text is from a quote, and in which words: the two last matchers.

No word list decides what matters. Any changed, dropped or added word or digit alters a quote; only punctuation is cosmetic. A score alone
decides nothing: one changed digit in a long quote still scores above 99.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["NEAR_SCORE", "Difference", "WordChange", "compare"]

NEAR_SCORE = 95.0  #: Partial-ratio score from which a text counts as the same passage.
_LONG = 400  # characters, from which on a quote is aligned by its words: by characters takes time with the cube of its length
_SLACK = 8  # words that may be dropped or put in besides
_MEANING = frozenset("%‰$€£¥<>=±+/×÷*≤≥~≈^°§&@#")
_WORDS = re.compile(r"\S+")
_NOT_WORD = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class WordChange:
    """Words of the quote beside the words printed there instead; either may be empty."""

    quoted: str
    printed: str
    cosmetic: bool


@dataclass(frozen=True, slots=True)
class Difference:
    """The passage most like a quote: ``score`` 0-100, characters ``[start, end)`` of the folded text, and what differs."""

    score: float
    start: int
    end: int
    changes: tuple[WordChange, ...] = ()

    @property
    def cosmetic(self) -> bool:
        return all(change.cosmetic for change in self.changes)


def compare(quote: str, text: str) -> Difference:
    """The best alignment of a folded quote in a folded text (rapidfuzz partial ratio), with its word diff where it is near."""
    from rapidfuzz import fuzz

    if not text or not quote:
        return Difference(0.0, 0, 0)
    if len(text) < len(quote):
        return _with_diff(quote, text, fuzz.ratio(quote, text), 0, len(text))
    if len(quote) > _LONG:
        start, end = _by_words(quote, text)
        return _with_diff(quote, text, fuzz.ratio(quote, text[start:end]), start, end)
    found = fuzz.partial_ratio_alignment(quote, text)
    if found is None:
        return Difference(0.0, 0, 0)
    return _with_diff(quote, text, found.score, found.dest_start, found.dest_end)


def _by_words(quote: str, text: str) -> tuple[int, int]:
    """Where a long quote stands in a text, told from the words that both have in one order: the time grows with the square of the words.

    The longest stretch of words in common says where about; what both have in common near there, where it begins and ends.
    """
    from rapidfuzz.distance import Levenshtein

    spans = [[match.span() for match in _WORDS.finditer(one)] for one in (quote, text)]
    words = [[one[low:high] for low, high in found] for one, found in zip((quote, text), spans, strict=True)]
    same = [(s.dest_start, s.dest_end, s.src_start) for s in Levenshtein.opcodes(*words) if s.tag == "equal"]
    if not same:
        return 0, min(len(text), len(quote))
    anchor = max(same, key=lambda block: block[1] - block[0])
    slack = max(_SLACK, len(words[0]) // 8)
    first, last = anchor[0] - anchor[2] - slack, anchor[0] - anchor[2] + len(words[0]) + slack
    near = [block for block in same if first <= block[0] and block[1] <= last]
    low, high = max(0, near[0][0] - near[0][2]), near[-1][1]
    high = min(len(words[1]), high + len(words[0]) - near[-1][2] - (near[-1][1] - near[-1][0]))
    return spans[1][low][0], spans[1][max(low, high - 1)][1]


def _with_diff(quote: str, text: str, score: float, start: int, end: int) -> Difference:
    if score < NEAR_SCORE:
        return Difference(score, start, end)
    words = [match.span() for match in _WORDS.finditer(text)]
    inside = [i for i, (low, high) in enumerate(words) if high > start and low < end]
    windows = [
        words[max(0, inside[0] - before) : inside[-1] + 1 + after] for before in (0, 1) for after in (0, 1)
    ]  # the alignment may begin or end a word too late or too early
    diffs = [(_word_diff(quote.split(), [text[low:high] for low, high in window]), window) for window in windows]
    (changes, kept), window = min(diffs, key=lambda item: _cost(item[0][0]))
    return Difference(score, window[kept[0]][0], window[kept[1] - 1][1], changes)


def _cost(changes: Sequence[WordChange]) -> tuple[int, int, int]:
    return (
        sum(not change.cosmetic for change in changes),
        len(changes),
        sum(len(change.printed) for change in changes),
    )


def _word_diff(quoted: Sequence[str], printed: Sequence[str]) -> tuple[tuple[WordChange, ...], tuple[int, int]]:
    """The changes, and the range of printed words they span; printed words beyond the quote's ends are no change."""
    from rapidfuzz.distance import Levenshtein

    steps = [(s.tag, s.src_start, s.src_end, s.dest_start, s.dest_end) for s in Levenshtein.opcodes(quoted, printed)]
    low, high = 0, len(printed)
    if steps and steps[0][0] == "insert":
        low = steps.pop(0)[4]
    if steps and steps[-1][0] == "insert":
        high = steps.pop()[3]
    changes = [
        WordChange(" ".join(quoted[a:b]), " ".join(printed[c:d]), _is_cosmetic(quoted[a:b], printed[c:d]))
        for tag, a, b, c, d in steps
        if tag != "equal"
    ]
    return tuple(changes), (low, max(high, low + 1))


def _is_cosmetic(quoted: Sequence[str], printed: Sequence[str]) -> bool:
    a, b = "".join(quoted), "".join(printed)
    if any(c.isnumeric() for c in a + b) or _MEANING & set(a) != _MEANING & set(b):
        return False
    return _NOT_WORD.sub("", a).casefold() == _NOT_WORD.sub("", b).casefold()
