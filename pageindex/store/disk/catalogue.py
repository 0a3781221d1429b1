"""The catalogue: names, ids, paths and hashes of all documents, so that no lookup opens them all.

A derived SQLite file, which may be deleted at any time: ``document.json`` is the truth. It is known to be stale by two signs, both
cheap to look at. (1) The time stamp of ``documents/`` differs from the one noted here: a folder came or went behind our back, or the
library was moved. All records are then compared by time stamp and size, and those that differ are read. (2) A document stands in
``pending``: a writer announced a change and was killed before it could note the outcome. That one record is read.

Connections live for one call, so nothing is held open between calls and threads share nothing. In WAL mode readers do not wait.
"""

from __future__ import annotations

import logging
import secrets
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pageindex.document import DocumentRecord
from pageindex.document.codec import decode_json, encode_json, record_from_json, record_to_json
from pageindex.errors import LockedError, PageIndexError, StoreError
from pageindex.store.disk.derived import create_schema, is_damage
from pageindex.store.disk.layout import DOCUMENT, NEXT, Layout
from pageindex.store.disk.migrations import parse_sealed, sealed
from pageindex.store.filters import compile_where

__all__ = ["Catalogue"]

Found = TypeVar("Found")

_log = logging.getLogger(__name__)

VERSION = 3
BUSY_SECONDS = 10.0  #: How long a writer waits for another.
READER_MILLISECONDS = 100  #: How long a reader tries to bring a stale catalogue up to date before it takes it as it is.

_SCHEMA = """
create table state (documents_ns integer not null, birth text not null, changes integer not null);
create table pending (doc_id text primary key) without rowid;
create table documents (
  doc_id text primary key, name text not null, folded text not null, source_path text not null, sha256 text not null,
  edition text not null, folder_id text not null, created_at text not null, metadata text not null, record blob not null,
  stamp text not null, problem text not null, updated_at text not null);
create index by_name on documents (folded);
create index by_path on documents (source_path);
create index by_sha on documents (sha256);
create index by_time on documents (created_at desc, doc_id) where problem = '';
create index by_folder on documents (folder_id, created_at desc, doc_id) where problem = '';
create index by_problem on documents (doc_id) where problem <> '';
"""

