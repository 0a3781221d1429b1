"""The anchor of a PDF page: every visible character with every separator that the layout shows, and no control characters."""

from __future__ import annotations

import pytest
from pikepdf import Array, Pdf

from pageindex.document import Edition
from pageindex.reading import read_bytes
from tests.support.pdf import Text, draw, edited, mapped_font_page

TABLE = [("Lisbon", "5", "7"), ("Oslo", "1,600.01", "5"), ("Genoa", "12", "131")]


def text_of(*items: Text) -> str:
    return read_bytes(draw(items), "page.pdf").page(1).text


def turned(data: bytes, degrees: int) -> Edition:
    def change(pdf: Pdf) -> None:
        for page in pdf.pages:
            page.rotate(degrees, relative=False)

    return read_bytes(edited(data, change), "turned.pdf")


def table() -> list[Text]:
    columns = (72, 200, 260)
    return [Text(columns[i], 100 + 20 * row, cell) for row, cells in enumerate(TABLE) for i, cell in enumerate(cells)]


@pytest.mark.parametrize("degrees", [0, 90, 270])
def test_cells_of_a_row_stand_apart_on_one_line(degrees: int) -> None:
    edition = turned(draw(table()), degrees)
    assert edition.page(1).text == "Lisbon  5  7\nOslo  1,600.01  5\nGenoa  12  131"


@pytest.mark.parametrize("gap", [0.25, 0.5, 1.0, 3.0])
@pytest.mark.parametrize(("left", "right"), [("600.01", "5"), ("method", "9"), ("Crew", "B"), ("Rope", "2")])
def test_a_quarter_em_is_a_separator(left: str, right: str, gap: float) -> None:
    from reportlab.pdfbase.pdfmetrics import stringWidth

    x = 72 + stringWidth(left, "Helvetica", 12) + gap * 12
    assert text_of(Text(72, 100, left, 12), Text(x, 100, right, 12)).split() == [left, right]


def test_pieces_that_touch_are_one_word() -> None:
    from reportlab.pdfbase.pdfmetrics import stringWidth

    x = 72 + stringWidth("agree", "Helvetica", 12)
    assert text_of(Text(72, 100, "agree", 12), Text(x, 100, "ment", 12, "Helvetica-Bold")) == "agreement"


def test_a_raised_mark_stays_with_its_word_and_its_line() -> None:
    from reportlab.pdfbase.pdfmetrics import stringWidth

    x = 72 + stringWidth("pair", "Helvetica", 11)
    mark = stringWidth("3", "Helvetica", 7)
    items = (Text(72, 100, "pair"), Text(x, 96, "3", 7), Text(x + mark, 100, ", and the rest of it follows"))
    assert text_of(*items) == "pair3, and the rest of it follows"


def test_letters_set_wide_are_one_word() -> None:
    data = draw([Text(72, 100, "SUMMARY of results", 12)])

    def spaced(pdf: Pdf) -> None:
        page = pdf.pages[0]
        content = page.Contents.read_bytes().replace(b"BT", b"BT 2 Tc", 1)
        page.Contents = pdf.make_stream(content)

    assert read_bytes(edited(data, spaced), "wide.pdf").page(1).text.split() == ["SUMMARY", "of", "results"]


class TestTheVisibleFrame:
    def cropped(self, items: list[Text], box: tuple[float, float, float, float]) -> str:
        def crop(pdf: Pdf) -> None:
            pdf.pages[0].CropBox = Array(list(box))

        return read_bytes(edited(draw(items), crop), "cropped.pdf").page(1).text

    def test_what_lies_outside_is_not_there(self) -> None:
        items = [Text(72, 100, "Printer mark"), Text(72, 300, "Inside the frame"), Text(400, 300, "and beside it")]
        assert self.cropped(items, (0, 400, 300, 600)) == "Inside the frame"

    def test_a_line_is_cut_at_the_frame(self) -> None:
        assert self.cropped([Text(72, 100, "ABCDEFGHIJ", 20, "Courier")], (72, 0, 132, 792)) == "ABCDE"
        assert self.cropped([Text(72, 100, "ABCDEFGHIJ", 20, "Courier")], (132, 0, 612, 792)) == "FGHIJ"

    def test_a_box_beyond_the_paper_is_cut_to_it(self) -> None:
        assert self.cropped([Text(72, 100, "On the paper")], (-100, 400, 900, 2000)) == "On the paper"


def test_codes_without_meaning_are_marked_and_no_control_characters_are_kept() -> None:
    mapping = {code: chr(code) for code in range(32, 127)} | {ord("@"): "\x1f", ord("#"): "\x07", ord("~"): "\t"}
    data = mapped_font_page([(72.0, 100.0, b"@ first~item#"), (72.0, 130.0, b"second")], mapping)
    assert read_bytes(data, "odd.pdf").page(1).text == "\ufffd first item\ufffd\nsecond"
