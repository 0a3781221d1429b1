"""Where a quote is sought: on the cited pages or any, over page breaks, without note marks, in cells and columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice

from pageindex.document import Edition, PageRange
from pageindex.errors import PageIndexError
from pageindex.evidence.characters import Character
from pageindex.evidence.quotes.difference import WordChange
from pageindex.evidence.quotes.index import FoldedEdition, folded
from pageindex.evidence.quotes.located import MOST_PLACES
from pageindex.evidence.quotes.match import Match, matches
from pageindex.evidence.quotes.passage import Passage, in_blocks, joined_bodies, joined_pages, one_page, without_marks
from pageindex.evidence.quotes.wanted import Wanted
from pageindex.text.folding import letters_text

__all__ = ["CharacterSource", "Place", "Search"]

CharacterSource = Callable[[int], Sequence[Character]]
"""The characters of a page with their places, by page number."""

_MOST_PAGES = 20  # pages of a frequent phrase that are looked at
_LIKELY = 3  # pages compared word by word when a quote is found nowhere


@dataclass(frozen=True)
class Place:
    """A match, and the text it was found in."""

    passage: Passage
    match: Match


@dataclass(frozen=True)
class Search:
    """One quote, and where it may stand.

    Attributes:
        edition: What was read.
        wanted: The quote.
        cited: The pages cited; None for the whole document.
        characters: Where the characters of a page stand.
    """

    edition: Edition
    wanted: Wanted
    cited: range | None = None
    characters: CharacterSource | None = None

    @cached_property
    def index(self) -> FoldedEdition:
        return folded(self.edition)

    @cached_property
    def forms(self) -> tuple[Wanted, ...]:
        """The quote, and the quote without its markup where it may have any."""
        return (self.wanted, *self.wanted.plainer())

    def anywhere(self) -> Search:
        """The same in the whole document."""
        return Search(self.edition, self.wanted, None, self.characters)

    def _within(self, wanted: Wanted) -> list[Place]:
        """Places on the cited pages, or on any page, without those that only a running line holds."""
        if self.cited is not None:
            return self._places(self.cited, wanted) or self._past_running_lines(wanted)
        places = self._places(islice(self.index.pages_with(wanted.letters), _MOST_PAGES), wanted)
        return [p for p in places if not self._in_running_line(p)] or places or self._past_running_lines(wanted)

    def _past_running_lines(self, wanted: Wanted) -> list[Place]:
        """Places on one page with a running line in their midst, which is not shown to readers."""
        pages = self.cited if self.cited is not None else islice(self.index.flow_with(wanted.letters), _MOST_PAGES)
        passages = [joined_pages(self.index, page, page) for page in pages if self.edition.page(page).running]
        return [Place(passage, match) for passage in passages for match in matches(passage.text, wanted)]

    def _over_breaks(self, wanted: Wanted) -> list[Place]:
        """Places over a page break that a cited page touches, or over any: without running lines, with them, or from body to body."""
        index = self.index
        for breaks, join in (
            (index.breaks_with, joined_pages),
            (index.printed_breaks_with, partial(joined_pages, running=True)),
            (index.body_breaks_with, joined_bodies),
        ):
            touched = (pair for pair in breaks(wanted.letters) if self._touches(*pair))
            passages = [join(index, first, last) for first, last in islice(touched, MOST_PLACES)]
            places = [place for passage in passages for place in self._crossing(passage, wanted)]
            if places:
                return places
        return []

    def _touches(self, first: int, last: int) -> bool:
        return self.cited is None or any(first <= page <= last for page in self.cited)

    def _unmarked(self, wanted: Wanted) -> list[Place]:
        """Places where the page has note marks that the quote leaves out."""
        places: list[Place] = []
        for page in islice(self.index.pages_with_marks(wanted.letters), _MOST_PAGES):
            if self.cited is not None and page not in self.cited:
                continue
            passage = without_marks(one_page(self.index, page, self._seen(page)))
            if passage is not None:
                places += [Place(passage, _doubted(m, passage)) for m in matches(passage.text, wanted)]
        return places

    def _in_blocks(self, wanted: Wanted) -> list[Place]:
        """Places in a cell or column of several lines, where the page's text runs across."""
        pages = self.cited if self.cited is not None else self.likely_numbers
        passages = [in_blocks(self.index, page, wanted.letters) for page in pages]
        if self.cited is not None and not any(passages):
            passages = [in_blocks(self.index, page, wanted.letters, self._characters(page)) for page in pages]
        return [Place(p, match) for p in passages if p is not None for match in matches(p.text, wanted)]

    def _unmarked_in_blocks(self, wanted: Wanted) -> list[Place]:
        """The same where the page has note marks besides, that the quote leaves out."""
        places: list[Place] = []
        for page in self.cited if self.cited is not None else self.likely_numbers:
            passage = in_blocks(self.index, page, wanted.letters, marks=False)
            passage = without_marks(passage) if passage is not None else None
            if passage is not None:
                places += [Place(passage, _doubted(m, passage)) for m in matches(passage.text, wanted)]
        return places

    @cached_property
    def _found(self) -> dict[tuple[int, str], list[Place]]:
        return {}

    def ways(self, wanted: Wanted) -> Iterator[list[Place]]:
        """The places found in each way, looked for once and when they are asked for."""
        for number, way in enumerate(
            (self._within, self._over_breaks, self._unmarked, self._in_blocks, self._unmarked_in_blocks)
        ):
            key = (number, wanted.text)
            if key not in self._found:
                self._found[key] = way(wanted)
            yield self._found[key]

    def all(self) -> list[Place]:
        """Every place of the quote in any of its forms, passing or not."""
        return [place for form in self.forms for places in self.ways(form) for place in places]

    def _places(self, pages: Iterable[int], wanted: Wanted) -> list[Place]:
        places: list[Place] = []
        for page in pages:
            passage = one_page(self.index, page)
            found = [Place(passage, match) for match in matches(passage.text, wanted)]
            if found and wanted.may_be_raised and self._seen(page) is not None:
                passage = one_page(self.index, page, self._seen(page))
                found = [Place(passage, match) for match in matches(passage.text, wanted)]
            places += found
        return places

    def _seen(self, page: int) -> Sequence[Character] | None:
        """The characters of a page with their places, looked at once; None where nobody can look, as when the source is gone."""
        return None if self.index.looked_at(page) else self._characters(page)

    def _characters(self, page: int) -> Sequence[Character] | None:
        """The characters of a page with their places; None where nobody can look."""
        if self.characters is None:
            return None
        try:
            return self.characters(page) or None
        except PageIndexError:
            return None

    @cached_property
    def likely_numbers(self) -> list[int]:
        longest = self.forms[-1]
        words = sorted({letters_text(word) for word in longest.plain.split()} - {""}, key=lambda w: (-len(w), w))
        if len(words) < 3:  # a script without spaces
            words = [longest.letters[at : at + 4] for at in range(0, len(longest.letters), 4)]
        return self.index.likely_pages(words[:12], _LIKELY)

    @cached_property
    def likely(self) -> list[Passage]:
        return [one_page(self.index, page) for page in self.likely_numbers]

    def _crossing(self, passage: Passage, wanted: Wanted) -> Iterator[Place]:
        for match in matches(passage.text, wanted):
            if len({found.page for found in passage.page_ranges(self.edition, match.start, match.end)}) > 1:
                yield Place(passage, match)

    def cited_passages(self) -> list[Passage]:
        cited = self.cited or range(0)
        joined = [joined_pages(self.index, cited[0], cited[-1])] if len(cited) > 1 else []
        return [*(one_page(self.index, page) for page in cited), *joined]

    def passages_of(self, parts: tuple[Wanted, ...]) -> Iterator[Passage]:
        longest = max(parts, key=lambda part: len(part.letters))
        pages = list(self.cited or islice(self.index.pages_with(longest.letters), _MOST_PAGES))
        yield from (one_page(self.index, page) for page in pages)
        for first in dict.fromkeys(page - back for page in pages for back in (1, 0)):
            if 1 <= first < self.edition.page_count:
                yield joined_pages(self.index, first, first + 1)

    def _in_running_line(self, place: Place) -> bool:
        page = self.edition.page(place.passage.pieces[0].page)
        if not page.running:
            return False
        (found,) = place.passage.page_ranges(self.edition, place.match.start, place.match.end)
        return any(start <= found.start and found.end <= end for start, end in page.running)

    def ranges(self, place: Place) -> tuple[PageRange, ...]:
        return place.passage.page_ranges(self.edition, place.match.start, place.match.end)


def _doubted(match: Match, passage: Passage) -> Match:
    """The match for review, where what was left out may be more than a note mark."""
    if not any(match.start <= at < match.end for at in passage.unsure):
        return match
    return replace(match, changes=(*match.changes, WordChange("", "a raised mark", True)))
