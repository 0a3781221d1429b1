"""What is drawn on a page besides text: pictures and paths, with their share of the page."""

from __future__ import annotations

import ctypes
from collections import Counter
from dataclasses import dataclass
from itertools import repeat
from typing import NamedTuple

from pageindex.reading.pdf.api import FLOATS, api, handle
from pageindex.reading.pdf.fonts import Frame

__all__ = ["Drawing", "look_at"]

_TEXT, _PATH, _IMAGE, _SHADING, _FORM = 1, 2, 3, 4, 5  # FPDF_PAGEOBJ_*

#: Objects looked at on one page; beyond these the shares are lower bounds.
MOST_OBJECTS = 3000

_DEEPEST_FORM = 8

_F0 = ctypes.addressof(FLOATS)


_page_object, _type_of = api.FPDFPage_GetObject, api.FPDFPageObj_GetType


class _Holder(NamedTuple):
    """A page, or a form on it, whose objects are still to be looked at."""

    item: int
    depth: int  # 0: the page
    outermost: int  # the form on the page that holds it


@dataclass
class Drawing:
    """Counts of objects by kind, and what pictures cover.

    Attributes:
        image_share, largest_image: Area of all pictures, and of the largest, over the page's area; 0-1, overlaps counted twice up to 1.
    """

    paths: int = 0
    images: int = 0
    image_share: float = 0.0
    largest_image: float = 0.0


def look_at(page: int, frame: Frame) -> Drawing:
    """Look through the objects of a loaded page, into its forms too."""
    drawing, left = Drawing(), MOST_OBJECTS
    area = max((frame.right - frame.left) * (frame.top - frame.bottom), 1.0)
    pending = [_Holder(page, 0, page)]
    while pending and left > 0:
        holder = pending.pop()
        objects = _objects_of(holder, left)
        left -= len(objects)
        kinds = list(map(_type_of, map(handle, objects)))
        counts = Counter(kinds)
        drawing.paths += counts[_PATH] + counts[_SHADING]
        if counts[_IMAGE]:
            drawing.images += counts[_IMAGE]
            for item, kind in zip(objects, kinds, strict=True):
                if kind == _IMAGE:
                    # A picture inside a form is measured by the outermost form around it: its own box is in the form's coordinates.
                    share = _share(holder.outermost if holder.depth else item, frame, area)
                    drawing.image_share = min(drawing.image_share + share, 1.0)
                    drawing.largest_image = max(drawing.largest_image, share)
        if counts[_FORM] and holder.depth < _DEEPEST_FORM:
            forms = [item for item, kind in zip(objects, kinds, strict=True) if item and kind == _FORM]
            pending.extend(
                [_Holder(form, holder.depth + 1, holder.outermost if holder.depth else form) for form in forms]
            )
    return drawing


def _objects_of(holder: _Holder, most: int) -> list[int | None]:
    if holder.depth == 0:
        return list(
            map(_page_object, repeat(handle(holder.item)), range(min(api.FPDFPage_CountObjects(holder.item), most)))
        )
    count = min(api.FPDFFormObj_CountObjects(holder.item), most)
    return [api.FPDFFormObj_GetObject(holder.item, number) for number in range(count)]


def _share(item: int | None, frame: Frame, area: float) -> float:
    if not api.FPDFPageObj_GetBounds(item, _F0, _F0 + 4, _F0 + 8, _F0 + 12):
        return 0.0
    left, bottom, right, top = FLOATS[:4]
    width = min(right, frame.right) - max(left, frame.left)
    height = min(top, frame.top) - max(bottom, frame.bottom)
    return min(max(width, 0.0) * max(height, 0.0) / area, 1.0)
