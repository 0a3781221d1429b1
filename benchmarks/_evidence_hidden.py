"""More pages on which a word is plainly visible: drawn by a pen, point by point, in pieces, behind much else, in small pictures, by look-alikes.

Registered with those of ``_evidence_pages``. Nothing here comes from the package that is measured.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pikepdf
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from benchmarks._evidence_pages import EDITED, KINDS, _body, _kind, _picture, _saved

_DEJAVU = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")

# ---------------------------------------------------------------- point by point


def _dark(word: str, size: int, width: int, height: int) -> Image.Image:
    image = Image.new("L", (width, height), 255)
    ImageDraw.Draw(image).text((3, 2), word, fill=0, font=ImageFont.load_default(size))
    return image


def _runs(word: str) -> Iterator[tuple[int, int, int]]:
    """Each run of dark points as ``(row, first, behind the last)``."""
    image = _dark(word, 36, 400, 50)
    for row in range(image.height):
        start = None
        for column in range(image.width + 1):
            dark = column < image.width and image.getpixel((column, row)) < 128
            if dark and start is None:
                start = column
            elif not dark and start is not None:
                yield row, start, column
                start = None


@_kind("each run of points a shape")
def _each_run(c: Canvas, word: str) -> None:
    _body(c)
    for row, low, high in _runs(word):
        c.rect(72 + low, 400 - row, high - low, 1, stroke=0, fill=1)


def _small(c: Canvas) -> None:
    c.saveState()
    c.translate(72, 400)
    c.scale(0.35, 0.35)


@_kind("each run of points a shape, small")
def _each_run_small(c: Canvas, word: str) -> None:
    _body(c)
    _small(c)
    for row, low, high in _runs(word):
        c.rect(low, -row, high - low, 1, stroke=0, fill=1)
    c.restoreState()


@_kind("letters filled point by point, small")
def _one_path_small(c: Canvas, word: str) -> None:
    _body(c)
    _small(c)
    path = c.beginPath()
    for row, low, high in _runs(word):
        path.rect(low, -row, high - low, 1)
    c.drawPath(path, stroke=0, fill=1)
    c.restoreState()


@_kind("each row of points a shape")
def _each_row(c: Canvas, word: str) -> None:
    _body(c)
    rows: dict[int, list[tuple[int, int]]] = {}
    for row, low, high in _runs(word):
        rows.setdefault(row, []).append((low, high))
    for row, runs in rows.items():
        path = c.beginPath()
        for low, high in runs:
            path.rect(72 + low, 400 - row, high - low, 1)
        c.drawPath(path, stroke=0, fill=1)


def _of_points(draw: Callable[[Canvas, int, int], None]) -> Callable[[Canvas, str], None]:
    def kind(c: Canvas, word: str) -> None:
        _body(c)
        image = _dark(word, 14, 160, 22)
        for row in range(image.height):
            for column in range(image.width):
                if image.getpixel((column, row)) < 128:
                    draw(c, column, row)

    return kind


KINDS["letters of squares"] = _of_points(lambda c, x, y: c.rect(72 + 2 * x, 400 - 2 * y, 2, 2, stroke=0, fill=1))
KINDS["letters of round dots"] = _of_points(lambda c, x, y: c.circle(72 + 2 * x, 400 - 2 * y, 0.9, stroke=0, fill=1))


@_kind("each run of points a stroke")
def _each_stroke(c: Canvas, word: str) -> None:
    _body(c)
    c.setLineWidth(1)
    for row, low, high in _runs(word):
        c.line(72 + low, 400 - row, 72 + high, 400 - row)


@_kind("all runs of points one stroke")
def _one_stroke(c: Canvas, word: str) -> None:
    _body(c)
    c.setLineWidth(1)
    path = c.beginPath()
    for row, low, high in _runs(word):
        path.moveTo(72 + low, 400 - row)
        path.lineTo(72 + high, 400 - row)
    c.drawPath(path, stroke=1, fill=0)


@_kind("shapes behind 700 fills")
def _behind_fills(c: Canvas, word: str) -> None:
    for number in range(700):
        c.rect(30 + (number % 70) * 7, 780 - (number // 70) * 6, 5, 4, stroke=0, fill=1)
    _each_run(c, word)


# ---------------------------------------------------------------- by a pen

_PEN: dict[str, list[list[tuple[float, float]]]] = {
    "a": [[(4, 5), (4, 0)], [(4, 4), (3, 5), (1, 5), (0, 4), (0, 1), (1, 0), (3, 0), (4, 1)]],
    "b": [[(0, 8), (0, 0)], [(0, 4), (1, 5), (3, 5), (4, 4), (4, 1), (3, 0), (1, 0), (0, 1)]],
    "d": [[(4, 8), (4, 0)], [(4, 4), (3, 5), (1, 5), (0, 4), (0, 1), (1, 0), (3, 0), (4, 1)]],
    "e": [[(0, 3), (4, 3), (4, 4), (3, 5), (1, 5), (0, 4), (0, 1), (1, 0), (4, 0)]],
    "f": [[(3, 8), (2, 8), (1, 7), (1, 0)], [(0, 5), (3, 5)]],
    "g": [[(4, 5), (4, -2), (3, -3), (1, -3)], [(4, 4), (3, 5), (1, 5), (0, 4), (0, 1), (1, 0), (3, 0), (4, 1)]],
    "h": [[(0, 8), (0, 0)], [(0, 3), (1, 4), (2, 5), (3, 5), (4, 4), (4, 0)]],
    "i": [[(1, 5), (1, 0)], [(1, 7), (1, 6.5)]],
    "l": [[(1, 8), (1, 0)]],
    "m": [[(0, 5), (0, 0)], [(0, 4), (1, 5), (2, 5), (3, 4), (3, 0)], [(3, 4), (4, 5), (5, 5), (6, 4), (6, 0)]],
    "n": [[(0, 5), (0, 0)], [(0, 3), (1, 4), (2, 5), (3, 5), (4, 4), (4, 0)]],
    "o": [[(0, 4), (1, 5), (3, 5), (4, 4), (4, 1), (3, 0), (1, 0), (0, 1), (0, 4)]],
    "q": [[(4, 5), (4, -3)], [(4, 4), (3, 5), (1, 5), (0, 4), (0, 1), (1, 0), (3, 0), (4, 1)]],
    "r": [[(0, 5), (0, 0)], [(0, 3), (1, 4), (2, 5), (3, 5)]],
    "s": [[(4, 4), (3, 5), (1, 5), (0, 4), (1, 3), (3, 2), (4, 1), (3, 0), (1, 0), (0, 1)]],
    "u": [[(0, 5), (0, 1), (1, 0), (3, 0), (4, 1)], [(4, 5), (4, 0)]],
    "w": [[(0, 5), (1, 0), (2, 4), (3, 0), (4, 5)]],
    "z": [[(0, 5), (4, 5), (0, 0), (4, 0)]],
}


def _penned(c: Canvas, word: str, per: str) -> None:
    _body(c)
    c.setLineWidth(0.7)
    whole, x, scale = c.beginPath(), 72.0, 1.5
    for letter in word:
        path = c.beginPath()
        for line in _PEN[letter]:
            points = [(x + a * scale, 400 + b * scale) for a, b in line]
            if per == "line":
                for one, other in pairwise(points):
                    c.line(*one, *other)
            path = c.beginPath() if per == "stroke" else path
            for drawn in (path, whole):
                drawn.moveTo(*points[0])
                for point in points[1:]:
                    drawn.lineTo(*point)
            if per == "stroke":
                c.drawPath(path, stroke=1, fill=0)
        if per == "letter":
            c.drawPath(path, stroke=1, fill=0)
        x += (max(a for line in _PEN[letter] for a, _ in line) + 2) * scale
    if per == "word":
        c.drawPath(whole, stroke=1, fill=0)


for _per in ("letter", "stroke", "line", "word"):
    KINDS[f"drawn by a pen, a path for each {_per}"] = lambda c, word, per=_per: _penned(c, word, per)

# ---------------------------------------------------------------- pictures


@_kind("a picture behind 3,200 pieces of text")
def _behind_text(c: Canvas, word: str) -> None:
    c.setFont("Helvetica", 4)
    for number in range(3200):
        c.drawString(30 + (number % 80) * 7, 780 - (number // 80) * 6, "ab")
    c.drawImage(_picture(word), 72, 60, 450, 90)


@_kind("a narrow upright picture")
def _upright(c: Canvas, word: str) -> None:
    _body(c)
    c.drawImage(ImageReader(_dark(word, 44, 600, 60).rotate(90, expand=True)), 72, 300, 14, 140)


@_kind("a picture with a label over it")
def _labelled(c: Canvas, word: str) -> None:
    _body(c)
    c.drawImage(_picture(word, 600, 200), 72, 300, 150, 50)
    c.setFont("Helvetica", 10)
    c.drawString(80, 303, "see the figure")


@_kind("a picture half under text")
def _half_covered(c: Canvas, word: str) -> None:
    _body(c)
    c.drawImage(_picture(word, 600, 300), 72, 300, 200, 100)
    c.setFont("Helvetica", 9)
    for row in range(4):
        c.drawString(74, 304 + 11 * row, "text over the lower half of it, all along")


@_kind("a picture with a soft mask")
def _masked(c: Canvas, word: str) -> None:
    _body(c)
    image = Image.new("RGBA", (600, 120), (0, 0, 0, 0))
    ImageDraw.Draw(image).text((20, 30), word, fill=(0, 0, 0, 255), font=ImageFont.load_default(64))
    c.drawImage(ImageReader(image), 72, 300, 450, 90, mask="auto")


@_kind("a picture as small as a word")
def _tiny(c: Canvas, word: str) -> None:
    _body(c)
    c.drawImage(_picture(word), 72, 400, 39, 8)


@_kind("each letter a picture")
def _letter_pictures(c: Canvas, word: str) -> None:
    _body(c)
    for place, letter in enumerate(word):
        c.drawImage(ImageReader(_dark(letter, 60, 60, 80)), 72 + 9 * place, 400, 9, 12)


# ---------------------------------------------------------------- text, set oddly


@_kind("printed twice, a hair apart")
def _twice(c: Canvas, word: str) -> None:
    y = _body(c)
    for shift in (0, 0.4):
        c.drawString(72 + shift, y, f"Then a {word} was seen")


@_kind("each letter printed twice")
def _letters_twice(c: Canvas, word: str) -> None:
    y, x = _body(c), 72.0
    for letter in word:
        for shift in (0, 0.4):
            c.drawString(x + shift, y, letter)
        x += pdfmetrics.stringWidth(letter, "Helvetica", 10)


@_kind("with a shadow")
def _shadow(c: Canvas, word: str) -> None:
    _body(c)
    c.setFont("Helvetica-Bold", 24)
    for shift, grey in ((2, 0.7), (0, 0.0)):
        c.setFillGray(grey)
        c.drawString(72 + shift, 500 - shift, word)


@_kind("on a circle")
def _circle(c: Canvas, word: str) -> None:
    _body(c)
    for place, letter in enumerate(word):
        angle = math.radians(150 - 12 * place)
        c.saveState()
        c.translate(300 + 60 * math.cos(angle), 400 + 60 * math.sin(angle))
        c.rotate(60 - 12 * place)
        c.drawString(0, 0, letter)
        c.restoreState()


@_kind("on a slope")
def _slope(c: Canvas, word: str) -> None:
    _body(c)
    for place, letter in enumerate(word):
        c.drawString(100 + 7 * place, 400 + 4 * place, letter)


@_kind("on a wave")
def _wave(c: Canvas, word: str) -> None:
    _body(c)
    for place, letter in enumerate(word):
        c.drawString(100 + 6 * place, 400 + 3 * math.sin(place), letter)


@_kind("letters far apart")
def _far_apart(c: Canvas, word: str) -> None:
    _body(c)
    for place, letter in enumerate(word):
        c.drawString(72 + 30 * place, 500, letter.upper())


@_kind("broken in a narrow cell")
def _broken(c: Canvas, word: str) -> None:
    _body(c)
    for row, part in enumerate((word[:3], word[3:6], word[6:])):
        c.drawString(72, 500 - 12 * row, part)


if _DEJAVU.is_file():

    @_kind("with letters that look alike")
    def _alike(c: Canvas, word: str) -> None:
        pdfmetrics.registerFont(TTFont("alike", str(_DEJAVU)))
        _body(c)
        c.setFont("alike", 10)
        c.drawString(72, 500, f"Then a {word.translate(str.maketrans('aeis', 'аеіѕ'))} was seen")


# ---------------------------------------------------------------- annotations


def _edited(name: str) -> Callable[[Callable[[pikepdf.Pdf, pikepdf.Page, str], None]], None]:
    def kept(change: Callable[[pikepdf.Pdf, pikepdf.Page, str], None]) -> None:
        def made(pdf: bytes, word: str) -> bytes:
            body = io.BytesIO()
            canvas = Canvas(body, pagesize=(612, 792), pageCompression=0)
            _body(canvas)
            canvas.save()
            with pikepdf.open(io.BytesIO(body.getvalue())) as file:
                change(file, file.pages[0], word)
                return _saved(file)

        EDITED[name] = made

    return kept


def _annotated(file: pikepdf.Pdf, page: pikepdf.Page, look: pikepdf.Stream | None, **entries: object) -> None:
    known = {"Type": pikepdf.Name.Annot, "Rect": pikepdf.Array([72, 300, 272, 340]), "F": 4, **entries}
    if look is not None:
        look.Type, look.Subtype, look.BBox = pikepdf.Name.XObject, pikepdf.Name.Form, pikepdf.Array([0, 0, 200, 40])
        known["AP"] = pikepdf.Dictionary(N=look)
    page.Annots = pikepdf.Array([file.make_indirect(pikepdf.Dictionary(**known))])


def _with_picture(file: pikepdf.Pdf, word: str) -> pikepdf.Stream:
    image = file.make_stream(_dark(word, 50, 400, 80).tobytes())
    image.Type, image.Subtype, image.Width, image.Height = pikepdf.Name.XObject, pikepdf.Name.Image, 400, 80
    image.ColorSpace, image.BitsPerComponent = pikepdf.Name.DeviceGray, 8
    look = file.make_stream(b"q 200 0 0 40 0 0 cm /Im Do Q")
    look.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(Im=image))
    return look


@_edited("a stamp with a picture")
def _stamp(file: pikepdf.Pdf, page: pikepdf.Page, word: str) -> None:
    _annotated(file, page, _with_picture(file, word), Subtype=pikepdf.Name.Stamp)


@_edited("a button with a picture")
def _button(file: pikepdf.Pdf, page: pikepdf.Page, word: str) -> None:
    look = _with_picture(file, word)
    _annotated(file, page, look, Subtype=pikepdf.Name.Widget, FT=pikepdf.Name.Btn, T=pikepdf.String("b"), Ff=65536)
    file.Root.AcroForm = pikepdf.Dictionary(Fields=page.Annots)


@_edited("ink by hand")
def _ink(file: pikepdf.Pdf, page: pikepdf.Page, word: str) -> None:
    operators, x = [], 0.0
    for letter in word:
        for (a, b), *rest in _PEN[letter]:
            drawn = " ".join(f"{x + 2 * c} {2 * d + 8} l" for c, d in rest)
            operators.append(f"{x + 2 * a} {2 * b + 8} m {drawn} S")
        x += 12
    ink = pikepdf.Array([pikepdf.Array([72, 300, 80, 310])])
    _annotated(file, page, file.make_stream("\n".join(operators).encode()), Subtype=pikepdf.Name.Ink, InkList=ink)


@_edited("a field without a look")
def _bare_field(file: pikepdf.Pdf, page: pikepdf.Page, word: str) -> None:
    look = pikepdf.String("/Helv 10 Tf 0 g")
    value = {"FT": pikepdf.Name.Tx, "T": pikepdf.String("a"), "V": pikepdf.String(word), "DA": look}
    _annotated(file, page, None, Subtype=pikepdf.Name.Widget, **value)
    file.Root.AcroForm = pikepdf.Dictionary(Fields=page.Annots, NeedAppearances=True)


@_edited("free text without a look")
def _bare_text(file: pikepdf.Pdf, page: pikepdf.Page, word: str) -> None:
    look = pikepdf.String("/Helv 10 Tf 0 g")
    _annotated(file, page, None, Subtype=pikepdf.Name.FreeText, Contents=pikepdf.String(f"the {word}"), DA=look)


@_edited("the caption of a line")
def _caption(file: pikepdf.Pdf, page: pikepdf.Page, word: str) -> None:
    look = file.make_stream(f"BT /F1 12 Tf 5 5 Td ({word}) Tj ET".encode())
    look.Resources = pikepdf.Dictionary(Font=page.Resources.Font)
    _annotated(file, page, look, Subtype=pikepdf.Name.Line, L=pikepdf.Array([72, 310, 272, 310]))
