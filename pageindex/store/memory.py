"""A library in memory: the reference for what a library does, and the one to test other code with."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from typing import Any, Self

from pageindex.document import DocumentRecord, Edition, Summaries, Tree
from pageindex.document.codec import (
    EDITION_FILE,
    LINES_FILE,
    PAGES_FILE,
    decode_edition,
    decode_json,
    summaries_from_json,
    tree_from_json,
)
from pageindex.document.cursor import fingerprint
from pageindex.errors import InputError, NotFoundError
from pageindex.store import records
from pageindex.store.base import (
    ROOT_FOLDER,
    Addition,
    AddResult,
    Attempt,
    Finding,
    Folder,
    Listing,
    Outcome,
    Spent,
)
from pageindex.store.disk.files import edition_of
from pageindex.store.disk.layout import SUMMARIES, TREE, checked_file
from pageindex.store.filters import compile_where
from pageindex.store.folders import FolderTree
from pageindex.store.resolve import resolve
from pageindex.store.search.index import LibraryIndex
from pageindex.store.search.searching import Searchable, SearchEngine, Source, checked_scope

__all__ = ["MemoryLibrary"]


@dataclass(slots=True)
class _Kept:
    """A document: its record, the files of each edition, the originals by file name, and the files beside it."""

    record: DocumentRecord
    editions: dict[str, dict[str, bytes]] = field(default_factory=dict)
    sources: dict[str, bytes] = field(default_factory=dict)
    beside: dict[tuple[str, str], bytes] = field(default_factory=dict)


class MemoryLibrary(Searchable):
    """A library that is gone when it is closed (see ``Library`` for what the methods do). Threads may share it."""

    def __init__(self) -> None:
        self._documents: dict[str, _Kept] = {}
        self._folders = FolderTree()
        self._attempts: list[Attempt] = []
        self._spent: list[Spent] = []
        self._lock = RLock()
        self._files: tempfile.TemporaryDirectory[str] | None = None
        source = Source(
            get=self.get,
            edition=self.edition,
            tree=self.tree,
            summaries=self.summaries,
            generation=lambda: self._signatures()[0],
            signatures=self._signatures,
            signature=lambda doc_id: (self._signatures()[0], self._signatures()[1].get(doc_id, "")),
        )
        self._engine = SearchEngine(source, LibraryIndex(None))

    def close(self) -> None:
        """Forget everything."""
        with self._lock:
            self._documents.clear()
            self._engine.cache.clear()
            self._engine.index.delete()
            if self._files is not None:
                self._files.cleanup()
                self._files = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    # ------------------------------------------------------------ writing

    def add(self, addition: Addition) -> AddResult:
        data = addition.source if isinstance(addition.source, bytes) else addition.source.read_bytes()
        if hashlib.sha256(data).hexdigest() != addition.source_sha256:
            raise InputError(f"{addition.name} changed while it was being read", "Add it again.", code="SOURCE_CHANGED")
        with self._lock:
            self._folders.check(addition.folder_id)
            previous = self.known(addition.source_sha256, addition.source_path)
            if previous is not None and previous.edition.id == addition.edition_id:
                return AddResult(previous, Outcome.UNCHANGED)
            if previous is None:
                previous = self._from_path(addition.source_path)
            source_file = records.source_file_name(addition, previous)
            if previous is None:
                doc_id = records.new_doc_id(addition, self._documents.__contains__)
                kept = _Kept(records.new_record(doc_id, addition, source_file))
                outcome = Outcome.ADDED
            else:
                kept = self._documents[previous.doc_id]
                kept.record = records.with_edition(previous, addition, source_file)
                outcome = Outcome.NEW_EDITION
            kept.sources[source_file] = data
            kept.editions[addition.edition_id] = dict(addition.files)
            self._documents[kept.record.doc_id] = kept
            return AddResult(kept.record, outcome)

    def _from_path(self, source_path: str) -> DocumentRecord | None:
        found = self.by_path(source_path)
        return self.get(found[-1][0]) if found else None

    def replace_derived(
        self,
        doc_id: str,
        edition_id: str,
        *,
        tree: Tree | None = None,
        summaries: Summaries | None = None,
        facts: Mapping[str, Any] | None = None,
    ) -> DocumentRecord:
        with self._lock:
            kept = self._kept(doc_id)
            entry = edition_of(kept.record, edition_id)
            derived = records.derived_files(entry.id, tree, summaries)
            kept.record = records.with_facts(kept.record, facts)
            kept.editions[entry.id] |= derived
            return kept.record

    def update(
        self, doc_id: str, *, metadata: Mapping[str, Any] | None = None, folder_id: str | None = None
    ) -> DocumentRecord:
        with self._lock:
            if folder_id is not None:
                self._folders.check(folder_id)
            kept = self._kept(doc_id)
            kept.record = records.edited(kept.record, metadata, folder_id)
            return kept.record

    def remove(self, doc_id: str) -> None:
        with self._lock:
            self._kept(doc_id)
            del self._documents[doc_id]

    # ------------------------------------------------------------ reading

    def _kept(self, doc_id: str) -> _Kept:
        try:
            return self._documents[doc_id]
        except KeyError:
            raise NotFoundError(f"no document has the id {doc_id!r}", "List the documents.") from None

    def known(self, sha256: str, source_path: str = "") -> DocumentRecord | None:
        found = [r for r in self._records() if r.edition.source_sha256 == sha256]
        return next((r for r in found if r.source_path == source_path), found[0] if found else None)

    def get(self, doc_id: str) -> DocumentRecord:
        return self._kept(doc_id).record

    def resolve(self, reference: str) -> DocumentRecord:
        return self.get(resolve(reference, self))

    def _records(self) -> Sequence[DocumentRecord]:
        """All records, oldest first."""
        with self._lock:
            return sorted((kept.record for kept in self._documents.values()), key=lambda r: (r.created_at, r.doc_id))

    def by_name(self, name: str) -> Sequence[tuple[str, str]]:
        """As ``resolve.Lookups`` wants it, like the three below."""
        return [(r.doc_id, r.name) for r in self._records() if r.name.casefold() == name.casefold()]

    def by_path(self, source_path: str) -> Sequence[tuple[str, str]]:
        return [(r.doc_id, r.name) for r in self._records() if source_path and r.source_path == source_path]

    def by_prefix(self, prefix: str) -> Sequence[tuple[str, str]]:
        return [(r.doc_id, r.name) for r in self._records() if r.doc_id.startswith(prefix)]

    def names(self) -> Sequence[str]:
        return sorted({r.name for r in self._records()})

    def list(
        self,
        *,
        folder_id: str | None = None,
        recursive: bool = True,
        where: Mapping[str, Any] | None = None,
        offset: int = 0,
        limit: int = 50,
    ) -> Listing:
        records.check_page(offset, limit)
        found = self._scope(folder_id, recursive, where)
        inner = self._folders.children(folder_id or ROOT_FOLDER)
        return Listing(found[offset : offset + limit], len(found), limit, offset, inner)

    def _scope(
        self, folder_id: str | None, recursive: bool, where: Mapping[str, Any] | None
    ) -> Sequence[DocumentRecord]:
        """Newest first."""
        folders = None if folder_id is None else self._folders.below(folder_id, recursive)
        matches = compile_where(where)
        return [
            record
            for record in reversed(self._records())
            if (folders is None or record.folder_id in folders) and matches(record.metadata)
        ]

    def _edition_files(self, doc_id: str, edition_id: str | None) -> tuple[str, dict[str, bytes]]:
        kept = self._kept(doc_id)
        entry = edition_of(kept.record, edition_id)
        return entry.id, kept.editions[entry.id]

    def edition(self, doc_id: str, edition_id: str | None = None) -> Edition:
        _, files = self._edition_files(doc_id, edition_id)
        return decode_edition(files[EDITION_FILE], files[PAGES_FILE], files.get(LINES_FILE))

    def tree(self, doc_id: str, edition_id: str | None = None) -> Tree:
        _, files = self._edition_files(doc_id, edition_id)
        return tree_from_json(decode_json(files[TREE]))

    def summaries(self, doc_id: str, edition_id: str | None = None) -> Summaries:
        full_id, files = self._edition_files(doc_id, edition_id)
        return summaries_from_json(decode_json(files[SUMMARIES])) if SUMMARIES in files else Summaries(full_id)

    def source(self, doc_id: str, edition_id: str | None = None) -> Path:
        kept = self._kept(doc_id)
        entry = edition_of(kept.record, edition_id)
        with self._lock:
            if self._files is None:
                self._files = tempfile.TemporaryDirectory(prefix="pageindex-")
            path = Path(self._files.name) / f"{doc_id}-{entry.source_file}"
            if not path.exists():
                path.write_bytes(kept.sources[entry.source_file])
        return path

    # ------------------------------------------------------------ searching

    def _signatures(self) -> tuple[str, Mapping[str, str]]:
        signatures = {r.doc_id: f"{r.edition.id} {r.updated_at}" for r in self._records()}
        return fingerprint(sorted(signatures.items())), signatures

    def _search_scope(
        self, doc_ids: Sequence[str] | None, where: Mapping[str, Any] | None, folder_id: str | None
    ) -> Sequence[str] | None:
        asked = None if doc_ids is None else checked_scope(self.get, doc_ids)
        if not where and folder_id is None:
            return asked
        found = sorted(record.doc_id for record in self._scope(folder_id, True, where))
        return found if asked is None else [doc_id for doc_id in found if doc_id in asked]

    # ------------------------------------------------------------ files beside a document, folders, attempts

    def put_file(self, doc_id: str, area: str, name: str, data: bytes) -> None:
        with self._lock:
            self._kept(doc_id).beside[checked_file(area, name)] = data

    def get_file(self, doc_id: str, area: str, name: str) -> bytes:
        key, kept = checked_file(area, name), self._kept(doc_id)
        if key not in kept.beside:
            known = list(self.list_files(doc_id, area))
            raise NotFoundError(f"{doc_id} has no {area}/{name}", f"There are: {known}.", names=known)
        return kept.beside[key]

    def list_files(self, doc_id: str, area: str) -> Sequence[str]:
        checked_file(area, "x")
        return sorted(name for kind, name in self._kept(doc_id).beside if kind == area)

    def create_folder(self, name: str, parent_id: str = ROOT_FOLDER) -> Folder:
        with self._lock:
            self._folders, folder = self._folders.with_folder(name, parent_id)
            return folder

    def list_folders(self, parent_id: str = ROOT_FOLDER) -> Sequence[Folder]:
        return self._folders.children(parent_id)

    def folder_path(self, folder_id: str) -> Sequence[Folder]:
        return self._folders.path(folder_id)

    def record_attempt(self, attempt: Attempt) -> None:
        with self._lock:
            self._attempts.append(attempt)

    def attempts(self, limit: int = 50) -> Sequence[Attempt]:
        return self._attempts[::-1][:limit]

    def record_spent(self, spent: Spent) -> None:
        with self._lock:
            self._spent.append(spent)

    def spent(self) -> Sequence[Spent]:
        with self._lock:
            return tuple(self._spent)

    # ------------------------------------------------------------ care: nothing here can break

    def verify(self, doc_id: str) -> Sequence[Finding]:
        self._kept(doc_id)
        return []

    def doctor(self, *, repair: bool = False) -> Sequence[Finding]:
        return []

    def gc(self, *, dry_run: bool = False) -> Sequence[str]:
        return []
