"""Changing a document: every change is decided by one rename, before which nothing and after which everything of it is there.

A new document is put together in a folder under a temporary name, which is then renamed to its place: a folder without its
``document.json`` is therefore damage, and never a leftover. A change of a document publishes the folder ``next/`` (see ``files``) in the
same way and then moves its files to their places. The caller holds the writer's lock.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pageindex.atomic import AtomicWriter
from pageindex.document import DocumentRecord
from pageindex.document.codec import record_to_json
from pageindex.errors import CorruptRecordError, InputError
from pageindex.store import records
from pageindex.store.base import Addition, AddResult, Outcome
from pageindex.store.disk.files import REMEDY, DocumentFiles
from pageindex.store.disk.layout import DERIVED, DOCUMENT, EDITIONS, NEXT
from pageindex.store.disk.migrations import sealed

__all__ = ["Committer"]


@dataclass(frozen=True, slots=True)
class Committer:
    """The writing side of a library's documents."""

    files: DocumentFiles
    writer: AtomicWriter

    def create(self, doc_id: str, addition: Addition) -> AddResult:
        """A new document: its folder appears with the source, the edition and the record in it, or not at all."""
        place = self.files.layout.document(doc_id)
        source_file = records.source_file_name(addition, None)
        record = records.new_record(doc_id, addition, source_file)
        files = {f"{EDITIONS}/{addition.edition_id}/{name}": data for name, data in addition.files.items()}
        with self.writer.new_folder(place) as folder:
            self._put_source(folder / source_file, addition)
            self.writer.fill_folder(folder, {**files, DOCUMENT: _encoded(record)})
        return AddResult(record, Outcome.ADDED)

    def add_edition(self, record: DocumentRecord, addition: Addition) -> AddResult:
        """A newer edition of a document; the older ones and their sources stay."""
        place = self.files.layout.document(record.doc_id)
        self.settle(record.doc_id)
        source_file = records.source_file_name(addition, record)
        updated = records.with_edition(record, addition, source_file)
        again = any(entry.id == addition.edition_id for entry in record.editions)
        kept = {name: data for name, data in addition.files.items() if not again or name in DERIVED}
        if again:  # its pages and lines stay what they are, and so do their digests
            old = next(entry for entry in record.editions if entry.id == addition.edition_id)
            digests = {**old.files, **{name: records.sha256(data) for name, data in kept.items()}} if old.files else {}
            updated = replace(updated, editions=(*updated.editions[:-1], replace(updated.edition, files=digests)))
        files = {f"{EDITIONS}/{addition.edition_id}/{name}": data for name, data in kept.items()}
        with self.writer.new_folder(place / NEXT) as folder:
            if not (place / source_file).exists():
                self._put_source(folder / source_file, addition)
            self.writer.fill_folder(folder, {**files, DOCUMENT: _encoded(updated)})
        self.settle(record.doc_id)
        return AddResult(updated, Outcome.NEW_EDITION)

    def replace(self, record: DocumentRecord, files: Mapping[str, bytes]) -> None:
        """A record together with files of the document, by their paths in its folder."""
        self.settle(record.doc_id)
        self.writer.publish_folder(
            self.files.layout.document(record.doc_id) / NEXT, {**files, DOCUMENT: _encoded(record)}
        )
        self.settle(record.doc_id)

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
    return sealed(record_to_json(record))
