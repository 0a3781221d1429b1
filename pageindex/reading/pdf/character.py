"""A printed character, for those who ask a worker for it: they do not load what reads it."""

from __future__ import annotations

from dataclasses import dataclass

from pageindex.document import Box

__all__ = ["Character"]


@dataclass(frozen=True, slots=True)
class Character:
    """One printed character of a page.

    Attributes:
        start, end: Its bytes in the page's anchor.
        text: The character.
        box: The font's box of it (ascent to descent) on the displayed page.
        size: Font size in points, as displayed.
        baseline: Height of its origin on the displayed page, from the top, in points.
        raised: How far its origin stands above that of the character before it on the same line, in its own sizes; > 0.1 with a
            smaller size is a superscript.
    """

    start: int
    end: int
    text: str
    box: Box
    size: float
    baseline: float
    raised: float = 0.0
