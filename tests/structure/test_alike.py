"""What is set like the headings of an outline, and hardly anything else is, is a heading its author left out."""

from __future__ import annotations

from pageindex.document import TreeSource
from pageindex.structure.alike import find_headings
from pageindex.structure.candidate import Candidate, SourceHeadings
from pageindex.structure.facts import Facts
from tests.support.structure_editions import Draft, Printed

TEXT = [f"plain text number {n} of this page" for n in range(6)]


def made(titles: list[str], *, extra: int = 0) -> Facts:
    """A cover in the headings' style, then a title on each page; ``extra`` bold lines in the text of the last page."""
    draft = Draft().page(Printed("An Author", bold=True), *TEXT)
    for title in titles:
        draft.page(Printed(title, bold=True), *TEXT)
    draft.page(
        *(item for n in range(extra) for item in (Printed(f"loud words {'abcdefgh'[n]}", bold=True), TEXT[0])), *TEXT
    )
    return Facts(draft.edition())


def outline(titles: list[str]) -> SourceHeadings:
    marks = (Candidate(t, p, 0, (0, len(t)), 2, TreeSource.BOOKMARK) for p, t in enumerate(titles, 2))
    return SourceHeadings(TreeSource.BOOKMARK, tuple(marks), 0.95, complete=True)


def test_closing_sections_join_at_the_level_of_their_like_but_nothing_before_the_first_does() -> None:
    titles = ["Wells", "Rivers", "Lakes", "Ponds", "References"]
    found = find_headings(outline(titles[:4]), made(titles))
    assert [(c.title, c.page, c.level) for c in found.candidates] == [(t, p, 2) for p, t in enumerate(titles, 2)]


def test_a_style_that_is_used_for_other_things_too_says_nothing() -> None:
    titles = ["Wells", "Rivers", "Lakes", "Ponds"]
    assert find_headings(outline(titles), made(titles, extra=6)).candidates == ()


def test_two_headings_do_not_make_a_style_of_headings() -> None:
    assert find_headings(outline(["Wells", "Rivers"]), made(["Wells", "Rivers", "Lakes"])).candidates == ()


def test_lines_that_only_list_headings_are_passed_over() -> None:
    titles = ["Wells", "Rivers", "Lakes", "Ponds", "References"]
    facts = made(titles)
    last = facts.texts.index("References")
    assert [c.title for c in find_headings(outline(titles[:4]), facts, {last}).candidates] == titles[:4]
