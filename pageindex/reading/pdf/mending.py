"""Lines mended by where their characters stand, where PDFium's text is known to be wrong.

On lines of several sizes, as those with raised or lowered signs, PDFium sets a blank too many or one too few: there the distance is
measured. So it is beside signs and brackets: between a few signs that all stand apart PDFium sets no blank, taking them for a word set
wide, and in fonts of one width it sets one for a gap that nobody sees. Old
TeX fonts have no accented letters and draw an accent over its letter: the two are one character, as they are seen.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence

from pageindex.document import Line, Run
from pageindex.reading.pdf.api import Handle, api, handle
from pageindex.reading.pdf.batch import char_boxes, char_spans, text_objects
from pageindex.reading.pdf.fonts import Frame
from pageindex.reading.pdf.joining import Printed, Spot
from pageindex.reading.pdf.order import upright

__all__ = ["mended"]

#: Gaps in font sizes of the smaller of two characters: up to the first there is no blank, from the second on there is one.
TOGETHER, APART = 0.12, 0.2

LEAST_DOUBLED = 5  #: Letters of a word that is seen to be drawn twice, letter by letter.
LONGEST_SIGN = 3  #: Characters of a run that may be a raised or lowered sign, a blank counted.

#: Accents that have a width of their own, and those that stand over or under the letter before.
_COMBINING = {
    "`": "\u0300",
    "\u00b4": "\u0301",
    "\u02c6": "\u0302",
    "\u02dc": "\u0303",
    "\u00af": "\u0304",
    "\u02c9": "\u0304",
    "\u02d8": "\u0306",
    "\u02d9": "\u0307",
    "\u00a8": "\u0308",
    "\u02da": "\u030a",
    "\u02dd": "\u030b",
    "\u02c7": "\u030c",
    "\u00b8": "\u0327",
    "\u02db": "\u0328",
}
_ACCENT = re.compile(f"[{''.join(_COMBINING)}]")
_DOTLESS = {"\u0131": "i", "\u0237": "j"}

#: A sign of formulas, or the end of a sentence or label with a letter right behind it.
_SIGN = re.compile(r"[=<>+×·⋅∈∉⊂⊆∪∩→←↔⇒⇔≤≥≠≡≈∼∧∨±−|]|[.:](?=[^\W\d_])")

#: A blank within brackets, or between signs of a program: what tells fast that a text has none, and where one is.
_APART = (
    (("( ", "[ ", "{ ", "< ", "% ", "/ ", "+ ", "* ", "@ ", "# ", "= ", "- "), re.compile(r"[(\[{<%/+*@#=-]( )\w")),
    ((". ",), re.compile(r"\.( )[a-z](?:\W|\Z)")),
    ((" )", " ]", " }", " >"), re.compile(r"[\w'\"]( )[)\]}>]")),
)

_Units = list[
    tuple[str, int | None]
]  #: Characters of a line, each with its offset among those that PDFium gave; None for a new one.


def mended(text_page: int, frame: Frame, printed: Printed, raw: str) -> Printed:
    """The lines of a page as they came from its raw text, mended."""
    page, lines = handle(text_page), printed.lines
    changes = _blanks(page, frame, printed, raw)
    accents: list[int] = []
    if _ACCENT.search(raw) is not None:
        accents = [number for number, line in enumerate(lines) if _ACCENT.search(line.text) is not None]
    doubled = {number for number, line in enumerate(lines) if _is_doubled(line.text)}
    for number in sorted({*changes, *accents, *doubled}):
        line, (spot, *others) = lines[number], printed.spots[number]
        if others or spot[1] < 0 or not _counts_alike(text_page, line.text, spot[1]):
            continue
        units: _Units = [(char, at) for at, char in enumerate(line.text)]
        if number in doubled:
            units = _drawn_once(page, spot[1], units)
        if number in accents:
            units = _composed(page, frame, line, spot[1], units)
        for at, added in sorted(set(changes.get(number, ())), reverse=True):
            place = bisect_left([-1 if offset is None else offset for _, offset in units], at)
            if added:
                units.insert(place, (" ", None))
            elif place < len(units) and units[place] == (" ", at):
                del units[place]
        if "".join([char for char, _ in units]) != line.text:
            printed.spots[number] = _rewrite(line, spot[1], units)
    return printed


def _is_doubled(text: str) -> bool:
    """Whether a text may be set letter by letter, each drawn twice to look bold or to cast a shadow: "SSUURRVVEEYY"."""
    if text[:1] != text[1:2] or len(text) < 2 * LEAST_DOUBLED:
        return False
    solid = text.replace(" ", "")
    return len(set(solid)) >= LEAST_DOUBLED - 1 and solid[::2] == solid[1::2] and solid[0].isalpha()


def _drawn_once(page: Handle, index: int, units: _Units) -> _Units:
    """The first one of each pair of characters that lie one over the other; all of them where they do not."""
    places = [place for place, (char, _) in enumerate(units) if char != " "]
    boxes = char_boxes(page, [index + place for place in places])
    for a, b in zip(boxes[::2], boxes[1::2], strict=True):
        if b[0] - a[0] > 0.5 * max(a[2] - a[0], 0.1) or a[3] >= b[1] or b[3] >= a[1]:
            return units
    second = set(places[1::2])
    return [unit for place, unit in enumerate(units) if place not in second]


def _counts_alike(text_page: int, text: str, index: int) -> bool:
    """Whether the characters of a line have numbers one behind the other; PDFium's text leaves out some that its numbers count."""
    return len(text) > 1 and api.FPDFText_GetUnicode(text_page, index + len(text) - 1) in (ord(text[-1]), 2)


