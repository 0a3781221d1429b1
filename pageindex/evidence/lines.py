"""The lines of one page, found without walking the whole document each time."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from pageindex.document import Box, Edition, Line
from pageindex.document.offsets import byte_size

__all__ = ["page_lines"]

_LINE = re.compile(r"[^\r\n]+")


def page_lines(edition: Edition, number: int) -> Sequence[Line]:
    """The lines of a page in reading order. An edition without lines gets those of its text, without places."""
    lines = edition.lines
    first = bisect_left(lines, number, key=lambda line: line.page)
    last = bisect_left(lines, number + 1, lo=first, key=lambda line: line.page)
    return lines[first:last] or _text_lines(edition, number)


def _text_lines(edition: Edition, number: int) -> list[Line]:
    text, found, position, byte = edition.page(number).text, [], 0, 0
    for match in _LINE.finditer(text):
        byte += byte_size(text[position : match.start()])
        end = byte + byte_size(match.group())
        found.append(Line(number, byte, end, match.group(), Box(0, 0, 0, 0), 0.0, 0))
        position, byte = match.end(), end
    return found
