"""Five sources, one list of headings: the most trusted gives the frame, the others what it lacks."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from pageindex.document import TreeSource
from pageindex.structure.candidate import Candidate, SourceHeadings
from pageindex.structure.facts import Facts
from pageindex.structure.numbering.marks import parse
from pageindex.structure.numbering.sequence import whole
from pageindex.structure.placing import (
    Node,
    heed_numbers,
    nested_wrongly,
    place,
    place_by_number,
    raise_appendices,
)
from pageindex.structure.spans import Heading
from pageindex.structure.titles import fold_title, near_equal
from pageindex.text.shown import kept_bytes

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
MIN_GRAFT_TRUST = 0.5  #: Heading sources below it add nothing.
MIN_PEERS = 0.6  #: Share of a group's candidates that the frame must know before it takes the rest of that group.
MIN_PEERS_OPEN = 0.3  #: The same, where the frame does not claim to be complete.
MIN_TRUST_LAYOUT = 0.8  #: Mean score from which on layout may speak against tags …
MOST_UNTAGGED = 2.0  #: … when it knows so many times as many headings.
MOST_RUNNING = 2_000  #: Bytes of running lines that may stand above a heading.
MIN_CUT = 8  #: Fewest folded characters by which a title is known that was cut short.
MIN_RANKED = 0.7  #: Share of the entries of contents that layout must know to rank them.
MOST_AGAINST = 0.1  #: By which share of steps contents may disagree more with the headings' type than layout does.
APART = 0.05  #: Share by which sizes differ that are two.
MIN_LIKELY = 0.3  #: Mean weight of a kind of headings that contents leave out, from which on it joins them.
MIN_WEIGHT = 0.6  #: How sure a source must be of a heading none of whose peers the frame knows.


def pick_frame(results: Iterable[SourceHeadings]) -> SourceHeadings | None:
    """The source that gives the frame, or None when no source has anything to say."""
    by_source = {result.source: result for result in results}
    for source, trust, count in _FRAMES:
        result = by_source.get(source)
        if result is None or result.trust < trust or len(result.candidates) < count:
            continue
        if source is TreeSource.TAG and trust < 1 and _outdone(result, by_source.get(TreeSource.LAYOUT)):
            continue
        return result
    return None


def _outdone(tags: SourceHeadings, layout: SourceHeadings | None) -> bool:
    """Whether layout is sure of far more headings than are tagged: a writer may tag numbered headings as items of a list."""
    if layout is None or layout.trust < MIN_TRUST_LAYOUT:
        return False
    return len(layout.candidates) >= MOST_UNTAGGED * len(tags.candidates)


def fuse(results: Sequence[SourceHeadings], facts: Facts) -> tuple[list[Heading], TreeSource]:
    """One list of headings in document order, and the source that gave the frame.

    An empty list and ``page`` when no source has anything to say. The frame's headings are all kept. Another source adds a heading
    that the frame lacks where the frame knows most of its peers (same style and form of number), where its number continues one of
    the frame's, or where the source is sure of it (surer where the frame claims to be complete).
    """
    frame = pick_frame(results)
    if frame is None:
        return [], TreeSource.PAGE
    exact = frame.source is TreeSource.TAG and frame.trust >= 1.0  # the format itself marks headings
    nodes = _without_repeats([_node(candidate, candidate.level) for candidate in frame.candidates])
    if frame.source is TreeSource.CONTENTS:
        layout = next((result for result in results if result.source is TreeSource.LAYOUT), None)
        if layout is not None:
            _ranked_by_print(nodes, layout, facts)
    for other in results:
        usable = other.trust >= MIN_GRAFT_TRUST or other.source is TreeSource.LAYOUT
        if other is not frame and other.candidates and usable and not exact:
            nodes = _graft(nodes, other, frame, facts)
    if frame.source is not TreeSource.BOOKMARK or nested_wrongly(nodes):
        heed_numbers(nodes)
    raise_appendices(nodes)
    return [_heading(node) for node in nodes], frame.source


def _node(candidate: Candidate, level: int) -> Node:
    number = parse(candidate.title)
    if number is not None:
        number = whole(number)
    return Node(candidate, level, fold_title(candidate.title), number, [candidate.source])


def _twin_of(new: Node, nodes: Sequence[Node], taken: set[int]) -> Node | None:
    """The heading that another source means too: at the same printed place, else with the same title on the page.

    Titles are compared without their numbers. A heading that was taken already is only taken again at the same place, so that a title
    printed twice on a page stays two headings.
    """
    for node in nodes:
        if _overlap(node.candidate.heading, new.candidate.heading) and (
            new.bare in node.bare or node.bare in new.bare or near_equal(node.bare, new.bare)
        ):
            return node
    free = [node for node in nodes if id(node) not in taken]
    alike = (node for node in free if near_equal(node.bare, new.bare) or _cut_short(node, new) or _cut_short(new, node))
    return next(alike, None)


def _in_its_place(new: Node, nodes: Sequence[Node], facts: Facts) -> Node | None:
    """The heading of the frame in whose place another source sees one of other words: an outline shortens, and spells without accents.

    Two sections cannot begin in one place: the first of them would have no text.
    """
    own = new.candidate.heading
    page = facts.edition.page(new.candidate.page)
    for node in reversed(nodes):  # of a chapter and its first section, the section
        theirs = node.candidate.heading
        if own is not None and theirs is not None:
            if _is_mark_of(new, node, page.data[own[1] : theirs[0]]):
                return node
            if own[0] == theirs[0] or min(own[1], theirs[1]) - max(own[0], theirs[0]) > (theirs[1] - theirs[0]) / 2:
                return node
        elif theirs is None and 0 <= new.candidate.byte - node.candidate.byte <= MOST_RUNNING:
            kept = kept_bytes(page, node.candidate.byte, new.candidate.byte)
            if not any(page.data[start:end].strip() for start, end in kept):
                return node
    return None


def _is_mark_of(new: Node, node: Node, between: bytes) -> bool:
    """Whether a heading is nothing but the number of the one that follows it: "Chapter 7" on the line above its title."""
    mark, own, theirs = new.number, new.candidate.heading, node.candidate.heading
    if mark is None or mark.end < len(new.candidate.title) or own is None or theirs is None or theirs[0] < own[1]:
        return False
    counted = node.number
    same = counted is None or (counted.values == mark.values and counted.prefix in ("", mark.prefix))
    return same and not between.strip()


def _cut_short(node: Node, other: Node) -> bool:
    """Whether a title that is not printed as it stands is longer than, or cut off, the other's ("Introduction to the th…")."""
    if node.candidate.heading is not None:
        return False
    short, long = sorted((node.bare, other.bare), key=len)
    return len(short) >= MIN_CUT and long.startswith(short)


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


