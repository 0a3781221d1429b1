"""Titles: cleaned, joined, compared, and found on their pages."""

from __future__ import annotations

import pytest

from pageindex.structure.facts import Facts, fold
from pageindex.structure.title_locator import TitleLocator, wanted
from pageindex.structure.titles import clean, fold_title, join, near_equal
from tests.support.structure_editions import Draft, Printed


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [("  A \t title\n", "A title"), ("A\x00\x07B", "AB"), ("soft\u00adware", "software"), ("می‌شود", "می‌شود"), ("", "")],
)
def test_titles_are_one_clean_line(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


def test_long_titles_end_between_words() -> None:
    title = clean("word " * 100)
    assert len(title) <= 200
    assert title.endswith("word…")
    assert len(clean("字" * 300)) == 200


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        (["A long title that", "goes on"], "A long title that goes on"),
        (["3 Admin-", "istration of wells"], "3 Administration of wells"),
        (["Well-", "Being"], "Well-Being"),
        (["第三章 水", "井的管理"], "第三章 水井的管理"),
        (["One"], "One"),
    ],
)
def test_lines_are_joined_and_hyphens_undone(lines: list[str], title: str) -> None:
    assert join(lines) == title


def test_titles_are_compared_without_number_case_ligature_or_space() -> None:
    assert fold_title("4.1 The ﬁrst STEP") == fold_title("The First Step") == "thefirststep"
    assert fold_title("2.3") == "23"
    assert fold("Ａ１") == "a1"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("thefirststep", "thefirststep", True),
        ("theadministrationofwells", "theadministrationofweils", True),
        ("methodsof1998", "methodsof1999", False),
        ("results", "resuits", False),
        ("introduction", "conclusions", False),
        ("", "", False),
    ],
)
def test_a_loose_bar_would_delete_real_sections(one: str, other: str, same: bool) -> None:
    assert near_equal(one, other) is same


def locator(*lines: Printed | str) -> TitleLocator:
    return TitleLocator(Facts(Draft().page(*lines).edition()))


def where(made: TitleLocator, title: str) -> tuple[int, int] | None:
    found = made.find(wanted(title), 1)
    return (found.first, found.last) if found else None


def test_a_title_is_found_with_or_without_its_number_and_over_several_lines() -> None:
    made = locator(
        "Chapter 3",
        "Wells and",
        "rivers of the north",
        "4.2 Results",
        "text about Results of wells",
        "Outlook. It is good.",
    )
    assert where(made, "3 Wells and rivers of the north") == (0, 2)
    assert where(made, "Results") == (3, 3)
    assert where(made, "Outlook") == (5, 5)
    assert where(made, "Rivers") is None
    assert where(made, "") is None


def test_a_run_in_title_ends_where_its_words_end() -> None:
    made = locator("Outlook for wells. It is good.")
    found = made.find(wanted("Outlook for wells"), 1)
    assert found is not None
    assert made.facts.edition.pages[0].data[found.start : found.end] == b"Outlook for wells"
    assert made.find(wanted("Outlook for wells"), 1, run_in=False) is None


def test_a_line_outside_the_running_head_is_the_better_place() -> None:
    made = locator(Printed("Wells", running=True), "text", Printed("Wells", 14))
    assert where(made, "Wells") == (2, 2)


def test_places_behind_the_last_one_come_first_and_heights_decide_between_equals() -> None:
    made = locator("Members", "text", "Members", "text", "Members")
    first = made.find(wanted("Members"), 1)
    assert first is not None
    second = made.find(wanted("Members"), 1, after=first.first)
    assert (first.first, second and second.first) == (0, 2)
    by_height = made.find(wanted("Members"), 1, y=made.facts.lines[4].box.y0)
    assert by_height is not None
    assert by_height.first == 4


def test_passed_lines_are_never_a_place() -> None:
    facts = Facts(Draft().page("Wells", "Rivers").edition())
    assert TitleLocator(facts, {0}).find(wanted("Wells"), 1) is None


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("6.4.3 Computing a Matrix", "Computing a Matrix"),
        ("Computing a Matrix", "6.4.3 Computing a Matrix"),
        ("CHAPTER TWO: “Mere Copyists”", '2: "Mere Copyists"'),
        ("III-A Related methods", "A. Related methods"),
        ("A. Related methods", "III-A Related methods"),
        ("117 1.3.2 Reference lifecycle", "1.3.2 Reference Lifecycle"),
        ("7.5.2 L’Hˆopital’s rule", "L'Hôpital's rule"),
        ("M ATERIALS AND METHODS", "Materials and Methods"),
        ("The ﬁrst eﬃcient ﬂow", "The first efficient flow"),
        ("四、数学之美系列四 — 怎样度量信息熵", "四、怎样度量信息熵"),
    ],
)
def test_headings_that_are_worded_otherwise_than_the_outline(line: str, title: str) -> None:
    made = locator("some text before it", Printed(line, 14), "and text that follows on the page")
    assert where(made, title) == (1, 1)


def test_what_only_ends_like_a_title_in_the_text_is_none() -> None:
    made = locator("as the tables show in the results", "are the end of all our results", "More.")
    assert where(made, "4 Results") is None


def test_at_the_height_of_its_target_a_title_may_be_shortened() -> None:
    made = locator(
        "text", "2.6 Common power-series quotients and the", "geometric series", "config() -> ok | error", "x"
    )
    lines = made.facts.lines
    found = made.find(wanted("Common quotients and the geometric series"), 1, y=lines[1].box.y0 - 4)
    assert found is not None and (found.first, found.last) == (1, 2)
    name = made.find(wanted("config/0"), 1, y=lines[3].box.y0 - 1)
    assert name is not None and name.first == 3
    assert made.find(wanted("Quite another thing"), 1, y=lines[1].box.y0) is None
    assert made.find(wanted("Common quotients and the geometric series"), 1) is None


def test_the_title_of_a_contents_list_is_a_place() -> None:
    facts = Facts(Draft().page(Printed("Contents", 14), "Wells 3", "Rivers 4", "a body line").edition())
    found = TitleLocator(facts, {0, 1, 2}).find(wanted("Contents"), 1)
    assert found is not None and found.first == 0
    assert TitleLocator(facts, {0, 1, 2}).find(wanted("Wells"), 1) is None
