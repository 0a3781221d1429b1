"""What is drawn on a page besides text: pictures, with their places and share of the page, and shapes, which may be letters."""

from __future__ import annotations

import ctypes
from collections import Counter
from dataclasses import dataclass, field
from itertools import repeat
from typing import NamedTuple

from pageindex.document import Box
from pageindex.reading.pdf.api import FLOATS, api, handle
from pageindex.reading.pdf.fonts import Frame

__all__ = ["Drawing", "Shape", "Shapes", "look_at"]

_TEXT, _PATH, _IMAGE, _SHADING, _FORM = 1, 2, 3, 4, 5  # FPDF_PAGEOBJ_*

#: Objects looked at on one page; beyond these the shares are lower bounds, and the page is known to be looked at in part.
MOST_OBJECTS = 20_000

#: Shapes looked at on one page, and steps of large ones that are looked at one by one.
MOST_SHAPES, MOST_STEPS = 4000, 6000
SEVERAL_STEPS, MANY_STEPS = 8, 60  #: Steps of a shape that may be a line of a word, and a whole word.
LARGEST = 90.0  #: Points, of the smaller side of a word, and of the larger side of a letter.
RULE, LONG = 2.0, 24.0  #: Points: thinner than the one and longer than the other is a rule.
PEN = 0.5  #: Points: half of a thick pen for letters.

_MOVE_TO = 2  # FPDF_SEGMENT_MOVETO

_DEEPEST_FORM = 8

_F0 = ctypes.addressof(FLOATS)


_page_object, _type_of = api.FPDFPage_GetObject, api.FPDFPageObj_GetType
_FILL, _STROKE = (ctypes.c_int(0) for _ in range(2))
_FILL_AT, _STROKE_AT = ctypes.addressof(_FILL), ctypes.addressof(_STROKE)


class _Holder(NamedTuple):
    """A page, or a form on it, whose objects are still to be looked at."""

    item: int
    depth: int  # 0: the page
    outermost: int  # the form on the page that holds it


class Shape(NamedTuple):
    """A shape, filled or drawn with a pen, as large as a letter or a word may be.

    ``steps`` counts its lines and curves; ``figures`` the separate outlines of one that has many.
    """

    box: Box
    steps: int
    figures: int = 0


class Shapes(NamedTuple):
    """The shapes of a page, or of a form on it, in the file's order; in a form their boxes are in its own measure.

    ``within`` is the place of the form; None for those of the page itself.
    """

    within: Box | None
    shapes: list[Shape]


@dataclass
class Drawing:
    """Counts of objects by kind, and what pictures cover.

    Attributes:
        pictures: The visible part of each picture.
        shapes: The filled and drawn shapes.
        whole: Whether all objects and shapes were looked at.
        image_share, largest_image: Area of all pictures, and of the largest, over the page's area; 0-1, overlaps counted twice up to 1.
    """

    paths: int = 0
    images: int = 0
    image_share: float = 0.0
    largest_image: float = 0.0
    pictures: list[Box] = field(default_factory=list)
    shapes: list[Shapes] = field(default_factory=list)
    whole: bool = True