def _graft(nodes: list[Node], other: SourceHeadings, frame: SourceHeadings, facts: Facts) -> list[Node]:
    """Add what another source knows and the frame lacks."""
    pairs = _match(nodes, other, facts)
    matched = [(twin, new) for new, twin in pairs if twin is not None]
    loose = [new for new, twin in pairs if twin is None]
    if not loose:
        return nodes
    joining = _joining(nodes, matched, loose, other, frame, facts)
    chain = [(new, twin) for new, twin in pairs if twin is not None or id(new) in joining]
    added = place(chain)
    merged = sorted([*nodes, *added], key=lambda node: node.place)
    place_by_number(merged, frozenset(map(id, added)))
    return merged


def _ranked_by_print(nodes: list[Node], layout: SourceHeadings, facts: Facts) -> None:
    """Take layout's levels for those of the contents where the headings' own type agrees with them clearly better.

    Rows of contents are often set all alike, or numbered in one column; then the headings on their pages tell ranks.
    """
    by_page: dict[int, list[Node]] = defaultdict(list)
    for node in nodes:
        by_page[node.candidate.page].append(node)
    both: list[tuple[Node, Node]] = []
    for candidate in layout.candidates:
        twin = next((n for n in by_page[candidate.page] if _overlap(n.candidate.heading, candidate.heading)), None)
        if twin is not None:
            both.append((twin, _node(candidate, candidate.level)))
    numbered = sum(node.number is not None and node.number.firm for node in nodes)
    if len(both) < MIN_RANKED * len(nodes) or 2 * numbered > len(nodes):  # numbers rank better than type
        return
    looks = [_look(twin, facts) for twin, _ in both]
    listed = _against_type([twin.level for twin, _ in both], looks)
    seen = _against_type([new.level for _, new in both], looks)
    if listed - seen <= MOST_AGAINST * len(both):
        return
    known = {id(twin): new.level for twin, new in both}
    level = 1
    for node in nodes:
        level = node.level = known.get(id(node), level)


def _look(node: Node, facts: Facts) -> tuple[float, bool, str]:
    """Size, weight and form of number of a printed heading."""
    style, form = _group(node, facts)
    line = next((i for i in facts.on(node.candidate.page) if int(facts.style[i]) == style), -1)
    return (float(facts.size[line]), bool(facts.bold[line]), form) if line >= 0 else (0.0, False, form)


def _against_type(levels: Sequence[int], looks: Sequence[tuple[float, bool, str]]) -> int:
    """Steps from one heading to the next on which levels say another thing than type: alike but not level, larger but not above."""
    wrong = 0
    for (one, two), (a, b) in zip(pairwise(looks), pairwise(levels), strict=True):
        if one == two:
            wrong += a != b
        elif abs(one[0] - two[0]) > APART * min(one[0], two[0]):
            wrong += a >= b if one[0] > two[0] else a <= b
    return wrong


