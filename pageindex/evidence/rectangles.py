"""Where evidence stands on the page, for highlighting."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pageindex.document import Box, Edition, Evidence
from pageindex.document.offsets import char_of, encoded
from pageindex.evidence.characters import Character
from pageindex.evidence.lines import page_lines

__all__ = ["rectangles"]


def rectangles(
    edition: Edition, evidence: Iterable[Evidence], characters: dict[int, Sequence[Character]] | None = None
) -> list[tuple[int, Box]]:
    """``(page, box)`` per printed line that a piece of evidence touches, in points from the top left of the displayed page.

    Args:
        edition: The edition of the evidence.
        evidence: As located.
        characters: Character boxes by page; without them a line's box is cut in proportion to its characters, which is exact only
            for a font of one width. Lines without a place, as in text formats, give no box.
    """
    found = []
    for piece in evidence:
        boxes = (characters or {}).get(piece.page)
        parts = _from_characters(edition, piece, boxes) if boxes else _from_lines(edition, piece)
        found += [(piece.page, box) for box in parts if box.width > 0 and box.height > 0]
    return found


def _from_lines(edition: Edition, piece: Evidence) -> Iterable[Box]:
    for line in page_lines(edition, piece.page):
        start, end = max(piece.start, line.start), min(piece.end, line.end)
        if start >= end:
            continue
        if (start, end) == (line.start, line.end) or line.angle:
            yield line.box
            continue
        data = encoded(line.text)
        before, inside = char_of(data, start - line.start), char_of(data, end - line.start)
        step = line.box.width / max(1, len(line.text))
        x0 = line.box.x0
        yield Box(x0 + before * step, line.box.y0, x0 + inside * step, line.box.y1)


def _from_characters(edition: Edition, piece: Evidence, characters: Sequence[Character]) -> Iterable[Box]:
    lines = page_lines(edition, piece.page)
    inside = [c for c in characters if c.start < piece.end and c.end > piece.start and c.box.width > 0]
    groups: dict[int, Box] = {}
    for character in inside:
        key = next((i for i, line in enumerate(lines) if line.start <= character.start < line.end), -1)
        groups[key] = groups[key].union(character.box) if key in groups else character.box
    return groups.values()
