"""One page of PDFium → its anchor text and its printed lines with style, at little more than the cost of the plain text.

The method: the anchor comes from one call for the page's bounded text, the character numbers from one call for its raw text; each
printed line is found in the raw text by a substring search, its box by the rectangles of its text objects. A text object has one
font, size and colour, so one probe gives the style of a line of one rectangle; only lines of several are probed word by word.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import atan2, degrees, hypot
from typing import NamedTuple

from pageindex.document import Box, Font, Line, Run
from pageindex.reading.pdfium_api import DOUBLES, FLOATS, UINTS, api

__all__ = ["FontTable", "Frame", "PageText", "read_page"]

#: A gap between two words of one baseline, in font sizes, from which on they stand in two cells. A justified space stays below 1,
#: gutters between columns begin at about 1.8.
CELL_GAP = 1.6

#: How far beyond the expected place a line is looked for in the raw text, in characters.
WINDOW = 96

_PIECE = re.compile("[^\r\n\x02]*\x02|[^\r\n\x02]+")
_WORD = re.compile(r"\S+")
_LABEL = re.compile(
    r"[^\w\s]{1,3}|[^\w\s]{0,2}(?:\d[\w.\-–:]{0,9}|[^\W\d_]{1,5}[.:)\]]?|[^\W\d_]{1,4}[.\-]\d[\d.\-]{0,6})[^\w\s]{0,2}"
)
_FOLIO = re.compile(r"[\d\-–.]{1,7}|[ivxlcdmIVXLCDM]{1,7}")

_D = ctypes.addressof(DOUBLES)
_D1, _D2, _D3 = _D + 8, _D + 16, _D + 24
_F = ctypes.addressof(FLOATS)
_U = ctypes.addressof(UINTS)
_U1, _U2, _U3 = _U + 4, _U + 8, _U + 12

_FIXED, _SERIF, _ITALIC, _FORCE_BOLD = 1, 2, 64, 1 << 18  # font descriptor flags, ISO 32000-1 table 123


class Style(NamedTuple):
    """What a text object is set in; ``angle`` is clockwise on the displayed page."""

    size: float
    font: int
    weight: int
    color: int
    angle: int


class Frame(NamedTuple):
    """The visible part of a page in its own coordinates, and the rotation under which it is displayed."""

    left: float
    bottom: float
    right: float
    top: float
    rotation: int  # degrees clockwise

    @property
    def size(self) -> tuple[float, float]:
        """Width and height as displayed."""
        width, height = self.right - self.left, self.top - self.bottom
        return (height, width) if self.rotation in (90, 270) else (width, height)

    def box(self, left: float, top: float, right: float, bottom: float) -> Box:
        """A rectangle of page coordinates on the displayed page."""
        if self.rotation == 0:
            return Box(left - self.left, self.top - top, right - self.left, self.top - bottom)
        if self.rotation == 90:
            return Box(bottom - self.bottom, left - self.left, top - self.bottom, right - self.left)
        if self.rotation == 180:
            return Box(self.right - right, bottom - self.bottom, self.right - left, top - self.bottom)
        return Box(self.top - top, self.right - right, self.top - bottom, self.right - left)


class FontTable:
    """The faces met so far, each once."""

    def __init__(self) -> None:
        self.fonts: list[Font] = []
        self._index: dict[Font, int] = {}
        self._name = ctypes.create_string_buffer(256)

    def add(self, handle: int) -> tuple[int, int]:
        """Index and weight of the face behind a font handle."""
        size = api.FPDFFont_GetBaseFontName(handle, self._name, 256)
        raw = self._name.raw[: max(min(size, 256) - 1, 0)].decode("utf-8", "replace")
        name = raw[7:] if raw[6:7] == "+" and raw[:6].isupper() else raw
        flags, weight = api.FPDFFont_GetFlags(handle), api.FPDFFont_GetWeight(handle)
        lower = name.lower()
        font = Font(
            name=name,
            bold=bool(flags > 0 and flags & _FORCE_BOLD) or any(mark in lower for mark in _BOLD_MARKS),
            italic=bool(flags > 0 and flags & _ITALIC) or "italic" in lower or "oblique" in lower,
            mono=bool(flags > 0 and flags & _FIXED) or "mono" in lower or "courier" in lower,
            serif=bool(flags > 0 and flags & _SERIF),
        )
        index = self._index.setdefault(font, len(self.fonts))
        if index == len(self.fonts):
            self.fonts.append(font)
        return index, max(weight, 0)


#: How foundries and TeX spell a bold face; the descriptor's flag is set in few files.
_BOLD_MARKS = ("bold", "black", "heavy", "cmbx", "-bd", "medi")


@dataclass
class PageText:
    """What one page gave: the anchor, its lines in the file's order, and how many characters PDFium holds."""

    text: str = ""
    lines: list[Line] = field(default_factory=list)
    char_count: int = 0
    unplaced: int = 0


