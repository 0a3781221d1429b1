"""Page labels of the file and of the printed page, and running lines."""

from __future__ import annotations

import pytest
from pikepdf import Array, Dictionary, Name, Pdf

from pageindex.document import Edition
from pageindex.reading import read_bytes
from pageindex.reading.pdf.labels import roman_value, to_roman
from tests.support.pdf import Text, draw, edited, paragraph

Sheet = list[Text]


def sheet(seed: int, *furniture: Text) -> Sheet:
    return [*paragraph(72, 140, 12, seed=seed), *furniture]


def foot(text: str) -> Text:
    return Text(300, 760, text, 9)


def running(edition: Edition) -> list[list[str]]:
    return [[page.data[a:b].decode() for a, b in page.running] for page in edition.pages]


def labels(edition: Edition) -> list[str | None]:
    return [page.label for page in edition.pages]


def front_and_body() -> list[Sheet]:
    return [*(sheet(n, foot(to_roman(n))) for n in range(1, 5)), *(sheet(9 + n, foot(str(n))) for n in range(1, 9))]


EXPECTED = ["i", "ii", "iii", "iv", "1", "2", "3", "4", "5", "6", "7", "8"]


def test_printed_numbers_become_labels() -> None:
    edition = read_bytes(draw(*front_and_body()), "folios.pdf")
    assert labels(edition) == EXPECTED
    assert {page.label_source for page in edition.pages} == {"folio"}


def test_the_files_own_labels_come_first() -> None:
    def change(pdf: Pdf) -> None:
        nums = Array([0, Dictionary(S=Name.r), 4, Dictionary(S=Name.D)])
        pdf.Root.PageLabels = Dictionary(Nums=nums)

    edition = read_bytes(edited(draw(*front_and_body()), change), "labels.pdf")
    assert labels(edition) == EXPECTED
    assert {page.label_source for page in edition.pages} == {"pdf"}


def test_labels_that_only_count_give_way_to_what_is_printed() -> None:
    def change(pdf: Pdf) -> None:
        pdf.Root.PageLabels = Dictionary(Nums=Array([0, Dictionary(S=Name.D)]))

    edition = read_bytes(edited(draw(*front_and_body()), change), "counting.pdf")
    assert labels(edition) == EXPECTED
    assert {page.label_source for page in edition.pages} == {"folio"}


def test_numbers_by_chapter() -> None:
    wanted = [f"{chapter}-{page}" for chapter in (1, 2, 3) for page in (1, 2, 3, 4)] + ["A-1", "A-2", "A-3"]
    edition = read_bytes(draw(*(sheet(n, foot(text)) for n, text in enumerate(wanted))), "chapters.pdf")
    assert labels(edition) == wanted


def test_pages_without_a_number_lie_between() -> None:
    sheets = [sheet(n, foot(str(n))) if n not in (1, 5) else sheet(n) for n in range(1, 11)]
    assert labels(read_bytes(draw(*sheets), "gaps.pdf")) == [str(n) for n in range(1, 11)]


def test_numbers_that_do_not_rise_are_no_labels() -> None:
    sheets = [sheet(n, foot(str(number))) for n, number in enumerate([2019, 14, 14, 7, 2019, 3, 88, 14])]
    assert labels(read_bytes(draw(*sheets), "years.pdf")) == [None] * 8


def test_page_x_of_y() -> None:
    sheets = [sheet(n, foot(f"Page {n} of 9")) for n in range(1, 10)]
    edition = read_bytes(draw(*sheets), "of.pdf")
    assert labels(edition) == [str(n) for n in range(1, 10)]
    assert running(edition)[3] == ["Page 4 of 9"]


@pytest.mark.parametrize(
    ("value", "text"), [(1, "i"), (4, "iv"), (9, "ix"), (14, "xiv"), (40, "xl"), (1999, "mcmxcix")]
)
def test_roman_numbers(value: int, text: str) -> None:
    assert to_roman(value) == text
    assert roman_value(text) == value
    assert roman_value("iiii") == roman_value("ivi") == roman_value("") == 0


