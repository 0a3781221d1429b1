"""Where a stretch that PDFium takes for one falls into cells, or into groups of characters."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from pageindex.reading.pdf.batch import Rect
from pageindex.reading.pdf.joining import CELL_GAP, is_label

__all__ = ["cells_only", "groups"]

BACK = 0.25  #: White, in font sizes, between a character and one drawn behind it that stands before it, which begins another group.
MOST_GROUPS = 0.7  #: Of the characters: where nearly each stands alone, the letters are set wide.

_FOLIO = re.compile(r"[\d\-–.]{1,7}|[ivxlcdmIVXLCDM]{1,7}")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")


def cells_only(piece: str, cuts: list[int], rows: Set[int]) -> list[int]:
    """Cuts without those behind a heading number or bullet, and before the page number of a contents line, all on one row."""
    if not rows.isdisjoint(cuts):
        return cuts
    if cuts and is_label(piece[: cuts[0]].strip()) and piece[cuts[0]].isalpha():
        cuts = cuts[1:]
    if len(cuts) == 1 and _FOLIO.fullmatch(piece[cuts[0] :]) and any(char.isalpha() for char in piece[: cuts[0]]):
        return []
    return cuts


def groups(text: str, boxes: Sequence[Rect], size: float) -> list[tuple[int, int]]:
    """The groups of an upright text without blanks, from left to right: first and behind last character of each; none where it is one.

    Numbers of bits over a register are drawn from its right to its left, and PDFium sets no blank where the pen goes back.
    """
    if _RIGHT_TO_LEFT.search(text) is not None:
        return []
    begins, returns = [0], 0
    for at in range(1, len(text)):
        if boxes[at][3] >= boxes[at - 1][1] or boxes[at - 1][3] >= boxes[at][1]:
            return []  # not on one row: what is said of its characters' places may be wrong
        behind = boxes[at][0] - boxes[at - 1][2]
        back = boxes[at - 1][0] - boxes[at][2]
        if behind > CELL_GAP * size or back > BACK * size:
            begins.append(at)
            returns += back > 0
    if len(begins) < 2 or (returns < 2 and len(begins) > MOST_GROUPS * len(text)):
        return []
    parts = list(zip(begins, [*begins[1:], len(text)], strict=True))
    return sorted(parts, key=lambda part: boxes[part[0]][0])
