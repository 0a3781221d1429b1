"""One page of PDFium → its anchor text and its printed lines with style, at little more than the cost of the plain text.

The method: the anchor comes from one call for the page's bounded text, the character numbers from one call for its raw text; each
printed line is found in the raw text by a substring search, its box by the rectangles of its text objects. A text object has one
font, size and colour, so one probe gives the style of a line of one rectangle; see ``pdfium_styles``.
"""

from __future__ import annotations

import ctypes
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise
from typing import Any, NamedTuple, cast

from pageindex.document import Box, Line, Run
from pageindex.document.edition import new_line
from pageindex.document.offsets import byte_size, encoded, words_of
from pageindex.reading.pdf.api import DOUBLES, api, handle
from pageindex.reading.pdf.batch import MANY_OBJECTS, Rect, char_boxes, char_indices, line_rects, per_character
from pageindex.reading.pdf.fonts import FontTable, Frame, Style
from pageindex.reading.pdf.styles import Composed, StyleReader, dominant, runs_of
from pageindex.reading.pdf.text import bounded_text, join_pairs, pieces, raw_text, split_pairs

__all__ = ["PageText", "read_page"]

#: A gap between two words of one baseline, in font sizes, from which on they stand in two cells. A justified space stays below 1,
#: gutters between columns begin at about 1.8.
CELL_GAP = 1.6

#: How far beyond the expected place a line is looked for in the raw text, in characters.
WINDOW = 96

_WORD = re.compile(r"\S+")
_LABEL = re.compile(
    r"[^\w\s]{1,3}|[^\w\s]{0,2}(?:\d[\w.\-–:]{0,9}|[^\W\d_]{1,5}[.:)\]]?|[^\W\d_]{1,4}[.\-]\d[\d.\-]{0,6})[^\w\s]{0,2}"
)
_FOLIO = re.compile(r"[\d\-–.]{1,7}|[ivxlcdmIVXLCDM]{1,7}")

_FIRST_HALF = re.compile("[\ud800-\udbff]")
_NOTE_MARKS = frozenset("0123456789*†‡§")

#: Mean advance of a glyph in font sizes; a line wider than this and a gap may hold a gap inside one text object.
GLYPH_WIDTH = 0.62

_X, _Y = (ctypes.addressof(DOUBLES) + 8 * i for i in range(2))

_new_tuple = tuple.__new__


@dataclass
class PageText:
    """What one page gave: the anchor, and its lines in the file's order, each with the text object that holds its first character."""

    text: str = ""
    lines: list[Line] = field(default_factory=list)
    objects: list[int | None] = field(default_factory=list)
    left_out: int = 0


def read_page(text_page: int, number: int, frame: Frame, fonts: FontTable, max_chars: int) -> PageText:
    """Anchor and lines of a loaded page."""
    count = api.FPDFText_CountChars(text_page)
    if count <= 0:
        return PageText()
    text = bounded_text(text_page, frame, count)[:max_chars]
    fonts.new_page()
    reader = _LineReader(text_page, number, frame, fonts, text, count)
    return PageText(text, reader.read(), reader.objects, max(count - max_chars, 0))


class _Printed(NamedTuple):
    """Printed lines, or cells of them, before they are ``Line`` objects: one column per property."""

    texts: list[str]
    begins: list[int]  # in the page's text, in bytes
    ends: list[int]
    indices: list[int]  # number of the first character
    rects: list[Rect]  # in page coordinates
    styles: list[Style]  # of the first character
    objects: list[int | None]  # the text object that holds it
    composed: list[Composed | None]  # what is known of those that have several text objects


