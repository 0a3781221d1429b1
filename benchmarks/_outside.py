"""What other programs see on a page: MuPDF's characters with their places, poppler's words and paragraphs.

Both run as programs of their own (``mutool``, ``pdftotext``); nothing here imports the package that is measured.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median

from lxml import etree

PROGRAMS = ("mutool", "pdftotext")

#: Gaps in em: from the first on there is a separator, up to the second there is none; between them a reader may do as he likes.
APART, TOGETHER = 0.25, 0.10

_DROPPED = frozenset("\u00ad\u0002\ufeff\u200b\u200c\u200d\u2060\ufffe\uffff")


def missing_programs() -> list[str]:
    return [name for name in PROGRAMS if shutil.which(name) is None]


def plain(text: str) -> str:
    """Characters as they are compared: compatibility forms resolved, what is not seen dropped; white space kept."""
    return "".join(unicodedata.normalize("NFKC", char) for char in text if char not in _DROPPED)


def solid(text: str) -> str:
    """The text without any white space."""
    return "".join(plain(text).split())


@dataclass(frozen=True, slots=True)
class Glyph:
    """A printed character: where it begins and ends along its line, in points."""

    char: str
    start: float
    end: float
    size: float


@dataclass(frozen=True, slots=True)
class Line:
    """A line as MuPDF puts it together; ``box`` is (x0, y0, x1, y1) on the displayed page, y downwards."""

    glyphs: tuple[Glyph, ...]
    box: tuple[float, float, float, float]
    upright: bool

    @property
    def text(self) -> str:
        return "".join(glyph.char for glyph in self.glyphs)


@dataclass(frozen=True, slots=True)
class Sheet:
    """One page: MuPDF's blocks of lines."""

    number: int
    width: float
    height: float
    blocks: tuple[tuple[Line, ...], ...]

    @property
    def lines(self) -> list[Line]:
        return [line for block in self.blocks for line in block]


def _run(command: list[str], timeout: float) -> bytes:
    try:
        return subprocess.run(command, capture_output=True, timeout=timeout, check=False).stdout
    except subprocess.TimeoutExpired:
        return b""


_SURROGATE = re.compile(rb"&#x0*[dD][89a-fA-F][0-9a-fA-F]{2};")


def parsed(data: bytes) -> etree._Element:
    """MuPDF's XML. Codes that are no characters, which it writes as they stand in the file, become replacement characters."""
    text = _SURROGATE.sub("\ufffd".encode(), data).decode("utf-8", "replace")
    return etree.fromstring(text.encode(), etree.XMLParser(recover=True, huge_tree=True))


def sheets(path: Path, pages: list[int], timeout: float = 300.0) -> Iterator[Sheet]:
    """MuPDF's view of some pages of a file; pages that it cannot read are left out."""
    spec = ",".join(map(str, pages))
    data = _run(["mutool", "draw", "-q", "-F", "stext", "-o", "-", str(path), spec], timeout)
    if not data:
        return
    root = parsed(data)
    for page in root.iter("page") if root is not None else ():
        number = int(re.sub(r"\D", "", page.get("id", "0")) or 0)
        blocks = tuple(tuple(_line(line) for line in block.iter("line")) for block in page.iter("block"))
        yield Sheet(number, float(page.get("width", 0)), float(page.get("height", 0)), blocks)


def _line(node: etree._Element) -> Line:
    dx, dy = (float(part) for part in node.get("dir", "1 0").split())
    x0, y0, x1, y1 = (float(part) for part in node.get("bbox", "0 0 0 0").split())
    glyphs = []
    for font in node.iter("font"):
        size = float(font.get("size", 0))
        for char in font.iter("char"):
            corners = [float(part) for part in char.get("quad", "0 0 0 0 0 0 0 0").split()]
            begin, end = corners[0] * dx + corners[1] * dy, corners[2] * dx + corners[3] * dy
            glyphs.append(Glyph(char.get("c", ""), min(begin, end), max(begin, end), size))
    return Line(tuple(glyphs), (x0, y0, x1, y1), abs(dx - 1) < 0.01 and node.get("wmode", "0") == "0")


def gaps(line: Line) -> list[tuple[Glyph, Glyph, float, bool]]:
    """Each pair of neighbours on a line: the glyphs, the gap between them in em of the smaller one, and whether a space is set there.

    Glyphs count in the order of their places; one that overlaps the one before by more than half is drawn over it and is left out.
    """
    seen = sorted((glyph for glyph in line.glyphs), key=lambda glyph: (glyph.start, glyph.end))
    pairs, last, spaced = [], None, False
    for glyph in seen:
        if glyph.char.isspace():
            spaced = last is not None
            continue
        if last is not None:
            em = max(min(glyph.size, last.size), 0.1)
            pairs.append((last, glyph, (glyph.start - last.end) / em, spaced))
        last, spaced = glyph, False
    return pairs


def words(path: Path, timeout: float = 300.0) -> dict[int, Counter[str]]:
    """Poppler's words of each page.

    From its layout, in which pieces of one word that are set in two sizes stand together and hyphens are kept, as they are printed.
    """
    data = _run(["pdftotext", "-layout", str(path), "-"], timeout).decode("utf-8", "replace")
    return {number: Counter(plain(text).split()) for number, text in enumerate(data.split("\f")[:-1], start=1)}


def page_texts(path: Path, timeout: float = 300.0) -> list[str]:
    """Poppler's text of each page, in its reading order, with blank lines between paragraphs."""
    data = _run(["pdftotext", str(path), "-"], timeout).decode("utf-8", "replace")
    return data.split("\f")[:-1]


def paragraphs(text: str) -> list[str]:
    return [part.strip("\n") for part in re.split(r"\n\s*\n", text) if part.strip()]


def one_column(sheet: Sheet) -> bool:
    """Whether the upright lines stand one below the other: hardly any shares its height with another."""
    lines = sorted((line for line in sheet.lines if line.upright and line.text.strip()), key=lambda line: line.box[1])
    if len(lines) < 2 or len(lines) < 0.95 * sum(1 for line in sheet.lines if line.text.strip()):
        return False
    heights = median(line.box[3] - line.box[1] for line in lines)
    beside = sum(
        1
        for above, below in pairwise(lines)
        if above.box[3] - below.box[1] > 0.5 * heights and abs(above.box[1] - below.box[1]) < heights
    )
    return beside <= 0.05 * len(lines)
