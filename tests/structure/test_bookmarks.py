"""An outline is believed when it deserves it, repaired by a page at most, and never invents or doubles a section."""

from __future__ import annotations

import pikepdf
import pytest

from pageindex.document import Position, TreeSource
from pageindex.structure.bookmarks import find_headings
from pageindex.structure.build import build_tree
from pageindex.structure.contents.entries import TitleIndex
from pageindex.structure.facts import Facts
from pageindex.structure.title_locator import TitleLocator, wanted
from pageindex.text.shown import shown
from tests.support.pdf import Text, bookmarked, draw, edited, paragraph
from tests.support.structure_pdfs import NAMES, Pages, chapters, codes, edition_of, found, named, titles, tree_of


def test_a_rich_outline_goes_before_a_printed_contents_page() -> None:
    pages = Pages().page().heading("Contents")
    for title, label in [("Alpha", "1-1"), ("Alpha parts", "1-2"), ("Beta", "2-1"), ("Beta parts", "2-3")]:
        pages.entry(title, label)
    outline = [("Alpha", 2, 1), ("Alpha parts", 4, 2), ("Beta", 6, 1), ("Beta parts", 9, 2), ("Closing", 12, 1)]
    heads = {page: title for title, page, _ in outline}
    for page in range(2, 13):
        pages.page()
        if page in heads:
            pages.heading(heads[page])
        pages.body()
    tree = tree_of(bookmarked(pages.pdf(), outline))
    assert tree.toc_source is TreeSource.BOOKMARK
    assert [row for row in found(tree) if row[0] in heads.values()] == outline


def test_bookmarks_without_numbers_match_printed_ones_with_and_closing_sections_keep_their_level() -> None:
    printed = [
        "1 Introduction",
        "2 Methods",
        "3 Data",
        "4 Results",
        "5 Discussion",
        "6 Outlook",
        "Conclusion",
        "References",
    ]
    outline = [(title.split(" ", 1)[1], page, 1) for page, title in enumerate(printed[:6], 1)]
    tree = tree_of(bookmarked(chapters(printed).pdf(), outline))
    assert found(tree) == [*outline, ("Conclusion", 7, 1), ("References", 8, 1)]
    assert named(tree, "Results").printed
    assert named(tree, "Outlook").end_index == 6


@pytest.mark.parametrize(
    "junk",
    [
        [(f"chap{n:02d}.tex", n, 1) for n in range(1, 6)],
        [(f"Page {n}", n, 1) for n in range(1, 6)],
        [("Zeta", 5, 1), ("Epsilon", 4, 1), ("Delta", 3, 1), ("Gamma", 2, 1), ("Alef", 1, 1)],
        [("Introductory remarks of the chair", 1, 1), ("A note on spelling", 2, 1), ("Colophon and thanks", 5, 1)],
    ],
    ids=["file names", "page numbers", "wrong order", "not printed"],
)
def test_a_junk_outline_leaves_printed_headings_alone(junk: list[tuple[str, int, int]]) -> None:
    tree = tree_of(bookmarked(chapters(NAMES).pdf(), junk))
    assert tree.toc_source is TreeSource.LAYOUT
    assert found(tree) == [(name, page, 1) for page, name in enumerate(NAMES, 1)]
    assert {s.source for s, _ in tree.walk()} == {TreeSource.LAYOUT}
    assert "BOOKMARKS_DOUBTED" in codes(tree)


def _with_targets(data: bytes, entries: list[tuple[str, object]]) -> bytes:
    """An outline whose destinations are given raw: a page number from 0 that may not exist, None for null, … for no key at all."""

    def change(pdf: pikepdf.Pdf) -> None:
        with pdf.open_outline() as outline:
            for title, _ in entries:
                outline.root.append(pikepdf.OutlineItem(title, 0))
        item = pdf.Root.Outlines.First
        for _, target in entries:
            del item["/Dest"]
            if target is None:
                item["/Dest"] = pikepdf.Array([None, pikepdf.Name.Fit])
            elif isinstance(target, int):
                page = pdf.pages[target].obj if target < len(pdf.pages) else target
                item["/Dest"] = pikepdf.Array([page, pikepdf.Name.Fit])
            item = item.get("/Next")

    return edited(data, change)


