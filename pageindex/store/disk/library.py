"""The library on disk: plain JSON files in a folder that can be moved, read by anyone and written by one at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

from filelock import FileLock, Timeout

from pageindex.atomic import TEMPORARY, AtomicWriter
from pageindex.document import DocumentRecord, Edition, EditionEntry, Summaries, Tree
from pageindex.document.codec import FORMAT, decode_json
from pageindex.errors import InputError, LockedError, NotFoundError, PageIndexError, StoreError
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
from pageindex.store.cache import BoundedCache
from pageindex.store.disk import attempts, spending
from pageindex.store.disk.catalogue import Catalogue
from pageindex.store.disk.checkup import Checkup
from pageindex.store.disk.commit import Committer
from pageindex.store.disk.files import DocumentFiles, edition_of
from pageindex.store.disk.layout import DOCUMENT, EDITIONS, SUMMARIES, TREE, Layout, checked_file, find_library
from pageindex.store.disk.migrations import parse_sealed, sealed
from pageindex.store.folders import FolderTree
from pageindex.store.resolve import resolve
from pageindex.store.search.index import LibraryIndex
from pageindex.store.search.searching import Searchable, SearchEngine, Source, checked_scope

__all__ = ["DiskLibrary", "find_library"]

LOCK_SECONDS = 30.0  #: How long a writer waits for another one; a commit takes milliseconds.
LOCK_ROUNDS = 20  #: So often it waits again while others get their turns.
_COUNTED = "attempts_counted"  #: In ``library.json``: the log of attempts has a head.
POLL_SECONDS = 0.003  #: Below the time of a commit, so that of several busy writers each gets its turn.


class DiskLibrary(Searchable):
    """A library in a folder (see ``Library`` for what the methods do).

    Nothing is held open between calls. ``close`` and the context manager free memory; a closed library may still be used.

    Args:
        root: The library's folder, an existing one; use ``open`` to find or make it.
        lock_seconds: How long a change waits for another process before LockedError.
        writer: Makes all changes to the disk; tests give one that dies at a chosen step.
    """

    def __init__(self, root: Path, *, lock_seconds: float = LOCK_SECONDS, writer: AtomicWriter | None = None) -> None:
        self._layout = Layout(root.absolute())
        self._writer = writer or AtomicWriter()
        self._lock_seconds = lock_seconds
        self._files = DocumentFiles(self._layout)
        self._committer = Committer(self._files, self._writer)
        self._catalogue = Catalogue(self._layout, self._files.record)
        source = Source(
            get=self.get,
            edition=self.edition,
            tree=self.tree,
            summaries=self.summaries,
            generation=self._catalogue.generation,
            signatures=self._catalogue.signatures,
            signature=self._catalogue.signature,
        )
        self._engine = SearchEngine(source, LibraryIndex(self._layout.search))

    @classmethod
    def open(
        cls,
        path: Path | str | None = None,
        *,
        create: bool = True,
        strict: bool = True,
        lock_seconds: float = LOCK_SECONDS,
        writer: AtomicWriter | None = None,
    ) -> Self:
        """Open the library at ``path``, or the one that ``find_library`` finds.

        Args:
            path: The library's own folder (``….pageindex``).
            create: Make it when it is not there; without, NotFoundError (LIBRARY_NOT_FOUND).
            strict: Refuse a library whose ``library.json`` cannot be trusted; ``doctor`` opens it without.
            lock_seconds, writer: As for the class.

        Raises:
            CorruptRecordError, FormatVersionError: From ``library.json``.
            InputError: The folder holds something else (NOT_A_LIBRARY).
        """
        root = find_library(explicit=path)
        library = cls(root, lock_seconds=lock_seconds, writer=writer)
        if not library._layout.library.exists() and not any(library._layout.doc_ids()):
            library._create(create)
        elif strict:  # a head that is missing beside documents was lost
            library._read_head()
        return library

    def _create(self, create: bool) -> None:
        root = self._layout.root
        if not create and not self._layout.documents.is_dir():
            raise NotFoundError(
                f"there is no library at {root}",
                "Add a document, or name one with --library.",
                code="LIBRARY_NOT_FOUND",
            )
        strangers = root.is_dir() and any(not p.name.startswith(TEMPORARY) and p.name != "lock" for p in root.iterdir())
        if strangers and not self._layout.documents.is_dir():
            raise InputError(
                f"{root} is not empty and holds no library", "Name an empty folder or a new one.", code="NOT_A_LIBRARY"
            )
        self._writer.folder(root)
        with self._writing():
            self._writer.folder(self._layout.documents)
            self._writer.folder(self._layout.cache)
            if not self._layout.folders.exists():
                self._writer.write(self._layout.folders, _encoded(FolderTree()))
            if not self._layout.attempts.exists() and not self._layout.attempts_head.exists():
                self._writer.write(self._layout.attempts_head, attempts.encoded_head(attempts.BEGINNING))
            if not self._layout.library.exists():  # last: it says that the library is there
                self._writer.write(self._layout.library, _fresh_head())

    def _read_head(self) -> None:
        path = self._layout.library
        self._files.trusted(path, lambda: parse_sealed(path.read_bytes(), self._layout.relative(path)))

    @property
    def root(self) -> Path:
        """The library's folder."""
        return self._layout.root

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.root)!r})"

    def close(self) -> None:
        """Forget what is kept in memory."""
        self._files.cache.clear()
        self._engine.cache.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    # ------------------------------------------------------------ writing

    @contextmanager
    def _writing(self) -> Iterator[None]:
        lock = FileLock(str(self._layout.lock), timeout=self._lock_seconds, mode=0o600, poll_interval=POLL_SECONDS)
        self._take(lock)
        try:
            with suppress(OSError):  # others see by its time that the lock changes hands
                os.utime(self._layout.lock)
            yield
        finally:
            lock.release()

    def _take(self, lock: FileLock) -> None:
        """Wait for the lock: for as long as it changes hands, within reason, and not longer than some seconds for a single holder."""
        for _ in range(LOCK_ROUNDS):
            seen = _changed_at(self._layout.lock)
            try:
                lock.acquire()
            except Timeout:
                if _changed_at(self._layout.lock) == seen:
                    break
            else:
                return
        raise LockedError(f"another process has been writing to {self.root} for {self._lock_seconds:g} s")

    @contextmanager
    def _changing(self, doc_id: str, *, searched: bool = True) -> Iterator[None]:
        """Round the change of one document by the holder of the lock: catalogue and index know before and learn after."""
        self._catalogue.announce(doc_id)
        before = self._catalogue.generation()
        try:
            yield
        except PageIndexError:
            self._catalogue.recover()
            raise
        self._engine.follow(doc_id, before, searched=searched)

    def add(self, addition: Addition) -> AddResult:
        with self._writing():
            self._folders().check(addition.folder_id)
            previous = self.known(addition.source_sha256, addition.source_path)
            if previous is not None and previous.edition.id == addition.edition_id:
                return AddResult(previous, Outcome.UNCHANGED)
            if previous is None:
                previous = self._from_path(addition.source_path)
            doc_id = self._id_for(addition) if previous is None else previous.doc_id
            with self._changing(doc_id):
                if previous is None:
                    result = self._committer.create(doc_id, addition)
                else:
                    result = self._committer.add_edition(previous, addition)
                self._catalogue.settle(doc_id, result.record)
        return result

    def _id_for(self, addition: Addition) -> str:
        return records.new_doc_id(addition, self._committer.refuse_to_overwrite)

    def _from_path(self, source_path: str) -> DocumentRecord | None:
        found = self._catalogue.by_path(source_path)
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
        with self._writing():
            record = self.get(doc_id)
            entry = edition_of(record, edition_id)
            derived = records.derived_files(entry.id, tree, summaries)
            updated = records.with_derived(records.with_facts(record, facts), entry.id, derived)
            with self._changing(doc_id):
                self._committer.replace(updated, {f"{EDITIONS}/{entry.id}/{n}": data for n, data in derived.items()})
                self._catalogue.settle(doc_id, updated)
        return updated

    def restore(self, doc_id: str, edition_id: str, addition: Addition) -> DocumentRecord:
        """Put an edition of a document in its place again, read anew from the document's own source, after its files were damaged.

        Files of it that are as they were written stay, unless the tree was damaged: then what was derived goes with it.
        """
        with self._writing():
            record = self.get(doc_id)
            entry = edition_of(record, edition_id)
            kept = self._sound(doc_id, entry) if addition.edition_id == entry.id else {}
            if TREE not in kept:
                kept.pop(SUMMARIES, None)
            updated = records.restored(record, entry.id, addition, kept)
            place = f"{EDITIONS}/{addition.edition_id}"
            files = {f"{place}/{name}": data for name, data in addition.files.items() if name not in kept}
            with self._changing(doc_id):
                self._committer.replace(updated, files)
                if addition.edition_id != entry.id:
                    self._checkup().put_aside(self._layout.document(doc_id) / EDITIONS / entry.id)
                self._catalogue.settle(doc_id, updated)
        self._files.cache.clear()
        return updated

    def _sound(self, doc_id: str, entry: EditionEntry) -> dict[str, str]:
        """The digests of an edition's files that are as they were written."""
        sound = {}
        for name, digest in entry.files.items():
            try:
                self._files.read_checked(doc_id, f"{EDITIONS}/{entry.id}/{name}", digest)
            except (OSError, ValueError):
                continue
            sound[name] = digest
        return sound

    def update(
        self, doc_id: str, *, metadata: Mapping[str, Any] | None = None, folder_id: str | None = None
    ) -> DocumentRecord:
        with self._writing():
            if folder_id is not None:
                self._folders().check(folder_id)
            updated = records.edited(self.get(doc_id), metadata, folder_id)
            with self._changing(doc_id, searched=False):
                self._committer.put_record(updated)
                self._catalogue.settle(doc_id, updated)
        return updated

    def remove(self, doc_id: str) -> None:
        with self._writing():
            if self._files.status(doc_id, DOCUMENT) is None:
                self.get(doc_id)  # raises
            with self._changing(doc_id):
                self._engine.forget(
                    doc_id
                )  # first: what is not indexed is taken in again, what is gone could not be found out
                self._committer.remove(doc_id)
                self._catalogue.settle(doc_id, None)
        self._files.cache.clear()

    # ------------------------------------------------------------ reading

    def known(self, sha256: str, source_path: str = "") -> DocumentRecord | None:
        found = self._catalogue.by_sha(sha256)
        if not found:
            return None
        doc_id = next((doc_id for doc_id, path in found if path == source_path), found[0][0])
        return self.get(doc_id)

    def get(self, doc_id: str) -> DocumentRecord:
        return self._files.record(doc_id)

    def resolve(self, reference: str) -> DocumentRecord:
        return self.get(resolve(reference, self._catalogue))

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
        folders = self._folders()
        scope = None if folder_id is None else folders.below(folder_id, recursive)
        documents, total = self._catalogue.page(scope, where, offset, limit)
        inner = folders.children(folder_id or ROOT_FOLDER)
        return Listing(documents, total, limit, offset, inner, tuple(d for d, _ in self._catalogue.problems()))

    def edition(self, doc_id: str, edition_id: str | None = None) -> Edition:
        return self._files.edition(doc_id, edition_id)

    def tree(self, doc_id: str, edition_id: str | None = None) -> Tree:
        return self._files.tree(doc_id, edition_id)

    def summaries(self, doc_id: str, edition_id: str | None = None) -> Summaries:
        return self._files.summaries(doc_id, edition_id)

    def source(self, doc_id: str, edition_id: str | None = None) -> Path:
        return self._files.source(doc_id, edition_id)

    # ------------------------------------------------------------ searching

    def _search_scope(
        self, doc_ids: Sequence[str] | None, where: Mapping[str, Any] | None, folder_id: str | None
    ) -> Sequence[str] | None:
        folders = None if folder_id is None else self._folders().below(folder_id, recursive=True)
        asked = None if doc_ids is None else checked_scope(self.get, doc_ids)
        if not where and folders is None:
            return asked
        return self._catalogue.matching(asked, folders, where)

    # ------------------------------------------------------------ files beside a document

    def put_file(self, doc_id: str, area: str, name: str, data: bytes) -> None:
        area, name = checked_file(area, name)
        with self._writing():  # so that a removal at the same moment is not half undone
            updated = records.with_file(self.get(doc_id), area, name, data)
            with self._changing(doc_id, searched=False):
                self._committer.replace(updated, {f"{area}/{name}": data})
                self._catalogue.settle(doc_id, updated)

    def get_file(self, doc_id: str, area: str, name: str) -> bytes:
        area, name = checked_file(area, name)
        digest = self.get(doc_id).files.get(f"{area}/{name}")
        if digest is None and self._files.status(doc_id, f"{area}/{name}") is None:
            known = list(self.list_files(doc_id, area))
            raise NotFoundError(f"{doc_id} has no {area}/{name}", f"There are: {known}.", names=known)
        path = self._layout.document(doc_id) / area / name
        return self._files.trusted(path, lambda: self._files.read_checked(doc_id, f"{area}/{name}", digest))

    def list_files(self, doc_id: str, area: str) -> Sequence[str]:
        checked_file(area, "x")
        self.get(doc_id)
        folder = self._layout.document(doc_id) / area
        return sorted(p.name for p in folder.iterdir() if not p.name.startswith(TEMPORARY)) if folder.is_dir() else []

    # ------------------------------------------------------------ folders and attempts

    def _folders(self) -> FolderTree:
        path = self._layout.folders
        return self._files.trusted(path, self._read_folders) if path.exists() else FolderTree()

    def _read_folders(self) -> FolderTree:
        path = self._layout.folders
        return FolderTree.from_json(parse_sealed(path.read_bytes(), self._layout.relative(path)))

    def create_folder(self, name: str, parent_id: str = ROOT_FOLDER) -> Folder:
        with self._writing():
            before = self._folders()
            after, folder = before.with_folder(name, parent_id)
            if after is not before:
                self._writer.write(self._layout.folders, _encoded(after))
        return folder

    def list_folders(self, parent_id: str = ROOT_FOLDER) -> Sequence[Folder]:
        return self._folders().children(parent_id)

    def folder_path(self, folder_id: str) -> Sequence[Folder]:
        return self._folders().path(folder_id)

    def record_attempt(self, attempt: Attempt) -> None:
        with self._writing():
            attempts.append_attempt(self._writer, self._layout, attempt)
            self._note_log()

    def _note_log(self) -> None:
        """Say that the log has a head from now on, in a library of before there was one: else nobody could miss it."""
        if _COUNTED in self._stated():
            return
        with suppress(StoreError, OSError):  # one that cannot be trusted is left to doctor
            self._read_head()
            stated = {name: value for name, value in self._stated().items() if name != "seal"}
            self._writer.write(self._layout.library, sealed({**stated, _COUNTED: True}))

    def attempts(self, limit: int = 50) -> Sequence[Attempt]:
        return attempts.read_attempts(self._layout.attempts, limit)

    def record_spent(self, spent: Spent) -> None:
        spending.append_spent(self._layout.spending, spent)

    def spent(self) -> Sequence[Spent]:
        return spending.read_spent(self._layout.spending)

    # ------------------------------------------------------------ care

    def _checkup(self) -> Checkup:
        # With an empty memory: what is checked is what is on the disk.
        return Checkup(Committer(DocumentFiles(self._layout, BoundedCache(0)), self._writer))

    def verify(self, doc_id: str) -> Sequence[Finding]:
        self.get(doc_id)
        return list(self._checkup().problems(doc_id))

    def doctor(self, *, repair: bool = False) -> Sequence[Finding]:
        if not repair:
            return list(self._findings(repair=False))
        with self._writing():
            for doc_id in self._checkup().unfinished():
                self._committer.settle(doc_id)
            found = list(self._findings(repair=True))
            self._files.cache.clear()
            self._catalogue.rebuild()
            self._engine.rebuild()
        return found

    def _findings(self, *, repair: bool) -> Iterator[Finding]:
        checkup = self._checkup()
        yield from checkup.file(self._layout.library, self._read_head, _fresh_head(), repair=repair)
        if (
            self._layout.folders.exists() or self._stated().get("format") != 1
        ):  # which made the file with the first folder
            yield from checkup.file(self._layout.folders, self._read_folders, _encoded(FolderTree()), repair=repair)
        yield from checkup.documents(repair=repair)
        yield from checkup.attempts(counted=_COUNTED in self._stated(), repair=repair)
        yield from checkup.spending(repair=repair)
        for path, problem in (
            (self._layout.catalogue, self._catalogue.problem()),
            (self._layout.search, self._engine.index.problem()),
        ):
            if problem:
                remedy = (
                    "It was made anew."
                    if repair
                    else "Run 'pageindex doctor --repair': it is derived and is made anew."
                )
                yield Finding("INDEX_DAMAGED", self._layout.relative(path), problem, remedy, repaired=repair)
        for path in checkup.garbage():
            remedy = "Run 'pageindex gc'."
            yield Finding("LEFTOVER", self._layout.relative(path), "a killed command left this", remedy)

    def _stated(self) -> Mapping[str, Any]:
        """What ``library.json`` says; nothing where it cannot be read."""
        try:
            return dict(decode_json(self._layout.library.read_bytes()))
        except (OSError, ValueError, TypeError):
            return {}

    def gc(self, *, dry_run: bool = False) -> Sequence[str]:
        with self._writing():
            garbage = self._checkup().garbage()
            if not dry_run:
                for path in garbage:
                    if path.is_dir():
                        self._writer.remove_tree(path)
                    else:
                        self._writer.remove_file(path)
                self._catalogue.recover()
        if not dry_run:
            self._engine.sync()
            self._engine.index.optimize()
        return [self._layout.relative(path) for path in garbage]


def _changed_at(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _fresh_head() -> bytes:
    return sealed({"format": FORMAT, _COUNTED: True})


def _encoded(folders: FolderTree) -> bytes:
    return sealed(folders.to_json())
