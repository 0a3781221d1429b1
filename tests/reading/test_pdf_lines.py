"""Printed lines: exact byte ranges, places on the displayed page, styles, cells, reading order."""

from __future__ import annotations

import io
import itertools
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest
from pikepdf import Array, Name, Pdf

from pageindex.document import Box, Edition, Line, Run
from pageindex.document.codec import decode_edition, encode_edition
from pageindex.document.edition import new_line, new_run
from pageindex.reading import read, read_bytes
from pageindex.reading.pdf.reader import characters, read_lines, render
from tests.support.pdf import Picture, Text, draw, edited, mapped_font_page, paragraph

EXAMPLE = Path(__file__).parents[2] / "examples" / "nist-sp800-115.pdf"


def lines_of(*items: Text | Picture, **options: tuple[float, float]) -> list[Line]:
    return list(read_bytes(draw(items, **options), "lines.pdf").lines)


def texts(lines: list[Line]) -> list[str]:
    return [line.text for line in lines]


@pytest.fixture(scope="module")
def example() -> Edition:
    return read(EXAMPLE)


def test_the_anchor_is_the_lines(example: Edition) -> None:
    for page in example.pages:
        lines = [line for line in example.lines if line.page == page.number]
        assert page.text.split() == [word for line in lines for word in line.text.split()]
        ends = [0, *(line.end for line in lines[:-1])]
        between = {page.data[end : line.start].decode() for end, line in zip(ends, lines, strict=True)}
        assert between <= {"", "\n", "  "}


def test_every_line_is_its_byte_range(example: Edition) -> None:
    data = {page.number: page.data for page in example.pages}
    for line in example.lines:
        assert data[line.page][line.start : line.end].decode() == line.text
        assert line.text == line.text.strip()


def test_lines_leave_nothing_out(example: Edition) -> None:
    for page in example.pages:
        covered = sum(len("".join(line.text.split())) for line in example.lines if line.page == page.number)
        assert covered == len("".join(page.text.split()))


def test_the_codec_keeps_lines(example: Edition) -> None:
    files = encode_edition(example)
    again = decode_edition(files["edition.json"], files["pages.json"], files["lines.json.gz"])
    assert [(line.page, line.start, line.end, line.text) for line in again.lines] == [
        (line.page, line.start, line.end, line.text) for line in example.lines
    ]
    assert again.id == example.id


def test_lines_alone_are_the_lines_of_a_whole_reading(example: Edition) -> None:
    assert read_lines(EXAMPLE.read_bytes(), EXAMPLE.name) == list(example.lines)


def test_style_and_place() -> None:
    heading, body = lines_of(
        Text(72, 100, "A heading", 18, "Helvetica-Bold", (1, 0, 0)), Text(72, 130, "Body text of the page", 10)
    )
    assert (heading.size, body.size) == (18.0, 10.0)
    assert (heading.color, body.color) == (0xFF0000, 0)
    assert heading.weight > body.weight
    assert heading.font != body.font
    assert heading.runs == () == body.runs
    assert 72 <= heading.box.x0 < 75
    assert 84 < heading.box.y0 < heading.box.y1 < 106
    assert 120 < body.box.y0 < body.box.y1 < 134


def test_a_line_of_two_styles_has_runs() -> None:
    bold = Text(72, 100, "Scope.", 11, "Helvetica-Bold")
    (line,) = lines_of(bold, Text(110, 100, "This text follows on the same line and is longer.", 11))
    assert line.text == "Scope. This text follows on the same line and is longer."
    assert [line.text[run.start :] for run in line.runs] == [
        line.text,
        "This text follows on the same line and is longer.",
    ]
    assert line.font == line.runs[1].font != line.runs[0].font