def test_bookmarks_that_lead_nowhere_are_placed_by_their_title_or_dropped_with_a_note() -> None:
    data = chapters(NAMES).pdf()
    targets: list[tuple[str, object]] = [
        (NAMES[0], 0),
        ("Nowhere printed", 998),
        (NAMES[1], 998),
        (NAMES[2], 2),
        (NAMES[3], None),
        ("Not printed either", ...),
        (NAMES[4], 4),
    ]
    tree = tree_of(_with_targets(data, targets))
    assert found(tree) == [(name, page, 1) for page, name in enumerate(NAMES, 1)]
    assert [(s.start_index, s.end_index) for s in tree.sections] == [(page, page) for page in range(1, 6)]
    dropped = [note.message for note in tree.notes if note.code == "BOOKMARK_DROPPED"]
    assert len(dropped) == 2
    assert all("printed" in message for message in dropped)


def test_the_outline_of_a_book_of_which_half_was_cut_away() -> None:
    outline = [
        (f"Topic {word}", page, 1)
        for word, page in zip(("ash", "bay", "clay", "dune", "elm"), (1, 3, 5, 7, 9), strict=True)
    ]
    whole = Pages()
    for number in range(1, 11):
        whole.page()
        for title, page, _ in outline:
            if page == number:
                whole.heading(title)
        whole.body()

    def cut(pdf: pikepdf.Pdf) -> None:
        del pdf.pages[5:]

    tree = tree_of(edited(bookmarked(whole.pdf(), outline), cut))
    assert found(tree) == outline[:3]
    assert tree.end == Position(5, tree.end.byte)
    assert tree.sections[-1].end_index == 5


def test_a_repeated_title_stands_on_each_of_its_pages_at_its_depth() -> None:
    pages = Pages()
    heads = {1: "Part one", 2: "Harvest", 3: "Summary", 5: "Part two", 7: "Weather", 8: "Rainfall", 10: "Summary"}
    for number in range(1, 12):
        pages.page()
        if number in heads:
            pages.heading(heads[number])
        pages.body()
    outline = [(title, page, {1: 1, 2: 2, 3: 2, 5: 1, 7: 2, 8: 3, 10: 3}[page]) for page, title in heads.items()]
    tree = tree_of(bookmarked(pages.pdf(), outline))
    assert found(tree) == outline


def test_a_bookmark_that_is_not_printed_is_structure_and_says_so() -> None:
    outline = [*((name, page, 1) for page, name in enumerate(NAMES, 1)), ("Annex", 6, 1)]
    pages = chapters(NAMES)
    pages.page().body()
    tree = tree_of(bookmarked(pages.pdf(), outline))
    annex, first = named(tree, "Annex"), named(tree, NAMES[0])
    assert (annex.printed, annex.heading, annex.source) == (False, None, TreeSource.BOOKMARK)
    assert (annex.start, annex.end_index) == (Position(6, 0), 6)
    edition = edition_of(pages.pdf())
    assert first.printed
    assert first.heading is not None
    assert edition.pages[0].data[slice(*first.heading)].decode() == NAMES[0]


def test_a_bookmark_one_page_early_moves_to_where_its_title_is_printed() -> None:
    pages = chapters(NAMES)
    outline = [(name, page, 1) for page, name in enumerate(NAMES, 1)]
    outline[3] = (NAMES[3], 3, 1)
    tree = tree_of(bookmarked(pages.pdf(), outline))
    assert named(tree, NAMES[3]).start_index == 4
    assert "BOOKMARK_MOVED" in codes(tree)


def test_a_bookmark_far_off_is_not_moved() -> None:
    outline = [(name, page, 1) for page, name in enumerate(NAMES, 1)]
    outline[0] = (NAMES[0], 5, 1)
    facts = Facts(edition_of(bookmarked(chapters(NAMES).pdf(), outline[1:] + outline[:1])))
    found = find_headings(facts, TitleIndex(facts), TitleLocator(facts))
    assert [c.page for c in found.candidates if c.title == NAMES[0]] == [5]


def test_the_same_bookmark_twice_counts_once() -> None:
    outline = [
        (NAMES[0], 1, 1),
        (NAMES[0], 1, 2),
        (NAMES[1], 2, 1),
        (NAMES[1], 2, 1),
        *((n, p, 1) for p, n in enumerate(NAMES[2:], 3)),
    ]
    tree = tree_of(bookmarked(chapters(NAMES).pdf(), outline))
    assert titles(tree) == NAMES


