"""The one state in which a page ends, and the flags that its text alone can raise."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from pageindex.document import Flag, PageState

__all__ = ["bad_share", "text_state"]

#: Share of characters that mean nothing, from which on a page is garbled (spec: evidence, section 1).
GARBLED_SHARE = 0.01

_HARMLESS = frozenset("\t\r\n\x02\x0b\x0c\xad")


@lru_cache(maxsize=4096)
def _means_nothing(char: str) -> bool:
    return char == "\ufffd" or (char not in _HARMLESS and unicodedata.category(char) in ("Cc", "Co", "Cn", "Cs"))


def bad_share(text: str) -> float:
    """Share of the non-space characters that are control, private, unassigned or replacement characters."""
    bad = [char for char in set(text) if _means_nothing(char)]
    if not bad:
        return 0.0
    solid = sum(not char.isspace() for char in text)
    return sum(text.count(char) for char in bad) / max(solid, 1)


def text_state(text: str) -> tuple[PageState, tuple[Flag, ...]]:
    """State and flags of a page that has text."""
    share = bad_share(text)
    if share > GARBLED_SHARE:
        return PageState.GARBLED, (Flag("garbled", {"bad_share": round(share, 4)}),)
    return PageState.TEXT, ()
