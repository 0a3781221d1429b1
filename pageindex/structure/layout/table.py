"""All lines of an edition as columns of numbers, measured against the document's own body text.

Everything here is vectorised: one pass in Python over the lines to fill the columns, then numpy. Lengths are in points unless they are
said to be relative to the body size.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from pageindex.structure.facts import Bools, Facts, Floats, Ints

__all__ = ["LineTable", "Scalars", "codes", "codes_of"]

_FULL_STOPS = frozenset(".!?。！？؟।…")
_PAUSES = frozenset(",;:，；：、،؛-–—‐\u00ad\ufffe\x02(")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufefc]")
_CLOSERS = frozenset(")]}\"'»”’」』）】")
#: Class of a line's last character.
END_OTHER, END_STOP, END_PAUSE, END_DIGIT, END_LOWER = range(5)
#: Class of a line's first character.
START_OTHER, START_UPPER, START_LOWER, START_DIGIT, START_UNCASED = range(5)


class LineTable:
    """More columns over the lines of one edition, beside those of ``Facts``; index ``i`` is ``facts.lines[i]`` throughout.

    Attributes:
        facts: The columns that every source shares.
        page, size, font, weight, chars: As there.
        x0, y0, x1, y1: Boxes; mirrored left to right in documents written from right to left.
        width, height: Of the page.
        running: Whether the reading found it to be a running head, foot or folio.
        usable: Lines that could be a heading at all: upright, not empty.
        start_class, end_class: See the constants above.
    """

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.texts = facts.texts
        self.pages = facts.edition.page_count
        lines, edition = facts.lines, facts.edition
        self.page, self.size, self.font, self.weight = facts.page, facts.size, facts.font, facts.weight
        self.chars, self.running = facts.chars, facts.running
        sizes = np.array([(p.width, p.height) for p in edition.pages], dtype=np.float64).reshape(-1, 2)
        extent = sizes[self.page - 1] if len(lines) else np.zeros((0, 2))
        self.width, self.height = extent[:, 0], extent[:, 1]
        self.right_to_left = _right_to_left(facts.texts)
        self.x0, self.y0, self.x1, self.y1 = (facts.box[:, column] for column in range(4))
        if self.right_to_left:
            self.x0, self.x1 = self.width - self.x1, self.width - self.x0
        self.color = np.array([line.color for line in lines], dtype=np.int64)
        angle = np.array([line.angle for line in lines], dtype=np.int64)
        upright = angle == (0 if 2 * np.count_nonzero(angle == 0) >= len(angle) else np.bincount(angle % 360).argmax())
        self.usable = np.asarray(upright & (self.chars > 0))
        faces = np.array([(f.bold, f.italic, f.mono) for f in edition.fonts] or [(False,) * 3], dtype=bool)
        known = np.clip(self.font, 0, len(faces) - 1)
        self.bold_face, self.italic_face, self.mono_face = (faces[known, column] for column in range(3))

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def start_class(self) -> Ints:
        return _ints([_start_class(text) for text in self.texts])

    @cached_property
    def end_class(self) -> Ints:
        return _ints([_end_class(text) for text in self.texts])

    @cached_property
    def style(self) -> Ints:
        """Number of a line's style: face, size to a quarter of a point, weight and colour."""
        key = self.font * 4096 + np.clip(np.rint(self.size * 4), 0, 4095).astype(np.int64)
        key = (key * 1024 + np.clip(self.weight, 0, 1023)) * 4096 + _coarse_color(self.color)
        return codes(key)

    @cached_property
    def body_style(self) -> int:
        """The style in which most characters are set, running lines apart."""
        counts = np.bincount(self.style, weights=self.chars * ~self.running + 1e-3)
        return int(np.argmax(counts))

    @cached_property
    def body(self) -> Bools:
        """Lines in the body style."""
        return np.asarray(self.style == self.body_style)

    @cached_property
    def body_line(self) -> int:
        """Some line in the body style."""
        return int(np.argmax(self.body))

    @cached_property
    def body_size(self) -> float:
        """Size of the body text in points, never 0."""
        return max(float(self.size[self.body_line]), 1.0)

    @cached_property
    def bold(self) -> Bools:
        """Heavier than the body text: by the face's name where the body's is not bold, or by weight against the body's."""
        body_weight = int(self.weight[self.body_line])
        other_face = self.font != self.font[self.body_line]
        heavier = (self.weight > body_weight + 150) & other_face & (self.weight >= 600)
        named = self.bold_face & ~bool(self.bold_face[self.body_line])
        return np.asarray(named | heavier)

    @cached_property
    def italic(self) -> Bools:
        """Slanted where the body text is not."""
        return np.asarray(self.italic_face & ~bool(self.italic_face[self.body_line]))

    @cached_property
    def ink(self) -> Bools:
        """In another colour than the body text."""
        coarse = _coarse_color(self.color)
        return np.asarray(coarse != coarse[self.body_line])

    @cached_property
    def display(self) -> Bools:
        """Lines larger than the body text, or bold in its size: the styles that headings are usually set in."""
        return np.asarray((self.size >= 1.04 * self.body_size) | (self.bold & (self.size >= 0.96 * self.body_size)))

    @cached_property
    def rank(self) -> Ints:
        """Number of a line's coarse style: size to half a point, bold, italic. What readers see as one kind of heading."""
        key = np.clip(np.rint(self.size * 2), 0, 2047).astype(np.int64) * 8
        return codes(key + self.bold * 4 + self.italic * 2 + self.ink)

    @cached_property
    def row(self) -> Ints:
        """Number of the printed row: lines on one baseline of a page share it, also across columns."""
        middle = (self.y0 + self.y1) / 2
        order = np.lexsort((middle, self.page))
        step = np.diff(middle[order]) > 0.35 * np.minimum(self.size[order][1:], self.size[order][:-1])
        fresh = step | (np.diff(self.page[order]) != 0)
        number = np.zeros(len(self), dtype=np.int64)
        number[order[1:]] = np.cumsum(fresh)
        return number

    @cached_property
    def cells(self) -> Ints:
        """How many lines stand on the same row."""
        return np.asarray(np.bincount(self.row)[self.row]) if len(self) else self.row

    @cached_property
    def same_page(self) -> Bools:
        """Whether line ``i`` and line ``i + 1`` are on one page; one shorter than the table."""
        return np.asarray(self.page[1:] == self.page[:-1])

    @cached_property
    def flows(self) -> Bools:
        """Whether line ``i + 1`` stands below line ``i`` in the same column; one shorter than the table."""
        below = self.y0[1:] > self.y0[:-1] + 0.3 * self.size[:-1]
        overlap = np.minimum(self.x1[1:], self.x1[:-1]) - np.maximum(self.x0[1:], self.x0[:-1])
        return np.asarray(self.same_page & below & (overlap > -2 * self.body_size))

    @cached_property
    def gap(self) -> Floats:
        """White between line ``i`` and line ``i + 1`` below it in points; infinite where the latter begins a column or a page."""
        white = self.y0[1:] - self.y1[:-1]
        return np.where(self.flows, white, np.inf)

    @cached_property
    def leading(self) -> float:
        """Usual white between two lines of body text, in points."""
        pairs = self.flows & self.body[1:] & self.body[:-1] & (self.gap < 2 * self.body_size)
        return float(np.median(self.gap[pairs])) if pairs.any() else 0.25 * self.body_size

    @cached_property
    def left(self) -> Floats:
        """The left edge that a line is indented from: the nearest common one to its left, by page parity."""
        return self._edges(self.x0, from_right=False)

    @cached_property
    def right(self) -> Floats:
        """The right edge up to which a line could run: the nearest common one to its right, by page parity."""
        return self._edges(self.x1, from_right=True)

    def _edges(self, positions: Floats, *, from_right: bool) -> Floats:
        result = positions.copy()
        for parity in (0, 1):
            mine = np.flatnonzero(self.page % 2 == parity)
            if not len(mine):
                continue
            body = mine[self.body[mine] & ~self.running[mine]]
            common = _common(positions[body] if len(body) else positions[mine])
            if from_right:
                common = np.append(common, max(common[-1], float(np.percentile(positions[mine], 98))))
                found = np.searchsorted(common, positions[mine] - 2.0)
                result[mine] = common[np.minimum(found, len(common) - 1)]
            else:
                found = np.searchsorted(common, positions[mine] + 2.0, side="right") - 1
                result[mine] = common[np.maximum(found, 0)]
        return np.maximum(result, positions) if from_right else np.minimum(result, positions)


