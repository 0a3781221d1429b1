"""An edition folded once: page by page when a page is asked for, as one text when the whole document is searched."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from pageindex.document import Edition, Line, Page
from pageindex.evidence.characters import Character
from pageindex.evidence.lines import page_lines
from pageindex.evidence.quotes.bodies import bodies
from pageindex.evidence.quotes.columns import margin_numbers, parted, stacked
from pageindex.evidence.quotes.raised import printed_text
from pageindex.text.folding import Folded, fold, letters, letters_text, unaccented
from pageindex.text.words import fold as fold_word

__all__ = ["NO_DIGITS", "FoldedEdition", "FoldedText", "folded", "kept_ranges", "without_running"]

_KEPT_PAGES = 4096
_MOST_HITS = 100  # pages of one word, when likely ones are looked for
NO_DIGITS = str.maketrans("", "", "0123456789")
_BREAK = "\f"  # folded text never holds one, so no hit reaches over a page break unnoticed


@dataclass(frozen=True, slots=True)
class FoldedText:
    """A text beside both of its foldings: ``plain`` (N) and ``letters`` (L)."""

    raw: str
    plain: Folded
    letters: Folded

    @classmethod
    def of(cls, text: str) -> FoldedText:
        plain = fold(text)
        return cls(text, plain, letters(plain))


class FoldedEdition:
    """The foldings of one edition. Safe to share between threads: what is computed twice comes out the same."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self._pages: OrderedDict[int, FoldedText] = OrderedDict()
        self._looked: set[int] = set()
        self._words: dict[int, str] = {}
        self._whole: _Joined | None = None
        self._plainest: _Joined | None = None
        self._digitless: _Joined | None = None
        self._blocks: dict[tuple[int, bool], tuple[str, list[tuple[Line, int]]]] = {}
        self._through: _Joined | None = None
        self._bodied: _Joined | None = None

    def page(self, number: int, characters: Sequence[Character] | None = None) -> FoldedText:
        """Both foldings of a page; raises IndexError when there is no such page.

        ``characters`` tell which of its digits are raised (``raised.printed_text``); what they told is kept.
        """
        known = self._pages.get(number)
        if known is None or (characters is not None and number not in self._looked):
            known = FoldedText.of(printed_text(self.edition, number, characters))
            self._pages[number] = known
            if characters is not None:
                self._looked.add(number)
            if len(self._pages) > _KEPT_PAGES:
                self._looked.discard(self._pages.popitem(last=False)[0])
        return known

    def looked_at(self, number: int) -> bool:
        """Whether the characters of a page have told which of its digits are raised."""
        return number in self._looked

    def pages_with(self, needle: str) -> Iterator[int]:
        """Every page that holds some letters and digits whole, once, in order."""
        return self._searchable().pages(needle)

    def pages_with_unaccented(self, needle: str) -> Iterator[int]:
        """The same where accents do not matter; the needle has none."""
        whole = self._searchable()
        if self._plainest is None:
            self._plainest = _Joined(unaccented(whole.text), whole.starts)
        return self._plainest.pages(needle)

    def pages_with_marks(self, needle: str) -> Iterator[int]:
        """Pages that hold some letters whole once digits are left out on both sides: where note marks may stand between them."""
        whole, wanted = self._searchable(), needle.translate(NO_DIGITS)
        if self._digitless is None:
            parts = whole.text.translate(NO_DIGITS).split(_BREAK)
            self._digitless = _Joined.of(parts, _BREAK)
        return self._digitless.pages(wanted)

    def blocks(self, number: int, characters: Sequence[Character] | None = None) -> tuple[str, list[tuple[Line, int]]]:
        """The lines of a page block by block (``columns.stacked``), and their letters and digits.

        Beside each line, the characters at its beginning that only number it in the margin. ``characters`` tell narrow columns apart.
        """
        key = number, characters is not None
        known = self._blocks.get(key)
        if known is None:
            every = page_lines(self.edition, number)
            numbered = margin_numbers(every) if characters is None else {}
            every = every if characters is None else parted(every, characters)
            lines = [line for block in stacked(every) for line in block]
            placed = [(line, numbered.get(line.start, 0)) for line in lines]
            known = letters_text(fold("\n".join(line.text[cut:] for line, cut in placed)).text), placed
            self._blocks[key] = known
        return known

    def breaks_with(self, needle: str) -> Iterator[tuple[int, int]]:
        """``(first, last)`` page of every place where letters and digits reach over a page break, running lines left out."""
        yield from self._flowing.breaks(needle)

    def flow_with(self, needle: str) -> Iterator[int]:
        """Every page that holds some letters and digits whole, running lines left out."""
        yield from (first for first, last in self._flowing.spans(needle) if first == last)

    @cached_property
    def _flowing(self) -> _Joined:
        return _Joined.of([letters_text(fold(without_running(page)).text) for page in self.edition.pages], "")

    def printed_breaks_with(self, needle: str) -> Iterator[tuple[int, int]]:
        """The same with running lines as they stand, for a copy that took them along."""
        if self._through is None:
            self._through = _Joined.of(self._searchable().text.split(_BREAK), "")
        yield from self._through.breaks(needle)

    def body_breaks_with(self, needle: str) -> Iterator[tuple[int, int]]:
        """The same from body to body, past notes and whatever else stands between (``bodies``)."""
        if self._bodied is None:
            texts = ("\n".join(line.text for line in lines) for lines in self.bodies)
            self._bodied = _Joined.of([letters_text(fold(text).text) for text in texts], "")
        yield from self._bodied.breaks(needle)

    @cached_property
    def bodies(self) -> list[list[Line]]:
        """The lines of every page's body."""
        return bodies(self.edition)

    def words_of(self, number: int) -> str:
        """A page as words are searched: without case and accents, divided words joined."""
        known = self._words.get(number)
        if known is None:
            known = self._words[number] = fold_word(fold(self.edition.page(number).text).text)
        return known

    def likely_pages(self, words: Iterable[str], most: int) -> list[int]:
        """The pages that share the most, and the rarest, of some words in their letters; best first."""
        whole = self._searchable()
        scores: defaultdict[int, float] = defaultdict(float)
        for word in words:
            pages = list(islice(whole.pages(word), _MOST_HITS))
            for page in pages:
                scores[page] += 1 / len(pages)
        return [page for page, _ in sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:most]]

    def _searchable(self) -> _Joined:
        if self._whole is None:
            texts = [letters_text(fold(page.text).text) for page in self.edition.pages]
            self._whole = _Joined.of(texts, _BREAK)
        return self._whole


