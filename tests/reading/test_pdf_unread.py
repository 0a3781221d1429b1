"""What a page shows and no reader turned into text is named: pictures, letters drawn as outlines, codes without meaning."""

from __future__ import annotations

import io

import pytest
from pikepdf import Pdf
from reportlab.pdfgen import canvas as reportlab_canvas

from pageindex.document import Box, Page, UnreadReason
from pageindex.reading import read_bytes
from tests.support.pdf import Picture, Text, draw, edited, mapped_font_page, paragraph

BODY = paragraph(72, 100, 20)


def page_of(*items: Text | Picture) -> Page:
    return read_bytes(draw(items), "page.pdf").page(1)


def reasons(page: Page) -> list[str]:
    return [part.reason.value for part in page.unread]


def near(box: Box | None, expected: tuple[float, float, float, float]) -> bool:
    return box is not None and all(abs(a - b) < 1.0 for a, b in zip(box, expected, strict=True))


class TestPictures:
    def test_a_picture_beside_the_text_is_named_with_its_place(self) -> None:
        page = page_of(*BODY, Picture(72, 400, 300, 60))
        assert reasons(page) == ["picture"]
        assert near(page.unread[0].box, (72, 400, 372, 460))
        assert page.has_flag("unread")

    def test_even_of_a_single_line(self) -> None:
        assert reasons(page_of(*BODY, Picture(72, 400, 120, 12))) == ["picture"]

    @pytest.mark.parametrize("icon", [Picture(72, 400, 24, 24), Picture(72, 400, 400, 3), Picture(72, 400, 4, 300)])
    def test_icons_and_rules_hold_no_text(self, icon: Picture) -> None:
        assert reasons(page_of(*BODY, icon)) == []

    def test_a_narrow_upright_picture_and_one_cut_into_letters_are_named(self) -> None:
        assert reasons(page_of(*BODY, Picture(72, 400, 14, 140))) == ["picture"]
        letters = [Picture(72 + 9 * n, 400, 9, 12) for n in range(8)]
        assert reasons(page_of(*BODY, *letters)) == ["picture"]

    def test_a_label_over_a_picture_is_not_all_that_it_shows(self) -> None:
        assert reasons(page_of(*BODY, Picture(72, 400, 150, 50), Text(80, 410, "see the figure"))) == ["picture"]

    def test_text_over_a_picture_is_its_text(self) -> None:
        assert reasons(page_of(Picture(60, 80, 500, 300), *BODY)) == []

    def test_a_letterhead_counts_once(self) -> None:
        pages = [[Picture(72, 30, 150, 40), *paragraph(72, 100, 20, seed=n)] for n in range(5)]
        edition = read_bytes(draw(*pages), "letters.pdf")
        assert [reasons(page) for page in edition.pages] == [["picture"], [], [], [], []]

    def test_pictures_at_one_place_of_two_pages_count_each(self) -> None:
        pages = [[Picture(72, 430, 150, 40), *paragraph(72, 100, 20, seed=n)] for n in range(2)]
        edition = read_bytes(draw(*pages), "figures.pdf")
        assert [reasons(page) for page in edition.pages] == [["picture"], ["picture"]]

    def test_a_page_of_text_alone_is_read(self) -> None:
        page = page_of(*BODY)
        assert page.unread == ()
        assert not page.has_flag("unread")


def outlined(word: str, *, whole: bool) -> bytes:
    """A page of text and a word of which only the outlines are drawn, as one shape or one for each letter."""
    from reportlab.graphics import renderPDF  # noqa: F401 - loads the fonts that outlines come from
    from reportlab.pdfbase.pdfmetrics import stringWidth

    buffer = io.BytesIO()
    canvas = reportlab_canvas.Canvas(buffer, pagesize=(612, 792), invariant=1)
    for item in BODY:
        canvas.setFont(item.font, item.size)
        canvas.drawString(item.x, 792 - item.y, item.text)
    x = 72.0
    path = canvas.beginPath()
    for letter in word:
        width = stringWidth(letter, "Helvetica", 20)
        steps = 16 + ord(letter) % 5
        for step in range(steps):  # a closed figure with many corners, as wide as the letter
            point = x + (width - 2) * ((step * 7) % steps) / steps, 400 + 14 * ((step * 5) % steps) / steps
            (path.lineTo if step else path.moveTo)(*point)
        path.close()
        if not whole:
            canvas.drawPath(path, stroke=0, fill=1)
            path = canvas.beginPath()
        x += width
    if whole:
        canvas.drawPath(path, stroke=0, fill=1)
    canvas.save()
    return buffer.getvalue()


