"""The source of printed contents pages, found in any language by what they do: titles with rising page numbers that are printed there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from pageindex.document import Note, TreeSource
from pageindex.structure.candidate import Candidate, SourceHeadings
from pageindex.structure.contents.entries import Entry, TitleIndex, entries, map_pages, note_lines, verify
from pageindex.structure.contents.levels import levels
from pageindex.structure.contents.links import follow_links
from pageindex.structure.contents.rows import Row, looks_like_contents, read_label, rows
from pageindex.structure.facts import Facts
from pageindex.structure.title_locator import TitleLocator, wanted
from pageindex.structure.titles import clean
from pageindex.text import normal

__all__ = ["find_headings"]

_LETTERS, _RTL = re.compile(r"[^\W\d_]"), re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")

MIN_ENTRIES = 3  #: Fewest confirmed entries of a list.
MIN_CONFIRMED = 0.5  #: Share of numbered entries that must be printed where their number leads.
MIN_QUICK = 0.25  #: Share of rows whose title stands alone on another page, below which a page is no contents page.
MIN_ORDER = 0.8  #: Share of steps between found entries that must not go back.
MIN_LEADERS = (
    0.5  #: Share of numbered rows with leaders from which on a page is one of contents whatever its numbers lead to.
)
MIN_INDEX = 20  #: Fewest rows of an index that is told by its alphabetical order.
MIN_SHARED = 0.3  #: Share of a list's titles that come back in the list of another part.
MIN_TELLING = (
    0.3  #: Share of confirmed entries whose titles stand on few pages: a table that comes back is found anywhere.
)
FEW = 3  #: Pages on which a title may stand to tell where its number leads.
MIN_LABELS = 3  #: Fewest different page numbers that confirmed entries lead to, where there are that many pages.
MAX_PROSE = 6  #: Rows without a number that end a list.


@dataclass(frozen=True, slots=True)
class Listing:
    """One list of entries: a contents list, a list of figures, the small contents of a chapter."""

    entries: tuple[Entry, ...]
    captions: bool = False

    @property
    def found(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.spot is not None]


def find_headings(facts: Facts) -> SourceHeadings:
    """Read all printed contents of a document.

    Candidates are the entries that were found printed on their pages, with the level of their list; ``trust`` is the share of entries
    that were; ``listed`` holds the lines of the contents pages themselves.
    """
    index = TitleIndex(facts)
    listings: list[Listing] = []
    dotted: set[int] = set()
    for block in _blocks(facts, index):
        by_page = [list(found) for _, found in groupby(block, key=lambda entry: entry.row.page)]
        plain = [entry for found in by_page if not _is_index(found) for entry in found]
        if _dotted(block):
            dotted |= note_lines(block)
        for listing in _lists(plain, index, facts):
            if listings and _continues(listings[-1], listing):
                listings[-1] = replace(listings[-1], entries=listings[-1].entries + listing.entries)
            else:
                listings.append(listing)
    listed = frozenset(i for listing in listings for i in note_lines(listing.entries)) | dotted
    lists = [each for each in listings if not each.captions]
    main = max(lists, key=lambda each: len(each.found), default=None)
    if main is None:
        return SourceHeadings(TreeSource.CONTENTS, listed=listed)
    candidates = _candidates(main, facts)
    complete = len(candidates) >= 5 and len({c.level for c in candidates}) > 1
    joining = [each for each in lists if each is not main and _joins(each, main)]
    for other in joining:
        candidates = _joined(candidates, _candidates(other, facts))
    numbered = [entry for each in (main, *joining) for entry in each.entries if entry.label is not None]
    trust = sum(entry.spot is not None for entry in numbered) / max(len(numbered), 1)
    notes = tuple(note for each in (main, *joining) for note in _notes(each))
    return SourceHeadings(TreeSource.CONTENTS, tuple(candidates), trust, complete, notes, listed)


def _joins(other: Listing, main: Listing) -> bool:
    """Whether a list is the contents of another part of the file: of pages apart from the main list's, and like it.

    Parts of one make (papers, acts) share titles ("1 Introduction", "References"). Lists of figures, of plates and of what one chapter
    holds lie within the main list's pages.
    """
    pages, own = [e.page or 0 for e in main.found], [e.page or 0 for e in other.found]
    if min(own) <= max(pages) and min(pages) <= max(own):
        return False
    titles = {normal.title(entry.title) for entry in main.found}
    shared = sum(normal.title(entry.title) in titles for entry in other.found)
    return shared >= MIN_SHARED * len(other.found)


def _joined(one: Sequence[Candidate], other: Sequence[Candidate]) -> list[Candidate]:
    return sorted([*one, *other], key=lambda candidate: (candidate.page, candidate.byte))


def _blocks(facts: Facts, index: TitleIndex) -> Iterator[list[Entry]]:
    """Entries of stretches of neighbouring contents pages."""
    block: list[list[Row]] = []
    last = 0
    for page in range(1, facts.edition.page_count + 1):
        if not looks_like_contents(facts, page):
            continue
        found = rows(facts, page, mirrored=_right_to_left(facts.edition.page(page).text))
        if not any(_promising(part, index) for part in _without_prose(entries(found))):
            continue
        if block and page > last + 2:
            yield from _without_prose(entries(_without_heads(block)))
            block = []
        block.append(found)
        last = page
    if block:
        yield from _without_prose(entries(_without_heads(block)))


def _right_to_left(text: str) -> bool:
    """Whether most letters of a page belong to scripts that run from right to left."""
    letters = 0 if text.isascii() else len(_LETTERS.findall(text))
    return letters > 0 and len(_RTL.findall(text)) > letters / 2


def _without_heads(pages: Sequence[Sequence[Row]]) -> list[Row]:
    """The rows of a block's pages without first and last rows that come back on another page, page numbers apart."""
    counts = Counter(key for found in pages if found for key in {_head_key(found[0]), _head_key(found[-1])})
    kept = []
    for found in pages:
        for k, row in enumerate(found):
            if k not in (0, len(found) - 1) or counts[_head_key(row)] < 2:
                kept.append(row)
    return kept


