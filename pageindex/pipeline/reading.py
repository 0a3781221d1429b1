"""One file through reading and structure: bytes in, the files of an edition out. This is what runs in a worker.

The files come back encoded, so that the caller stores them without ever decoding a page.
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pageindex.document import Edition, PageState, Summaries, Tree
from pageindex.errors import InputError, LimitError, NotFoundError, PageIndexError
from pageindex.limits import DEFAULT_LIMITS, Limits
from pageindex.progress import Progress, ProgressCallback, silent
from pageindex.store.base import ROOT_FOLDER

__all__ = ["Digest", "Request", "digest", "digest_isolated", "known_error", "page_summary", "source_sha256"]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Digest:
    """A file, read and structured: what one ingest stores.

    Attributes:
        edition_id: 64 hex.
        source_sha256: Of the bytes that were read.
        media_type: Of the source.
        files: ``edition.json, pages.json, lines.json.gz, tree.json, summaries.json``, encoded.
        facts: Fields of the record: ``title, language, page_count, page_states, flags, toc_source, notes, sections, status``.
    """

    edition_id: str
    source_sha256: str
    media_type: str
    files: Mapping[str, bytes]
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Request:
    """One file to index.

    Attributes:
        source: A file, or its bytes.
        name: File name the user will know it by; taken from the path when empty, and needed for bytes.
        password: For encrypted files.
        metadata, folder_id: The user's own.
        limits: Under which the file is read.
    """

    source: Path | bytes
    name: str = ""
    password: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    folder_id: str = ROOT_FOLDER
    limits: Limits = DEFAULT_LIMITS

    @property
    def title(self) -> str:
        """How the file is called in progress and errors."""
        return self.name or (self.source.name if isinstance(self.source, Path) else "bytes")

    @property
    def path(self) -> str:
        """Absolute path of the file; empty for bytes."""
        return str(self.source.absolute()) if isinstance(self.source, Path) else ""


def digest(
    source: Path | bytes,
    name: str,
    password: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    progress: ProgressCallback = silent,
) -> Digest:
    """Read a file and build its tree, in this process. Pure: nothing is stored.

    Raises:
        InputError: In one of its kinds, when the file cannot be read.
        LimitError: When it is larger than ``limits`` allow.
    """
    from pageindex.document.codec import encode_edition, encode_json, summaries_to_json, tree_to_json
    from pageindex.reading import read, read_bytes
    from pageindex.structure import build_tree

    if isinstance(source, bytes):
        edition = read_bytes(source, name, password=password, limits=limits, progress=progress)
    else:
        edition = read(source, password=password, limits=limits, progress=progress)
    progress(Progress(name, "structure", 0, edition.page_count))
    tree = build_tree(edition)
    summaries = _describe(edition, tree)
    files = {
        **encode_edition(edition),
        "tree.json": encode_json(tree_to_json(tree)),
        "summaries.json": encode_json(summaries_to_json(summaries)),
    }
    facts = {**_facts(edition, tree), "description": summaries.description}
    return Digest(edition.id, edition.source.sha256, edition.source.media_type, files, facts)


def digest_isolated(request: Request, progress: ProgressCallback = silent) -> Digest:
    """Read one file in a worker of its own, under its limits, and build its tree; nothing is stored.

    Raises:
        PageIndexError: Whatever stopped it.
    """
    from pageindex.reading import WorkerPool

    source_sha256(request)  # a missing, unreadable or oversized file is told before a worker starts
    with WorkerPool(1, on_progress=progress) as pool:
        future = pool.submit(digest, request.source, request.title, request.password, request.limits)
        failure = future.exception()
    if failure is not None:
        raise known_error(failure, request.title)
    return future.result()


def _describe(edition: Edition, tree: Tree) -> Summaries:
    """What can be said of each section in its own words; see ``refine.summarize`` for the rule."""
    from pageindex.config import Settings
    from pageindex.refine.describe import plain_description
    from pageindex.refine.summarize import Summarizer

    summarizer = Summarizer(edition, Settings(), tree.language, None)
    sections = {section.node_id: summarizer.without_model(section) for section, _ in tree.walk()}
    return Summaries(edition.id, sections, *plain_description(tree, edition.source.name))


def _facts(edition: Edition, tree: Tree) -> dict[str, Any]:
    flags: dict[str, list[int]] = {}
    for page in edition.pages:
        for flag in page.flags:
            flags.setdefault(flag.name, []).append(page.number)
    states = page_summary(edition)
    return {
        "title": tree.title,
        "language": tree.language or edition.info.get("language", ""),
        "page_count": edition.page_count,
        "page_states": states,
        "flags": flags,
        "toc_source": tree.toc_source.value,
        "notes": [
            {"code": note.code, "message": note.message, "page": note.page} for note in (*edition.notes, *tree.notes)
        ],
        "sections": sum(1 for _ in tree.walk()),
        "status": "partial" if PageState.FAILED.value in states else "completed",
        "usage": {},
    }


def page_summary(edition: Edition) -> dict[str, list[int]]:
    """Pages that are not plain text, by state: ``{"image_only": [3, 4]}``."""
    states: dict[str, list[int]] = {}
    for page in edition.pages:
        if page.state is not PageState.TEXT:
            states.setdefault(page.state.value, []).append(page.number)
    return states


def source_sha256(request: Request) -> str:
    """Hash of a request's bytes, read in pieces.

    Raises:
        InputError: It cannot be opened, is a folder, or is bytes without a name.
        LimitError: FILE_TOO_LARGE.
    """
    limit = request.limits.file_bytes
    if isinstance(request.source, bytes):
        if not request.name:
            raise InputError("bytes have no name", "Give a name with the suffix of the format, such as report.pdf.")
        _check_size(len(request.source), limit, request.title)
        return hashlib.sha256(request.source).hexdigest()
    path = request.source
    if path.is_dir():
        raise InputError(f"{path} is a folder", "Name a file in it.", code="IS_A_FOLDER")
    try:
        with path.open("rb") as stream:
            _check_size(os.fstat(stream.fileno()).st_size, limit, request.title)
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except FileNotFoundError as error:
        raise NotFoundError(f"{path} does not exist", "Check the path.") from error
    except OSError as error:
        raise InputError(
            f"{path} cannot be read: {error.strerror}", "Check its permissions.", code="UNREADABLE"
        ) from error


def _check_size(size: int, limit: int, name: str) -> None:
    if size > limit:
        raise LimitError(f"{name} has {size:,} bytes; at most {limit:,} are read", code="FILE_TOO_LARGE", limit=limit)


def known_error(failure: BaseException, name: str) -> PageIndexError:
    """What a worker ended with, as an error of one file; what is no outcome of a file is raised."""
    if isinstance(failure, PageIndexError):
        return failure
    if not isinstance(failure, Exception):
        raise failure  # KeyboardInterrupt and its like are no outcome of a file
    _log.debug("reading %s raised %r", name, failure, exc_info=failure)
    return PageIndexError(
        f"{name} stopped its reader: {type(failure).__name__}: {failure}",
        "Leave the file out, and report it: this should have been a clearer error.",
        code="READER_FAILED",
    )
