"""The cost model: figures by hand, and by a second road."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks._frontier import average_pages, expected_tokens, worst_pages, worst_tokens
from pageindex.app.outline import Outline
from pageindex.document.codec import encode_json
from pageindex.refine.cost import TURN, Node, Pricing, costs, measure
from pageindex.refine.entry import entry_tokens
from pageindex.refine.merge import merge
from pageindex.text.extent import Extent
from pageindex.text.tokens import count_tokens
from tests.support.refine_editions import Chapter, book

BUDGET = 300


def leaf(own: int, entry: int = 20, pages: int = 1) -> Node:
    return Node.of(own, entry, pages, (), BUDGET)


def inner(own: int, *children: Node, entry: int = 20, pages: int = 1) -> Node:
    return Node.of(own, entry, pages, children, BUDGET)


trees = st.recursive(
    st.builds(leaf, st.integers(0, 5_000), st.integers(1, 120), st.integers(0, 30)),
    lambda below: st.builds(
        lambda own, entry, pages, children: Node.of(own, entry, pages, tuple(children), BUDGET),
        st.integers(0, 5_000), st.integers(1, 120), st.integers(0, 30), st.lists(below, min_size=1, max_size=5),
    ),
    max_leaves=25,
)  # fmt: skip


def test_figures_by_hand() -> None:
    a, b = leaf(100, entry=10, pages=2), leaf(300, entry=10, pages=3)
    v = inner(200, a, b, pages=1)
    assert (v.text, v.worst) == (600, 20 + 300)
    assert v.expected == pytest.approx(20 + (200 * 200 + 100 * 100 + 300 * 300) / 600)
    found = measure((v, leaf(50, entry=30, pages=1)), BUDGET)
    assert (found.sections, found.text, found.outline) == (4, 650, 20 + 10 + 10 + 30)
    assert found.worst == 50 + 320
    assert found.expected == pytest.approx(50 + (600 * v.expected + 50 * 50) / 650)
    assert found.worst_pages == 2 + 3
    # parts: v's own page (two choices), a (two choices, 2 pages), b (two, 3 pages), the leaf (one, 1 page)
    assert found.average_pages == pytest.approx((1 * (2 + 1) + 2 * (2 + 1.5) + 3 * (2 + 2) + 1 * (1 + 1)) / 7)


def test_an_outline_over_its_budget_takes_more_turns() -> None:
    many = [leaf(10, entry=31) for _ in range(20)]  # 620 tokens: three replies of 300
    assert measure(many, BUDGET).worst == 620 + 2 * TURN + 10


@given(st.lists(trees, min_size=1, max_size=5))
def test_recursion_and_frontier_agree(nodes: list[Node]) -> None:
    found = measure(nodes, BUDGET)
    assert found.worst == worst_tokens(nodes, BUDGET)
    assert found.expected == pytest.approx(expected_tokens(nodes, BUDGET))
    assert found.worst_pages == worst_pages(nodes, BUDGET)
    assert found.average_pages == pytest.approx(average_pages(nodes, BUDGET))


@given(trees)
def test_expected_is_never_above_worst(node: Node) -> None:
    assert node.expected <= node.worst + 1e-6


def test_a_document_without_text_costs_its_outline() -> None:
    found = measure((leaf(0, pages=0), leaf(0, pages=0)), BUDGET)
    assert (found.text, found.worst, found.expected) == (0, 40, 40.0)
    assert (found.worst_pages, found.average_pages) == (0, 0.0)


def test_a_real_tree_is_priced_from_its_text() -> None:
    edition, tree = book(Chapter("1 One", pages=3), Chapter("2 Two", pages=1, lines=10))
    pricing = Pricing(edition)
    first, second = pricing.nodes(tree.sections)
    assert (first.pages, second.pages) == (3, 1)
    assert first.text == pricing.tokens(tree.sections[0].span) > 2.5 * second.text
    found = costs(edition, tree)
    assert found.text == first.text + second.text
    assert found.worst == first.entry + second.entry + first.text
    assert 20 <= first.entry <= 60
    assert merge(tree, pricing).sections == tree.sections  # leaves cannot be folded


def test_summaries_to_come_raise_the_entries() -> None:
    edition, tree = book(Chapter("1 One", pages=3), Chapter("2 Two", pages=1, lines=2))
    plain, told = Pricing(edition), Pricing(edition, summary_tokens=60, summary_above=120)
    (long, short), (long_told, short_told) = plain.nodes(tree.sections), told.nodes(tree.sections)
    assert long_told.entry == long.entry + 60
    assert short_told.entry == short.entry


def test_what_is_priced_is_what_is_printed() -> None:
    edition, tree = book(Chapter("One ⟦odd⟧ title", pages=3), Chapter("Two", pages=2))
    pricing = Pricing(edition)
    outline = Outline(tree, Extent.of(edition), {})
    for section, _ in tree.walk():
        tokens = pricing.tokens(section.span)
        printed = outline.entry(section, shown=False) | {"tokens": tokens, "children": 0}
        assert pricing.entry(section, tokens) == entry_tokens(printed)
    whole = outline.slice(1_000_000)
    printed_cost = count_tokens(encode_json(list(whole.nodes)).decode())
    assert printed_cost <= whole.tokens <= printed_cost + 3 * len(list(tree.walk()))
