"""Merge: fold subsections into their parent where listing them costs more than reading the parent whole. Needs no model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pageindex.document import MergedHeading, Section, Tree
from pageindex.refine.cost import Node, Pricing
from pageindex.refine.edit import with_sections

__all__ = ["merge", "merged_sections", "pays_collapsed"]


def pays_collapsed(node: Node) -> bool:
    """Whether a section is better read whole: not dearer under either objective, and cheaper under one.

    In the symbols of ``cost``: ``C ≤ expected`` and ``C < worst``. On a tie the printed structure stays.
    """
    return bool(node.children) and node.text <= node.expected and node.text < node.worst


def merge(tree: Tree, pricing: Pricing) -> Tree:
    """The cheapest tree that can be had by folding; top sections stay. Node ids of what is left do not change.

    Choosing bottom-up is optimal, since a section's cost under either objective never falls when a child's rises.
    """
    return with_sections(tree, merged_sections(tree.sections, pricing))


def merged_sections(sections: Sequence[Section], pricing: Pricing) -> tuple[Section, ...]:
    """The same for any sections side by side."""
    done: dict[int, tuple[Section, Node]] = {}
    every = [inner for section in sections for inner, _ in section.walk()]
    for section in reversed(every):
        pairs = [done.pop(id(child)) for child in section.children]
        children, nodes = tuple(pair[0] for pair in pairs), tuple(pair[1] for pair in pairs)
        section_now = section if children == section.children else replace(section, children=children)
        node = pricing.node(section_now, nodes)
        if pays_collapsed(node):
            section_now, node = _folded(section_now), node.collapsed()
        done[id(section)] = (section_now, node)
    return tuple(done[id(section)][0] for section in sections)


def _folded(section: Section) -> Section:
    headings = [*section.merged]
    for inner, _ in section.walk():
        if inner is not section:
            headings += [MergedHeading(inner.title, inner.start_index), *inner.merged]
    return replace(section, children=(), merged=tuple(headings))
