"""Optical character recognition reads what is only a picture, and says clearly when it cannot."""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

import pytest
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from pageindex.errors import MissingExtraError, SettingsError
from pageindex.reading import ocr
from pageindex.reading.inspect import PageInspector
from pageindex.reading.pdf import reader as pdfium

SENTENCE = "The quarterly revenue was 1,204 million dollars"


@pytest.fixture
def scan(tmp_path: Path) -> Path:
    """One page that holds its sentence as pixels only."""
    typed = tmp_path / "typed.pdf"
    canvas = Canvas(str(typed), pagesize=(400, 200))
    canvas.setFont("Helvetica", 14)
    canvas.drawString(40, 100, SENTENCE)
    canvas.save()
    picture = pdfium.render(typed, 1, 3.0)
    path = tmp_path / "scan.pdf"
    canvas = Canvas(str(path), pagesize=(400, 200))
    canvas.drawImage(ImageReader(BytesIO(picture)), 0, 0, 400, 200)
    canvas.save()
    return path


@pytest.mark.parametrize("name", ["tesseract", "rapidocr"])
def test_a_picture_is_read_with_places(scan: Path, name: str) -> None:
    if name == "tesseract" and shutil.which("tesseract") is None:
        pytest.skip("tesseract is not installed")
    if name == "rapidocr" and not (find_spec("rapidocr") and find_spec("onnxruntime")):
        pytest.skip("the ocr extra is not installed")
    with PageInspector(scan) as inspector:
        page = ocr.read_pages(inspector, [1], wanted=name)[1]
    assert page.engine == name
    assert page.version[0].isdigit()
    assert page.text.replace(" ", "") == SENTENCE.replace(" ", "")
    box = page.lines[0].box
    assert box.x0 == pytest.approx(40, abs=4)
    assert box.y1 == pytest.approx(100, abs=6)
    assert page.lines[0].score > 0.8


def test_without_an_engine_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(MissingExtraError) as caught:
        ocr.engine("tesseract")
    assert "apt-get install tesseract-ocr" in caught.value.next_step
    with pytest.raises(SettingsError):
        ocr.engine("magic")


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")
def test_missing_language_data_is_named(scan: Path) -> None:
    with PageInspector(scan) as inspector, pytest.raises(MissingExtraError) as caught:
        ocr.read_pages(inspector, [1], wanted="tesseract", languages="xxx")
    assert "xxx" in caught.value.next_step
