"""Separators of a page: where MuPDF's characters stand apart ours must be apart, where they touch ours must touch."""

from __future__ import annotations

from collections import Counter
from typing import Any

from benchmarks import _outside

WINDOW = 6  #: Characters on each side by which a place is found again in our text.


def compare(sheet: _outside.Sheet, text: str) -> tuple[Counter[str], list[dict[str, Any]]]:
    """Counts ``seen`` and ``checked`` of the gaps of one page, and the faults, of kinds ``glued`` and ``torn``."""
    counts: Counter[str] = Counter()
    faults: list[dict[str, Any]] = []
    solid, apart = _solid(text)
    for line in sheet.lines:
        pairs = _outside.gaps(line)
        if not pairs:
            continue
        units = [_outside.plain(pairs[0][0].char), *(_outside.plain(right.char) for _, right, _, _ in pairs)]
        whole, at = "".join(units), len(units[0])
        for (left, right, gap, spaced), unit in zip(pairs, units[1:], strict=True):
            expected = _expected(left.char, right.char, gap, spaced)
            if expected is not None:
                counts["seen"] += 1
                verdict = _separated(solid, apart, whole[max(0, at - WINDOW) : at], whole[at : at + WINDOW])
                counts["checked"] += verdict is not None
                if verdict is (not expected) and (expected or right.char.isalnum()):
                    sides = {"left": whole[max(0, at - 12) : at], "right": whole[at : at + 12]}
                    kind = "glued" if expected else "torn"
                    faults.append({"kind": kind, "page": sheet.number, **sides, "gap": round(gap, 2)})
            at += len(unit)
    return counts, faults


def _expected(left: str, right: str, gap: float, spaced: bool) -> bool | None:
    """Whether two neighbours are parted by a separator, as a person sees them; None where a reader may do as he likes."""
    if gap >= _outside.APART:
        ideographic = _outside.is_ideographic(left) or _outside.is_ideographic(right)
        return None if ideographic and gap < _outside.IDEOGRAPHS_APART else True
    return False if _outside.OVERPRINTED < gap < _outside.TOGETHER and not spaced else None


def _solid(text: str) -> tuple[str, set[int]]:
    """Our text without white space, and the places in it before which white space stood."""
    out: list[str] = []
    apart: set[int] = set()
    length = 0
    for part in _outside.plain(text).split():
        apart.add(length)
        out.append(part)
        length += len(part)
    return "".join(out), apart


def _separated(solid: str, apart: set[int], left: str, right: str) -> bool | None:
    """Whether our text has a separator between two pieces; None where they are not found, or found both ways."""
    if len(left) + len(right) < 4:
        return None
    verdicts, at = set(), solid.find(left + right)
    while at >= 0 and len(verdicts) < 2:
        verdicts.add(at + len(left) in apart)
        at = solid.find(left + right, at + 1)
    return verdicts.pop() if len(verdicts) == 1 else None
