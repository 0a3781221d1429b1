"""What the text objects of a page are set in. A text object has one font, size and colour: one probe of any of its characters tells.

A line of several objects is probed once for each, at the character that its rectangle suggests, and a border between two is looked for
only where their faces differ. An object of a character or two may so be missed between others of one style; the ends of a line and its
dominant style are not touched by that. Lines of very many objects are probed at their words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple, cast

from pageindex.document import Run
from pageindex.document.edition import new_run
from pageindex.reading.pdf.api import Handle, api, handle
from pageindex.reading.pdf.batch import Face, Look, Rect, faces, looks, scales, text_objects
from pageindex.reading.pdf.fonts import FontTable, Frame, Style

__all__ = ["Composed", "Stretch", "StyleReader", "dominant", "runs_of"]

#: Text objects of a line that are probed one by one; where there are more, the words are.
MOST_PROBES = 24

_SIZE = itemgetter(1)

_WORD = re.compile(r"\S+")

_text_object, _render_mode = api.FPDFText_GetTextObject, api.FPDFTextObj_GetTextRenderMode

_OWN = -1  # stands for the kind in which a line begins
_INVISIBLE = 3  # text render mode that fills and strokes nothing

Stretch = tuple[int, Style]  #: Offset in a line from which on it is set in a style.


class Composed(NamedTuple):
    """A line of several text objects."""

    text: str
    first: int  # number of its first character
    objects: int  # how many text objects it has
    rects: Sequence[Rect]  # their rectangles; none where it is drawn character by character
    item: int | None  # the text object of its first character
    kind: Face  # font and size of that
    style: Style


class StyleReader:
    """Styles on one page."""

    def __init__(self, text_page: int, frame: Frame, fonts: FontTable) -> None:
        self._page: Handle = handle(text_page)
        self._frame, self._fonts = frame, fonts
        self._known: dict[Look, Style] = {}

    def at(self, indices: Sequence[int]) -> tuple[list[Style], list[int | None], Sequence[Face]]:
        """The styles of some characters, the text objects that hold them, and their kinds."""
        objects = text_objects(self._page, indices)
        if None in objects:  # characters that PDFium made up; the next ones are printed
            indices = [index + (item is None) for index, item in zip(indices, objects, strict=True)]
            objects = text_objects(self._page, indices)
        met = faces(self._page, indices, objects)
        styles = self._styles(indices, objects, met)
        return styles, objects, self._kinds(indices, met)

    def stretches(self, lines: Sequence[Composed]) -> list[list[Stretch]]:
        """The stretches of one style of each line."""
        samples = [_samples(line.text, line.objects, line.rects) for line in lines]
        asked = [line.first + offset for line, (offsets, _) in zip(lines, samples, strict=True) for offset in offsets]
        objects = text_objects(self._page, asked)
        met = faces(self._page, asked, objects)
        kinds = self._kinds(asked, met)
        firsts: list[int] = []  # probes that met a kind for the first time in their line
        # The line, the offset at which a kind begins, and that kind's place among the firsts.
        borders: list[tuple[int, int, int]] = []
        probe = 0
        for number, (line, (offsets, guesses)) in enumerate(zip(lines, samples, strict=True)):
            low, item, kind = 0, line.item, line.kind
            seen = {kind: _OWN}
            for offset, guess in zip(offsets, guesses, strict=True):
                there = objects[probe]
                if there is not None:
                    if kinds[probe] != kind:
                        kind = kinds[probe]
                        if kind not in seen:
                            seen[kind] = len(firsts)
                            firsts.append(probe)
                        borders.append((number, self._border(line.first, low, offset, item, guess), seen[kind]))
                    low, item = offset, there
                probe += 1
        found: list[list[Stretch]] = [[(0, line.style)] for line in lines]
        if borders:
            styles = self._styles([asked[k] for k in firsts], [objects[k] for k in firsts], [met[k] for k in firsts])
            for number, offset, which in borders:
                style = lines[number].style if which == _OWN else styles[which]
                if style is not found[number][-1][1]:
                    found[number].append((offset, style))
        return found

    def _border(self, index: int, low: int, high: int, current: int | None, guess: int) -> int:
        """The first character beyond a text object that holds ``low`` and not ``high``: looked for around a guess, ever further away,
        and by halving beyond it."""
        page, stride = self._page, 1
        while high - low > 1:
            middle = guess if low < guess < high else (low + high) // 2
            item = _text_object(page, index + middle)
            if item == current or item is None:  # a space that PDFium made up belongs to no object
                low, guess = middle, middle + stride
            else:
                high, guess = middle, middle - stride
            stride += stride
        return high

    def _kinds(self, indices: Sequence[int], met: Sequence[Face]) -> Sequence[Face]:
        """Faces with the size as displayed where the nominal one says nothing: some programs set all text at 1 and enlarge it."""
        if not met or min(map(_SIZE, met)) > 1.0:
            return met
        kinds = list(met)
        places = [place for place, (_, size) in enumerate(met) if size <= 1.0]
        for place, scale in zip(places, scales(self._page, [indices[place] for place in places]), strict=True):
            font, size = met[place]
            kinds[place] = (font, round(size * scale, 2))
        return kinds

    def _styles(self, indices: Sequence[int], objects: Sequence[int | None], met: Sequence[Face]) -> list[Style]:
        keys = looks(self._page, indices, met)
        styles = list(map(self._known.get, keys))
        if None in styles:
            for number, (style, item) in enumerate(zip(styles, objects, strict=True)):
                if style is None:
                    styles[number] = self._known.get(keys[number]) or self._new_style(keys[number], item)
        return cast("list[Style]", styles)

    def _new_style(self, look: Look, item: int | None) -> Style:
        if not item:
            return self._fonts.style(Style(0.0, self._fonts.unknown, 400, 0, 0))
        (font, size), (picture,) = look
        style = self._known[look] = self._fonts.drawn(font or 0, size, picture, self._frame.rotation)
        if _render_mode(handle(item)) == _INVISIBLE:
            self._fonts.invisible.add((style.font, style.size))
        return style


def dominant(length: int, stretches: Sequence[Stretch]) -> Style:
    """The style of most of ``length`` characters; the first of those that are equal."""
    if len(stretches) == 2:
        (_, first), (border, second) = stretches
        return first if 2 * border >= length else second
    weights: dict[int, int] = {}  # by identity: equal styles are one object
    start, style = stretches[0]
    best, most = style, 0
    for stop, following in (*stretches[1:], (length, style)):
        weight = weights[id(style)] = weights.get(id(style), 0) + stop - start
        if weight > most:
            best, most = style, weight
        start, style = stop, following
    return best


def runs_of(stretches: Sequence[Stretch]) -> tuple[Run, ...]:
    """The runs of a line of several stretches."""
    return tuple([new_run(at, s[0], s[1], s[2], s[3]) for at, s in stretches])


def _samples(text: str, objects: int, rects: Sequence[Rect]) -> tuple[list[int], list[int]]:
    """Offsets of the characters to be probed behind the first of a line, and where the border before each may be."""
    last = len(text) - 1
    if len(rects) == 2:
        (left, _, _, _), (border, _, right, _) = rects
        return [last], [int((border - left) * last / (right - left)) + 1 if right > left else 0]
    if 2 < len(rects) <= MOST_PROBES:
        left, right = rects[0][0], rects[-1][2]
        per_point = last / (right - left) if right > left else 0.0
        offsets, guesses, low = [], [], 0
        for start, _, stop, _ in rects[1:-1]:
            offset = int(((start + stop) / 2 - left) * per_point)
            if not low < offset < last:  # where the rectangles do not rise from left to right
                offset = min(low + 1, last)
            low = offset
            offsets.append(offset + 1 if text[offset] == " " and offset < last else offset)
            guesses.append(int((start - left) * per_point) + 1)
        offsets.append(last)
        guesses.append(int((rects[-1][0] - left) * per_point) + 1)
        return offsets, guesses
    words = [word.span() for word in _WORD.finditer(text)]
    if objects > 3 * len(words):
        offsets = [start for start, _ in words]
    else:
        offsets = [at for start, stop in words for at in ((start, stop - 1) if stop - start > 1 else (start,))]
    return offsets, [offset - 1 for offset in offsets]
