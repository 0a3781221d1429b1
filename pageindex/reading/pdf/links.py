"""Links from a page to a page of the same document. Printed contents pages matter most; they are found by what they look like."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from pageindex.document import Box, Line, Link
from pageindex.reading.pdf.api import FLOATS, api
from pageindex.reading.pdf.bookmarks import displayed_y, is_inner, resolve
from pageindex.reading.pdf.fonts import Frame

__all__ = ["RawLink", "page_links", "resolved", "worth_reading"]

MOST_LINKS = 2000  #: On one page.
FIRST_PAGES = 24  #: The printed contents stand here, or they are a list with page numbers further back.
FEW_LINES = 5  #: On a page of so few lines every link is read.

_POSITION = ctypes.c_int()
_LINK = ctypes.c_void_p()
_LAST_NUMBER = re.compile(r"(\d{1,4})$")


class RawLink(NamedTuple):
    """A link whose destination is still a handle of the open document. Looking up its page is twenty times as fast once all pages
    have been loaded."""

    page: int
    box: Box
    destination: int


def worth_reading(page: int, index: int, lines: Sequence[Line]) -> bool:
    """Whether a loaded page may be one of the printed contents: near the front, it has a link for every other line, or for some lines
    that end in a number; further back, it is a list whose page numbers rise (those of an index do not)."""
    count = api.FPDFPage_GetAnnotCount(page)
    if count <= 0:
        return False
    ends = sum([line.text[-1].isdigit() for line in lines])
    if index < FIRST_PAGES:
        return len(lines) <= FEW_LINES or 2 * count >= len(lines) or ends >= 3
    if ends < 8 or ends <= 0.4 * len(lines):
        return False
    numbers = [int(match[1]) for line in lines if (match := _LAST_NUMBER.search(line.text))]
    return sum(a <= b for a, b in pairwise(numbers)) >= 0.8 * (len(numbers) - 1)


def page_links(document: int, page: int, index: int, frame: Frame) -> list[RawLink]:
    """The links of a loaded page (``index`` is 0-based) that may lead to a page."""
    found: list[RawLink] = []
    _POSITION.value = 0
    position, link = ctypes.addressof(_POSITION), ctypes.addressof(_LINK)
    for _ in range(MOST_LINKS):
        if not api.FPDFLink_Enumerate(page, position, link):
            break
        handle = _LINK.value
        destination = api.FPDFLink_GetDest(document, handle)
        if not destination and (action := api.FPDFLink_GetAction(handle)) and is_inner(action):
            destination = api.FPDFAction_GetDest(document, action)
        if destination and api.FPDFLink_GetAnnotRect(handle, ctypes.addressof(FLOATS)):
            left, top, right, bottom = FLOATS[:4]
            found.append(RawLink(index, frame.box(left, max(top, bottom), right, min(top, bottom)), destination))
    return found


def resolved(links: Sequence[RawLink], document: int, page_count: int, frames: list[Frame | None]) -> tuple[Link, ...]:
    """The links that lead to a page, in the document's own counting; the document must still be open."""
    found = []
    for link in links:
        target = resolve(document, link.destination, page_count, "explicit")
        if target.page is not None:
            found.append(Link(link.page + 1, link.box, target.page + 1, displayed_y(target, frames)))
    return tuple(found)
