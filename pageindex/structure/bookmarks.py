"""The source of the file's outline, believed only after a test."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pageindex.document import Bookmark, Note, TreeSource
from pageindex.structure.candidate import Candidate, SourceHeadings
from pageindex.structure.contents.entries import TitleIndex
from pageindex.structure.facts import Facts, fold
from pageindex.structure.numbering.marks import System, parse
from pageindex.structure.title_locator import Printed, TitleLocator, wanted
from pageindex.structure.titles import clean

__all__ = ["find_headings"]

MAX_GENERIC = 0.5  #: Share of titles that say nothing (file names, "Page 12") from which on the outline is junk.
MIN_PRINTED = 0.3  #: Share of titles printed at their targets below which the outline is not believed.
GOOD_PRINTED = 0.6  #: Share from which on it is believed in full.
MIN_ORDER = 0.6  #: Share of steps between targets that must not go back.
LOW, HIGH = (
    0.75,
    0.12,
)  #: Parts of the page height below and above which a target may mean the next and the previous page.
RICH = 12  #: Pages per entry up to which an outline counts as rich.

_FILE_NAME = re.compile(r"[^\s/\\]+\.[A-Za-z][A-Za-z0-9]{1,4}|.*[/\\][^/\\]+\.[A-Za-z][A-Za-z0-9]{1,4}")


@dataclass(frozen=True, slots=True)
class Placed:
    """A bookmark with the page that is believed and the place where its title is printed there."""

    title: str
    level: int
    page: int | None
    y: float | None
    spot: Printed | None = None
    note: str = ""


def find_headings(facts: Facts, index: TitleIndex, locator: TitleLocator) -> SourceHeadings:
    """Judge the outline: titles printed at their targets (repaired by a page at most), in order, not generic.

    Entries without a page are placed by their printed title between their neighbours, else left out with a note. ``trust`` is 0 for
    junk, above 0.8 for an outline that may be the frame; ``complete`` says that it is rich.
    """
    marks = [(clean(mark.title), mark) for mark in facts.edition.bookmarks]
    marks = [(title, mark) for title, mark in marks if title]
    if not marks:
        return SourceHeadings(TreeSource.BOOKMARK)
    placed = _placed(marks, facts, locator)
    placed = _one_each(_place_lost(placed, index, locator))
    notes = [Note("BOOKMARK_MOVED", p.note, p.page) for p in placed if p.note]
    notes += [Note("BOOKMARK_DROPPED", f"bookmark '{p.title}' has no page here") for p in placed if p.page is None]
    kept = _dissolve([p for p in placed if p.page is not None])
    echoes = _bare_echoes(kept)
    notes += [Note("BOOKMARK_DROPPED", f"bookmark '{p.title}' only repeats a number", p.page) for p in echoes]
    kept = [p for p in kept if p not in echoes]
    trust, doubt = _trust(marks, kept, facts)
    if doubt:
        notes.append(Note("BOOKMARKS_DOUBTED", doubt))
    candidates = sorted(_candidates(kept, facts), key=lambda candidate: (candidate.page, candidate.byte))
    return SourceHeadings(TreeSource.BOOKMARK, tuple(candidates), trust, _rich(kept, facts), tuple(notes))


def _placed(marks: Sequence[tuple[str, Bookmark]], facts: Facts, locator: TitleLocator) -> list[Placed]:
    """Each bookmark where it leads, or a page beside that where its title is printed there and not where it leads."""
    found: list[Placed] = []
    last: tuple[int, int] = (0, -1)  # page and line of the bookmark before
    for title, mark in marks:
        page = mark.page if mark.page is not None and 1 <= mark.page <= facts.edition.page_count else None
        made = Placed(title, mark.level, page, mark.y)
        if page is not None:
            made = _look(made, page, last, facts, locator)
            if made.spot is not None and made.page is not None:
                last = (made.page, made.spot.first)
        found.append(made)
    return found


def _look(mark: Placed, page: int, last: tuple[int, int], facts: Facts, locator: TitleLocator) -> Placed:
    want = wanted(mark.title)
    spot = locator.find(want, page, after=last[1] if last[0] == page else -1, y=mark.y)
    if (spot is not None and spot.sure) or not facts.on(page):
        return replace(mark, spot=spot)
    mark = replace(mark, spot=spot)
    height = facts.edition.page(page).height
    for near, possible in (
        (page + 1, mark.y is None or mark.y > LOW * height),
        (page - 1, mark.y is None or mark.y < HIGH * height),
    ):
        if not possible or not 1 <= near <= facts.edition.page_count or len(want.bare) < 4:
            continue
        spot = locator.find(want, near, run_in=False)
        if spot is not None and not facts.running[spot.first] and (mark.spot is None or spot.sure):
            return replace(
                mark,
                page=near,
                y=None,
                spot=spot,
                note=f"bookmark '{mark.title}' leads to page {page}, printed on {near}",
            )
    return mark


def _place_lost(placed: Sequence[Placed], index: TitleIndex, locator: TitleLocator) -> list[Placed]:
    """Entries without a page: where their title stands as a line between the neighbours' pages; groups take their first child's page."""
    found = list(placed)
    lows, low = [], 1
    for mark in found:
        lows.append(low)
        low = mark.page or low
    high = index.facts.edition.page_count
    for k in range(len(found) - 1, -1, -1):
        if found[k].page is None:
            found[k] = _between(found[k], lows[k], high, index, locator)
            if found[k].page is None and k + 1 < len(found) and found[k + 1].level > found[k].level:
                found[k] = replace(found[k], page=found[k + 1].page, y=found[k + 1].y)
        high = found[k].page or high
    return found


def _between(mark: Placed, low: int, high: int, index: TitleIndex, locator: TitleLocator) -> Placed:
    want = wanted(mark.title)
    for page in index.pages(want):
        if low <= page <= high and (spot := locator.find(want, page, run_in=False)) is not None:
            return replace(
                mark, page=page, spot=spot, note=f"bookmark '{mark.title}' leads nowhere, printed on page {page}"
            )
    return mark


def _one_each(placed: Sequence[Placed]) -> list[Placed]:
    """Entries of different titles that were found in one heading: it belongs to the one that it resembles most."""
    best: dict[tuple[int | None, int], Placed] = {}
    for mark in placed:
        if mark.spot is not None:
            key = (mark.page, mark.spot.first)
            known = best.get(key)
            if known is None or known.spot is None or mark.spot.rank > known.spot.rank:
                best[key] = mark
    return [
        mark
        if mark.spot is None or fold(mark.title) == fold(best[mark.page, mark.spot.first].title)
        else replace(mark, spot=None)
        for mark in placed
    ]


def _dissolve(placed: Sequence[Placed]) -> list[Placed]:
    """Without entries that repeat a title at the same printed place, or on a page where it is printed once or not at all."""
    seen: set[tuple[int | None, str, int]] = set()
    kept = []
    for mark in placed:
        key = (mark.page, fold(mark.title), mark.spot.first if mark.spot else -1)
        if key not in seen:
            seen.add(key)
            kept.append(mark)
    return kept


def _bare_echoes(kept: Sequence[Placed]) -> list[Placed]:
    """Entries that are another entry's number and its full stop or dash, without the title: headings that an editor left empty."""
    numbers = [(mark, parse(mark.title)) for mark in kept]
    titled = {(n.prefix, n.values, n.systems) for mark, n in numbers if n is not None and n.end < len(mark.title)}
    bare = [
        (mark, n) for mark, n in numbers if n is not None and n.end >= len(mark.title) and not mark.title[-1].isalnum()
    ]
    return [mark for mark, n in bare if (n.prefix, n.values, n.systems) in titled]


