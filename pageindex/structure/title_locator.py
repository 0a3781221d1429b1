"""Where a title is printed on a page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterator
from functools import partial
from typing import NamedTuple

from pageindex.document.offsets import byte_of, encoded, words_of
from pageindex.structure.facts import Facts, fold
from pageindex.structure.numbering.marks import parse
from pageindex.structure.titles import near_equal
from pageindex.text import normal

__all__ = ["Printed", "TitleLocator", "Wanted", "wanted"]

MAX_LINES = 5  #: Most lines (or cells) over which one heading is looked for.
LONG_LEAD = 24  #: Folded characters of a title that needs nothing to set it off from text behind it.
MIN_RUN_IN = 6  #: Fewest folded characters of a title that may be followed by text on its own line.
MOST_MARKS, MOST_MARK_LETTERS = (
    3,
    16,
)  #: Words, and their letters, that count a heading on one side only: "Chapter two", "III".
MIN_SHARED = 0.6  #: Share of a title's words that the lines at its target must hold …
MIN_SHARED_BACK = 0.5  #: … and share of those lines' words that the title must hold.
OWN_LINE = 1.4  #: Least rank of a title that stands on a line of its own.
POINTED_AT = 1.3  #: What a lead at the target's height gains in rank.
MISSPELT = 0.3  #: What a letter in ten costs in rank.
SET_OFF = 1.08  #: By how much a heading is larger than the body.

_WORD = re.compile(r"\w+")


class Wanted(NamedTuple):
    """A title to look for: folded whole, folded without its number, the number's values, and its words."""

    whole: str
    bare: str
    values: tuple[int, ...]
    words: tuple[str, ...] = ()


def wanted(title: str) -> Wanted:
    """Prepare a title for ``TitleLocator.find``."""
    text = title.strip()
    number, whole = parse(text), fold(text)
    if number is None:
        return Wanted(whole, whole, (), _words(text))
    return Wanted(whole, fold(text[number.end :]) or whole, number.values, _words(text))


def _words(text: str) -> tuple[str, ...]:
    """Its words without case and accents."""
    return tuple(_WORD.findall(normal.plain(text)))


class Printed(NamedTuple):
    """A printed title.

    Attributes:
        first, last: Indices of its first and last line.
        start, end: Byte range on the page, from the first line's start to the last line's end (of the title part, where text runs on).
        rank: Higher is better: a line of its own beats a run-in lead, a line outside running heads beats one in them.
        sure: Whether all of the title's letters stand there.
    """

    first: int
    last: int
    start: int
    end: int
    rank: float
    sure: bool = True