def test_styles_begin_and_end_at_the_right_character() -> None:
    (line,) = lines_of(
        Text(72, 100, "A note on"),
        Text(121.5, 100, "units", font="Helvetica-Bold"),
        Text(152, 100, "in"),
        Text(164, 100, "small", font="Helvetica-Oblique"),
        Text(194, 100, "letters follows here"),
    )
    assert line.text == "A note on units in small letters follows here"
    assert [line.text[run.start :].split()[0] for run in line.runs] == ["A", "units", "in", "small", "letters"]
    assert (line.size, line.font) == (line.runs[0].size, line.runs[0].font)


def test_many_objects_of_one_style_are_one_run() -> None:
    (line,) = lines_of(*(Text(72 + 40 * n, 100, f"word{n}") for n in range(8)))
    assert line.text.split() == [f"word{n}" for n in range(8)]
    assert line.runs == ()


def test_a_footnote_mark_does_not_cut_its_line(example: Edition) -> None:
    (line,) = [line for line in example.lines if line.page == 14 and "rulesets.5" in line.text]
    assert line.text.endswith("logs, or rulesets.5 However, if system configuration files or")
    assert line.box.x1 > 500


def test_lines_made_in_a_hurry_are_lines() -> None:
    run, box = Run(0, 9.0, 1, 700, 255), Box(1, 2, 3, 4)
    values = (3, 10, 14, "text", box, 11.0, 2, 400, 0, (run,), 90)
    made = new_line(*values)
    assert made == Line(*values)
    assert hash(made) == hash(Line(*values))
    assert new_run(0, 9.0, 1, 700, 255) == run
    with pytest.raises(FrozenInstanceError):
        made.page = 4  # type: ignore[misc]


def test_small_capitals_are_measured_by_most_of_the_word() -> None:
    (line,) = lines_of(Text(72, 100, "I", 14), Text(76.3, 100, "NTRODUCTION", 11))
    assert line.text == "INTRODUCTION"
    assert line.size == 11.0
    assert [(run.start, run.size) for run in line.runs] == [(0, 14.0), (1, 11.0)]


def test_a_nominal_size_of_one_is_read_with_its_matrix() -> None:
    """Layout programs set all text at size 1 and enlarge it by the matrix; a note's number is smaller only by that."""

    def unit_sizes(pdf: Pdf) -> None:
        rows = [
            ("12 0 0 12 72 700", "Of the note"),
            ("7 0 0 7 139 704", "14"),
            ("12 0 0 12 148 700", "and what follows it"),
        ]
        shown = " ".join(f"{matrix} Tm ({words}) Tj" for matrix, words in rows)
        pdf.pages[0].Contents = pdf.make_stream(f"BT /F1 1 Tf {shown} ET".encode())

    data = edited(draw([Text(72, 100, "replaced", 10)]), unit_sizes)
    (line,) = read_bytes(data, "unit.pdf").lines
    assert line.size == 12.0
    assert [(line.text[run.start :].split()[0], run.size) for run in line.runs] == [
        ("Of", 12.0),
        ("14", 7.0),
        ("and", 12.0),
    ]


def test_turned_rows_fall_into_cells_too() -> None:
    def turned(pdf: Pdf) -> None:
        rows = [(100, "Year"), (160, "2024"), (220, "2025")]
        shown = " ".join(f"0 12 -12 0 300 {y} Tm ({words}) Tj" for y, words in rows)
        pdf.pages[0].Contents = pdf.make_stream(f"BT /F1 1 Tf {shown} ET".encode())

    lines = list(read_bytes(edited(draw([Text(72, 100, "replaced")]), turned), "turned.pdf").lines)
    assert texts(lines) == ["Year", "2024", "2025"]
    assert {line.angle for line in lines} == {270}
    assert [round(line.box.y1) for line in lines] == [692, 632, 572]


def test_a_mark_is_not_on_the_row_of_what_is_drawn_next_far_below() -> None:
    """PDFium takes text of a large size, made small by the matrix, for one row with what is drawn next, further right."""

    def marked(pdf: Pdf) -> None:
        rows = [(".02 0 0 .02 18 250", r"\(f\)"), (".035 0 0 .035 215 186", "Example Inc.")]
        shown = " ".join(f"q {matrix} cm BT /F1 224 Tf ({words}) Tj ET Q" for matrix, words in rows)
        pdf.pages[0].Contents = pdf.make_stream(shown.encode())

    first, second = read_bytes(edited(draw([Text(72, 100, "replaced")]), marked), "mark.pdf").lines
    assert (first.text, second.text) == ("(f)", "Example Inc.")
    assert first.box.y1 < second.box.y0


