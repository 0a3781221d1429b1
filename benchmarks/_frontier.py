"""The costs of ``cost`` by another road: over the parts in which an answer can stand, each with the whole way down to it.

Nothing but the tests and the benchmarks uses this; it shares no step with the recursion it checks. In tokens,

- *worst* ``= max over parts p of (Σ over outlines shown on the way to p + size(p))``
- *expected* ``= Σ over parts p of size(p) / text · (Σ over outlines shown on the way to p + size(p))``

A part is a leaf, or the text of an inner section before its first child.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pageindex.refine.cost import TURN, Node

__all__ = ["Part", "average_pages", "expected_tokens", "parts", "worst_pages", "worst_tokens"]


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of text and what its reader has been shown before.

    Attributes:
        size: Tokens of the text.
        way: Tokens of all outlines shown on the way to it.
        choices: Number of those outlines.
        pages: Pages on which the text stands.
    """

    size: int
    way: int
    choices: int
    pages: int


def parts(nodes: Sequence[Node], budget: int, way: int = 0, choices: int = 0) -> Iterator[Part]:
    """All parts of the subtrees under one outline, in document order; an inner section's own text is behind its own outline."""
    way += _outline([node.entry for node in nodes], budget)
    for node in nodes:
        if not node.children:
            yield Part(node.own, way, choices + 1, node.pages)
            continue
        opened = way + _outline([child.entry for child in node.children], budget)
        yield Part(node.own, opened, choices + 2, node.pages)
        yield from parts(node.children, budget, way, choices + 1)


def _outline(entries: Sequence[int], budget: int) -> int:
    replies, left = 0, sum(entries)
    while left > 0:
        replies, left = replies + 1, left - budget
    return sum(entries) + TURN * max(0, replies - 1)


def worst_tokens(nodes: Sequence[Node], budget: int) -> int:
    """Tokens to the answer that is hardest to reach. A part without text costs its way."""
    return max(part.way + part.size for part in parts(nodes, budget))


def expected_tokens(nodes: Sequence[Node], budget: int) -> float:
    """Tokens to an answer that is as likely in one token of the text as in any other; without text, the first outline."""
    found = list(parts(nodes, budget))
    text = sum(part.size for part in found)
    if not text:
        return float(_outline([node.entry for node in nodes], budget))
    return sum(part.size * (part.way + part.size) for part in found) / text


def worst_pages(nodes: Sequence[Node], budget: int) -> int:
    """Choices and pages to the part that is hardest to reach; parts without a page do not count."""
    return max((part.choices + part.pages for part in parts(nodes, budget) if part.pages), default=0)


def average_pages(nodes: Sequence[Node], budget: int) -> float:
    """Choices and pages to a page that is as likely the wanted one as any other, page by page."""
    found = [part.choices + page for part in parts(nodes, budget) for page in range(1, part.pages + 1)]
    return sum(found) / len(found) if found else 0.0