class TitleLocator:
    """Finds titles on the pages of one document.

    Args:
        facts: Of the document.
        passed: Indices of lines that are never a heading (those of contents pages).
    """

    def __init__(self, facts: Facts, passed: Container[int] = ()) -> None:
        self.facts, self.passed = facts, passed

    def find(
        self, want: Wanted, page: int, *, run_in: bool = True, after: int = -1, y: float | None = None
    ) -> Printed | None:
        """The best place of a title on a page, or None.

        Args:
            want: The title.
            page: Physical, 1-based.
            run_in: Whether a line that goes on behind the title counts.
            after: Only places behind this line index count, unless there is none.
            y: Height at which it is expected, in points from the top; the nearest of equal places wins.
        """
        if not want.whole:
            return None
        best: Printed | None = None
        best_key: tuple[float, ...] = ()
        spots = self._all(want, page, run_in, y)
        # A lead at the very height of the target is the heading, where no line of its own is there: others only name it.
        pointed = not any(found.rank >= OWN_LINE and self._near(found.first, y) for found in spots)
        for found in spots:
            lead = pointed and self._near(found.first, y) and not self.facts.running[found.first]
            distance = abs(self.facts.lines[found.first].box.y0 - y) if y is not None else 0.0
            key = (
                found.first > after,
                found.rank + POINTED_AT * lead,
                -round(distance / 20),
                self.facts.lines[found.first].size,
                -found.first,
            )
            if best is None or key > best_key:
                best, best_key = found, key
        return best

    def places(self, want: Wanted, page: int) -> list[Printed]:
        """All places of a title on a page, as sure as the best of them can be told, in order."""
        found = self._all(want, page, True, None) if want.whole else []
        return sorted(found, key=lambda spot: spot.first)

    def _all(self, want: Wanted, page: int, run_in: bool, y: float | None) -> list[Printed]:
        indices = self.facts.on(page)
        ways: list[Callable[[], list[Printed]]] = [
            partial(self._as_it_stands, want, indices, run_in, y),
            partial(self._listed, want, indices, y),
            partial(self._alike, want, indices),
        ]
        if run_in:  # on a page where it ought to be, less is enough
            ways += [partial(self._counted_otherwise, want, indices, y), partial(self._at_height, want, indices, y)]
        return next(filter(None, (way() for way in ways)), [])

    def _as_it_stands(self, want: Wanted, indices: range, run_in: bool, y: float | None) -> list[Printed]:
        found = []
        folded, titles = self.facts.folded, self.facts.titles
        heads = (want.whole[:3], want.bare[:3])
        for index in indices:
            text = folded[index]
            if not text or index in self.passed:
                continue
            if (
                text.startswith(heads)
                or titles[index].startswith(heads)
                or (len(text) < 3 and want.whole.startswith(text))
            ):
                spot = self._at(want, index, indices.stop, run_in, y)
                if spot is not None:
                    found.append(spot)
        return found

    def _at(self, want: Wanted, index: int, stop: int, run_in: bool, y: float | None) -> Printed | None:
        folded, titles = self.facts.folded, self.facts.titles
        # The title whole stands behind a number, too: what looks like a mark in it ("Computing a …") may be none.
        starts = [(text, target) for text in (folded[index], titles[index]) for target in (want.whole, want.bare)]
        for text, target in dict.fromkeys(starts):
            last, run_on = self._match(text, target, index, stop)
            if last >= 0 and (run_in or not run_on):
                made = self._made(want, index, last, run_on)
                if not run_on and "".join((text, *folded[index + 1 : last + 1])) != target:
                    made = made._replace(rank=made.rank - MISSPELT, sure=False)
                numbered = bool(want.values) and target == want.whole
                if not run_on or numbered or self._is_lead(made, len(target), y):
                    return made
        return None

    def _match(self, text: str, target: str, index: int, stop: int) -> tuple[int, bool]:
        """The last line of the title and whether text runs on behind it there; (-1, False) where it is not printed here."""
        last = index
        while len(text) < len(target) and target.startswith(text) and last + 1 < min(stop, index + MAX_LINES):
            last += 1
            text += self.facts.folded[last]
        if text == target or (len(target) >= 12 and near_equal(text, target)):
            return last, False
        if len(target) >= MIN_RUN_IN and text.startswith(target):
            return last, True
        return -1, False

    def _made(self, want: Wanted, first: int, last: int, run_on: bool) -> Printed:
        facts = self.facts
        rank = 2.0 - 1.2 * run_on - 0.6 * bool(facts.running[first])
        number = facts.numbers[first]
        if want.values and number is not None and number.values == want.values:
            rank += 0.5
        elif want.values and (before := self._number_before(want, first)) is not None:
            rank, first = rank + 0.5, before
        lines = facts.lines
        end = lines[last].end if not run_on else self._title_end(want, first, last)
        return Printed(first, last, lines[first].start, end, rank)

    def _is_lead(self, made: Printed, length: int, y: float | None) -> bool:
        """Whether a title that text follows on its line is set off from it: by a mark, by a change of style, by its sheer length, or,
        as whole words, by a target at its very height."""
        line = self.facts.lines[made.last]
        title = words_of(encoded(line.text), 0, made.end - line.start)
        rest = line.text[len(title) :].lstrip()
        styled = any(abs(run.start - len(title)) <= 2 for run in line.runs)
        pointed = self._near(made.first, y) and not line.text[len(title) : len(title) + 1].isalnum()
        return styled or pointed or length >= LONG_LEAD or rest[:1] in tuple(".:;–—-|(．：。")

    def _number_before(self, want: Wanted, first: int) -> int | None:
        """The line above or the cell to the left, where it is the title's number and nothing else ("Chapter 3")."""
        facts, before = self.facts, first - 1
        if before < 0 or facts.page[before] != facts.page[first] or before in self.passed or facts.running[before]:
            return None
        number = facts.numbers[before]
        if number is None or number.end < len(facts.texts[before]) or number.values != want.values:
            return None
        gap = facts.lines[first].box.y0 - facts.lines[before].box.y1
        return before if gap < 6 * facts.lines[first].size else None

    def _title_end(self, want: Wanted, first: int, last: int) -> int:
        """Byte at which a run-in title ends on its last line."""
        lines, done = self.facts.lines, sum(len(self.facts.folded[i]) for i in range(first, last))
        text, target = lines[last].text, len(want.whole) - done
        if not self.facts.folded[first].startswith(want.whole[:3]):
            target = len(want.bare) - done
        for at in range(1, len(text) + 1):
            if len(fold(text[:at])) >= target:
                return lines[last].start + byte_of(text, at)
        return lines[last].end

    def _listed(self, want: Wanted, indices: range, y: float | None) -> list[Printed]:
        """A line of a contents page that is the title of the list itself: at the height of the target, or set off at the page's top."""
        facts = self.facts
        first = next((i for i in indices if not facts.running[i]), -1)
        return [
            self._made(want, i, i, False)
            for i in indices
            if i in self.passed
            and want.whole in (facts.folded[i], facts.titles[i])
            and (self._near(i, y) or (i == first and self._set_off(i)))
        ]

    def _alike(self, want: Wanted, indices: range) -> list[Printed]:
        """Single lines that differ from the title by a letter or so (ligatures, accents, misprints)."""
        if len(want.bare) < 10:
            return []
        titles, low, high = self.facts.titles, len(want.bare) * 0.9, len(want.bare) * 1.1
        near = [i for i in indices if low <= len(titles[i]) <= high and i not in self.passed]
        return [
            self._made(want, i, i, False)._replace(rank=1.0, sure=False)
            for i in near
            if near_equal(titles[i], want.bare)
        ]

    def _counted_otherwise(self, want: Wanted, indices: range, y: float | None) -> list[Printed]:
        """Headings that end as the title does and are counted in another way: "CHAPTER TWO: Pirates", "III-A Methods", "117 Results"."""
        return [
            self._spot(first, last, 1.2)
            for first, last, words in self._stretches(indices, want)
            if (self._near(first, y) or self._set_off(first)) and _end_alike(words, want.words)
        ]

    def _at_height(self, want: Wanted, indices: range, y: float | None) -> list[Printed]:
        """At the height of the target, what shares most of the title's words: outlines shorten, and word headings in their own way."""
        wanted = Counter(word for word in want.words if len(word) > 1)
        found: list[Printed] = []
        for first, last, words in self._stretches(indices, want) if wanted and y is not None else ():
            own = Counter(word for word in words if len(word) > 1)
            shared = (own & wanted).total()
            alike = shared >= MIN_SHARED * wanted.total() and shared >= MIN_SHARED_BACK * own.total()
            name = wanted.total() == 1 and words[:1] == want.words[:1]  # "config/0" for "config() -> ok"
            if self._near(first, y) and (alike or name):
                found.append(self._spot(first, last, 0.5 + 0.8 * shared / (own.total() + wanted.total())))
        return found

    def _stretches(self, indices: range, want: Wanted) -> Iterator[tuple[int, int, tuple[str, ...]]]:
        """``(first, last, words)`` of one to three lines that may be a heading, none longer than the title and some marks."""
        most = len(want.words) + 2 * MOST_MARKS
        words = {i: _words(self.facts.texts[i]) for i in indices if i not in self.passed and not self.facts.running[i]}
        for first in words:
            joined: tuple[str, ...] = ()
            for last in range(first, min(first + 3, indices.stop)):
                joined += words.get(last, ())
                if last not in words or len(joined) > most:
                    break
                if joined:
                    yield first, last, joined

    def _spot(self, first: int, last: int, rank: float) -> Printed:
        lines = self.facts.lines
        return Printed(first, last, lines[first].start, lines[last].end, rank, sure=False)

    def _near(self, index: int, y: float | None) -> bool:
        """Whether a line stands where a target points: viewers scroll to the top of a heading, or a little above."""
        line = self.facts.lines[index]
        return y is not None and line.box.y1 >= y and line.box.y0 <= y + 2.5 * line.size

    def _set_off(self, index: int) -> bool:
        facts = self.facts
        return bool(facts.bold[index]) or float(facts.size[index]) >= SET_OFF * facts.body_size


def _end_alike(one: tuple[str, ...], two: tuple[str, ...]) -> bool:
    """Whether two headings end with the same words, and what stands before them on either side is short enough to be a mark."""
    same = 0
    while same < min(len(one), len(two)) and one[-same - 1] == two[-same - 1]:
        same += 1
    rest, marks = one[len(one) - same :], (one[: len(one) - same], two[: len(two) - same])
    letters = sum(map(len, rest))
    short = all(len(mark) <= MOST_MARKS and sum(map(len, mark)) <= MOST_MARK_LETTERS for mark in marks)
    return short and letters >= MIN_RUN_IN and letters > sum(map(len, marks[1]))
