"""An edition folded once: page by page when a page is asked for, as one text when the whole document is searched."""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from pageindex.document import Edition, Page
from pageindex.text.folding import Folded, fold, skeleton, skeleton_text

__all__ = ["FoldedEdition", "FoldedText", "folded", "kept_ranges", "without_running"]

_KEPT_EDITIONS = 32
_KEPT_PAGES = 4096
_MOST_HITS = 2000  # pages of one word, when likely ones are looked for
_BREAK = "\f"  # folded text never holds one, so no hit reaches over a page break unnoticed


@dataclass(frozen=True, slots=True)
class FoldedText:
    """A text beside both of its foldings."""

    raw: str
    n: Folded
    s: Folded

    @classmethod
    def of(cls, text: str) -> FoldedText:
        n = fold(text)
        return cls(text, n, skeleton(n))

    def from_skeleton(self, start: int, end: int) -> tuple[int, int]:
        """The range of the raw text, in characters, for a range of ``s``."""
        return self.n.original(*self.s.original(start, end))


class FoldedEdition:
    """The foldings of one edition. Safe to share between threads: what is computed twice comes out the same."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self._pages: OrderedDict[int, FoldedText] = OrderedDict()
        self._whole: _Joined | None = None
        self._flow: _Joined | None = None

    def page(self, number: int) -> FoldedText:
        """Both foldings of a page; raises IndexError when there is no such page."""
        known = self._pages.get(number)
        if known is None:
            known = FoldedText.of(self.edition.page(number).text)
            self._pages[number] = known
            if len(self._pages) > _KEPT_PAGES:
                self._pages.popitem(last=False)
        return known

    def pages_with(self, needle: str) -> Iterator[int]:
        """Every page that holds a skeleton whole, once, in order."""
        return self._searchable().pages(needle)

    def breaks_with(self, needle: str) -> Iterator[tuple[int, int]]:
        """``(first, last)`` page of every place where a skeleton reaches over a page break, running lines left out."""
        if self._flow is None:
            texts = [skeleton_text(fold(without_running(page)).text) for page in self.edition.pages]
            self._flow = _Joined.of(texts, "")
        for at in self._flow.find(needle):
            first, last = self._flow.page(at), self._flow.page(at + len(needle) - 1)
            if last > first:
                yield first, last

    def likely_pages(self, words: Iterable[str], most: int) -> list[int]:
        """The pages that share the most, and the rarest, of some skeleton words; best first."""
        whole = self._searchable()
        scores: defaultdict[int, float] = defaultdict(float)
        for word in words:
            pages = list(islice(whole.pages(word), _MOST_HITS))
            for page in pages:
                scores[page] += 1 / len(pages)
        return [page for page, _ in sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:most]]

    def _searchable(self) -> _Joined:
        if self._whole is None:
            texts = [skeleton_text(fold(page.text).text) for page in self.edition.pages]
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
    data, ranges, position = page.data, [], 0
    for start, end in sorted(page.running):
        first, last = (len(data[:byte].decode("utf-8", "ignore")) for byte in (start, end))
        if first > position:
            ranges.append((position, first))
        position = max(position, last)
    return [*ranges, (position, len(page.text))] if position < len(page.text) else ranges


_cache: OrderedDict[str, FoldedEdition] = OrderedDict()
_lock = threading.Lock()


def folded(edition: Edition) -> FoldedEdition:
    """The foldings of an edition, made once and kept for the editions used last."""
    with _lock:
        known = _cache.pop(edition.id, None)
        if known is None or not _alike(known.edition, edition):
            known = FoldedEdition(edition)
        _cache[edition.id] = known
        while len(_cache) > _KEPT_EDITIONS:
            _cache.popitem(last=False)
        return known


def _alike(one: Edition, other: Edition) -> bool:
    """Whether two editions of one id, and so of one text, also agree on what is a running line."""
    return one is other or all(a.running == b.running for a, b in zip(one.pages, other.pages, strict=True))
