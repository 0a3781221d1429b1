"""Rows of contents pages become entries, and entries are found on their pages."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from pageindex.structure.contents.rows import Label, Row, read_label
from pageindex.structure.facts import Facts
from pageindex.structure.numbering.marks import Number, parse
from pageindex.structure.title_locator import Printed, TitleLocator, Wanted, wanted
from pageindex.structure.titles import join

__all__ = ["Entry", "TitleIndex", "aligned", "entries", "map_pages", "verify"]

MAX_WRAP = 3  #: Most rows above the one with the number that may belong to the same entry.
LARGER = 1.4  #: By how many times one row is higher than the other where they are no two lines of one entry.
SWITCH = 2.0  #: What a change of offset between two entries costs, in confirmed entries.
BEHIND = 0.3  #: What a title before its contents page speaks for, in confirmed entries.
MAX_OFFSETS = 24  #: Offsets considered per numbering.


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a contents page.

    Attributes:
        row: The row that carries its page number, or its only row.
        above: Rows without a number directly above, nearest last, which may be its first lines.
        title: As printed, wrapped rows joined.
        label: Printed page number.
        page: Physical page it was found on, or to which its number leads; None while unknown.
        spot: Where it is printed on that page.
        link: Whether the page comes from a link on the row.
        note: What was repaired.
    """

    row: Row
    above: tuple[Row, ...] = ()
    title: str = ""
    label: Label | None = None
    page: int | None = None
    spot: Printed | None = None
    link: bool = False
    note: str = ""

    @property
    def number(self) -> Number | None:
        return parse(self.title)

    @property
    def first(self) -> Row:
        """The row on which the entry begins."""
        return self.above[0] if self.above else self.row

    @property
    def lines(self) -> tuple[int, ...]:
        return tuple(i for row in (*self.above, self.row) for i in row.lines)


def entries(rows: Sequence[Row]) -> list[Entry]:
    """Group rows into entries; rows without a number that cannot be part of the next entry are entries of their own."""
    found: list[Entry] = []
    pending: list[Row] = []
    for row in rows:
        alone = row.label if not row.title else read_label(row.title) if row.label is None else None
        if alone is not None:  # a folio, or the number of the row above that was pushed to a line of its own
            if pending and _may_continue(pending[-1], row):
                above = tuple(pending[-MAX_WRAP:])
                found += [Entry(p, title=p.title) for p in pending[:-MAX_WRAP]]
                found.append(Entry(above[-1], above[:-1], join([r.title for r in above]), alone))
            else:
                found += [Entry(p, title=p.title) for p in pending]
            pending = []
            continue
        if pending and not _may_continue(pending[-1], row):
            found += [Entry(p, title=p.title) for p in pending]
            pending = []
        if row.label is None:
            pending.append(row)
            continue
        found += [Entry(p, title=p.title) for p in pending[:-MAX_WRAP]]
        above = tuple(pending[-MAX_WRAP:])
        found.append(Entry(row, above, join([r.title for r in (*above, row)]), row.label))
        pending = []
    return found + [Entry(p, title=p.title) for p in pending]


def _may_continue(above: Row, row: Row) -> bool:
    """Whether a row can be the next line of the entry that begins above it."""
    height = max(above.y1 - above.y0, 1.0)
    if row.page != above.page or row.column != above.column or not -height < row.y0 - above.y1 < 1.1 * height:
        return False
    if max(height, row.y1 - row.y0) > LARGER * min(height, row.y1 - row.y0):
        return False  # the title of the list, above its first entry
    number = parse(row.title)
    if number is None:
        return True
    if number.firm and number.end < len(row.title):
        return False
    # "Part II" above "Item 5 Properties": two words that count are two entries, though neither is sure alone.
    before = parse(above.title) if number.prefix else None
    return before is None or not before.prefix