def _trust(marks: Sequence[tuple[str, Bookmark]], kept: Sequence[Placed], facts: Facts) -> tuple[float, str]:
    """How far the outline can be believed, and what speaks against it."""
    generic = sum(_generic(title, mark) for title, mark in marks)
    if generic > MAX_GENERIC * len(marks):
        return 0.0, f"{generic} of {len(marks)} bookmarks are file names or page numbers"
    if not kept:
        return 0.0, f"none of {len(marks)} bookmarks has a page"
    steps = [b >= a for a, b in pairwise(p.page or 0 for p in kept)]
    if steps and sum(steps) < MIN_ORDER * len(steps):
        return 0.0, f"{len(steps) - sum(steps)} of {len(steps)} steps between bookmarks go back"
    readable = [p for p in kept if p.page is not None and facts.on(p.page)]
    if not readable:
        return 0.9, ""  # nothing to check against: a scan's outline is the best there is
    share = sum(p.spot is not None for p in readable) / len(readable)
    if share < MIN_PRINTED:
        return 0.2, f"{share:.0%} of the bookmarks are printed where they lead"
    return (0.95, "") if share >= GOOD_PRINTED else (0.6, f"{share:.0%} of the bookmarks are printed where they lead")


def _generic(title: str, mark: Bookmark) -> bool:
    """A file name, a bare number, or a word with the number of the page."""
    if _FILE_NAME.fullmatch(title) or not any(map(str.isalpha, title)):
        return True
    number = parse(title)
    if number is None or number.end < len(title) or number.systems != (System.ARABIC,):
        return False
    return mark.page is not None and number.values[0] in (mark.page, mark.page - 1)


def _rich(kept: Sequence[Placed], facts: Facts) -> bool:
    deep = len({p.level for p in kept}) > 1
    return len(kept) >= 3 and len(kept) * (RICH if deep else RICH // 3) >= facts.edition.page_count


def _candidates(kept: Sequence[Placed], facts: Facts) -> list[Candidate]:
    found: list[Candidate] = []
    for mark in kept:
        page = mark.page or 1
        byte = mark.spot.start if mark.spot else _byte_at(mark, page, facts)
        if mark.spot is None and found and found[-1].page == page:
            # The order of the outline is the order of the text, and a printed heading belongs to its own section.
            before = found[-1]
            deeper = mark.level > before.level
            least = before.heading[1] if before.heading is not None and not deeper else before.byte
            byte = max(byte, least)
        found.append(
            Candidate(
                title=mark.title,
                page=page,
                byte=byte,
                heading=(mark.spot.start, mark.spot.end) if mark.spot else None,
                level=mark.level,
                source=TreeSource.BOOKMARK,
                why="bookmark" if mark.spot else "bookmark, not printed on its page",
                confidence=1.0 if mark.spot else 0.7,
            )
        )
    return found


def _byte_at(mark: Placed, page: int, facts: Facts) -> int:
    """Where the text at the height of the target begins; the top of the page when the target gives none."""
    if mark.y is None:
        return 0
    for i in facts.on(page):
        line = facts.lines[i]
        if line.box.y1 > mark.y and not facts.running[i]:
            return line.start
    return 0