def read_page(text_page: int, number: int, frame: Frame, fonts: FontTable, max_chars: int) -> PageText:
    """Anchor and lines of a loaded page."""
    count = api.FPDFText_CountChars(text_page)
    if count <= 0:
        return PageText()
    text = _bounded_text(text_page, frame, min(count, max_chars))
    lines = _LineReader(text_page, number, frame, fonts, text, count)
    return PageText(text, lines.read(), count, lines.unplaced)


def _bounded_text(text_page: int, frame: Frame, count: int) -> str:
    # The same call with the same rectangle as PdfTextPage.get_text_bounded(), once instead of twice. The buffer holds a surrogate
    # pair or a line break per character, so that nothing is cut.
    room = 2 * count + 16
    buffer = ctypes.create_string_buffer(2 * room)
    got = api.FPDFText_GetBoundedText(text_page, frame.left, frame.top, frame.right, frame.bottom, buffer, room)
    text = ctypes.string_at(buffer, 2 * max(got, 0)).decode("utf-16-le", "ignore")
    return text.rstrip("\0")


def _raw_text(text_page: int, count: int) -> str:
    room = 2 * count + 16
    buffer = ctypes.create_string_buffer(2 * room)
    got = api.FPDFText_GetText(text_page, 0, count, buffer)
    text = ctypes.string_at(buffer, 2 * max(got - 1, 0)).decode("utf-16-le", "surrogatepass")
    return text.replace("\ufffe", "\x02")  # the raw text's sign for a hyphen at a line end


