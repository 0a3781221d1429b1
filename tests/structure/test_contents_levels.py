"""Levels of contents entries: what indents, numbers and styles say of them together."""

from __future__ import annotations

import pytest

from pageindex.structure.contents.source import find_headings
from pageindex.structure.facts import Facts
from tests.support.structure_editions import Draft, Printed

Row = tuple[str, float, bool]  # title, indent in points, bold


def levels(rows: list[Row]) -> list[tuple[str, int]]:
    """Print a contents page and a page for each entry; give each entry's level."""
    draft = Draft()
    listed = []
    for n, (title, indent, bold) in enumerate(rows):
        y = 100.0 + 14 * n
        listed += [Printed(title, bold=bold, x=72 + indent, y=y), Printed(str(n + 2), x=530, x1=540, y=y)]
    draft.page(*listed)
    for title, _, _ in rows:
        draft.page(Printed(title, 14, bold=True), f"nothing but the text below {title.lower()}")
    return [(c.title, c.level) for c in find_headings(Facts(draft.edition())).candidates]


def check(rows: list[Row], wanted: list[int]) -> None:
    assert levels(rows) == [(title, level) for (title, _, _), level in zip(rows, wanted, strict=True)]


def test_dotted_numbers_count_even_where_all_entries_are_flush_left() -> None:
    check(
        [("1 Wells", 0, False), ("1.1 Depth", 0, False), ("1.1.1 Tools", 0, False), ("2 Rivers", 0, False)],
        [1, 2, 3, 1],
    )


def test_indents_count_where_there_are_no_numbers() -> None:
    check([("Wells", 0, False), ("Depth", 15, False), ("Tools", 30, False), ("Rivers", 0, False)], [1, 2, 3, 1])


def test_three_systems_of_plain_numbers_by_their_indents() -> None:
    rows: list[Row] = [
        ("I. Wells", 0, False),
        ("A. Depth", 15, False),
        ("1. Tools", 30, False),
        ("2. Costs", 30, False),
    ]
    rows += [("B. Width", 15, False), ("II. Rivers", 0, False), ("A. Length", 15, False), ("1. Boats", 30, False)]
    check(rows, [1, 2, 3, 3, 2, 1, 2, 3])


def test_parts_stand_above_chapters_that_run_on_across_them() -> None:
    rows: list[Row] = [
        ("Preface", 0, True),
        ("I Water", 0, True),
        ("1 Wells", 0, False),
        ("1.1 Depth", 15, False),
        ("2 Rivers", 0, False),
    ]
    rows += [("II Fire", 0, True), ("3 Hearths", 0, False), ("3.1 Smoke", 15, False), ("4 Kilns", 0, False)]
    found = dict(levels(rows))
    assert (
        found["I Water"]
        == found["II Fire"]
        < found["1 Wells"]
        == found["4 Kilns"]
        < found["1.1 Depth"]
        == found["3.1 Smoke"]
    )


def test_appendices_stand_beside_chapters() -> None:
    rows: list[Row] = [
        ("1 Wells", 0, True),
        ("1.1 Depth", 15, False),
        ("2 Rivers", 0, True),
        ("A Tables", 0, True),
        ("A.1 Depths", 15, False),
    ]
    check(rows, [1, 2, 1, 1, 2])


def test_an_unnumbered_entry_has_the_rank_of_those_set_like_it() -> None:
    rows: list[Row] = [
        ("1 Wells", 0, True),
        ("1.1 Depth", 15, False),
        ("2 Rivers", 0, True),
        ("2.1 Length", 15, False),
        ("3 Lakes", 0, True),
    ]
    check([*rows, ("References", 24, True)], [1, 2, 1, 2, 1, 1])


def test_a_few_figures_in_titles_are_no_numbering() -> None:
    rows: list[Row] = [
        ("Plots", 0, True),
        ("2 axes at once", 30, False),
        ("Grids", 15, False),
        ("3 axes at once", 30, False),
        ("Files", 0, True),
    ]
    check(rows, [1, 3, 2, 3, 1])


@pytest.mark.parametrize("word", ["Kapitel", "Глава", "Chapter"])
def test_a_word_with_a_number_stands_above_the_dotted_numbers_that_begin_with_it(word: str) -> None:
    rows: list[Row] = [
        (f"{word} 1 Wells", 0, False),
        ("1.1 Depth", 0, False),
        ("1.2 Width", 0, False),
        (f"{word} 2 Rivers", 0, False),
    ]
    check([*rows, ("2.1 Length", 0, False)], [1, 2, 2, 1, 2])


def test_one_point_nought_stands_above_one_point_one() -> None:
    check(
        [
            *(("1.0 Wind", 0, False), ("1.1 Gales", 0, False), ("1.2 Calms", 0, False)),
            *(("2.0 Rain", 0, False), ("2.1 Drizzle", 0, False), ("2.2 Hail", 0, False)),
        ],
        [1, 2, 2, 1, 2, 2],
    )


def test_rows_that_are_all_alike_take_the_ranks_of_the_headings_they_name() -> None:
    names = ["Wind", "Gales", "Calms", "Rain", "Drizzle", "Snow", "Powder", "Slush"]
    large = {"Wind", "Rain", "Snow"}
    draft = Draft()
    listed = []
    for n, title in enumerate(names):
        y = 100.0 + 14 * n
        listed += [Printed(title, x=72, y=y), Printed(str(n + 2), x=530, x1=540, y=y)]
    draft.page(*listed)
    for title in names:
        draft.page(Printed(title, 18 if title in large else 13, bold=True), f"only the text below {title.lower()}")
    found = find_headings(Facts(draft.edition())).candidates
    assert [(c.title, c.level) for c in found] == [(name, 1 if name in large else 2) for name in names]
