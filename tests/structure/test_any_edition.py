"""Whatever a page says, there is a tree that covers it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pageindex.document import Bookmark, HeadingTag
from pageindex.structure import build_tree
from tests.support.structure_editions import Draft, Printed

LINE = st.one_of(
    st.text(st.characters(codec="utf-8", exclude_characters="\n\r\f"), max_size=30),
    st.sampled_from(
        [
            "1 Wells",
            "1.1 Depth .... 2",
            "Wells 3",
            "(a) b",
            "第一章 井",
            "IV.",
            "C",
            "12",
            "xii",
            "- - - 4",
            "Part II",
            "①",
            "2-3",
        ]
    ),
)
PRINTED = st.builds(
    Printed,
    text=LINE,
    size=st.sampled_from([0.0, 1.0, 9.0, 10.0, 14.0]),
    bold=st.booleans(),
    x=st.floats(-50, 700),
    running=st.booleans(),
)
BOOKMARK = st.builds(
    Bookmark,
    title=LINE,
    level=st.integers(1, 5),
    page=st.one_of(st.none(), st.integers(-1, 9)),
    y=st.one_of(st.none(), st.floats(-10, 900)),
)


@settings(max_examples=120, deadline=None)
@given(
    st.lists(st.lists(PRINTED, max_size=12), min_size=1, max_size=6),
    st.lists(BOOKMARK, max_size=8),
    st.lists(st.tuples(LINE, st.integers(0, 6)), max_size=5),
)
def test_any_edition_has_a_tree(pages: list[list[Printed]], marks: list[Bookmark], tags: list[tuple[str, int]]) -> None:
    draft = Draft()
    for lines in pages:
        draft.page(*lines)
    headings = [HeadingTag(title, level, 1 + n % len(pages)) for n, (title, level) in enumerate(tags)]
    edition = draft.edition(bookmarks=marks, tags=headings, tag_coverage=0.9)
    tree = build_tree(edition)
    texts = [edition.text(s.own_span.start, s.own_span.end) for s, _ in tree.walk()]
    assert "".join(texts).replace("\f", "") == "".join(page.text for page in edition.pages).replace("\f", "")
    assert all(s.title and len(s.title) <= 200 and "\n" not in s.title for s, _ in tree.walk())
