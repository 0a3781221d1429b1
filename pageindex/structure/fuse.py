"""Five witnesses, one list of headings: the most trusted gives the frame, the others what it lacks."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pageindex.document import TreeSource
from pageindex.structure.candidate import Candidate, Testimony
from pageindex.structure.numbering import Number, parse
from pageindex.structure.spans import Heading
from pageindex.structure.titles import fold_title, near_equal

__all__ = ["fuse", "pick_frame"]

#: Who may be the frame, in this order, with the least trust and the fewest entries it needs.
_FRAMES: tuple[tuple[TreeSource, float, int], ...] = (
    (TreeSource.TAG, 1.0, 1),
    (TreeSource.BOOKMARK, 0.8, 1),
    (TreeSource.CONTENTS, 0.6, 4),
    (TreeSource.TAG, 0.7, 2),
    (TreeSource.BOOKMARK, 0.5, 3),
    (TreeSource.LAYOUT, 0.0, 1),
    (TreeSource.CONTENTS, 0.5, 1),
    (TreeSource.BOOKMARK, 0.1, 1),
)
MIN_GRAFT_TRUST = 0.5  #: Witnesses below it add nothing.
MIN_PEERS = 0.5  #: Share of a level's candidates that the frame must know before it takes the rest of that level.


@dataclass(slots=True)
class Node:
    """A heading on its way into the tree; ``level`` is on the frame's scale."""

    candidate: Candidate
    level: int
    bare: str
    number: Number | None
    witnesses: list[TreeSource]

    @property
    def place(self) -> tuple[int, int]:
        return (self.candidate.page, self.candidate.byte)


def pick_frame(testimonies: Iterable[Testimony]) -> Testimony | None:
    """The witness that gives the frame, or None when no witness has anything to say."""
    by_witness = {testimony.witness: testimony for testimony in testimonies}
    for witness, trust, count in _FRAMES:
        testimony = by_witness.get(witness)
        if testimony is not None and testimony.trust >= trust and len(testimony.candidates) >= count:
            return testimony
    return None


def fuse(testimonies: Sequence[Testimony]) -> tuple[list[Heading], TreeSource]:
    """One list of headings in document order, and the witness that gave the frame.

    An empty list and ``page`` when no witness has anything to say. The frame's headings are all kept. Another witness adds a heading
    that the frame lacks where the frame knows most of its peers, or where the frame does not claim to be complete and the heading is
    deeper than what it shares with the frame.
    """
    frame = pick_frame(testimonies)
    if frame is None:
        return [], TreeSource.PAGE
    nodes = _without_repeats([_node(candidate, candidate.level) for candidate in frame.candidates])
    for other in testimonies:
        if (
            other is not frame
            and other.candidates
            and (other.trust >= MIN_GRAFT_TRUST or other.witness is TreeSource.LAYOUT)
        ):
            nodes = _graft(
                nodes, other, closed=frame.complete, exact=frame.witness is TreeSource.TAG and frame.trust >= 1
            )
    if frame.witness is not TreeSource.BOOKMARK:
        _heed_numbers(nodes)
    return [_heading(node) for node in nodes], frame.witness


def _node(candidate: Candidate, level: int) -> Node:
    return Node(candidate, level, fold_title(candidate.title), parse(candidate.title), [candidate.witness])


def _twin_of(new: Node, nodes: Sequence[Node], taken: set[int]) -> Node | None:
    """The heading that another witness means too: at the same printed place, else with the same title on the page.

    Titles are compared without their numbers. A heading that was taken already is only taken again at the same place, so that a title
    printed twice on a page stays two headings.
    """
    for node in nodes:
        if _overlap(node.candidate.heading, new.candidate.heading) and (new.bare in node.bare or node.bare in new.bare or near_equal(node.bare, new.bare)):
            return node
    return next((node for node in nodes if id(node) not in taken and near_equal(node.bare, new.bare)), None)


def _overlap(one: tuple[int, int] | None, two: tuple[int, int] | None) -> bool:
    return one is not None and two is not None and one[0] < two[1] and two[0] < one[1]


def _without_repeats(nodes: Sequence[Node]) -> list[Node]:
    """Nodes in order of place; the same title at the same place counts once."""
    kept: list[Node] = []
    for node in sorted(nodes, key=lambda node: node.place):
        recent = [k for k in kept[-6:] if k.candidate.page == node.candidate.page]
        twin = next((k for k in recent if _twin(k, node)), None)
        if twin is None:
            kept.append(node)
        else:
            twin.level = min(twin.level, node.level)
    return kept


