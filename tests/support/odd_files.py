"""PDFs with something the matter, built by code."""

from __future__ import annotations

import io
from pathlib import Path

import pikepdf
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

__all__ = ["encrypted_pdf", "numbered_pdf", "ruined_page_pdf"]


def numbered_pdf(pages: int = 1, words: str = "Some words that stand on this page.") -> bytes:
    """Pages with a heading each and a few words."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=True)
    for number in range(1, pages + 1):
        canvas.setFont("Helvetica-Bold", 16)
        canvas.drawString(72, 770, f"{number} Chapter {number}")
        canvas.setFont("Helvetica", 10)
        for line in range(12):
            canvas.drawString(72, 740 - 14 * line, f"{words} Line {line} of page {number}.")
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def encrypted_pdf(path: Path, *, user: str = "", owner: str = "keeper") -> Path:
    """A page behind a password."""
    with pikepdf.open(io.BytesIO(numbered_pdf())) as pdf:
        pdf.save(path, encryption=pikepdf.Encryption(owner=owner, user=user, R=6))
    return path


def ruined_page_pdf(path: Path, *, pages: int, ruined: int) -> Path:
    """A document of which one page's content cannot be decoded."""
    with pikepdf.open(io.BytesIO(numbered_pdf(pages))) as pdf:
        page = pdf.pages[ruined - 1]
        page.Contents = pdf.make_stream(b"this is no flate stream", Filter=pikepdf.Name.FlateDecode)
        pdf.save(path, stream_decode_level=pikepdf.StreamDecodeLevel.none)
    return path
