"""The order of a page's text: as it is read, whatever the order in which the file draws it."""

from __future__ import annotations

import itertools
import random

import pytest
from pikepdf import Pdf

from pageindex.document import Edition
from pageindex.reading import read_bytes
from tests.support.pdf import Text, draw, edited, paragraph


def page_of(items: list[Text], degrees: int = 0) -> Edition:
    def turn(pdf: Pdf) -> None:
        pdf.pages[0].rotate(degrees, relative=False)

    data = draw(items)
    return read_bytes(edited(data, turn) if degrees else data, "page.pdf")


def lines_of(items: list[Text], degrees: int = 0) -> list[str]:
    return page_of(items, degrees).page(1).text.split("\n")


def texts(*parts: list[Text]) -> list[str]:
    return [item.text for part in parts for item in part]


HEAD = [Text(72, 60, "Handbook of harbours", 8)]
FIRST, SECOND, THIRD = paragraph(72, 130, 6, seed=1), paragraph(72, 240, 6, seed=2), paragraph(72, 350, 6, seed=3)
TITLES = [Text(72, 112, "4.4.1 Passive", 12), Text(72, 222, "4.4.2 Active", 12), Text(72, 332, "4.4.3 Both", 12)]
READ = texts(TITLES[:1], FIRST, TITLES[1:2], SECOND, TITLES[2:], THIRD)


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
class TestOneColumn:
    def test_headings_drawn_after_their_text(self, degrees: int) -> None:
        assert lines_of([*FIRST, *SECOND, *THIRD, *TITLES], degrees) == READ

    def test_headings_drawn_before_all_text(self, degrees: int) -> None:
        assert lines_of([*TITLES, *FIRST, *SECOND, *THIRD], degrees) == READ

    def test_a_head_drawn_last(self, degrees: int) -> None:
        assert lines_of([*TITLES[:1], *FIRST, *HEAD], degrees) == texts(HEAD, TITLES[:1], FIRST)

    def test_numbers_drawn_apart_from_their_titles(self, degrees: int) -> None:
        numbers = [Text(72, 100, "1"), Text(72, 200, "2")]
        titles = [Text(90, 100, "Origins"), Text(90, 200, "Methods")]
        one, two = paragraph(72, 120, 4, seed=1), paragraph(72, 220, 4, seed=2)
        expected = ["1 Origins", *texts(one), "2 Methods", *texts(two)]
        assert lines_of([*numbers, *titles, *one, *two], degrees) == expected

    def test_numbers_and_titles_of_a_list_drawn_in_two_columns(self, degrees: int) -> None:
        numbers = [Text(72, 100 + 16 * n, f"{n + 1}.") for n in range(4)]
        titles = [Text(90, 100 + 16 * n, title) for n, title in enumerate(["Boats", "Canals", "Docks", "Engines"])]
        assert lines_of([*numbers, *titles], degrees) == ["1. Boats", "2. Canals", "3. Docks", "4. Engines"]


class TestColumns:
    left, right = paragraph(60, 130, 20, seed=1, words=7, size=9), paragraph(320, 130, 20, seed=4, words=7, size=9)

    @pytest.mark.parametrize("degrees", [0, 90, 180, 270])
    def test_columns_drawn_row_by_row(self, degrees: int) -> None:
        rows = [item for pair in zip(self.left, self.right, strict=True) for item in pair]
        assert lines_of(rows, degrees) == texts(self.left, self.right)

    def test_a_title_over_both_drawn_last(self) -> None:
        title = [Text(60, 100, "A title that runs over both columns of this page and is rather long", 14)]
        assert lines_of([*self.left, *self.right, *title]) == texts(title, self.left, self.right)

    def test_the_right_column_drawn_first(self) -> None:
        assert lines_of([*self.right, *self.left]) == texts(self.left, self.right)


def test_a_head_at_the_right_drawn_between_short_lines() -> None:
    code = [Text(72, 130 + 12 * n, f"command {n} of this rather long list", 9) for n in range(12)]
    wide = paragraph(72, 290, 8, seed=3, words=14)
    head = [Text(400, 60, "Handbook of the commands", 9)]
    assert lines_of([*code[:6], *head, *code[6:], *wide]) == texts(head, code, wide)