def test_long_titles_with_control_characters_are_cleaned_and_capped() -> None:
    outline = [(name, page, 1) for page, name in enumerate(NAMES, 1)]
    outline[4] = ("The long\x07 plan\t" + "and so on " * 60, 5, 1)
    tree = tree_of(bookmarked(chapters(NAMES).pdf(), outline))
    title = titles(tree)[-1]
    assert len(title) <= 200
    assert title.startswith("The long plan and so on")


def test_a_bare_number_of_a_titled_entry_is_left_out_with_a_note() -> None:
    printed = ["1. Introduction", "2. Methods", "3. Results"]
    outline = [
        ("1. Introduction", 1, 1),
        ("1.", 1, 1),
        ("2. Methods", 2, 1),
        ("2", 2, 1),
        ("Chapter 9", 2, 1),
        ("3. Results", 3, 1),
    ]
    tree = tree_of(bookmarked(chapters(printed).pdf(), outline))
    assert [title for title, _, _ in found(tree)] == ["1. Introduction", "2. Methods", "2", "Chapter 9", "3. Results"]
    assert "bookmark '1.' only repeats a number" in [note.message for note in tree.notes]


def test_entries_of_other_words_dissolve_in_the_heading_at_their_place_and_none_is_empty() -> None:
    pages = Pages()
    heads = ["1 Computing a Matrix of weights", "2 Trigonometric functions of the hour angles", "3 Wells"]
    for head in heads:
        pages.page().heading(head)
        pages.body()
    outline = [("Computing a Matrix of weights", 1, 1), ("Trigonometrics of the hour angles", 2, 1), ("Wells", 3, 1)]
    tree = tree_of(bookmarked(pages.pdf(), outline))
    assert found(tree) == outline
    assert all(section.printed for section, _ in tree.walk())


def test_an_entry_that_is_not_printed_leaves_the_heading_before_it_its_text_and_is_noted_when_empty() -> None:
    pages = Pages()
    for head in ("Alpha one", "Beta two", "Gamma three", "Delta four"):
        pages.page().heading(head)
        pages.body()
    outline = [
        ("Alpha one", 1, 1),
        ("Beta two", 2, 1),
        ("Unseen things", 2, 1),
        ("Hidden matters", 2, 1),
        ("Gamma three", 3, 1),
        ("Delta four", 4, 1),
    ]
    edition = edition_of(bookmarked(pages.pdf(), outline))
    tree = build_tree(edition)
    texts = {section.title: shown(edition, section.span).text for section, _ in tree.walk()}
    assert texts["Beta two"] == "Beta two"
    assert texts["Unseen things"] == ""
    assert texts["Hidden matters"]
    empty = [note for note in tree.notes if note.code == "SECTION_EMPTY"]
    assert [(note.page, "Unseen things" in note.message) for note in empty] == [(2, True)]


def test_an_entry_that_is_printed_only_as_a_running_line_says_so() -> None:
    sheets = [
        [
            Text(72, 40, "Harbour report", 9),
            Text(72, 100, f"{n} Basin {'ABCDEFGH'[n]}", 16),
            *paragraph(72, 130, 12, seed=n),
        ]
        for n in range(8)
    ]
    outline = [("Harbour report", 3, 1), ("2 Basin C", 3, 1), ("5 Basin F", 6, 1)]
    notes = build_tree(edition_of(bookmarked(draw(*sheets), outline))).notes
    assert [note.message.rpartition(": ")[2] for note in notes if note.code == "SECTION_EMPTY"] == [
        "it is printed only as a running line"
    ]


def test_a_lead_at_the_height_of_the_target_goes_before_a_line_that_names_it() -> None:
    """Manuals set the names of options at the start of their text; the outline points at the line."""
    rows = [(100, "Bezier the curve runs through the first and last"), (114, "of its points, by the well-known")]
    rows += [(128, "bezier"), (142, "Bezier surfaces are told of elsewhere, and not here")]
    edition = edition_of(draw([Text(72, y, words) for y, words in rows]))
    locator = TitleLocator(Facts(edition))

    def heading_at(y: float | None) -> str:
        spot = locator.find(wanted("Bezier"), 1, y=y)
        assert spot is not None
        return edition.page(1).words(spot.start, spot.end)

    assert heading_at(88.0) == "Bezier"
    assert heading_at(None) == heading_at(119.0) == "bezier"
