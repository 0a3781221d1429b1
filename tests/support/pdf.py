"""PDF fixtures built by code: drawn with reportlab, edited with pikepdf, or written byte by byte."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf
from reportlab.pdfgen import canvas as reportlab_canvas

__all__ = [
    "LETTER",
    "Picture",
    "Text",
    "bookmarked",
    "draw",
    "edited",
    "encrypted",
    "mapped_font_page",
    "paragraph",
    "raw",
]

LETTER = (612.0, 792.0)

#: A stretch of plain English for bodies; no two sentences alike, so that nothing repeats by accident.
WORDS = [
    "the",
    "committee",
    "examined",
    "every",
    "figure",
    "of",
    "the",
    "annual",
    "survey",
    "before",
    "it",
    "wrote",
    "its",
    "final",
    "account",
    "and",
    "asked",
    "the",
    "members",
    "for",
    "their",
    "views",
    "on",
    "costs",
    "staffing",
    "and",
    "the",
    "long",
    "plan",
    "that",
    "had",
    "been",
    "agreed",
    "two",
    "winters",
    "ago",
    "in",
    "another",
    "city",
]


@dataclass(frozen=True)
class Text:
    """A line of text; ``y`` is its baseline from the top of the page, in points."""

    x: float
    y: float
    text: str
    size: float = 11.0
    font: str = "Helvetica"
    color: tuple[float, float, float] = (0.0, 0.0, 0.0)
    mode: int = 0  # text render mode; 3 is invisible


@dataclass(frozen=True)
class Picture:
    """A grey picture."""

    x: float
    y: float
    width: float
    height: float


def paragraph(x: float, y: float, lines: int, *, seed: int = 0, size: float = 10.0, words: int = 11) -> list[Text]:
    """Body lines below each other, different for every ``seed``."""
    out = []
    for row in range(lines):
        start = 7 * seed + 5 * row
        text = " ".join(WORDS[(start + i * (1 + seed % 3)) % len(WORDS)] for i in range(words))
        out.append(Text(x, y + row * size * 1.25, f"{text} {seed}.{row}" if row == 0 else text, size))
    return out


def draw(*pages: Sequence[Text | Picture], size: tuple[float, float] = LETTER) -> bytes:
    """One page for each sequence of items, drawn in the order given."""
    from PIL import Image
    from reportlab.lib.utils import ImageReader

    buffer = io.BytesIO()
    canvas = reportlab_canvas.Canvas(buffer, pagesize=size, invariant=1)
    grey = ImageReader(Image.new("L", (8, 8), 128))
    for items in pages:
        for item in items:
            if isinstance(item, Picture):
                canvas.drawImage(grey, item.x, size[1] - item.y - item.height, item.width, item.height)
                continue
            writer = canvas.beginText(item.x, size[1] - item.y)
            writer.setFont(item.font, item.size)
            writer.setFillColorRGB(*item.color)
            writer.setTextRenderMode(item.mode)
            writer.textOut(item.text)
            canvas.drawText(writer)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def edited(data: bytes, change: Callable[[Pdf], None]) -> bytes:
    """A PDF after an edit with pikepdf."""
    with Pdf.open(io.BytesIO(data)) as pdf:
        change(pdf)
        buffer = io.BytesIO()
        pdf.save(buffer)
    return buffer.getvalue()


def bookmarked(data: bytes, entries: Sequence[tuple[str, int, int]]) -> bytes:
    """Add an outline of ``(title, page from 1, level from 1)``, with explicit destinations."""

    def change(pdf: Pdf) -> None:
        with pdf.open_outline() as outline:
            levels = [outline.root]
            for title, page, level in entries:
                item = pikepdf.OutlineItem(title, page - 1)
                levels[level - 1].append(item)
                levels[level:] = [item.children]

    return edited(data, change)


def encrypted(data: bytes, *, user: str = "", owner: str = "owner", revision: int = 6, aes: bool = True) -> bytes:
    """Encrypt with the standard security handler; revisions 2 and 3 are RC4 of 40 and 128 bits, 4 and 6 AES of 128 and 256."""
    with Pdf.open(io.BytesIO(data)) as pdf:
        buffer = io.BytesIO()
        allow = pikepdf.Encryption(
            user=user, owner=owner, R=revision, aes=aes and revision >= 4, metadata=revision >= 4
        )  # type: ignore[arg-type]
        pdf.save(buffer, encryption=allow)
    return buffer.getvalue()


def mapped_font_page(
    lines: Sequence[tuple[float, float, bytes]], mapping: Mapping[int, str], size: float = 12.0
) -> bytes:
    """One page of a font whose map to Unicode is given: ``(x, y from the top, codes)`` for each line.

    The glyphs are Helvetica's; what an extractor reads is the mapping.
    """
    pairs = "\n".join(f"<{code:02x}> <{text.encode('utf-16-be').hex()}>" for code, text in sorted(mapping.items()))
    cmap = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def\n"
        "1 begincodespacerange <00> <ff> endcodespacerange\n"
        f"{len(mapping)} beginbfchar\n{pairs}\nendbfchar\nendcmap end end"
    )
    pdf = Pdf.new()
    font = Dictionary(
        Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, ToUnicode=pdf.make_stream(cmap.encode())
    )
    body = b"".join(
        b"BT /F1 %f Tf 1 0 0 1 %f %f Tm <%s> Tj ET\n" % (size, x, LETTER[1] - y, codes.hex().encode())
        for x, y, codes in lines
    )
    page = Dictionary(
        Type=Name.Page,
        MediaBox=Array([0, 0, 612, 792]),
        Resources=Dictionary(Font=Dictionary(F1=pdf.make_indirect(font))),
        Contents=pdf.make_stream(body),
    )
    pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))
    buffer = io.BytesIO()
    pdf.save(buffer)
    return buffer.getvalue()


def raw(objects: Mapping[int, str | bytes], *, root: int = 1, trailer: str = "", tail: bytes | None = None) -> bytes:
    """A file of hand-written objects with a true cross-reference table; ``tail`` replaces table and trailer."""
    out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    offsets = {}
    for number, body in sorted(objects.items()):
        offsets[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body.encode("latin-1") if isinstance(body, str) else body)
    if tail is not None:
        return bytes(out) + tail
    place, size = len(out), max(objects) + 1
    out += b"xref\n0 %d\n0000000000 65535 f \n" % size
    for number in range(1, size):
        out += b"%010d 00000 n \n" % offsets[number] if number in offsets else b"0000000000 65535 f \n"
    out += b"trailer\n<< /Size %d /Root %d 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (size, root, trailer.encode(), place)
    return bytes(out)