def _joining(
    nodes: Sequence[Node],
    matched: Sequence[tuple[Node, Node]],
    loose: Sequence[Node],
    other: SourceHeadings,
    frame: SourceHeadings,
    facts: Facts,
) -> set[int]:
    """Ids of the headings that join the frame.

    Contents say what they list, and nothing of what they leave out: layout's own judgement stands, kind by kind. A rich outline is closed but for
    peers of its headings and for what their numbers continue.
    """
    if frame.source is TreeSource.CONTENTS and other.source is TreeSource.LAYOUT:
        return _likely(loose, facts)
    peers = _peers(matched, loose, facts)
    continued = _continuing(nodes, loose)
    least = MIN_PEERS if frame.complete else MIN_PEERS_OPEN
    likely = _likely(loose, facts) if other.source is TreeSource.LAYOUT and not frame.complete else set()
    sure = float("inf") if frame.complete else MIN_WEIGHT
    return {
        id(new)
        for new, share in zip(loose, peers, strict=True)
        if share >= least or id(new) in continued or id(new) in likely or new.candidate.confidence >= sure
    }


def _likely(loose: Sequence[Node], facts: Facts) -> set[int]:
    """Ids of headings of kinds that are likely enough: one style and form of number stand or fall together."""
    weights: dict[tuple[int, str], list[float]] = defaultdict(list)
    keys = [_group(new, facts) for new in loose]
    for key, new in zip(keys, loose, strict=True):
        weights[key].append(new.candidate.confidence)
    return {
        id(new) for key, new in zip(keys, loose, strict=True) if sum(weights[key]) >= MIN_LIKELY * len(weights[key])
    }


def _match(nodes: Sequence[Node], other: SourceHeadings, facts: Facts) -> list[tuple[Node, Node | None]]:
    """Each heading of another source, in its order, with its twin in the tree, which takes over what it lacks."""
    by_page: dict[int, list[Node]] = defaultdict(list)
    for node in nodes:
        by_page[node.candidate.page].append(node)
    pairs: list[tuple[Node, Node | None]] = []
    taken: set[int] = set()
    for candidate in other.candidates:
        new = _node(candidate, candidate.level)
        twin = _twin_of(new, by_page[candidate.page], taken) or _in_its_place(new, by_page[candidate.page], facts)
        pairs.append((new, twin))
        if twin is not None:
            taken.add(id(twin))
            _merge(twin, new)
    return pairs


def _group(node: Node, facts: Facts) -> tuple[int, str]:
    """Style and form of number: what headings of one rank share."""
    candidate = node.candidate
    style = -1
    if candidate.heading is not None:
        for i in facts.on(candidate.page):
            if facts.lines[i].start <= candidate.heading[0] < facts.lines[i].end:
                style = int(facts.style[i])
                break
    return (style, node.number.form if node.number is not None and node.number.firm else "")


def _peers(matched: Sequence[tuple[Node, Node]], loose: Sequence[Node], facts: Facts) -> list[float]:
    """For each loose heading, the share of its group that the frame knows.

    An unnumbered heading in a style of its own (not the body's) also counts the numbered ones of that style as its group: "References"
    is set like "5 Outlook".
    """
    body = int(facts.style[facts.body]) if facts.body >= 0 else -1
    keys = [[_group(new, facts) for _, new in matched], [_group(new, facts) for new in loose]]
    known, unknown = Counter(keys[0]), Counter(keys[1])
    known_style, unknown_style = Counter(style for style, _ in keys[0]), Counter(style for style, _ in keys[1])
    found = []
    for style, form in keys[1]:
        share = known[style, form] / (known[style, form] + unknown[style, form])
        if not form and style not in (body, -1):
            share = max(share, known_style[style] / (known_style[style] + unknown_style[style]))
        found.append(share)
    return found


def _continuing(nodes: Sequence[Node], loose: Sequence[Node]) -> set[int]:
    """Ids of loose headings with a dotted number whose parent number stands last before them, in a chain that begins with 1."""
    placed = sorted([*((n, False) for n in nodes), *((n, True) for n in loose)], key=lambda pair: pair[0].place)
    found: set[int] = set()
    path: dict[int, tuple[int, ...]] = {}  # by depth, the last number
    for node, is_loose in placed:
        number = node.number
        if number is None or not number.firm or number.prefix or len(number.style) == 2:
            continue
        depth, values = number.depth, number.values
        if is_loose:
            first = depth > 1 and values[-1] == 1 and path.get(depth - 1) == values[:-1]
            follows = depth > 1 and path.get(depth) == (*values[:-1], values[-1] - 1)
            if not (first or follows):
                continue
            found.add(id(node))
        path = {d: v for d, v in path.items() if d < depth} | {depth: values}
    return found


def _merge(node: Node, other: Node) -> None:
    """The frame keeps its title and level; a printed place is taken over where it had none."""
    if other.candidate.source not in node.sources:
        node.sources.append(other.candidate.source)
    if node.candidate.heading is None and other.candidate.heading is not None:
        node.candidate = replace(node.candidate, heading=other.candidate.heading, byte=other.candidate.byte)


def _heading(node: Node) -> Heading:
    candidate = node.candidate
    return Heading(
        title=candidate.title,
        page=candidate.page,
        byte=candidate.byte,
        level=node.level,
        source=candidate.source,
        sources=tuple(node.sources),
        heading=candidate.heading,
    )
