"""Right-to-left text in visual order: told by letters that can only end, or only begin, a word.

PDFium turns what is drawn from left to right into logical order, so a page in visual order is rare: one whose producer reversed the
text a second time. Such a page is flagged, its anchor stays as it is.
"""

from __future__ import annotations

import re

__all__ = ["logical", "reversed_share"]

#: Hebrew final letters, and Arabic presentation forms of a letter's end (final) and start (initial), by Unicode name.
_WORD = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]{2,}")
_HEBREW_FINAL = frozenset("\u05da\u05dd\u05df\u05e3\u05e5")


def reversed_share(text: str) -> float:
    """Share of the telling words that read backwards: 0 for logical order, 1 for visual order; 0 too when no word tells."""
    forward = backward = 0
    for word in _WORD.findall(text):
        first, last = _role(word[0]), _role(word[-1])
        forward += last == "end" or first == "start"
        backward += first == "end" or last == "start"
    return backward / (forward + backward) if backward else 0.0


def _role(char: str) -> str:
    if char in _HEBREW_FINAL:
        return "end"
    if "\ufe70" <= char <= "\ufefc" or "\ufb50" <= char <= "\ufdff":
        import unicodedata

        form = unicodedata.decomposition(char).partition(">")[0]
        return {"<final": "end", "<initial": "start"}.get(form, "")
    return ""


def logical(text: str) -> str:
    """A line in visual order as it is read: right-to-left stretches turned round, their order too, numbers kept."""
    parts = re.findall("[0-9]+(?:[.,:][0-9]+)*|[A-Za-z][A-Za-z0-9 ]*[A-Za-z0-9]|.", text, re.DOTALL)
    return "".join(reversed(parts))
