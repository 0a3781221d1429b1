"""True quotes of real pages, cut with readers that are not ours: words that poppler and MuPDF both give in this order on this page.

Table rows come from poppler's layout, raised digits from where MuPDF puts its characters. Nothing here comes from the package that is measured.
"""

from __future__ import annotations

import random
import re
import subprocess
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lxml import etree

from benchmarks import _outside
from benchmarks._evidence_mutations import Sources

PAGES = 16  #: Of each file, evenly spread.
_FEWEST = 20  # letters and digits of a quote
_WORD = re.compile(r"\S+")
_DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2212\u00ad"


@dataclass(frozen=True)
class Sample:
    """A quote as another reader gives it; ``raised`` forms say the same, ``flat`` does not."""

    page: int
    text: str
    raised: tuple[str, ...] = ()
    flat: str = ""
    unmarked: str = ""


@dataclass
class Drawn:
    """The samples of one file, and what is needed to alter them."""

    path: Path
    prose: list[Sample] = field(default_factory=list)
    rows: list[Sample] = field(default_factory=list)
    powers: list[Sample] = field(default_factory=list)
    notes: list[Sample] = field(default_factory=list)
    exponents: set[tuple[int, str]] = field(
        default_factory=set
    )  # by page: the letters up to a raised digit of a number
    words: list[str] = field(default_factory=list)
    pages: dict[int, str] = field(default_factory=dict)  # poppler's text of every page
    sources: dict[int, Sources] = field(default_factory=dict)  # what quotes of a page may be altered with


def key(text: str) -> str:
    """Letters and digits alone, as far as any reader of text would call two the same."""
    plain = unicodedata.normalize("NFKC", text).casefold().replace("ё", "е")
    return "".join(c for c in plain if c.isalnum())


def _solid(text: str) -> str:
    """Every character but white space and hyphens at line ends."""
    return _outside.solid(re.sub("[-\u2010\u00ad][ \t]*\r?\n", "", text))


