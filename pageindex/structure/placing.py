"""Levels in the tree: where a heading stands that another source adds, and what numbers say against nesting."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from pageindex.document import TreeSource
from pageindex.structure.candidate import Candidate
from pageindex.structure.numbering.marks import Number, System

__all__ = ["Node", "heed_numbers", "nested_wrongly", "place", "place_by_number", "raise_appendices"]

MIN_BESIDE, MOST_BESIDE = (
    3,
    0.6,
)  #: How many numbered parts, and which share of them, stand beside their whole where nesting is wrong.


@dataclass(slots=True)
class Node:
    """A heading on its way into the tree; ``level`` is on the frame's scale."""

    candidate: Candidate
    level: int
    bare: str
    number: Number | None
    sources: list[TreeSource]

    @property
    def place(self) -> tuple[int, int]:
        return (self.candidate.page, self.candidate.byte)


def place(chain: Sequence[tuple[Node, Node | None]]) -> list[Node]:
    """Give the headings of another source that have no twin in the tree a level on the tree's scale.

    What counts is where they stand in their own source: beside the siblings that the tree knows, else below their parent; at the top, or
    where nothing near is known, as others of their level.

    Args:
        chain: The other source's headings in order, each with its twin in the tree; ``level`` of those without one is set.

    Returns:
        Those without a twin.
    """
    parents = _parents([new.level for new, _ in chain])
    families: dict[tuple[int, int], Counter[int]] = defaultdict(Counter)
    scale: dict[int, Counter[int]] = defaultdict(Counter)
    own = [new.level for new, _ in chain]
    below: dict[int, int] = {}
    for k, (new, twin) in enumerate(chain):
        if twin is None:
            continue
        families[parents[k], new.level][twin.level] += 1
        scale[new.level][twin.level] += 1
        if parents[k] >= 0:
            below[parents[k]] = min(below.get(parents[k], twin.level), twin.level)
    for k, (new, twin) in enumerate(chain):
        if twin is not None:
            continue
        parent = chain[parents[k]] if parents[k] >= 0 else None
        above = (parent[1] or parent[0]).level if parent is not None else -(1 << 30)
        usual = _usual(scale, own[k])
        siblings = families.get((parents[k], own[k]))
        if siblings:
            new.level = siblings.most_common(1)[0][0]
        elif parent is not None:
            new.level = usual if usual is not None and above < usual <= above + 1 else above + 1
        else:
            new.level = usual if usual is not None else min((min(c) for c in scale.values()), default=own[k])
        if k in below and new.level >= below[k]:
            new.level = below[k] - (above < below[k] - 1)  # nothing comes between a heading of the tree and its parent
    return [new for new, twin in chain if twin is None]


def _usual(scale: dict[int, Counter[int]], level: int) -> int | None:
    counts = scale.get(level)
    return counts.most_common(1)[0][0] if counts else None


def _parents(levels: Sequence[int]) -> list[int]:
    """For each heading the position of the nearest earlier one of a smaller level, -1 without one."""
    stack: list[int] = []
    found = []
    for k, level in enumerate(levels):
        while stack and levels[stack[-1]] >= level:
            stack.pop()
        found.append(stack[-1] if stack else -1)
        stack.append(k)
    return found


def place_by_number(nodes: Sequence[Node], added: frozenset[int]) -> None:
    """Added headings with a dotted number stand below the heading of their parent number, or beside their sibling."""
    seen: dict[tuple[str, tuple[int, ...]], int] = {}
    for node in nodes:
        number = node.number
        if number is None or not number.firm:
            continue
        if id(node) in added and number.depth > 1:
            parent = seen.get((number.prefix, number.values[:-1]), seen.get(("", number.values[:-1])))
            sibling = seen.get((number.prefix, (*number.values[:-1], number.values[-1] - 1)))
            if sibling is not None:
                node.level = sibling
            elif parent is not None:
                node.level = parent + 1
        seen[(number.prefix, number.values)] = node.level


def nested_wrongly(nodes: Sequence[Node]) -> bool:
    """Whether an outline's nesting says throughout another thing than its numbers: parts that stand beside what they are parts of."""
    seen: dict[tuple[str, tuple[int, ...]], int] = {}
    parts = beside = 0
    for node in nodes:
        number = node.number
        if number is None or not number.firm or number.prefix:
            continue
        parent = seen.get((number.style, number.values[:-1]), seen.get(("", number.values[:-1])))
        if number.depth > 1 and parent is not None:
            parts += 1
            beside += node.level <= parent
        seen[number.style, number.values] = seen["", number.values] = node.level
    return beside >= max(MIN_BESIDE, MOST_BESIDE * parts)


def heed_numbers(nodes: Sequence[Node]) -> None:
    """No heading stands at or above the level of the heading whose number contains its own."""
    seen: dict[tuple[str, tuple[int, ...]], int] = {}
    for node in nodes:
        number = node.number
        if number is None or not number.firm or number.prefix:
            continue
        if number.depth > 1:
            parent = seen.get((number.style, number.values[:-1]), seen.get(("", number.values[:-1])))
            if parent is not None and node.level <= parent:
                node.level = parent + 1
        seen[(number.style, number.values)] = seen[("", number.values)] = node.level


_CHAPTER = frozenset({"", "chapter", "part", "section", "kapitel", "chapitre", "capítulo", "capitolo", "глава", "teil"})
_APPENDIX = frozenset(
    {"appendix", "annex", "annexe", "anhang", "anlage", "apéndice", "anexo", "appendice", "allegato", "приложение"}
)
MIN_APPENDICES = 2  #: One alone below a chapter may be its own.


def raise_appendices(nodes: Sequence[Node]) -> None:
    """Appendices A, B, … behind the last chapter stand beside it, not below it; what is below them comes along.

    An outline made in a word processor hangs them below whatever came last. They are known by a word and a count that begins once and goes
    on to the end of the numbering: appendices of a chapter begin anew with each, or are followed by the next chapter.
    """
    starts = [k for k, node in enumerate(nodes) if _is_appendix(node)]
    counting = [k for k, node in enumerate(nodes) if _is_chapter(node)]
    level = min((nodes[k].level for k in counting), default=0)
    chapters = [k for k in counting if nodes[k].level == level]
    if len(starts) < MIN_APPENDICES or not chapters or chapters[-1] > starts[0]:
        return
    first = nodes[starts[0]]
    counted = [nodes[k].number for k in starts]
    runs = [number.values[0] for number in counted if number is not None] == list(range(1, len(starts) + 1))
    even = all(nodes[k].level == first.level for k in starts)
    if not runs or not even or first.level <= level:
        return
    excess = first.level - level
    for node in nodes[starts[0] :]:
        node.level = max(level, node.level - excess)


def _is_appendix(node: Node) -> bool:
    """A word and one letter or figure of a count, where the word is not one that chapters have."""
    number = node.number
    return number is not None and number.depth == 1 and number.prefix in _APPENDIX


def _is_chapter(node: Node) -> bool:
    number = node.number
    return number is not None and number.depth == 1 and number.prefix in _CHAPTER and number.systems[0] is System.ARABIC
