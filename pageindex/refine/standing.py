"""How a printed line stands in its document: as body text does, or apart; and headings that run into their paragraph."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from pageindex.document import Edition, Line, Span
from pageindex.evidence.folding import fold, skeleton_text
from pageindex.evidence.headings import HeadingFound
from pageindex.evidence.lines import page_lines

__all__ = ["BodyStyle", "run_in_heading"]

_CLOSE = 1.25  # of the body's line pitch; more than that above and below sets a line apart
_TIGHT = 1.3  # of the font size: lines as close as this are one block in any document
_BLOCK = 2  # lines of its own style round a line that make it one of a block, in a style that is not the body's
_SIZE_STEP = 0.05  # relative difference of font size that still is one style
_BULLET = re.compile(r"\s*[•‣▶►▸◦●○■□▪▫◆◇❖✓✔➢➤–—*·\uf0b7\uf0a7-]\s*\S")
_NUMBER = re.compile(r"[\[(§]?(?:[\divxlcdm]+|[a-z])(?:[.\-][\da-z]+)*[.):\]]?")
_MOST_NUMBER = 12  # characters of a heading's number, folded


@dataclass(frozen=True, slots=True)
class BodyStyle:
    """The style in which most of a document's text is set, and the distance of its lines.

    Attributes:
        font, size, weight: As in ``Line``.
        pitch: Median distance between the tops of two such lines that follow each other, in points; 0 where there are none.
    """

    font: int
    size: float
    weight: int
    pitch: float

    @classmethod
    def of(cls, edition: Edition) -> BodyStyle:
        weights: Counter[tuple[int, float, int]] = Counter()
        for line in edition.lines:
            weights[(line.font, round(line.size, 1), line.weight)] += line.end - line.start
        if not weights:
            return cls(-1, 0.0, 0, 0.0)
        (font, size, weight), _ = weights.most_common(1)[0]
        style = cls(font, size, weight, 0.0)
        return replace(style, pitch=style._pitch(edition.lines))

    def is_style_of(self, line: Line) -> bool:
        same_face = line.font == self.font and line.weight == self.weight
        return same_face and abs(line.size - self.size) <= _SIZE_STEP * max(self.size, 1.0)

    def fault(self, edition: Edition, found: HeadingFound) -> str | None:
        """``body_line`` or ``list_item`` for lines that are set as body text and stand in it; None for all others.

        A line in the body's own style is a heading only when white space on both sides, a line of another style, or capitals set it apart.
        """
        if not self.pitch:
            return None
        lines = page_lines(edition, found.page)
        inside = [i for i, line in enumerate(lines) if found.start <= line.start and line.end <= found.end]
        if not inside:
            return None
        bodily = all(self.is_style_of(lines[i]) for i in inside)
        if bodily and _BULLET.match(found.text):
            return "list_item"
        if found.text.isupper():
            return None
        neighbours = _block(lines, inside[0], inside[-1], self.pitch)
        return "body_line" if neighbours >= (1 if bodily else _BLOCK) else None

    def _pitch(self, lines: Sequence[Line]) -> float:
        """Median distance between the tops of body lines that follow each other; 0 where there are none."""
        steps = [
            below.box.y0 - above.box.y0
            for above, below in itertools.pairwise(lines)
            if above.page == below.page and self.is_style_of(above) and self.is_style_of(below)
        ]
        steps = [step for step in steps if 0 < step < 3 * self.size]
        return median(steps) if steps else 0.0


def _block(lines: Sequence[Line], first: int, last: int, pitch: float) -> int:
    """How many lines directly above and below are set as the first and last one, with no more than usual space between."""
    count = 0
    for start, step in ((first, -1), (last, 1)):
        at = start
        while 0 <= at + step < len(lines) and count < _BLOCK and _alike(lines[at], lines[at + step], pitch):
            at, count = at + step, count + 1
    return count


def _alike(one: Line, other: Line, pitch: float) -> bool:
    if (one.font, one.weight) != (other.font, other.weight) or abs(one.size - other.size) > _SIZE_STEP * one.size:
        return False
    return 0 < abs(other.box.y0 - one.box.y0) <= max(_CLOSE * pitch, _TIGHT * one.size)


def run_in_heading(edition: Edition, title: str, page: int, span: Span, body: BodyStyle) -> HeadingFound | None:
    """A title that begins a line in a style of its own and runs into its paragraph, such as *3.1 Scope.* The rest …

    What follows must be set as body text: inside a heading, too, a word may stand in another face.
    """
    low, high = span.on_page(page, len(edition.page(page).data))
    wanted = _folded(title)
    for line in page_lines(edition, page):
        if not low <= line.start < high or len(line.runs) < 2:
            continue
        bodily = [run.font == body.font and abs(run.size - body.size) <= _SIZE_STEP * body.size for run in line.runs]
        for index in range(1, len(line.runs)):
            head = line.text[: line.runs[index].start]
            if bodily[index] and not bodily[index - 1] and _same(wanted, _folded(head)):
                words = fold(head).text.strip()
                return HeadingFound(page, line.start, line.start + len(head.rstrip().encode()), words)
    return None


def _folded(text: str) -> str:
    return skeleton_text(fold(text).text).strip(" .:;,")


def _same(wanted: str, head: str) -> bool:
    """Equal, or equal but for a number that one of them begins with."""
    if not wanted or not head:
        return False
    longer, shorter = (wanted, head) if len(wanted) > len(head) else (head, wanted)
    if not longer.endswith(shorter):
        return False
    number = longer[: len(longer) - len(shorter)]
    return not number or (len(number) <= _MOST_NUMBER and _NUMBER.fullmatch(number) is not None)
