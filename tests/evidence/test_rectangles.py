"""Where evidence stands on the page."""

from __future__ import annotations

from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from pageindex import reading
from pageindex.evidence import locate, rectangles
from pageindex.reading.pdf.reader import characters
from tests.support.evidence_editions import edition_of, text_edition


def test_rectangles_of_a_real_page(tmp_path: Path) -> None:
    path = tmp_path / "page.pdf"
    canvas = Canvas(str(path), pagesize=(612, 792))
    canvas.setFont("Courier", 10)  # 6 points a character
    canvas.drawString(100, 692, "alpha beta gamma")
    canvas.drawString(100, 672, "delta epsilon")
    canvas.save()
    edition = reading.read(path)
    evidence = locate(edition, "gamma delta", 1).evidence
    for boxes in (None, {1: characters(path, 1)}):
        (first, upper), (second, lower) = rectangles(edition, evidence, boxes)
        assert first == second == 1
        assert (upper.x0, upper.x1) == pytest.approx((166, 196), abs=1.5)
        assert (lower.x0, lower.x1) == pytest.approx((100, 130), abs=1.5)
        assert upper.y0 < 100 < upper.y1 + 2
        assert lower.y0 > upper.y0 + 10


def test_a_whole_line_gives_its_box() -> None:
    edition = edition_of(["first line here", "second"])
    ((_, box),) = rectangles(edition, locate(edition, "first line here", 1).evidence)
    assert box == edition.lines[0].box


def test_text_without_places_has_no_rectangles() -> None:
    edition = text_edition("some words in a text file")
    assert rectangles(edition, locate(edition, "words in a text", 1).evidence) == []
