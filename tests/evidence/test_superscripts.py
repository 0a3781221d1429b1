"""A raised digit is no digit of its number."""

from __future__ import annotations

from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from pageindex import reading
from pageindex.evidence import Declared, NumberStatus, check_number, locate
from pageindex.reading.pdf.reader import characters


def drawn(tmp_path: Path) -> Path:
    path = tmp_path / "powers.pdf"
    canvas = Canvas(str(path))
    text = canvas.beginText(72, 700)
    for base, mark, rest in (
        ("It took 10", "2", " steps and 450"),
        ("", "", " runs of the machine"),
        (" in 2019", "17", " again."),
    ):
        text.setFont("Helvetica", 12)
        text.textOut(base)
        text.setRise(5)
        text.setFont("Helvetica", 7)
        text.textOut(mark)
        text.setRise(0)
        text.setFont("Helvetica", 12)
        text.textOut(rest)
    canvas.drawText(text)
    canvas.save()
    return path


@pytest.mark.parametrize(
    ("printed", "plain", "by_geometry"),
    [
        ("102", NumberStatus.OK, NumberStatus.MISSING),
        ("10", NumberStatus.MISSING, NumberStatus.PRECISION_DIFFERS),  # a power or a note mark: for a person to see
        ("2019", NumberStatus.MISSING, NumberStatus.PRECISION_DIFFERS),
        ("450", NumberStatus.OK, NumberStatus.OK),
        ("201917", NumberStatus.OK, NumberStatus.MISSING),
    ],
)
def test_characters_tell_what_the_text_hides(
    tmp_path: Path, printed: str, plain: NumberStatus, by_geometry: NumberStatus
) -> None:
    path = drawn(tmp_path)
    edition = reading.read(path)
    assert "102" in edition.page(1).text
    quote = [locate(edition, edition.page(1).text.strip(), 1)]
    assert check_number(Declared(printed), edition, quote).status is plain
    assert check_number(Declared(printed), edition, quote, lambda page: characters(path, page)).status is by_geometry
