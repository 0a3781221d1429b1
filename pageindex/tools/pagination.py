"""Stretches of text on their way out: filled into a budget, cut where one alone is larger, always in order and without loss."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pageindex.document import Edition, Evidence, PageRange, PageState, Passage, Span, Tree
from pageindex.document.offsets import byte_size
from pageindex.document.position import Position
from pageindex.evidence.fence import fence
from pageindex.evidence.ledger import Exposure, Ledger
from pageindex.text.delivery import Delivery
from pageindex.text.passages import passages_in, passages_on
from pageindex.text.shown import shown_page
from pageindex.text.tokens import count_tokens
from pageindex.tools.declare import cost
from pageindex.tools.numbering import numbered_text

__all__ = ["Filled", "Filler", "page_ranges", "span_ranges"]

_CHARS_PER_TOKEN = 4  # of ordinary text: where the search for the right cut begins
_STEPS = 6  # of that search
_ESCAPED = 0.75  # share of a budget left for text after JSON has escaped its line breaks
_PRICED_NONCE = "7f3a9c1e"  # stands for a fence's nonce in prices, so that a replayed cursor gives the same cut
_MARGIN = 20  # tokens by which a longer byte range may make an item dearer
_LEAST_PIECE = 80  # tokens below which a reply is closed rather than filled with a scrap


@dataclass(frozen=True, slots=True)
class Filled:
    """What fits a budget: the items, the byte ranges shown in them, and what is left over."""

    items: tuple[dict[str, Any], ...]
    shown: tuple[PageRange, ...]
    rest: tuple[PageRange, ...]


def page_ranges(edition: Edition, pages: Iterable[int]) -> tuple[PageRange, ...]:
    """Whole pages, empty ones too."""
    return tuple(PageRange(number, 0, len(edition.page(number).data)) for number in pages)


def span_ranges(edition: Edition, span: Span) -> tuple[PageRange, ...]:
    """The part of every page that a span covers; pages without text are kept, for they have a state to tell."""
    found = []
    for number in span.pages:
        page = edition.page(number)
        start, end = span.on_page(number, len(page.data))
        if start < end or page.state is not PageState.TEXT:
            found.append(PageRange(number, start, end))
    return tuple(found)


@dataclass(frozen=True)
class Filler:
    """Makes items of ranges.

    Attributes:
        edition, tree: Of the document.
        nonce: Of the fences; one per reply.
        seen: What was delivered before and need not be said again; None to say everything.
        checkpoint: Called between pieces.
        number: Numbers the passages of what is shown; None leaves the text as it is.
    """

    edition: Edition
    tree: Tree
    nonce: str
    seen: Ledger | None
    checkpoint: Callable[[], None]
    number: Callable[[Passage], int] | None = None

    def fill(self, ranges: Sequence[PageRange], budget: int) -> Filled:
        """As many items as fit, in the order of the ranges; at least one, cut to fit, so that every reply makes progress."""
        items: list[dict[str, Any]] = []
        shown: list[PageRange] = []
        left = budget
        for index, whole in enumerate(ranges):
            for place, said in self._unsaid(whole):
                self.checkpoint()
                item = self._mention(place) if said else self._item(place, _PRICED_NONCE, _priced_number)
                price = cost(item)
                if price > left:
                    taken = self._cut(place, left) if not said and (not shown or _huge(price, budget)) else None
                    if taken is not None:
                        items.append(self._item(taken, self.nonce, self.number))
                        shown.append(taken)
                        place = PageRange(place.page, taken.end, place.end)
                    return Filled(tuple(items), tuple(shown), _rest(place, whole, ranges[index + 1 :]))
                items.append(item if said else self._item(place, self.nonce, self.number))
                left -= price
                if not said:
                    shown.append(place)
        return Filled(tuple(items), tuple(shown), ())

    def _unsaid(self, place: PageRange) -> Iterator[tuple[PageRange, bool]]:
        """A range, or its parts: ``(range, whether it was said before)``."""
        if self.seen is None or place.start >= place.end:
            yield place, False
            return
        data = self.edition.page(place.page).data
        gaps = [
            gap
            for gap in self.seen.seen(Exposure.DELIVERED, place.page).gaps(place.start, place.end)
            if data[slice(*gap)].strip()
        ]
        if self.number is not None:
            yield place, not gaps  # passages that were given before are told by their numbers
            return
        if gaps != [(place.start, place.end)]:
            yield place, True
        for start, end in gaps:
            yield PageRange(place.page, start, end), False

    def _price(self, place: PageRange) -> int:
        return cost(self._item(place, _PRICED_NONCE, _priced_number))

    def _item(self, place: PageRange, nonce: str, number: Callable[[Passage], int] | None) -> dict[str, Any]:
        page = self.edition.page(place.page)
        item: dict[str, Any] = {"page": place.page}
        if (label := page.printed_label) is not None:
            item["label"] = label
        if page.state is not PageState.TEXT:
            item["state"] = page.state.value
        if place.start >= place.end:
            return item | {"text": "", "handles": []}
        item["node_id"] = self.tree.at(Position(place.page, place.start)).node_id
        if (place.start, place.end) != (0, len(page.data)):
            item["part"] = {"start": place.start, "end": place.end, "of": len(page.data)}
        fenced = fence(self._read(place, number), nonce)
        item["text"] = fenced.text
        if fenced.scrubbed:
            item["scrubbed"] = fenced.scrubbed
        return item | {"handles": [self._handle(place)]}

    def _read(self, place: PageRange, number: Callable[[Passage], int] | None) -> Delivery:
        if number is None or self.number is None:
            return shown_page(self.edition, place.page, place.start, place.end)
        passages = passages_in(self.edition, self.tree, [place])
        return numbered_text(self.edition, passages, number, self._was_said)

    def _was_said(self, passage: Passage) -> bool:
        return self.seen is not None and self.seen.was_delivered(passage.page, passage.start, passage.end)

    def _mention(self, place: PageRange) -> dict[str, Any]:
        page = self.edition.page(place.page)
        item: dict[str, Any] = {"page": place.page}
        if (label := page.printed_label) is not None:
            item["label"] = label
        return item | {"already_delivered": True, "handles": [self._handle(place)]}

    def _handle(self, place: PageRange) -> str:
        return str(Evidence.of(self.edition, place.page, place.start, place.end).handle)

    def _cut(self, place: PageRange, budget: int) -> PageRange | None:
        """The beginning of a range that fits a budget, cut at a line's or a word's end where there is one near."""
        text = self.edition.page(place.page).words(place.start, place.end)
        first = PageRange(place.page, place.start, place.start + byte_size(text[:1]))
        room = round((budget - self._price(first) - _MARGIN) * _ESCAPED)
        if room < _LEAST_PIECE:
            return None
        while True:
            kept = max(1, _break(text, _fitting(text, room)))
            taken = PageRange(place.page, place.start, place.start + byte_size(text[:kept]))
            if kept == 1 or self._price(taken) <= budget:
                return self._between_passages(taken)
            room = room * 3 // 4

    def _between_passages(self, taken: PageRange) -> PageRange:
        """A beginning of a range that ends where a passage does, if it holds one."""
        if self.number is None:
            return taken
        starts = [
            p.start for p in passages_on(self.edition, self.tree, taken.page) if taken.start < p.start <= taken.end
        ]
        return PageRange(taken.page, taken.start, starts[-1]) if starts else taken


def _priced_number(passage: Passage) -> int:
    """A number as long as most are, so that a price does not depend on what was numbered before."""
    return 100


def _fitting(text: str, budget: int) -> int:
    """Characters of a prefix that costs at most ``budget`` tokens, and hardly less; only so much of a huge text is looked at."""
    length, known = min(len(text), budget * _CHARS_PER_TOKEN), 1
    for _ in range(_STEPS):
        price = count_tokens(text[:length])
        if price <= budget:
            known = max(known, length)
            if length == len(text) or price >= budget * 0.9:
                break
        length = min(len(text), max(known, round(length * 0.97 * budget / max(1, price))))
        if length == known:
            break
    return known


def _huge(price: int, budget: int) -> bool:
    """Whether a piece would not fit a reply of its own either."""
    return price > budget


def _break(text: str, at: int) -> int:
    """The end of a line, else of a word, in the last quarter before ``at``; ``at`` itself where there is none."""
    if at >= len(text):
        return at
    for mark in ("\n", " "):
        found = text.rfind(mark, at * 3 // 4, at)
        if found > 0:
            return found + 1
    return at


def _rest(place: PageRange, whole: PageRange, following: Sequence[PageRange]) -> tuple[PageRange, ...]:
    """What is left of a range from ``place`` on, and all that was asked for behind it."""
    first = PageRange(place.page, place.start, whole.end)
    return (first, *following) if first.start < first.end or first.start == 0 else tuple(following)
