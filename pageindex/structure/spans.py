"""Headings with levels become sections with exact spans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pageindex.document import Edition, Position, Section, Span, TreeSource
from pageindex.limits import DEFAULT_LIMITS
from pageindex.structure.titles import clean
from pageindex.text.shown import kept_bytes

__all__ = ["Heading", "depths", "has_text", "page_label", "page_title", "sections"]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading that is in the tree, after all sources were asked.

    Attributes:
        title: As it will be shown.
        page, byte: Where its section's text begins.
        level: 1 is the top; only the order of levels means something.
        source: The source whose word put it here.
        sources: All that carry it.
        heading: Bytes of the printed heading on ``page``; None when it is not printed there.
    """

    title: str
    page: int
    byte: int
    level: int
    source: TreeSource
    sources: tuple[TreeSource, ...] = ()
    heading: tuple[int, int] | None = None


def depths(levels: Sequence[int], limit: int) -> list[int]:
    """Depth of each heading in a tree: one below the nearest earlier heading of a smaller level, at most ``limit``.

    Levels may start anywhere and jump; nothing is assumed of the first.
    """
    stack: list[int] = []
    found = []
    for level in levels:
        while stack and stack[-1] >= level:
            stack.pop()
        stack.append(level)
        found.append(min(len(stack), limit))
    return found


def sections(
    edition: Edition, headings: Sequence[Heading], depth_limit: int = DEFAULT_LIMITS.depth
) -> tuple[Section, ...]:
    """The top sections of the tree; pages before the first heading stand in a node of their own (source ``page``).

    Args:
        edition: What was read.
        headings: At least one, in any order; they are sorted by place, and keep their order where places are equal.
        depth_limit: Deeper headings are put at this depth.
    """
    ordered = sorted(headings, key=lambda heading: (heading.page, heading.byte))
    starts = _starts(edition, ordered)
    levels = depths([heading.level for heading in ordered], depth_limit)
    if starts[0] > Position(1, 0):
        last = Span(Position(1, 0), starts[0]).last_page
        ordered.insert(0, Heading(page_title(1, last), 1, 0, 0, TreeSource.PAGE, (TreeSource.PAGE,)))
        starts.insert(0, Position(1, 0))
        levels.insert(0, 1)
    return _nest(edition, ordered, starts, levels)


def _starts(edition: Edition, ordered: Sequence[Heading]) -> list[Position]:
    """Where each section begins: a heading with nothing but running lines above it takes its page from the first byte."""
    starts: list[Position] = []
    for heading in ordered:
        start = Position(heading.page, heading.byte)
        fresh = not starts or starts[-1].page < heading.page
        if fresh and heading.byte and not has_text(edition, Span(Position(heading.page, 0), start)):
            start = Position(heading.page, 0)
        starts.append(start)
    return starts


def has_text(edition: Edition, span: Span) -> bool:
    """Whether anything but running lines and white space stands in a span."""
    for number in span.pages:
        page = edition.page(number)
        data = page.data
        if any(data[low:high].strip() for low, high in kept_bytes(page, *span.on_page(number, len(data)))):
            return True
    return False


def _nest(
    edition: Edition, ordered: Sequence[Heading], starts: Sequence[Position], depth: Sequence[int]
) -> tuple[Section, ...]:
    """Build from the last heading to the first, so that children are there before their parents."""
    width = max(4, len(str(len(ordered))))
    waiting: dict[int, list[Section]] = {}  # children by depth, last first
    following: dict[int, Position] = {}  # start of the next section at each depth
    for index in range(len(ordered) - 1, -1, -1):
        level, heading = depth[index], ordered[index]
        end = min((at for d, at in following.items() if d <= level), default=edition.end)
        below = waiting.pop(level + 1, [])
        waiting.setdefault(level, []).append(
            _section(edition, heading, f"{index + 1:0{width}d}", Span(starts[index], end), tuple(reversed(below)))
        )
        following = {d: at for d, at in following.items() if d < level} | {level: starts[index]}
    return tuple(reversed(waiting[1]))


def _section(edition: Edition, heading: Heading, node_id: str, span: Span, children: tuple[Section, ...]) -> Section:
    return Section(
        node_id=node_id,
        title=clean(heading.title),
        span=span,
        source=heading.source,
        sources=tuple(source.value for source in heading.sources or (heading.source,)),
        printed=heading.heading is not None,
        heading=heading.heading,
        label=page_label(edition, span.start.page, span.last_page),
        children=children,
    )


def page_label(edition: Edition, first: int, last: int) -> str | None:
    """Printed numbers of a range of pages, such as ``iv-2``; None where they are unknown or the physical ones."""
    labels = [edition.page(number).label for number in (first, last)]
    if labels == [str(first), str(last)] or None in labels:
        return None
    return f"{labels[0]}-{labels[1]}" if last > first else labels[0]


def page_title(first: int, last: int) -> str:
    """The title of a node that has none of its own."""
    return f"Pages {first}-{last}" if last > first else f"Page {first}"
