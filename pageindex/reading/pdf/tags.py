"""Heading tags of a tagged PDF: H, H1 to H6 and Title, after the file's own role map, tied to the lines they mark."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, field

from pageindex.document import HeadingTag, Line, Note
from pageindex.limits import Limits
from pageindex.reading.pdf.api import api, handle, wide_string

__all__ = ["TagReader"]

MOST_ELEMENTS = 50_000  #: Of the structure tree of one page.
FEW_CHILDREN = 64  #: So many children are looked at one by one on every page.
PAGES_WITHOUT = (
    30  #: After so many pages of text without a heading tag, tags are given up: the file marks paragraphs only.
)

#: Elements inside which no heading stands; most of a page's elements are of these kinds.
_LEAVES = frozenset(
    ("P", "Span", "Link", "Figure", "Formula", "Table", "Caption", "Lbl", "Note", "Reference", "Code", "Annot")
)

_KIND = ctypes.create_string_buffer(128)

_LEVELS = {"Title": 0, "H1": 1, "H2": 2, "H3": 3, "H4": 4, "H5": 5, "H6": 6}


@dataclass
class TagReader:
    """Collects heading tags page by page. ``coverage`` is the share of the characters that stand in marked content."""

    limits: Limits
    tags: list[HeadingTag] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    active: bool = True
    _marked: int = 0
    _total: int = 0
    _barren: int = 0
    _places: dict[tuple[int, int], int] = field(
        default_factory=dict
    )  # by depth and number of children: the last one found

    @property
    def coverage(self) -> float:
        return round(self._marked / self._total, 4) if self._total else 0.0

    def read(self, page: int, number: int, lines: Sequence[Line], objects: Sequence[int | None]) -> None:
        """Read the tags of a loaded page; ``objects`` holds the text object in which each line begins."""
        if not self.active or not lines:
            return
        by_mark = self._lines_by_mark(lines, objects)
        tree = api.FPDF_StructTree_GetForPage(page) if by_mark else None
        before = len(self.tags)
        if tree:
            try:
                self._walk(tree, number, lines, by_mark)
            finally:
                api.FPDF_StructTree_Close(tree)
        self._barren = 0 if len(self.tags) > before else self._barren + 1
        if self._barren >= PAGES_WITHOUT and not self.tags:
            self.active = False

    def _lines_by_mark(self, lines: Sequence[Line], objects: Sequence[int | None]) -> dict[int, list[int]]:
        by_mark: dict[int, list[int]] = {}
        marks = map(api.FPDFPageObj_GetMarkedContentID, map(handle, objects))  # -1 without one, and for no object
        for index, (line, mark) in enumerate(zip(lines, marks, strict=True)):
            length = len(line.text)
            self._total += length
            if mark >= 0:
                self._marked += length
                by_mark.setdefault(mark, []).append(index)
        return by_mark

    def _walk(self, tree: int, number: int, lines: Sequence[Line], by_mark: dict[int, list[int]]) -> None:
        count = min(api.FPDF_StructTree_CountChildren(tree), MOST_ELEMENTS)
        roots = [api.FPDF_StructTree_GetChildAtIndex(tree, i) for i in range(count)]
        stack = [(element, 0) for element in reversed(roots) if element]
        looked = 0
        while stack and looked < MOST_ELEMENTS:
            element, depth = stack.pop()
            looked += 1
            kind = _kind(element)
            level = _LEVELS.get(kind)
            if kind == "H":
                level = max(depth, 1)
            if level is not None:
                self._add(element, level, number, lines, by_mark)
                continue
            inside = depth + (kind in ("Sect", "Art", "Part", "Div"))
            if depth > self.limits.depth or kind in _LEAVES:
                continue
            found = self._children(element, depth)
            stack.extend((child, inside) for child in reversed(found))

    def _children(self, element: int, depth: int) -> list[int]:
        """The children of an element on this page. An element of many pages lists all of them on each, those of other pages as
        null; so the search goes on where it ended on the page before."""
        count = min(api.FPDF_StructElement_CountChildren(element), MOST_ELEMENTS)
        start = self._places.get((depth, count), 0) if count > FEW_CHILDREN else 0
        found: list[int] = []
        nulls, last = 0, start
        for index in (*range(start, count), *range(start)):
            child = api.FPDF_StructElement_GetChildAtIndex(element, index)
            if child:
                found.append(child)
                nulls, last = 0, index
            else:
                nulls += 1
                if found and nulls >= FEW_CHILDREN:
                    break
        self._places[depth, count] = last
        return found

    def _add(self, element: int, level: int, number: int, lines: Sequence[Line], by_mark: dict[int, list[int]]) -> None:
        marks = _marks(element)
        places: list[int] = []
        for mark in marks:
            places.extend(by_mark.get(mark, ()))
        title = wide_string(api.FPDF_StructElement_GetActualText, element, limit=4096).strip()
        if places:
            title = title or " ".join(lines[i].text for i in sorted(set(places)))
        elif not title:
            return  # its text is on another page, or was never printed
        start = lines[min(places)].start if places else None
        self.tags.append(HeadingTag(title, level, number, start))


def _kind(element: int) -> str:
    size = api.FPDF_StructElement_GetType(element, _KIND, len(_KIND))
    return _KIND.raw[: size - 2].decode("utf-16-le", "ignore") if 2 < size <= len(_KIND) else ""


def _marks(element: int) -> list[int]:
    """Marked-content numbers below an element."""
    marks: list[int] = []
    stack, looked = [element], 0
    while stack and looked < 1000:
        current = stack.pop()
        looked += 1
        for index in range(min(api.FPDF_StructElement_CountChildren(current), 1000)):
            mark = api.FPDF_StructElement_GetChildMarkedContentID(current, index)
            if mark >= 0:
                marks.append(mark)
            elif child := api.FPDF_StructElement_GetChildAtIndex(current, index):
                stack.append(child)
    return marks
