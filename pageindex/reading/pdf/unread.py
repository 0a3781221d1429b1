"""What a page shows and its text does not hold: pictures that may hold text, letters drawn as outlines, characters without meaning.

Whether a picture holds text is not known without looking into it, which would cost more than reading the page. So every picture counts
that is large enough to hold a line of text and that the page's text does not cover; what is drawn at one place of many pages, as a
letterhead is, counts once.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import reduce
from itertools import pairwise

from pageindex.document import Box, Line, Unread, UnreadReason
from pageindex.reading.pdf.objects import Drawing, Shape, Shapes

__all__ = ["unread_parts", "without_repeated"]

ICON = 40.0  #: Points of width and of height below both of which a picture is an icon.
LEAST_HEIGHT, LEAST_WIDTH = 6.0, 18.0  #: Points below which nobody reads a line in it.
COVERED = 0.05  #: Share of a picture's area under lines of text from which on they are what is to be read there.
MOST_PARTS = 20  #: Parts named one by one; where there are more, the page is named as a whole.
OUTLINED_COVERED = 0.3  #: The same of a word drawn as shapes.
REPEATED = 3  #: Pages on which a picture at one place is a letterhead or background.

LEAST_LETTERS = 5  #: Shapes of a row that are letters.
CURVED, LEAST_CURVED = 7, 2  #: Steps of a letter that is no mere rectangle; so many of a row's letters have them.
FIGURES, WORD_HEIGHT = (
    5,
    36.0,
)  #: Separate outlines of one shape that is a word, and its height in points; else it is a drawing.

#: Characters that mean nothing: three in a row are a word that cannot be read; a single one is a bullet or a sign.
_MEANINGLESS = re.compile("[\ufffd\ue000-\uf8ff\U000f0000-\U0010ffff]{3,}")


def unread_parts(drawing: Drawing, lines: Sequence[Line], *, garbled: bool, layer: bool) -> tuple[Unread, ...]:
    """The parts of a page that are not in its text.

    Args:
        drawing: What is drawn besides text.
        garbled: The whole page is known to have no meaning.
        layer: Its text is an invisible one over a picture, which is the reading of that.
    """
    parts: list[Unread] = []
    if not layer:
        parts += [Unread(UnreadReason.PICTURE, box) for box in drawing.pictures if _may_hold_text(box, lines)]
    parts += [Unread(UnreadReason.OUTLINES, box) for box in _outlined(drawing.shapes, lines)]
    if not garbled:
        bad = [line.box for line in lines if not line.text.isascii() and _MEANINGLESS.search(line.text)]
        parts += [Unread(UnreadReason.ENCODING, box) for box in bad]
    if len(parts) > MOST_PARTS:
        return tuple([Unread(reason) for reason in sorted({part.reason for part in parts})])
    return tuple(parts)


def without_repeated(pages: Sequence[tuple[Unread, ...]]) -> list[tuple[Unread, ...]]:
    """The parts of all pages, without the pictures that stand at one place of several, but for the first of each."""
    seen: dict[tuple[int, ...], int] = defaultdict(int)
    keys = [[_key(part) for part in parts] for parts in pages]
    for page in keys:
        for key in set(page):
            seen[key] += 1
    met: set[tuple[int, ...]] = set()
    kept = []
    for parts, page in zip(pages, keys, strict=True):
        kept.append(tuple([part for part, key in zip(parts, page, strict=True) if not key or key not in met]))
        met.update(key for key in page if seen[key] >= REPEATED)
    return kept


def _key(part: Unread) -> tuple[int, ...]:
    return tuple(map(round, part.box)) if part.reason is UnreadReason.PICTURE and part.box else ()


def _may_hold_text(box: Box, lines: Sequence[Line]) -> bool:
    if box.height < LEAST_HEIGHT or box.width < LEAST_WIDTH or (box.height < ICON and box.width < ICON):
        return False
    return _covered(box, lines) < COVERED


def _covered(box: Box, lines: Sequence[Line]) -> float:
    """Share of a box under lines of text."""
    area = 0.0
    for line in lines:
        width = min(line.box.x1, box.x1) - max(line.box.x0, box.x0)
        height = min(line.box.y1, box.y1) - max(line.box.y0, box.y0)
        if width > 0 and height > 0:
            area += width * height
    return area / max(box.width * box.height, 1.0)


def _outlined(drawn: Sequence[Shapes], lines: Sequence[Line]) -> list[Box]:
    """Words that are drawn as shapes, and no text over them."""
    found: list[Box] = []
    for within, shapes in drawn:
        words = _words(shapes)
        found += [within] if words and within is not None else words
    return [word for word in found if _covered(word, lines) < OUTLINED_COVERED]


def _words(shapes: Sequence[Shape]) -> list[Box]:
    """Words among some shapes: one shape of many figures, or a row of different shapes of letter size, drawn one behind the other."""
    words = [
        shape.box
        for shape in shapes
        if shape.figures >= FIGURES and shape.steps >= CURVED * shape.figures and shape.box.height <= WORD_HEIGHT
    ]
    letters = [shape for shape in shapes if shape.steps >= 4 and shape.box.width <= 2.0 * shape.box.height]
    row: list[Shape] = []
    for before, shape in pairwise([*letters, Shape(Box(0, 0, 0, 0), 0)]):
        row.append(before)
        a, b = before.box, shape.box
        shared = min(a.y1, b.y1) - max(a.y0, b.y0)
        if shared <= 0.3 * min(a.height, b.height) or not -1.0 < b.x0 - a.x1 < 1.5 * a.height:
            widths = {round(one.box.width, 1) for one in row}
            curved = sum(one.steps >= CURVED for one in row)
            if len(row) >= LEAST_LETTERS and len(widths) >= 3 and curved >= LEAST_CURVED:
                words.append(reduce(Box.union, [one.box for one in row]))
            row = []
    return words
