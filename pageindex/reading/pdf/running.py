"""Running heads, feet and folios: lines at the edges of pages that repeat, or that carry the page's number.

They stay in the page's text; a page only records their byte ranges. A heading at the top of a page does not repeat and is none.
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pageindex.document import Line

__all__ = ["EdgeLine", "furniture"]

SHARE, LEAST = 0.2, 3  #: Seen on this share of the pages, and on this many at least.
SAME_PLACE = 4.0  #: Points by which a head may wander.
LEAST_LETTERS = 6  #: The head of a chapter is longer than the head of a table's column.
HEADING_SIZE = 1.25  #: A line larger than this times the body is furniture only by the plain rule of shares.
STRETCH = 3  #: Pages within which the head of a chapter comes again; odd and even pages may differ.

_NUMBER = re.compile(r"\d+|\b[ivxlcdm]+\b")


class EdgeLine(NamedTuple):
    """A line at the edge of a page."""

    page: int  # 0-based
    line: int  # index among the document's lines
    top: bool


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
        folio_lines: Lines that print the label of their page.
        body: Size of the body text.
        landscape: Slides repeat a title over a few pages; there only the plain rule holds.
    """
    numbered = set(folio_lines)
    found: set[int] = {edge.line for edge in edges if edge.line in numbered and _is_folio_line(lines[edge.line], body)}
    groups: dict[tuple[bool, str], list[EdgeLine]] = defaultdict(list)
    for edge in edges:
        groups[edge.top, _mask(lines[edge.line].text)].append(edge)
    enough = max(LEAST, SHARE * page_count)
    for members in groups.values():
        for group in _by_place(lines, members):
            pages = {edge.page for edge in group}
            if len(pages) < LEAST:
                continue
            numbers = _numbers_rise_apart(lines, group, numbered, body)
            if (len(pages) >= enough and not numbers) or (not landscape and _repeats_nearby(lines, group, body)):
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
    ordered = sorted(group, key=lambda edge: edge.page)
    offsets = {_first_number(lines[edge.line].text) - edge.page for edge in ordered}
    return len(offsets) > max(len(group) // 3, 1)


def _first_number(text: str) -> int:
    match = re.search(r"\d+", text)
    return int(match.group()[:9]) if match else 0


def _repeats_nearby(lines: Sequence[Line], group: list[EdgeLine], body: float) -> bool:
    """The head of a chapter: the very same words on at least three pages that are near each other."""
    texts: dict[str, list[int]] = defaultdict(list)
    for edge in group:
        if lines[edge.line].size > HEADING_SIZE * body:
            return False
        text = " ".join(lines[edge.line].text.split())
        if len(text) >= LEAST_LETTERS:
            texts[text].append(edge.page)
    near = 0
    for pages in texts.values():
        pages.sort()
        if len(pages) >= LEAST and all(b - a <= STRETCH for a, b in itertools.pairwise(pages)):
            near += len(pages)
    return near >= LEAST and near > len(group) // 2
