"""A passage: the smallest piece of a page that is worth pointing to."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from pageindex.document.position import PageRange

__all__ = ["Passage", "PassageKind"]


class PassageKind(StrEnum):
    """What a passage is."""

    PARAGRAPH = "paragraph"  # or a part of one that is longer than a passage may be
    ITEM = "item"  # of a list
    ROW = "row"  # of a table
    CAPTION = "caption"  # of a figure, a table or a chart
    HEADING = "heading"  # of a section, or of rows in a table


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of one page's text that stands for itself.

    Attributes:
        page: Physical, 1-based.
        start, end: Byte range in the page's UTF-8 text, without white space at its ends.
        kind: What it is.
        section: Node id of the deepest section that holds its first byte.
        heads: Of a row: the byte ranges of the column heads above it, and of the label that its rows stand under, in order.
    """

    page: int
    start: int
    end: int
    kind: PassageKind
    section: str
    heads: tuple[tuple[int, int], ...] = ()

    @property
    def range(self) -> PageRange:
        """Its place."""
        return PageRange(self.page, self.start, self.end)