@dataclass
class TitleIndex:
    """Lines of a document by their folded text, with and without number."""

    facts: Facts
    passed: set[int] = field(default_factory=set)

    @cached_property
    def _lines(self) -> dict[str, list[int]]:
        index: dict[str, list[int]] = defaultdict(list)
        for i, (whole, bare) in enumerate(zip(self.facts.folded, self.facts.titles, strict=True)):
            if len(whole) >= 2:
                index[whole].append(i)
                if bare != whole:
                    index[bare].append(i)
        return dict(index)

    def elsewhere(self, want: Wanted, own: frozenset[int]) -> bool:
        """Whether a title stands as a line other than some given ones."""
        return any(i not in own for key in (want.whole, want.bare) for i in self._lines.get(key, ()))

    def pages(self, want: Wanted) -> list[int]:
        """Pages on which a title stands as a line of its own, in order; those with its number first choice, else those without."""
        for key in dict.fromkeys((want.whole, want.bare)):
            lines = self._lines.get(key, ())
            found = sorted({int(self.facts.page[i]) for i in lines if i not in self.passed})
            if found:
                return found
        return []


def map_pages(found: Sequence[Entry], index: TitleIndex) -> list[Entry]:
    """Give every entry with a number and no link the physical page its number leads to, by offsets that hold piecewise.

    The offsets are those under which most titles stand on their page; a change of offset must be worth more than it costs, so one
    misprinted number changes nothing. Where no offset is confirmed the page stays unknown. Viterbi over (entry, offset).
    """
    pages = [index.pages(wanted(entry.title)) if entry.label else [] for entry in found]
    offsets = _offsets(found, pages, index.facts)
    labelled = [k for k, entry in enumerate(found) if entry.label and offsets.get(entry.label.series)]
    chosen = _viterbi(
        [found[k] for k in labelled], [set(pages[k]) for k in labelled], offsets, index.facts.edition.page_count
    )
    mapped = list(found)
    for k, offset in zip(labelled, chosen, strict=True):
        entry = found[k]
        if entry.label is not None and not entry.link:
            page = entry.label.value + offset
            mapped[k] = replace(entry, page=page if 1 <= page <= index.facts.edition.page_count else None)
    return mapped


def _offsets(found: Sequence[Entry], pages: Sequence[list[int]], facts: Facts) -> dict[str, list[int]]:
    """Likely offsets (physical page less printed number) of each series, best first."""
    votes: dict[str, Counter[int]] = defaultdict(Counter)
    printed = {page.label: page.number for page in reversed(facts.edition.pages) if page.label}
    for entry, places in zip(found, pages, strict=True):
        if entry.label is None:
            continue
        for place in places[:40]:
            votes[entry.label.series][place - entry.label.value] += 12 // min(len(places), 12)
        if entry.label.text in printed:
            votes[entry.label.series][printed[entry.label.text] - entry.label.value] += 4
    return {series: [o for o, _ in counts.most_common(MAX_OFFSETS)] for series, counts in votes.items()}


def _viterbi(
    found: Sequence[Entry], places: Sequence[set[int]], offsets: dict[str, list[int]], count: int
) -> list[int]:
    best: dict[int, float] = {}
    back: list[dict[int, int]] = []
    series = ""
    for entry, here in zip(found, places, strict=True):
        label = entry.label
        if label is None:
            continue
        states = offsets[label.series]
        switch = SWITCH if label.series == series else 0.0
        leader = max(best, key=lambda o: best[o]) if best else 0
        scores, origin = {}, {}
        for rank, offset in enumerate(states):
            stay = best.get(offset, float("-inf")) if switch else float("-inf")
            jump = best[leader] - switch if best else -0.01 * rank
            origin[offset] = offset if stay >= jump else leader
            scores[offset] = max(stay, jump) + _fit(label.value + offset, here, count, entry.row.page)
        best, series = scores, label.series
        back.append(origin)
    return _trace(best, back)


def _fit(page: int, places: set[int], count: int, listed_on: int) -> float:
    """What speaks for a page: the title stands there; less so before the contents page itself, as in a part before this one."""
    if not 1 <= page <= count:
        return -0.5
    if not places:
        return 0.0
    if page not in places:
        return -0.25
    return 1.0 if page >= listed_on else BEHIND


def _trace(best: dict[int, float], back: Sequence[dict[int, int]]) -> list[int]:
    if not back:
        return []
    offset = max(best, key=lambda o: best[o])
    path = []
    for origin in reversed(back):
        path.append(offset)
        offset = origin[offset]
    return path[::-1]


def verify(found: Sequence[Entry], index: TitleIndex, locator: TitleLocator) -> list[Entry]:
    """Look every entry up on its page; those not found there are looked for between their neighbours, and only they change."""
    checked = _repeated([_on_page(entry, locator) for entry in found], locator)
    bounds = _bounds(checked)
    return [
        entry if entry.spot else _nearby(entry, low, high, index, locator)
        for entry, (low, high) in zip(checked, bounds, strict=True)
    ]