@dataclass(frozen=True, slots=True)
class _Joined:
    text: str
    starts: list[int]

    @classmethod
    def of(cls, texts: list[str], between: str) -> _Joined:
        starts, position = [], 0
        for text in texts:
            starts.append(position)
            position += len(text) + len(between)
        return cls(between.join(texts), starts)

    def page(self, at: int) -> int:
        return bisect_right(self.starts, at)

    def pages(self, needle: str) -> Iterator[int]:
        at = self.text.find(needle) if needle else -1
        while at >= 0:
            page = self.page(at)
            yield page
            at = self.text.find(needle, self.starts[page]) if page < len(self.starts) else -1

    def breaks(self, needle: str) -> Iterator[tuple[int, int]]:
        return ((first, last) for first, last in self.spans(needle) if last > first)

    def spans(self, needle: str) -> Iterator[tuple[int, int]]:
        """The first and the last page of every place."""
        return ((self.page(at), self.page(at + len(needle) - 1)) for at in self.find(needle))

    def find(self, needle: str) -> Iterator[int]:
        at = self.text.find(needle) if needle else -1
        while at >= 0:
            yield at
            at = self.text.find(needle, at + 1)


def without_running(page: Page) -> str:
    """The page's text without its running heads, feet and folios."""
    return "".join(page.text[start:end] for start, end in kept_ranges(page))


def kept_ranges(page: Page) -> list[tuple[int, int]]:
    """The character ranges of a page between its running lines."""
    if not page.running:
        return [(0, len(page.text))]
    ranges, position = [], 0
    for start, end in sorted(page.running):
        first, last = map(page.char, (start, end))
        if first > position:
            ranges.append((position, first))
        position = max(position, last)
    return [*ranges, (position, len(page.text))] if position < len(page.text) else ranges


def folded(edition: Edition) -> FoldedEdition:
    """The foldings of an edition, made once and kept with it."""
    return edition.derived(FoldedEdition)
