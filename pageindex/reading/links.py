"""Links from a page to a page of the same document. Printed contents pages matter most; they are found by what they look like."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import NamedTuple

from pageindex.document import Box, Line
from pageindex.reading.bookmarks import Target, action_target, resolve
from pageindex.reading.pdfium_api import FLOATS, api
from pageindex.reading.pdfium_fonts import Frame

__all__ = ["RawLink", "page_links", "worth_reading"]

MOST_LINKS = 2000  #: On one page.
FIRST_PAGES = 24  #: Links on the first pages are always read.

_POSITION = ctypes.c_int()
_LINK = ctypes.c_void_p()


class RawLink(NamedTuple):
    """A link with its target still in page coordinates."""

    page: int
    box: Box
    target: Target


def worth_reading(index: int, lines: Sequence[Line]) -> bool:
    """Whether a page is near the front, or looks like a list with page numbers."""
    if index < FIRST_PAGES:
        return True
    ends = sum(line.text[-1].isdigit() for line in lines)
    return ends >= 8 and ends > 0.4 * len(lines)


def page_links(document: int, page: int, index: int, frame: Frame, page_count: int) -> list[RawLink]:
    """The links of a loaded page (``index`` is 0-based) that lead to a page."""
    found: list[RawLink] = []
    _POSITION.value = 0
    position, link = ctypes.addressof(_POSITION), ctypes.addressof(_LINK)
    for _ in range(MOST_LINKS):
        if not api.FPDFLink_Enumerate(page, position, link):
            break
        handle = _LINK.value
        destination = api.FPDFLink_GetDest(document, handle)
        if destination:
            target = resolve(document, destination, page_count, "explicit")
        else:
            action = api.FPDFLink_GetAction(handle)
            target = action_target(document, action, page_count) if action else Target(None, None, "none")
        if target.page is not None and api.FPDFLink_GetAnnotRect(handle, ctypes.addressof(FLOATS)):
            left, top, right, bottom = FLOATS[:4]
            found.append(RawLink(index, frame.box(left, max(top, bottom), right, min(top, bottom)), target))
    return found
