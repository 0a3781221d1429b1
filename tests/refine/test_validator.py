"""Only headings that are printed, new and in order come into a tree."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pageindex.document import Edition, Position, Run, Span
from pageindex.reading import read
from pageindex.refine.validator import MOST_PROPOSALS, HeadingValidator, Proposal, heading_lines
from tests.support.evidence_editions import Printed, edition_of
from tests.support.refine_editions import Chapter, book, heading, paragraph

PAGES = [
    [
        Printed("1 Methods | 1", running=True),
        heading("1 Methods"),
        *paragraph(1, 6),
        heading("1.1 Study design"),
        *paragraph(2, 6),
        heading("Example"),
        *paragraph(3, 3),
        heading("Example"),
        *paragraph(4, 3),
    ],
    [
        Printed("1 Methods | 2", running=True),
        heading("1.2 How the sample was drawn and"),
        heading("who drew it"),
        *paragraph(5, 6),
        Printed("Region", x=72),
        Printed("Households", x=300, same_row=True),
        Printed("North", x=72),
        Printed("1,204", x=300, same_row=True),
        *paragraph(6, 3),
    ],
    [
        Printed("1 Methods | 3", running=True),
        heading("2 Results"),
        *paragraph(7, 6),
        heading("2.1 Tables"),
        *paragraph(8, 4),
    ],
]
EDITION = edition_of(*PAGES)
WHOLE = Span(Position(1, 0), EDITION.end)


def propose(*items: tuple[str, int | None], span: Span = WHOLE) -> tuple[list[str], list[tuple[str, str]]]:
    proposals = [Proposal(title, page, 1, range(1, 4)) for title, page in items]
    headings, refusals = HeadingValidator(EDITION).admit(proposals, span, "0001")
    return [h.title for h in headings], [(r.title, r.reason) for r in refusals]


def test_printed_headings_enter_as_printed() -> None:
    kept, refused = propose(
        ("Methods", 1), ("1.1 STUDY DESIGN", 1), ("How the sample was drawn and who drew it", 2), ("2 Results", 3)
    )
    assert kept == ["1 Methods", "1.1 Study design", "1.2 How the sample was drawn and who drew it", "2 Results"]
    assert refused == []


@pytest.mark.parametrize(
    ("title", "page", "reasons"),
    [
        ("a", 1, {"not_a_title"}),
        ("***", 1, {"not_a_title"}),
        ("", 1, {"not_a_title"}),
        (" ".join(paragraph(1, 6)[1].split()[2:6]), 1, {"part_of_line", "not_printed"}),
        (paragraph(1, 6)[2], 1, {"mid_sentence"}),
        ("1 Methods | 2", 2, {"running_line"}),
        ("Households", 2, {"table_cell", "table_row"}),
        ("2 Results", 2, {"other_page"}),
        ("Limitations of the survey", 2, {"not_printed"}),
        ("2 Results", 99, {"outside_section"}),
        ("2 Results", 0, {"outside_section"}),
    ],
)
def test_what_is_no_heading_is_refused_by_name(title: str, page: int, reasons: set[str]) -> None:
    kept, refused = propose((title, page))
    assert kept == []
    assert refused[0][1] in reasons


def test_a_contents_line_is_refused() -> None:
    edition = edition_of(
        [heading("Contents"), "1 Methods ........ 2", "2 Results ........ 3", "3 Discussion ........ 4"],
        [heading("1 Methods"), *paragraph(1, 4)],
    )
    span = Span(Position(1, 0), edition.end)
    headings, refusals = HeadingValidator(edition).admit([Proposal("2 Results", 1, 1, range(1, 3))], span, "")
    assert headings == []
    assert refusals[0].reason in ("contents_line", "not_printed", "part_of_line")


def test_outside_the_section_on_the_same_page_is_refused() -> None:
    at = EDITION.page(3).text.index("2.1 Tables")
    kept, refused = propose(("2 Results", 3), ("2.1 Tables", 3), span=Span(Position(1, 0), Position(3, at)))
    assert kept == ["2 Results"]
    assert refused == [("2.1 Tables", "outside_section")]


def test_one_stray_costs_only_itself() -> None:
    kept, refused = propose(("2.1 Tables", 3), ("1 Methods", 1), ("1.1 Study design", 1), ("2 Results", 3))
    assert kept == ["1 Methods", "1.1 Study design", "2 Results"]
    assert refused == [("2.1 Tables", "out_of_order")]


def test_nothing_enters_twice_and_twins_both_enter() -> None:
    kept, refused = propose(("Example", 1), ("Example", 1), ("Example", 1))
    assert kept == ["Example", "Example"]
    assert refused == [("Example", "already_in_tree")]


def test_what_the_tree_holds_is_not_proposed_again() -> None:
    edition, tree = book(Chapter("1 One", (("1.1 In it", 0),), pages=2), Chapter("2 Two"))
    known = heading_lines(tree.sections)
    assert known == {Position(1, 0): "1 One", Position(3, 0): "2 Two"}
    proposals = [Proposal(title, 1, 1, range(1, 3)) for title in ("1 One", "1.1 In it")]
    headings, refusals = HeadingValidator(edition, known).admit(proposals, tree.sections[0].span, "0001")
    assert [h.title for h in headings] == ["1.1 In it"]
    assert [(r.title, r.reason) for r in refusals] == [("1 One", "already_in_tree")]


def test_a_missing_page_is_looked_for_in_the_window() -> None:
    assert propose(("2 Results", None), ("Nowhere to be found", None))[0] == ["2 Results"]


def test_a_heading_below_running_lines_takes_the_top_of_its_page() -> None:
    headings, _ = HeadingValidator(EDITION).admit([Proposal("2 Results", 3, 1, range(1, 4))], WHOLE, "")
    assert headings[0].start == Position(3, 0)
    assert headings[0].line[0] > 0


def test_a_line_set_as_the_text_round_it_is_no_heading() -> None:
    prose = [
        *paragraph(20, 3),
        "The committee met again in May.",
        *paragraph(21, 3),
        Printed("• met again in June", x=90),
    ]
    edition = edition_of([heading("1 Methods"), *prose], [*paragraph(22, 30)])
    proposals = [Proposal(t, 1, 1, range(1, 3)) for t in ("The committee met again in May.", "• met again in June")]
    headings, refusals = HeadingValidator(edition).admit(proposals, Span(Position(1, 0), edition.end), "")
    assert headings == []
    assert [r.reason for r in refusals] == ["body_line", "list_item"]


def test_a_heading_may_run_into_its_paragraph() -> None:
    edition = edition_of([heading("1 Methods"), *paragraph(30, 8), "1.1 Scope. The rules hold for", *paragraph(31, 20)])
    at = next(i for i, line in enumerate(edition.lines) if line.text.startswith("1.1 Scope"))
    lines = list(edition.lines)
    lines[at] = replace(lines[at], runs=(Run(0, 10, 1, 700), Run(11, 10, 0, 400)))
    mixed = replace(edition, lines=tuple(lines))
    whole = Span(Position(1, 0), edition.end)
    proposals = [Proposal("1.1 Scope", 1, 1, range(1, 2)), Proposal("1.1 Scope. The rules", 1, 1, range(1, 2))]
    headings, refusals = HeadingValidator(mixed).admit(proposals, whole, "")
    assert [(h.title, h.line) for h in headings] == [("1.1 Scope.", (lines[at].start, lines[at].start + 10))]
    assert [r.title for r in refusals] == ["1.1 Scope. The rules"]
    assert (
        HeadingValidator(edition).admit(proposals, whole, "")[0] == []
    )  # in one face throughout it is a part of a sentence


def admitted(edition: Edition, title: str, page: int) -> str:
    """The heading as printed, or the reason of the refusal in brackets."""
    headings, refusals = HeadingValidator(edition).admit(
        [Proposal(title, page, 1, range(page, page + 1))], Span(Position(1, 0), edition.end), ""
    )
    return headings[0].title if headings else f"({refusals[0].reason})"


def test_letters_of_appendices_and_punctuation_may_differ() -> None:
    edition = edition_of(
        [heading("A Proofs of the bounds"), *paragraph(40, 9), heading("4.6. control: Adjusting"), *paragraph(41, 9)]
    )
    assert admitted(edition, "Proofs of the bounds", 1) == "A Proofs of the bounds"
    assert admitted(edition, "control Adjusting", 1) == "4.6. control: Adjusting"
    assert admitted(edition, "of the bounds", 1) == "(part_of_line)"


def test_a_year_or_version_alone_is_a_heading_only_in_a_style_of_its_own() -> None:
    page = [heading("10.1 2011"), *paragraph(50, 8), heading("v2.02"), *paragraph(51, 8), "2014", *paragraph(52, 3)]
    table = [heading("2015"), Printed("1,204", x=300, same_row=True), *paragraph(53, 3)]
    edition = edition_of(page, table)
    assert admitted(edition, "2011", 1) == "10.1 2011"
    assert admitted(edition, "v2.02", 1) == "v2.02"
    assert admitted(edition, "2014", 1) == "(not_a_title)"
    assert admitted(edition, "2015", 2) == "(not_a_title)"


def test_a_running_line_that_one_page_does_not_mark_is_refused_all_the_same() -> None:
    pages = [[Printed("Chapter head", size=8, running=n != 3), *paragraph(70 + n, 20)] for n in range(5)]
    assert admitted(edition_of(*pages), "Chapter head", 1) == "(running_line)"
    assert admitted(edition_of(*pages), "Chapter head", 4).startswith("(")


def test_a_numbered_title_is_not_a_line_of_text_without_the_number() -> None:
    alone = [heading("Other"), "File Checking", heading("Third"), *paragraph(98, 20)]
    assert admitted(edition_of(alone), "3.6 File Checking", 1) == "(number_missing)"
    split = [
        heading("Other"),
        heading("3.6"),
        replace(heading("File Checking"), x=100),
        heading("Third"),
        *paragraph(98, 20),
    ]
    assert admitted(edition_of(split), "3.6 File Checking", 1).endswith("File Checking")


@pytest.mark.parametrize(
    ("line", "reasons"),
    [
        (Printed("\x1f first of the things to do", x=90), {"list_item"}),
        (Printed("• first of the things to do", x=90), {"list_item"}),
        (Printed("\uf0a7 First of the things to do", x=90), {"list_item"}),
        (Printed("Figure 7: Things to do by month", size=9), {"caption", "body_line"}),
        (Printed("1 See the annual report of the office.", size=8), {"body_line", "mid_sentence"}),
        (Printed("Total of all things to do", x=72), {"table_cell", "table_row", "contents_line"}),
        (Printed("4.1 5.2 6.3", size=14, font=1, weight=700), {"table_row", "not_a_title"}),
    ],
)
def test_what_stands_in_pages_beside_text_is_no_heading(line: Printed, reasons: set[str]) -> None:
    row = [Printed("12", x=300, same_row=True)] if line.text.startswith("Total") else []
    pages: list[list[Printed | str]] = [[heading(f"{n} Part"), *paragraph(n, 20)] for n in range(1, 6)]
    pages.append([heading("6 Part"), *paragraph(6, 8), line, *row, *paragraph(7, 8)])
    edition = edition_of(*pages)
    assert admitted(edition, line.text, 6).strip("()") in reasons
    assert admitted(edition, "6 Part", 6) == "6 Part"


def test_notes_count_sections_where_they_surely_do() -> None:
    def notes(size: float) -> list[list[Printed | str]]:
        style = {"size": size, "font": 1, "weight": 700} if size > 10 else {"size": size}
        return [[Printed(f"Note {n}. Of receivables", **style), *paragraph(n, 25)] for n in range(1, 9)]  # type: ignore[arg-type]

    assert admitted(edition_of(*notes(14)), "Note 5. Of receivables", 5) == "Note 5. Of receivables"
    assert admitted(edition_of(*notes(10)), "Note 5. Of receivables", 5).startswith("(")


def test_in_plain_text_a_heading_is_a_short_paragraph_of_its_own(tmp_path: Path) -> None:
    source = tmp_path / "book.txt"
    source.write_text(
        "One\n\nA first line that goes on for a while.\nScope of it all\nand more.\n\nThe rules\n\n- an item\n\nText.\n"
    )
    edition = read(source)
    assert admitted(edition, "The rules", 1) == "The rules"
    for line in ("Scope of it all", "- an item", "A first line that goes on for a while.", "and more."):
        assert admitted(edition, line, 1).startswith("("), line


def test_endless_proposals_are_cut_and_said_to_be() -> None:
    items = [("1 Methods", 1)] * (MOST_PROPOSALS + 5)
    kept, refused = propose(*items)
    assert kept == ["1 Methods"]
    assert refused[-1] == ("", "too_many")
