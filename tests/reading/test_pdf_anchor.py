"""The anchor of a PDF page: every visible character with every separator that the layout shows, and no control characters."""

from __future__ import annotations

from pathlib import Path

import pytest
from pikepdf import Array, Dictionary, Name, Pdf

from pageindex.document import Edition
from pageindex.reading import read, read_bytes
from pageindex.reading.pdf.api import LOCK
from pageindex.reading.pdf.characters import characters_of
from pageindex.reading.pdf.repair import open_document
from tests.support.pdf import Text, draw, edited, mapped_font_page, paragraph

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


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_cells_of_a_row_stand_apart_on_one_line(degrees: int) -> None:
    edition = turned(draw(table()), degrees)
    assert edition.page(1).text == "Lisbon  5  7\nOslo  1,600.01  5\nGenoa  12  131"


def by_words() -> list[Text]:
    from reportlab.pdfbase.pdfmetrics import stringWidth

    items = []
    for row in range(6):
        x = 72.0
        for word in paragraph(72, 100, 6, seed=row)[row].text.split():
            items.append(Text(x, 100 + 14 * row, word))
            x += stringWidth(word + " ", "Helvetica", 11)
    return items


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_a_turned_page_has_the_text_of_the_page(degrees: int) -> None:
    for items in (table(), by_words(), [*paragraph(72, 100, 10), *table()]):
        data = draw(items)
        assert turned(data, degrees).page(1).text == read_bytes(data, "page.pdf").page(1).text


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_text_drawn_sideways_is_read_with_the_head_turned(degrees: int) -> None:
    def sideways(pdf: Pdf) -> None:
        page = pdf.pages[0]
        page.Contents = pdf.make_stream(b"q 0 1 -1 0 792 0 cm " + page.Contents.read_bytes() + b" Q")
        page.MediaBox = Array([0, 0, 792, 612])
        page.rotate(degrees, relative=False)

    items = by_words()
    page = read_bytes(edited(draw(items), sideways), "sideways.pdf").page(1)
    assert page.text == read_bytes(draw(items), "page.pdf").page(1).text


def test_a_document_read_twice_is_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "turned.pdf"

    def turn(pdf: Pdf) -> None:
        pdf.pages[0].rotate(180, relative=False)

    path.write_bytes(edited(draw(by_words()), turn))
    page = read(path).page(1)
    with LOCK, open_document(path.read_bytes(), path.name) as document:
        for _ in range(2):
            found = characters_of(document, 1)
            assert "".join(c.text for c in found) == "".join(page.text.split())
            assert found[0].box.x0 > found[8].box.x0  # as displayed: upside down


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


@pytest.mark.parametrize(
    ("drawn", "expected"),
    [
        (b"[(f) -111 (\\250) 444 (ur alle)]", "f\xfcr alle"),  # back over the letter that follows, as TeX does
        (b"[(caf) (e) 444 (\\264) -111 ( noir)]", "caf\xe9 noir"),
        (b"[(the sign \\250 is an accent)]", "the sign \xa8 is an accent"),
    ],
)
def test_accents_drawn_over_their_letters_are_one_character_with_them(drawn: bytes, expected: str) -> None:
    def draw_accent(pdf: Pdf) -> None:
        page = pdf.pages[0]
        content = page.Contents.read_bytes()
        start, end = content.index(b"(base)"), content.index(b"Tj")
        page.Contents = pdf.make_stream(content[:start] + drawn + b" TJ" + content[end + 2 :])

    assert read_bytes(edited(draw([Text(72, 100, "base")]), draw_accent), "accents.pdf").page(1).text == expected


def test_lowered_signs_stay_with_their_letter_and_apart_from_the_next() -> None:
    from reportlab.pdfbase.pdfmetrics import stringWidth

    x, items = 72.0, []
    for text, size, drop, gap in (("t", 8, 0, 0), ("1H,", 5, 2, 0), ("t", 8, 0, 2.0), ("0H", 5, 2, 0)):
        x += gap
        items.append(Text(x, 100 + drop, text, size))
        x += stringWidth(text, "Helvetica", size)
    assert text_of(*items) == "t1H, t0H"