class TestRunningLines:
    def test_a_head_that_repeats(self) -> None:
        sheets = [sheet(n, Text(72, 40, "Annual report of the survey", 9), foot(str(n))) for n in range(1, 11)]
        edition = read_bytes(draw(*sheets), "head.pdf")
        assert running(edition) == [["Annual report of the survey", str(n)] for n in range(1, 11)] or all(
            set(found) == {"Annual report of the survey", str(n)} for n, found in enumerate(running(edition), start=1)
        )
        assert "Annual report of the survey" in edition.page(5).text

    def test_a_head_that_changes_with_the_chapter(self) -> None:
        sheets = []
        for n in range(1, 31):
            title = ["On methods", "On the field work", "Of results", "Some conclusions", "Open questions"][
                (n - 1) // 6
            ]
            items = [Text(72, 40, f"{title} | {n}", 9)]
            if n % 6 == 1:
                items = [Text(72, 110, title, 18, "Helvetica-Bold"), foot(str(n))]
            sheets.append(sheet(n, *items))
        edition = read_bytes(draw(*sheets), "chapters.pdf")
        assert labels(edition) == [str(n) for n in range(1, 31)]
        for n, found in enumerate(running(edition), start=1):
            assert len(found) == 1
            assert found[0].endswith(str(n))

    def test_odd_and_even_pages(self) -> None:
        heads = ["The name of the book", "The name of its author"]
        sheets = [sheet(n, Text(72, 40, heads[n % 2], 9)) for n in range(12)]
        assert running(read_bytes(draw(*sheets), "odd-even.pdf")) == [[heads[n % 2]] for n in range(12)]

    def test_true_headings_at_the_top_are_none(self) -> None:
        names = ["Parties", "Purpose", "Term", "Payment", "Liability", "Notices", "Law", "Signatures"]
        sheets = [sheet(n, Text(72, 50, f"{n + 1}. {name}", 11, "Helvetica-Bold")) for n, name in enumerate(names)]
        edition = read_bytes(draw(*sheets), "contract.pdf")
        assert running(edition) == [[] for _ in names]

    def test_chapter_and_number_alone_at_the_top_are_none(self) -> None:
        sheets = []
        for chapter in range(1, 7):
            sheets.append(sheet(chapter, Text(72, 50, f"Chapter {chapter}", 18, "Helvetica-Bold")))
            sheets += [sheet(20 * chapter + n) for n in range(2)]
        assert running(read_bytes(draw(*sheets), "chapter-tops.pdf")) == [[]] * 18

    def test_one_page_has_no_running_lines(self) -> None:
        edition = read_bytes(draw(sheet(1, Text(72, 40, "Memorandum", 9), foot("1"))), "memo.pdf")
        assert running(edition) == [[]]
        assert labels(edition) == [None]

    def test_numbers_under_the_last_line_at_any_height(self) -> None:
        sheets = []
        for n in range(1, 9):
            body = paragraph(72, 90, 8 + 3 * n, seed=n)
            y = max(item.y for item in body) + 30
            row = [Text(72, y, "Acme Inc."), Text(180, y, "2021 Form 10-K"), Text(430, y, str(n + 2))]
            sheets.append([*body, *row])
        edition = read_bytes(draw(*sheets), "filing.pdf")
        assert labels(edition) == [str(n) for n in range(3, 11)]
        assert running(edition) == [["Acme Inc.", "2021 Form 10-K", str(n)] for n in range(3, 11)]

    def test_a_line_under_the_number_in_one_part_of_the_document(self) -> None:
        sheets = []
        for n in range(1, 31):
            body = paragraph(72, 90, 9 + n, seed=n)
            y = max(item.y for item in body)
            program = [Text(250, y + 42, "Pension Equalization Program")] if n <= 5 else []
            sheets.append([*body, Text(300, y + 25, f"- {n} -"), *program])
        found = running(read_bytes(draw(*sheets), "plan.pdf"))
        assert found[:6] == [[f"- {n} -", "Pension Equalization Program"] for n in range(1, 6)] + [["- 6 -"]]

    def test_numbers_of_a_table_under_the_text_are_none(self) -> None:
        last = [41, 42, 57, 12, 43, 99, 100, 8]
        sheets = [[*paragraph(72, 90, 9 + n, seed=n), Text(430, 320 + 12 * n, str(last[n]))] for n in range(8)]
        edition = read_bytes(draw(*sheets), "tables.pdf")
        assert running(edition) == [[]] * 8
        assert labels(edition) == [None] * 8

    def test_a_head_that_names_the_section_of_its_page(self) -> None:
        titles = ["Overview", "Supply", "Pin map", "Charger", "Registers"]
        sheets = [
            sheet(n, Text(400, 44, title, 9), Text(72, 100, f"{n} {title}", 20)) for n, title in enumerate(titles)
        ]
        edition = read_bytes(draw(*sheets), "datasheet.pdf")
        assert running(edition) == [[title] for title in titles]

    def test_a_short_head_with_room_below_and_remarks_in_brackets(self) -> None:
        sheets = [sheet(n, Text(72, 50, "snmp", 9)) if n < 4 else sheet(n) for n in range(30)]
        for n in (10, 20, 29):
            sheets[n].append(Text(72, 740, "(continues on next page)", 9))
        edition = read_bytes(draw(*sheets), "manual.pdf")
        found = running(edition)
        assert [n for n in range(30) if "snmp" in found[n]] == [0, 1, 2, 3]
        assert [n for n in range(30) if "(continues on next page)" in found[n]] == [10, 20, 29]

    def test_a_printers_stamp_that_counts_the_pages_among_other_numbers(self) -> None:
        stamps = [f"VerDate 0ct 09 2002 Jkt 000000 PO 00000 Frm {n + 12:05} Fmt 6633" for n in range(9)]
        sheets = [sheet(n, Text(25, 775, stamp, 6.5)) for n, stamp in enumerate(stamps)]
        assert running(read_bytes(draw(*sheets), "hearing.pdf")) == [[stamp] for stamp in stamps]

    def test_what_comes_back_outside_of_a_running_line(self) -> None:
        sheets = []
        for n in range(24):
            name = [Text(72, 36, "AXP803", 20)] if n < 4 else []
            sheets.append(sheet(n, *name, Text(72, 60, "Power management for boards", 9)))
        edition = read_bytes(draw(*sheets), "front.pdf")
        assert running(edition)[:5] == [["AXP803", "Power management for boards"]] * 4 + [
            ["Power management for boards"]
        ]
