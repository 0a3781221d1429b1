"""What every source wants to know of each line, computed once per document."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import chain, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from pageindex.document import Edition, Line
from pageindex.structure.numbering.marks import Number, parse
from pageindex.text.normal import title as fold

__all__ = ["Facts", "fold"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


class Facts:
    """The lines of an edition as columns; index ``i`` everywhere is the index into ``lines``.

    Attributes:
        edition: What was read.
        lines: Its lines, in reading order.
        texts: Line texts without surrounding space.
    """

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.lines: Sequence[Line] = tuple(edition.lines)
        self.texts: list[str] = [line.text.strip() for line in self.lines]

    @cached_property
    def folded(self) -> list[str]:
        """Texts as ``fold`` gives them, numbers included."""
        return [fold(text) for text in self.texts]

    @cached_property
    def numbers(self) -> list[Number | None]:
        """The mark each line begins with, not yet settled over the document."""
        return [parse(text) for text in self.texts]

    @cached_property
    def titles(self) -> list[str]:
        """Folded texts without their numbers; the folded text where nothing would be left."""
        rows = zip(self.texts, self.folded, self.numbers, strict=True)
        return [(fold(text[number.end :]) or whole) if number is not None else whole for text, whole, number in rows]

    @cached_property
    def page_lines(self) -> list[range]:
        """For each page (0-based), the indices of its lines."""
        bounds = np.searchsorted(self.page, np.arange(1, self.edition.page_count + 2)).tolist()
        return [range(a, b) for a, b in pairwise(bounds)]

    def on(self, page: int) -> range:
        """Indices of the lines of a page (1-based)."""
        return self.page_lines[page - 1]

    @cached_property
    def page(self) -> Ints:
        """Physical page of each line, 1-based."""
        return np.array([line.page for line in self.lines], dtype=np.int64)

    @cached_property
    def box(self) -> Floats:
        """x0, y0, x1, y1 of each line in points; shape (lines, 4)."""
        corners = chain.from_iterable([line.box for line in self.lines])
        return np.fromiter(corners, np.float64, 4 * len(self.lines)).reshape(-1, 4)  # thrice as fast as of tuples

    @cached_property
    def size(self) -> Floats:
        """Font size in points."""
        return np.array([line.size for line in self.lines], dtype=np.float64)

    @cached_property
    def font(self) -> Ints:
        return np.array([line.font for line in self.lines], dtype=np.int64)

    @cached_property
    def weight(self) -> Ints:
        """As the extractor reports it; compare with ``body_weight``."""
        return np.array([line.weight for line in self.lines], dtype=np.int64)

    @cached_property
    def chars(self) -> Ints:
        return np.array([len(text) for text in self.texts], dtype=np.int64)

    @cached_property
    def running(self) -> Bools:
        """Whether the line is a running head, foot or folio (``Page.running``)."""
        marks = np.zeros(len(self.lines), dtype=np.bool_)
        for page, indices in zip(self.edition.pages, self.page_lines, strict=True):
            if page.running:
                for i in indices:
                    line = self.lines[i]
                    marks[i] = any(start <= line.start and line.end <= end for start, end in page.running)
        return marks

    @cached_property
    def style(self) -> Ints:
        """An integer for each (font, size to a quarter point, weight)."""
        keys = np.stack([self.font, np.rint(self.size * 4).astype(np.int64), self.weight], axis=1)
        if not len(keys):
            return np.zeros(0, dtype=np.int64)
        return np.asarray(np.unique(keys, axis=0, return_inverse=True)[1], dtype=np.int64).reshape(-1)

    @cached_property
    def body(self) -> int:
        """Index of a line in the body style: the style that prints most characters; -1 without lines."""
        if not len(self.lines):
            return -1
        weights: Any = np.bincount(self.style, weights=self.chars)
        return int(np.argmax(self.style == int(np.argmax(weights))))

    @property
    def body_size(self) -> float:
        """Font size of the body in points; 0 without lines."""
        return float(self.size[self.body]) if self.body >= 0 else 0.0

    @property
    def body_weight(self) -> int:
        return int(self.weight[self.body]) if self.body >= 0 else 400

    @cached_property
    def bold(self) -> Bools:
        """Heavier than the body: a bold face where the body's is not, or a weight clearly above the body's."""
        if self.body < 0:
            return np.zeros(0, dtype=np.bool_)
        faces = np.array([font.bold for font in self.edition.fonts] or [False], dtype=np.bool_)
        own = faces[np.clip(self.font, 0, len(faces) - 1)]
        heavier = self.weight >= self.body_weight + 150
        return np.asarray(heavier | (own & ~own[self.body]), dtype=np.bool_)
