"""An outline in slices: never more than the budget, and every section reachable.

A slice is the deepest whole number of levels below a section that fits the budget. Sections whose children are left out say how many
there are, and are opened by their id. Where not even one level fits, it is cut into parts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pageindex.document import Section, Summary, Tree
from pageindex.errors import NotFoundError, PageRangeError
from pageindex.refine.entry import entry_tokens, outline_entry
from pageindex.text.extent import Extent
from pageindex.text.near import near_names

__all__ = ["Outline", "OutlineSlice"]

_PARENT = 8  # tokens of "parent_id" on an entry whose parent stands in an earlier part


@dataclass(frozen=True, slots=True)
class OutlineSlice:
    """What one call shows.

    Attributes:
        nodes: Nested entries: ``{title, node_id, start_index, end_index, label?, tokens, summary?, summary_note?, nodes?, children?}``;
            ``children`` counts
            the subsections of an entry whose own are left out, ``parent_id`` names the parent of one whose parent stands in an earlier part.
        part, total_parts: 1-based.
        levels: Levels shown below the section asked for.
        closed: Entries whose subsections are left out.
        summaries: Whether summaries are shown.
        tokens: What the entries cost.
    """

    nodes: Sequence[dict[str, Any]]
    part: int
    total_parts: int
    levels: int
    closed: int
    summaries: bool
    tokens: int


@dataclass(frozen=True)
class Outline:
    """The outline of one tree.

    Attributes:
        tree: Its sections.
        extent: Prices the sections' texts.
        summaries: By node id; may be empty.
    """

    tree: Tree
    extent: Extent
    summaries: Mapping[str, Summary]

    def slice(
        self,
        budget: int,
        *,
        node_id: str | None = None,
        depth: int | None = None,
        part: int = 1,
        summaries: bool = True,
    ) -> OutlineSlice:
        """A slice of at most ``budget`` tokens.

        Args:
            node_id: The section whose subsections to show; None for the whole document.
            depth: Most levels to show; None for as many as fit.
            part: 1-based, where one slice is not enough.
            summaries: Whether to show them; they are left out when that lets more levels in.

        Raises:
            NotFoundError: No such section (its details hold near ids).
            PageRangeError: No such part (PART_OUT_OF_RANGE).
        """
        top = self._children(node_id)
        if not top:
            return OutlineSlice((), 1, 1, 0, 0, summaries, 0)
        rows = self._rows(top)
        deepest = max(level for _, level in rows)
        wanted = deepest if depth is None else max(1, min(depth, deepest))
        costs = self._full if summaries else self._bare
        bare = self._bare
        shown, level = self._fitting(rows, wanted, budget, costs, bare)
        prices = costs if shown and summaries else bare
        visible = [(section, at) for section, at in rows if at <= level]
        parts = _pack(visible, budget, prices)
        if not 1 <= part <= len(parts):
            raise PageRangeError(
                f"there is no part {part} of {len(parts)}", f"Ask for parts 1-{len(parts)}.", code="PART_OUT_OF_RANGE"
            )
        chosen = parts[part - 1]
        nodes = self._nest(chosen, level, shown=shown and summaries)
        closed = sum(at == level and bool(section.children) for section, at in chosen)
        cost = sum(prices[section.node_id] for section, _ in chosen)
        return OutlineSlice(nodes, part, len(parts), level, closed, shown and summaries, cost)

    def _children(self, node_id: str | None) -> tuple[Section, ...]:
        if node_id is None:
            return self.tree.sections
        section = self.tree.by_id.get(node_id)
        if section is None:
            near = near_names(node_id, self.tree.by_id)
            raise NotFoundError(f"there is no section {node_id!r}", "Take an id from the outline.", near=near)
        return section.children

    @staticmethod
    def _rows(top: Sequence[Section]) -> list[tuple[Section, int]]:
        return [row for section in top for row in section.walk()]

    @staticmethod
    def _fitting(
        rows: Sequence[tuple[Section, int]], wanted: int, budget: int, costs: Mapping[str, int], bare: Mapping[str, int]
    ) -> tuple[bool, int]:
        """Whether summaries are shown, and how many levels: all levels with summaries, else all without, else fewer with."""
        for prices, shown in ((costs, True), (bare, False)):
            if sum(prices[section.node_id] for section, at in rows if at <= wanted) <= budget:
                return shown, wanted
        for level in range(wanted - 1, 0, -1):
            for prices, shown in ((costs, True), (bare, False)):
                if sum(prices[section.node_id] for section, at in rows if at <= level) <= budget:
                    return shown, level
        return False, 1

    def entry(self, section: Section, *, shown: bool, open_: bool = False) -> dict[str, Any]:
        """One entry without its subsections."""
        summary = self.summaries.get(section.node_id) if shown else None
        hidden = len(section.children) if section.children and not open_ else None
        return outline_entry(section, self.extent.tokens(section.span), summary=summary, children=hidden)

    @cached_property
    def _bare(self) -> dict[str, int]:
        """Tokens of every section's entry without its summary."""
        return {section.node_id: self._cost(section, shown=False) for section, _ in self.tree.walk()}

    @cached_property
    def _full(self) -> dict[str, int]:
        """Tokens of every section's entry with its summary."""
        return {
            section.node_id: self._cost(section, shown=True)
            if section.node_id in self.summaries
            else self._bare[section.node_id]
            for section, _ in self.tree.walk()
        }

    def _cost(self, section: Section, *, shown: bool) -> int:
        return entry_tokens(self.entry(section, shown=shown))

    def _nest(self, rows: Sequence[tuple[Section, int]], level: int, *, shown: bool) -> list[dict[str, Any]]:
        top: list[dict[str, Any]] = []
        placed: dict[str, dict[str, Any]] = {}
        for section, at in rows:
            item = self.entry(section, shown=shown, open_=at < level)
            placed[section.node_id] = item
            parent = self.tree.parents[section.node_id]
            if parent is not None and parent in placed:
                placed[parent].setdefault("nodes", []).append(item)
                continue
            if parent is not None and at > 1:
                item["parent_id"] = parent
            top.append(item)
        return top


def _pack(
    rows: Sequence[tuple[Section, int]], budget: int, prices: Mapping[str, int]
) -> list[list[tuple[Section, int]]]:
    parts: list[list[tuple[Section, int]]] = [[]]
    spent = 0
    for section, at in rows:
        price = prices[section.node_id]
        if parts[-1] and spent + price + (_PARENT if at > 1 and len(parts) > 1 else 0) > budget:
            parts.append([])
            spent = 0
        price += _PARENT if at > 1 and len(parts) > 1 else 0
        parts[-1].append((section, at))
        spent += price
    return parts
