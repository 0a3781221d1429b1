"""Searching a library: the scope, the documents that fit, the pages of each, and the hits of one page of results."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pageindex.document import DocumentRecord, Edition, Page, PageState, Position, Summaries, Tree
from pageindex.document.cursor import fingerprint, make_cursor, read_cursor
from pageindex.errors import InputError, NotFoundError, StoreError
from pageindex.store.base import AbsentWord, DocumentHit, Hit, Pointed, PointedPlace, SearchResult
from pageindex.store.cache import BoundedCache
from pageindex.store.disk.derived import is_damage
from pageindex.store.search.edition import EditionIndex
from pageindex.store.search.index import Entry, LibraryIndex
from pageindex.store.search.query import Query, parse_query
from pageindex.store.search.rank import PageScore, Ranking, rank
from pageindex.store.search.signs import worth_of
from pageindex.store.search.snippet import snippet_ranges
from pageindex.text.shown import kept_bytes

__all__ = ["SearchEngine", "Searchable", "Source", "checked_scope"]

CACHE_BYTES = 128 << 20  #: Text and words of the editions that were searched last.
MOST_DOCUMENTS = 12  #: Of a scope, whose pages are ranked.
MOST_HITS = 100  #: In one page of results.
SMALL_SCOPE = 50  #: Documents up to which a cursor is bound to them alone, and not to the whole library.

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Source:
    """What a search reads of a library."""

    get: Callable[[str], DocumentRecord]
    edition: Callable[[str], Edition]
    tree: Callable[[str], Tree]
    summaries: Callable[[str], Summaries]
    generation: Callable[[], str]
    signatures: Callable[[], tuple[str, Mapping[str, str]]]
    signature: Callable[[str], tuple[str, str]]


@dataclass(frozen=True, slots=True)
class _RankedDocument:
    """A document with the ranking of its pages."""

    index: EditionIndex
    ranking: Ranking


@dataclass(frozen=True, slots=True)
class _Ranked:
    """All hits, best first, the documents they are in, and documents that cannot be read."""

    hits: Sequence[tuple[str, PageScore]]
    of: Mapping[str, _RankedDocument]
    unreadable: Sequence[str]


@dataclass
class SearchEngine:
    """Search over one library. ``scope`` is None for all its documents, or their ids."""

    source: Source
    index: LibraryIndex
    cache: BoundedCache[EditionIndex] = field(default_factory=lambda: BoundedCache(CACHE_BYTES))

    def search(self, text: str, scope: Sequence[str] | None, limit: int, cursor: str | None) -> SearchResult:
        """See ``Library.search``."""
        _check_limit(limit)
        query = parse_query(text)
        asked = fingerprint(text, "all" if scope is None else sorted(scope))
        state = self._state(scope)
        (offset,) = read_cursor(cursor, asked, state) if cursor else (0,)
        ranked = self._ranked(query, scope)
        shown = ranked.hits[offset : offset + limit]
        hits = [self._hit(query, ranked.of[doc_id], doc_id, score) for doc_id, score in shown]
        more = offset + limit < len(ranked.hits)
        indexes = {doc_id: one.index for doc_id, one in ranked.of.items()}
        return SearchResult(
            hits=hits,
            next_cursor=make_cursor(asked, state, [offset + limit]) if more else None,
            total=len(ranked.hits),
            pages_scanned={doc_id: _with_text(index.edition) for doc_id, index in indexes.items()},
            pages_without_text={d: pages for d, index in indexes.items() if (pages := _without_text(index.edition))},
            unreadable=ranked.unreadable,
            absent=self._absent(query, scope, ranked),
            pointed=_pointed(query, ranked),
        )

    def search_documents(self, text: str, scope: Sequence[str] | None, limit: int) -> Sequence[DocumentHit]:
        """See ``Library.search_documents``."""
        _check_limit(limit)
        found = self._documents(parse_query(text), scope, limit)
        hits = []
        for doc_id, score in found:
            try:
                hits.append(DocumentHit(self.source.get(doc_id), score))
            except (StoreError, NotFoundError) as error:  # one that went bad or away since it was indexed
                _log.warning("%s is left out of the search: %s", doc_id, error.message)
        return hits

    # ------------------------------------------------------------ the index

    def sync(self) -> None:
        """Bring the index up to the library; nothing to do is seen at once."""
        try:
            if self.index.generation() != self.source.generation():
                self._catch_up()
        except sqlite3.DatabaseError as error:
            if is_damage(error):
                _log.warning("the search index is damaged and is made anew: %s", error)
                self.index.delete()
            elif self.index.path is not None:
                _log.warning("the search index %s cannot be written; one is kept in memory", self.index.path)
                self.index = LibraryIndex(None)
            else:
                raise
            self._catch_up()

    def follow(self, doc_id: str, before: str, *, searched: bool) -> None:
        """Keep pace with one change, the library having been at ``before``; a failure is made up for by the next search.

        ``searched`` says whether the change touched anything that is searched.
        """
        try:
            generation, signature = self.source.signature(doc_id)
            if searched and signature:
                self.put(doc_id, signature)
            elif signature:
                self.index.sign(doc_id, signature)
            self.index.advance(generation, before)
        except sqlite3.Error as error:
            _log.warning("the search index did not take in %s: %s", doc_id, error)

    def rebuild(self) -> None:
        """Make the index anew."""
        self.cache.clear()
        self.index.delete()
        self.sync()

    def forget(self, doc_id: str) -> None:
        """Drop a document that is about to be removed."""
        self.cache.clear()
        try:
            self.index.drop(doc_id)
        except sqlite3.Error as error:
            _log.warning("the search index did not drop %s: %s", doc_id, error)

    def _catch_up(self) -> None:
        generation, signatures = self.source.signatures()
        missing, gone = self.index.outdated(signatures)
        for doc_id in gone:
            self.index.drop(doc_id)
        for doc_id in missing:
            self.put(doc_id, signatures[doc_id])
        self.index.advance(generation)

    def put(self, doc_id: str, signature: str) -> None:
        """Take a document into the index; one that cannot be read is left out, and named by ``doctor``."""
        try:
            record, edition = self.source.get(doc_id), self.source.edition(doc_id)
            entry = Entry(record, edition, self.source.tree(doc_id), self.source.summaries(doc_id), signature)
        except (StoreError, InputError) as error:
            _log.warning("%s is not searched: %s", doc_id, error.message)
            return
        self.index.put(entry)

    # ------------------------------------------------------------ ranking

    def _state(self, scope: Sequence[str] | None) -> str:
        if scope is None or len(scope) > SMALL_SCOPE:
            return fingerprint(self.source.generation())
        records = [self.source.get(doc_id) for doc_id in sorted(scope)]
        return fingerprint([[r.doc_id, r.edition.id, r.updated_at] for r in records])

    def _documents(self, query: Query, scope: Sequence[str] | None, most: int) -> Sequence[tuple[str, float]]:
        self.sync()
        try:
            return self.index.rank_documents(query, scope, most)
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            _log.warning("the search index is damaged and is made anew: %s", error)
            self.index.delete()
            self.sync()
            return self.index.rank_documents(query, scope, most)

    def _ranked(self, query: Query, scope: Sequence[str] | None) -> _Ranked:
        """All hits: a page counts as much as its document fits."""
        alone = scope is not None and len(scope) == 1
        chosen = [(scope[0], 1.0)] if scope and alone else self._documents(query, scope, MOST_DOCUMENTS)
        editions, unreadable = self._editions([doc_id for doc_id, _ in chosen], alone=alone)
        of = {doc_id: _RankedDocument(index, rank(index, query)) for doc_id, index in editions.items()}
        found = [
            (page.score * weight, doc_id, page)
            for doc_id, weight in chosen
            if doc_id in of
            for page in of[doc_id].ranking.pages
        ]
        found.sort(key=lambda item: (-item[0], item[1], item[2].page))
        hits = [(doc_id, PageScore(page.page, score, page.matched)) for score, doc_id, page in found]
        return _Ranked(hits, of, unreadable)

    def _absent(self, query: Query, scope: Sequence[str] | None, ranked: _Ranked) -> Sequence[AbsentWord]:
        """The words that stand nowhere in the scope, be it more than the documents whose pages were ranked."""
        documents = list(ranked.of.values())
        missing = [
            (i, word) for i, word in enumerate(query.words) if word.telling and all(_lacks(one, i) for one in documents)
        ]
        if len(documents) == 1 and scope is not None and len(scope) == 1:
            terms = documents[0].ranking.terms
            gone = [AbsentWord(word.word, terms[i].near) for i, word in missing]
        else:
            found = self.index.absent([word for _, word in missing], scope) if missing else ()
            gone = [AbsentWord(word, near) for word, near in found]
        words = {word for absent in gone for word in absent.word.split()}
        for phrase in query.phrases:
            if not words & set(phrase) and not any(one.index.pages_with(phrase, whole=True) for one in documents):
                gone.append(AbsentWord(" ".join(phrase)))
        return gone

    def _editions(self, doc_ids: Sequence[str], *, alone: bool) -> tuple[Mapping[str, EditionIndex], Sequence[str]]:
        """The editions of documents, and those that cannot be trusted; ``alone`` raises instead, since nothing else was asked for."""
        editions, unreadable = {}, []
        for doc_id in doc_ids:
            try:
                editions[doc_id] = self._edition(doc_id)
            except (StoreError, NotFoundError) as error:
                if alone:
                    raise
                _log.warning("%s is left out of the search: %s", doc_id, error.message)
                if not isinstance(error, NotFoundError):  # gone is not damaged
                    unreadable.append(doc_id)
        return editions, unreadable

    def _edition(self, doc_id: str) -> EditionIndex:
        def build() -> tuple[EditionIndex, int]:
            index = EditionIndex(self.source.edition(doc_id), self.source.tree(doc_id))
            return index, index.cost

        record = self.source.get(doc_id)
        return self.cache.get((doc_id, record.edition.id, record.updated_at), build)

    def _hit(self, query: Query, ranked: _RankedDocument, doc_id: str, score: PageScore) -> Hit:
        index, terms = ranked.index, ranked.ranking.terms
        by_form = {form: term.word for term in terms for form in sorted(term.forms)}
        ranges = snippet_ranges(index.edition.page(score.page).text, worth_of(index, terms), by_form)
        start = ranges[0][0] if ranges else 0
        return Hit(
            doc_id=doc_id,
            edition=index.edition.id,
            page=score.page,
            node_id=index.tree.at(Position(score.page, start)).node_id,
            score=round(score.score, 6),
            ranges=tuple(ranges),
            matched=tuple(word.word for word in query.words if word.word in score.matched),
        )


class Searchable:
    """The searching half of a library: gives the engine the documents that the filters leave."""

    _engine: SearchEngine

    def _search_scope(
        self, doc_ids: Sequence[str] | None, where: Mapping[str, Any] | None, folder_id: str | None
    ) -> Sequence[str] | None:
        """Ids of the documents to search; None for all of the library."""
        raise NotImplementedError

    def search(
        self,
        query: str,
        *,
        doc_ids: Sequence[str] | None = None,
        where: Mapping[str, Any] | None = None,
        folder_id: str | None = None,
        limit: int = 10,
        cursor: str | None = None,
    ) -> SearchResult:
        """See ``Library.search``."""
        return self._engine.search(query, self._search_scope(doc_ids, where, folder_id), limit, cursor)

    def search_documents(
        self,
        query: str,
        *,
        doc_ids: Sequence[str] | None = None,
        where: Mapping[str, Any] | None = None,
        folder_id: str | None = None,
        limit: int = 10,
    ) -> Sequence[DocumentHit]:
        """See ``Library.search_documents``."""
        return self._engine.search_documents(query, self._search_scope(doc_ids, where, folder_id), limit)


def _lacks(one: _RankedDocument, number: int) -> bool:
    term = one.ranking.terms[number]
    return bool(term.near) or not (term.counts or term.forms & one.index.title_words)


def _pointed(query: Query, ranked: _Ranked) -> Sequence[Pointed]:
    """The places that the query names, in its order, by document in the order of the hits."""
    order = dict.fromkeys([doc_id for doc_id, _ in ranked.hits] + list(ranked.of))
    places: dict[str, list[PointedPlace]] = {pointer.text: [] for pointer in query.pointers}
    for doc_id in order:
        for place in ranked.of[doc_id].ranking.places:
            if not place.inner:
                places[place.pointer.text].append(PointedPlace(doc_id, place.page, place.how))
    return [Pointed(text, tuple(found)) for text, found in places.items()]


def _check_limit(limit: int) -> None:
    if not 1 <= limit <= MOST_HITS:
        raise InputError(f"a limit of {limit} hits", f"Ask for 1 to {MOST_HITS}, and go on with the cursor.")


def _with_text(edition: Edition) -> int:
    return sum(page.state is PageState.TEXT and not _is_picture(page) for page in edition.pages)


def _without_text(edition: Edition) -> Sequence[int]:
    return tuple(page.number for page in edition.pages if not page.state.readable or _is_picture(page))


def _is_picture(page: Page) -> bool:
    """Whether a page shows a picture that was not read, and no text but its running lines."""
    return bool(page.unread_parts) and not "".join(page.words(*kept) for kept in kept_bytes(page)).strip()


def checked_scope(known: Callable[[str], DocumentRecord], doc_ids: Sequence[str]) -> Sequence[str]:
    """The ids, each once; raises NotFoundError for one that does not exist."""
    return [known(doc_id).doc_id for doc_id in dict.fromkeys(doc_ids)]
