"""Works glued into one file are told by chapter numbers that start again under a larger title, and by nothing less."""

from __future__ import annotations

from pageindex.document import TreeSource
from pageindex.structure.facts import Facts
from pageindex.structure.parts import with_parts
from pageindex.structure.spans import Heading
from tests.support.structure_editions import Draft, Printed


def heading(title: str, page: int, byte: int = 0, level: int = 1) -> Heading:
    return Heading(title, page, byte, level, TreeSource.LAYOUT, (TreeSource.LAYOUT,), (byte, byte + len(title)))


def two_works(first: float, second: float) -> tuple[Facts, list[Heading]]:
    """Two works of two chapters each; the sizes of their titles in points."""
    draft, found = Draft(), []
    for n, size in enumerate((first, second)):
        title = ("Tides of the bay", "Birds of the marsh")[n]
        draft.page(Printed(title, size), Printed("1 Start", 14), "plain text").page(Printed("2 End", 14), "plain text")
        found += [heading("1 Start", 2 * n + 1, len(title) + 1), heading("2 End", 2 * n + 2)]
    return Facts(draft.edition()), found


def test_each_title_becomes_a_part_above_its_chapters() -> None:
    facts, found = two_works(24, 24)
    made = with_parts(found, facts)
    assert [(h.title, h.page, h.level) for h in made] == [
        ("Tides of the bay", 1, 0),
        ("1 Start", 1, 1),
        ("2 End", 2, 1),
        ("Birds of the marsh", 3, 0),
        ("1 Start", 3, 1),
        ("2 End", 4, 1),
    ]
    assert made[3].heading == (0, 18)


def test_titles_of_unlike_size_or_no_larger_than_chapters_make_no_parts() -> None:
    for sizes in ((24, 18), (14, 14)):
        facts, found = two_works(*sizes)
        assert with_parts(found, facts) == found


def test_one_run_of_chapters_is_one_work() -> None:
    facts, found = two_works(24, 24)
    assert with_parts(found[:2], facts) == found[:2]


def test_a_title_that_is_a_heading_already_is_raised_not_doubled() -> None:
    facts, found = two_works(24, 24)
    made = with_parts([heading("Tides of the bay", 1), *found], facts)
    assert [h.title for h in made].count("Tides of the bay") == 1
    assert made[0].level == 0
