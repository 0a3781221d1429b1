"""Pages on which a word is plainly visible, drawn in many ways: nobody may be told that it is not there.

Drawn with reportlab, pikepdf, Pillow and Ghostscript; nothing here comes from the package that is measured. Each kind gets the word, and
draws pages of ordinary text around it.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import pikepdf
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfgen.canvas import Canvas

Kind = Callable[[Canvas, str], None]
KINDS: dict[str, Kind] = {}
EDITED: dict[str, Callable[[bytes, str], bytes]] = {}

_BODY = [
    "The committee examined every figure of the survey before it wrote its account,",
    "and asked the members for their views on costs, on staffing and on the plan that",
    "had been put before them in the spring. Nothing in the report was left unsaid;",
    "what could be counted was counted, and what could not be was put into words by",
    "those who had been there. The rest of the year went by without much of note.",
]
_TOP = 720


def _kind(name: str) -> Callable[[Kind], Kind]:
    def kept(function: Kind) -> Kind:
        KINDS[name] = function
        return function

    return kept


def _body(c: Canvas, y: float = _TOP, x: float = 72, lines: int = 5) -> float:
    c.setFont("Helvetica", 10)
    for line in _BODY[:lines]:
        c.drawString(x, y, line)
        y -= 14
    return y


def _line(before: str, behind: str = "") -> Kind:
    """The word within a line of text."""

    def draw(c: Canvas, word: str) -> None:
        y = _body(c)
        c.drawString(72, y, f"{before}{word}{behind}")

    return draw


KINDS["within a line"] = _line("Then a ", " was seen by everybody there.")
KINDS["in capitals"] = lambda c, word: _line("Then a ", " was seen")(c, word.upper())
KINDS["plural"] = _line("Then many ", "s were seen by everybody there.")
KINDS["possessive"] = _line("Then the ", "'s owner was seen.")
KINDS["in parentheses"] = _line("Then somebody (", ") was seen.")
KINDS["with a note mark"] = _line("Then somebody saw the ", "12 of old.")
KINDS["behind a hyphen"] = _line("Then the non-", " party was seen.")
KINDS["in a compound"] = _line("Then the ", "-like one was seen.")
KINDS["letter-spaced by blanks"] = lambda c, word: _line("Then a ", " was seen")(c, " ".join(word))


def _divided(hyphen: str) -> Kind:
    def draw(c: Canvas, word: str) -> None:
        y = _body(c)
        c.drawString(72, y, f"The whole of the line goes on until its end is reached, where the {word[:4]}{hyphen}")
        c.drawString(72, y - 14, f"{word[4:]} goes on.")

    return draw


KINDS["divided at a line end"] = _divided("-")
KINDS["divided by a soft hyphen"] = _divided("\u00ad")


def _over_break(head: str, foot: str, notes: bool = False) -> Kind:
    def draw(c: Canvas, word: str) -> None:
        if head:
            c.setFont("Helvetica", 9)
            c.drawString(72, 760, head)
        y = _body(c)
        c.drawString(72, y, f"The whole of the line goes on until its end is reached, where the {word[:4]}-")
        c.setFont("Helvetica", 7)
        if notes:
            c.drawString(72, 80, "1 A note at the foot of the page, which says little.")
        if foot:
            c.drawString(300, 40, foot.replace("#", "1"))
        c.showPage()
        if head:
            c.setFont("Helvetica", 9)
            c.drawString(72, 760, head)
        c.setFont("Helvetica", 10)
        c.drawString(72, _TOP, f"{word[4:]} goes on, as if nothing had come between.")
        _body(c, _TOP - 14)
        if foot:
            c.drawString(300, 40, foot.replace("#", "2"))

    return draw


KINDS["divided over a page break"] = _over_break("", "")
KINDS["divided over a page break with folios"] = _over_break("", "#")
KINDS["divided over a page break with head and foot"] = _over_break("The Annual Report", "Page # of 2")
KINDS["divided over a page break above a note"] = _over_break("The Annual Report", "#", notes=True)


@_kind("divided over columns")
def _columns(c: Canvas, word: str) -> None:
    c.setFont("Helvetica", 9)
    for x, first in ((72, "Left"), (320, "Right")):
        for row in range(30):
            text = f"{first} column, row {row}, with a few words in it"
            if first == "Left" and row == 29:
                text = f"The left column ends here with {word[:4]}-"
            if first == "Right" and row == 0:
                text = f"{word[4:]} at its head, and goes on"
            c.drawString(x, _TOP - 13 * row, text)


@_kind("divided in a narrow cell")
def _cell(c: Canvas, word: str) -> None:
    y = _body(c) - 20
    for row, (one, two, three) in enumerate(
        (("Name", "Kind", "Count"), ("Owl", f"{word[:4]}-", "12"), ("", word[4:], ""), ("Bat", "other", "7"))
    ):
        for x, text in ((72, one), (200, two), (330, three)):
            c.drawString(x, y - 14 * row, text)


@_kind("letters drawn one by one")
def _one_by_one(c: Canvas, word: str) -> None:
    y, x = _body(c), 72.0
    for letter in f"Then a {word} was seen.":
        c.drawString(x, y, letter)
        x += pdfmetrics.stringWidth(letter, "Helvetica", 10)


@_kind("letters drawn backwards")
def _backwards(c: Canvas, word: str) -> None:
    y = _body(c)
    places, x = [], 72.0
    for letter in word:
        places.append((x, letter))
        x += pdfmetrics.stringWidth(letter, "Helvetica", 10)
    for x, letter in reversed(places):
        c.drawString(x, y, letter)


@_kind("letter-spaced by the operator")
def _spaced(c: Canvas, word: str) -> None:
    y = _body(c)
    text = c.beginText(72, y)
    text.setCharSpace(6)
    text.textOut(word)
    c.drawText(text)


@_kind("two runs of two fonts")
def _two_fonts(c: Canvas, word: str) -> None:
    y = _body(c)
    c.drawString(72, y, word[:4])
    x = 72 + pdfmetrics.stringWidth(word[:4], "Helvetica", 10)
    c.setFont("Times-Bold", 10)
    c.drawString(x, y, word[4:])


@_kind("small capitals")
def _small_capitals(c: Canvas, word: str) -> None:
    y = _body(c)
    c.setFont("Helvetica", 12)
    c.drawString(72, y, word[0].upper())
    x = 72 + pdfmetrics.stringWidth(word[0].upper(), "Helvetica", 12)
    c.setFont("Helvetica", 9)
    c.drawString(x, y, word[1:].upper())


@_kind("drop capital")
def _drop_capital(c: Canvas, word: str) -> None:
    y = _body(c) - 10
    c.setFont("Helvetica-Bold", 30)
    c.drawString(72, y - 20, word[0].upper())
    c.setFont("Helvetica", 10)
    x = 72 + pdfmetrics.stringWidth(word[0].upper(), "Helvetica-Bold", 30) + 1
    c.drawString(x, y - 6, f"{word[1:]} was there first, and then came all the others,")
    c.drawString(x, y - 19, "who had been told of it by those who knew it well.")


def _turned(angle: float) -> Kind:
    def draw(c: Canvas, word: str) -> None:
        _body(c)
        c.saveState()
        c.translate(300, 400)
        c.rotate(angle)
        c.drawString(0, 0, f"Then a {word} was seen.")
        c.restoreState()

    return draw


for _angle in (90, 180, 270, 45):
    KINDS[f"turned by {_angle} degrees"] = _turned(_angle)


@_kind("one letter below the other")
def _stacked(c: Canvas, word: str) -> None:
    _body(c)
    for row, letter in enumerate(word):
        c.drawString(300, 500 - 12 * row, letter)


@_kind("white on black")
def _white(c: Canvas, word: str) -> None:
    y = _body(c)
    c.rect(70, y - 4, 300, 16, fill=1)
    c.setFillGray(1)
    c.drawString(72, y, f"Then a {word} was seen.")


@_kind("outlined letters")
def _stroked(c: Canvas, word: str) -> None:
    y = _body(c)
    text = c.beginText(72, y - 20)
    text.setFont("Helvetica-Bold", 24)
    text.setTextRenderMode(1)
    text.textOut(word)
    c.drawText(text)


@_kind("in a table")
def _table(c: Canvas, word: str) -> None:
    y = _body(c) - 20
    for row, cells in enumerate((("Animal", "2021", "2022"), ("Owl", "12", "14"), (word, "3", "5"))):
        for x, text in zip((72, 250, 330), cells, strict=True):
            c.drawString(x, y - 14 * row, text)


@_kind("at the foot of the page")
def _foot(c: Canvas, word: str) -> None:
    _body(c)
    c.setFont("Helvetica", 7)
    c.drawString(72, 30, f"1 See the {word}.")


@_kind("in the margin")
def _margin(c: Canvas, word: str) -> None:
    _body(c, x=160)
    c.setFont("Helvetica", 8)
    c.drawString(20, 660, word)


@_kind("in a form XObject")
def _in_form(c: Canvas, word: str) -> None:
    y = _body(c)
    c.beginForm("inner")
    c.setFont("Helvetica", 10)
    c.drawString(72, y, f"Then a {word} was seen.")
    c.endForm()
    c.doForm("inner")


# ---------------------------------------------------------------- pictures


def _picture(word: str, width: int = 600, height: int = 120) -> ImageReader:
    image = Image.new("L", (width, height), 255)
    ImageDraw.Draw(image).text((20, 30), word, fill=0, font=ImageFont.load_default(64))
    return ImageReader(image)


def _pictured(x: float, y: float, width: float, height: float, *, text: bool = True) -> Kind:
    def draw(c: Canvas, word: str) -> None:
        if text:
            _body(c)
        c.drawImage(_picture(word), x, y, width, height)

    return draw


KINDS["a picture below the text"] = _pictured(72, 300, 450, 90)
KINDS["a small picture below the text"] = _pictured(72, 400, 150, 30)
KINDS["a picture between lines"] = _pictured(72, 610, 100, 20)
KINDS["a picture over most of the page"] = _pictured(36, 36, 540, 600)
KINDS["a picture alone"] = _pictured(72, 400, 450, 90, text=False)
KINDS["a page that is a picture"] = _pictured(0, 0, 612, 792, text=False)


@_kind("a picture in two strips")
def _strips(c: Canvas, word: str) -> None:
    _body(c)
    whole = Image.new("L", (600, 120), 255)
    ImageDraw.Draw(whole).text((20, 30), word, fill=0, font=ImageFont.load_default(64))
    for top, y in ((0, 345), (60, 300)):
        c.drawImage(ImageReader(whole.crop((0, top, 600, top + 60))), 72, y, 450, 45)


@_kind("an inline picture")
def _inline(c: Canvas, word: str) -> None:
    _body(c)
    image = Image.new("L", (200, 40), 255)
    ImageDraw.Draw(image).text((6, 6), word, fill=0, font=ImageFont.load_default(26))
    c.drawInlineImage(image, 72, 400, 300, 60)


@_kind("a stencil mask")
def _stencil(c: Canvas, word: str) -> None:
    _body(c)
    image = Image.new("1", (600, 120), 1)
    ImageDraw.Draw(image).text((20, 30), word, fill=0, font=ImageFont.load_default(64))
    c.drawImage(ImageReader(image), 72, 300, 450, 90, mask="auto")


@_kind("letters filled point by point")
def _points(c: Canvas, word: str) -> None:
    """Each run of dark points of each row as a rectangle: what tracing programs make of letters."""
    _body(c)
    image = Image.new("L", (400, 50), 255)
    ImageDraw.Draw(image).text((4, 4), word, fill=0, font=ImageFont.load_default(36))
    path = c.beginPath()
    for row in range(image.height):
        start = None
        for column in range(image.width + 1):
            dark = column < image.width and image.getpixel((column, row)) < 128
            if dark and start is None:
                start = column
            elif not dark and start is not None:
                path.rect(72 + start, 400 - row, column - start, 1)
                start = None
    c.drawPath(path, stroke=0, fill=1)


# ---------------------------------------------------------------- fields and annotations


@_kind("the value of a form field")
def _field(c: Canvas, word: str) -> None:
    y = _body(c) - 30
    c.acroForm.textfield(name="answer", value=f"the {word}", x=72, y=y, width=200, height=20)


@_kind("the choice of a list")
def _choice(c: Canvas, word: str) -> None:
    y = _body(c) - 30
    c.acroForm.choice(name="animal", value=word, options=[word, "other"], x=72, y=y, width=200, height=20)


@_kind("a field on an empty page")
def _lonely_field(c: Canvas, word: str) -> None:
    c.line(72, 590, 300, 590)
    c.acroForm.textfield(name="answer", value=word, x=72, y=600, width=200, height=20)


@_kind("free text")
def _free_text(c: Canvas, word: str) -> None:
    y = _body(c) - 60
    c.freeTextAnnotation(f"Think of the {word}", "/Helv 12 Tf 0 g", Rect=(72, y, 300, y + 40))


# ---------------------------------------------------------------- edited files


def drawn(kind: str, word: str) -> bytes:
    """The PDF of a kind of page."""
    made = io.BytesIO()
    canvas = Canvas(made, pagesize=(612, 792), pageCompression=0)
    if kind in EDITED:
        KINDS["within a line"](canvas, word)
        canvas.save()
        return EDITED[kind](made.getvalue(), word)
    KINDS[kind](canvas, word)
    canvas.save()
    return made.getvalue()


def all_kinds() -> list[str]:
    return [*KINDS, *(kind for kind in EDITED if kind != "outlines" or shutil.which("gs"))]


def _outlines(pdf: bytes, word: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "in.pdf", Path(folder) / "out.pdf"
        source.write_bytes(pdf)
        command = [
            "gs",
            "-q",
            "-dNOPAUSE",
            "-dBATCH",
            "-dNoOutputFonts",
            "-sDEVICE=pdfwrite",
            f"-sOutputFile={target}",
            str(source),
        ]
        subprocess.run(command, check=True, capture_output=True, timeout=60)
        return target.read_bytes()


def _outlines_among_text(pdf: bytes, word: str) -> bytes:
    """The outlines of one line under a page of ordinary text."""
    line = io.BytesIO()
    canvas = Canvas(line, pagesize=(612, 792))
    canvas.setFont("Helvetica", 14)
    canvas.drawString(72, 500, f"Then a {word} was seen.")
    canvas.save()
    body = io.BytesIO()
    canvas = Canvas(body, pagesize=(612, 792))
    _body(canvas)
    canvas.save()
    with (
        pikepdf.open(io.BytesIO(body.getvalue())) as page,
        pikepdf.open(io.BytesIO(_outlines(line.getvalue(), word))) as over,
    ):
        page.pages[0].add_overlay(over.pages[0])
        return _saved(page)


def _saved(pdf: pikepdf.Pdf) -> bytes:
    out = io.BytesIO()
    pdf.save(out)
    return out.getvalue()


def _shifted(pdf: bytes, word: str, *, mapped: bool) -> bytes:
    """A font whose codes mean other letters: drawn right, and read as something else, or as nothing."""
    with pikepdf.open(io.BytesIO(pdf)) as file:
        page = file.pages[0]
        font = next(iter(page.Resources.Font.values()))
        names = [pikepdf.Name(f"/{chr(c)}") for c in range(ord("a"), ord("z") + 1)]
        font.Encoding = pikepdf.Dictionary(
            Type=pikepdf.Name.Encoding, Differences=pikepdf.Array([1, *names, pikepdf.Name("/space")])
        )
        data = page.Contents.read_bytes()
        shown = f"(Then a {word} was seen by everybody there.) Tj".encode()
        coded = "".join(
            f"\\{ord(c) - ord('a') + 1:03o}" if c != " " else "\\033"
            for c in f"then a {word} was seen by everybody there"
        )
        page.Contents = file.make_stream(data.replace(shown, f"({coded}) Tj".encode()))
        if mapped:
            lines = [f"<{i + 1:02x}> <{0xE000 + i:04x}>" for i in range(26)] + ["<1b> <0020>"]
            cmap = "/CIDInit /ProcSet findresource begin begincmap\n1 begincodespacerange <00> <ff> endcodespacerange\n"
            cmap += f"{len(lines)} beginbfchar\n" + "\n".join(lines) + "\nendbfchar endcmap end"
            font.ToUnicode = file.make_stream(cmap.encode())
        return _saved(file)


EDITED["outlines"] = _outlines
EDITED["outlines among text"] = _outlines_among_text
EDITED["codes mapped to private use"] = lambda pdf, word: _shifted(pdf, word, mapped=True)


def _stamped(pdf: bytes, word: str) -> bytes:
    """A stamp whose appearance draws the word."""
    with pikepdf.open(io.BytesIO(pdf)) as file:
        page = file.pages[0]
        data = page.Contents.read_bytes().replace(word.encode(), b"thing")
        page.Contents = file.make_stream(data)
        look = file.make_stream(f"BT /F1 12 Tf 5 5 Td ({word}) Tj ET".encode())
        look.Type, look.Subtype, look.BBox = pikepdf.Name.XObject, pikepdf.Name.Form, pikepdf.Array([0, 0, 200, 30])
        look.Resources = pikepdf.Dictionary(Font=page.Resources.Font)
        stamp = pikepdf.Dictionary(
            Type=pikepdf.Name.Annot,
            Subtype=pikepdf.Name.Stamp,
            Rect=pikepdf.Array([72, 300, 272, 330]),
            F=4,
            AP=pikepdf.Dictionary(N=look),
        )
        page.Annots = pikepdf.Array([file.make_indirect(stamp)])
        return _saved(file)


EDITED["a stamp"] = _stamped


def _turned_page(pdf: bytes, word: str) -> bytes:
    with pikepdf.open(io.BytesIO(pdf)) as file:
        file.pages[0].Rotate = 90
        return _saved(file)


EDITED["a turned page"] = _turned_page


def _cropped(pdf: bytes, word: str) -> bytes:
    with pikepdf.open(io.BytesIO(pdf)) as file:
        file.pages[0].CropBox = pikepdf.Array([-50, 400, 600, 900])
        return _saved(file)


EDITED["a crop box partly outside"] = _cropped


def _layered(pdf: bytes, word: str) -> bytes:
    """The text of a scan, invisible over its picture, in which the word was misread."""
    made = io.BytesIO()
    canvas = Canvas(made, pagesize=(612, 792))
    canvas.drawImage(_picture(word, 612, 792), 0, 0, 612, 792)
    text = canvas.beginText(72, _TOP)
    text.setFont("Helvetica", 10)
    text.setTextRenderMode(3)
    for line in [*_BODY, f"Then a {word[:2]}rn{word[3:]} was seen."]:
        text.textLine(line)
    canvas.drawText(text)
    canvas.save()
    return made.getvalue()


EDITED["misread under a scan"] = _layered