def test_a_page_of_thousands_of_small_lines_keeps_each_style() -> None:
    """More lines, and more text objects in one of them, than the buffers for PDFium's answers hold."""
    rows = [
        Text(20 + 60 * (n % 9), 20 + 3.0 * (n // 9), f"cell {n}", 2.5, "Helvetica-Bold" if n % 7 == 0 else "Helvetica")
        for n in range(9 * 250)
    ]
    spelled = [Text(20 + 0.4 * n, 780, "x", 0.5 if n % 2 else 0.6) for n in range(1400)]
    edition = read_bytes(draw([*rows, *spelled]), "cells.pdf")
    (bold,) = [index for index, font in enumerate(edition.fonts) if font.bold]
    cells = {line.text: line for line in edition.lines if line.text.startswith("cell")}
    assert len(cells) == len(rows)
    assert {text for text, line in cells.items() if line.font == bold} == {f"cell {n}" for n in range(0, 9 * 250, 7)}
    assert all(
        line.size == 2.5 and line.box.x0 == pytest.approx(rows[n].x, abs=1) for n, line in enumerate(cells.values())
    )
    assert sum(line.text.count("x") for line in edition.lines) == 1400


def test_a_line_drawn_character_by_character_has_its_styles() -> None:
    words = [("plain", "Courier"), ("bold", "Courier-Bold"), ("again", "Courier")]
    items, x = [], 72.0
    for word, font in words * 3:
        for char in word:
            items.append(Text(x, 100, char, 10, font))
            x += 6.0
        x += 6.0
    (line,) = lines_of(*items)
    assert [line.text[run.start :].split()[0] for run in line.runs] == [
        "plain",
        "bold",
        "again",
        "bold",
        "again",
        "bold",
        "again",
    ]


def test_a_hyphen_at_a_line_end_still_ends_the_printed_line() -> None:
    edition = read_bytes(draw([Text(72, 100, "The new admin-"), Text(72, 113, "istration was formed")]), "hyphen.pdf")
    assert edition.page(1).text == "The new admin-\nistration was formed"
    first, second = edition.lines
    assert (first.text, second.text) == ("The new admin-", "istration was formed")
    assert second.box.y0 > first.box.y1 - 2


class TestCells:
    def test_a_wide_gap_parts_cells(self) -> None:
        lines = lines_of(Text(72, 100, "left column text"), Text(330, 100, "right column text"))
        assert texts(lines) == ["left column text", "right column text"]
        assert lines[1].box.x0 > 325

    def test_a_number_stays_with_its_title(self) -> None:
        assert texts(lines_of(Text(72, 100, "1"), Text(108, 100, "Introduction"))) == ["1 Introduction"]
        assert texts(lines_of(Text(72, 100, "A.2"), Text(120, 100, "Further tables"))) == ["A.2 Further tables"]

    def test_a_page_number_stays_with_its_contents_line(self) -> None:
        assert texts(lines_of(Text(72, 100, "Introduction"), Text(500, 100, "12"))) == ["Introduction 12"]

    def test_a_row_of_a_table(self) -> None:
        row = [Text(72, 100, "Revenue"), Text(220, 100, "1,204"), Text(300, 100, "1,310"), Text(380, 100, "998")]
        assert texts(lines_of(*row)) == ["Revenue", "1,204", "1,310", "998"]


class TestRotation:
    @pytest.mark.parametrize("degrees", [0, 90, 180, 270])
    def test_text_that_is_displayed_upright_is_upright(self, degrees: int) -> None:
        """A page drawn turned, and displayed turned back, has its lines where the reader sees them."""

        def change(pdf: Pdf) -> None:
            page = pdf.pages[0]
            matrix = {0: "1 0 0 1 0 0", 90: "0 1 -1 0 612 0", 180: "-1 0 0 -1 612 792", 270: "0 -1 1 0 0 792"}[degrees]
            if degrees in (90, 270):
                page.MediaBox = Array([0, 0, 612, 792])
            page.contents_add(pdf.make_stream(f"q {matrix} cm".encode()), prepend=True)
            page.contents_add(pdf.make_stream(b"Q"))
            page.Rotate = degrees

        size = (612.0, 792.0) if degrees in (0, 180) else (792.0, 612.0)
        first, second = read_bytes(
            edited(
                draw([Text(72, 100, "First line"), Text(72, 200, "Second line")], size=size),
                lambda pdf: _shrink(pdf, change),
            ),
            "turned.pdf",
        ).lines
        assert (first.text, second.text) == ("First line", "Second line")
        assert (first.angle, second.angle) == (0, 0)
        assert first.box.x0 == pytest.approx(72, abs=2)
        assert first.box.y1 == pytest.approx(100, abs=4)
        assert second.box.y1 == pytest.approx(200, abs=4)
        assert first.size == 11.0

    def test_a_crop_box_moves_the_origin(self) -> None:
        def change(pdf: Pdf) -> None:
            pdf.pages[0].CropBox = Array([50, 50, 562, 742])

        edition = read_bytes(edited(draw([Text(72, 100, "Inside"), Text(10, 20, "Outside")]), change), "crop.pdf")
        (line,) = edition.lines
        assert line.text == "Inside"
        assert edition.page(1).text == "Inside"
        assert line.box.x0 == pytest.approx(22, abs=2)
        assert line.box.y1 == pytest.approx(50, abs=4)
        assert (edition.page(1).width, edition.page(1).height) == (512.0, 692.0)


def _shrink(pdf: Pdf, change) -> None:  # type: ignore[no-untyped-def]
    change(pdf)


class TestReadingOrder:
    left = tuple(f"left {n} runs on through its column" for n in range(12))
    right = tuple(f"right {n} runs on through its column" for n in range(12))

    def rows(self, start: int, stop: int, y: float) -> list[Text]:
        """Both columns drawn row by row, as some producers do."""
        out = []
        for n in range(start, stop):
            out += [Text(60, y + 14 * (n - start), self.left[n]), Text(320, y + 14 * (n - start), self.right[n])]
        return out

    def test_columns_are_read_within_bands(self) -> None:
        title = Text(60, 220, "A title across both columns of the page, long enough to be one", 14)
        items = [*self.rows(0, 6, 100), title, *self.rows(6, 12, 250)]
        expected = [*self.left[:6], *self.right[:6], title.text, *self.left[6:], *self.right[6:]]
        assert texts(lines_of(*items)) == expected

    def test_the_order_of_drawing_does_not_matter(self) -> None:
        title = Text(60, 220, "A title across both columns of the page, long enough to be one", 14)
        items = [*self.rows(6, 12, 250), title, *self.rows(0, 6, 100)]
        expected = [*self.left[:6], *self.right[:6], title.text, *self.left[6:], *self.right[6:]]
        assert texts(lines_of(*items)) == expected

    def test_columns_drawn_in_turn_stay_as_they_are(self) -> None:
        items = [Text(60, 100 + 14 * n, t) for n, t in enumerate(self.left)]
        items += [Text(320, 100 + 14 * n, t) for n, t in enumerate(self.right)]
        assert texts(lines_of(*items)) == [*self.left, *self.right]

    def test_a_single_column_drawn_from_the_foot(self) -> None:
        items = paragraph(72, 100, 20)
        assert texts(lines_of(*reversed(items))) == [item.text for item in items]


def test_hebrew_drawn_in_visual_order_is_logical() -> None:
    titles = ["מבוא לספר", "שלום עולם"]
    letters = sorted(set("".join(titles)) - {" "})
    codes = {char: 65 + n for n, char in enumerate(letters)} | {" ": 32}
    drawn = [(100.0, 100.0 + 40 * n, bytes(codes[c] for c in reversed(title))) for n, title in enumerate(titles)]
    edition = read_bytes(mapped_font_page(drawn, {v: k for k, v in codes.items()}), "hebrew.pdf")
    assert texts(list(edition.lines)) == titles
    assert edition.page(1).has_flag("rtl")
    assert not edition.page(1).has_flag("visual_order")


def test_text_reversed_twice_is_flagged() -> None:
    words = ["שלום", "לכם", "עולם", "ובנים", "וטרף"]
    letters = sorted(set("".join(words)))
    codes = {char: 65 + n for n, char in enumerate(letters)}
    drawn = [(100.0, 100.0 + 40 * n, bytes(codes[c] for c in word)) for n, word in enumerate(words)]
    page = read_bytes(mapped_font_page(drawn, {v: k for k, v in codes.items()}), "reversed.pdf").page(1)
    assert page.has_flag("visual_order")


class TestCharacters:
    def file(self, tmp_path: Path, *items: Text) -> Path:
        path = tmp_path / "characters.pdf"
        path.write_bytes(draw(items))
        return path

    def test_each_has_its_byte_and_box(self, tmp_path: Path) -> None:
        path = self.file(tmp_path, Text(72, 100, "Größe 10"), Text(115, 95, "2", 7), Text(72, 130, "next"))
        data = read(path).page(1).data
        found = characters(path, 1)
        assert [data[c.start : c.end].decode() for c in found] == [c.text for c in found]
        assert "".join(c.text for c in found) == "Größe102next"
        raised = next(c for c in found if c.size == 7.0)
        assert raised.raised == pytest.approx(5 / 7, abs=0.05)
        assert found[0].baseline == pytest.approx(100, abs=0.1)
        assert found[-1].baseline == pytest.approx(130, abs=0.1)
        assert all(a.box.x1 <= b.box.x0 + 0.5 for a, b in itertools.pairwise(found[:5]))

    def test_a_page_becomes_a_png(self, tmp_path: Path) -> None:
        from PIL import Image

        image = Image.open(io.BytesIO(render(self.file(tmp_path, Text(72, 100, "MMMM", 40)), 1, 1.0)))
        assert image.size == (612, 792)
        assert image.getpixel((300, 400)) == (255, 255, 255)
        assert min(image.crop((72, 70, 200, 100)).convert("L").tobytes()) < 50
        assert Name.Page  # pikepdf and Pillow load side by side


def test_characters_beyond_the_first_plane_shift_nothing(tmp_path: Path) -> None:
    """Letters of formulas (𝑟, 𝜙) are two UTF-16 units, which PDFium counts; ranges, boxes and characters must not follow it."""
    mapping = {code: chr(code) for code in range(32, 127)} | {ord("@"): "𝑟", ord("#"): "𝜙"}
    drawn = [
        (72.0, 100.0 + 30 * n, row) for n, row in enumerate([b"@ = 1 and #@#@#@#@#@#@", b"second # line", b"4 Tables"])
    ]
    path = tmp_path / "formula.pdf"
    path.write_bytes(mapped_font_page(drawn, mapping))
    edition = read(path)
    assert texts(list(edition.lines)) == ["𝑟 = 1 and " + "𝜙𝑟" * 6, "second 𝜙 line", "4 Tables"]
    data = edition.page(1).data
    assert [data[line.start : line.end].decode() for line in edition.lines] == texts(list(edition.lines))
    assert [round(line.box.x0) for line in edition.lines] == pytest.approx([72, 72, 72], abs=2)
    assert [line.box.y1 for line in edition.lines] == pytest.approx([100, 130, 160], abs=3)
    found = characters(path, 1)
    assert "".join(c.text for c in found) == "".join(edition.page(1).text.split())
    assert [data[c.start : c.end].decode() for c in found] == [c.text for c in found]
