"""Levels of headings from what is printed: number, contents, style, order.

Headings of one kind (same form of number; or, without a number, same style) share a level. Kinds are ranked against each other by
the evidence in ``_above``; a stack then turns ranks into levels without holes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pageindex.structure.numbering import Number, System

__all__ = ["Heading", "levels_of"]


@dataclass(frozen=True, slots=True)
class Heading:
    """What decides a level.

    Attributes:
        size: Relative to the body text.
        bold, italic, lead: Heavier or more slanted than the body text; runs in to its paragraph.
        caps: Mostly capitals.
        number: Settled mark, if any.
        listed: Level in the printed contents (1 is the top), 0 where it is not listed.
    """

    size: float
    bold: bool
    italic: bool
    caps: bool
    lead: bool
    number: Number | None
    listed: int = 0

    @property
    def style(self) -> tuple[float, bool, bool, bool, bool]:
        """Kinds are told apart by it; larger sorts first."""
        return (-round(self.size * 12) / 12, not self.bold, self.lead, not self.caps, self.italic)

    @property
    def kind(self) -> tuple[object, ...]:
        if self.number is None:
            return ("style", *self.style)
        return ("number", self.number.form)


@dataclass
class _Kind:
    """Headings of one kind, and what they have in common."""

    members: list[int]
    style: tuple[float, bool, bool, bool, bool]
    depth: float
    listed: float


def levels_of(headings: Sequence[Heading]) -> list[int]:
    """A level for each heading, 1 at the top; each is at most one deeper than the heading before it."""
    members: dict[tuple[object, ...], list[int]] = {}
    for index, heading in enumerate(headings):
        members.setdefault(heading.kind, []).append(index)
    kinds = [_kind(headings, found) for found in members.values()]
    ranks = _ranks(kinds)
    rank_of = {index: rank for kind, rank in zip(kinds, ranks, strict=True) for index in kind.members}
    return _nested([rank_of[index] for index in range(len(headings))])


def _nested(ranks: Sequence[float]) -> list[int]:
    """Ranks to levels by a stack: a heading is the child of the nearest one before it that ranks higher."""
    levels: list[int] = []
    stack: list[float] = []
    for rank in ranks:
        while stack and stack[-1] >= rank:
            stack.pop()
        stack.append(rank)
        levels.append(len(stack))
    return levels


def _kind(headings: Sequence[Heading], members: list[int]) -> _Kind:
    styles = Counter(headings[index].style for index in members)
    listed = Counter(headings[index].listed for index in members if headings[index].listed)
    number = headings[members[0]].number
    common, count = listed.most_common(1)[0] if listed else (0, 0)
    return _Kind(
        members,
        styles.most_common(1)[0][0],
        _depth(number) if number is not None else 0.0,
        float(common) if count >= max(1, len(members) / 3) else 0.0,
    )


def _depth(number: Number) -> float:
    """Depth that a form of number claims: dotted numbers by their components, other systems where outlines usually put them."""
    if number.depth > 1:
        return float(number.depth)
    if number.prefix:
        return 0.6 if number.system in (System.ROMAN, System.HAN) else 1.0
    if number.style in ("()", ")", "[]"):
        return 4.0
    return {System.ROMAN: 0.8, System.ARABIC: 1.0, System.LETTER: 1.0, System.HAN: 1.0}.get(number.system, 4.0)


def _ranks(kinds: Sequence[_Kind]) -> list[float]:
    """A rank for each kind; smaller is higher. Numbered kinds by depth, the others slotted in by style."""
    ranks: list[float | None] = [kind.listed or (kind.depth or None) for kind in kinds]
    known = [(kind.style, rank) for kind, rank in zip(kinds, ranks, strict=True) if rank is not None]
    for index, kind in enumerate(kinds):
        if ranks[index] is None:
            ranks[index] = _slot(kind, known)
    return [rank if rank is not None else 1.0 for rank in ranks]


def _slot(kind: _Kind, known: Sequence[tuple[tuple[float, bool, bool, bool, bool], float]]) -> float:
    """Where a style falls among styles of known rank; by size alone where none is known."""
    same = [rank for style, rank in known if style == kind.style]
    if same:
        return min(same)
    higher = [rank for style, rank in known if style < kind.style]
    lower = [rank for style, rank in known if style > kind.style]
    size = 10.0 + kind.style[0] + 0.05 * sum(kind.style[1:])
    if higher and lower:
        top, bottom = max(higher), min(lower)
        return (top + bottom) / 2 if top < bottom else top + 0.01 * size / 10
    if higher:
        return max(higher) + 0.1 + size / 100
    if lower:
        return min(lower) - 1.0 + size / 100
    return size