def _head_key(row: Row) -> str:
    return normal.title(" ".join(word for word in row.title.split() if read_label(word) is None)) or "folio"


def _without_prose(block: Sequence[Entry]) -> Iterator[list[Entry]]:
    """Cut a block where many rows in a row have no number, and drop such rows at the ends: that is text, not contents."""
    part: list[Entry] = []
    waiting: list[Entry] = []
    for entry in block:
        if entry.label is None:
            waiting.append(entry)
            continue
        if part and len(waiting) < MAX_PROSE:
            part += waiting
        elif part:
            yield part
            part = []
        waiting = []
        part.append(entry)
    if part:
        yield part


def _promising(found: Sequence[Entry], index: TitleIndex) -> bool:
    """Whether enough numbered rows of a stretch stand as lines elsewhere, or have leaders."""
    numbered = [entry for entry in found if entry.label is not None]
    if len(numbered) < MIN_ENTRIES:
        return False
    if _dotted(numbered):
        return True
    own = note_lines(found)
    hits = sum(index.elsewhere(wanted(entry.title), own) for entry in numbered if _worded(entry))
    return hits >= max(2, MIN_QUICK * len(numbered))


def _is_index(block: Sequence[Entry]) -> bool:
    """Whether rows are an index: a comma before the number, or titles in alphabetical order whose numbers are not."""
    numbered = [entry for entry in block if entry.label is not None]
    if sum(entry.title.endswith((",", "،", "、")) for entry in numbered) > len(numbered) / 2:
        return True
    plain = [entry for entry in numbered if entry.number is None and entry.label is not None]
    titles = [normal.title(entry.title) for entry in plain]
    values = [entry.label.value for entry in plain if entry.label is not None]
    sorted_share = sum(b >= a for a, b in pairwise(titles)) / max(len(titles) - 1, 1)
    rising = sum(b >= a for a, b in pairwise(values)) / max(len(values) - 1, 1)
    return len(plain) >= max(MIN_INDEX, len(numbered) / 2) and sorted_share > MIN_ORDER and rising < MIN_ORDER


def _continues(one: Listing, two: Listing) -> bool:
    """Whether a list goes on after a stretch of text on the same page or the next: its pages go on where the other's end."""
    if one.captions or two.captions or two.entries[0].row.page > one.entries[-1].row.page + 1:
        return False
    return (two.found[0].page or 0) >= (one.found[-1].page or 0)


def _dotted(found: Sequence[Entry]) -> bool:
    numbered = [entry for entry in found if entry.label is not None]
    return sum(entry.row.leader for entry in numbered) >= max(MIN_ENTRIES, MIN_LEADERS * len(numbered))


def _worded(entry: Entry) -> bool:
    """Whether a title has words, not only figures and signs."""
    letters = sum(map(str.isalpha, entry.title))
    return letters >= 2 and letters >= 0.3 * len(entry.title.replace(" ", ""))


def _lists(block: Sequence[Entry], index: TitleIndex, facts: Facts) -> list[Listing]:
    """The lists of a block that hold: enough entries are printed where they lead, and in order."""
    index.passed.update(note_lines(block))
    locator = TitleLocator(facts, index.passed)
    checked = verify(map_pages(follow_links(block, facts.edition.links), index), index, locator)
    checked = [entry for entry in checked if not _is_furniture(entry, facts)]
    made = [Listing(tuple(part), _are_captions(part, facts)) for part in _restarts(checked) if _holds(part, index)]
    if not made:
        index.passed.difference_update(note_lines(block))
    return made