class Scalars:
    """The columns of a table as plain lists, for code that looks at one line after the other: numpy is slow at single values."""

    def __init__(self, table: LineTable) -> None:
        self.facts, self.texts = table.facts, table.texts
        self.body_size, self.leading, self.body_line = table.body_size, table.leading, table.body_line
        self.x0: list[float] = table.x0.tolist()
        self.x1: list[float] = table.x1.tolist()
        self.left: list[float] = table.left.tolist()
        self.right: list[float] = table.right.tolist()
        self.size: list[float] = table.size.tolist()
        self.gap: list[float] = table.gap.tolist()
        self.row: list[int] = table.row.tolist()
        self.rank: list[int] = table.rank.tolist()
        self.start_class: list[int] = table.start_class.tolist()
        self.end_class: list[int] = table.end_class.tolist()
        self.usable: list[bool] = table.usable.tolist()
        self.flows: list[bool] = table.flows.tolist()
        self.same_page: list[bool] = table.same_page.tolist()
        self.bold: list[bool] = table.bold.tolist()
        self.ink: list[bool] = table.ink.tolist()

    def __len__(self) -> int:
        return len(self.texts)


def codes(keys: Any) -> Ints:
    """Consecutive numbers for equal keys."""
    return np.asarray(np.unique(keys, return_inverse=True)[1]).reshape(-1)


