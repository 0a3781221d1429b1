"""Optical character recognition, where it is wanted: text of pages that have none, kept apart from the anchor and never merged into it.

``tesseract`` is used when it is on PATH (about 1.5 CPU seconds a page), else RapidOCR (the ``ocr`` extra; its models are inside the
wheel, about 10 CPU seconds a page). Both see the page rendered at ``SCALE``.
"""

from __future__ import annotations

import csv
import io
import os
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version as installed_version
from importlib.util import find_spec
from itertools import groupby
from typing import TYPE_CHECKING, Any

from pageindex.document import Box
from pageindex.errors import LimitError, MissingExtraError, SettingsError

if TYPE_CHECKING:
    from pageindex.reading.inspect import PageInspector

__all__ = ["OcrLine", "OcrPage", "engine", "read_image", "read_pages"]

SCALE = 200 / 72  #: Pixels per point; both engines lose small print below about 200 dpi.
SECONDS = 120.0  #: Wall-clock limit for one page.

_MISSING = "Install tesseract (Debian: apt-get install tesseract-ocr), or 'pip install pageindex[ocr]'."


@dataclass(frozen=True, slots=True)
class OcrLine:
    """One recognised line: its text, its box on the displayed page in points, and the engine's own score (0-1)."""

    text: str
    box: Box
    score: float


@dataclass(frozen=True, slots=True)
class OcrPage:
    """The recognised text of one page.

    Attributes:
        page: Physical, 1-based.
        engine, version: What recognised it.
        lines: In the engine's reading order.
    """

    page: int
    engine: str
    version: str
    lines: tuple[OcrLine, ...]

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)


def engine(wanted: str = "auto") -> str:
    """``tesseract`` or ``rapidocr``: the one asked for, else the first that is there. Raises MissingExtraError."""
    if wanted not in ("auto", "tesseract", "rapidocr"):
        raise SettingsError(f"no OCR engine is called {wanted!r}", "Use auto, tesseract or rapidocr.")
    if wanted in ("auto", "tesseract") and shutil.which("tesseract"):
        return "tesseract"
    if wanted in ("auto", "rapidocr") and find_spec("rapidocr") and find_spec("onnxruntime"):
        return "rapidocr"
    raise MissingExtraError(
        "no OCR engine is installed" if wanted == "auto" else f"{wanted} is not installed", _MISSING
    )


def read_pages(
    inspector: PageInspector, pages: Iterable[int], *, wanted: str = "auto", languages: str = "eng"
) -> dict[int, OcrPage]:
    """Recognise pages of a document, drawn in a worker. The engine works outside of it, since a worker may start no program.

    ``languages`` are tesseract's names, joined by ``+``; RapidOCR reads Latin and Chinese as it is.

    Raises MissingExtraError without an engine, and LimitError when a page takes longer than ``SECONDS``.
    """
    name = engine(wanted)
    label = _version(name)
    found = {}
    for page in pages:
        image = inspector.image(page, 72 * SCALE)
        found[page] = OcrPage(page, name, label, tuple(read_image(image, name, languages=languages)))
    return found


def read_image(image: bytes, name: str, *, scale: float = SCALE, languages: str = "eng") -> list[OcrLine]:
    """The lines of a PNG image; boxes are divided by ``scale`` (pixels per point)."""
    return _tesseract(image, scale, languages) if name == "tesseract" else _rapidocr(image, scale)


@lru_cache(maxsize=2)
def _version(name: str) -> str:
    if name == "rapidocr":
        return installed_version("rapidocr")
    done = subprocess.run(
        ["tesseract", "--version"], capture_output=True, check=True, timeout=SECONDS, env=_environment()
    )
    return (done.stdout or done.stderr).split()[1].decode()


def _environment() -> dict[str, str]:
    """What a program that looks at a stranger's picture sees of the environment: no keys."""
    kept = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "TESSDATA_PREFIX", "OMP_THREAD_LIMIT", "SYSTEMROOT", "TEMP")
    return {name: os.environ[name] for name in kept if name in os.environ}


def _tesseract(image: bytes, scale: float, languages: str) -> list[OcrLine]:
    command = ["tesseract", "stdin", "stdout", "-l", languages, "--dpi", str(round(scale * 72)), "tsv"]
    try:
        done = subprocess.run(command, input=image, capture_output=True, timeout=SECONDS, env=_environment())
    except subprocess.TimeoutExpired as error:
        raise LimitError(f"tesseract took longer than {SECONDS:.0f} s for one page") from error
    if done.returncode != 0:
        reason = done.stderr.decode("utf-8", "replace").strip().splitlines()
        next_step = f"Install tesseract's data for {languages!r}, or name other languages."
        raise MissingExtraError(f"tesseract failed: {reason[-1] if reason else done.returncode}", next_step)
    rows = csv.DictReader(io.StringIO(done.stdout.decode("utf-8")), delimiter="\t", quoting=csv.QUOTE_NONE)
    words = [row for row in rows if row["level"] == "5" and row["text"].strip()]
    lines = []
    for _, group in groupby(words, key=lambda row: (row["block_num"], row["par_num"], row["line_num"])):
        line = list(group)
        boxes = [[float(row[key]) / scale for key in ("left", "top", "width", "height")] for row in line]
        box = Box(
            min(x for x, _, _, _ in boxes),
            min(y for _, y, _, _ in boxes),
            max(x + w for x, _, w, _ in boxes),
            max(y + h for _, y, _, h in boxes),
        )
        score = sum(float(row["conf"]) for row in line) / len(line) / 100
        lines.append(OcrLine(" ".join(row["text"] for row in line), box, score))
    return lines


@lru_cache(maxsize=1)
def _recogniser() -> Any:
    from rapidocr import RapidOCR

    return RapidOCR(params={"Global.log_level": "error"})


def _rapidocr(image: bytes, scale: float) -> list[OcrLine]:
    found = _recogniser()(image)
    if found.txts is None:
        return []
    lines = []
    for corners, text, score in zip(found.boxes, found.txts, found.scores, strict=True):
        xs, ys = [float(x) / scale for x, _ in corners], [float(y) / scale for _, y in corners]
        lines.append(OcrLine(text, Box(min(xs), min(ys), max(xs), max(ys)), float(score)))
    return lines