def _twin(one: Node, two: Node) -> bool:
    a, b = one.candidate, two.candidate
    if a.heading is not None and b.heading is not None:
        return a.heading[0] == b.heading[0] and one.bare == two.bare
    return a.byte == b.byte and a.title == b.title


def _graft(nodes: list[Node], other: Testimony, closed: bool, exact: bool) -> list[Node]:
    """Add what another witness knows; ``closed``: the frame claims completeness; ``exact``: nothing may be added at all."""
    by_page: dict[int, list[Node]] = defaultdict(list)
    for node in nodes:
        by_page[node.candidate.page].append(node)
    matched: list[tuple[Node, Node]] = []
    loose: list[Node] = []
    taken: set[int] = set()
    for candidate in other.candidates:
        new = _node(candidate, candidate.level)
        twin = _twin_of(new, by_page[candidate.page], taken)
        if twin is None:
            loose.append(new)
        else:
            taken.add(id(twin))
            matched.append((twin, new))
            _merge(twin, new)
    if exact or not loose:
        return nodes
    scale, peers = _scale(matched, loose)
    added = [new for new in loose if _wanted(new, scale, peers, closed)]
    for new in added:
        new.level = _on_scale(new.level, scale)
    merged = sorted([*nodes, *added], key=lambda node: node.place)
    _place_by_number(merged, frozenset(map(id, added)))
    return merged


def _merge(node: Node, other: Node) -> None:
    """The frame keeps its title and level; a printed place is taken over where it had none."""
    if other.candidate.witness not in node.witnesses:
        node.witnesses.append(other.candidate.witness)
    if node.candidate.heading is None and other.candidate.heading is not None:
        node.candidate = replace(node.candidate, heading=other.candidate.heading, byte=other.candidate.byte)


def _scale(matched: Sequence[tuple[Node, Node]], loose: Sequence[Node]) -> tuple[dict[int, int], dict[int, float]]:
    """What the other witness's levels are on the frame's scale, and the share of each that the frame knows."""
    votes: dict[int, Counter[int]] = defaultdict(Counter)
    for node, new in matched:
        votes[new.level][node.level] += 1
    known = Counter(new.level for _, new in matched)
    unknown = Counter(new.level for new in loose)
    scale = {level: counts.most_common(1)[0][0] for level, counts in votes.items()}
    return scale, {level: known[level] / (known[level] + unknown[level]) for level in known | unknown}


def _wanted(new: Node, scale: dict[int, int], peers: dict[int, float], closed: bool) -> bool:
    if peers.get(new.level, 0.0) >= MIN_PEERS:
        return True
    return not closed


def _on_scale(level: int, scale: dict[int, int]) -> int:
    """A level of the other witness on the frame's scale: as its peers, else below the nearest shallower one, else at the top."""
    if level in scale:
        return scale[level]
    above = [known for known in scale if known < level]
    if above:
        nearest = max(above)
        return scale[nearest] + level - nearest
    return min(scale.values(), default=level)


def _place_by_number(nodes: Sequence[Node], added: frozenset[int]) -> None:
    """Added headings with a dotted number stand below the heading of their parent number, or beside their sibling."""
    seen: dict[tuple[str, tuple[int, ...]], int] = {}
    for node in nodes:
        number = node.number
        if number is None or not number.firm:
            continue
        if id(node) in added and number.depth > 1:
            parent = seen.get((number.prefix, number.values[:-1]), seen.get(("", number.values[:-1])))
            sibling = seen.get((number.prefix, (*number.values[:-1], number.values[-1] - 1)))
            if sibling is not None:
                node.level = sibling
            elif parent is not None:
                node.level = parent + 1
        seen[(number.prefix, number.values)] = node.level


def _heed_numbers(nodes: Sequence[Node]) -> None:
    """No heading stands at or above the level of the heading whose number contains its own."""
    seen: dict[tuple[str, tuple[int, ...]], int] = {}
    for node in nodes:
        number = node.number
        if number is None or not number.firm or number.prefix:
            continue
        if number.depth > 1:
            parent = seen.get((number.style, number.values[:-1]), seen.get(("", number.values[:-1])))
            if parent is not None and node.level <= parent:
                node.level = parent + 1
        seen[(number.style, number.values)] = seen[("", number.values)] = node.level


def _heading(node: Node) -> Heading:
    candidate = node.candidate
    return Heading(
        title=candidate.title,
        page=candidate.page,
        byte=candidate.byte,
        level=node.level,
        source=candidate.witness,
        witnesses=tuple(node.witnesses),
        heading=candidate.heading,
    )
