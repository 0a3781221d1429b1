"""PDFs with headings, contents pages and outlines, and the trees they become."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from reportlab.pdfbase.pdfmetrics import stringWidth

from pageindex.document import Edition, Section, Tree, TreeSource
from pageindex.reading import read_bytes
from pageindex.structure import build_tree
from tests.support.pdf import Text, draw, paragraph

LEFT, RIGHT, BOLD = 72.0, 540.0, "Helvetica-Bold"

#: Titles of five chapters.
NAMES = [
    "Origins of the survey",
    "How figures were collected",
    "What the members said",
    "Costs and staffing",
    "The long plan",
]


@dataclass
class Pages:
    """Pages under construction; every item is put below the one before it."""

    pages: list[list[Text]] = field(default_factory=list)
    y: float = 0.0

    def page(self) -> Pages:
        """Begin a page."""
        self.pages.append([])
        self.y = 90.0
        return self

    def heading(self, text: str, size: float = 16.0, font: str = BOLD) -> Pages:
        """A heading with white above and below it."""
        self.y += 14
        self.pages[-1].append(Text(LEFT, self.y, text, size, font))
        self.y += size + 10
        return self

    def body(self, lines: int = 8) -> Pages:
        """A paragraph unlike any other."""
        seed = sum(map(len, self.pages)) * 31 + len(self.pages) * 17
        self.pages[-1] += paragraph(LEFT, self.y, lines, seed=seed)
        self.y += lines * 12.5 + 8
        return self

    def at(self, x: float, y: float, text: str, size: float = 10.0, font: str = "Helvetica") -> Pages:
        """A line anywhere."""
        self.pages[-1].append(Text(x, y, text, size, font))
        return self

    def folio(self, text: str) -> Pages:
        """A page number at the foot."""
        return self.at(300, 760, text, 9)

    def entry(
        self, title: str, label: str, *, indent: float = 0, dots: int | None = None, font: str = "Helvetica"
    ) -> Pages:
        """A row of contents: the number stands right; ``dots``: how many leader dots, None for as many as fit."""
        width = stringWidth(label, "Helvetica", 10)
        left = LEFT + indent
        free = RIGHT - width - 4 - left - stringWidth(title + " ", font, 10)
        count = int(free / stringWidth(".", font, 10)) if dots is None else dots
        self.at(left, self.y, f"{title} {'.' * count}" if count else title, 10, font)
        self.at_right(RIGHT, self.y, label)
        self.y += 14
        return self

    def at_right(self, x: float, y: float, text: str, size: float = 10.0) -> Pages:
        """A line that ends at ``x``. A space goes before it, as in most files: PDFium glues a lone digit to the word before it."""
        return self.at(x - stringWidth(" " + text, "Helvetica", size), y, " " + text, size)

    def pdf(self) -> bytes:
        return draw(*self.pages)


def edition_of(data: bytes) -> Edition:
    return read_bytes(data, "made.pdf")


def tree_of(data: bytes) -> Tree:
    return build_tree(edition_of(data))


def found(tree: Tree) -> list[tuple[str, int, int]]:
    """``(title, first page, level)`` of all headings, page nodes left out."""
    return [(s.title, s.start_index, level) for s, level in tree.walk() if s.source is not TreeSource.PAGE]


def titles(tree: Tree) -> list[str]:
    return [title for title, _, _ in found(tree)]


def named(tree: Tree, title: str) -> Section:
    """The only section of a title."""
    hits = [section for section, _ in tree.walk() if section.title == title]
    assert len(hits) == 1, f"{title}: {len(hits)} of {titles(tree)}"
    return hits[0]


def codes(tree: Tree) -> list[str]:
    return [note.code for note in tree.notes]


def chapters(names: Sequence[str], *, pages: Pages | None = None, each: int = 1) -> Pages:
    """A chapter on a new page for each name, ``each`` pages long."""
    made = pages or Pages()
    for name in names:
        made.page().heading(name).body().body()
        for _ in range(each - 1):
            made.page().body().body()
    return made