class _LineReader:
    """The lines of one page."""

    def __init__(self, text_page: int, number: int, frame: Frame, fonts: FontTable, text: str, count: int) -> None:
        self._text_page, self._number, self._frame, self._fonts, self._text = text_page, number, frame, fonts, text
        self._page = handle(text_page)
        self._raw, self._paired = raw_text(text_page, count)
        if self._paired:
            self._text = split_pairs(text)  # lines are found in texts that count alike, and mended at the end
        self._same_index = len(self._raw) == count
        self._styles = StyleReader(text_page, frame, fonts)
        self._chars: list[int] = []  # of each line, the number of its first character
        self.objects: list[int | None] = []  # and the text object that holds it

    def read(self) -> list[Line]:
        texts, begins, ends, indices, lost = self._placed()
        printed, gaps = self._measured(texts, begins, ends, indices)
        gaps = [number for number in gaps if begins[number] not in lost]
        if gaps and (cells := self._cells(printed, gaps)):
            printed = _with_cells(printed, cells)
        lines = self._lines(printed)
        self._chars, self.objects = printed.indices, printed.objects
        if lost:
            self._let_follow(lines, lost)
        self._mend(lines, printed.texts)
        return self._joined_pairs(lines) if self._paired else lines

    def _placed(self) -> tuple[list[str], list[int], list[int], list[int], set[int]]:
        """The printed lines: text, begin and end in bytes, number of the first character; and the bytes at which begin those that are
        not found among the characters."""
        texts: list[str] = []
        begins: list[int] = []
        ends: list[int] = []
        places: list[int] = []
        lost: set[int] = set()
        text, find = self._text, self._raw.find
        plain, same_text = text.isascii(), text == self._raw
        cursor = behind = end = place = 0
        for start, piece in pieces(text):
            length = len(piece)
            if plain:
                begin, end = start, start + length
            else:
                begin = end + byte_size(text[behind:start])
                end = begin + byte_size(piece)
                behind = start + length
            found = start if same_text else find(piece, cursor, cursor + length + WINDOW)
            if found < 0 and (found := self._search(piece, cursor)) < 0:
                lost.add(begin)  # its place is that of the line before
            else:
                place, cursor = found, found + length
            texts.append(piece)
            begins.append(begin)
            ends.append(end)
            places.append(place)
        return texts, begins, ends, places if self._same_index else char_indices(self._page, places), lost

    def _measured(
        self, texts: list[str], begins: list[int], ends: list[int], indices: list[int]
    ) -> tuple[_Printed, list[int]]:
        """Lines with their rectangles and first styles, and the numbers of those that may hold a gap between cells."""
        counts, each = line_rects(self._page, indices, texts)
        styles, items, faces = self._styles.at(indices)
        rotation = self._frame.rotation
        rects: list[Rect] = []
        composed: list[Composed | None] = [None] * len(texts)
        gaps: list[int] = []
        for number, (count, text, style) in enumerate(zip(counts, texts, styles, strict=True)):
            if count == 1:
                rect = next(each)
                gap = rect[2] - rect[0] > (GLYPH_WIDTH * len(text) + CELL_GAP) * style[0]
            elif count < 1:  # of generated characters only, or not found
                rect, gap = (0.0, 0.0, 0.0, 0.0), False
            elif count > MANY_OBJECTS and per_character(count, text):
                composed[number] = Composed(text, indices[number], count, (), items[number], faces[number], style)
                rect, gap = self._around_words(text, indices[number], style)
            else:
                parts = list(islice(each, count))
                composed[number] = Composed(text, indices[number], count, parts, items[number], faces[number], style)
                rect, gap = _around(parts, style, sideways=(style[4] - rotation) % 180 != 0)
            rects.append(rect)
            if gap and (" " in text or "\t" in text) and not 0.0 < style[0] < 2.0:
                gaps.append(number)
        return _Printed(texts, begins, ends, indices, rects, styles, items, composed), gaps

    def _around_words(self, text: str, index: int, style: Style) -> tuple[Rect, bool]:
        """The same as ``_around``, by the first and last character of each word."""
        words = [word.span() for word in _WORD.finditer(text)]
        boxes = char_boxes(self._page, [index + at for begin, stop in words for at in (begin, stop - 1)])
        rects = [_union(pair) for pair in zip(boxes[::2], boxes[1::2], strict=True)]
        return _around(rects, style, sideways=(style.angle - self._frame.rotation) % 180 != 0)

    def _cells(self, printed: _Printed, gaps: list[int]) -> dict[int, _Printed]:
        """The cells of those lines that fall apart, by the number of the line."""
        found = {number: cuts for number, cuts in zip(gaps, self._cuts(printed, gaps), strict=True) if cuts}
        texts: list[str] = []
        begins: list[int] = []
        indices: list[int] = []
        for number, cuts in found.items():
            text, begin, index = printed.texts[number], printed.begins[number], printed.indices[number]
            for first, last in zip([0, *cuts], [*cuts, len(text)], strict=True):
                texts.append(text[first:last].rstrip())
                begins.append(begin + byte_size(text[:first]))
                indices.append(index + first)
        ends = [begin + byte_size(text) for begin, text in zip(begins, texts, strict=True)]
        measured, _ = self._measured(texts, begins, ends, indices)
        columns: list[Iterator[Any]] = [iter(column) for column in measured]
        return {
            number: _Printed(*[list(islice(column, len(cuts) + 1)) for column in columns])
            for number, cuts in found.items()
        }

    def _cuts(self, printed: _Printed, numbers: list[int]) -> list[list[int]]:
        """Where each of some lines falls into cells: offsets of the words that begin one."""
        spans = [[word.span() for word in _WORD.finditer(printed.texts[number])] for number in numbers]
        ends: list[int] = []
        for number, words in zip(numbers, spans, strict=True):
            index = printed.indices[number]
            ends += [index + at for begin, stop in words for at in (begin, stop - 1)]
        boxes = iter(char_boxes(self._page, ends))
        found = []
        for number, words in zip(numbers, spans, strict=True):
            style = printed.styles[number]
            wide = CELL_GAP * (style.size or 10.0)
            upright = (style.angle - self._frame.rotation) % 180 == 0
            cuts: list[int] = []
            before_low, before_high = -1e9, 1e9
            for begin, _ in words:
                left, top, right, bottom = next(boxes)
                left_too, top_too, right_too, bottom_too = next(boxes)
                if upright:
                    low, high = (left if left < left_too else left_too), (right if right > right_too else right_too)
                else:
                    low, high = min(bottom, bottom_too), max(top, top_too)
                if low - before_high > wide or before_low - high > wide:
                    cuts.append(begin)
                before_low, before_high = low, high
            found.append(_cells_only(printed.texts[number], cuts))
        return found

    def _lines(self, printed: _Printed) -> list[Line]:
        """The lines, each with its dominant style and its runs."""
        styles, runs = list(printed.styles), dict[int, tuple[Run, ...]]()
        several = [(number, line) for number, line in enumerate(printed.composed) if line is not None]
        if several:
            found = self._styles.stretches([line for _, line in several])
            for (number, line), parts in zip(several, found, strict=True):
                if len(parts) > 1:
                    styles[number], runs[number] = dominant(len(line.text), parts), runs_of(parts)
        lines, page, runs_at = [], self._number, runs.get
        columns = zip(printed.texts, printed.begins, printed.ends, self._boxes(printed.rects), styles, strict=True)
        for number, (text, begin, end, box, (size, font, weight, color, angle)) in enumerate(columns):
            if size < 2.0 and angle == 0 and box.height > 3.0:
                size = round(box.height * 1.2, 1)  # a Type 3 font in glyph units says nothing of its size
            lines.append(new_line(page, begin, end, text, box, size, font, weight, color, runs_at(number, ()), angle))
        return lines

    def _boxes(self, rects: list[Rect]) -> list[Box]:
        """Rectangles on the displayed page."""
        frame, x, y = self._frame, self._frame.left, self._frame.top
        if frame.rotation:
            return [frame.box(*rect) for rect in rects]
        # The same as Frame.box, and thrice as fast as calling Box.
        return [_new_tuple(Box, (left - x, y - top, right - x, y - bottom)) for left, top, right, bottom in rects]

    def _let_follow(self, lines: list[Line], lost: set[int]) -> None:
        """Text that cannot be found among the characters still is text: it stands where the line before it stands."""
        last = Line(self._number, 0, 0, "", Box(0, 0, 0, 0), 0, self._fonts.unknown)
        for number, line in enumerate(lines):
            if line.start in lost:
                lines[number] = replace(last, start=line.start, end=line.end, text=line.text, runs=(), angle=0)
            last = lines[number]

    def _joined_pairs(self, lines: list[Line]) -> list[Line]:
        """Lines whose texts, byte ranges and runs count a character beyond U+FFFF once, and its four bytes."""
        places, behind, at = [], 0, 0
        for half in _FIRST_HALF.finditer(self._text):
            at += byte_size(self._text[behind : half.start()])
            behind = half.start()
            places.append(at)
        whole = []
        for line in lines:
            start, end = (at - 2 * bisect_left(places, at) for at in (line.start, line.end))
            text, runs = line.text, line.runs
            if start - end != line.start - line.end:  # it holds some
                runs = _distinct([replace(run, start=len(join_pairs(text[: run.start]))) for run in runs])
                text = join_pairs(text)
            style = (line.size, line.font, line.weight, line.color)
            whole.append(new_line(line.page, start, end, text, line.box, *style, runs, line.angle))
        return whole

    def _mend(self, lines: list[Line], texts: list[str]) -> None:
        """PDFium ends a line behind a raised footnote mark; where the next one goes on beside it, the two are one again."""
        marked = [number for number, text in enumerate(texts) if text[-1] in _NOTE_MARKS]
        for number in reversed(marked):
            if number + 1 < len(lines):
                line, following = lines[number], lines[number + 1]
                mark, char = self._chars[number] + len(line.text) - 1, self._chars[number + 1]
                if _goes_on(line, following) and self._baseline(mark) - self._baseline(char) > 0.1 * line.size:
                    lines[number : number + 2] = [self._joined(line, following)]
                    del self._chars[number + 1], self.objects[number + 1]

    def _baseline(self, index: int) -> float:
        api.FPDFText_GetCharOrigin(self._text_page, index, _X, _Y)
        return DOUBLES[1]

    def _joined(self, line: Line, following: Line) -> Line:
        text = words_of(encoded(self._text), line.start, following.end)
        shift = len(text) - len(following.text)
        first, second = (one.runs or (Run(0, one.size, one.font, one.weight, one.color),) for one in (line, following))
        runs = (*first, *[Run(run.start + shift, run.size, run.font, run.weight, run.color) for run in second])
        if not line.runs and not following.runs and replace(runs[1], start=0) == runs[0]:
            runs = ()
        longer = line if len(line.text) >= len(following.text) else following
        box = line.box.union(following.box)
        style = (longer.size, longer.font, longer.weight, longer.color)
        return Line(line.page, line.start, following.end, text, box, *style, runs, line.angle)

    def _search(self, piece: str, cursor: int) -> int:
        place = self._raw.find(piece, cursor)
        if place >= 0:
            return place
        # Where a raised character stands, one text has a line break and the other has none.
        solid = "".join(piece.split())
        place = _find_solid(self._raw[cursor : cursor + 2 * len(piece) + WINDOW], solid)
        return cursor + place if place >= 0 else _find_solid(self._raw, solid)