def drawn(path: Path, page_count: int, each: int, seed: int = 0, timeout: float = 120.0) -> Drawn:
    """Up to ``each`` samples of prose, and as many rows, of a file."""
    rng = random.Random(f"{seed} {path.name}")
    found = Drawn(path)
    texts = _outside.page_texts(path, timeout)
    found.pages = dict(enumerate(texts, start=1))
    if len(texts) != page_count:
        return found  # another idea of what a page is
    step = max(1, page_count // PAGES)
    chosen = list(range(1 + rng.randrange(step), page_count + 1, step))[:PAGES]
    others = _mupdf(path, chosen, timeout)
    blocks = {
        sheet.number: [_joined("\n".join(line.text for line in block)) for block in sheet.blocks]
        for sheet in _outside.sheets(path, chosen, timeout)
    }
    layouts = _layouts(path, timeout)
    for page in chosen:
        other, text = _solid(others.get(page, "")), found.pages[page]
        found.prose += [
            Sample(page, cut)
            for cut in _cuts(text, rng)
            if len(key(cut)) >= _FEWEST and _solid(cut) in other and _one_block(cut, blocks.get(page, []))
        ]
        rows = _rows(layouts.get(page, ""))
        found.rows += [
            Sample(page, row)
            for row in rows
            if len(key(row)) > 8 and _solid(row) in other and _solid(row) in _solid(text)
        ]
    powers = list(_raised(found, chosen, timeout))
    found.prose = [
        s for s in found.prose if not any(s.page == p and ends in key(s.text) for p, ends in found.exponents)
    ]
    rng.shuffle(found.prose)
    rng.shuffle(found.rows)
    del found.prose[each:], found.rows[each:]
    found.powers = [s for s in powers if s.flat][:each]
    found.notes = [s for s in powers if s.unmarked][:each]
    vocabulary = {word for text in texts for word in re.findall(r"(?<![\w-])[^\W\d_]{4,12}(?![\w-])", text)}
    found.words = rng.sample(sorted(vocabulary), min(len(vocabulary), 500))
    return found


def _one_block(cut: str, blocks: list[str]) -> bool:
    """Whether another reader has the same words, and not only the same letters, in one block: a quote is of one paragraph or cell.

    A reader may tear a word, lose the hyphen of a compound or a date, or go on from a line into the head of a table.
    """
    wanted = _joined(cut)
    return any(wanted in block for block in blocks)


def _joined(text: str) -> str:
    return " ".join(re.sub("(?<=[^\\W\\d_])[-\u2010\u00ad][ \t]*\r?\n(?=[^\\W\\d_])", "", text).split())


def _mupdf(path: Path, pages: list[int], timeout: float) -> dict[int, str]:
    spec = ",".join(map(str, pages))
    command = ["mutool", "draw", "-q", "-F", "txt", "-o", "-", str(path), spec]
    try:
        done = subprocess.run(command, capture_output=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        return {}
    return dict(zip(pages, done.stdout.decode("utf-8", "replace").split("\f"), strict=False))


def _layouts(path: Path, timeout: float) -> dict[int, str]:
    try:
        done = subprocess.run(
            ["pdftotext", "-layout", str(path), "-"], capture_output=True, timeout=timeout, check=False
        )
    except subprocess.TimeoutExpired:
        return {}
    return dict(enumerate(done.stdout.decode("utf-8", "replace").split("\f"), start=1))


def _cuts(text: str, rng: random.Random) -> Iterator[str]:
    """Stretches of 40-240 characters of whole words, one or two of each paragraph."""
    for paragraph in _outside.paragraphs(text):
        words = [match.span() for match in _WORD.finditer(paragraph)]
        if len(paragraph) < 40 or not any(c.isalpha() for c in paragraph):
            continue
        for _ in range(2):
            first = 0 if rng.random() < 0.4 else rng.randrange(len(words))
            length = rng.randrange(40, 240)
            ends = [end for _, end in words[first:] if 40 <= end - words[first][0] <= length]
            if (
                ends
                and paragraph[ends[-1] - 1] not in _DASHES
                and paragraph[words[first][0]] not in _DASHES  # the end of a range or a compound, or a sign
                and (first == 0 or paragraph[words[first][0] - 2] not in "-\u2010\u00ad")
            ):
                yield paragraph[words[first][0] : ends[-1]]


def _rows(layout: str) -> Iterator[str]:
    """Rows of tables: a label and at least two values, lone dashes among them."""
    for line in layout.splitlines():
        cells = line.split()
        values = [cell for cell in cells if re.fullmatch(r"[-–—−]|[($€£]*[\d.,]+[)%]*", cell)]
        if len(values) >= 2 and len(cells) > len(values) and 16 <= len(" ".join(cells)) <= 200:
            yield " ".join(cells)


# ---------------------------------------------------------------- raised digits

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def _raised(found: Drawn, pages: list[int], timeout: float) -> Iterator[Sample]:
    """Lines in which a digit is set smaller and higher than the character before it."""
    command = ["mutool", "draw", "-q", "-F", "stext", "-o", "-", str(found.path), ",".join(map(str, pages))]
    try:
        data = subprocess.run(command, capture_output=True, timeout=timeout, check=False).stdout
    except subprocess.TimeoutExpired:
        return
    root = _outside.parsed(data) if data else None
    for page, node in zip(pages, root.iter("page") if root is not None else (), strict=False):
        for line in node.iter("line"):
            text, groups = _raised_in(line)
            found.exponents.update((page, ends) for ends in _exponents(text, groups))
            yield from _in_line(page, text, groups)


def _raised_in(line: etree._Element) -> tuple[str, list[tuple[int, int]]]:
    """The text of a line, and the ranges of its raised digits."""
    characters = []
    for font in line.iter("font"):
        size = float(font.get("size", 0))
        characters += [(c.get("c", ""), size, float(c.get("y", 0)), float(c.get("x", 0))) for c in font.iter("char")]
    flags, base = [], None
    for char, size, y, x in characters:
        raised = (
            base is not None
            and char.isdigit()
            and size < 0.8 * base[1]
            and 0.15 * base[1] < base[2] - y < base[1]
            and x - base[3] < 3 * base[1]
        )
        flags.append(raised)
        base = base if raised else (char, size, y, x)
    text = "".join(c[0] for c in characters)
    groups = [m.span() for m in re.finditer("x+", "".join("x" if flag else "-" for flag in flags))]
    return text, groups if len(text) == len(flags) else []


def _exponents(text: str, groups: list[tuple[int, int]]) -> Iterator[str]:
    """The letters and digits up to each raised digit behind a number: whoever copies them flat says another number."""
    for start, end in groups:
        if text[:start].rstrip()[-1:].isdigit():
            yield key(text[:end])[-10:]


def _in_line(page: int, text: str, groups: list[tuple[int, int]]) -> Iterator[Sample]:
    if len(groups) != 1 or not 16 <= len(text.strip()) <= 200:
        return
    start, end = groups[0]
    before, digits, behind = text[:start].partition(" ")[2], text[start:end], text[end:].rpartition(" ")[0]
    text = before + digits + behind
    if re.search(r"(?<![\w.,])(?!1[5-9]\d\d$|20\d\d$)\d+$", before):  # behind a year it is a note mark
        forms = (
            f"{before}{digits.translate(_SUPERSCRIPTS)}{behind}",
            f"{before}^{digits}{behind}",
            f"{before}**{digits}{behind}",
        )
        yield Sample(page, text.strip(), tuple(form.strip() for form in forms), flat=text.strip())
    elif (
        re.search(r"[^\W\d_]{4,}[.,;:”\"]?$", before)
        and behind.strip()
        and len(digits) < 3
        and re.match(r"[ .,;:](?!\d)", behind)
    ):
        yield Sample(page, text.strip(), unmarked=f"{before}{behind}".strip())
