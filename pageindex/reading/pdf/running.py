"""Running heads, feet and folios: lines at the edges of pages, or of their text, that repeat or carry the page's number.

They stay in the page's text; a page only records their byte ranges. A heading at the top of a page does not repeat and is none.
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from pageindex.document import Box, Line

__all__ = ["EdgeLine", "furniture"]

SHARE, LEAST = 0.2, 3  #: Seen on this share of the pages, and on this many at least.
SAME_PLACE = 4.0  #: Points by which a head may wander.
LEAST_LETTERS = 6  #: The head of a chapter is longer than the head of a table's column.
HEADING_SIZE = 1.25  #: A line larger than this times the body is furniture only by the plain rule of shares.
ROOM = 1.5  #: Room, in times its size, that sets a short head apart from the text.
LARGER = 1.1  #: By how much a heading is set larger than the head that repeats it.
LEAST_WORD = 3  #: Letters of such a head.
MOSTLY = 0.5  #: Share of the lines in one place and style that must be known to be heads.
STRETCH = 3  #: Pages within which the head of a chapter comes again; odd and even pages may differ.

_NUMBER = re.compile(r"\d+|\b[ivxlcdm]+\b")


class EdgeLine(NamedTuple):
    """A line at the edge of a page, or, ``inner``, one of the first and last of its text, wherever that ends."""

    page: int  # 0-based
    line: int  # index among the document's lines
    top: bool
    inner: bool = False


def furniture(
    lines: Sequence[Line],
    edges: Sequence[EdgeLine],
    folio_lines: Iterable[int],
    page_count: int,
    body: float,
    landscape: bool,
) -> set[int]:
    """Indices of the lines that are running heads, feet or folios.

    Args:
        folio_lines: Lines that print the number of their page.
        body: Size of the body text.
        landscape: Slides repeat a title over a few pages; there only the plain rule holds.
    """
    numbered = set(folio_lines)
    found: set[int] = {edge.line for edge in edges if edge.line in numbered and _is_folio_line(lines[edge.line], body)}
    found |= _beside_folios(lines, edges, found, body, landscape)
    outer = [edge for edge in edges if not edge.inner]
    groups: dict[tuple[bool, str], list[EdgeLine]] = defaultdict(list)
    for edge in outer:
        groups[edge.top, _mask(lines[edge.line].text)].append(edge)
    same = [group for members in groups.values() for group in _by_place(lines, members)]
    same = [group for group in same if len({edge.page for edge in group}) >= LEAST]
    enough = max(LEAST, SHARE * page_count)
    apart = _set_apart(lines, edges)
    for group in same:
        numbers = _numbers_rise_apart(lines, group, numbered, body)
        many = len({edge.page for edge in group}) >= enough and not numbers
        if (
            many
            or _in_brackets(lines[group[0].line].text)
            or (not landscape and _repeats_nearby(lines, group, body, apart))
        ):
            found.update(edge.line for edge in group)
    found |= _naming_sections(lines, outer, found)
    return found | _outside_others(lines, same, outer, found)


def _set_apart(lines: Sequence[Line], edges: Iterable[EdgeLine]) -> set[int]:
    """Outermost lines of their pages that stand alone, with room between them and what follows, as the head of a column does not."""
    pages: dict[tuple[int, bool], list[Line]] = defaultdict(list)
    outermost: dict[tuple[int, bool], int] = {}
    for edge in edges:
        key, line = (edge.page, edge.top), lines[edge.line]
        pages[key].append(line)
        first = outermost.get(key)
        if first is None or (line.box.y0 < lines[first].box.y0) == edge.top:
            outermost[key] = edge.line
    found = set()
    for key, index in outermost.items():
        line = lines[index]
        others = (other for other in pages[key] if other is not line)
        gaps = [max(other.box.y0 - line.box.y1, line.box.y0 - other.box.y1) for other in others]
        if len(line.text) > 1 and gaps and min(gaps) >= ROOM * line.size:
            found.add(index)
    return found


def _in_brackets(text: str) -> bool:
    """A remark such as "(continued)"."""
    return text[:1] in "([（" and text.rstrip()[-1:] in ")]）"


def _naming_sections(lines: Sequence[Line], edges: Sequence[EdgeLine], found: set[int]) -> set[int]:
    """Heads that say in which section a page lies: in one place and style, the words of a heading that is printed larger before."""
    slots: dict[tuple[bool, int, int], list[EdgeLine]] = defaultdict(list)
    for edge in edges:
        slots[edge.top, round(lines[edge.line].size * 2), lines[edge.line].font].append(edge)
    if not slots:
        return set()
    printed: dict[str, list[tuple[int, float]]] = defaultdict(list)
    least = LARGER * min(lines[edge.line].size for edge in edges)
    for line in lines:
        if line.size >= least and len(words := _letters(line.text)) >= LEAST_WORD:
            printed[words].append((line.page - 1, line.size))
    named: set[int] = set()
    for members in slots.values():
        for slot in _by_place(lines, members):
            echoes = {edge.line for edge in slot if _is_echo(lines[edge.line], printed)}
            known = len(echoes | {edge.line for edge in slot if edge.line in found})
            if len(echoes) >= LEAST and known >= MOSTLY * len(slot):
                named |= echoes
    return named


def _is_echo(line: Line, printed: Mapping[str, Sequence[tuple[int, float]]]) -> bool:
    places = printed.get(_letters(line.text), ())
    return any(page < line.page and size >= LARGER * line.size for page, size in places)


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text.casefold()))


def _outside_others(
    lines: Sequence[Line], same: Sequence[list[EdgeLine]], edges: Sequence[EdgeLine], found: set[int]
) -> set[int]:
    """Lines that come back further out on the page than other running lines."""
    tops: dict[int, float] = {}
    feet: dict[int, float] = {}
    for edge in edges:
        if edge.line in found:
            box = lines[edge.line].box
            if edge.top:
                tops[edge.page] = max(tops.get(edge.page, 0.0), box.y0)
            else:
                feet[edge.page] = min(feet.get(edge.page, box.y1), box.y1)
    outside = set()
    for group in same:
        further = [e for e in group if _is_further_out(lines[e.line].box, e, tops, feet)]
        if len({edge.page for edge in further}) >= LEAST:
            outside |= {edge.line for edge in further}
    return outside


def _is_further_out(box: Box, edge: EdgeLine, tops: Mapping[int, float], feet: Mapping[int, float]) -> bool:
    if edge.top:
        return edge.page in tops and box.y1 <= tops[edge.page] + SAME_PLACE
    return edge.page in feet and box.y0 >= feet[edge.page] - SAME_PLACE


def _beside_folios(
    lines: Sequence[Line], edges: Sequence[EdgeLine], folios: set[int], body: float, landscape: bool
) -> set[int]:
    """What stands in one row with folios, or under them: below the text the same words on many pages ("Pfizer Inc. | 2021 Form 10-K | 5"),
    at the edge of the page whatever is not set as a heading, for a head may name another section on every page."""
    rows: dict[tuple[int, bool], list[Box]] = defaultdict(list)
    for edge in edges:
        if edge.line in folios:
            rows[edge.page, edge.top].append(lines[edge.line].box)
    groups: dict[str, list[EdgeLine]] = defaultdict(list)
    found: set[int] = set()
    for edge in edges:
        line, near = lines[edge.line], rows.get((edge.page, edge.top), ())
        beside = any(abs((row.y0 + row.y1) - (line.box.y0 + line.box.y1)) <= 2 * SAME_PLACE for row in near)
        below = not edge.top and any(line.box.y0 >= row.y1 - 1 for row in near)
        if beside or below:
            groups[_mask(line.text)].append(edge)
        if beside and not edge.inner and not landscape and line.size <= body:
            found.add(edge.line)
    enough = max(LEAST, SHARE * len({page for page, _ in rows}))
    for group in groups.values():
        pages = sorted({edge.page for edge in group})
        near_by = sum(b - a <= STRETCH for a, b in itertools.pairwise(pages)) >= LEAST
        if len(pages) >= enough or near_by:
            found.update(edge.line for edge in group)
    return found


def _mask(text: str) -> str:
    return _NUMBER.sub("#", " ".join(text.lower().split()))


def _is_folio_line(line: Line, body: float) -> bool:
    # "Chapter 7" on page 7 is a heading, whatever its number says; a folio is never set large.
    return line.size <= HEADING_SIZE * body or len(line.text) <= 8


def _by_place(lines: Sequence[Line], members: list[EdgeLine]) -> list[list[EdgeLine]]:
    """Members that stand at the same height."""
    ordered = sorted(members, key=lambda edge: lines[edge.line].box.y0)
    groups: list[list[EdgeLine]] = []
    for edge in ordered:
        if groups and lines[edge.line].box.y0 - lines[groups[-1][-1].line].box.y0 <= SAME_PLACE:
            groups[-1].append(edge)
        else:
            groups.append([edge])
    return groups


def _numbers_rise_apart(lines: Sequence[Line], group: list[EdgeLine], numbered: set[int], body: float) -> bool:
    """Whether the lines are alike only but for their number, which is new each time and not the page's: "Chapter 1", "Chapter 2".

    Lines set as large as headings may even count with the pages: a folio is never set so.
    """
    texts = [" ".join(lines[edge.line].text.lower().split()) for edge in group]
    if not any(_NUMBER.search(text) for text in texts) or len(set(texts)) <= len(texts) // 2:
        return False
    if all(lines[edge.line].size > HEADING_SIZE * body for edge in group):
        return True
    if any(edge.line in numbered for edge in group):
        return False
    # "Frm 00013" among the numbers of a printer's stamp counts the pages, whatever the others say.
    counted = [
        [int(number[:9]) - edge.page for number in re.findall(r"\d+", lines[edge.line].text)] or [-edge.page]
        for edge in group
    ]
    fewest = min([len(set(offsets)) for offsets in zip(*counted, strict=False)])
    return fewest > max(len(group) // 3, 1)


def _repeats_nearby(lines: Sequence[Line], group: list[EdgeLine], body: float, apart: set[int]) -> bool:
    """The head of a chapter: the very same words on at least three pages that are near each other."""
    texts: dict[str, list[int]] = defaultdict(list)
    for edge in group:
        if lines[edge.line].size > HEADING_SIZE * body:
            return False
        text = " ".join(lines[edge.line].text.split())
        if len(text) >= LEAST_LETTERS or edge.line in apart:
            texts[text].append(edge.page)
    near = 0
    for pages in texts.values():
        pages.sort()
        if len(pages) >= LEAST and all(b - a <= STRETCH for a, b in itertools.pairwise(pages)):
            near += len(pages)
    return near >= LEAST and near > len(group) // 2
