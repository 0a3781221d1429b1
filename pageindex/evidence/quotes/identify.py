"""Whether a quote is long enough, and rare enough, to point to one place."""

from __future__ import annotations

from pageindex.evidence.quotes.located import Located
from pageindex.text.folding import fold, joins_words

__all__ = ["identifies", "too_short"]

_CHARACTERS, _WORDS, _UNSPACED = 40, 6, 20


def too_short(quote: str) -> bool:
    """Under 40 folded characters or six words; under 20 characters for a script that puts no spaces between words."""
    plain = fold(quote).text.strip()
    unspaced = sum(c.isalpha() and not joins_words(c) for c in plain)
    if 2 * unspaced > sum(c.isalpha() for c in plain):
        return len(plain) < _UNSPACED
    return len(plain) < _CHARACTERS or len(plain.split()) < _WORDS


def identifies(located: Located) -> str:
    """Why a located quote does not point to one place; empty when it does. Running lines are not places of their own."""
    if too_short(located.quote):
        return f"a quote needs {_CHARACTERS} characters and {_WORDS} words to point to one place"
    if len(located.found_pages) > 1:
        return f"printed on pages {', '.join(map(str, located.found_pages[:5]))}"
    if len(located.places) > 1:
        return f"printed {len(located.places)} times on page {located.page}"
    return ""
