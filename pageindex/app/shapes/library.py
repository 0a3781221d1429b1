"""The JSON of a library: its documents and folders, what became of files, what was found by its upkeep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pageindex.document import DocumentRecord
from pageindex.store.base import Attempt, Finding, Folder, Listing

if TYPE_CHECKING:
    from pageindex.app.ingest import Ingested, Plan, Refinement
    from pageindex.reading.workers.confinement import Confinement

from pageindex.app.shapes.types import Deleted, DocumentInfo, DocumentList, FolderInfo, Submitted

__all__ = [
    "attempt",
    "confinement_info",
    "deleted",
    "document_info",
    "document_list",
    "finding_info",
    "folder_info",
    "ingested",
    "planned",
    "refined",
    "submitted",
]


def submitted(done: Ingested) -> Submitted:
    """What became of a file that was taken in; its error is raised where it was not."""
    if done.record is None or done.outcome is None:
        raise done.error or ValueError(f"{done.request.title} ended without a record")
    record = done.record
    item = Submitted(
        doc_id=record.doc_id,
        name=record.name,
        usage=dict(record.usage),
        outcome=done.outcome.value,
        status=record.status,
        page_count=record.page_count,
        page_states=_lists(record.page_states),
    )
    if done.reason:
        item["reason"] = done.reason
    if done.stopped is not None:
        item["stopped"] = done.stopped.to_json()
    if done.refinement is not None and (notes := done.refinement.refined.notes()):
        item["problems"] = [{"code": note.code, "message": note.message} for note in notes]
    return item


def ingested(done: Ingested) -> dict[str, Any]:
    """``{path, seconds, outcome, reason?, document?, refined?, stopped?, error?}`` of one file of a run."""
    item: dict[str, Any] = {"path": done.request.path, "seconds": round(done.seconds, 3)}
    if done.error is not None:
        return item | {"outcome": "failed", "error": done.error.to_json()}
    if done.record is not None and done.outcome is not None:
        reason = {"reason": done.reason} if done.reason else {}
        item |= {"outcome": done.outcome.value, **reason, "document": document_info(done.record)}
    if done.refinement is not None:
        item["refined"] = done.refinement.refined.to_json()
    return item | ({"stopped": done.stopped.to_json()} if done.stopped is not None else {})


def refined(done: Refinement) -> dict[str, Any]:
    """``{doc_id, name, status, costs, merged, added, replaced, usage, refusals, problems, stopped, resumable}`` of a run over a document."""
    return {"doc_id": done.record.doc_id, "name": done.record.name, **done.refined.to_json()}


def planned(plan: Plan) -> dict[str, Any]:
    """``{path, action, reason?, estimate?, error?}``."""
    item: dict[str, Any] = {"path": plan.request.path, "action": plan.action}
    item |= {"reason": plan.reason} if plan.reason else {}
    item |= {"error": plan.error.to_json()} if plan.error is not None else {}
    return item | ({"estimate": plan.estimate.to_json()} if plan.estimate is not None else {})


def document_info(record: DocumentRecord) -> DocumentInfo:
    """The record in the names that callers know."""
    return DocumentInfo(
        id=record.doc_id,
        name=record.name,
        description=record.description,
        status=record.status,
        createdAt=record.created_at,
        pageNum=record.page_count,
        folderId=record.folder_id,
        metadata=dict(record.metadata),
        doc_id=record.doc_id,
        title=record.title,
        page_count=record.page_count,
        sections=record.sections,
        toc_source=record.toc_source,
        confidence=record.confidence,
        language=record.language,
        media_type=record.media_type,
        source_path=record.source_path,
        updated_at=record.updated_at,
        edition=record.edition.id,
        editions=len(record.editions),
        page_states=_lists(record.page_states),
        flags=_lists(record.flags),
        notes=[dict(note) for note in record.notes],
        usage=dict(record.usage),
    )


def _lists(pages: Mapping[str, tuple[int, ...]]) -> dict[str, list[int]]:
    return {name: list(numbers) for name, numbers in pages.items()}


def document_list(listing: Listing) -> DocumentList:
    """A page of records in the names that callers know."""
    return DocumentList(
        documents=[document_info(record) for record in listing.documents],
        total=listing.total,
        limit=listing.limit,
        offset=listing.offset,
        folders=[folder_info(folder) for folder in listing.folders],
        unreadable=list(listing.unreadable),
    )


def folder_info(folder: Folder) -> FolderInfo:
    """A folder in the names that callers know."""
    return FolderInfo(id=folder.folder_id, name=folder.name, parent_id=folder.parent_id)


def deleted(record: DocumentRecord) -> Deleted:
    """A document that was removed."""
    return Deleted(doc_id=record.doc_id, name=record.name, deleted=True)


def finding_info(found: Finding) -> dict[str, Any]:
    """``{code, path, message, remedy, doc_id, repaired}`` of what ``doctor`` saw."""
    return asdict(found)


def confinement_info(found: Confinement) -> dict[str, Any]:
    """``{confined, missing, attempts: [{what, refused, outcome}]}`` of the processes that read files."""
    tries = [asdict(attempt) for attempt in found.attempts]
    return {"confined": found.complete, "missing": list(found.missing), "attempts": tries}


def attempt(tried: Attempt) -> dict[str, Any]:
    """``{at, source_path, sha256, outcome, doc_id, message, seconds}``."""
    return asdict(tried)