def codes_of(words: Sequence[str]) -> Ints:
    """Consecutive numbers for equal words, in order of appearance."""
    known: dict[str, int] = {}
    return np.array([known.setdefault(word, len(known)) for word in words], dtype=np.int64)


def _ints(values: Sequence[int]) -> Ints:
    return np.array(values, dtype=np.int64)


def _coarse_color(color: Ints) -> Ints:
    """Four bits a channel: shades that no eye tells apart are one."""
    return np.asarray(((color >> 20) & 15) << 8 | ((color >> 12) & 15) << 4 | ((color >> 4) & 15))


def _common(positions: Floats) -> Floats:
    """Positions (to two points) that hold at least a twelfth of all, in rising order; the median where none does."""
    slots, counts = np.unique(np.rint(positions / 2).astype(np.int64), return_counts=True)
    often = slots[counts >= max(2, counts.sum() / 12)]
    return often * 2.0 if len(often) else np.array([float(np.median(positions))])


def _start_class(text: str) -> int:
    if not text:
        return START_OTHER
    first = text[0]
    if first.isdecimal():
        return START_DIGIT
    if first.isupper():
        return START_UPPER
    if first.islower():
        return START_LOWER
    return START_UNCASED if first.isalpha() else START_OTHER


def _end_class(text: str) -> int:
    if not text:
        return END_OTHER
    last = text[-1]
    if last in _CLOSERS and len(text) > 1:
        last = text[-2]
    if last in _FULL_STOPS:
        return END_STOP
    if last in _PAUSES:
        return END_PAUSE
    if last.isdecimal():
        return END_DIGIT
    return END_LOWER if last.islower() else END_OTHER


def _right_to_left(texts: Sequence[str]) -> bool:
    sample = "".join(texts[:: max(1, len(texts) // 400)])
    return 2 * len(_RIGHT_TO_LEFT.findall(sample)) > sum(map(str.isalpha, sample)) > 0
