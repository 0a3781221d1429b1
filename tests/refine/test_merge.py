"""Folding what costs more to list than to read."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pageindex.document import Edition, MergedHeading, Position, Section, Span, Tree, TreeSource
from pageindex.refine.cost import Node, Pricing, measure
from pageindex.refine.merge import merge, pays_collapsed
from tests.support.evidence_editions import text_edition


def tree_over(edition: Edition, shape: list[list[int]]) -> Tree:
    """Top sections with subsections, each subsection so many bytes long, one after the other on page 1."""
    at, number, tops = 0, 0, []
    for sizes in shape:
        number += 1
        name, start, children = f"{number:04d}", at, []
        for size in sizes:
            number += 1
            span = Span(Position(1, at), Position(1, at + size))
            children.append(Section(f"{number:04d}", f"Sub {number}", span, TreeSource.LAYOUT))
            at += size
        tops.append(Section(name, f"Top {name}", Span(Position(1, start), Position(1, at)), TreeSource.LAYOUT, children=tuple(children)))  # fmt: skip
    last = tops[-1]
    end = edition.end
    children = last.children
    if children:
        children = (*children[:-1], Section(children[-1].node_id, children[-1].title, Span(children[-1].start, end), TreeSource.LAYOUT))  # fmt: skip
    tops[-1] = Section(last.node_id, last.title, Span(last.start, end), TreeSource.LAYOUT, children=children)
    return Tree(edition.id, "", tuple(tops), end, TreeSource.LAYOUT)


def test_small_subsections_are_folded_and_stay_findable() -> None:
    edition = text_edition("word " * 4_000)
    tree = tree_over(edition, [[40, 40, 40], [6_000, 6_000]])
    merged = merge(tree, Pricing(edition))
    small, large = merged.sections
    assert small.children == ()
    assert small.merged == tuple(MergedHeading(f"Sub {n}", 1) for n in (2, 3, 4))
    assert small.span == tree.sections[0].span
    assert large == tree.sections[1]


def test_a_tie_keeps_the_printed_structure() -> None:
    # two leaves of 100: expanded 2·entry + 100, collapsed 200: equal at entry 50, under both objectives
    tied = Node.of(0, 9, 1, (Node.of(100, 50, 1), Node.of(100, 50, 1)))
    assert (tied.text, tied.worst, tied.expected) == (200, 200, 200.0)
    assert not pays_collapsed(tied)
    assert pays_collapsed(Node.of(0, 9, 1, (Node.of(100, 51, 1), Node.of(100, 50, 1))))
    assert not pays_collapsed(Node.of(0, 9, 1, (Node.of(100, 49, 1), Node.of(100, 50, 1))))


def test_what_is_cheaper_under_one_objective_only_stays() -> None:
    # worst 60 + 180 = 240 > 200, expected 60 + (180² + 20²)/200 = 224 > 200: folded; with cheap entries expected falls below
    assert pays_collapsed(Node.of(0, 9, 1, (Node.of(180, 30, 1), Node.of(20, 30, 1))))
    split = Node.of(0, 9, 1, (Node.of(180, 15, 1), Node.of(20, 15, 1)))
    assert split.worst > split.text > split.expected
    assert not pays_collapsed(split)


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(1, 400), max_size=6), min_size=1, max_size=5))
def test_merging_never_costs_and_never_hides(shape: list[list[int]]) -> None:
    edition = text_edition("some words here " * 800)
    tree = tree_over(edition, shape)
    pricing = Pricing(edition)
    merged = merge(tree, pricing)  # the constructor asserts order, nesting and coverage
    before, after = measure(pricing.nodes(tree.sections)), measure(pricing.nodes(merged.sections))
    slack = before.sections  # text that was counted in pieces is counted whole: a cut may have split a token
    assert after.worst <= before.worst + slack
    assert after.expected <= before.expected + slack
    assert after.outline <= before.outline
    assert abs(after.text - before.text) <= slack

    def titles(tree: Tree) -> list[str]:
        return [name for s, _ in tree.walk() for name in (s.title, *(m.title for m in s.merged))]

    assert titles(merged) == titles(tree)