_Pair = tuple[
    int, int, int, float
]  #: Number of a line, offsets of two neighbours on it, and the smaller of their sizes.


def _blanks(page: Handle, frame: Frame, printed: Printed, raw: str) -> dict[int, list[tuple[int, bool]]]:
    """Where a blank is to be put in (True) or left out, by line and offset. The ink is looked at first, all at once: few pairs stand so
    that their advances must be asked for."""
    lines, spots = printed.lines, printed.spots
    pairs: list[_Pair] = []
    for number, line in enumerate(lines):
        if line.runs:
            _add_pairs(pairs, number, line)
            _add_signs(pairs, number, line)
    for hints, pattern in _APART:
        if any([hint in raw for hint in hints]):  # noqa: C419 - a list is made faster than a generator runs
            pairs += _parted(lines, pattern)
    indices: list[int] = []
    for number, left, right, _ in pairs:
        first = spots[number][0][1]
        indices += (first + left, first + right)
    boxes = char_boxes(page, indices)
    changes: dict[int, list[tuple[int, bool]]] = {}
    for (number, left, right, size), a, b in zip(pairs, boxes[::2], boxes[1::2], strict=True):
        line, blank = lines[number], right - left == 2
        if line.angle or frame.rotation:
            ink = upright(frame.box(*b), line.angle).x0 - upright(frame.box(*a), line.angle).x1
        else:
            ink = b[0] - a[2]
        if (ink > 0.3 * size if blank else ink < APART * size) or ink < -0.5 * size:
            continue
        first = spots[number][0][1]
        gap = _gap(page, frame, line, first + left, first + right) / size
        if not blank and gap >= APART:
            changes.setdefault(number, []).append((right, True))
        elif blank and gap < TOGETHER and text_objects(page, [first + left + 1]) == [None]:
            changes.setdefault(number, []).append((left + 1, False))
    return changes


def _add_pairs(pairs: list[_Pair], number: int, line: Line) -> None:
    """Adds the neighbours at and beside the borders of the short runs of a line that are smaller or larger than those beside them."""
    text, runs, last = line.text, line.runs, len(line.text)
    before, reach = runs[0], -1
    for at in range(1, len(runs)):
        run = runs[at]
        start, size = run.start, before.size if before.size < run.size else run.size
        end = runs[at + 1].start if at + 1 < len(runs) else last
        if (end - start <= LONGEST_SIGN or start - before.start <= LONGEST_SIGN) and (
            abs(before.size - run.size) >= 0.1 * size > 0.0
        ):
            for left in (start - 1, start):
                left -= text[left] == " "
                right = left + 1 + (text[left + 1 : left + 2] == " ")
                if left > reach and right < last and text[left] != " " != text[right]:
                    pairs.append((number, left, right, size))
                    reach = left
        before = run


