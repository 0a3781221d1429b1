"""The section tree as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pageindex.cli.screen import Screen, fit, pad, printable, text_width
from pageindex.document import Section

if TYPE_CHECKING:
    from pageindex.app.document import OpenDocument

__all__ = ["Row", "outline_lines", "outline_rows"]


@dataclass(frozen=True, slots=True)
class Row:
    """One section of the outline.

    Attributes:
        section: The section.
        guide: The lines that lead to it from its parents, ready to print.
        hidden: Sections below it that the depth leaves out.
        tokens: Estimated tokens of its whole text.
        label: Printed numbers of its first and last page, where they differ from the physical ones.
    """

    section: Section
    guide: str
    hidden: int
    tokens: int
    label: str = ""


def outline_rows(document: OpenDocument, depth: int = 0) -> list[Row]:
    """The outline down to a depth (0 is all of it), in document order."""
    tree, extent = document.tree, document.extent
    rows: list[Row] = []
    stack = [(section, "", index == len(tree.sections) - 1, 1) for index, section in enumerate(tree.sections)]
    stack.reverse()
    while stack:
        section, lead, last, level = stack.pop()
        cut = bool(depth) and level >= depth
        hidden = sum(1 for _ in section.walk()) - 1 if cut else 0
        rows.append(
            Row(
                section,
                lead + ("└─ " if last else "├─ "),
                hidden,
                extent.tokens(section.span),
                _label(section, document),
            )
        )
        if not cut:
            inner = lead + ("   " if last else "│  ")
            below = [(child, inner, index == len(section.children) - 1, level + 1) for index, child in enumerate(section.children)]  # fmt: skip
            stack.extend(reversed(below))
    return rows


def _label(section: Section, document: OpenDocument) -> str:
    """With an en dash, since labels such as ``3-1`` hold hyphens."""
    first, last = (document.edition.page(number).label for number in (section.start_index, section.end_index))
    if section.label is None or first is None or last is None:
        return section.label or ""
    return first if first == last else f"{first}–{last}"


def outline_lines(rows: list[Row], screen: Screen) -> Iterator[str]:
    """Title on the left; node id, pages, printed labels and tokens in columns on the right."""
    cells = [(row.section.node_id, _pages(row.section), row.label, f"≈{row.tokens:,}") for row in rows]
    labelled = any(label for _, _, label, _ in cells)
    widths = [max(text_width(cell[index]) for cell in [("id", "pages", "label", "tokens"), *cells]) for index in range(4)]  # fmt: skip
    used = sum(widths[index] + 2 for index in range(4) if index != 2 or labelled)
    titles = [_title(row) for row in rows]
    room = max(text_width(row.guide) + text_width(title) for row, title in zip(rows, titles, strict=True))
    if screen.width is not None:
        room = max(24, min(room, screen.width - used))
    yield screen.paint(_line(pad("section", room), ("id", "pages", "label", "tokens"), widths, labelled), "dim")
    for row, title, cell in zip(rows, titles, cells, strict=True):
        space = room - text_width(row.guide)
        shown = fit(title, space) if screen.width is not None else title
        left = screen.paint(row.guide, "dim") + screen.paint(shown, "" if row.section.printed else "yellow")
        left += " " * max(0, space - text_width(shown))
        yield left + screen.paint(_line("", cell, widths, labelled), "dim")


def _line(left: str, cells: tuple[str, str, str, str], widths: list[int], labelled: bool) -> str:
    shown = [pad(cells[0], widths[0]), pad(cells[1], widths[1], right=True)]
    if labelled:
        shown.append(pad(cells[2], widths[2], right=True))
    shown.append(pad(cells[3], widths[3], right=True))
    return "  ".join([left, *shown]) if left else "  " + "  ".join(shown)


def _pages(section: Section) -> str:
    first, last = section.start_index, section.end_index
    return str(first) if first == last else f"{first}-{last}"


def _title(row: Row) -> str:
    title = printable(row.section.title) or "(untitled)"
    return f"{title}  (+{row.hidden})" if row.hidden else title
