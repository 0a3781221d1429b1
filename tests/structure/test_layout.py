"""Headings found and ranked from what is printed alone: one generated document for each kind of fault."""

from __future__ import annotations

import pytest

from pageindex.document import TreeSource
from pageindex.structure.candidate import SourceHeadings as Said
from pageindex.structure.contents import source as contents
from pageindex.structure.facts import Facts
from pageindex.structure.layout import source as layout
from tests.support.pdf import Text, draw, paragraph
from tests.support.structure_pdfs import BOLD, LEFT, Pages, edition_of

NAMES = ["Origins of the survey", "How figures were collected", "What the members said", "Costs and staffing"]


def heard(data: bytes) -> Said:
    facts = Facts(edition_of(data))
    return layout.find(facts, contents.find_headings(facts))


def outline(data: bytes) -> list[tuple[str, int, int]]:
    """``(title, page, level)`` of all candidates."""
    return [(c.title, c.page, c.level) for c in heard(data).candidates]


def titles(data: bytes) -> list[str]:
    return [title for title, _, _ in outline(data)]


def test_sizes_without_numbers_are_levels() -> None:
    pages = Pages()
    for chapter in ("Alpha part", "Beta part"):
        pages.page().heading(f"{chapter} opens", 20).body(10)
        for section in ("of the north", "of the south"):
            pages.heading(f"{chapter} {section}", 15).body(9)
            pages.page().heading(f"{chapter} detail {section}", 12).body(20)
    levels = {title: level for title, _, level in outline(pages.pdf())}
    assert levels["Alpha part opens"] == levels["Beta part opens"] == 1
    assert levels["Alpha part of the north"] == levels["Beta part of the south"] == 2
    assert levels["Alpha part detail of the north"] == levels["Beta part detail of the south"] == 3


def test_a_chapter_number_without_a_dot_ranks_above_its_sections() -> None:
    pages = Pages()
    for chapter in (1, 2, 3):
        pages.page().heading(f"{chapter} CHAPTER {'ABC'[chapter - 1]}", 14).body(6)
        for section in (1, 2):
            pages.heading(f"{chapter}.{section} Section of it", 14).body(6)
            pages.heading(f"{chapter}.{section}.1 Part of that", 14).body(6)
    levels = [(title.split()[0], level) for title, _, level in outline(pages.pdf())]
    assert levels == [
        (number, number.count(".") + 1)
        for chapter in (1, 2, 3)
        for number in (str(chapter), *(f"{chapter}.{s}{tail}" for s in (1, 2) for tail in ("", ".1")))
    ]


def test_bold_headings_at_body_size_are_found() -> None:
    pages = Pages()
    for name in NAMES:
        pages.page().heading(name, 10).body(12).heading(f"More about {name.lower()}", 10).body(12)
    assert titles(pages.pdf()) == [t for name in NAMES for t in (name, f"More about {name.lower()}")]


def test_a_number_in_a_larger_size_joins_its_title() -> None:
    pages = Pages()
    for number, name in enumerate(NAMES, 1):
        pages.page()
        pages.at(LEFT, 100, str(number), 18, BOLD).at(LEFT + 30, 100, name, 14, BOLD)
        pages.y = 130
        pages.body(25)
    assert titles(pages.pdf()) == [f"{number} {name}" for number, name in enumerate(NAMES, 1)]


def test_a_wrapped_heading_is_one_section_and_its_hyphen_is_undone() -> None:
    pages = Pages()
    lines = (
        "2 Rules for the committee that looks after admin-",
        "istration of the houses and of the gardens that",
        "belong to them",
    )
    pages.page().heading("1 Origins of the survey").body(20)
    pages.page()
    for index, line in enumerate(lines):
        pages.at(LEFT, 100 + 19 * index, line, 16, BOLD)
    pages.y = 165
    pages.body(20).page().heading("3 Costs and staffing").body(20)
    assert titles(pages.pdf()) == [
        "1 Origins of the survey",
        "2 Rules for the committee that looks after administration of the houses and of the gardens that belong to them",
        "3 Costs and staffing",
    ]


def test_stacked_headings_stay_two() -> None:
    pages = Pages().page().heading("Background").body(15).page()
    pages.at(LEFT, 100, "Methods", 14, BOLD).at(LEFT, 117, "Study design", 14, BOLD)
    pages.y = 140
    pages.body(20).page().heading("Results", 14).body(12).heading("Discussion", 14).body(12)
    assert [title for title in titles(pages.pdf()) if title in ("Methods", "Study design")] == [
        "Methods",
        "Study design",
    ]


def test_numbered_chapters_are_sections_and_a_numbered_list_is_not() -> None:
    pages = Pages()
    chapters = [f"{n}. {name}" for n, name in enumerate([*NAMES, "The long plan", "Rules", "Outlook"], 1)]
    for index, chapter in enumerate(chapters):
        pages.page().heading(chapter, 12).body(10)
        if index == 3:
            for n in range(1, 6):
                pages.at(LEFT + 18, pages.y, f"{n}. a thing that must be done in spring")
                pages.y += 13
            pages.y += 8
        pages.body(12)
    assert titles(pages.pdf()) == chapters


def test_numbered_paragraphs_are_no_sections() -> None:
    pages = Pages()
    heads = ["BACKGROUND", "THE APPEAL", "DISCUSSION", "ORDER"]
    number = 1
    for head in heads:
        for part in range(2):
            pages.page()
            if part == 0:
                pages.heading(head, 12)
            for _ in range(7):
                words = f"{number}. The court in Smith v Jones [20{number % 20:02d}] held that the duty owed by the seller to"
                pages.at(LEFT, pages.y, words, 11).at(
                    LEFT, pages.y + 14, "the buyer does not end with the sale of the goods.", 11
                )
                pages.y += 42
                number += 1
    assert titles(pages.pdf()) == heads


