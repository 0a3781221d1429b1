"""Keeping a library sound: what is wrong with it, and putting it right; a damaged edition is read anew from its own source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from pageindex.app.ingest.converting import ConvertedFile, convert_isolated
from pageindex.app.ingest.identity import tree_options, tree_shape
from pageindex.app.ingest.refining import forget_report
from pageindex.app.ingest.request import Request
from pageindex.config import Settings
from pageindex.document import DocumentRecord, EditionEntry
from pageindex.errors import PageIndexError
from pageindex.limits import Limits
from pageindex.reading.workers.confinement import Confinement, confinement
from pageindex.store.base import Addition, Finding, Library, Restoring

__all__ = ["Confinement", "checkup", "confinement"]


def checkup(
    library: Library, *, repair: bool = False, settings: Settings | None = None, limits: Limits | None = None
) -> Sequence[Finding]:
    """What is wrong with a library. ``repair`` puts it right: what can be made anew is made anew, the rest is set aside.

    An edition with damaged files is read again from the library's copy of its source, where that is intact: the document keeps its id,
    metadata and folder. The model's work on a damaged tree is lost. ``settings`` and ``limits`` are those of reading it.
    """
    if not repair:
        return library.doctor()
    done: list[Finding] = []
    chosen = settings or Settings()
    if isinstance(library, Restoring):
        for doc_id, edition_id in _damaged_editions(library.doctor()):
            done += _restored(library, library, doc_id, edition_id, chosen, limits or chosen.limits)
    return [*done, *library.doctor(repair=True)]


def _damaged_editions(findings: Sequence[Finding]) -> list[tuple[str, str]]:
    """(doc_id, edition id) of the findings that are about files of an edition."""
    found: dict[tuple[str, str], None] = {}
    for finding in findings:
        parts = PurePosixPath(finding.path).parts  # documents/ID/[next/]editions/EDITION/FILE
        if finding.doc_id and len(parts) > 3 and parts[-3] == "editions" and finding.code != "FORMAT_VERSION":
            found[finding.doc_id, parts[-2]] = None
    return list(found)


def _restored(
    library: Library, store: Restoring, doc_id: str, edition_id: str, settings: Settings, limits: Limits
) -> Iterator[Finding]:
    """Read an edition anew; a source that is damaged itself, or cannot be read, leaves the document to be set aside."""
    try:
        record = library.get(doc_id)
        entry = next((one for one in record.editions if one.id == edition_id), None)
        if entry is None:
            return
        before = [one for one in library.verify(doc_id) if f"/editions/{edition_id}/" in one.path]
        if all(one.path.endswith("/summaries.json") for one in before):
            return  # the store makes empty ones, and keeps the tree
        source = library.source(doc_id, edition_id).read_bytes()
        converted = convert_isolated(Request(source, name=record.name), limits, shape=tree_shape(settings))
        if converted.source_sha256 != entry.source_sha256:
            return
        store.restore(doc_id, edition_id, _addition(record, entry, converted, source, settings, limits))
        if converted.edition_id != edition_id or any(one.path.endswith("/tree.json") for one in before):
            forget_report(library, doc_id, converted.edition_id)
    except (PageIndexError, OSError):
        return
    remedy = (
        "It was read anew from the library's copy of its source; what a model made of its tree has to be made again."
    )
    yield from (replace(one, repaired=True, remedy=remedy) for one in before)


def _addition(
    record: DocumentRecord,
    entry: EditionEntry,
    converted: ConvertedFile,
    source: bytes,
    settings: Settings,
    limits: Limits,
) -> Addition:
    facts: Mapping[str, object] = {**converted.facts, "shaped_by": tree_options(converted.extractor, limits, settings)}
    return Addition(
        name=record.name,
        source=source,
        source_path=record.source_path,
        source_sha256=entry.source_sha256,
        media_type=converted.media_type,
        edition_id=converted.edition_id,
        files=converted.files,
        facts=facts,
        metadata=record.metadata,
        folder_id=record.folder_id,
    )
