"""What scripted answers are made of: sentences and figures of real documents, cut with poppler and MuPDF, never with the package that is measured."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from benchmarks import _outside, _printed_tables
from benchmarks._claims import Fact, facts

FILES = {
    "en": (
        "qa/pdf/ULTABEAUTY_2023Q4_EARNINGS.pdf",
        "qa/pdf/AMCOR_2023Q4_EARNINGS.pdf",
        "qa/pdf/PEPSICO_2023Q1_EARNINGS.pdf",
        "dev2/orig/report-en-market-analysis-1-116518.pdf",
        "dev2/orig/report-en-annual-report-1-1b21a7.pdf",
        "dev/orig/filing-en-generalmills-2023-annualreport-48a68f.pdf",
        "dev/orig/filing-en-verizon-2022-10k-403d73.pdf",
        "dev/orig/filing-en-lockheedmartin-2022-10k-9a2317.pdf",
    ),
    "fr": ("dev2/orig/legal-fr-constitution-5bb526.pdf",),
    "de": ("dev2/orig/thesis-de-bachelorarbeit-dcd639.pdf",),
    "es": ("dev2/orig/report-es-automalize-tfg-0f95cd.pdf",),
    "zh": ("dev2/orig/report-zh-report-355293.pdf", "dev2/orig/report-zh-review-921480.pdf"),
    "ar": ("dev/orig/intl-ar-quran-doc-1e7406.pdf",),
}
_SENTENCE = re.compile(r"(?<![^\s])[A-ZÉÀÄÖÜ¡¿][^.!?;:•|\"“”«»„()\[\]*_`<>\u201a]{50,230}\.(?=\s|$)")
_HAN = re.compile(r"[\u4e00-\u9fff，、]{16,60}(?=。)")
_ARABIC = re.compile(r"[\u0600-\u06ff ]{40,120}")
_INITIALS = re.compile(r"\b(?:[A-Z]|Mr|Mrs|Dr|Inc|Corp|No|vs|St|U\.S)\.")


@dataclass(frozen=True)
class Stretch:
    """Words that stand on a page, in one paragraph."""

    page: int
    text: str

    @property
    def words(self) -> list[str]:
        return self.text.split()


@dataclass(frozen=True)
class Material:
    """A document and what answers about it are made of.

    Attributes:
        near: Two stretches of one page.
        far: A stretch of another page.
        foreign: A stretch of another document of the same language, or of an English one.
        unread: A stretch of a page that the scripted model does not read.
        numbered: A sentence that holds a figure.
        fact: A figure with its row and year, where the document has tables of years.
        pages: Text of every page.
        vocabulary: Words of the document.
    """

    path: Path
    language: str
    near: tuple[Stretch, Stretch]
    far: Stretch
    unread: Stretch
    foreign: Stretch
    numbered: Stretch | None
    fact: Fact | None
    pages: tuple[str, ...]
    vocabulary: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def read(self) -> str:
        """The pages that are read, as a tool takes them."""
        wanted = {self.near[0].page, self.far.page}
        wanted |= {self.numbered.page} if self.numbered else set()
        wanted |= {self.fact.page.number} if self.fact else set()
        return ",".join(map(str, sorted(wanted)))


def materials(corpus: Path, variants: int, seed: int) -> Iterator[Material]:
    """``variants`` draws from each document; a document without enough stretches gives none."""
    drawn = {corpus / name: language for language, names in FILES.items() for name in names}
    texts = {path: tuple(_outside.page_texts(path)) for path in drawn}
    cut = {path: stretches(path, texts[path], language) for path, language in drawn.items()}
    for path, language in drawn.items():
        rng = random.Random(f"{seed}{path.name}")
        others = [p for p, lang in drawn.items() if p != path and lang == language and cut[p]]
        others = others or [p for p, lang in drawn.items() if lang == "en"]
        figures = _figures(path, rng)
        for number in range(variants):
            foreign = rng.choice(cut[rng.choice(others)])
            fact = figures[number % len(figures)] if figures else None
            made = _material(path, language, texts[path], cut[path], foreign, fact, rng)
            if made:
                yield made


def _figures(path: Path, rng: random.Random) -> list[Fact]:
    if not _printed_tables.is_filing(path):
        return []
    found = [facts(page) for page in _printed_tables.pages(path, 4, rng)]
    named = [[fact for fact in some if len(fact.label.split()) > 1] for some in found]
    return [rng.choice(some) for some in named if some]


def _material(
    path: Path,
    language: str,
    pages: tuple[str, ...],
    cut: list[Stretch],
    foreign: Stretch,
    fact: Fact | None,
    rng: random.Random,
) -> Material | None:
    pairs = [(a, b) for a, b in pairwise(cut) if a.page == b.page and a.text != b.text]
    if not pairs:
        return None
    near = rng.choice(pairs)
    rest = [s for s in cut if s.page != near[0].page]
    if len({s.page for s in rest}) < 3:
        return None
    far = rng.choice(rest)
    figures = [s for s in cut if re.search(r"(?<![\w.,])\d[\d.,]+", s.text)]
    numbered = rng.choice(figures) if figures else None
    known = {near[0].page, far.page, numbered.page if numbered else 0, fact.page.number if fact else 0}
    closed = [s for s in rest if s.page not in known]
    if not closed:
        return None
    words = sorted({w for text in pages for w in re.findall(r"(?<![\w-])[^\W\d_]{4,12}(?![\w-])", text)})
    unread = rng.choice(closed)
    return Material(path, language, near, far, unread, foreign, numbered, fact, pages, tuple(words))


def stretches(path: Path, pages: tuple[str, ...], language: str) -> list[Stretch]:
    """Whole sentences (in Arabic: runs of words) that both outside readers give in this order, once in the document."""
    seen = {sheet.number: _solid(sheet) for sheet in _outside.sheets(path, list(range(1, len(pages) + 1)))}
    everything = _outside.solid("".join(pages))
    found = []
    for number, text in enumerate(pages, start=1):
        for part in _outside.paragraphs(text):
            joined = ("" if language == "zh" else " ").join(part.split("\n"))
            if re.search(r"[-\u2010\u00ad]\n", part) or "\u200b" in part:
                continue
            for match in _shape(language).finditer(joined):
                words = " ".join(match[0].split())
                solid = _outside.solid(words)
                enough = language in ("zh", "ar") or len(words.split()) >= 10
                once = everything.count(solid) == 1
                if enough and once and solid in seen.get(number, "") and not _INITIALS.search(words):
                    found.append(Stretch(number, words.strip()))
    return found


def _shape(language: str) -> re.Pattern[str]:
    return {"zh": _HAN, "ar": _ARABIC}.get(language, _SENTENCE)


def _solid(sheet: _outside.Sheet) -> str:
    return "".join(_outside.solid(line.text) for line in sheet.lines)