class _LineReader:
    """The lines of one page."""

    def __init__(self, text_page: int, number: int, frame: Frame, fonts: FontTable, text: str, count: int) -> None:
        self._text_page, self._number, self._frame, self._fonts, self._text = text_page, number, frame, fonts, text
        self._raw = _raw_text(text_page, count)
        self._same_index = len(self._raw) == count
        self._styles: dict[int, Style] = {}
        self._faces: dict[int, tuple[int, int]] = {}
        self._squeezed: tuple[str, list[int]] | None = None
        self._byte_at = _byte_counter(text)
        self.unplaced = 0

    def read(self) -> list[Line]:
        lines: list[Line] = []
        cursor = 0
        find = self._raw.find
        for match in _PIECE.finditer(self._text):
            whole = match.group()
            piece = whole.strip()
            if not piece:
                continue
            start = match.start() + whole.index(piece[0]) if whole[0] != piece[0] else match.start()
            place = find(piece, cursor, cursor + len(piece) + WINDOW)
            if place < 0:
                place = self._search(piece, cursor)
            if place < 0:
                self.unplaced += 1
                lines.extend(self._without_place(piece, start, lines))
                continue
            cursor = place + len(piece)
            lines.extend(self._lines(piece, start, self._char_index(place)))
        return lines

    def _search(self, piece: str, cursor: int) -> int:
        place = self._raw.find(piece, cursor)
        if place >= 0:
            return place
        if self._squeezed is None:
            kept = [(char, index) for index, char in enumerate(self._raw) if char > " "]
            self._squeezed = ("".join(char for char, _ in kept), [index for _, index in kept])
        text, index = self._squeezed
        at = text.find("".join(piece.split()))
        return index[at] if at >= 0 else -1

    def _char_index(self, place: int) -> int:
        if self._same_index:
            return place
        return int(api.FPDFText_GetCharIndexFromTextIndex(self._text_page, place))

    def _without_place(self, piece: str, start: int, before: list[Line]) -> list[Line]:
        # Text that cannot be found among the characters still is text: it stands where the line before it stands.
        last = before[-1] if before else Line(self._number, 0, 0, "", Box(0, 0, 0, 0), 0, self._fallback_font())
        first, end = self._byte_at(start), self._byte_at(start + len(piece))
        return [Line(self._number, first, end, piece, last.box, last.size, last.font, last.weight, last.color)]

    def _fallback_font(self) -> int:
        if not self._fonts.fonts:
            self._fonts.fonts.append(Font(""))
        return 0

    def _lines(self, piece: str, start: int, index: int) -> Iterator[Line]:
        rects = self._rects(index, len(piece))
        style = self._style_at(index)
        cuts = self._cuts(piece, index, rects, style)
        if not cuts:
            yield self._line(piece, start, index, rects, style)
            return
        for first, last in zip([0, *cuts], [*cuts, len(piece)], strict=True):
            cell = piece[first:last].rstrip()
            rects, style = self._rects(index + first, len(cell)), self._style_at(index + first)
            yield self._line(cell, start + first, index + first, rects, style)

    def _rects(self, index: int, length: int) -> list[list[float]]:
        """``[left, top, right, bottom]`` of each text object in a range of characters, in page coordinates."""
        rects = []
        for number in range(api.FPDFText_CountRects(self._text_page, index, length)):
            api.FPDFText_GetRect(self._text_page, number, _D, _D1, _D2, _D3)
            rects.append(DOUBLES[:4])
        return rects

    def _line(self, piece: str, start: int, index: int, rects: list[list[float]], style: Style) -> Line:
        runs: tuple[Run, ...] = ()
        if len(rects) == 1:
            left, top, right, bottom = rects[0]
        elif rects:
            left, bottom = min(r[0] for r in rects), min(r[3] for r in rects)
            right, top = max(r[2] for r in rects), max(r[1] for r in rects)
            style, runs = self._runs(piece, index, style)
        else:
            left = top = right = bottom = 0.0
        size, font, weight, color, angle = style
        box = self._frame.box(left, top, right, bottom)
        if size < 2.0 and angle == 0 and box.height > 3.0:
            size = round(box.height * 1.2, 1)  # a Type 3 font in glyph units says nothing of its size
        first, end = self._byte_at(start), self._byte_at(start + len(piece))
        return Line(self._number, first, end, piece, box, size, font, weight, color, runs, angle)

    def _runs(self, piece: str, index: int, first: Style) -> tuple[Style, tuple[Run, ...]]:
        """The dominant style and, where there is more than one, the stretches of each."""
        starts, styles = [0], [first]
        for word in _WORD.finditer(piece):
            begin, stop = word.span()
            style = self._style_at(index + begin)
            if style != styles[-1]:
                starts.append(begin)
                styles.append(style)
            if stop - begin > 1 and self._style_at(index + stop - 1) != style:
                for at in range(begin + 1, stop):
                    style = self._style_at(index + at)
                    if style != styles[-1]:
                        starts.append(at)
                        styles.append(style)
        if len(styles) == 1:
            return first, ()
        weights: dict[Style, int] = {}
        for style, begin, stop in zip(styles, starts, [*starts[1:], len(piece)], strict=True):
            weights[style] = weights.get(style, 0) + stop - begin
        dominant = max(weights, key=lambda style: weights[style])
        runs = tuple(Run(begin, s.size, s.font, s.weight, s.color) for begin, s in zip(starts, styles, strict=True))
        return dominant, runs

    def _style_at(self, index: int) -> Style:
        handle = api.FPDFText_GetTextObject(self._text_page, index)
        style = self._styles.get(handle)
        if style is None:
            style = self._styles[handle] = self._probe(index, handle)
        return style

    def _probe(self, index: int, handle: int | None) -> Style:
        if not handle:
            return Style(0.0, self._fallback_font(), 400, 0, 0)
        font = api.FPDFTextObj_GetFont(handle)
        face = self._faces.get(font)
        if face is None:
            face = self._faces[font] = self._fonts.add(font)
        size = api.FPDFText_GetFontSize(self._text_page, index)
        angle = 0
        if api.FPDFText_GetMatrix(self._text_page, index, _F):
            a, b, c, d = FLOATS[:4]
            size *= abs(d) if c == 0.0 else hypot(c, d)
            if b != 0.0 or a < 0.0:
                angle = round(self._frame.rotation - degrees(atan2(b, a))) % 360
            else:
                angle = self._frame.rotation
        color = 0
        if api.FPDFText_GetFillColor(self._text_page, index, _U, _U1, _U2, _U3):
            red, green, blue, _ = UINTS
            color = red << 16 | green << 8 | blue
        return Style(round(abs(size), 2), face[0], face[1], color, angle)

    def _cuts(self, piece: str, index: int, rects: list[list[float]], style: Style) -> list[int]:
        """Where a line falls into cells: offsets of the words that begin one."""
        if not rects or " " not in piece and "\t" not in piece:
            return []
        upright = (style.angle - self._frame.rotation) % 180 == 0
        low, high = (0, 2) if upright else (3, 1)
        wide = CELL_GAP * (style.size if style.size >= 2.0 else 10.0)
        if len(rects) == 1:
            if rects[0][high] - rects[0][low] < 0.62 * style.size * len(piece) + wide or style.size < 2.0:
                return []
        elif not any(max(b[low] - a[high], a[low] - b[high]) > wide for a, b in zip(rects, rects[1:], strict=False)):
            return []
        words = [word.span() for word in _WORD.finditer(piece)]
        spans = [self._extent(index + begin, index + stop - 1, upright) for begin, stop in words]
        cuts = [
            words[i + 1][0]
            for i, (a, b) in enumerate(zip(spans, spans[1:], strict=False))
            if max(b[0] - a[1], a[0] - b[1]) > wide
        ]
        return _cells_only(piece, cuts)

    def _extent(self, first: int, last: int, upright: bool) -> tuple[float, float]:
        lows, highs = [], []
        for index in (first, last):
            api.FPDFText_GetCharBox(self._text_page, index, _D, _D1, _D2, _D3)  # left, right, bottom, top
            low, high = DOUBLES[0:2] if upright else DOUBLES[2:4]
            lows.append(low)
            highs.append(high)
        return min(lows), max(highs)


def _cells_only(piece: str, cuts: list[int]) -> list[int]:
    """Cuts without those behind a heading number or bullet, and before the page number of a contents line."""
    if cuts and _LABEL.fullmatch(piece[: cuts[0]].strip()) and piece[cuts[0]].isalpha():
        cuts = cuts[1:]
    if len(cuts) == 1 and _FOLIO.fullmatch(piece[cuts[0] :]) and any(char.isalpha() for char in piece[: cuts[0]]):
        return []
    return cuts


def _byte_counter(text: str) -> Callable[[int], int]:
    """Character offset → byte offset, for offsets that mostly rise."""
    if text.isascii():
        return int
    place, total = 0, 0

    def count(offset: int) -> int:
        nonlocal place, total
        if offset < place:
            place, total = 0, 0
        total += len(text[place:offset].encode("utf-8", "surrogatepass"))
        place = offset
        return total

    return count
