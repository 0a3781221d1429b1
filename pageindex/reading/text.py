"""Plain text: pages at form feeds and by size. Only underlined titles are marked headings; the rest is for layout to find."""

from __future__ import annotations

import re

from pageindex.document import Edition, Extractor, Source
from pageindex.limits import DEFAULT_LIMITS, Limits
from pageindex.reading.decoding import decode_text
from pageindex.reading.virtual import Content, make_edition

__all__ = ["read"]

EXTRACTOR = Extractor("text", "2")

_FORM_FEED = re.compile(r"\f")


def read(data: bytes, source: Source, limits: Limits = DEFAULT_LIMITS) -> Edition:
    """Read plain text. Raises DamagedFileError when empty, UnsupportedFormatError when the bytes are no text."""
    decoded = decode_text(data, source.name)
    text = decoded.text
    cuts = [match.end() for match in _FORM_FEED.finditer(text) if match.end() < len(text)]
    content = Content(text, cuts=cuts, notes=decoded.notes, marked=False, guessed=decoded.guessed)
    return make_edition(source, EXTRACTOR, content, limits)
