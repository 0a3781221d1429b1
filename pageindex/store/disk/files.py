"""Reading a document's files, each checked to be what it should be.

A change of several files at once is first published as a folder ``next/`` that mirrors the document's own; from that moment it is the
state, and readers look there first. Moving its files to their places is mere tidying, which any later writer may finish.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar, overload

from pageindex.document import DocumentRecord, Edition, EditionEntry, Line, Summaries, Tree
from pageindex.document.codec import (
    EDITION_FILE,
    LINES_FILE,
    PAGES_FILE,
    decode_edition,
    record_from_json,
    summaries_from_json,
    tree_from_json,
)
from pageindex.errors import CorruptRecordError, NotFoundError
from pageindex.store.cache import BoundedCache
from pageindex.store.disk.layout import DOCUMENT, EDITIONS, NEXT, SUMMARIES, TREE, Layout
from pageindex.store.disk.migrations import parse, parse_sealed
from pageindex.store.records import sha256

__all__ = ["DocumentFiles", "edition_of"]

CACHE_BYTES = 96 << 20  #: Size of the files behind the decoded editions and trees that are kept in memory.
REMEDY = "Run 'pageindex doctor --repair' to set it aside, then add the document again."

Noun = TypeVar("Noun")


@dataclass(frozen=True)
class DocumentFiles:
    """The records, editions, trees and summaries of a library, decoded on demand and remembered within bounds."""

    layout: Layout
    cache: BoundedCache[Any] = field(default_factory=lambda: BoundedCache(CACHE_BYTES))

    def record(self, doc_id: str) -> DocumentRecord:
        """A document's record; raises NotFoundError and CorruptRecordError."""
        path = self.layout.document(doc_id) / DOCUMENT
        try:
            data = self.read(doc_id, DOCUMENT)
        except FileNotFoundError:
            if path.parent.is_dir():  # it appears with its record and goes as a whole: this one was lost
                raise CorruptRecordError(
                    f"{self.layout.relative(path)} is missing", REMEDY, file=self.layout.relative(path)
                ) from None
            raise NotFoundError(f"no document has the id {doc_id!r}", "List the documents: 'pageindex list'.") from None

        def decode() -> DocumentRecord:
            record = record_from_json(parse_sealed(data, self.layout.relative(path)))
            if record.doc_id != doc_id or not record.editions:
                raise ValueError(f"it belongs to {record.doc_id!r} and has {len(record.editions)} editions")
            return record

        return self.trusted(path, decode)

    def edition(self, doc_id: str, edition_id: str | None = None) -> Edition:
        """An edition; it stays readable after newer ones came."""
        entry = edition_of(self.record(doc_id), edition_id)
        pages = f"{EDITIONS}/{entry.id}/{PAGES_FILE}"
        return self._remembered(doc_id, pages, lambda: self._decode_edition(doc_id, entry))

    def tree(self, doc_id: str, edition_id: str | None = None) -> Tree:
        """The section tree of an edition."""
        entry = edition_of(self.record(doc_id), edition_id)
        return self._noun(doc_id, entry, TREE, tree_from_json)

    def summaries(self, doc_id: str, edition_id: str | None = None) -> Summaries:
        """The derived text of an edition; an edition without any has an empty one."""
        entry = edition_of(self.record(doc_id), edition_id)
        if SUMMARIES not in entry.files and self.status(doc_id, f"{EDITIONS}/{entry.id}/{SUMMARIES}") is None:
            return Summaries(entry.id)
        return self._noun(doc_id, entry, SUMMARIES, summaries_from_json)

    def source(self, doc_id: str, edition_id: str | None = None) -> Path:
        """The stored original of an edition."""
        entry = edition_of(self.record(doc_id), edition_id)
        folder = self.layout.document(doc_id)
        path = next((p for p in (folder / NEXT / entry.source_file, folder / entry.source_file) if p.is_file()), None)
        if path is None:
            path = folder / entry.source_file
            self._still_there(path)
            raise CorruptRecordError(
                f"{self.layout.relative(path)} is missing",
                "Add the original file again.",
                file=str(path),
                doc_id=doc_id,
            )
        return path

    def read(self, doc_id: str, name: str) -> bytes:
        """A file of a document, from ``next/`` or else from its place; raises FileNotFoundError."""
        folder = self.layout.document(doc_id)
        try:
            return (folder / NEXT / name).read_bytes()
        except FileNotFoundError:  # never published, or moved to its place by now
            return (folder / name).read_bytes()

    def read_checked(self, doc_id: str, name: str, digest: str | None) -> bytes:
        """A file whose digest is that of its record (None: stored before there were any).

        Raises FileNotFoundError, and ValueError for other bytes.
        """
        data = self.read(doc_id, name)
        if digest is not None and sha256(data) != digest:
            raise ValueError("its bytes are not those that were written")
        return data

    def status(self, doc_id: str, name: str) -> os.stat_result | None:
        """Size, time and inode of a file of a document; None when there is none."""
        folder = self.layout.document(doc_id)
        for path in (folder / NEXT / name, folder / name):
            try:
                return path.stat()
            except FileNotFoundError:
                continue
        return None

    def trusted(self, path: Path, decode: Callable[[], Noun]) -> Noun:
        """What ``decode`` gives; what it raises becomes a CorruptRecordError that names the file."""
        try:
            return decode()
        except FileNotFoundError as error:
            missing = Path(error.filename)
            self._still_there(missing)
            raise CorruptRecordError(f"{missing} is missing", REMEDY, file=str(missing)) from error
        except (ValueError, KeyError, TypeError, AttributeError, IndexError, EOFError, OSError, zlib.error) as error:
            reason = "it is empty" if path.exists() and path.stat().st_size == 0 else _reason(error)
            raise CorruptRecordError(f"{path} cannot be trusted: {reason}", REMEDY, file=str(path)) from error

    def _still_there(self, missing: Path) -> None:
        """Raise NotFoundError when the whole document is gone: removed by another process while it was read."""
        documents = self.layout.documents
        if missing.is_relative_to(documents) and missing != documents:
            doc_id = missing.relative_to(documents).parts[0]
            if not (documents / doc_id).exists():
                raise NotFoundError(f"the document {doc_id!r} was removed", "List the documents: 'pageindex list'.")

    def _decode_edition(self, doc_id: str, entry: EditionEntry) -> Edition:
        place = f"{EDITIONS}/{entry.id}"
        folder = self.layout.document(doc_id) / place

        def checked(name: str) -> bytes:
            digest = entry.files.get(name)
            return self.trusted(folder / name, lambda: self.read_checked(doc_id, f"{place}/{name}", digest))

        head = checked(EDITION_FILE)
        # Each file is looked at by itself, so that the error names the right one.
        self.trusted(folder / EDITION_FILE, lambda: _belongs(parse(head, EDITION_FILE), "id", entry.id))
        body = checked(PAGES_FILE)
        has_lines = LINES_FILE in entry.files or self.status(doc_id, f"{place}/{LINES_FILE}") is not None
        packed = checked(LINES_FILE) if has_lines else None
        edition = self.trusted(folder / PAGES_FILE, lambda: decode_edition(head, body, packed))
        if packed is None:
            return edition
        return replace(edition, lines=_TrustedLines(edition.lines, self, folder / LINES_FILE))

    def _noun(self, doc_id: str, entry: EditionEntry, name: str, decode: Callable[[Any], Noun]) -> Noun:
        place = f"{EDITIONS}/{entry.id}/{name}"
        path = self.layout.document(doc_id) / place

        def load() -> Noun:
            item = parse(self.read_checked(doc_id, place, entry.files.get(name)), self.layout.relative(path))
            _belongs(item, "edition", entry.id)
            return decode(item)

        return self._remembered(doc_id, place, lambda: self.trusted(path, load))

    def _remembered(self, doc_id: str, name: str, load: Callable[[], Noun]) -> Noun:
        status = self.status(doc_id, name)
        if status is None:
            missing = self.layout.document(doc_id) / name
            self._still_there(missing)
            raise CorruptRecordError(f"{missing} is missing", REMEDY, file=str(missing))
        # A replaced file has another inode, and often another size and time: the key changes with it.
        key = (doc_id, name, status.st_ino, status.st_mtime_ns, status.st_size)
        value: Noun = self.cache.get(key, lambda: (load(), status.st_size))
        return value


