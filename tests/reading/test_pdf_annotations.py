"""What form fields and annotations draw is text of its own kind, at its place."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from pikepdf import Array, Dictionary, Name, Pdf, String
from reportlab.pdfgen import canvas as reportlab_canvas

from pageindex.document import Page, PageState, TextKind
from pageindex.reading import read_bytes
from pageindex.reading.pdf.reader import characters, read
from tests.support.pdf import Text, draw, edited, paragraph

FORM, ANNOTATION = TextKind.FORM, TextKind.ANNOTATION


def form(fill: Callable[[reportlab_canvas.Canvas], None]) -> bytes:
    buffer = io.BytesIO()
    page = reportlab_canvas.Canvas(buffer, pagesize=(612, 792), invariant=1)
    fill(page)
    page.showPage()
    page.save()
    return buffer.getvalue()


def page_of(data: bytes) -> Page:
    return read_bytes(data, "form.pdf").page(1)


def kinds(page: Page) -> list[tuple[TextKind, str]]:
    return [(kind, page.words(start, end)) for kind, start, end in page.kinds]


def with_note(data: bytes, text: str, *, drawn: bool, flags: int = 4, subtype: str = "FreeText") -> bytes:
    def add(pdf: Pdf) -> None:
        font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
        note = Dictionary(
            Type=Name.Annot,
            Subtype=Name(f"/{subtype}"),
            Rect=Array([100, 300, 300, 330]),
            Contents=String(text),
            DA=String("/Helv 12 Tf 0 g"),
            F=flags,
        )
        if drawn:
            form = pdf.make_stream(f"BT /Helv 12 Tf 6 8 Td ({text}) Tj ET".encode())
            form.Type, form.Subtype, form.BBox = Name.XObject, Name.Form, Array([0, 0, 200, 30])
            form.Resources = Dictionary(Font=Dictionary(Helv=font))
            note.AP = Dictionary(N=form)
        pdf.pages[0].Annots = Array([pdf.make_indirect(note)])

    return edited(data, add)


def fill(page: reportlab_canvas.Canvas) -> None:
    fields = page.acroForm
    for y, label in ((700, "Name of the vessel:"), (660, "Port:"), (620, "Insured:"), (580, "Leased:")):
        page.drawString(72, y, label)
    fields.textfield(name="vessel", value="Seagull Unicorn", x=190, y=695, width=200, height=20)
    fields.choice(name="port", value="Rotterdam", options=["Oslo", "Rotterdam"], x=190, y=655, width=100, height=20)
    fields.checkbox(name="insured", checked=True, x=190, y=615, size=18)
    fields.checkbox(name="leased", checked=False, x=190, y=575, size=18)


def without_appearances(pdf: Pdf) -> None:
    for field in pdf.pages[0].Annots:
        del field["/AP"]


def test_values_stand_behind_their_labels() -> None:
    page = page_of(form(fill))
    assert page.text == "Name of the vessel: Seagull Unicorn\nPort:  Rotterdam\nInsured:  ☒\nLeased:  ☐"
    assert kinds(page) == [(FORM, "Seagull Unicorn"), (FORM, "Rotterdam"), (FORM, "☒"), (FORM, "☐")]
    assert page.has_flag("form")
    assert not page.has_flag("annotation")


def test_values_without_an_appearance_are_read_too() -> None:
    whole = form(fill)
    page = page_of(edited(whole, without_appearances))
    assert page.text.split() == page_of(whole).text.split()
    assert [words for _, words in kinds(page)] == ["Seagull Unicorn", "Rotterdam", "☒", "☐"]


def test_a_value_inherited_from_the_field_is_read() -> None:
    def part(pdf: Pdf) -> None:
        field = pdf.pages[0].Annots[0]
        parent = pdf.make_indirect(
            Dictionary(FT=Name.Tx, T=String("parent"), V=field.V, Kids=Array([field]), DA=field.get("/DA", String("")))
        )
        for key in ("/FT", "/T", "/V", "/AP"):
            del field[key]
        field.Parent = parent
        pdf.Root.AcroForm.Fields[0] = parent

    assert (FORM, "Seagull Unicorn") in kinds(page_of(edited(form(fill), part)))


def test_a_page_of_nothing_but_a_field_is_not_blank() -> None:
    page = page_of(
        form(lambda page: page.acroForm.textfield(name="a", value="Walrus", x=100, y=700, width=200, height=20))
    )
    assert (page.text, page.state) == ("Walrus", PageState.TEXT)


@pytest.mark.parametrize("drawn", [True, False])
def test_a_free_text_note_stands_at_its_place(drawn: bool) -> None:
    above, below = paragraph(72, 100, 4, seed=1), paragraph(72, 550, 4, seed=2)
    page = page_of(with_note(draw([*above, *below]), "Freetext zebrafish note", drawn=drawn))
    assert page.text.split("\n") == [
        *[item.text for item in above],
        "Freetext zebrafish note",
        *[item.text for item in below],
    ]
    assert kinds(page) == [(ANNOTATION, "Freetext zebrafish note")]


@pytest.mark.parametrize(
    "note",
    [
        {"drawn": True, "flags": 2},  # hidden
        {"drawn": True, "flags": 32},  # not for the screen
        {"drawn": False, "subtype": "Text"},  # closed: an icon
        {"drawn": False, "subtype": "Highlight"},
    ],
)
def test_what_is_not_drawn_is_not_there(note: dict[str, object]) -> None:
    page = page_of(with_note(draw([Text(72, 100, "Own text")]), "secret", **note))  # type: ignore[arg-type]
    assert (page.text, page.kinds) == ("Own text", ())


def test_links_and_characters_of_a_page_with_notes_are_read(tmp_path: Path) -> None:
    def link(pdf: Pdf) -> None:
        annotation = Dictionary(
            Type=Name.Annot,
            Subtype=Name.Link,
            Rect=Array([60, 680, 200, 700]),
            Dest=Array([pdf.pages[1].obj, Name.Fit]),
        )
        pdf.pages[0].Annots.append(pdf.make_indirect(annotation))

    pages = [Text(72, 100, "Part one"), Text(400, 100, "2")], [Text(72, 100, "Part one")]
    data = edited(with_note(draw(*pages), "A note", drawn=True), link)
    path = tmp_path / "note.pdf"
    path.write_bytes(data)
    edition = read_bytes(data, path.name)
    assert [(link.page, link.target) for link in edition.links] == [(1, 2)]
    page = edition.page(1)
    found = characters(path, 1)
    assert "".join(page.words(c.start, c.end) for c in found) == "".join(page.text.split())
    assert "".join(c.text for c in found) == "".join(page.text.split())


def test_reading_twice_gives_the_same(tmp_path: Path) -> None:
    data = form(fill)
    assert read_bytes(data, "a.pdf").id == read_bytes(data, "a.pdf").id
    assert read is not None


def test_a_note_on_a_turned_page_is_turned_with_it() -> None:
    def turn(pdf: Pdf) -> None:
        pdf.pages[0].rotate(90, relative=False)

    data = edited(with_note(draw([Text(72, 100, "Own text")]), "A note", drawn=True), turn)
    assert page_of(data).text == "Own text\nA note"