def _is_furniture(entry: Entry, facts: Facts) -> bool:
    """A running head or foot of the contents page itself: its first or last row, with its own page number."""
    lines = facts.on(entry.row.page)
    return entry.page == entry.row.page and (lines[0] in entry.lines or lines[-1] in entry.lines)


def _confirmed(entry: Entry) -> bool:
    """Printed where its number leads."""
    return entry.spot is not None and entry.label is not None and not entry.note


def _holds(part: Sequence[Entry], index: TitleIndex) -> bool:
    numbered = [entry for entry in part if entry.label is not None]
    found = [entry for entry in part if entry.spot is not None]
    if not found or _ordered(found) < MIN_ORDER:
        return False
    good = [entry for entry in numbered if _confirmed(entry)]
    if sum(map(_worded, good)) >= MIN_ENTRIES and len(good) >= MIN_CONFIRMED * len(numbered):
        telling = _telling(good, index) >= MIN_TELLING * len(good)
        return _lead_on(good) and telling and not _are_table_rows(good, index.facts)
    # Numbers that lead nowhere (another edition's): the titles themselves must be there, and the rows must look the part.
    located = sum(entry.spot is not None and _worded(entry) for entry in numbered)
    return _dotted(numbered) and located >= max(MIN_ENTRIES, MIN_CONFIRMED * len(numbered))


def _lead_on(good: Sequence[Entry]) -> bool:
    """Whether entries lead to different pages, other than their own: the rows of a table carry figures that mean something else."""
    labels = {entry.label.text for entry in good if entry.label is not None}
    away = sum(entry.page != entry.row.page for entry in good)
    return len(labels) >= min(MIN_LABELS, (len(good) + 1) // 2) and away > len(good) / 2


def _telling(good: Sequence[Entry], index: TitleIndex) -> float:
    """How many entries say where they lead: a title that stands on many pages is found on any."""
    return sum(min(1.0, FEW / max(len(index.pages(wanted(entry.title))), 1)) for entry in good)


def _are_table_rows(good: Sequence[Entry], facts: Facts) -> bool:
    """Whether most titles are printed beside a figure, as they are in the list: cells of a table that comes back."""
    return 2 * sum(_beside_figure(entry, facts) for entry in good) > len(good)


def _beside_figure(entry: Entry, facts: Facts) -> bool:
    if entry.spot is None or entry.page is None:
        return False
    first = facts.lines[entry.spot.first].box
    own = set(range(entry.spot.first, entry.spot.last + 1))
    return any(
        i not in own
        and abs(facts.lines[i].box.y1 - first.y1) < (first.y1 - first.y0) / 2
        and facts.texts[i].isdecimal()
        and not entry.title.startswith(facts.texts[i])
        and not facts.running[i]
        for i in facts.on(entry.page)
    )


def _ordered(found: Sequence[Entry]) -> float:
    steps = [b >= a for a, b in pairwise(entry.page or 0 for entry in found)]
    return sum(steps) / len(steps) if steps else 1.0


def _restarts(found: Sequence[Entry]) -> Iterator[list[Entry]]:
    """Cut where the pages go back and stay back: there another list begins."""
    part: list[Entry] = []
    high = 0
    pages = [entry.page if _confirmed(entry) else None for entry in found]
    for k, entry in enumerate(found):
        page = pages[k]
        if page is not None and page < high:
            ahead = [p for p in pages[k : k + 8] if p is not None]
            if sum(p < high for p in ahead) > len(ahead) / 2:
                yield part
                part, high = [], 0
        part.append(entry)
        high = max(high, page or 0)
    if part:
        yield part


def _are_captions(part: Sequence[Entry], facts: Facts) -> bool:
    """Whether a list names figures or tables: its titles are printed behind a word and their number that the list leaves out."""
    foreign = found = 0
    for entry in part:
        if entry.spot is None:
            continue
        found += 1
        own, printed = entry.number, facts.numbers[entry.spot.first]
        behind = printed is not None and printed.prefix and printed.end < len(facts.texts[entry.spot.first])
        if behind and (own is None or not own.prefix):
            foreign += facts.size[entry.spot.first] <= facts.body_size * 1.1
    return foreign > found / 3


def _candidates(listing: Listing, facts: Facts) -> list[Candidate]:
    kept = listing.found
    found = []
    for entry, level in zip(kept, levels(kept, facts), strict=True):
        if entry.spot is None or entry.page is None:
            continue
        found.append(
            Candidate(
                title=clean(entry.title),
                page=entry.page,
                byte=entry.spot.start,
                heading=(entry.spot.start, entry.spot.end),
                level=level,
                source=TreeSource.CONTENTS,
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
