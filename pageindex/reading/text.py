"""Plain text: pages at form feeds and by size. Only underlined titles are marked headings; the rest is for layout to find."""

from __future__ import annotations

import re

from pageindex.document import Edition, Extractor, Source
from pageindex.limits import DEFAULT_LIMITS, Limits
from pageindex.reading.virtual import decode_text, make_edition

__all__ = ["read"]

EXTRACTOR = Extractor("text", "1")

_FORM_FEED = re.compile(r"\f")


def read(data: bytes, source: Source, limits: Limits = DEFAULT_LIMITS) -> Edition:
    """Read plain text. Raises DamagedFileError when empty, UnsupportedFormatError when the bytes are no text."""
    text, note = decode_text(data, source.name)
    cuts = [match.end() for match in _FORM_FEED.finditer(text) if match.end() < len(text)]
    return make_edition(source, EXTRACTOR, text, (), limits, cuts=cuts, notes=[note] if note else (), marked=False)