class TestOutlines:
    @pytest.mark.parametrize("whole", [True, False])
    def test_a_word_of_outlines_is_named(self, whole: bool) -> None:
        page = read_bytes(outlined("CONFIDENTIAL", whole=whole), "outlines.pdf").page(1)
        assert reasons(page) == ["outlines"]
        box = page.unread[0].box
        assert box is not None and 70 < box.x0 < 76 and 376 < box.y0 < box.y1 < 394

    @pytest.mark.parametrize("how", ["one shape", "a shape each", "a stroke each"])
    def test_a_word_made_of_points_is_named(self, how: str) -> None:
        """What tracing programs and plotters make of letters: many small runs, one over the other."""

        def traced(pdf: Pdf) -> None:
            runs = [
                (80 + 20 * n + 3 * (row % 2) * (n % 3), 300 + row, 4 + (n * row) % 7)
                for n in range(7)
                for row in range(12 + n % 3)
            ]
            ends = {"one shape": (b"", b" f "), "a shape each": (b" f ", b""), "a stroke each": (b" S ", b"")}[how]
            form = b"%d %d.5 m %d %d.5 l" if how == "a stroke each" else b"%d %d %d 1 re"
            drawn = [form % ((x, y, x + w, y) if how == "a stroke each" else (x, y, w)) for x, y, w in runs]
            data = ends[0].join(one + b" " for one in drawn) + ends[0] + ends[1]
            page = pdf.pages[0]
            page.Contents = pdf.make_stream(page.Contents.read_bytes() + b" 1 w " + data)

        assert reasons(read_bytes(edited(draw(BODY), traced), "traced.pdf").page(1)) == ["outlines"]

    def test_points_of_a_plot_and_the_lines_of_a_grid_are_none(self) -> None:
        def plot(pdf: Pdf) -> None:
            page = pdf.pages[0]
            points = b"".join(b"%d %d 3 3 re f " % (80 + 37 * n % 300, 200 + 53 * n % 90) for n in range(60))
            grid = b"".join(b"72 %d m 372 %d l S " % (200 + 9 * n, 200 + 9 * n) for n in range(10))
            page.Contents = pdf.make_stream(page.Contents.read_bytes() + points + grid)

        assert reasons(read_bytes(edited(draw(BODY), plot), "plot.pdf").page(1)) == []

    def test_a_word_behind_many_rules_is_named(self) -> None:
        def ruled(pdf: Pdf) -> None:
            with Pdf.open(io.BytesIO(outlined("CONFIDENTIAL", whole=False))) as over:
                page = pdf.pages[0]
                rules = b"".join(b"%d %d 5 4 re f " % (30 + n % 70 * 7, 300 + n // 70 * 6) for n in range(700))
                word = over.pages[0].Contents.read_bytes()
                page.Contents = pdf.make_stream(rules + word)

        assert "outlines" in reasons(read_bytes(edited(draw(BODY), ruled), "ruled.pdf").page(1))

    def test_bars_of_a_chart_and_fills_of_a_table_are_none(self) -> None:
        def bars(pdf: Pdf) -> None:
            page = pdf.pages[0]
            shapes = b"".join(b"%d 300 14 %d re f " % (80 + 20 * n, 10 + n) for n in range(12))
            cells = b"".join(b"%d 200 %d 16 re f " % (80 + 31 * n, 20 + n) for n in range(8))
            page.Contents = pdf.make_stream(page.Contents.read_bytes() + b" 0.8 g " + shapes + cells)

        assert reasons(read_bytes(edited(draw(BODY), bars), "chart.pdf").page(1)) == []


class TestEncodings:
    def page(self, row: bytes) -> Page:
        mapping = {code: chr(code) for code in range(32, 127)} | dict.fromkeys(range(200, 230), "�")
        rows = [(72.0, 100.0, b"Readable text of this page, which goes on and on")]
        return read_bytes(mapped_font_page([*rows, (72.0, 130.0, row)], mapping), "codes.pdf").page(1)

    def test_a_word_without_meaning_is_named_with_its_line(self) -> None:
        page = self.page(b"The name is \xd0\xd1\xd2\xd3\xd4")
        assert UnreadReason.ENCODING in {part.reason for part in page.unread}

    def test_a_bullet_is_no_word(self) -> None:
        assert reasons(self.page(b"\xd0 first of all the items of this list")) == []
