"""The ledger: which bytes of an edition were seen in a session, by kind of exposure.

Only the code that hands text out writes it; nothing a model says enters. A snippet never counts as read, a re-read never counts twice, a
result that was built and dropped was not delivered, and a request that started and then failed stays sent.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

from pageindex.document import Edition
from pageindex.errors import EvidenceError
from pageindex.evidence.intervals import Intervals
from pageindex.evidence.quotes.passage import PageRange

__all__ = ["Exposure", "Ledger"]

FORMAT = 1


class Exposure(StrEnum):
    """How bytes were seen."""

    EXTRACTED = "extracted"  # their text is in the edition
    SCANNED = "scanned"  # a query was run over them
    SNIPPET = "snippet"  # shown in a list of hits
    DELIVERED = "delivered"  # put in a tool result
    SENT = "sent"  # that result was part of a model request that started
    VIEWED = "viewed"  # the page's picture was sent
    CITED = "cited"  # a checked claim rests on them


class Ledger:
    """What one session saw of one edition. Safe to share between threads."""

    def __init__(self, edition: str) -> None:
        self.edition = edition
        self._seen: dict[Exposure, dict[int, Intervals]] = {kind: defaultdict(Intervals) for kind in Exposure}
        self._queries: dict[str, dict[int, Intervals]] = {}
        self._receipts: list[tuple[PageRange, ...]] = []
        self._lock = threading.Lock()

    def record(self, kind: Exposure, ranges: Iterable[PageRange], *, query: str = "") -> None:
        """Note that bytes were seen; a scan names its query."""
        with self._lock:
            for place in ranges:
                self._seen[kind][place.page].add(place.start, place.end)
                if kind is Exposure.SCANNED:
                    known = self._queries.setdefault(query, defaultdict(Intervals))
                    known[place.page].add(place.start, place.end)

    def deliver(self, ranges: Iterable[PageRange]) -> int:
        """Note bytes that were put in a tool result; the number returned stands for that result in ``send``."""
        kept = tuple(ranges)
        self.record(Exposure.DELIVERED, kept)
        with self._lock:
            self._receipts.append(kept)
            return len(self._receipts) - 1

    def withdraw(self, receipt: int) -> None:
        """Take a result back that no model request has held: what stood in it was not delivered, unless another result holds it, too."""
        with self._lock:
            taken, self._receipts[receipt] = self._receipts[receipt], ()
            for page in {place.page for place in taken}:
                left = (place for ranges in self._receipts for place in ranges if place.page == page)
                self._seen[Exposure.DELIVERED][page] = Intervals((place.start, place.end) for place in left)

    def send(self, receipt: int) -> None:
        """Note that a model request with a delivered result in it has started. Raises EvidenceError for a result unknown here."""
        if not 0 <= receipt < len(self._receipts):
            raise EvidenceError(f"nothing was delivered under {receipt}", "Deliver a result before it is sent.")
        self.record(Exposure.SENT, self._receipts[receipt])

    def seen(self, kind: Exposure, page: int) -> Intervals:
        """The bytes of a page seen in one way (a copy)."""
        with self._lock:
            return Intervals(self._seen[kind].get(page, ()))

    def scanned_by(self, query: str, page: int) -> Intervals:
        """The bytes of a page over which a query was run (a copy)."""
        with self._lock:
            return Intervals(self._queries.get(query, {}).get(page, ()))

    def was_delivered(self, page: int, start: int, end: int) -> bool:
        """Whether every byte of a range was put in a tool result."""
        return self.seen(Exposure.DELIVERED, page).covers(start, end)

    def pages(self, kind: Exposure) -> list[int]:
        """The pages of which anything was seen in one way."""
        with self._lock:
            return sorted(page for page, ranges in self._seen[kind].items() if ranges)

    # ------------------------------------------------------------ what is left

    def unread(self, edition: Edition, page: int, start: int = 0, end: int | None = None) -> bool:
        """Whether a range of a page holds printed characters that were not delivered; running lines do not count."""
        found = edition.page(page)
        known = self.seen(Exposure.DELIVERED, page)
        for low, high in found.running:
            known.add(low, high)
        data = found.data
        last = len(data) if end is None else end
        return any(data[low:high].strip() for low, high in known.gaps(start, last))

    # ------------------------------------------------------------ JSON

    def to_json(self) -> dict[str, Any]:
        """``{format, edition, seen: {kind: {page: [[start, end], …]}}, queries, results}``."""
        with self._lock:
            return {
                "format": FORMAT,
                "edition": self.edition,
                "seen": {kind.value: _plain(pages) for kind, pages in self._seen.items() if pages},
                "queries": {query: _plain(pages) for query, pages in self._queries.items()},
                "results": [[[place.page, place.start, place.end] for place in ranges] for ranges in self._receipts],
            }

    @classmethod
    def from_json(cls, item: Mapping[str, Any]) -> Ledger:
        """Inverse of ``to_json``; raises EvidenceError (CORRUPT_LEDGER) on anything else."""
        if item.get("format") != FORMAT:
            message = f"a ledger of format {item.get('format')!r} cannot be read"
            raise EvidenceError(message, "Start a new session.", code="CORRUPT_LEDGER")
        try:
            ledger = cls(str(item["edition"]))
            for kind, pages in item["seen"].items():
                _fill(ledger._seen[Exposure(kind)], pages)
            for query, pages in item["queries"].items():
                _fill(ledger._queries.setdefault(query, defaultdict(Intervals)), pages)
            ledger._receipts = [tuple(PageRange(*row) for row in rows) for rows in item["results"]]
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            message = f"this is not a ledger: {error}"
            raise EvidenceError(message, "Start a new session.", code="CORRUPT_LEDGER") from error
        return ledger


def _plain(pages: Mapping[int, Intervals]) -> dict[str, list[list[int]]]:
    return {str(page): [list(pair) for pair in ranges] for page, ranges in sorted(pages.items()) if ranges}


def _fill(pages: dict[int, Intervals], rows: Mapping[str, Any]) -> None:
    for page, ranges in rows.items():
        for start, end in ranges:
            pages[int(page)].add(int(start), int(end))
