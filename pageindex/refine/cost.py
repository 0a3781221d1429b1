"""What a reader pays to find an answer in a tree, in tokens and, for comparison with other work, in pages.

A reader is shown the outline of a section's subsections, chooses one, and goes on inside it until there is nothing more to choose; then
it reads the text that is left. The answer stands in one *part*: a leaf's text, or the text of an inner section before its first child.

Symbols, all in tokens unless said otherwise:

- ``own(v)``: the text of v before its first child; all of it for a leaf.
- ``text(v) = own(v) + Σ text(child)``.
- ``entry(v)``: the outline entry of v (title, id, pages, summary).
- ``shown(v) = Σ entry(child)``, and ``TURN`` tokens more for every further reply that an outline over the budget takes.
- ``C(v) = text(v)``: v read whole (*collapsed*).
- ``E(v) = shown(v) + (the reading of the part that holds the answer)``: v read through its outline (*expanded*).

``E`` has two forms, where ``cost`` of a leaf is ``C`` and of an inner section ``E``:

- *worst*: ``shown(v) + max(own(v), max over children of worst(child))``
- *expected*: ``shown(v) + (own(v)² + Σ text(child) · expected(child)) / text(v)``, the answer being as likely in one token as in any other.

The text before the first child stands behind v's own outline, as the children do. Page-based search costs of the same tree, one page
of reading for every choice:

- *worst*: max over parts of (choices on the way + pages of the part)
- *average*: over all pages of all parts, (choices on the way + (pages of the part + 1) / 2): a linear scan inside the part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pageindex.document import Edition, Section, Span, Tree
from pageindex.refine.entry import entry_tokens, outline_entry
from pageindex.text import shown as shown_text
from pageindex.text.tokens import count_tokens

__all__ = ["TURN", "Costs", "Node", "Pricing", "costs", "measure", "shown"]

TURN = 120  #: Tokens of one more call and the frame of its reply.


@dataclass(frozen=True, slots=True)
class Node:
    """A section as the cost sees it.

    Attributes:
        own: Tokens of the text before the first child.
        entry: Tokens of its outline entry.
        pages: Pages on which that own text stands.
        children: Subsections.
        text: Tokens of the whole section.
        worst, expected: Tokens of reading an answer in it.
    """

    own: int
    entry: int
    pages: int
    children: tuple[Node, ...]
    text: int
    worst: int
    expected: float

    @classmethod
    def of(cls, own: int, entry: int, pages: int, children: tuple[Node, ...] = (), budget: int = 8_000) -> Node:
        """A node with its costs, from children that have theirs; ``budget`` is the outline's, in tokens."""
        text, worst, expected = reading(own, children, budget)
        return cls(own, entry, pages, children, text, worst, expected)

    def collapsed(self) -> Node:
        """The same section read whole."""
        return Node(self.text, self.entry, self.span_pages, (), self.text, self.text, float(self.text))

    @property
    def span_pages(self) -> int:
        """Pages of all parts together, an upper bound where parts share a page."""
        return self.pages + sum(child.span_pages for child in self.children)


