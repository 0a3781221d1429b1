"""What is drawn on a page besides text: pictures and paths, with their share of the page."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

from pageindex.reading.pdfium_api import FLOATS, api
from pageindex.reading.pdfium_fonts import Frame

__all__ = ["Drawing", "look_at"]

_TEXT, _PATH, _IMAGE, _SHADING, _FORM = 1, 2, 3, 4, 5  # FPDF_PAGEOBJ_*

#: Objects looked at on one page; beyond these the shares are lower bounds.
MOST_OBJECTS = 3000

_DEEPEST_FORM = 8

_F0 = ctypes.addressof(FLOATS)


@dataclass
class Drawing:
    """Counts of objects by kind, and what pictures cover.

    Attributes:
        image_share, largest_image: Area of all pictures, and of the largest, over the page's area; 0-1, overlaps counted twice up to 1.
    """

    texts: int = 0
    paths: int = 0
    images: int = 0
    image_share: float = 0.0
    largest_image: float = 0.0

    @property
    def anything(self) -> bool:
        return bool(self.texts or self.paths or self.images)


def look_at(page: int, frame: Frame) -> Drawing:
    """Look through the objects of a loaded page, into its forms too."""
    drawing, left = Drawing(), MOST_OBJECTS
    area = max((frame.right - frame.left) * (frame.top - frame.bottom), 1.0)
    stack = [(page, 0, 0, api.FPDFPage_CountObjects(page))]
    while stack and left > 0:
        holder, depth, index, count = stack.pop()
        if index >= count:
            continue
        stack.append((holder, depth, index + 1, count))
        item = api.FPDFFormObj_GetObject(holder, index) if depth else api.FPDFPage_GetObject(holder, index)
        left -= 1
        kind = api.FPDFPageObj_GetType(item) if item else 0
        if kind == _FORM:
            if depth < _DEEPEST_FORM:
                stack.append((item, depth + 1, 0, api.FPDFFormObj_CountObjects(item)))
        elif kind == _IMAGE:
            # A picture inside a form is measured in the form's coordinates; nothing better is known of it than that it is there.
            share = _share(item, frame, area) if depth == 0 else _form_share(stack, frame, area)
            drawing.images += 1
            drawing.image_share = min(drawing.image_share + share, 1.0)
            drawing.largest_image = max(drawing.largest_image, share)
        elif kind == _TEXT:
            drawing.texts += 1
        elif kind in (_PATH, _SHADING):
            drawing.paths += 1
    return drawing


def _form_share(stack: list[tuple[int, int, int, int]], frame: Frame, area: float) -> float:
    holder = next((holder for holder, depth, _, _ in stack if depth == 1), None)
    return _share(holder, frame, area) if holder is not None else 0.0


def _share(item: int, frame: Frame, area: float) -> float:
    if not api.FPDFPageObj_GetBounds(item, _F0, _F0 + 4, _F0 + 8, _F0 + 12):
        return 0.0
    left, bottom, right, top = FLOATS[:4]
    width = min(right, frame.right) - max(left, frame.left)
    height = min(top, frame.top) - max(bottom, frame.bottom)
    return min(max(width, 0.0) * max(height, 0.0) / area, 1.0)
