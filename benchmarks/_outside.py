"""What other programs see on a page: MuPDF's characters with their places, poppler's words and paragraphs.

Both run as programs of their own (``mutool``, ``pdftotext``); nothing here imports the package that is measured.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median

from lxml import etree

PROGRAMS = ("mutool", "pdftotext")

#: Gaps in em: from the first on there is a separator, up to the second there is none; between them a reader may do as he likes.
APART, TOGETHER = 0.25, 0.10

#: Em by which two neighbours may overlap: what overlaps more is drawn over the other, and says nothing of separators.
OVERPRINTED = -0.3

#: Em by which the origin of a raised or lowered sign stands above or below that of its neighbour at most.
RAISED = 0.5

#: Em up to which a gap beside an ideograph is no separator: such scripts are justified between characters, and set apart from
#: Latin letters and figures, without being parted into words.
IDEOGRAPHS_APART = 1.0

#: Ideographs, kana, Hangul jamo signs and their punctuation: scripts that are written without blanks.
_IDEOGRAPHIC = re.compile(
    "[\u2e80-\u2fdf\u3000-\u30ff\u3100-\u312f\u3190-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff65"
    "\U00020000-\U0003ffff]"
)

#: What is not seen: soft hyphens, joiners, byte order marks, and the marks of direction that poppler puts around right-to-left text.
_DROPPED = frozenset(
    "\u00ad\u0002\ufeff\u200b\u200c\u200d\u2060\ufffe\uffff\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)


def missing_programs() -> list[str]:
    return [name for name in PROGRAMS if shutil.which(name) is None]


def plain(text: str) -> str:
    """Characters as they are compared: compatibility forms resolved, what is not seen dropped; white space kept."""
    return "".join(unicodedata.normalize("NFKC", char) for char in text if char not in _DROPPED)


def seen(text: str) -> str:
    """A text without what is not seen of it, else as it is."""
    return "".join(char for char in text if char not in _DROPPED)


def solid(text: str) -> str:
    """The text without any white space."""
    return "".join(plain(text).split())


def is_ideographic(char: str) -> bool:
    return _IDEOGRAPHIC.match(char) is not None


def tokens(text: str) -> list[str]:
    """The words of a text as they are counted: parted at white space, each ideograph a word of its own."""
    return _IDEOGRAPHIC.sub(r" \g<0> ", plain(text)).split()


@dataclass(frozen=True, slots=True)
class Glyph:
    """A printed character: where it begins and ends along its line, and how high its origin stands across it, in points."""

    char: str
    start: float
    end: float
    size: float
    base: float = 0.0


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


def sheets(path: Path, pages: Sequence[int], timeout: float = 300.0) -> Iterator[Sheet]:
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
            base = float(char.get("y", 0)) * dx - float(char.get("x", 0)) * dy
            glyphs.append(Glyph(char.get("c", ""), min(begin, end), max(begin, end), size, base))
    return Line(tuple(glyphs), (x0, y0, x1, y1), abs(dx - 1) < 0.01 and node.get("wmode", "0") == "0")


def gaps(line: Line) -> list[tuple[Glyph, Glyph, float, bool]]:
    """Each pair of neighbours on a line: the glyphs, the gap between them in em of the smaller one, and whether a space is set there.

    Glyphs count in the order of their places. A gap below ``OVERPRINTED`` is none: the one is drawn over the other. Glyphs whose origins
    stand further apart in height than ``RAISED`` are not neighbours: the one belongs to a sign above, as the limits below a sum do.
    """
    seen = sorted((glyph for glyph in line.glyphs), key=lambda glyph: (glyph.start, glyph.end))
    pairs, last, spaced = [], None, False
    for glyph in seen:
        if glyph.char.isspace():
            spaced = last is not None
            continue
        if last is not None:
            em = max(min(glyph.size, last.size), 0.1)
            gap = (glyph.start - last.end) / em
            level = abs(glyph.base - last.base) <= RAISED * max(glyph.size, last.size)
            pairs.append((last, glyph, gap if level else float("nan"), spaced))
        last, spaced = glyph, False
    return pairs


def words(path: Path, pages: Sequence[int], timeout: float = 300.0) -> dict[int, Counter[str]]:
    """Poppler's words of some pages.

    From its layout, in which pieces of one word that are set in two sizes stand together and hyphens are kept, as they are printed.
    """
    return {number: Counter(tokens(text)) for number, text in some_texts(path, pages, timeout, "-layout").items()}


def page_texts(path: Path, timeout: float = 300.0) -> list[str]:
    """Poppler's text of each page, in its reading order, with blank lines between paragraphs."""
    data = _run(["pdftotext", str(path), "-"], timeout).decode("utf-8", "replace")
    return data.split("\f")[:-1]


def some_texts(path: Path, pages: Sequence[int], timeout: float = 300.0, *options: str) -> dict[int, str]:
    """The same of some pages, of what lies within their crop boxes; ``options`` are more words for ``pdftotext``."""
    texts: dict[int, str] = {}
    for first, last in stretches(pages):
        within = _crop(path, first, timeout)
        command = ["pdftotext", "-f", str(first), "-l", str(last), *options, *within, str(path), "-"]
        found = _run(command, timeout).decode("utf-8", "replace").split("\f")[:-1]
        texts |= dict(zip(range(first, last + 1), found, strict=False))
    return texts


def _crop(path: Path, page: int, timeout: float) -> list[str]:
    """Options by which poppler leaves out what lies outside the crop box, as printers' marks do; none where that is the whole sheet."""
    found = _run(["pdfinfo", "-box", "-f", str(page), "-l", str(page), str(path)], timeout).decode("utf-8", "replace")
    boxes = {
        match[1]: [float(part) for part in match[2].split()]
        for match in re.finditer(r"(Media|Crop)Box:((?:\s+-?[\d.]+){4})", found)
    }
    media, crop = boxes.get("Media"), boxes.get("Crop")
    turned = re.search(r"rot:\s+[1-9]", found) is not None
    if media is None or crop is None or crop == media or turned:
        return []
    left, top = round(crop[0] - media[0]), round(media[3] - crop[3])
    width, height = round(crop[2] - crop[0]), round(crop[3] - crop[1])
    return ["-r", "72", "-x", str(left), "-y", str(top), "-W", str(width), "-H", str(height)]


def stretches(pages: Sequence[int]) -> list[tuple[int, int]]:
    """First and last of each stretch of pages that follow one another."""
    found: list[tuple[int, int]] = []
    for page in sorted(pages):
        if found and found[-1][1] == page - 1:
            found[-1] = (found[-1][0], page)
        else:
            found.append((page, page))
    return found


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