def _distinct(runs: Sequence[Run]) -> tuple[Run, ...]:
    """Runs without those that hold no character, since their border lay within a pair, and without repeats."""
    kept: list[Run] = []
    for run in {run.start: run for run in runs}.values():
        if not kept or replace(run, start=0) != replace(kept[-1], start=0):
            kept.append(run)
    return tuple(kept) if len(kept) > 1 else ()


def _around(rects: Sequence[Rect], style: Style, *, sideways: bool) -> tuple[Rect, bool]:
    """The rectangle around some, in page coordinates, and whether two neighbours stand as far apart as cells do."""
    wide = CELL_GAP * (style.size if style.size >= 2.0 else 10.0)
    if sideways:
        apart = any(b[3] - a[1] > wide or a[3] - b[1] > wide for a, b in pairwise(rects))
        return _union(rects), apart
    gap, x0, y0, x1, y1 = False, 1e9, -1e9, -1e9, 1e9
    before_left, before_right = -1e9, 1e9
    for left, top, right, bottom in rects:
        if left - before_right > wide or before_left - right > wide:
            gap = True
        before_left, before_right = left, right
        x0, y0 = left if left < x0 else x0, top if top > y0 else y0
        x1, y1 = right if right > x1 else x1, bottom if bottom < y1 else y1
    return ((x0, y0, x1, y1) if rects else (0.0, 0.0, 0.0, 0.0)), gap


