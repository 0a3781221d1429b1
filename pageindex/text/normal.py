"""The one normaliser: what a text says for a purpose, each purpose a profile with a name.

===========  ======================================================================================================
``quote``    what typesetting and copying do to text is undone; case is kept. With its map to the page: ``folding``
``title``    letters and digits only, compatibility forms folded, no case: a title beside a line of a page
``heading``  as ``title``, of text whose line-end hyphens are undone first: a proposed title beside a run of lines
``search``   no case, diacritics, ligatures and line-end hyphens; words and lines stay apart
``plain``    as ``search``, in one decomposed form: words compared without their accents
===========  ======================================================================================================

None is used for numbers: NFKC turns 10² into 102, and letters and digits alone erase minus signs.
"""

from __future__ import annotations

import re
import unicodedata

from pageindex.text.folding import fold, skeleton_text

__all__ = ["heading", "plain", "quote", "search", "title"]

_LOWER = bytes(range(256)).lower()
_NO_NAME = bytes(code for code in range(128) if not chr(code).isalnum())
#: A hyphen at a line's end within a word; U+0002 stands for it in editions of the first text version.
_BROKEN = re.compile("(?<=[^\\W\\d_])[-\u2010\u00ad]\n(?=[^\\W\\d_])|\x02\\s*")
_BREAKING = ("-\n", "\u2010\n", "\u00ad\n", "\x02")
_MARKS = re.compile("[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]+")
_RAISED = re.compile("(?<=\\w)[⁰¹²³⁴-⁹]+")  # the mark of a note, or an exponent, is no part of the word before it
_LOOSE_ACCENT = re.compile(
    "[\u02c2-\u02df]|(?<=\\w)[\u00b4\u00a8\u00af\u00b8`^~](?=\\w)"
)  # drawn apart from its letter


def quote(text: str) -> str:
    """What a text says once typesetting is undone; case is kept."""
    return fold(text).text


def title(text: str) -> str:
    """Letters and digits only, compatibility forms folded, no case."""
    if text.isascii():
        return text.encode().translate(_LOWER, _NO_NAME).decode()  # a fifth of what translating the string costs
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))


def heading(text: str) -> str:
    """Letters and digits only, line-end hyphens undone: an outline words the punctuation of a heading in its own way."""
    return "".join(filter(str.isalnum, skeleton_text(fold(text).text)))


def search(text: str) -> str:
    """The text without case, diacritics, ligatures and line-end hyphens; same words in the same order, lines kept."""
    if any(sign in text for sign in _BREAKING):
        text = _BROKEN.sub("", text)
    if text.isascii():
        return text.lower()
    found = _MARKS.sub("", unicodedata.normalize("NFKD", _RAISED.sub(r" \g<0>", text)))
    return unicodedata.normalize("NFC", found).casefold()


def plain(text: str) -> str:
    """The text without case and without any accent, those drawn beside their letter included."""
    found = unicodedata.normalize("NFKD", _LOOSE_ACCENT.sub("", text.casefold()))
    return "".join(c for c in found if not unicodedata.combining(c))
