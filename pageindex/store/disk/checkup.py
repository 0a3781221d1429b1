"""``doctor``, ``verify`` and ``gc``: what is wrong with a library on disk, and putting it right without losing anything.

Nothing is ever repaired by guessing: a document that cannot be trusted is moved, whole, to ``set-aside/``, where a person can look at it.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pageindex.document import DocumentRecord, Edition, EditionEntry, Summaries
from pageindex.document.codec import EDITION_FILE, PAGES_FILE, decode_json, encode_json, summaries_to_json
from pageindex.errors import CorruptRecordError, FormatVersionError, PageIndexError
from pageindex.store.base import Finding
from pageindex.store.disk.atomic import TEMPORARY
from pageindex.store.disk.commit import Committer
from pageindex.store.disk.files import REMEDY
from pageindex.store.disk.layout import AREAS, DOCUMENT, EDITIONS, NEXT, SUMMARIES, Layout

__all__ = ["Checkup"]

ADD_AGAIN = "Add the original file again."


@dataclass(frozen=True, slots=True)
class Checkup:
    """Checks of a library's documents; the caller holds the writer's lock where something is changed."""

    committer: Committer

    @property
    def layout(self) -> Layout:
        return self.committer.files.layout

    # ------------------------------------------------------------ doctor

    def documents(self, *, repair: bool) -> Iterator[Finding]:
        """One finding for each document that cannot be trusted, and for each file that is missing."""
        for doc_id in self.layout.doc_ids():
            if self.committer.files.status(doc_id, DOCUMENT) is None:
                continue  # an addition that was never committed: a leftover
            finding = self._summaries_problem(doc_id, repair) or self._document_problem(doc_id, repair)
            if finding is not None:
                yield finding

    def _document_problem(self, doc_id: str, repair: bool) -> Finding | None:
        try:
            self._open_all(doc_id)
        except FormatVersionError as error:  # sound, but not for us: never set aside
            return Finding(
                error.code, self.layout.relative(self.layout.document(doc_id)), error.message, error.next_step, doc_id
            )
        except CorruptRecordError as error:
            path = Path(str(error.details["file"]))
            finding = Finding(error.code, self.layout.relative(path), error.message, error.next_step, doc_id)
            if not repair:
                return finding
            aside = self._set_aside(self.layout.document(doc_id))
            return replace(finding, repaired=True, remedy=f"It was moved to {aside}. {ADD_AGAIN}")
        return None

    def _summaries_problem(self, doc_id: str, repair: bool) -> Finding | None:
        """Summaries are derived: bad ones are set aside alone, and the document lives on without them."""
        try:
            record = self.committer.files.record(doc_id)
        except PageIndexError:
            return None
        for entry in record.editions:
            try:
                self.committer.files.summaries(doc_id, entry.id)
            except CorruptRecordError as error:
                path = self.layout.document(doc_id) / EDITIONS / entry.id / SUMMARIES
                finding = Finding(error.code, self.layout.relative(path), error.message, REMEDY, doc_id)
                if not repair:
                    return finding
                self.committer.settle(doc_id)
                aside = self._set_aside(path)
                empty = encode_json(summaries_to_json(Summaries(entry.id)))
                self.committer.writer.write(path, empty)
                return replace(finding, repaired=True, remedy=f"It was moved to {aside}. Make the summaries again.")
            except FormatVersionError:
                return None
        return None

    def _open_all(self, doc_id: str) -> None:
        files = self.committer.files
        record = files.record(doc_id)
        for entry in record.editions:
            len(files.edition(doc_id, entry.id).lines)
            files.tree(doc_id, entry.id)
            files.source(doc_id, entry.id)

    def _set_aside(self, path: Path) -> str:
        stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
        target = self.layout.set_aside / f"{path.name}-{stamp}"
        number = 1
        while target.exists():
            number += 1
            target = target.with_name(f"{path.name}-{stamp}-{number}")
        self.committer.writer.move(path, target)
        return self.layout.relative(target)

    def file(self, path: Path, load: Callable[[], object], fresh: bytes, *, repair: bool) -> Iterator[Finding]:
        """A finding when a file of the library itself cannot be trusted; repair sets it aside and puts ``fresh`` there."""
        try:
            load()
        except CorruptRecordError as error:
            finding = Finding(error.code, self.layout.relative(path), error.message, error.next_step)
            if repair:
                aside = self._set_aside(path)
                self.committer.writer.write(path, fresh)
                finding = replace(finding, repaired=True, remedy=f"It was moved to {aside}.")
            yield finding

    # ------------------------------------------------------------ verify

    def verify(self, doc_id: str) -> Iterator[Finding]:
        """Every stored hash of a document, computed anew."""
        record = self.committer.files.record(doc_id)
        for entry in record.editions:
            yield from self._verify_source(record, entry)
            yield from self._verify_edition(record, entry)

    def _verify_source(self, record: DocumentRecord, entry: EditionEntry) -> Iterator[Finding]:
        path = self.layout.document(record.doc_id) / entry.source_file
        if not path.is_file():
            yield self._finding("MISSING_SOURCE", path, "the original is missing", record)
            return
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != entry.source_sha256:
            yield self._finding(
                "HASH_MISMATCH", path, f"its SHA-256 is {found}, and {entry.source_sha256} was read", record
            )

    def _verify_edition(self, record: DocumentRecord, entry: EditionEntry) -> Iterator[Finding]:
        folder = self.layout.document(record.doc_id) / EDITIONS / entry.id
        files = self.committer.files
        try:
            edition = files.edition(record.doc_id, entry.id)
            tree = files.tree(record.doc_id, entry.id)
            files.summaries(record.doc_id, entry.id)
            edition.lines[:1]
        except CorruptRecordError as error:
            yield self._finding(error.code, Path(str(error.details["file"])), error.message, record)
            return
        yield from self._verify_pages(record, folder, edition, entry)
        if tree.end != edition.end:
            yield self._finding(
                "HASH_MISMATCH", folder / "tree.json", f"it ends at {tree.end}, not {edition.end}", record
            )

    def _verify_pages(
        self, record: DocumentRecord, folder: Path, edition: Edition, entry: EditionEntry
    ) -> Iterator[Finding]:
        stated = decode_json((folder / EDITION_FILE).read_bytes())["page_sha256"]
        pages = folder / PAGES_FILE
        if len(stated) != edition.page_count:
            yield self._finding(
                "HASH_MISMATCH", pages, f"{edition.page_count} pages, where {len(stated)} were read", record
            )
            return
        for page, sha256 in zip(edition.pages, stated, strict=True):
            if page.sha256 != sha256:
                yield self._finding(
                    "HASH_MISMATCH", pages, f"the text of page {page.number} is not what was read", record
                )
        if edition.id != entry.id:
            yield self._finding("HASH_MISMATCH", folder / EDITION_FILE, f"it hashes to edition {edition.id}", record)

    def _finding(self, code: str, path: Path, message: str, record: DocumentRecord) -> Finding:
        return Finding(
            code, self.layout.relative(path), message, f"Remove {record.name} and add it again.", record.doc_id
        )

    # ------------------------------------------------------------ gc

    def garbage(self) -> Sequence[Path]:
        """What killed commands left, and what no record refers to. Documents that cannot be read are left alone."""
        found = [path for folder in self._folders() for path in sorted(folder.glob(f"{TEMPORARY}*"))]
        for doc_id in self.layout.doc_ids():
            found.extend(self._garbage_of(doc_id))
        return found

    def _garbage_of(self, doc_id: str) -> Iterator[Path]:
        folder = self.layout.document(doc_id)
        if self.committer.files.status(doc_id, DOCUMENT) is None:
            yield folder
            return
        for inner in (folder, folder / EDITIONS, *(folder / area for area in sorted(AREAS))):
            yield from sorted(inner.glob(f"{TEMPORARY}*"))
        try:
            record = self.committer.files.record(doc_id)
        except PageIndexError:
            return
        editions = {entry.id for entry in record.editions}
        sources = {entry.source_file for entry in record.editions}
        yield from (path for path in sorted((folder / EDITIONS).glob("[!.]*")) if path.name not in editions)
        for entry in record.editions:
            yield from sorted((folder / EDITIONS / entry.id).glob(f"{TEMPORARY}*"))
        yield from (path for path in sorted(folder.glob("source*")) if path.name not in sources)

    def unfinished(self) -> Sequence[str]:
        """Documents with a published change that was not moved to its place."""
        return [doc_id for doc_id in self.layout.doc_ids() if (self.layout.document(doc_id) / NEXT).is_dir()]

    def _folders(self) -> Sequence[Path]:
        return (self.layout.root, self.layout.documents, self.layout.cache, self.layout.set_aside)