_ADVANCE = "update state set documents_ns = ?, changes = changes + 1"
_STAMP = 10  #: Which column of a row holds it.
_PUT = "insert or replace into documents values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Lookups over a library's records.

    Attributes:
        layout: Where the library is.
        read: Reads a document's record, raising StoreError when it cannot be trusted.
    """

    layout: Layout
    read: Callable[[str], DocumentRecord]

    def _asked(self, ask: Callable[[sqlite3.Connection], Found]) -> Found:
        """What a lookup gives on an up-to-date catalogue; one that cannot be used is made anew, once.

        Raises:
            LockedError: Another process holds the catalogue for too long.
            StoreError: CATALOGUE_DAMAGED: it cannot be made anew either.
        """
        for last in (False, True):
            try:
                with closing(self._open()) as connection:
                    self._refresh(connection)
                    return ask(connection)
            except sqlite3.OperationalError as error:
                if _is_busy(error):
                    raise LockedError(f"another process holds the catalogue {self.layout.catalogue}") from error
                self._give_up(error, last=last)
            except (sqlite3.DatabaseError, ValueError, TypeError, KeyError, AttributeError) as error:
                self._give_up(error, last=last)
        raise AssertionError("the second try returns or raises")

    def _give_up(self, error: Exception, *, last: bool) -> None:
        """Forget a catalogue that cannot be used; raises StoreError when it was made anew already."""
        if last:
            raise StoreError(
                f"the catalogue {self.layout.catalogue} cannot be used: {error}",
                "Delete the folder 'cache' of the library, or run 'pageindex doctor --repair': it is derived data.",
                code="CATALOGUE_DAMAGED",
            ) from error
        _log.warning("the catalogue is damaged and is made anew: %s", error)
        _delete(self.layout.catalogue)

    # ------------------------------------------------------------ lookups

    def by_sha(self, sha256: str) -> Sequence[tuple[str, str]]:
        """(doc_id, source path) of the documents whose current bytes have this hash."""
        return self._pairs("sha256 = ?", sha256, "source_path")

    def by_path(self, source_path: str) -> Sequence[tuple[str, str]]:
        """(doc_id, name) of the documents added from this path."""
        return self._pairs("source_path = ?", source_path, "name") if source_path else ()

    def by_name(self, name: str) -> Sequence[tuple[str, str]]:
        """(doc_id, name) of the documents of this name, upper and lower case being equal."""
        return self._pairs("folded = ?", name.casefold(), "name")

    def by_prefix(self, prefix: str) -> Sequence[tuple[str, str]]:
        """(doc_id, name) of the documents whose id begins so."""
        query = "select doc_id, name from documents where doc_id >= ? and doc_id < ? and problem = '' order by doc_id"
        return self._asked(lambda connection: connection.execute(query, (prefix, prefix + "\x7f")).fetchall())

    def names(self) -> Sequence[str]:
        """All names, for suggestions."""
        query = "select distinct name from documents"
        return self._asked(lambda connection: [row[0] for row in connection.execute(query)])

    def problems(self) -> Sequence[tuple[str, str]]:
        """(doc_id, what is wrong) of the documents whose record cannot be read."""
        query = "select doc_id, problem from documents where problem <> ''"
        return self._asked(lambda connection: connection.execute(query).fetchall())

    def page(
        self, folders: Sequence[str] | None, where: Mapping[str, Any] | None, offset: int, limit: int
    ) -> tuple[Sequence[DocumentRecord], int]:
        """One page of records, newest first, and the number of all that match."""

        def ask(connection: sqlite3.Connection) -> tuple[Sequence[DocumentRecord], int]:
            if where:
                found = _found(connection, folders, where)
                wanted, total = found[offset : offset + limit], len(found)
            else:
                wanted, total = _page(connection, folders, offset, limit)
            query = "select record from documents where doc_id = ?"
            rows = [row for doc_id in wanted for row in connection.execute(query, (doc_id,))]
            return [record_from_json(parse_sealed(row[0], DOCUMENT)) for row in rows], total

        return self._asked(ask)

    def matching(
        self, doc_ids: Sequence[str] | None, folders: Sequence[str] | None, where: Mapping[str, Any] | None
    ) -> Sequence[str]:
        """Ids of the documents of a scope, in the order of their ids."""
        found = self._asked(lambda connection: _found(connection, folders, where))
        return sorted(found) if doc_ids is None else sorted(set(found) & set(doc_ids))

    def generation(self) -> str:
        """A value that differs after every change of any document."""
        return self._asked(_generation)

    def signatures(self) -> tuple[str, Mapping[str, str]]:
        """The generation, and for each document a value that differs after every change of it."""
        query = "select doc_id, edition || ' ' || updated_at from documents where problem = ''"
        return self._asked(lambda connection: (_generation(connection), dict(connection.execute(query).fetchall())))

    def signature(self, doc_id: str) -> tuple[str, str]:
        """The generation and the document's own value; empty when there is no such document."""
        query = "select edition || ' ' || updated_at from documents where doc_id = ? and problem = ''"

        def ask(connection: sqlite3.Connection) -> tuple[str, str]:
            found = connection.execute(query, (doc_id,)).fetchone()
            return _generation(connection), found[0] if found else ""

        return self._asked(ask)

    # ------------------------------------------------------------ changes

    def announce(self, doc_id: str) -> None:
        """Note that a document is about to change. The caller holds the writer's lock."""

        def note(connection: sqlite3.Connection) -> None:
            self._recover(connection)
            connection.execute("insert or ignore into pending values (?)", (doc_id,))

        self._asked(note)

    def recover(self) -> None:
        """Take in what killed writers left behind. The caller holds the writer's lock."""
        self._asked(self._recover)

    def settle(self, doc_id: str, record: DocumentRecord | None) -> None:
        """Note the outcome of a change: the new record, or None for a document that is gone."""

        def note(connection: sqlite3.Connection) -> None:
            with connection:
                connection.execute("begin immediate")
                if record is None:
                    connection.execute("delete from documents where doc_id = ?", (doc_id,))
                else:
                    _put(connection, record, _stamp(self.layout.document(doc_id) / DOCUMENT))
                connection.execute("delete from pending where doc_id = ?", (doc_id,))
                connection.execute(_ADVANCE, (self._documents_ns(),))

        self._asked(note)

    def rebuild(self) -> None:
        """Forget everything and read it anew."""
        _delete(self.layout.catalogue)
        self.generation()

    def problem(self) -> str:
        """What is wrong with the file, looked at whole and row by row against the records; empty for one that is sound or not there."""
        if not self.layout.catalogue.exists():
            return ""
        try:
            with closing(_prepared(self.layout.catalogue)) as connection:
                self._refresh(connection)
                found = str(connection.execute("pragma integrity_check(1)").fetchone()[0])
                rows = connection.execute("select * from documents where problem = ''").fetchall()
            if found != "ok":
                return f"it is damaged: {found}"
            return next((f"its row of {row[0]} is not what was written" for row in rows if not self._agrees(row)), "")
        except sqlite3.OperationalError as error:
            return "" if _is_busy(error) else f"it cannot be used: {error}"
        except (sqlite3.DatabaseError, ValueError, TypeError) as error:
            return f"it cannot be used: {error}"

    def _agrees(self, row: Sequence[Any]) -> bool:
        try:
            noted = _values(self.read(row[0]), _stamp(self._record(row[0])))
        except PageIndexError:
            return True  # the document's own finding
        # Another stamp means a record that was replaced since, which the next look at the folder takes in.
        return row[_STAMP] != noted[_STAMP] or tuple(row) == noted

    # ------------------------------------------------------------ keeping up

    def _refresh(self, connection: sqlite3.Connection) -> None:
        pending = [row[0] for row in connection.execute("select doc_id from pending")]
        seen = self._documents_ns()
        noted = connection.execute("select documents_ns from state").fetchone()[0]
        if noted == seen if not pending else noted != -1 and not self._changed(connection, pending):
            return
        if noted != -1:
            connection.execute(f"pragma busy_timeout = {READER_MILLISECONDS}")
        try:
            with connection:
                connection.execute("begin immediate")
                for doc_id in self._changed(connection, pending if noted != -1 and pending else None):
                    self._reread(connection, doc_id)
                connection.execute(_ADVANCE, (noted if pending else seen,))
        except sqlite3.OperationalError as error:
            if noted == -1 or is_damage(error):
                raise
            # A writer is at it: what the catalogue holds is the state before its change, which is a whole one.

    def _recover(self, connection: sqlite3.Connection) -> None:
        seen = self._documents_ns()
        pending = connection.execute("select 1 from pending").fetchone()
        if not pending and connection.execute("select documents_ns from state").fetchone()[0] == seen:
            return
        with connection:
            connection.execute("begin immediate")
            for doc_id in self._changed(connection):
                self._reread(connection, doc_id)
            connection.execute("delete from pending")
            connection.execute(_ADVANCE, (seen,))

    def _changed(self, connection: sqlite3.Connection, among: Sequence[str] | None = None) -> Sequence[str]:
        """Documents, of all or among some, whose record is not the one that was noted."""
        if among is None:
            noted = dict(connection.execute("select doc_id, stamp from documents"))
            there = {doc_id: _stamp(self._record(doc_id)) for doc_id in self.layout.doc_ids()}
        else:
            query = "select doc_id, stamp from documents where doc_id = ?"
            noted = dict(row for doc_id in among for row in connection.execute(query, (doc_id,)))
            there = {doc_id: _stamp(self._record(doc_id)) for doc_id in among}
        return [doc_id for doc_id in {**noted, **there} if noted.get(doc_id, "") != there.get(doc_id, "")]

    def _record(self, doc_id: str) -> Path:
        folder = self.layout.document(doc_id)
        ahead = folder / NEXT / DOCUMENT
        return ahead if ahead.exists() else folder / DOCUMENT

    def _reread(self, connection: sqlite3.Connection, doc_id: str) -> None:
        stamp = _stamp(self._record(doc_id))
        if not stamp:  # an addition that has not been committed, or a removal
            connection.execute("delete from documents where doc_id = ?", (doc_id,))
            return
        try:
            _put(connection, self.read(doc_id), stamp)
        except StoreError as error:
            blank = ("", "", "", "", "", "", "", "{}", b"", stamp, error.message, "")
            connection.execute(_PUT, (doc_id, *blank))

    def _documents_ns(self) -> int:
        return self.layout.documents.stat().st_mtime_ns

    def _open(self) -> sqlite3.Connection:
        try:
            self.layout.cache.mkdir(mode=0o700, exist_ok=True)
            return _prepared(self.layout.catalogue)
        except (sqlite3.DatabaseError, OSError) as error:
            if isinstance(error, OSError) or not is_damage(error):
                return _prepared(None)  # a library that cannot be written to is read without one
            _delete(self.layout.catalogue)
            return _prepared(self.layout.catalogue)

    def _pairs(self, condition: str, value: str, second: str) -> Sequence[tuple[str, str]]:
        query = f"select doc_id, {second} from documents where {condition} and problem = '' order by created_at, doc_id"  # noqa: S608
        return self._asked(lambda connection: connection.execute(query, (value,)).fetchall())


