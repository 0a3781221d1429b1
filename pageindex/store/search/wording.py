"""From the text of a page, a title or a query to the text whose words are searched: one way for all three."""

from __future__ import annotations

import re

from pageindex.text import normal

__all__ = ["searchable"]

_SOFT = "\u00ad"
#: A word set with a space after each letter; a wider gap ends it. Four letters at least: initials and lists of letters are no word.
_SPACED_OUT = re.compile(r"(?<![^\W_])[^\W\d_](?: [^\W\d_]){3,40}(?![^\W_])")
#: What such a word has in its midst: quick to look for, for it begins with a blank.
_MIDST = re.compile(r" [^\W\d_] [^\W\d_] ")


def searchable(text: str) -> str:
    """The text folded for search, hyphens that only may be shown taken out, words that are set letter by letter joined."""
    if _SOFT in text:
        text = text.replace(_SOFT + "\n", "").replace(_SOFT, "")
    folded = normal.search(text)
    return _SPACED_OUT.sub(_joined, folded) if _MIDST.search(folded) else folded


def _joined(found: re.Match[str]) -> str:
    return found.group().replace(" ", "")