class TestMargins:
    body = tuple(paragraph(150, 100 + 110 * n, 6, seed=n, words=9) for n in range(4))
    notes = tuple(Text(60, 100 + 110 * n, f"Note {n}", 8) for n in range(4))

    def test_notes_of_a_margin_column_stand_before_their_paragraph(self) -> None:
        expected = [line for note, part in zip(self.notes, self.body, strict=True) for line in texts([note], part)]
        body = [item for part in self.body for item in part]
        for drawn in ([*body, *self.notes], [*self.notes, *body]):
            assert " ".join(page_of(drawn).page(1).text.split()) == " ".join(" ".join(expected).split())

    def test_a_turned_stamp_does_not_break_the_body(self) -> None:
        def stamp(pdf: Pdf) -> None:
            page = pdf.pages[0]
            content = page.Contents.read_bytes()
            middle = content.index(b"BT", len(content) // 2)
            mark = b"q 0 1 -1 0 30 300 cm BT /F1 14 Tf 0 0 Td (arXiv:2401.00001) Tj ET Q "
            page.Contents = pdf.make_stream(content[:middle] + mark + content[middle:])

        text = read_bytes(edited(draw(self.body[0]), stamp), "stamp.pdf").page(1).text
        assert text.split("\n") == [*texts(self.body[0]), "arXiv:2401.00001"]


@pytest.mark.parametrize("seed", range(6))
def test_blocks_drawn_in_any_order_are_read_from_top_to_foot(seed: int) -> None:
    blocks = [HEAD, [TITLES[0]], FIRST, [TITLES[1]], SECOND, [TITLES[2]], THIRD]
    drawn = list(blocks)
    random.Random(seed).shuffle(drawn)
    assert lines_of([item for block in drawn for item in block]) == texts(*blocks)


def test_byte_ranges_rise_in_reading_order() -> None:
    edition = page_of([*FIRST, *SECOND, *THIRD, *TITLES])
    ranges = [(line.start, line.end) for line in edition.lines]
    assert ranges == sorted(ranges)
    assert all(a[1] < b[0] for a, b in itertools.pairwise(ranges))


class TestMarksDrawnBehindTheText:
    """Some programs draw all raised marks of a page behind its text."""

    def test_marks_stand_at_their_words_and_before_their_notes(self) -> None:
        from reportlab.pdfbase.pdfmetrics import stringWidth

        words, notes = ["Comirnaty", "Bavencio", "Xtandi"], paragraph(84, 400, 3, seed=5)
        body = [Text(72, 100 + 30 * n, word) for n, word in enumerate(words)]
        marks = [
            Text(72 + stringWidth(word, "Helvetica", 11), 96 + 30 * n, f"({'abc'[n]})", 7)
            for n, word in enumerate(words)
        ]
        letters = [Text(72, note.y - 3, f"({'abc'[n]})", 7) for n, note in enumerate(notes)]
        found = lines_of([*body, *notes, *marks, *letters])
        assert found == [
            *[f"{word}({'abc'[n]})" for n, word in enumerate(words)],
            *[f"({'abc'[n]}) {note.text}" for n, note in enumerate(notes)],
        ]


class TestCellsOfSeveralLines:
    def test_each_cell_of_a_row_is_read_as_a_whole(self) -> None:
        rows = [
            (
                ["Enterprise", "projects"],
                ["When you create a bucket,", "you can name a project for", "it, to ease its care."],
            ),
            (["Bucket", "secrets"], ["You can have a bucket", "encrypted as it is made, and", "all that it holds."]),
        ]
        items = [
            Text(x, 100 + 60 * row + 12 * n, line, 10)
            for row, cells in enumerate(rows)
            for x, cell in zip((72, 140), cells, strict=True)
            for n, line in enumerate(cell)
        ]
        assert lines_of(items) == texts(items)

    def test_terms_beside_their_meanings_are_no_columns_of_prose(self) -> None:
        terms = ["Total Duration", "Hydraulic Time Step", "Quality Time Step", "Pattern Time Step", "Report Start Time"]
        items = [Text(240, 80, "Table 8.5: Simulation Time Options", 10)]
        for n, term in enumerate(terms):
            meaning = paragraph(240, 100 + 30 * n, 2, seed=n, words=7)
            items += [Text(72, 100 + 30 * n, term, 10), *meaning]
        found = page_of(items).page(1).text
        places = [found.index(term) for term in terms]
        meanings = [found.index(paragraph(240, 0, 2, seed=n, words=7)[1].text) for n in range(len(terms))]
        assert found.startswith("Table 8.5")
        assert all(a < b for pair in zip(places, meanings, strict=True) for a, b in [pair])
        assert all(meaning < place for meaning, place in zip(meanings, places[1:], strict=False))