def _is_busy(error: sqlite3.Error) -> bool:
    """Whether a call failed because of another process, rather than because of the file."""
    return (error.sqlite_errorcode & 0xFF) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _generation(connection: sqlite3.Connection) -> str:
    birth, changes = connection.execute("select birth, changes from state").fetchone()
    return f"{birth}-{changes}"


def _prepared(path: Path | None) -> sqlite3.Connection:
    connection = sqlite3.connect(path or ":memory:", timeout=BUSY_SECONDS, isolation_level=None)
    try:
        version = connection.execute("pragma user_version").fetchone()[0]
        if version != VERSION:
            if version:
                raise sqlite3.DatabaseError(f"catalogue of version {version}")
            create_schema(connection, path, _SCHEMA.split(";")[:-1], VERSION, _open_state)
        # Derived data: an outage may lose it, never the documents. WAL keeps it whole through kills.
        connection.execute("pragma synchronous = off")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _open_state(connection: sqlite3.Connection) -> None:
    connection.execute("insert into state values (-1, ?, 0)", (secrets.token_hex(4),))


def _delete(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _stamp(path: Path) -> str:
    try:
        status = path.stat()
    except FileNotFoundError:
        return ""
    return f"{status.st_mtime_ns}.{status.st_size}.{status.st_ino}"


def _put(connection: sqlite3.Connection, record: DocumentRecord, stamp: str) -> None:
    connection.execute(_PUT, _values(record, stamp))


def _values(record: DocumentRecord, stamp: str) -> tuple[Any, ...]:
    return (
        record.doc_id,
        record.name,
        record.name.casefold(),
        record.source_path,
        record.edition.source_sha256,
        record.edition.id,
        record.folder_id,
        record.created_at,
        encode_json(dict(record.metadata)).decode(),
        sealed(record_to_json(record), pretty=False),
        stamp,
        "",
        record.updated_at,
    )


def _inside(folders: Sequence[str] | None) -> str:
    """The condition on sound documents of some folders (None is all), whose ids are bound."""
    return "problem = ''" + ("" if folders is None else f" and folder_id in ({', '.join('?' * len(folders))})")


def _page(
    connection: sqlite3.Connection, folders: Sequence[str] | None, offset: int, limit: int
) -> tuple[Sequence[str], int]:
    """Ids of one page of documents, newest first, and the number of all."""
    inside, values = _inside(folders), tuple(folders or ())
    total = connection.execute(f"select count(*) from documents where {inside}", values).fetchone()[0]  # noqa: S608
    query = f"select doc_id from documents where {inside} order by created_at desc, doc_id limit ? offset ?"  # noqa: S608
    return [row[0] for row in connection.execute(query, (*values, limit, offset))], total


def _found(
    connection: sqlite3.Connection, folders: Sequence[str] | None, where: Mapping[str, Any] | None
) -> Sequence[str]:
    """Ids of the documents of some folders (None is all) whose metadata match, newest first."""
    query = f"select doc_id, metadata from documents where {_inside(folders)} order by created_at desc, doc_id"  # noqa: S608
    matches = compile_where(where)
    rows = connection.execute(query, tuple(folders or ()))
    return [doc_id for doc_id, metadata in rows if not where or matches(decode_json(metadata))]
