"""What a page shows and its text does not hold: pictures that may hold text, letters drawn as outlines, characters without meaning.

Whether a picture holds text is not known without looking into it, which would cost more than reading the page. So every picture counts
that is large enough to hold a line of text and that the page's text does not cover; what is drawn at one place of many pages, as a
letterhead is, counts once.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from pageindex.document import Box, Line, Unread, UnreadReason
from pageindex.reading.pdf.lettering import lettering, touching
from pageindex.reading.pdf.objects import Drawing, Shapes

__all__ = ["unread_parts", "without_repeated"]

ICON = 40.0  #: Points of width and of height below both of which a picture is an icon,
SQUARE = 2.0  #: where it is not so much longer than high.
LEAST_HEIGHT, LEAST_WIDTH = 6.0, 18.0  #: Points below which nobody reads a line in it.
COVERED = 0.5  #: Share of a picture's area under lines of text from which on they are what is to be read there;
BACKGROUND, BACKGROUND_COVERED = (
    300.0,
    0.05,
)  #: of one whose smaller side is that many points, a background of the page.
MOST_PARTS = 20  #: Parts named one by one; where there are more, the page is named as a whole.
OUTLINED_COVERED = 0.3  #: The same of a word drawn as shapes.
REPEATED = 3  #: Pages on which a picture at one place is a letterhead or background.

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
        large = [box for box in drawing.pictures if _is_large(box)]
        small = touching([box for box in drawing.pictures if not _is_large(box)])  # a word may be cut into them
        pictures = [*large, *filter(_is_large, small)]
        parts += [Unread(UnreadReason.PICTURE, box) for box in pictures if _may_hold_text(box, lines)]
    parts += [Unread(UnreadReason.OUTLINES, box) for box in _outlined(drawing.shapes, lines)]
    if not drawing.whole:
        parts.append(Unread(UnreadReason.TRUNCATED))
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


def _is_large(box: Box) -> bool:
    """Whether a line of text has room in a picture, upright or turned, and it is no icon."""
    short, long = sorted((box.height, box.width))
    return short >= LEAST_HEIGHT and long >= LEAST_WIDTH and (long >= ICON or long >= SQUARE * short)


def _may_hold_text(box: Box, lines: Sequence[Line]) -> bool:
    return _covered(box, lines) < (BACKGROUND_COVERED if min(box.height, box.width) >= BACKGROUND else COVERED)


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
        words = lettering(shapes)
        found += [within] if words and within is not None else words
    return [word for word in found if _covered(word, lines) < OUTLINED_COVERED]
