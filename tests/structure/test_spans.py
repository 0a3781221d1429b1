"""Sections cover the document exactly, whatever the headings and their levels."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pageindex.document import Edition, Position, Section, Span, Tree, TreeSource
from pageindex.structure import pages
from pageindex.structure.spans import Heading, depths, sections
from tests.support.structure_editions import Draft, Printed


def tree(edition: Edition, headings: list[Heading], depth_limit: int = 64) -> Tree:
    return Tree(edition.id, "", sections(edition, headings, depth_limit), edition.end, TreeSource.LAYOUT)


def heading(title: str, page: int, byte: int, level: int = 1) -> Heading:
    return Heading(title, page, byte, level, TreeSource.LAYOUT, (TreeSource.LAYOUT,), (byte, byte + 1))


def text(edition: Edition, section: Section) -> str:
    return edition.text(section.start, section.end)


def test_three_headings_on_one_page_have_three_texts_which_joined_give_the_page() -> None:
    edition = Draft().page("One", "first text", "Two", "second text", "Three", "third text").edition()
    body = edition.pages[0].text
    made = tree(edition, [heading(t, 1, body.index(t)) for t in ("One", "Two", "Three")]).sections
    texts = [text(edition, section) for section in made]
    assert [t.split("\n")[0] for t in texts] == ["One", "Two", "Three"]
    assert len(set(texts)) == 3
    assert "".join(texts) == body


def test_a_parent_covers_all_of_its_subtree() -> None:
    edition = Draft().page("A").page("B").page("C").page("D").edition()
    made = tree(
        edition, [heading("A", 1, 0), heading("B", 2, 0, 2), heading("C", 3, 0, 2), heading("D", 4, 0)]
    ).sections
    assert [(s.title, s.start_index, s.end_index) for s in made] == [("A", 1, 3), ("D", 4, 4)]
    assert [(s.title, s.start_index, s.end_index) for s in made[0].children] == [("B", 2, 2), ("C", 3, 3)]
    assert made[0].own_span == Span(Position(1, 0), Position(2, 0))


def test_a_heading_at_the_foot_of_a_page_begins_there() -> None:
    edition = Draft().page("One", "text").page("text", "Two").page("its text").edition()
    made = tree(edition, [heading("One", 1, 0), heading("Two", 2, 5)]).sections
    assert (made[1].start_index, made[1].end_index) == (2, 3)
    assert text(edition, made[1]) == "Two\fits text"
    assert text(edition, made[0]) == "One\ntext\ftext\n"


def test_a_heading_below_a_running_head_takes_the_whole_page() -> None:
    edition = Draft().page("One").page(Printed("Book | 2", running=True), "Two", "text").edition()
    made = tree(edition, [heading("One", 1, 0), heading("Two", 2, 9)]).sections
    assert made[0].span == Span(Position(1, 0), Position(2, 0))
    assert made[0].end_index == 1
    assert made[1].start == Position(2, 0)


def test_pages_before_the_first_heading_stay_reachable() -> None:
    edition = Draft().page("cover").page("preface").page("text", "One").edition()
    made = tree(edition, [heading("One", 3, 5, 3)]).sections
    assert [(s.source, s.title, s.start_index, s.end_index) for s in made] == [
        (TreeSource.PAGE, "Pages 1-3", 1, 3),
        (TreeSource.LAYOUT, "One", 3, 3),
    ]
    assert not made[0].printed


def test_levels_may_start_anywhere_and_jump() -> None:
    assert depths([3, 1, 6, 2, 1, 3, 2], 64) == [1, 1, 2, 2, 1, 2, 2]


def test_deeper_headings_are_put_at_the_limit() -> None:
    edition = Draft().page("x" * 100).edition()
    made = tree(edition, [heading("h", 1, level, level) for level in range(1, 90)])
    assert max(depth for _, depth in made.walk()) == 64


def test_labels_are_given_where_they_differ_from_the_page_numbers() -> None:
    draft = Draft().page("A", label="i").page("B", label="1").page("C", label="3")
    edition = draft.edition()
    made = tree(edition, [heading("A", 1, 0), heading("C", 3, 0)]).sections
    assert [s.label for s in made] == ["i-1", None]


def test_page_nodes_are_grouped_by_tens() -> None:
    draft = Draft()
    for _ in range(123):
        draft.page("text")
    edition = draft.edition()
    made = tree(edition, pages.headings(edition))
    assert [s.title for s in made.sections] == ["Pages 1-100", "Pages 101-123"]
    assert [s.title for s in made.sections[1].children] == ["Pages 101-110", "Pages 111-120", "Pages 121-123"]
    assert [s.end_index for s, depth in made.walk() if depth == 3] == list(range(1, 124))


def test_one_page_is_one_node() -> None:
    edition = Draft().page("memo").edition()
    assert [s.title for s in tree(edition, pages.headings(edition)).sections] == ["Page 1"]


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 6), st.integers(0, 30), st.integers(1, 9)), min_size=1, max_size=40),
    st.integers(1, 9),
)
def test_any_headings_make_a_valid_tree(places: list[tuple[int, int, int]], limit: int) -> None:
    draft = Draft()
    for number in range(6):
        draft.page(Printed("head", running=True), "word " * (5 + number))
    edition = draft.edition()
    made = tree(edition, [heading(f"h{i}", *place) for i, place in enumerate(places)], limit)
    leaves = [s.own_span for s, _ in made.walk()]
    assert "".join(edition.text(span.start, span.end) for span in leaves).replace("\f", "") == "".join(
        page.text for page in edition.pages
    )
    assert len([s for s, _ in made.walk() if s.source is not TreeSource.PAGE]) == len(places)
    assert {p for s in made.sections for p in s.span.pages} == set(range(1, 7))
    ids = [s.node_id for s, _ in made.walk()]
    assert ids == sorted(ids)