def _with_cells(printed: _Printed, cells: dict[int, _Printed]) -> _Printed:
    """Lines of which some are replaced by their cells."""
    merged = []
    for place, column in enumerate(cast("tuple[list[Any], ...]", printed)):
        parts: list[Any] = []
        behind = 0
        for number, replacing in cells.items():  # in the order of the lines
            parts += column[behind:number]
            parts += replacing[place]
            behind = number + 1
        merged.append(parts + column[behind:])
    return _Printed(*merged)


def _find_solid(text: str, solid: str) -> int:
    """Where a string without blanks begins in a text whose blanks do not count; -1 where it does not occur."""
    at = "".join(text.split()).find(solid)
    if at >= 0:
        for word in _WORD.finditer(text):
            length = word.end() - word.start()
            if at < length:
                return word.start() + at
            at -= length
    return -1


def _goes_on(line: Line, following: Line) -> bool:
    """Whether a line of about the same size stands behind another on its row, no further than words of one line may."""
    a, b = line.box, following.box
    near = 0.0 <= b.x0 - a.x1 < CELL_GAP * line.size and b.y0 > a.y0 - 1.0 and abs(a.y1 - b.y1) < 0.25 * line.size
    alike = not line.angle and not following.angle and abs(line.size - following.size) < 0.1 * line.size
    return near and alike and not _LABEL.fullmatch(line.text)


def _union(rects: Sequence[Rect]) -> Rect:
    if len(rects) == 1:
        return rects[0]
    if not rects:
        return (0.0, 0.0, 0.0, 0.0)
    left, top, right, bottom = zip(*rects, strict=True)
    return min(left), max(top), max(right), min(bottom)


def _cells_only(piece: str, cuts: list[int]) -> list[int]:
    """Cuts without those behind a heading number or bullet, and before the page number of a contents line."""
    if cuts and _LABEL.fullmatch(piece[: cuts[0]].strip()) and piece[cuts[0]].isalpha():
        cuts = cuts[1:]
    if len(cuts) == 1 and _FOLIO.fullmatch(piece[cuts[0] :]) and any(char.isalpha() for char in piece[: cuts[0]]):
        return []
    return cuts
