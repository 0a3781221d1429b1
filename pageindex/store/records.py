"""How a document's record comes about and changes: pure functions, the same for every kind of library."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Any

from pageindex.document import DocumentRecord, EditionEntry, Summaries, Tree
from pageindex.document.codec import encode_json, summaries_to_json, tree_to_json
from pageindex.errors import InputError
from pageindex.store.base import Addition
from pageindex.store.disk.layout import SUMMARIES, TREE

__all__ = [
    "check_page",
    "derived_files",
    "edited",
    "new_doc_id",
    "new_record",
    "now",
    "sha256",
    "source_file_name",
    "with_derived",
    "with_edition",
    "with_facts",
    "with_file",
]

ID_DIGITS = 10

_KEPT = frozenset({"doc_id", "name", "created_at", "updated_at", "editions", "source_path", "metadata", "folder_id"})
_FACTS = frozenset(f.name for f in fields(DocumentRecord)) - _KEPT


def now() -> str:
    """The time, UTC, ISO 8601 with microseconds, so that it sorts."""
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def new_doc_id(addition: Addition, taken: Callable[[str], bool]) -> str:
    """The first ten hex digits of the hash of the bytes first read, or, where another document has them, of bytes and path."""
    doc_id = addition.source_sha256[:ID_DIGITS]
    attempt = 0
    while taken(doc_id):
        attempt += 1
        seed = f"{addition.source_sha256}\n{addition.source_path}\n{attempt}"
        doc_id = hashlib.sha256(seed.encode()).hexdigest()[:ID_DIGITS]
    return doc_id


def source_file_name(addition: Addition, previous: DocumentRecord | None) -> str:
    """``source.pdf`` for the first bytes of a document, ``source-1a2b3c4d.pdf`` for later ones."""
    suffix = PurePath(addition.name).suffix.lower()
    suffix = suffix if suffix[1:].isascii() and suffix[1:].isalnum() and len(suffix) <= 12 else ""
    if previous is None:
        return f"source{suffix}"
    for entry in previous.editions:
        if entry.source_sha256 == addition.source_sha256:
            return entry.source_file
    return f"source-{addition.source_sha256[:8]}{suffix}"


def new_record(doc_id: str, addition: Addition, source_file: str) -> DocumentRecord:
    """The record of a document with one edition."""
    at = now()
    facts = _checked(addition.facts)
    base: dict[str, Any] = {"title": "", "status": "completed", "page_count": 0, "toc_source": ""}
    return DocumentRecord(
        doc_id=doc_id,
        name=addition.name,
        created_at=at,
        updated_at=at,
        source_path=addition.source_path,
        editions=(_entry(addition, source_file, at),),
        folder_id=addition.folder_id,
        metadata=dict(addition.metadata),
        **{**base, "media_type": addition.media_type, **facts},
    )


def with_edition(record: DocumentRecord, addition: Addition, source_file: str) -> DocumentRecord:
    """The record with a newer edition; one that was current before and is read again becomes current again."""
    at = now()
    entry = _entry(addition, source_file, at)
    older = tuple(e for e in record.editions if e.id != addition.edition_id)
    facts = {"media_type": addition.media_type, **_checked(addition.facts)}
    metadata = {**record.metadata, **addition.metadata}
    return replace(record, editions=(*older, entry), updated_at=at, metadata=metadata, **facts)


def _entry(addition: Addition, source_file: str, at: str) -> EditionEntry:
    digests = {name: sha256(data) for name, data in addition.files.items()}
    return EditionEntry(addition.edition_id, addition.source_sha256, source_file, at, digests)


def restored(record: DocumentRecord, edition_id: str, addition: Addition, kept: Mapping[str, str]) -> DocumentRecord:
    """The record with one of its editions read anew, in its place; ``kept`` are the digests of files that stay as they are.

    What is said of the document as a whole changes where it is its current edition. The user's own stays.
    """
    old = next(entry for entry in record.editions if entry.id == edition_id)
    digests = {**{name: sha256(data) for name, data in addition.files.items()}, **kept}
    entry = replace(old, id=addition.edition_id, files=digests)
    entries = tuple(entry if e.id == edition_id else e for e in record.editions)
    facts = _checked(addition.facts) if edition_id == record.edition.id and TREE not in kept else {}
    return replace(record, editions=entries, updated_at=now(), **facts)


def with_derived(record: DocumentRecord, edition_id: str, derived: Mapping[str, bytes]) -> DocumentRecord:
    """The record with the digests of replaced files of one of its editions."""
    digests = {name: sha256(data) for name, data in derived.items()}
    entries = (replace(e, files={**e.files, **digests}) if e.id == edition_id else e for e in record.editions)
    return replace(record, editions=tuple(entries))


def with_file(record: DocumentRecord, area: str, name: str, data: bytes) -> DocumentRecord:
    """The record with the digest of a file beside its editions."""
    return replace(record, files={**record.files, f"{area}/{name}": sha256(data)})


def sha256(data: bytes) -> str:
    """SHA-256, in hex."""
    return hashlib.sha256(data).hexdigest()


def with_facts(record: DocumentRecord, facts: Mapping[str, Any] | None) -> DocumentRecord:
    """The record with fields that a later stage knows better."""
    return replace(record, updated_at=now(), **_checked(facts or {}))


def edited(record: DocumentRecord, metadata: Mapping[str, Any] | None, folder_id: str | None) -> DocumentRecord:
    """The record with the user's own changes; None leaves a part as it is, and metadata is replaced as a whole."""
    return replace(
        record,
        updated_at=now(),
        metadata=record.metadata if metadata is None else dict(metadata),
        folder_id=record.folder_id if folder_id is None else folder_id,
    )


def derived_files(edition_id: str, tree: Tree | None, summaries: Summaries | None) -> dict[str, bytes]:
    """The files of a new tree and new summaries; raises InputError (WRONG_EDITION) when they belong to another edition."""
    files: dict[str, bytes] = {}
    if tree is not None:
        _check_edition(TREE, tree.edition, edition_id)
        files[TREE] = encode_json(tree_to_json(tree))
    if summaries is not None:
        _check_edition(SUMMARIES, summaries.edition, edition_id)
        files[SUMMARIES] = encode_json(summaries_to_json(summaries))
    return files


def _check_edition(name: str, found: str, wanted: str) -> None:
    if found != wanted:
        raise InputError(
            f"{name} belongs to edition {found[:12]}, not {wanted[:12]}",
            "Build it from the edition it is stored with.",
            code="WRONG_EDITION",
        )


def check_page(offset: int, limit: int) -> None:
    """Raise InputError unless the two can be a page of a listing."""
    if offset < 0 or limit < 1:
        raise InputError(f"offset {offset} and limit {limit} give no page", "Use offset 0 or more and limit 1 or more.")


def _checked(facts: Mapping[str, Any]) -> dict[str, Any]:
    unknown = sorted(set(facts) - _FACTS)
    if unknown:
        raise InputError(
            f"no fact of a document is called {', '.join(unknown)}", f"Known: {', '.join(sorted(_FACTS))}."
        )
    values = dict(facts)
    for key in ("page_states", "flags"):
        if key in values:
            values[key] = {str(name): tuple(pages) for name, pages in values[key].items()}
    if "notes" in values:
        values["notes"] = tuple(dict(note) for note in values["notes"])
    return values