def _on_page(entry: Entry, locator: TitleLocator) -> Entry:
    if entry.page is None:
        return entry
    for kept in range(len(entry.above) + 1):
        trial = _without(entry, kept)
        spot = locator.find(wanted(trial.title), entry.page)
        if spot is not None:
            return replace(trial, spot=spot)
    return entry


def _repeated(found: Sequence[Entry], locator: TitleLocator) -> list[Entry]:
    """Entries of one page that were found in one place are aligned with the places of their titles, in the order of the list."""
    result = list(found)
    for page, members in _by_page(found).items():
        firsts = [entry.spot.first for k in members if (entry := found[k]).spot is not None]
        if len(set(firsts)) == len(firsts):
            continue
        places = [locator.places(wanted(found[k].title), page) for k in members]
        for k, spot in zip(members, aligned(places), strict=True):
            result[k] = replace(found[k], spot=spot)
    return result


def _by_page(found: Sequence[Entry]) -> dict[int, list[int]]:
    """Positions of the entries that were found, by page."""
    pages: dict[int, list[int]] = defaultdict(list)
    for k, entry in enumerate(found):
        if entry.page is not None and entry.spot is not None:
            pages[entry.page].append(k)
    return pages


def aligned(places: Sequence[Sequence[Printed]]) -> list[Printed | None]:
    """One place for each title, each further on than the one before: those of highest rank in sum. None where no place is left.

    Args:
        places: For each title in order, where it is printed, in order.
    """
    best: list[tuple[float, int, tuple[Printed | None, ...]]] = [(0.0, -1, ())]  # rank so far, last line used, choice
    for spots in places:
        ways = [(rank, last, (*chosen, None)) for rank, last, chosen in best]
        ways += [
            (rank + spot.rank, spot.last, (*chosen, spot))
            for rank, last, chosen in best
            for spot in spots
            if spot.first > last
        ]
        ways.sort(key=lambda way: (-way[0], way[1]))
        best, least = [], 1 << 60
        for way in ways:  # a way that has come further for less is of no use
            if way[1] < least:
                best.append(way)
                least = way[1]
    return list(best[0][2])


def _without(entry: Entry, dropped: int) -> Entry:
    """The entry without the first ``dropped`` of the rows above it."""
    if not dropped:
        return entry
    above = entry.above[dropped:]
    return replace(entry, above=above, title=join([row.title for row in (*above, entry.row)]))


def _bounds(found: Sequence[Entry]) -> list[tuple[int, int]]:
    """For each entry, the pages of the nearest found entries before and after it (0 and a large number at the ends)."""
    low, lows = 0, []
    for entry in found:
        lows.append(low)
        low = entry.page if entry.spot and entry.page else low
    high, highs = 1 << 30, []
    for entry in reversed(found):
        highs.append(high)
        high = entry.page if entry.spot and entry.page else high
    return list(zip(lows, reversed(highs), strict=True))


def _nearby(entry: Entry, low: int, high: int, index: TitleIndex, locator: TitleLocator) -> Entry:
    """An entry that is not where its number leads: on the next page, or where its title stands alone between its neighbours."""
    for dropped in range(len(entry.above) + 1):
        trial = _without(entry, dropped)
        want = wanted(trial.title)
        target = entry.page or low
        near = [entry.page + 1, entry.page - 1] if entry.page and entry.label else []
        alone = [page for page in index.pages(want) if low <= page <= high] if low <= high else []
        for page in (*near, *sorted(alone, key=lambda page: abs(page - target))):
            if not 1 <= page <= index.facts.edition.page_count or not low <= page <= high:
                continue
            spot = locator.find(want, page, run_in=False)
            if spot is not None and (len(want.bare) >= 4 or want.values):
                note = _moved(trial, page)
                return replace(trial, page=page, spot=spot, note=note)
    return entry


def _moved(entry: Entry, page: int) -> str:
    if entry.label is None:
        return ""
    where = f"page {entry.page}" if entry.page else "no page"
    return f"contents: '{entry.title}' with number {entry.label.text} leads to {where}, found on page {page}"


def note_lines(found: Iterable[Entry]) -> frozenset[int]:
    """Indices of all lines of some entries."""
    return frozenset(i for entry in found for i in entry.lines)
