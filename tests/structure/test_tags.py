"""Tagged headings are used where they cover enough and are headings; formats that mark their headings need no other source."""

from __future__ import annotations

import pytest

from pageindex.document import Bookmark, HeadingTag, TreeSource
from pageindex.reading import read_bytes
from pageindex.structure import build_tree
from pageindex.structure.facts import Facts
from pageindex.structure.tags import find_headings
from pageindex.structure.title_locator import TitleLocator
from tests.support.structure_editions import Draft, Printed
from tests.support.structure_pdfs import found, titles

BODY = [f"the committee met in room {n} and heard the members on {n + 7} points of order" for n in range(8)]
HEADS = ["Origins", "Sources of water", "Wells", "Rivers", "Closing words"]
LEVELS = [1, 2, 3, 3, 1]


def draft() -> Draft:
    made = Draft()
    for head in HEADS:
        made.page(Printed(head, 14, bold=True), *BODY)
    return made


def tags(levels: list[int] = LEVELS) -> list[HeadingTag]:
    return [HeadingTag(head, level, page) for page, (head, level) in enumerate(zip(HEADS, levels, strict=True), 1)]


def test_right_tags_give_the_frame_and_its_levels() -> None:
    tree = build_tree(draft().edition(tags=tags(), tag_coverage=0.98))
    assert tree.toc_source is TreeSource.TAG
    assert found(tree) == [(head, page, level) for page, (head, level) in enumerate(zip(HEADS, LEVELS, strict=True), 1)]
    assert all(section.printed for section, _ in tree.walk())


@pytest.mark.parametrize(
    ("given", "coverage"),
    [
        (tags(), 0.1),
        (
            [
                HeadingTag(
                    "The committee met in room 4 and heard the members on many points of order, at length, " * 3, 1, 1
                )
            ]
            * 5,
            0.9,
        ),
        ([HeadingTag(f"Elsewhere {n}", 1, n) for n in range(1, 6)], 0.9),
    ],
    ids=["sparse", "paragraphs", "not printed"],
)
def test_poor_tags_are_not_used_and_a_note_says_why(given: list[HeadingTag], coverage: float) -> None:
    tree = build_tree(draft().edition(tags=given, tag_coverage=coverage))
    assert tree.toc_source is not TreeSource.TAG
    assert not {"tag"} & {source for section, _ in tree.walk() for source in section.sources}
    assert "TAGS_IGNORED" in [note.code for note in tree.notes]
    assert "".join(tree_text(tree, draft())) == "".join(page.text for page in draft().edition().pages)


def tree_text(tree: object, made: Draft) -> list[str]:
    edition = made.edition()
    return [edition.text(s.own_span.start, s.own_span.end).replace("\f", "") for s, _ in tree.walk()]  # type: ignore[attr-defined]


def test_without_heading_tags_nothing_is_said() -> None:
    facts = Facts(draft().edition(tag_coverage=0.9))
    heard = find_headings(facts, TitleLocator(facts))
    assert (heard.candidates, heard.trust, heard.notes) == ((), 0.0, ())


def test_tags_lie_below_a_trusted_outline() -> None:
    outline = [Bookmark(head, 1, page) for page, head in enumerate(HEADS, 1)]
    tree = build_tree(draft().edition(bookmarks=outline, tags=tags(), tag_coverage=0.98))
    assert tree.toc_source is TreeSource.BOOKMARK
    assert titles(tree) == HEADS
    assert {"bookmark", "tag"} <= set(tree.sections[0].sources)


def test_markdown_headings_are_the_tree_and_nothing_is_added() -> None:
    text = "Preface text.\n\n### Third\n\ntext\n\n# First\n\n**Bold line alone**\n\n###### Sixth\n\ntext\n\n## Second\n\n1. Item one\n2. Item two\n"
    tree = build_tree(read_bytes(text.encode(), "notes.md"))
    assert [(title, level) for title, _, level in found(tree)] == [
        ("Third", 1),
        ("First", 1),
        ("Sixth", 2),
        ("Second", 2),
    ]
    assert tree.toc_source is TreeSource.TAG
    assert tree.sections[0].source is TreeSource.PAGE
