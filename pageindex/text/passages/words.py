"""The words of a passage as they are read: on one line, and still mapped to the page."""

from __future__ import annotations

import re

from pageindex.document import Edition, Passage
from pageindex.text.delivery import Delivery
from pageindex.text.shown import shown_page

__all__ = ["heads_words", "passage_delivery", "passage_words"]

_BREAK = re.compile(r"[ \t]*\n\s*")
_WIDE = re.compile("[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")


def passage_delivery(edition: Edition, passage: Passage) -> Delivery:
    """A passage on one line; its characters know the bytes they came from."""
    return _flat(shown_page(edition, passage.page, passage.start, passage.end))


def passage_words(edition: Edition, passage: Passage) -> str:
    """The words of a passage, on one line."""
    return passage_delivery(edition, passage).text


def heads_words(edition: Edition, passage: Passage) -> str:
    """What stands over a row, from top to bottom, with ``/`` between; empty for anything else."""
    parts = (_flat(shown_page(edition, passage.page, *head)).text for head in passage.heads)
    return " / ".join(part for part in parts if part)


def _flat(read: Delivery) -> Delivery:
    text = read.text
    changes = [
        (match.start(), match.end(), "" if _glued(text, *match.span()) else " ") for match in _BREAK.finditer(text)
    ]
    return read.replaced(changes) if changes else read


def _glued(text: str, start: int, end: int) -> bool:
    """Whether a line break stands within a text that is written without blanks."""
    return bool(_WIDE.match(text, max(0, start - 1)) and _WIDE.match(text, end))
