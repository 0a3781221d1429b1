"""What this room needs to know of a printed character; the reading room's own type has these fields."""

from __future__ import annotations

from typing import Protocol

from pageindex.document import Box

__all__ = ["Character"]


class Character(Protocol):
    """One character as printed.

    Attributes:
        start, end: Byte range in the page's text.
        text: The character.
        box: On the displayed page, in points, origin top left.
        size: Font size in points.
        baseline: y of its baseline on the displayed page.
    """

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def box(self) -> Box: ...
    @property
    def size(self) -> float: ...
    @property
    def baseline(self) -> float: ...