def test_short_lines_at_column_ends_are_no_headings() -> None:
    pages = []
    heads = ["1 Introduction", "2 Methods", "3 Results"]
    for number, head in enumerate(heads):
        page = [Text(54, 70, head, 12, BOLD)]
        for column, x in enumerate((54, 315)):
            for block in range(5):
                y = 95 + block * 120
                page += paragraph(x, y, 7, seed=number * 20 + column * 5 + block, size=9, words=6)
                page.append(Text(x, y + 7 * 11.25, "of the year.", 9))
        pages.append(page)
    assert titles(draw(*pages)) == heads


def test_the_cells_of_a_table_are_no_headings() -> None:
    pages = Pages()
    for number, name in enumerate(NAMES, 1):
        pages.page().heading(f"{number} {name}", 13).body(8)
        for row in range(6):
            for column in range(4):
                text = f"Head {column}" if row == 0 else f"{row * 7 + column}.{number}"
                pages.at(LEFT + column * 110, pages.y, text, 10, BOLD if row == 0 else "Helvetica")
            pages.y += 14
        pages.y += 10
        pages.body(8)
    assert titles(pages.pdf()) == [f"{number} {name}" for number, name in enumerate(NAMES, 1)]


def test_running_heads_that_change_by_chapter_are_no_sections() -> None:
    pages = Pages()
    names = [*NAMES, "The long plan", "Outlook for the coming years"]
    for chapter, name in enumerate(names):
        for part in range(5):
            number = chapter * 5 + part + 1
            pages.page().at(LEFT, 40, f"{name} | {number}", 9)
            if part == 0:
                pages.heading(name, 16)
            pages.body(14).body(14)
    assert titles(pages.pdf()) == names


def test_headings_at_the_top_of_every_page_are_kept() -> None:
    names = [f"{n}. {word}" for n, word in enumerate(("Parties", "Scope", "Term", "Fees", "Liability", "Notices"), 1)]
    pages = Pages()
    for name in names:
        pages.page().heading(name, 12).body(25)
    assert titles(pages.pdf()) == names


def test_a_heading_that_is_the_last_line_of_its_page_is_kept() -> None:
    pages = Pages().page().heading(NAMES[0]).body(20).page().body(45)
    pages.y = 690
    pages.heading(NAMES[1]).page().body(30).page().heading(NAMES[2]).body(20)
    assert (NAMES[1], 2) in [(title, page) for title, page, _ in outline(pages.pdf())]


@pytest.mark.parametrize("size", [(842.0, 595.0), (612.0, 792.0)])
def test_landscape_pages_are_read_like_upright_ones(size: tuple[float, float]) -> None:
    pages = [
        [Text(72, 80, f"{number} {name}", 16, BOLD), *paragraph(72, 120, 20, seed=number)]
        for number, name in enumerate(NAMES, 1)
    ]
    assert titles(draw(*pages, size=size)) == [f"{number} {name}" for number, name in enumerate(NAMES, 1)]


def test_candidates_say_where_they_are_printed_and_why() -> None:
    data = Pages().page().heading("1 Origins").body(20).page().heading("2 Methods").body(20).pdf()
    edition = edition_of(data)
    for candidate in heard(data).candidates:
        assert candidate.heading is not None
        start, end = candidate.heading
        assert edition.page(candidate.page).data[start:end].decode() == candidate.title
        assert candidate.source is TreeSource.LAYOUT
        assert "numbering" in candidate.why
        assert "bold" in candidate.why
        assert 0.5 < candidate.confidence <= 1.0


def test_plain_text_has_no_headings() -> None:
    assert heard(Pages().page().body(20).page().body(20).pdf()).candidates == ()


def test_a_contract_with_parts_clauses_and_items() -> None:
    pages = Pages()
    wanted = []
    for part, word in (("I", "SALE"), ("II", "LEASE")):
        pages.page().heading(f"PART {part} {word}", 16).body(5)
        wanted.append((f"PART {part} {word}", 1))
        for clause in (1, 2):
            pages.heading(f"{clause}. Terms of the {word.lower()}", 13).body(4)
            wanted.append((f"{clause}. Terms of the {word.lower()}", 2))
            for item in (1, 2):
                title = f"{clause}.{item} Duties of the {('seller', 'buyer')[item - 1]}"
                pages.heading(title, 11).body(4)
                wanted.append((title, 3))
    assert [(title, level) for title, _, level in outline(pages.pdf())] == wanted


def test_appendices_a_to_i_are_letters_beside_the_chapters() -> None:
    pages = Pages()
    names = [f"{n} Chapter of the book" for n in range(1, 4)] + [
        f"{letter} Tables of the year" for letter in "ABCDEFGHI"
    ]
    for name in names:
        pages.page().heading(name, 15).body(24)
    assert [(title, level) for title, _, level in outline(pages.pdf())] == [(name, 1) for name in names]


def test_a_number_title_and_run_in_lead_stay_apart() -> None:
    pages = Pages()
    for number, name in enumerate(NAMES, 1):
        pages.page().heading(f"1.{number} {name}", 13)
        pages.at(LEFT, pages.y, "First look.", 10, BOLD)
        pages.at(LEFT + 62, pages.y, "the members had agreed to meet again in the other house that winter", 10)
        pages.y += 14
        pages.body(20)
    found = titles(pages.pdf())
    assert [title for title in found if title.startswith("1.")] == [f"1.{n} {name}" for n, name in enumerate(NAMES, 1)]
    assert all("had agreed" not in title for title in found)
