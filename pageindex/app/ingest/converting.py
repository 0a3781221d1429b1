"""One file through reading and structure: bytes in, the files of an edition out. This is what runs in a worker.

The files come back encoded, so that the caller stores them without ever decoding a page.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pageindex.app.ingest.request import Request, source_sha256
from pageindex.document import Edition, Extractor, PageState, Summaries, Tree
from pageindex.errors import PageIndexError
from pageindex.limits import DEFAULT_LIMITS, Limits
from pageindex.progress import Progress, ProgressCallback, silent

__all__ = ["ConvertedFile", "convert", "convert_isolated", "installed_extractor", "known_error"]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ConvertedFile:
    """A file, read and structured: what one ingest stores.

    Attributes:
        edition_id: 64 hex.
        source_sha256: Of the bytes that were read.
        media_type: Of the source.
        extractor: What read it.
        files: ``edition.json, pages.json, lines.json.gz, tree.json, summaries.json``, encoded.
        facts: Fields of the record: ``title, language, page_count, page_states, flags, toc_source, confidence, notes, sections, status``.
    """

    edition_id: str
    source_sha256: str
    media_type: str
    extractor: Extractor
    files: Mapping[str, bytes]
    facts: Mapping[str, Any]

    def edition(self) -> Edition:
        """The edition, decoded."""
        from pageindex.document.codec import decode_edition

        return decode_edition(self.files["edition.json"], self.files["pages.json"], self.files["lines.json.gz"])

    def tree(self) -> Tree:
        """The tree, decoded."""
        from pageindex.document.codec import decode_json, tree_from_json

        return tree_from_json(decode_json(self.files["tree.json"]))

    def summaries(self) -> Summaries:
        """The summaries, decoded."""
        from pageindex.document.codec import decode_json, summaries_from_json

        return summaries_from_json(decode_json(self.files["summaries.json"]))


def convert(
    source: Path | bytes,
    name: str,
    password: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    progress: ProgressCallback = silent,
    avoid: Mapping[str, str] | None = None,
    shape: Mapping[str, Any] | None = None,
) -> ConvertedFile:
    """Read a file and build its tree, in this process. Pure: nothing is stored. ``avoid`` are parts of the file to leave out.

    ``shape`` holds the settings that shape the tree (see ``identity.tree_shape``).

    Raises:
        InputError: In one of its kinds, when the file cannot be read.
        LimitError: When it is larger than ``limits`` allow.
    """
    from pageindex.config import Settings
    from pageindex.document.codec import encode_edition, encode_json, summaries_to_json, tree_to_json
    from pageindex.reading import read, read_bytes
    from pageindex.refine.own_words import own_summaries
    from pageindex.structure import build_tree

    if isinstance(source, bytes):
        edition = read_bytes(source, name, password=password, limits=limits, progress=progress, avoid=avoid)
    else:
        edition = read(source, password=password, limits=limits, progress=progress)
    progress(Progress(name, "structure", 0, edition.page_count))
    settings = Settings().changed(**(shape or {}))
    tree = build_tree(edition, limits=limits)
    summaries = own_summaries(edition, tree, settings)
    files = {
        **encode_edition(edition),
        "tree.json": encode_json(tree_to_json(tree)),
        "summaries.json": encode_json(summaries_to_json(summaries)),
    }
    facts = {**_facts(edition, tree), "description": summaries.description}
    source_sha256, media_type = edition.source.sha256, edition.source.media_type
    return ConvertedFile(edition.id, source_sha256, media_type, edition.extractor, files, facts)


def convert_isolated(
    request: Request,
    limits: Limits = DEFAULT_LIMITS,
    progress: ProgressCallback = silent,
    shape: Mapping[str, Any] | None = None,
) -> ConvertedFile:
    """Read one file in a worker of its own, under its limits, and build its tree; nothing is stored.

    Raises:
        PageIndexError: Whatever stopped it.
    """
    from pageindex.reading import WorkerPool

    source_sha256(request, limits.file_bytes)  # a missing or oversized file is told before a worker starts
    with WorkerPool(1, on_progress=progress) as pool:
        content = request.content(limits.file_bytes)
        future = pool.submit(convert, content, request.title, request.password, limits, shape=shape)
        failure = future.exception()
    if failure is not None:
        raise known_error(failure, request.title)
    return future.result()


def installed_extractor(name: str, progress: ProgressCallback = silent) -> Extractor | None:
    """The reader of that name in the version that is installed; None when it is none of ours. It loads the reader, so it too is for workers."""
    from pageindex.reading import formats

    return formats.installed_extractor(name)


def _facts(edition: Edition, tree: Tree) -> dict[str, Any]:
    flags: dict[str, list[int]] = {}
    for page in edition.pages:
        for flag in page.flags:
            flags.setdefault(flag.name, []).append(page.number)
    states = _states(edition)
    return {
        "title": tree.title,
        "language": tree.language or edition.info.get("language", ""),
        "page_count": edition.page_count,
        "page_states": states,
        "flags": flags,
        "toc_source": tree.toc_source.value,
        "confidence": tree.confidence,
        "notes": [
            {"code": note.code, "message": note.message, "page": note.page} for note in (*edition.notes, *tree.notes)
        ],
        "sections": sum(1 for _ in tree.walk()),
        "status": "partial" if PageState.FAILED.value in states or _is_cut_off(edition) else "completed",
        "usage": {},
    }


def _is_cut_off(edition: Edition) -> bool:
    return any(note.code == "CUT_OFF" for note in edition.notes)


def _states(edition: Edition) -> dict[str, list[int]]:
    """Pages that are not plain text, by state: ``{"image_only": [3, 4]}``."""
    states: dict[str, list[int]] = {}
    for page in edition.pages:
        if page.state is not PageState.TEXT:
            states.setdefault(page.state.value, []).append(page.number)
    return states


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
