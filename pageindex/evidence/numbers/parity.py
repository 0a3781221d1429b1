"""Whether a quote and the raw text it was matched with say the same numbers.

The match itself has made every character equal but spaces, hyphens, case and compatibility forms; what is left to compare is what those
hide: a sign, a superscript, two numbers run into one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from pageindex.evidence.numbers.tokens import GROUP_SPACES, NumberToken, Sign, number_tokens

__all__ = ["Mismatch", "Parity", "compare_numbers", "tokens_in"]

_UNGROUPED = str.maketrans(dict.fromkeys(GROUP_SPACES, " "))
_DASHED = (Sign.MINUS, Sign.RANGE, Sign.HYPHEN, Sign.AMBIGUOUS)


class Parity(StrEnum):
    """The outcome of a comparison, from best to worst."""

    EQUAL = "equal"
    SIGN_AMBIGUOUS = "sign_ambiguous"
    DIFFER = "differ"


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A number of the quote beside the one on the page; either side is empty where it has none."""

    quoted: str
    printed: str


def tokens_in(text: str, start: int, end: int) -> list[NumberToken]:
    """The number tokens of ``text`` whose core touches ``[start, end)``, read in the context of their whole lines."""
    low = text.rfind("\n", 0, max(0, start - 1)) + 1
    high = text.find("\n", end)
    high = len(text) if high < 0 else min(len(text), high + 8)
    return [
        _moved(token, low)
        for token in number_tokens(text[low:high])
        if token.core_start + low < end and token.core_end + low > start
    ]


def _moved(token: NumberToken, by: int) -> NumberToken:
    return replace(
        token,
        start=token.start + by,
        end=token.end + by,
        core_start=token.core_start + by,
        core_end=token.core_end + by,
    )


def compare_numbers(
    quote: str, raw: str, quoted: Sequence[NumberToken], printed: Sequence[NumberToken]
) -> tuple[Parity, tuple[Mismatch, ...]]:
    """Compare the ordered numbers of a quote and of its raw span; the tokens' offsets refer to ``quote`` and ``raw``."""
    if len(quoted) != len(printed) and any(space in raw or space in quote for space in GROUP_SPACES):
        quoted = list(number_tokens(quote.translate(_UNGROUPED)))
        low, high = (printed[0].core_start, printed[-1].core_end) if printed else (0, 0)
        printed = tokens_in(raw.translate(_UNGROUPED), low, high)
    worst, mismatches = Parity.EQUAL, []
    for index in range(max(len(quoted), len(printed))):
        one = quoted[index] if index < len(quoted) else None
        other = printed[index] if index < len(printed) else None
        outcome = _pair(one, other, index == 0 and one is not None and _opens(quote, one))
        if outcome is not Parity.EQUAL:
            mismatches.append(Mismatch(_words(quote, one), _words(raw, other)))
            worst = outcome if outcome is Parity.DIFFER or worst is Parity.EQUAL else worst
    return worst, tuple(mismatches)


def _opens(quote: str, token: NumberToken) -> bool:
    """Whether a quote begins with a number, so that a dash before it on the page lies outside the quote."""
    return not any(c.isalnum() for c in quote[: token.core_start])


def _words(text: str, token: NumberToken | None) -> str:
    return text[token.start : token.end] if token else ""


def _pair(quoted: NumberToken | None, printed: NumberToken | None, first: bool) -> Parity:
    if quoted is None or printed is None or _face(quoted) != _face(printed):
        return Parity.DIFFER
    return _signs(quoted, printed, first)


def _face(token: NumberToken) -> tuple[str, str, str, str, bool]:
    return token.core, token.superscript, token.footnote, token.percent, token.parens


def _signs(one: NumberToken, other: NumberToken, first: bool) -> Parity:
    """A quote may lose the line structure that made a dash a minus; it may not lose, gain or harden the dash itself.

    A minus glued to its number has no blank to lose: before "- -2" the quote "- 2" has lost a sign.
    """
    quoted, printed = one.sign, other.sign
    if quoted is printed:
        return Parity.EQUAL
    if quoted is Sign.AMBIGUOUS and printed in _DASHED and (other.apart or printed is not Sign.MINUS):
        return Parity.EQUAL
    if printed is Sign.AMBIGUOUS:
        if quoted in (Sign.RANGE, Sign.HYPHEN):
            return Parity.EQUAL
        if quoted is Sign.MINUS or (quoted is Sign.NONE and first):
            return Parity.SIGN_AMBIGUOUS
    return Parity.DIFFER