def look_at(page: int, frame: Frame) -> Drawing:
    """Look through the objects of a loaded page, into its forms too."""
    drawing, left, shapes = Drawing(), MOST_OBJECTS, MOST_SHAPES
    area = max((frame.right - frame.left) * (frame.top - frame.bottom), 1.0)
    pending = [_Holder(page, 0, page)]
    while pending and left > 0:
        holder = pending.pop()
        objects = _objects_of(holder, left)
        left -= len(objects)
        drawing.whole = drawing.whole and left > 0
        kinds = list(map(_type_of, map(handle, objects)))
        counts = Counter(kinds)
        drawing.paths += counts[_PATH] + counts[_SHADING]
        if counts[_IMAGE]:
            drawing.images += counts[_IMAGE]
            for item, kind in zip(objects, kinds, strict=True):
                if kind == _IMAGE:
                    # A picture inside a form is measured by the outermost form around it: its own box is in the form's coordinates.
                    box = _visible(holder.outermost if holder.depth else item, frame)
                    share = min(box.width * box.height / area, 1.0) if box else 0.0
                    if box:
                        drawing.pictures.append(box)
                    drawing.image_share = min(drawing.image_share + share, 1.0)
                    drawing.largest_image = max(drawing.largest_image, share)
        if counts[_PATH] and shapes > 0:
            paths = [item for item, kind in zip(objects, kinds, strict=True) if item and kind == _PATH]
            drawing.whole = drawing.whole and len(paths) <= shapes
            paths = paths[:shapes]
            shapes -= len(paths)
            within = _visible(holder.outermost, frame) if holder.depth else None
            if found := _shapes(paths, frame):
                drawing.shapes.append(Shapes(within, found))
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


def _visible(item: int | None, frame: Frame) -> Box | None:
    """The part of an object that lies within the frame, on the displayed page; None for none."""
    if not api.FPDFPageObj_GetBounds(item, _F0, _F0 + 4, _F0 + 8, _F0 + 12):
        return None
    left, bottom, right, top = FLOATS[:4]
    left, right = max(left, frame.left), min(right, frame.right)
    bottom, top = max(bottom, frame.bottom), min(top, frame.top)
    return frame.box(left, top, right, bottom) if left < right and bottom < top else None


def _shapes(paths: list[int], frame: Frame) -> list[Shape]:
    """Those of some paths that are drawn, and small enough to be letters or parts of letters; of a shape of many figures, these too."""
    found: list[Shape] = []
    left = MOST_STEPS
    for item in paths:
        if not api.FPDFPath_GetDrawMode(item, _FILL_AT, _STROKE_AT) or not (_FILL.value or _STROKE.value):
            continue
        if not api.FPDFPageObj_GetBounds(item, _F0, _F0 + 4, _F0 + 8, _F0 + 12):
            continue
        x0, y0, x1, y1 = FLOATS[:4]
        box = frame.box(x0, y1, x1, y0)
        short, long = sorted((box.height, box.width))
        if short > LARGEST:
            continue
        steps = api.FPDFPath_CountSegments(item)
        if short < RULE and long > LONG and steps < SEVERAL_STEPS:
            continue
        parts: list[Shape] = []
        if left > 0 and (steps >= MANY_STEPS or (long > 2 * short and steps >= SEVERAL_STEPS)):
            parts = _figures(item, min(steps, left), frame, box)
            left -= steps
        if len(parts) > 1:
            found += parts
        if len(parts) > 1 or long <= LARGEST:
            found.append(Shape(box, steps, len(parts)))
    return found


def _figures(item: int, steps: int, frame: Frame, box: Box) -> list[Shape]:
    """The separate outlines of a path, or of its first steps, each as thick as its pen; ``box`` is that of the whole path."""
    a, b, c, d, e, f = FLOATS[:6] if api.FPDFPageObj_GetMatrix(item, _F0) else (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    figures: list[tuple[list[float], list[float]]] = []
    for place in range(steps):
        part = api.FPDFPath_GetPathSegment(item, place)
        if not figures or api.FPDFPathSegment_GetType(part) == _MOVE_TO:
            figures.append(([], []))
        if api.FPDFPathSegment_GetPoint(part, _F0, _F0 + 4):
            x, y = FLOATS[:2]
            figures[-1][0].append(a * x + c * y + e)
            figures[-1][1].append(b * x + d * y + f)
    shapes = [Shape(frame.box(min(xs), max(ys), max(xs), min(ys)), len(xs)) for xs, ys in figures if xs]
    pen = min([PEN, *(max(0.0, shape.box.x0 - box.x0) for shape in shapes)])
    if pen <= 0:
        return shapes
    return [Shape(Box(b.x0 - pen, b.y0 - pen, b.x1 + pen, b.y1 + pen), steps) for b, steps, _ in shapes]
