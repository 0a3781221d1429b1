"""The section tree: nested, ordered, and covering every byte of every page exactly once per level."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from pageindex.document.edition import Note
from pageindex.document.position import Position, Span

__all__ = ["MergedHeading", "Section", "Tree", "TreeError", "TreeSource"]


class TreeError(ValueError):
    """A tree that breaks one of its invariants. Always a fault of the code that built it, never of the document."""


class TreeSource(StrEnum):
    """The source that put a section into the tree."""

    BOOKMARK = "bookmark"
    TAG = "tag"
    CONTENTS = "contents"
    LAYOUT = "layout"
    MODEL = "model"
    PAGE = "page"  # the fallback: a stretch of pages under no heading


@dataclass(frozen=True, slots=True)
class MergedHeading:
    """The heading of a subsection that was folded into its parent: still findable, with its physical page."""

    title: str
    page: int


@dataclass(frozen=True, slots=True)
class Section:
    """One section.

    Attributes:
        node_id: Zero-padded number in document order.
        title: The heading, without line breaks.
        span: From the first byte of its heading up to the first byte of what follows its last subsection.
        source: The source that put it here.
        sources: All sources that carry it, ``source`` included.
        printed: Whether the heading was found as a line on the section's first page.
        heading: The bytes of the printed heading on the first page, as ``(start, end)``; None when it is not printed.
        label: Printed page numbers, such as ``iv-2``, where they differ from the physical ones.
        children: Subsections in order.
        merged: Headings of former subsections that now are part of this section's own text, in order.
    """

    node_id: str
    title: str
    span: Span
    source: TreeSource
    sources: tuple[str, ...] = ()
    printed: bool = False
    heading: tuple[int, int] | None = None
    label: str | None = None
    children: tuple[Section, ...] = ()
    merged: tuple[MergedHeading, ...] = ()

    @property
    def start(self) -> Position:
        return self.span.start

    @property
    def end(self) -> Position:
        return self.span.end

    @property
    def start_index(self) -> int:
        """First physical page, 1-based."""
        return self.span.start.page

    @property
    def end_index(self) -> int:
        """Last physical page, inclusive."""
        return self.span.last_page

    @property
    def own_span(self) -> Span:
        """The section's text before its first child: all of it for a leaf."""
        return Span(self.start, self.children[0].start) if self.children else self.span

    def walk(self, level: int = 1) -> Iterator[tuple[Section, int]]:
        """The section and all below it in document order, each with its level (1 is the top)."""
        stack = [(self, level)]
        while stack:
            section, depth = stack.pop()
            yield section, depth
            stack.extend((child, depth + 1) for child in reversed(section.children))


@dataclass(frozen=True)
class Tree:
    """The sections of one edition.

    The constructor asserts that sections are ordered, nested and without gaps: the top sections cover the document from its first
    byte to its last, the children of a section cover it from the first child's start to the section's end, and node ids are unique.

    Attributes:
        edition: Id of the edition.
        title: The document's own title; empty when none was found.
        language: BCP 47 primary tag guessed from the text, or empty.
        sections: The top level.
        end: The position behind the last byte of the last page.
        toc_source: The source that gave the frame.
        notes: Entries that were dropped, repaired or doubted, each with its reason.
        confidence: How well the headings are expected to agree with those the document's makers would list (F1, 0-1), where they were
            found in what is printed; None where the document says itself what its headings are.
    """

    edition: str
    title: str
    sections: tuple[Section, ...]
    end: Position
    toc_source: TreeSource
    language: str = ""
    notes: tuple[Note, ...] = field(default=())
    confidence: float | None = None

    def __post_init__(self) -> None:
        if not self.sections:
            raise TreeError("a tree has at least one section")
        if self.sections[0].start != Position(1, 0):
            raise TreeError(f"the tree begins at {self.sections[0].start}, not at the first byte of page 1")
        self._assert_siblings(self.sections, self.end)
        seen: set[str] = set()
        for section, _ in self.walk():
            if section.node_id in seen:
                raise TreeError(f"node id {section.node_id} is used twice")
            seen.add(section.node_id)
            if section.children:
                if section.children[0].start < section.start:
                    raise TreeError(f"{section.node_id}: its first child begins before it")
                self._assert_siblings(section.children, section.end)

    @staticmethod
    def _assert_siblings(sections: tuple[Section, ...], end: Position) -> None:
        for section, following in zip(sections, [*(s.start for s in sections[1:]), end], strict=True):
            if section.end < section.start:
                raise TreeError(f"{section.node_id} ends before it begins")
            if section.end != following:
                raise TreeError(f"{section.node_id} ends at {section.end}, but {following} follows")

    def walk(self) -> Iterator[tuple[Section, int]]:
        """All sections in document order, each with its level (1 is the top)."""
        for section in self.sections:
            yield from section.walk()

    @cached_property
    def by_id(self) -> dict[str, Section]:
        return {section.node_id: section for section, _ in self.walk()}

    @cached_property
    def by_page(self) -> dict[int, tuple[Section, ...]]:
        """The sections that begin on each page, in document order; pages on which none begins are not in it."""
        found: dict[int, list[Section]] = {}
        for section, _ in self.walk():
            found.setdefault(section.start.page, []).append(section)
        return {page: tuple(sections) for page, sections in found.items()}

    @cached_property
    def parents(self) -> dict[str, str | None]:
        """Node id of each section's parent; None at the top."""
        parents: dict[str, str | None] = {section.node_id: None for section in self.sections}
        for section, _ in self.walk():
            parents.update((child.node_id, section.node_id) for child in section.children)
        return parents

    def path(self, node_id: str) -> tuple[Section, ...]:
        """From the top section down to the one named; raises KeyError when there is none."""
        path = [self.by_id[node_id]]
        while (parent := self.parents[path[-1].node_id]) is not None:
            path.append(self.by_id[parent])
        return tuple(reversed(path))

    def at(self, position: Position) -> Section:
        """The deepest section that holds a position."""
        found, level = None, self.sections
        while True:
            inner = next((s for s in level if s.start <= position < s.end), None)
            if inner is None:
                return found if found is not None else self.sections[-1]
            found, level = inner, inner.children
