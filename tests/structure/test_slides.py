"""Sections of slide decks that are printed only in navigation bars or outline frames."""

from __future__ import annotations

from pageindex.structure.contents import source as contents
from pageindex.structure.facts import Facts
from pageindex.structure.layout import source as layout
from pageindex.structure.layout.slides import is_deck, outline_frames, trackers
from pageindex.structure.layout.table import LineTable
from tests.support.pdf import Text, draw
from tests.support.structure_pdfs import edition_of

SIZE = (362.0, 272.0)
GREY, BLACK, BLUE = (0.8, 0.8, 0.8), (0.0, 0.0, 0.0), (0.2, 0.2, 0.7)
SECTIONS = ["Motives and aims", "How it is built", "What was measured"]


def frame(number: int, title: str, *bar: Text) -> list[Text]:
    bullets = [f"point {number}.{row} of the talk goes here" for row in range(4)]
    return [
        *bar,
        Text(20, 45, title, 14, "Helvetica-Bold", BLUE),
        *[Text(30, 80 + 25 * row, text, 10) for row, text in enumerate(bullets)],
        Text(300, 265, f"{number} / 12", 5),
    ]


def bar_of(current: int) -> list[Text]:
    return [
        Text(10 + 110 * index, 10, name, 6, "Helvetica", BLACK if index == current else GREY)
        for index, name in enumerate(SECTIONS)
    ]


def table_of(data: bytes) -> LineTable:
    return LineTable(Facts(edition_of(data)))


def test_the_highlighted_name_in_a_row_is_the_section() -> None:
    data = draw(*[frame(n, f"Frame {n}", *bar_of(n // 4)) for n in range(12)], size=SIZE)
    table = table_of(data)
    assert is_deck(table)
    assert [(s.title, s.page, s.level) for s in trackers(table)] == [(SECTIONS[i], 4 * i + 1, 1) for i in range(3)]
    facts = Facts(edition_of(data))
    said = layout.find(facts, contents.find_headings(facts))
    assert [(c.title, c.page) for c in said.candidates] == [(SECTIONS[i], 4 * i + 1) for i in range(3)]


def test_two_rows_are_sections_and_their_parts() -> None:
    def bars(n: int) -> list[Text]:
        part = f"Part {'ABCDEF'[n // 2]} of it"
        return [Text(10, 10, SECTIONS[n // 4], 6), Text(10, 20, part, 6)]

    found = [
        (s.title, s.page, s.level)
        for s in trackers(table_of(draw(*[frame(n, f"F{n}", *bars(n)) for n in range(12)], size=SIZE)))
    ]
    assert found == [
        entry
        for section in range(3)
        for entry in (
            (SECTIONS[section], 4 * section + 1, 1),
            (f"Part {'ABCDEF'[2 * section]} of it", 4 * section + 1, 2),
            (f"Part {'ABCDEF'[2 * section + 1]} of it", 4 * section + 3, 2),
        )
    ]


def test_a_footer_that_never_changes_is_no_tracker() -> None:
    pages = [frame(n, f"Frame {n}", Text(10, 10, "The whole talk", 6)) for n in range(12)]
    assert trackers(table_of(draw(*pages, size=SIZE))) == []


def outline(current: int) -> list[Text]:
    return [
        Text(20, 45, "Outline", 14, "Helvetica-Bold", BLUE),
        *[
            Text(30, 80 + 30 * index, f"{index + 1} {name}", 10, "Helvetica", BLACK if index == current else GREY)
            for index, name in enumerate(SECTIONS)
        ],
    ]


def test_outline_frames_announce_the_highlighted_section() -> None:
    pages = []
    for index in range(3):
        pages += [outline(index), *[frame(4 * index + n, f"Frame {4 * index + n}") for n in range(3)]]
    table = table_of(draw(*pages, size=SIZE))
    assert [(s.title, s.page) for s in outline_frames(table)] == [(SECTIONS[i], 4 * i + 1) for i in range(3)]


def test_a_frame_that_is_uncovered_step_by_step_announces_nothing() -> None:
    pages = [frame(n, f"Frame {n}") for n in range(6)] + [outline(index) for index in range(3)]
    assert outline_frames(table_of(draw(*pages, size=SIZE))) == []


def test_a_report_in_landscape_is_no_deck() -> None:
    dense = [[Text(20, 20 + 5 * row, f"line {row} of page {page}", 4) for row in range(48)] for page in range(8)]
    assert not is_deck(table_of(draw(*dense, size=SIZE)))
