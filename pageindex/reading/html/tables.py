"""Which cells of an HTML page hold data, and which lay it out: a page in a table is still a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turbohtml import Document, Element

__all__ = ["layout_cells"]

_STRUCTURE = "h1, h2, h3, h4, h5, h6, [role=heading], table, ul, ol, dl, pre, blockquote"
LONGEST_DATA = 600  #: Characters of a cell of data with several paragraphs.


def layout_cells(document: Document) -> frozenset[Element]:
    """The cells whose blocks stand one below the other: with headings, lists or tables in them, alone in their row, or long."""
    from turbohtml import Element

    found: set[Element] = set()
    for element in document.select(_STRUCTURE):
        parent = element.parent
        while isinstance(parent, Element):
            if parent.tag in ("td", "th"):
                if parent in found:
                    break
                found.add(parent)
            parent = parent.parent
    for row in document.find_all("tr"):
        cells = [cell for cell in row.children if isinstance(cell, Element) and cell.tag in ("td", "th")]
        sizes = {cell: len(cell.text.strip()) for cell in cells if cell not in found}
        alone = sum(size > 0 for size in sizes.values()) + sum(cell in found for cell in cells) == 1
        found.update(
            cell
            for cell, size in sizes.items()
            if (alone and size) or (size > LONGEST_DATA and len(list(cell.select("p, div"))) > 1)
        )
    return frozenset(found)
