"""Places in a document: a page and a byte, a rectangle, a closed range of pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["Box", "PageRange", "Position", "Span"]


class Position(NamedTuple):
    """A point in the text of a document.

    ``page`` is physical and 1-based; ``byte`` is an offset into that page's text encoded as UTF-8. Positions compare in
    document order.
    """

    page: int
    byte: int


@dataclass(frozen=True, slots=True)
class PageRange:
    """A byte range of one page's text."""

    page: int
    start: int
    end: int


class Span(NamedTuple):
    """The text from ``start`` up to, and without, ``end``."""

    start: Position
    end: Position

    @property
    def last_page(self) -> int:
        """The last page of which the span holds anything; its first page when the span is empty."""
        if self.end.byte == 0 and self.end.page > self.start.page:
            return self.end.page - 1
        return self.end.page

    @property
    def pages(self) -> range:
        return range(self.start.page, self.last_page + 1)

    def on_page(self, page: int, length: int) -> tuple[int, int]:
        """The bytes of the span on one page, as ``(start, end)``; ``length`` is the page's length in bytes."""
        start = self.start.byte if page == self.start.page else 0
        end = self.end.byte if page == self.end.page else length
        if page < self.start.page or page > self.end.page:
            return (0, 0)
        return (min(start, length), min(max(start, end), length))


class Box(NamedTuple):
    """A rectangle on the page as it is displayed (after its rotation).

    In points (1/72 inch); the origin is the top left corner and y grows downwards.
    """

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        return self.y1 - self.y0

    def union(self, other: Box) -> Box:
        return Box(min(self.x0, other.x0), min(self.y0, other.y0), max(self.x1, other.x1), max(self.y1, other.y1))
