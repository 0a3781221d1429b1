"""Changing a document: every change is decided by one rename, before which nothing and after which everything of it is there.

An addition puts the source and the edition into place, where nothing refers to them, and then writes ``document.json``, which does.
A change of several files publishes the folder ``next/`` (see ``files``) and then moves its files to their places. The caller holds the
writer's lock.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pageindex.document import DocumentRecord
from pageindex.document.codec import encode_json, record_to_json
from pageindex.errors import CorruptRecordError, InputError
from pageindex.store import records
from pageindex.store.base import Addition, AddResult, Outcome
from pageindex.store.disk.atomic import AtomicWriter
from pageindex.store.disk.files import REMEDY, DocumentFiles
from pageindex.store.disk.layout import DERIVED, DOCUMENT, EDITIONS, NEXT

__all__ = ["Committer"]


@dataclass(frozen=True, slots=True)
class Committer:
    """The writing side of a library's documents."""

    files: DocumentFiles
    writer: AtomicWriter

    def create(self, doc_id: str, addition: Addition) -> AddResult:
        """A new document."""
        folder = self.files.layout.document(doc_id)
        if folder.exists():  # left by a killed addition: without a record it is nothing
            self.writer.remove_tree(folder)
        self.writer.folder(folder)
        source_file = records.source_file_name(addition, None)
        record = records.new_record(doc_id, addition, source_file)
        try:
            self._put_source(folder / source_file, addition)
        except (InputError, OSError):
            self.writer.remove_tree(folder)
            raise
        self.writer.publish_folder(folder / EDITIONS / addition.edition_id, addition.files)
        self._put_record(record)
        return AddResult(record, Outcome.ADDED)

    def add_edition(self, record: DocumentRecord, addition: Addition) -> AddResult:
        """A newer edition of a document; the older ones and their sources stay."""
        folder = self.files.layout.document(record.doc_id)
        self.settle(record.doc_id)
        source_file = records.source_file_name(addition, record)
        if not (folder / source_file).exists():
            self._put_source(folder / source_file, addition)
        updated = records.with_edition(record, addition, source_file)
        if any(entry.id == addition.edition_id for entry in record.editions):
            derived = {name: data for name, data in addition.files.items() if name in DERIVED}
            self._publish_next(updated, addition.edition_id, derived)
        else:
            place = folder / EDITIONS / addition.edition_id
            self.writer.remove_tree(place)  # left by a killed addition
            self.writer.publish_folder(place, addition.files)
            self._put_record(updated)
        return AddResult(updated, Outcome.NEW_EDITION)

    def replace(self, record: DocumentRecord, edition_id: str, derived: Mapping[str, bytes]) -> None:
        """A record together with the tree or the summaries of one of its editions."""
        self.settle(record.doc_id)
        self._publish_next(record, edition_id, derived)

    def put_record(self, record: DocumentRecord) -> None:
        """A record alone."""
        self.settle(record.doc_id)
        self._put_record(record)

    def settle(self, doc_id: str) -> bool:
        """Move what ``next/`` holds to its place; returns whether there was anything."""
        folder = self.files.layout.document(doc_id)
        ahead = folder / NEXT
        if not ahead.is_dir():
            return False
        # The record goes last: it is what says that the change is there, should another version read this without knowing next/.
        for path in sorted((p for p in ahead.rglob("*") if p.is_file()), key=lambda p: (p.name == DOCUMENT, p)):
            self.writer.move(path, folder / path.relative_to(ahead))
        self.writer.remove_tree(ahead)
        return True

    def remove(self, doc_id: str) -> None:
        """A document with all that is in its folder."""
        self.writer.remove_tree(self.files.layout.document(doc_id))

    def refuse_to_overwrite(self, doc_id: str) -> bool:
        """Whether a record has this id; raises CorruptRecordError when one does that cannot be read."""
        path = self.files.layout.document(doc_id) / DOCUMENT
        if self.files.status(doc_id, DOCUMENT) is None:
            return False
        try:
            self.files.record(doc_id)
        except CorruptRecordError as error:
            raise CorruptRecordError(
                f"{path} cannot be trusted, and is not overwritten", REMEDY, file=str(path), doc_id=doc_id
            ) from error
        return True

    def _publish_next(self, record: DocumentRecord, edition_id: str, derived: Mapping[str, bytes]) -> None:
        folder = self.files.layout.document(record.doc_id)
        changed = {f"{EDITIONS}/{edition_id}/{name}": data for name, data in derived.items()}
        self.writer.publish_folder(folder / NEXT, {**changed, DOCUMENT: _encoded(record)})
        self.settle(record.doc_id)

    def _put_record(self, record: DocumentRecord) -> None:
        self.writer.write(self.files.layout.document(record.doc_id) / DOCUMENT, _encoded(record))

    def _put_source(self, path: Path, addition: Addition) -> None:
        if isinstance(addition.source, bytes):
            sha256 = hashlib.sha256(addition.source).hexdigest()
            self.writer.write(path, addition.source)
        else:
            sha256 = self.writer.copy(addition.source, path)
        if sha256 != addition.source_sha256:
            self.writer.remove_file(path)
            raise InputError(
                f"{addition.name} changed while it was being read",
                "Add it again when nothing writes to it.",
                code="SOURCE_CHANGED",
                expected=addition.source_sha256,
                found=sha256,
            )


def _encoded(record: DocumentRecord) -> bytes:
    return encode_json(record_to_json(record), pretty=True)
