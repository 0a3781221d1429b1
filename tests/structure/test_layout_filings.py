"""Annual reports: contents whose rows stand in three cells (item, title, page), below parts that have no page."""

from __future__ import annotations

import pytest

from pageindex.structure.contents import source as contents
from pageindex.structure.facts import Facts
from tests.support.structure_pdfs import BOLD, LEFT, RIGHT, Pages, edition_of, found, tree_of

PARTS = {
    "Part I": ["Business", "Risk Factors", "Properties"],
    "Part II": ["Market for the Shares", "Selected Data", "Controls and Procedures"],
}


def report(dash: str) -> tuple[bytes, list[tuple[str, int, int]]]:
    """A report of one page an item; its headings with page and level."""
    pages = Pages().page().at(LEFT, 60, "Table of Contents", 11)
    pages.y = 80
    page, item = 2, 1
    wanted = []
    for part, names in PARTS.items():
        pages.at(LEFT, pages.y, part, 9)
        pages.y += 12
        for name in names:
            pages.at(LEFT, pages.y, f"Item {item}", 9).at(LEFT + 90, pages.y, name, 9)
            pages.at_right(RIGHT, pages.y, str(page), 9)
            pages.y += 12
            wanted.append((f"ITEM {item}{dash}{name}", page, item))
            page, item = page + 1, item + 1
    starts = {1: "PART I", 4: "PART II"}
    for title, _, number in wanted:
        pages.page()
        if number in starts:
            pages.at(280, 80, starts[number], 11, BOLD)
            pages.y = 100
        pages.heading(title, 11).body(12).body(12)
    return pages.pdf(), wanted


@pytest.mark.parametrize("dash", [" - ", ". "])
def test_items_of_a_report_are_read_from_contents_in_three_cells(dash: str) -> None:
    data, wanted = report(dash)
    listed = contents.find_headings(Facts(edition_of(data)))
    assert listed.trust == 1.0
    assert [c.page for c in listed.candidates if "item" in c.title.lower()] == [page for _, page, _ in wanted]
    items = [(title, page) for title, page, _ in found(tree_of(data)) if "item" in title.lower()]
    folded = [(title.lower().replace(dash, " ").replace(".", ""), page) for title, page in items]
    assert folded == [(title.lower().replace(dash, " "), page) for title, page, _ in wanted]


def test_a_title_that_ends_in_its_page_number_is_no_mark() -> None:
    names = ["Preface", "Origins", "Methods", "Outlook"]
    pages = Pages().page().at(LEFT, 60, "Contents", 11)
    pages.y = 80
    for page, name in enumerate(names, 2):
        pages.at(LEFT, pages.y, f"{name} {page}", 10)
        pages.y += 14
    for name in names:
        pages.page().heading(name, 15).body(12).body(12)
    assert [(title, page) for title, page, _ in found(tree_of(pages.pdf()))] == list(
        zip(names, range(2, 6), strict=True)
    )