class _TrustedLines(Sequence[Line]):
    """Lines that are parsed when first looked at, and name their file when they cannot be."""

    def __init__(self, lines: Sequence[Line], files: DocumentFiles, path: Path) -> None:
        self._lines, self._files, self._path = lines, files, path

    @overload
    def __getitem__(self, index: int) -> Line: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Line]: ...
    def __getitem__(self, index: int | slice) -> Line | Sequence[Line]:
        return self._checked()[index]

    def __len__(self) -> int:
        return len(self._checked())

    def __iter__(self) -> Iterator[Line]:
        return iter(self._checked())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]

    def _checked(self) -> Sequence[Line]:
        self._files.trusted(self._path, lambda: len(self._lines))
        return self._lines


def edition_of(record: DocumentRecord, edition_id: str | None) -> EditionEntry:
    """An entry by id or by an unambiguous beginning of it (handles carry six digits); the current one for None."""
    if edition_id is None:
        return record.edition
    found = [entry for entry in record.editions if edition_id and entry.id.startswith(edition_id)]
    if len(found) != 1:
        known = [entry.id for entry in record.editions]
        raise NotFoundError(
            f"{record.name} has {len(found) or 'no'} editions that begin with {edition_id!r}",
            f"Use one of {', '.join(known)}.",
            editions=known,
        )
    return found[0]


def _belongs(item: dict[str, Any], key: str, edition_id: str) -> None:
    if item[key] != edition_id:
        raise ValueError(f"it belongs to edition {item[key]!r}")


def _reason(error: Exception) -> str:
    return f"{error}" if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
