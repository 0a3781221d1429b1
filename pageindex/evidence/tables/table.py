"""A table of a page, and how its rows and columns are found by their labels."""

from __future__ import annotations

from dataclasses import dataclass

from pageindex.document import Box
from pageindex.evidence.tables.cells import Cell
from pageindex.text.folding import fold, skeleton_text

__all__ = ["Column", "Table", "TableRow"]

SECTION_MARK = " › "


@dataclass(frozen=True)
class Column:
    """A band of values: its horizontal extent and its headers from top to bottom."""

    x0: float
    x1: float
    headers: tuple[str, ...] = ()

    @property
    def header(self) -> str:
        return " ".join(self.headers)


@dataclass(frozen=True)
class TableRow:
    """A row of a table: label, the sections it stands in (outermost first), one cell or None per column, its box, the label's cells."""

    label: str
    sections: tuple[str, ...]
    cells: tuple[Cell | None, ...]
    box: Box
    label_cells: tuple[Cell, ...] = ()

    @property
    def path(self) -> str:
        return SECTION_MARK.join((*self.sections, self.label))


@dataclass(frozen=True)
class Table:
    """A table of one page. Derived from positions: its cells are quotable by their bytes, the grid itself is not."""

    page: int
    columns: tuple[Column, ...]
    rows: tuple[TableRow, ...]

    def find_rows(self, label: str) -> list[TableRow]:
        """Rows whose label, or label with sections, is the one given; failing that, rows whose label begins with it."""
        wanted = _key(label)
        if not wanted:
            return []
        same = [row for row in self.rows if wanted in (_key(row.label), _key(row.path), *_partial_paths(row))]
        return same or [row for row in self.rows if _key(row.label).startswith(wanted)]

    def find_columns(self, name: str) -> list[int]:
        """Indexes of the columns meant by a header: the same as one of its parts or as the whole, else one that holds all its words."""
        wanted = _key(name)
        if not wanted:
            return []
        whole = [i for i, c in enumerate(self.columns) if _key(c.header) == wanted]
        part = [i for i, c in enumerate(self.columns) if any(_key(h) == wanted for h in c.headers)]
        words = [skeleton_text(word) for word in fold(name).text.split()]
        holding = [i for i, c in enumerate(self.columns) if c.headers and all(w in _words(c.header) for w in words)]
        return whole or part or holding


def _key(text: str) -> str:
    return skeleton_text(fold(text.replace("›", " ").replace(">", " ")).text).rstrip(".:")


def _partial_paths(row: TableRow) -> list[str]:
    parts = (*row.sections, row.label)
    return [_key(" ".join(parts[i:])) for i in range(1, len(parts))]


def _words(text: str) -> set[str]:
    return {skeleton_text(word).strip(",.;:()") for word in fold(text).text.split()} | {
        skeleton_text(word) for word in fold(text).text.split()
    }