def _add_signs(pairs: list[_Pair], number: int, line: Line) -> None:
    """Adds the neighbours at signs that PDFium may have put together."""
    text, last = line.text, len(line.text) - 1
    for match in _SIGN.finditer(text):
        at = match.start()
        if at and text[at - 1].isalnum() and text[at] not in ".:":
            pairs.append((number, at - 1, at, line.size))
        if at < last and (text[at + 1].isalnum() or text[at + 1] in "([{"):
            pairs.append((number, at, at + 1, line.size))


def _parted(lines: Sequence[Line], pattern: re.Pattern[str]) -> list[_Pair]:
    """The neighbours of the blanks that a pattern finds."""
    return [
        (number, at - 1, at + 1, line.size)
        for number, line in enumerate(lines)
        for match in pattern.finditer(line.text)
        for at in (match.start(1),)
    ]


def _gap(page: Handle, frame: Frame, line: Line, left: int, right: int) -> float:
    """How far one character stands behind another along a line, by their advances, in points."""
    a, b = (upright(frame.box(*span), line.angle) for span in char_spans(page, [left, right]))
    return b.x0 - a.x1


def _composed(page: Handle, frame: Frame, line: Line, index: int, units: _Units) -> _Units:
    """Characters in which an accent and the letter under it are one, without the blanks that PDFium set around them."""
    found: _Units = []
    text, at = line.text, 0
    while at < len(text):
        char = text[at]
        mark = _COMBINING.get(char)
        if mark is not None:
            after = at + 1 + (text[at + 1 : at + 2] == " ")
            before = len(found) - 1 - (bool(found) and found[-1][0] == " ")
            if after < len(text) and _stands_over(page, frame, line, index + at, index + after):
                if letter := _accented(text[after], mark):
                    if found and found[-1][0] == " " and len(found) > 1 and found[-2][1] is not None:
                        gap = _gap(page, frame, line, index + (found[-2][1] or 0), index + after)
                        if gap < APART * line.size:
                            found.pop()
                    found.append((letter, after))
                    at = after + 1
                    continue
            elif before >= 0 and (offset := found[before][1]) is not None:
                letter = _accented(found[before][0], mark)
                if letter and _stands_over(page, frame, line, index + at, index + offset):
                    found[before:] = [(letter, offset)]
                    at += 1
                    if text[at : at + 1] == " " and at + 1 < len(text):
                        at += _gap(page, frame, line, index + offset, index + at + 1) < APART * line.size
                    continue
        found.append((char, at))
        at += 1
    return found if len(found) != len(text) else units


def _accented(letter: str, mark: str) -> str:
    """One character for a letter and its accent; empty where there is none."""
    whole = unicodedata.normalize("NFC", _DOTLESS.get(letter, letter) + mark)
    return whole if letter.isalpha() and len(whole) == 1 else ""


def _stands_over(page: Handle, frame: Frame, line: Line, accent: int, letter: int) -> bool:
    a, b = (upright(frame.box(*box), line.angle) for box in char_boxes(page, [accent, letter]))
    return b.x0 - 0.1 * b.width <= (a.x0 + a.x1) / 2 <= b.x1 + 0.1 * b.width and a.y0 < b.y1 and a.x1 > a.x0


def _rewrite(line: Line, index: int, units: _Units) -> tuple[Spot, ...]:
    """Gives an open line its mended text, with the runs that belong to it; where its characters come from."""
    offsets = [-1 if offset is None else offset for _, offset in units]
    runs: dict[int, Run] = {}
    for run in line.runs:
        start = next((at for at, offset in enumerate(offsets) if offset >= run.start), len(units))
        if start < len(units):
            runs[start] = Run(start, run.size, run.font, run.weight, run.color)
    line.text = "".join([char for char, _ in units])  # type: ignore[misc]
    line.runs = tuple(runs.values()) if len(runs) > 1 else ()  # type: ignore[misc]
    spots: list[Spot] = []
    for at, offset in enumerate(offsets):
        if offset < 0:
            continue
        if spots and spots[-1][0] + spots[-1][2] == at and spots[-1][1] + spots[-1][2] == index + offset:
            spots[-1] = (spots[-1][0], spots[-1][1], spots[-1][2] + 1)
        else:
            spots.append((at, index + offset, 1))
    return tuple(spots)
