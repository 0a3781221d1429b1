"""Raised digits: known from their code point, from the way they are typed, or only from where they stand on the page.

A page's text has 10² as 102 where the 2 is a plain digit set smaller and higher. Here such digits are written as superscripts, one
character for one, so that offsets stay; then exponents compare as what they are, and note marks can be left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pageindex.document import Edition, Line
from pageindex.document.offsets import char_of, encoded
from pageindex.evidence.characters import Character
from pageindex.evidence.lines import page_lines
from pageindex.evidence.numbers.superscripts import raised_bytes
from pageindex.text.folding import joins_words

__all__ = ["SUPERSCRIPTS", "flattened", "marks_in", "printed_text", "typed_text"]

SUPERSCRIPTS = dict(zip("0123456789+-\u2212=()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾", strict=True))
_RAISED_LETTERS = dict(zip("abcdefghijklmnoprstuvwxyz", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ", strict=True))
_FLAT = {ord(raised): plain for plain, raised in SUPERSCRIPTS.items()}
_RAISE = {**SUPERSCRIPTS, **_RAISED_LETTERS}
_UNSEEN = "\u2060"  # takes the place of what is only a way of typing, or is left out

_TYPED = re.compile(
    r"(?P<base>[\w)\]])(?P<mark> ?\^ ?|\*\*)(?:\{(?P<braced>[-+\u2212]?\d+)\}|\((?P<bracketed>[-+\u2212]?\d+)\)|(?P<bare>[-+\u2212]?\d+)(?![.,]?\d))"
)
_TAGGED = re.compile(r"(?P<base>)<sup>\s*(?P<bare>[-+\u2212]?\d+)\s*</sup>", re.IGNORECASE)
_WIDE = re.compile("[\uff01-\uff5d]")
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5E)}
_MARKED = re.compile(r"[\^*<]")

_SMALLER = 0.85  # of the size of the text before
_MARK = re.compile(f"(?:[⁰¹²³⁴-⁹{''.join(_RAISED_LETTERS.values())}](?:,[⁰¹²³⁴-⁹])?){{1,4}}")
_SURE_WORD = 4  # letters; behind a shorter one a smaller digit may be lowered, or an exponent: CO₂, km²
_CLOSED = re.compile(r"[.,;:!?\"'”’»%]")
#: Functions and units of three letters, behind which a raised digit is an exponent.
_TAKES_EXPONENT = frozenset(
    [
        "sin",
        "cos",
        "tan",
        "cot",
        "sec",
        "csc",
        "log",
        "exp",
        "det",
        "dim",
        "max",
        "min",
        "ker",
        "lim",
        "deg",
        "rad",
        "mol",
        "bar",
        "sup",
        "inf",
        "mod",
        "gcd",
        "var",
        "cov",
        "std",
    ]
)
_WORD_BEFORE = re.compile(r"[^\W\d_]+\Z")


def typed_text(text: str, *, keep_length: bool = False) -> str:
    """The text with full-width letters, digits and marks as usual ones, and ``10^2``, ``10**2``, ``10^{2}`` and ``10<sup>2</sup>`` written as ``10²``.

    With ``keep_length`` the marks become invisible characters, so that offsets stay.
    """
    text = text.translate(_FULL_WIDTH) if _WIDE.search(text) else text
    if not _MARKED.search(text):
        return text

    def raised(match: re.Match[str]) -> str:
        groups = match.groupdict()
        digits = groups.get("braced") or groups.get("bracketed") or groups["bare"]
        new = groups["base"] + "".join(SUPERSCRIPTS[c] for c in digits)
        return new + _UNSEEN * (len(match.group()) - len(new)) if keep_length else new

    return _TAGGED.sub(raised, _TYPED.sub(raised, text))


def flattened(text: str) -> str:
    """Superscripts as plain characters."""
    return text.translate(_FLAT)


def printed_text(edition: Edition, number: int, characters: Sequence[Character] | None = None) -> str:
    """A page's text with its raised digits as superscripts, as long as the text itself.

    Args:
        edition: The edition.
        number: The page.
        characters: Where the page's characters stand. Without them only what the sizes within a line show is known: a smaller digit
            behind a digit, or behind a whole word.
    """
    page = edition.page(number)
    text = typed_text(page.text, keep_length=True)
    if characters is not None:
        places = _character_offsets(page.text, sorted(raised_bytes(characters)))
    else:
        places = [
            at
            for group in _groups(_smaller(edition, number, page.text))
            if _raised_for_sure(page.text, group[0])
            for at in group
        ]
    if not places:
        return text
    written = list(text)
    for at in places:
        written[at] = _RAISE.get(written[at], written[at])
    return "".join(written)


def _character_offsets(text: str, starts: Iterable[int]) -> list[int]:
    if text.isascii():
        return [byte for byte in starts if byte < len(text)]
    data = encoded(text)
    return [at for byte in starts if (at := char_of(data, byte)) < len(text)]


def _smaller(edition: Edition, number: int, text: str) -> list[int]:
    """Digits set in a run that is smaller than the one before it, as characters of the page."""
    found = []
    for line in page_lines(edition, number):
        if len(line.runs) > 1:
            small = _smaller_in(line)
            start = _character_offsets(text, [line.start])[0] if small else 0
            found += [start + at for at in small if text[start + at : start + at + 1] == line.text[at]]
    return found


def _groups(places: Iterable[int]) -> list[list[int]]:
    """Neighbours together: what they are is decided by what stands before the first."""
    groups: list[list[int]] = []
    for at in places:
        if groups and at == groups[-1][-1] + 1:
            groups[-1].append(at)
        else:
            groups.append([at])
    return groups


def _smaller_in(line: Line) -> list[int]:
    ends = [run.start for run in line.runs[1:]] + [len(line.text)]
    found, size = [], line.runs[0].size
    for run, end in zip(line.runs[1:], ends[1:], strict=True):
        if run.size < _SMALLER * size:
            found += [at for at in range(run.start, end) if line.text[at].isdecimal()]
        else:
            size = run.size
    return found


def _raised_for_sure(text: str, at: int) -> bool:
    """Smaller behind a digit or a long word means raised; behind a short word it may be lowered (CO₂)."""
    before = text[at - 1 : at]
    return before.isdecimal() or bool(_CLOSED.match(before)) or _is_word(text[max(0, at - 40) : at], _SURE_WORD)


def _is_word(context: str, shortest: int = 3) -> bool:
    """Whether a text ends in an ordinary word, which takes note marks and no exponents."""
    found = _WORD_BEFORE.search(context)
    return bool(found and len(found.group()) >= shortest and found.group().lower() not in _TAKES_EXPONENT)


def marks_in(printed: str) -> tuple[str, list[tuple[int, bool]]] | None:
    """A printed text without what may be note marks, as long as it was; and where they stood, with whether they can be nothing else.

    Raised characters behind a number are its exponent, and stay. None where there are no marks.
    """
    found: list[tuple[int, bool]] = []

    def left_out(match: re.Match[str]) -> str:
        context = printed[max(0, match.start() - 40) : match.start()].rstrip(" \u00a0")
        before = context[-1:]
        if not before.strip() or before.isdecimal() or before in SUPERSCRIPTS.values():
            return match.group()
        unspaced = before.isalpha() and not joins_words(before)
        found.append((match.start(), unspaced or bool(_CLOSED.match(before)) or _is_word(context)))
        length = len(match.group())
        glued = before.isalpha() and printed[match.end() : match.end() + 1].isalpha()
        return _UNSEEN * (length - 1) + (" " if glued else _UNSEEN)

    text = _MARK.sub(left_out, printed)
    return (text, found) if found else None
