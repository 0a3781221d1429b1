"""A reader: which documents may be seen, how much may be said, and what has been seen so far.

Scope, budgets and ledgers live here, below every tool, so that no door (chat, MCP, an agent SDK) can forget one of them.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from threading import RLock
from typing import Any

from pageindex.app.document import OpenDocument
from pageindex.app.pages import PageReader
from pageindex.app.passage_ranking import RankedPassage, rank_passages
from pageindex.app.passages import PassageBook
from pageindex.app.search import SearchPage, search
from pageindex.document import DocumentRecord, PageRange
from pageindex.errors import InputError, LimitError, NotFoundError, PageIndexError, SettingsError
from pageindex.evidence.ledger import Exposure, Ledger
from pageindex.store.base import Library
from pageindex.text.near import near_names, or_near
from pageindex.text.tokens import estimate_tokens

__all__ = ["LEAST_ROOM", "MOST_REPLY_TOKENS", "Reader", "Receipt"]

REPLY_TOKENS = 8_000
MOST_REPLY_TOKENS = 24_000  #: Hard cap of one reply.
LEAST_ROOM = 600  #: Tokens below which no reply with text in it can be made.
_KEPT_DOCUMENTS = 16
_MOST_NEAR = 200  # names of the scope among which near ones are sought


@dataclass(frozen=True, slots=True)
class Receipt:
    """Stands for one thing shown: to be handed back with ``Reader.sent`` when a model request that holds it starts."""

    edition: str
    number: int  # of the ledger's delivery; negative for a picture of the page ``-number``


class Reader:
    """One reader's view of a library. Errors are those of ``pageindex.errors``; their codes say what a tool may propose instead.

    Args:
        library: Where the documents are.
        scope: Ids of the documents that may be seen; None for all of the library.
        reply_tokens: Most tokens of one reply; 24,000 at most.
        conversation_tokens: Most tokens of all replies together; None for no limit.
        ledgers: By edition id, where earlier reading is to be remembered; filled in place.
        vision: Whether it can look at pictures.
        management: Whether documents may be removed.
        pages: Reads single pages of the sources anew, for exact tables and pictures; one of its own unless given.
        numbered: Give each passage of a page's text a number, on a line of its own, by which it can be cited.
        omit_repeats: Answer a second reading of the same bytes with their handles alone.
        seconds: Most wall-clock seconds of one call.
        cancelled: Asked now and then; true ends the call.

    Attributes:
        spent: Tokens of all replies so far.
        passages: The passages that were shown under numbers.
    """

    def __init__(
        self,
        library: Library,
        scope: Iterable[str] | None = None,
        *,
        reply_tokens: int = REPLY_TOKENS,
        conversation_tokens: int | None = None,
        ledgers: dict[str, Ledger] | None = None,
        vision: bool = False,
        management: bool = False,
        pages: PageReader | None = None,
        numbered: bool = False,
        omit_repeats: bool = False,
        seconds: float | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        if reply_tokens < LEAST_ROOM:
            raise SettingsError(f"reply_tokens is {reply_tokens}", f"Give at least {LEAST_ROOM}.")
        self.library = library
        self.scope = None if scope is None else tuple(dict.fromkeys(scope))
        self.reply_tokens = min(reply_tokens, MOST_REPLY_TOKENS)
        self.conversation_tokens = conversation_tokens
        self.ledgers: dict[str, Ledger] = ledgers if ledgers is not None else {}
        self.vision, self.management = vision, management
        self.pages = pages if pages is not None else PageReader()
        self.numbered, self.omit_repeats = numbered, omit_repeats
        self.seconds, self.cancelled = seconds, cancelled
        self.spent = 0
        self.passages = PassageBook()
        self.lock = RLock()
        self._opened: OrderedDict[tuple[str, str], OpenDocument] = OrderedDict()
        self._pending: list[tuple[str, Exposure, Sequence[PageRange], str]] = []
        self._receipts: list[Receipt] = []
        self._deadline: float | None = None

    # ------------------------------------------------------------ documents

    def allows(self, doc_id: str) -> bool:
        return self.scope is None or doc_id in self.scope

    def resolve(self, reference: str | None) -> DocumentRecord:
        """The document that a caller means; the only one in sight when none is named.

        Raises:
            NotFoundError: NOT_FOUND (NOT_ALLOWED under a scope) with near names, AMBIGUOUS with ids.
            InputError: DOCUMENT_NEEDED.
        """
        if reference is None or not str(reference).strip():
            return self._only_one()
        try:
            record = self.library.resolve(str(reference))
        except NotFoundError:
            if self.scope is None:
                raise
            return self._within_scope(str(reference))
        return record if self.allows(record.doc_id) else self._within_scope(str(reference))

    def only_document(self) -> DocumentRecord | None:
        """The one document in sight, if there is one."""
        if self.scope is not None:
            return self.library.get(self.scope[0]) if len(self.scope) == 1 else None
        listing = self.library.list(limit=1)
        return listing.documents[0] if listing.total == 1 else None

    def sees_several(self) -> bool:
        """Whether a document has to be named; a single one that was removed meanwhile is still the only one that could be."""
        if self.scope is not None:
            return len(self.scope) != 1
        return self.library.list(limit=1).total != 1

    def _only_one(self) -> DocumentRecord:
        record = self.only_document()
        if record is not None:
            return record
        raise InputError("no document is named", "Name one as doc_name.", code="DOCUMENT_NEEDED")

    def _within_scope(self, reference: str) -> DocumentRecord:
        """What a reference means among the documents in scope; nothing is said of those outside."""
        records = self.records_in_scope(_MOST_NEAR)
        named = [record for record in records if record.name.casefold() == reference.strip().casefold()]
        if len(named) == 1:
            return named[0]
        if named:
            ids = [record.doc_id for record in named]
            message = f"{reference!r} may be {len(ids)} documents"
            raise NotFoundError(message, f"Use an id: {', '.join(ids)}.", code="AMBIGUOUS", ids=ids)
        near = near_names(reference, [record.name for record in records])
        step = or_near(near, "See which documents there are.")
        message = f"no document that may be read here is called {reference!r}"
        raise NotFoundError(message, step, code="NOT_ALLOWED", near=near)

    def records_in_scope(self, most: int | None = None) -> list[DocumentRecord]:
        """The records of a scope (not of a whole library), newest first; documents that were removed since are left out."""
        found = []
        for doc_id in (self.scope or ())[:most]:
            try:
                found.append(self.library.get(doc_id))
            except NotFoundError:
                continue
        return sorted(found, key=lambda record: (record.created_at, record.doc_id), reverse=True)

    def open(self, reference: str | None) -> OpenDocument:
        """Resolve a document and open its current edition; what was opened last is kept."""
        return self.opened(self.resolve(reference))

    def opened(self, record: DocumentRecord) -> OpenDocument:
        """The document of a record that may be seen."""
        key = (record.doc_id, record.edition.id)
        known = self._opened.pop(key, None) or OpenDocument(self.library, record, self.pages, name=self._name(record))
        self._opened[key] = known
        while len(self._opened) > _KEPT_DOCUMENTS:
            self._opened.popitem(last=False)
        return known

    def search(
        self,
        query: str,
        document: OpenDocument | None = None,
        *,
        where: Mapping[str, Any] | None = None,
        limit: int = 10,
        cursor: str | None = None,
    ) -> SearchPage:
        """Pages that answer a query, in one document or in all that may be seen; raises what ``app.search.search`` raises."""
        self.checkpoint()
        within: Sequence[str] | None = None
        if document is not None:
            within = [document.doc_id]
        elif self.scope is not None:
            within = [record.doc_id for record in self.records_in_scope()]
        return search(self.library, query, within, where=where, limit=limit, cursor=cursor)

    def best_passages(self, question: str, *, pages: int = 8) -> list[RankedPassage]:
        """The passages that answer a question best, of the pages that do; raises what ``search`` raises."""
        found = self.search(question, limit=pages)
        return rank_passages(question, [(self.opened(hit.record), hit) for hit in found.hits])

    def open_documents(self) -> list[OpenDocument]:
        """The documents that are open, those used last first."""
        return list(reversed(self._opened.values()))

    def others(self, document: OpenDocument, most: int) -> list[OpenDocument]:
        """Further documents that are open, those used last first."""
        known = [other for other in self.open_documents() if other.record.doc_id != document.record.doc_id]
        return known[:most]

    def _name(self, record: DocumentRecord) -> str:
        try:
            return record.name if self.library.resolve(record.name).doc_id == record.doc_id else record.doc_id
        except NotFoundError:  # ambiguous
            return record.doc_id

    # ------------------------------------------------------------ budget and time

    def room(self) -> int:
        """Tokens that the reply under way may take; raises LimitError (BUDGET_EXHAUSTED) when there is none left."""
        if self.conversation_tokens is None:
            return self.reply_tokens
        left = self.conversation_tokens - self.spent
        if left < LEAST_ROOM:
            message = f"the conversation's {self.conversation_tokens:,} tokens are spent"
            step = "Answer with what was read; a new conversation can go on."
            raise LimitError(message, step, code="BUDGET_EXHAUSTED")
        return min(self.reply_tokens, left)

    def checkpoint(self) -> None:
        """Raises PageIndexError (CANCELLED) or LimitError (DEADLINE) when the call under way is to end."""
        if self.cancelled is not None and self.cancelled():
            raise PageIndexError("the call was cancelled", "Ask again when it is wanted.", code="CANCELLED")
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise LimitError(
                f"the call took longer than {self.seconds:g} s", "Ask for less at a time.", code="DEADLINE"
            )

    # ------------------------------------------------------------ what was seen

    def ledger(self, edition: str) -> Ledger:
        return self.ledgers.setdefault(edition, Ledger(edition))

    def expose(self, edition: str, kind: Exposure, ranges: Sequence[PageRange], *, query: str = "") -> None:
        """Note what the call under way shows; it is recorded when the call ends well, and dropped with its result otherwise."""
        self._pending.append((edition, kind, ranges, query))

    def begin(self) -> None:
        """Start a call."""
        self._pending.clear()
        self._deadline = time.monotonic() + self.seconds if self.seconds is not None else None
        self.checkpoint()

    def commit(self, tokens: int) -> None:
        """The result of the call goes out: record what it shows and what it cost."""
        for edition, kind, ranges, query in self._pending:
            ledger = self.ledger(edition)
            if kind is Exposure.DELIVERED:
                self._receipts.append(Receipt(edition, ledger.deliver(ranges)))
            elif kind is Exposure.VIEWED:
                self._receipts += [Receipt(edition, -place.page) for place in ranges]
            else:
                ledger.record(kind, ranges, query=query)
        self._pending.clear()
        self.spent += tokens

    def hand_over(self, edition: str, ranges: Sequence[PageRange], text: str) -> None:
        """Record text that is given out whole outside of a call, as a resource is; it counts as sent."""
        with self.lock:
            self.begin()
            self.expose(edition, Exposure.DELIVERED, ranges)
            self.commit(estimate_tokens(text))
            self.sent(self.receipts())

    def abandon(self) -> None:
        """The result of the call is dropped."""
        self._pending.clear()

    def receipts(self) -> tuple[Receipt, ...]:
        """Receipts of the results since the last time they were asked for."""
        taken, self._receipts = tuple(self._receipts), []
        return taken

    def sent(self, receipts: Iterable[Receipt]) -> None:
        """A model request that holds these results has started."""
        for receipt in receipts:
            ledger = self.ledger(receipt.edition)
            if receipt.number >= 0:
                ledger.send(receipt.number)
            else:
                ledger.record(Exposure.VIEWED, [PageRange(-receipt.number, 0, 1)])

    def withdraw(self, receipts: Iterable[Receipt]) -> None:
        """These results were taken out of the conversation before a request held them."""
        for receipt in receipts:
            if receipt.number >= 0:
                self.ledger(receipt.edition).withdraw(receipt.number)

    def was_delivered(self, edition: str, page: int, start: int, end: int) -> bool:
        """As ``evidence.handles.Delivered`` wants it."""
        return edition in self.ledgers and self.ledgers[edition].was_delivered(page, start, end)

    def to_json(self) -> dict[str, Any]:
        """``{spent, ledgers, passages}``: enough to go on later."""
        ledgers = [ledger.to_json() for ledger in self.ledgers.values()]
        return {"spent": self.spent, "ledgers": ledgers, "passages": self.passages.to_json()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Inverse of ``to_json``; raises EvidenceError (CORRUPT_LEDGER)."""
        self.spent = int(state["spent"])
        self.ledgers.update({ledger.edition: ledger for ledger in map(Ledger.from_json, state["ledgers"])})
        self.passages = PassageBook()
        self.passages.restore(state.get("passages", ()))
