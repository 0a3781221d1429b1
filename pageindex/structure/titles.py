"""Titles as text: cleaned for people, folded for comparing."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from rapidfuzz import fuzz

from pageindex.structure.numbering.marks import parse
from pageindex.text import normal

__all__ = ["MAX_TITLE", "clean", "fold_title", "join", "near_equal", "shorten"]

MAX_TITLE = 200  #: Characters of the longest title; the full line stays in the text.

_HYPHENS = "-\u00ad\u2010\ufffe\u0002"


def _visible(char: str) -> bool:
    return unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn")


def clean(text: str) -> str:
    """One line: control and format characters removed, space folded, at most ``MAX_TITLE`` characters."""
    if not text.isprintable():
        text = "".join(c if c.isspace() or c in "\u200c\u200d" or _visible(c) else "" for c in text)
    return shorten(" ".join(text.split()))


def shorten(text: str) -> str:
    """At most ``MAX_TITLE`` characters, cut between words where there are words, with an ellipsis."""
    if len(text) <= MAX_TITLE:
        return text
    cut = text[: MAX_TITLE - 1]
    space = cut.rfind(" ", MAX_TITLE // 2)
    return (cut[:space] if space > 0 else cut).rstrip() + "…"


def join(lines: Sequence[str]) -> str:
    """The lines of one heading as one title: a hyphen at a line end is undone before a lower-case letter, else a space stands between.

    Scripts that are written without spaces are joined without one.
    """
    whole = ""
    for line in lines:
        text = line.strip()
        if not whole or not text:
            whole += text
        elif whole[-1] in _HYPHENS and len(whole) > 1 and whole[-2].isalpha():
            whole = whole[:-1] + text if text[0].islower() else whole + text
        elif _unspaced(whole[-1]) and _unspaced(text[0]):
            whole += text
        else:
            whole += " " + text
    return clean(whole)


def _unspaced(char: str) -> bool:
    return "\u2e80" <= char <= "\u9fff" or "\uf900" <= char <= "\uffef" or char >= "\U00020000"


def fold_title(title: str) -> str:
    """Folded, without its number; the whole title folded where nothing else would be left."""
    number = parse(title.strip())
    return (normal.title(title.strip()[number.end :]) if number is not None else "") or normal.title(title)


def near_equal(one: str, other: str) -> bool:
    """Whether two folded titles are one: equal, or alike but for a letter in ten or so. Short ones must be equal.

    A looser bar would delete real sections ("Methods 1", "Methods 2"): differing digits never pass.
    """
    if one == other:
        return bool(one)
    if min(len(one), len(other)) < 8 or fuzz.ratio(one, other, score_cutoff=92) == 0:
        return False
    return _digits(one) == _digits(other)


def _digits(text: str) -> str:
    return "".join(filter(str.isdecimal, text))
