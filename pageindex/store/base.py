"""What a library is, whatever it is kept in. ``disk`` and ``memory`` implement it; ``conformance`` tests any implementation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol, Self, runtime_checkable

from pageindex.document import DocumentRecord, Edition, Summaries, Tree

__all__ = [
    "AbsentWord",
    "AddResult",
    "Addition",
    "Attempt",
    "DocumentHit",
    "Finding",
    "Folder",
    "Hit",
    "Library",
    "Listing",
    "Outcome",
    "Pointed",
    "PointedPlace",
    "SearchResult",
    "Spent",
]

ROOT_FOLDER = "root"


class Outcome(StrEnum):
    """What adding a file did."""

    ADDED = "added"
    NEW_EDITION = "new_edition"
    REBUILT = "rebuilt"  # the same text, another tree: other options, or another version of what builds it
    UNCHANGED = "unchanged"  # the same bytes are already there


@dataclass(frozen=True, slots=True)
class Addition:
    """Everything that one ingest puts into a library in one commit.

    Attributes:
        name: File name the user knows the document by.
        source: The original: a file to copy or link, or its bytes.
        source_path: Absolute path it was added from; empty for bytes.
        source_sha256: Of the original's bytes.
        media_type: Of the original.
        edition_id: Full id (64 hex).
        files: The edition's files by name: edition.json, pages.json, lines.json.gz, tree.json, summaries.json.
        facts: Fields of the record that the ingest knows: title, language, page_count, page_states, flags, toc_source, notes,
            sections, status, description, usage.
        metadata, folder_id: The user's own.
    """

    name: str
    source: Path | bytes
    source_path: str
    source_sha256: str
    media_type: str
    edition_id: str
    files: Mapping[str, bytes]
    facts: Mapping[str, Any]
    metadata: Mapping[str, Any] = field(default_factory=dict)
    folder_id: str = ROOT_FOLDER


@dataclass(frozen=True, slots=True)
class AddResult:
    """The document's record after an addition, and what the addition did."""

    record: DocumentRecord
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Attempt:
    """One line of ``attempts.jsonl``: an ingest that was tried, failures included."""

    at: str
    source_path: str
    sha256: str
    outcome: str  # an Outcome, or an error code
    doc_id: str = ""
    message: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Spent:
    """One line of ``spending.jsonl``: a call of a model, or an attempt at one, and what it cost.

    Attributes:
        at: When, in ISO 8601, UTC.
        task: ``index`` or ``chat``.
        doc_ids: What it was about, as far as that is known.
        model: Its name, without keys.
        calls, failed, estimated, prompt_tokens, cached_tokens, completion_tokens, usd, unpriced: As in ``llm.Usage``.
    """

    at: str
    task: str
    doc_ids: tuple[str, ...]
    model: str
    calls: int = 0
    failed: int = 0
    estimated: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    usd: float = 0.0
    unpriced: int = 0


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of the library (not of the disk)."""

    folder_id: str
    name: str
    parent_id: str = ROOT_FOLDER


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of documents, newest first unless asked otherwise.

    ``unreadable`` names the documents whose record cannot be trusted, and which are therefore not among the rest.
    """

    documents: Sequence[DocumentRecord]
    total: int
    limit: int
    offset: int
    folders: Sequence[Folder] = ()
    unreadable: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong that ``doctor`` or ``verify`` saw.

    Attributes:
        code: Such as CORRUPT_RECORD, MISSING_FILE, HASH_MISMATCH, LEFTOVER, MISSING_SOURCE, INDEX_STALE.
        path: File or folder, relative to the library.
        message: What is wrong.
        remedy: What to do, a command where there is one.
        doc_id: The document concerned, or empty.
        repaired: Whether ``doctor --repair`` put it right.
    """

    code: str
    path: str
    message: str
    remedy: str
    doc_id: str = ""
    repaired: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that a search found.

    Attributes:
        doc_id, edition: Where; ``edition`` is the full id.
        page: Physical, 1-based.
        node_id: The section of that page that the query fits best.
        score: Comparable within one result only.
        ranges: Byte ranges of the page's text that show why, best first; each is cut at word borders.
        matched: Words of the query that the page holds, folded, in the query's order.
    """

    doc_id: str
    edition: str
    page: int
    node_id: str
    score: float
    ranges: Sequence[tuple[int, int]]
    matched: Sequence[str]


@dataclass(frozen=True, slots=True)
class AbsentWord:
    """A word of a query that stands nowhere in what was searched, and words like it that do, which were looked for instead."""

    word: str
    near: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class PointedPlace:
    """A page that a pointer leads to; ``how``: printed page number, page of the file, caption, section title, printed line …"""

    doc_id: str
    page: int
    how: str


