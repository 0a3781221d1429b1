"""Passages by number: what a reader was shown under ``[3]``."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pageindex.app.document import OpenDocument
from pageindex.document import Passage, PassageKind
from pageindex.errors import EvidenceError

__all__ = ["Given", "PassageBook"]


@dataclass(frozen=True, slots=True)
class Given:
    """A passage that was shown under a number.

    Attributes:
        number: In its session, from 1.
        doc_id, edition: The document, and the edition that was read.
        passage: The passage.
    """

    number: int
    doc_id: str
    edition: str
    passage: Passage


class PassageBook:
    """The numbers of one session: a passage keeps its number, and a number its passage. Safe to share between threads."""

    def __init__(self) -> None:
        self._given: dict[int, Given] = {}
        self._numbers: dict[tuple[str, int, int, int], int] = {}
        self._last = 0
        self._lock = threading.Lock()

    def number(self, document: OpenDocument, passage: Passage) -> int:
        """The number of a passage; the next one for a passage that has none."""
        edition = document.record.edition.id
        with self._lock:
            known = self._numbers.get(_key(edition, passage))
            return known or self._put(Given(self._last + 1, document.doc_id, edition, passage))

    def recall(self, number: int, document: OpenDocument, passage: Passage) -> bool:
        """Give a passage the number it had in an earlier conversation; False where one of the two is taken."""
        edition = document.record.edition.id
        with self._lock:
            if number in self._given or _key(edition, passage) in self._numbers:
                return self._numbers.get(_key(edition, passage)) == number
            self._put(Given(number, document.doc_id, edition, passage))
            return True

    def get(self, number: int) -> Given | None:
        """What stands under a number; None for one that was never given."""
        return self._given.get(number)

    def __contains__(self, number: object) -> bool:
        return number in self._given

    def __len__(self) -> int:
        return len(self._given)

    def _put(self, given: Given) -> int:
        self._given[given.number] = given
        self._numbers[_key(given.edition, given.passage)] = given.number
        self._last = max(self._last, given.number)
        return given.number

    def to_json(self) -> list[list[Any]]:
        """``[[number, doc_id, edition, page, start, end, kind, section, heads], …]``."""
        return [
            [
                one.number,
                one.doc_id,
                one.edition,
                p.page,
                p.start,
                p.end,
                p.kind.value,
                p.section,
                [*map(list, p.heads)],
            ]
            for one in self._given.values()
            for p in (one.passage,)
        ]

    def restore(self, rows: Sequence[Sequence[Any]]) -> None:
        """Inverse of ``to_json``, into an empty book; raises EvidenceError (CORRUPT_LEDGER) on anything else."""
        try:
            for number, doc_id, edition, page, start, end, kind, section, heads in rows:
                places = tuple((int(low), int(high)) for low, high in heads)
                passage = Passage(int(page), int(start), int(end), PassageKind(kind), str(section), places)
                self._put(Given(int(number), str(doc_id), str(edition), passage))
        except (TypeError, ValueError) as error:
            message = f"these are no passages of a session: {error}"
            raise EvidenceError(message, "Start a new session.", code="CORRUPT_LEDGER") from error


def _key(edition: str, passage: Passage) -> tuple[str, int, int, int]:
    return (edition, passage.page, passage.start, passage.end)