def redrawn(items: list[Text], change: dict[bytes, bytes]) -> str:
    """The text of a page with some of its operators replaced."""

    def redraw(pdf: Pdf) -> None:
        content = pdf.pages[0].Contents.read_bytes()
        for old, new in change.items():
            assert old in content
            content = content.replace(old, new)
        pdf.pages[0].Contents = pdf.make_stream(content)

    return read_bytes(edited(draw(items), redraw), "redrawn.pdf").page(1).text


def test_signs_that_all_stand_apart_are_no_word_set_wide() -> None:
    items = [Text(72, 100, "model M", 12, "Times-Italic"), Text(122, 100, "=X", 12)]
    assert redrawn(items, {b"(=X) Tj": b"[(=) -400 (X)] TJ"}).split() == ["model", "M", "=", "X"]


def test_a_gap_that_nobody_sees_is_no_blank_in_fonts_of_one_width() -> None:
    items = [Text(72, 100, "pin(A) {direction: input}", 12, "Courier")]
    drawn = {b"(pin\\(A\\) ": b"[(pin\\() -110 (A) -110 (\\)) -600 (", b"input}) Tj": b"input})] TJ"}
    assert redrawn(items, drawn).startswith("pin(A) {direction")


def test_numbers_drawn_from_right_to_left_are_apart_and_in_their_order() -> None:
    """The bits of a register: one text object whose pen goes back between the numbers."""
    bits = [Text(300, 100, "16", 6), Text(72, 130, "The register holds the upper half of the counter.")]
    drawn = b"[(16) " + b" ".join(b"4400 (%d)" % number for number in range(17, 26)) + b"] TJ"
    assert redrawn(bits, {b"(16) Tj": drawn}).split("\n")[0].split() == [str(n) for n in range(25, 15, -1)]


def test_letters_drawn_twice_are_read_once() -> None:
    from reportlab.pdfbase.pdfmetrics import stringWidth

    x, items = 72.0, []
    for letter in "SURVEYS":
        items += [Text(x, 100, letter, 24), Text(x + 1, 101, letter, 24)]
        x += stringWidth(letter, "Helvetica", 24)
    assert text_of(*items, Text(72, 140, "aabbccddee are two of each")) == "SURVEYS\naabbccddee are two of each"


def test_a_raised_sign_keeps_the_letter_before_it_and_the_text_behind() -> None:
    from reportlab.pdfbase.pdfmetrics import stringWidth

    x = 72 + stringWidth("e", "Helvetica", 11)
    behind = x + stringWidth("x", "Helvetica", 8)
    assert text_of(Text(72, 100, "e"), Text(x, 95, "x", 8), Text(behind, 100, ", exponential of it")) == (
        "ex, exponential of it"
    )


def test_short_words_of_two_cells_are_no_label_and_title() -> None:
    assert text_of(Text(72, 100, "See"), Text(118, 100, "Not"), Text(200, 100, "Supported")) == "See  Not  Supported"
    assert text_of(Text(72, 100, "IV"), Text(118, 100, "Not supported")) == "IV Not supported"


def test_characters_known_by_their_glyphs_names_shift_nothing() -> None:
    """PDFium counts a letter of formulas that it knows by a name as u1D703 as one character, and leaves it out of its text."""

    def name(pdf: Pdf) -> None:
        fonts = pdf.pages[0].Resources.Font
        for font in fonts.values():
            font.Encoding = Dictionary(Type=Name.Encoding, Differences=Array([64, Name("/u1D703"), Name("/u1D445")]))

    items = [Text(72, 100, "@ = 1 and A over @"), Text(72, 130, "Second line"), Text(300, 160, "third")]
    edition = read_bytes(edited(draw(items), name), "named.pdf")
    assert edition.page(1).text == "𝜃 = 1 and 𝑅 over 𝜃\nSecond line\nthird"
    assert [round(line.box.x0) for line in edition.lines] == pytest.approx([72, 72, 300], abs=2)


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
