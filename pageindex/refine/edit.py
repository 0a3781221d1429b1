"""Trees are immutable; these functions make changed copies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from pageindex.document import Edition, Position, Section, Span, Tree, TreeSource

__all__ = ["Heading", "label_of", "mapped", "nested", "renumbered", "start_of", "with_sections"]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading that has been admitted: its title as printed, where its text begins, its line, and its level."""

    title: str
    start: Position
    line: tuple[int, int]
    level: int


def mapped(sections: Sequence[Section], change: Callable[[Section], Section]) -> tuple[Section, ...]:
    """Apply a change to every section, children before parents: ``change`` gets a section whose children are changed already."""
    done: dict[int, Section] = {}
    every = [inner for section in sections for inner, _ in section.walk()]
    for section in reversed(every):
        children = tuple(done.pop(id(child)) for child in section.children)
        done[id(section)] = change(section if children == section.children else replace(section, children=children))
    return tuple(done[id(section)] for section in sections)


def with_sections(tree: Tree, sections: Sequence[Section]) -> Tree:
    """The tree with other sections; its constructor asserts that they cover the document."""
    return replace(tree, sections=tuple(sections))


def renumbered(sections: Sequence[Section]) -> tuple[tuple[Section, ...], dict[str, str]]:
    """The sections numbered anew in document order, and the new id of each old one."""
    every = [inner for section in sections for inner, _ in section.walk()]
    width = max(4, len(str(len(every))))
    ids = {section.node_id: f"{number:0{width}d}" for number, section in enumerate(every, start=1)}
    return mapped(sections, lambda section: replace(section, node_id=ids[section.node_id])), ids


def start_of(edition: Edition, page: int, byte: int) -> Position:
    """Where a section begins whose heading stands at a byte: the top of the page when only running lines stand above it."""
    above, at = edition.page(page).data[:byte], 0
    for first, last in sorted(edition.page(page).running):
        if above[at : max(at, first)].strip():
            return Position(page, byte)
        at = max(at, last)
    return Position(page, byte if above[at:].strip() else 0)


def nested(edition: Edition, headings: Sequence[Heading], end: Position, prefix: str) -> tuple[Section, ...]:
    """Sections from headings in order: levels count only by their order, whatever the first is, as with any outline.

    ``end`` is where the last of them ends; ids begin with ``prefix`` and are unique below it.
    """
    depths: list[int] = []
    stack: list[int] = []
    for heading in headings:
        while stack and stack[-1] >= heading.level:
            stack.pop()
        stack.append(heading.level)
        depths.append(len(stack))
    below: dict[int, list[Section]] = {}
    ends: dict[int, Position] = {}
    for index in range(len(headings) - 1, -1, -1):
        depth, heading = depths[index], headings[index]
        stop = min((at for d, at in ends.items() if d <= depth), default=end)
        children = tuple(reversed(below.pop(depth + 1, [])))
        section = _section(edition, heading, f"{prefix}{index + 1}", Span(heading.start, stop), children)
        below.setdefault(depth, []).append(section)
        ends = {d: at for d, at in ends.items() if d < depth} | {depth: heading.start}
    return tuple(reversed(below.get(1, [])))


def _section(edition: Edition, heading: Heading, node_id: str, span: Span, children: tuple[Section, ...]) -> Section:
    return Section(
        node_id=node_id,
        title=heading.title,
        span=span,
        source=TreeSource.MODEL,
        sources=(TreeSource.MODEL.value,),
        printed=True,
        heading=heading.line,
        label=label_of(edition, span),
        children=children,
    )


def label_of(edition: Edition, span: Span) -> str | None:
    """Printed numbers of a span's pages, such as ``iv-2``; None where they are unknown or the physical ones."""
    first, last = (edition.page(number).label for number in (span.start.page, span.last_page))
    if first is None or last is None or (first, last) == (str(span.start.page), str(span.last_page)):
        return None
    return first if first == last else f"{first}-{last}"
