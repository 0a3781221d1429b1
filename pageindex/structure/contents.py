"""The witness of printed contents pages, found in any language by what they do: titles with rising page numbers that are printed there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pageindex.document import Note, TreeSource
from pageindex.structure.candidate import Candidate, Testimony
from pageindex.structure.contents_entries import Entry, TitleIndex, entries, map_pages, note_lines, verify
from pageindex.structure.contents_levels import levels
from pageindex.structure.contents_rows import looks_like_contents, rows
from pageindex.structure.facts import Facts
from pageindex.structure.printed import Printer, wanted
from pageindex.structure.titles import clean

__all__ = ["hear"]

MIN_ENTRIES = 3  #: Fewest verified entries of a list.
MIN_VERIFIED = 0.5  #: Share of numbered entries that must be printed where they lead.
MIN_QUICK = 0.25  #: Share of rows whose title stands alone on another page, below which a page is no contents page.
MIN_ORDER = 0.8  #: Share of steps between verified entries that must not go back.


@dataclass(frozen=True, slots=True)
class Listing:
    """One list of entries: a contents list, a list of figures, the small contents of a chapter."""

    entries: tuple[Entry, ...]
    captions: bool = False

    @property
    def verified(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.spot is not None]


def hear(facts: Facts) -> Testimony:
    """Read all printed contents of a document.

    Candidates are the entries that were found printed on their pages, with the level of their list; ``trust`` is the share of entries
    that were; ``listed`` holds the lines of the contents pages themselves.
    """
    index = TitleIndex(facts)
    listings = [listing for block in _blocks(facts, index) for listing in _lists(block, index, facts)]
    listed = frozenset(i for listing in listings for i in note_lines(listing.entries))
    main = max((each for each in listings if not each.captions), key=lambda each: len(each.verified), default=None)
    if main is None:
        return Testimony(TreeSource.CONTENTS, listed=listed)
    candidates = _candidates(main, facts)
    numbered = [entry for entry in main.entries if entry.label is not None]
    trust = sum(entry.spot is not None for entry in numbered) / max(len(numbered), 1)
    notes = tuple(_notes(main))
    complete = len(candidates) >= 5 and len({c.level for c in candidates}) > 1
    return Testimony(TreeSource.CONTENTS, tuple(candidates), trust, complete, notes, listed)


def _blocks(facts: Facts, index: TitleIndex) -> Iterator[list[Entry]]:
    """Entries of stretches of neighbouring contents pages."""
    block: list[Entry] = []
    last = 0
    for page in range(1, facts.edition.page_count + 1):
        if not looks_like_contents(facts, page):
            continue
        found = entries(rows(facts, page, mirrored=False))
        if not _promising(found, page, index):
            continue
        if block and page > last + 2:
            yield block
            block = []
        block, last = block + found, page
    if block:
        yield block


def _promising(found: Sequence[Entry], page: int, index: TitleIndex) -> bool:
    """Whether enough of a page's numbered rows stand as lines on other pages."""
    numbered = [entry for entry in found if entry.label is not None]
    hits = sum(any(p != page for p in index.pages(wanted(entry.title))) for entry in numbered)
    return len(numbered) >= MIN_ENTRIES and hits >= max(2, MIN_QUICK * len(numbered))


def _lists(block: Sequence[Entry], index: TitleIndex, facts: Facts) -> list[Listing]:
    """The lists of a block that hold: enough entries are printed where they lead, and in order."""
    index.passed.update(note_lines(block))
    printer = Printer(facts, index.passed)
    checked = verify(map_pages(block, index), index, printer)
    made = []
    for part in _restarts(checked):
        numbered = [entry for entry in part if entry.label is not None]
        good = [entry for entry in part if entry.spot is not None]
        if len(good) >= MIN_ENTRIES and len(good) >= MIN_VERIFIED * len(numbered) and _ordered(good) >= MIN_ORDER:
            made.append(Listing(tuple(part), _are_captions(good, facts)))
    if not made:
        index.passed.difference_update(note_lines(block))
    return made


def _ordered(found: Sequence[Entry]) -> float:
    pages = [entry.page or 0 for entry in found]
    steps = [b >= a for a, b in pairwise(pages)]
    return sum(steps) / len(steps) if steps else 1.0


def _restarts(found: Sequence[Entry]) -> Iterator[list[Entry]]:
    """Cut where the pages go back and stay back: there another list begins."""
    part: list[Entry] = []
    high = 0
    pages = [entry.page if entry.spot else None for entry in found]
    for k, entry in enumerate(found):
        page = pages[k]
        if page is not None and page < high:
            ahead = [p for p in pages[k : k + 6] if p is not None]
            if sum(p < high for p in ahead) > len(ahead) / 2:
                yield part
                part, high = [], 0
        part.append(entry)
        high = max(high, page or 0)
    if part:
        yield part


def _are_captions(found: Sequence[Entry], facts: Facts) -> bool:
    """Whether a list names figures or tables: its titles are printed behind a word and their number that the list leaves out."""
    foreign = 0
    for entry in found:
        if entry.spot is None:
            continue
        own, printed = entry.number, facts.numbers[entry.spot.first]
        if printed is not None and printed.prefix and (own is None or not own.prefix):
            foreign += facts.size[entry.spot.first] <= facts.body_size * 1.1
    return foreign > len(found) / 2


def _candidates(listing: Listing, facts: Facts) -> list[Candidate]:
    kept = listing.verified
    found = []
    for entry, level in zip(kept, levels(kept), strict=True):
        if entry.spot is None or entry.page is None:
            continue
        found.append(
            Candidate(
                title=clean(entry.title),
                page=entry.page,
                byte=entry.spot.start,
                heading=(entry.spot.start, entry.spot.end),
                level=level,
                witness=TreeSource.CONTENTS,
                why=f"contents, page {entry.label.text}" if entry.label else "contents",
            )
        )
    return sorted(found, key=lambda c: (c.page, c.byte))


def _notes(listing: Listing) -> Iterator[Note]:
    for entry in listing.entries:
        if entry.note:
            yield Note("CONTENTS_REPAIRED", entry.note, entry.page)
        elif entry.spot is None and entry.label is not None:
            yield Note(
                "CONTENTS_NOT_FOUND",
                f"contents: '{entry.title}' ({entry.label.text}) is not printed where it leads",
                entry.page,
            )