@dataclass(frozen=True, slots=True)
class Pointed:
    """A place that a query names ("Figure 2"), and where it is; no places where the documents that were looked at have none."""

    text: str
    places: Sequence[PointedPlace] = ()


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A page of hits, best first.

    Attributes:
        hits: At most the limit.
        next_cursor: Continues this search; None at its end.
        total: Hits over all pages of the result.
        pages_scanned: Pages with text whose words were compared, by document.
        pages_without_text: Pages that could not be searched (pictures, garbled, failed), by document.
        unreadable: Ids of documents that would have been searched and cannot be trusted, and are left out.
        absent: Words of the query that stand nowhere in all that was to be searched.
        pointed: Places that the query names.
    """

    hits: Sequence[Hit]
    next_cursor: str | None
    total: int
    pages_scanned: Mapping[str, int]
    pages_without_text: Mapping[str, Sequence[int]]
    unreadable: Sequence[str] = ()
    absent: Sequence[AbsentWord] = ()
    pointed: Sequence[Pointed] = ()


@dataclass(frozen=True, slots=True)
class DocumentHit:
    """A document that a search found, with its score (comparable within one result only)."""

    record: DocumentRecord
    score: float


@runtime_checkable
class Restoring(Protocol):
    """A library whose files may be damaged, and whose editions can be put in their places again."""

    def restore(self, doc_id: str, edition_id: str, addition: Addition) -> DocumentRecord:
        """Replace the damaged files of an edition by those that its own source gives when it is read anew."""
        ...


class Library(Protocol):
    """A store of documents. Writers are serialised across processes; readers never wait and see whole states only.

    Methods that take ``doc_id`` raise NotFoundError when there is no such document, and CorruptRecordError (naming the file) when
    a file of it cannot be trusted.
    """

    def close(self) -> None:
        """Let go of everything held; the context manager does."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *exception: object) -> None: ...

    def add(self, addition: Addition) -> AddResult:
        """Commit an ingest. Same bytes: UNCHANGED. Same source path, other bytes: NEW_EDITION. Else: ADDED."""
        ...

    def known(self, sha256: str, source_path: str = "") -> DocumentRecord | None:
        """The document whose current source has these bytes, if any."""
        ...

    def get(self, doc_id: str) -> DocumentRecord: ...

    def resolve(self, reference: str) -> DocumentRecord:
        """By id, name, unique id prefix or source path. NotFoundError carries near names; an ambiguous one lists its ids."""
        ...

    def list(
        self,
        *,
        folder_id: str | None = None,
        recursive: bool = True,
        where: Mapping[str, Any] | None = None,
        offset: int = 0,
        limit: int = 50,
    ) -> Listing:
        """Newest first. ``where`` compares metadata: ``{"year": 2022}``, ``{"year": {"gte": 2020}}``, ``{"tag": {"in": […]}}``."""
        ...

    def edition(self, doc_id: str, edition_id: str | None = None) -> Edition: ...

    def tree(self, doc_id: str, edition_id: str | None = None) -> Tree: ...

    def summaries(self, doc_id: str, edition_id: str | None = None) -> Summaries: ...

    def source(self, doc_id: str, edition_id: str | None = None) -> Path:
        """A readable file with the original bytes."""
        ...

    def replace_derived(
        self,
        doc_id: str,
        edition_id: str,
        *,
        tree: Tree | None = None,
        summaries: Summaries | None = None,
        facts: Mapping[str, Any] | None = None,
    ) -> DocumentRecord:
        """Commit a refined tree, summaries and the record's facts for an existing edition, in one step."""
        ...

    def update(
        self, doc_id: str, *, metadata: Mapping[str, Any] | None = None, folder_id: str | None = None
    ) -> DocumentRecord: ...

    def remove(self, doc_id: str) -> None:
        """Delete text, source, index entries and caches of a document."""
        ...

    def put_file(self, doc_id: str, area: str, name: str, data: bytes) -> None:
        """Keep a small file beside the document; ``area`` is ``ledgers``, ``cards`` or ``runs``."""
        ...

    def get_file(self, doc_id: str, area: str, name: str) -> bytes: ...

    def list_files(self, doc_id: str, area: str) -> Sequence[str]: ...

    def create_folder(self, name: str, parent_id: str = ROOT_FOLDER) -> Folder: ...

    def list_folders(self, parent_id: str = ROOT_FOLDER) -> Sequence[Folder]: ...

    def folder_path(self, folder_id: str) -> Sequence[Folder]:
        """From the top folder down to the one named."""
        ...

    def record_attempt(self, attempt: Attempt) -> None: ...

    def attempts(self, limit: int = 50) -> Sequence[Attempt]:
        """Newest first."""
        ...

    def record_spent(self, spent: Spent) -> None:
        """Write down what a call cost; waits for no other process, and survives a kill once it returns."""
        ...

    def spent(self) -> Sequence[Spent]:
        """Oldest first."""
        ...

    def verify(self, doc_id: str) -> Sequence[Finding]:
        """Recompute every stored hash of a document; nothing found means nothing changed."""
        ...

    def doctor(self, *, repair: bool = False) -> Sequence[Finding]: ...

    def gc(self, *, dry_run: bool = False) -> Sequence[str]:
        """Remove leftovers of killed commands and superseded caches; returns what was (or would be) removed."""
        ...

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
        """Pages that answer a query, best first, within the scope that all three filters leave.

        Words are folded by case, diacritics and inflection; ``"quoted words"`` must stand on the page side by side. Over several
        documents, the pages are those of the documents that fit best (see ``search_documents``).

        Raises:
            InputError: EMPTY_QUERY, QUERY_TOO_LONG, or a filter or limit that means nothing.
            NotFoundError: One of ``doc_ids``, or the folder, does not exist.
            EvidenceError: INVALID_CURSOR, CURSOR_QUERY_MISMATCH or CURSOR_STALE.
        """
        ...

    def search_documents(
        self,
        query: str,
        *,
        doc_ids: Sequence[str] | None = None,
        where: Mapping[str, Any] | None = None,
        folder_id: str | None = None,
        limit: int = 10,
    ) -> Sequence[DocumentHit]:
        """Documents that fit a query, best first: by name, title, description, section titles and their best pages."""
        ...
