"""Where the lines of a text without pages stand: a stand-in for the printed page, so that layout rules see what a reader sees.

The page is a typewriter's: ``COLUMNS`` letters of half their size in width to a line. Longer lines are broken into
lines of that measure; flowing formats have half a line between paragraphs. The bytes are those of the text. Sizes, bold, italic and centred lines are the
format's own where it has them, relative to a body of ``BODY_SIZE``; marked headings are bold, and larger the higher they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pageindex.document import Box, Font, Line, Run

__all__ = ["BODY_SIZE", "FONTS", "LINE_BREAK", "Heading", "Style", "Styled", "Typesetter"]

COLUMNS = 96
BODY_SIZE = 10.0
LEADING = 1.2  #: Height of a line in sizes of its letters.
LETTER_WIDTH = 0.5  #: Of a letter, in its size.

#: Every face: by (bold, italic).
FONTS = (
    Font("body"),
    Font("bold", bold=True),
    Font("italic", italic=True),
    Font("bold-italic", bold=True, italic=True),
)
LINE_BREAK = re.compile(r"\r\n|[\n\r\v\f\x85\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class Heading:
    """A marked heading.

    Attributes:
        offset: Of the first character of its line in the text.
        level: 0 is a document title.
        title: Without markup.
        end: Offset behind its last character, when it takes more than one line; else anything up to the end of its line.
    """

    offset: int
    level: int
    title: str
    end: int = 0


@dataclass(frozen=True, slots=True)
class Style:
    """How characters look; ``size`` in points, for a body of ``BODY_SIZE``."""

    size: float = BODY_SIZE
    bold: bool = False
    italic: bool = False
    centred: bool = False

    @property
    def font(self) -> int:
        return self.bold + 2 * self.italic

    @property
    def weight(self) -> int:
        return 700 if self.bold else 400


@dataclass(frozen=True, slots=True)
class Styled:
    """A stretch of the text, in characters, in one style."""

    start: int
    end: int
    style: Style


@dataclass(frozen=True, slots=True)
class Sheet:
    """The lines of one page, the headings on it with the bytes at which they begin, and its size in points."""

    lines: list[Line]
    headings: list[tuple[Heading, int]]
    width: float
    height: float


_BODY = Style()


class Typesetter:
    """Sets one page after the other, in order."""

    def __init__(self, headings: Sequence[Heading], styled: Sequence[Styled], flowing: bool) -> None:
        self._headings = headings
        self._styled = styled
        self._flowing = flowing
        self._next = 0  # the first heading that has not begun
        self._stretch = 0  # the first that may still concern what follows

    def page(self, number: int, text: str, start: int, end: int) -> Sheet:
        """Set ``text[start:end]``."""
        lines: list[Line] = []
        here: list[tuple[Heading, int]] = []
        byte, top = 0, 0.0
        for first, last, following in _rows(text, start, end):
            row = text[first:last]
            lead = len(row) - len(row.lstrip())
            here += [(one, byte + len(row[:lead].encode())) for one in self._begun(following)]
            heading = self._open(first)
            for part in self._parts(text, first + lead, first + len(row.rstrip()), heading):
                line = self._line(number, text, (first, byte), part, top, heading)
                lines.append(line)
                top += line.size * LEADING
            if not row.strip():
                top += BODY_SIZE * LEADING
            elif self._flowing:
                top += BODY_SIZE * LEADING / 2
            byte += len(text[first:following].encode())
        width = max((line.box.x1 for line in lines), default=0.0)
        return Sheet(lines, here, width, max((line.box.y1 for line in lines), default=0.0))

    def _begun(self, following: int) -> Iterator[Heading]:
        """The headings that begin in the row before ``following``."""
        while self._next < len(self._headings):
            heading = self._headings[self._next]
            if heading.offset >= following:
                return
            self._next += 1
            yield heading

    def _open(self, first: int) -> Heading | None:
        """The heading that the row from ``first`` on is a part of."""
        heading = self._headings[self._next - 1] if self._next else None
        return heading if heading is not None and max(heading.end, heading.offset + 1) > first else None

    def _parts(self, text: str, first: int, last: int, heading: Heading | None) -> Iterator[tuple[int, int]]:
        """A row as it is displayed: whole, or broken at blanks."""
        while heading is None and last - first > COLUMNS and "\t" not in text[first:last]:
            cut = text.rfind(" ", first + COLUMNS // 2, first + COLUMNS)
            cut = cut if cut > 0 else first + COLUMNS
            yield first, cut
            first = cut + (text[cut : cut + 1] == " ")
        if first < last:
            yield first, last

    def _line(
        self, page: int, text: str, row: tuple[int, int], part: tuple[int, int], top: float, heading: Heading | None
    ) -> Line:
        begin, byte = row
        first, last = part
        shown = text[first:last]
        lead = text[begin:first]
        start = byte + len(lead.encode())
        runs = _heading_runs(heading) if heading is not None else self._runs(first, last)
        style = _dominant(runs, last - first)
        width = len(shown) * style.size * LETTER_WIDTH
        left = len(lead.expandtabs(4)) * BODY_SIZE * LETTER_WIDTH if not lead.strip() else 0.0
        if style.centred:
            left = max(0.0, (COLUMNS * BODY_SIZE * LETTER_WIDTH - width) / 2)
        box = Box(left, top, left + width, top + style.size)
        kept = tuple(Run(at, s.size, s.font, s.weight) for at, s in runs) if len(runs) > 1 else ()
        return Line(
            page, start, start + len(shown.encode()), shown, box, style.size, style.font, style.weight, runs=kept
        )

    def _runs(self, first: int, last: int) -> list[tuple[int, Style]]:
        """Where each style begins in ``[first, last)``, from its start."""
        while self._stretch < len(self._styled) and self._styled[self._stretch].end <= first:
            self._stretch += 1
        runs: list[tuple[int, Style]] = []
        at, index = first, self._stretch
        while at < last:
            stretch = self._styled[index] if index < len(self._styled) else None
            if stretch is None or stretch.start >= last:
                style, until = _BODY, last
            elif stretch.start > at:
                style, until = _BODY, stretch.start
            else:
                style, until, index = stretch.style, stretch.end, index + 1
            if until > at and (not runs or runs[-1][1] != style):
                runs.append((at - first, style))
            at = max(at, until)
        return runs or [(0, _BODY)]


def _heading_runs(heading: Heading) -> list[tuple[int, Style]]:
    return [(0, Style(BODY_SIZE + 2.0 * max(1, 7 - heading.level), bold=True))]


def _dominant(runs: Sequence[tuple[int, Style]], length: int) -> Style:
    """The style of most of the characters."""
    counts: dict[Style, int] = {}
    for (at, style), end in zip(runs, [*(run[0] for run in runs[1:]), length], strict=True):
        counts[style] = counts.get(style, 0) + end - at
    return max(counts, key=lambda style: counts[style])


def _rows(text: str, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """``(first, last, following)`` of every row between line breaks."""
    at = start
    for found in LINE_BREAK.finditer(text, start, end):
        yield at, found.start(), found.end()
        at = found.end()
    yield at, end, end