def shown(children: Sequence[Node], budget: int) -> int:
    """Tokens of the outline of some sections: their entries, and one more turn for every reply beyond the first."""
    entries = sum(child.entry for child in children)
    return entries + max(0, -(-entries // budget) - 1) * TURN


def reading(own: int, children: Sequence[Node], budget: int) -> tuple[int, int, float]:
    """``(text, worst, expected)`` of a section in tokens, by the recursion of the module's head."""
    text = own + sum(child.text for child in children)
    if not children:
        return text, text, float(text)
    outline = shown(children, budget)
    worst = outline + max(own, *(child.worst for child in children))
    weighted = own * own + sum(child.text * child.expected for child in children)
    return text, worst, outline + (weighted / text if text else 0.0)


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs of a whole document.

    Attributes:
        sections: Number of sections.
        text: Tokens of the whole text: what reading without a tree costs.
        outline: Tokens of all entries.
        worst, expected: Tokens to find an answer.
        worst_pages, average_pages: Pages to find an answer, a choice counting as one page.
    """

    sections: int
    text: int
    outline: int
    worst: int
    expected: float
    worst_pages: int
    average_pages: float

    @classmethod
    def from_json(cls, item: Mapping[str, Any]) -> Costs:
        """Inverse of ``to_json``, but for what that rounds; raises KeyError on anything else."""
        return cls(
            item["sections"],
            item["text_tokens"],
            item["outline_tokens"],
            item["worst_tokens"],
            item["expected_tokens"],
            item["worst_pages"],
            item["average_pages"],
        )

    def to_json(self) -> dict[str, Any]:
        """All figures; expected ones rounded to a tenth."""
        return {
            "sections": self.sections,
            "text_tokens": self.text,
            "outline_tokens": self.outline,
            "worst_tokens": self.worst,
            "expected_tokens": round(self.expected, 1),
            "worst_pages": self.worst_pages,
            "average_pages": round(self.average_pages, 1),
        }


def measure(nodes: Sequence[Node], budget: int = 8_000) -> Costs:
    """The costs of a document whose top sections are ``nodes``; ``budget`` is the outline's, in tokens."""
    text, worst, expected = reading(0, nodes, budget)
    every = [(node, 1) for node in nodes]
    for node, choices in every:  # grows while it is walked
        every.extend((child, choices + 1) for child in node.children)
    parts = [(choices + bool(node.children), node.pages) for node, choices in every if node.pages]
    pages = sum(count for _, count in parts)
    scanned = sum(count * (choices + (count + 1) / 2) for choices, count in parts)
    return Costs(
        sections=len(every),
        text=text,
        outline=sum(node.entry for node, _ in every),
        worst=worst,
        expected=expected,
        worst_pages=max((choices + count for choices, count in parts), default=0),
        average_pages=scanned / pages if pages else 0.0,
    )


class Pricing:
    """Prices the sections of one edition. Every stretch of text is counted once.

    Args:
        edition: What was read.
        budget: Tokens of outline in one reply.
        summary_tokens: What a summary adds to an entry.
        summary_above: Sections of more tokens than this get one; None for none at all.
    """

    def __init__(
        self, edition: Edition, budget: int = 8_000, summary_tokens: int = 0, summary_above: int | None = None
    ) -> None:
        self.edition, self.budget = edition, budget
        self._summary_tokens, self._summary_above = summary_tokens, summary_above
        self._counted: dict[Span, int] = {}

    def without_summaries(self) -> Pricing:
        """The same without summaries in entries; what was counted stays counted."""
        plain = Pricing(self.edition, self.budget)
        plain._counted = self._counted
        return plain

    def tokens(self, span: Span) -> int:
        """Tokens of a span's text as it is shown."""
        if span not in self._counted:
            self._counted[span] = (
                count_tokens(shown_text.shown(self.edition, span).text) if span.start < span.end else 0
            )
        return self._counted[span]

    def own(self, section: Section) -> int:
        """Tokens of a section before its first child."""
        return self.tokens(section.own_span)

    def node(self, section: Section, children: tuple[Node, ...] | None = None) -> Node:
        """The section with its costs; ``children`` stands for nodes already made of its subsections."""
        if children is None:
            return self.nodes((section,))[0]
        own = self.own(section)
        text = own + sum(child.text for child in children)
        pages = len(section.own_span.pages) if section.start < section.own_span.end else 0
        return Node.of(own, self.entry(section, text), pages, children, self.budget)

    def nodes(self, sections: Sequence[Section]) -> tuple[Node, ...]:
        """Several sections, without recursion."""
        made: dict[int, Node] = {}
        every = [inner for section in sections for inner, _ in section.walk()]
        for section in reversed(every):
            made[id(section)] = self.node(section, tuple(made.pop(id(child)) for child in section.children))
        return tuple(made[id(section)] for section in sections)

    def entry(self, section: Section, text: int) -> int:
        """Tokens of the outline entry of a section of ``text`` tokens, as the tools print it, with its summary to come.

        A count of subsections is priced for every section, so that folding or adding some never changes what is above them.
        """
        long = self._summary_above is not None and text > self._summary_above
        return entry_tokens(outline_entry(section, text, children=0)) + (self._summary_tokens if long else 0)


def costs(edition: Edition, tree: Tree, budget: int = 8_000) -> Costs:
    """The costs of a tree whose outline shows no summaries; ``budget`` is the outline's, in tokens."""
    return measure(Pricing(edition, budget).nodes(tree.sections), budget)
