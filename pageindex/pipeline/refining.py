"""A document of a library through refine, and back into it in one step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pageindex.document import DocumentRecord
from pageindex.document.codec import decode_json, encode_json
from pageindex.errors import NotFoundError
from pageindex.pipeline.reading import Request, digest_isolated
from pageindex.progress import Progress, ProgressCallback, silent
from pageindex.store.base import Library

if TYPE_CHECKING:
    from pageindex.config import Settings
    from pageindex.llm import Model
    from pageindex.refine import Estimate, Refined

__all__ = ["Refinement", "estimate_file", "is_refined", "refine_document", "refine_report", "reply_cache"]


@dataclass(frozen=True, slots=True)
class Refinement:
    """The record after refining, and the report of the run."""

    record: DocumentRecord
    refined: Refined


def refine_document(
    library: Library,
    doc_id: str,
    settings: Settings,
    model: Model | None = None,
    *,
    progress: ProgressCallback = silent,
    cache_dir: Path | None = None,
) -> Refinement:
    """Refine the current edition's tree and summaries, and commit both with the record's facts in one step.

    The report of the run, refused headings included, is kept beside the document (area ``runs``, ``refine-<edition>.json``).

    Args:
        library: Holds the document.
        doc_id: Id of the document.
        settings: As for ``refine.refine``.
        model: Proposes and summarises; without one only what needs none is done.
        progress: Told of every settled section and summary; called from another thread.
        cache_dir: Folder of the reply cache; the library's own by default, where it is on disk.

    Raises:
        SettingsError: Money is limited and the model has no known price.
    """
    from pageindex.refine import refine

    record = library.get(doc_id)
    edition_id = record.edition.id
    edition, tree = library.edition(doc_id, edition_id), library.tree(doc_id, edition_id)
    refined = refine(edition, tree, settings, model, progress, cache_dir or reply_cache(library))
    updated = library.replace_derived(
        doc_id, edition_id, tree=refined.tree, summaries=refined.summaries, facts=_facts(record, refined)
    )
    progress(Progress(edition.source.name, "store"))
    report = encode_json(refined.to_json(), pretty=True)
    library.put_file(doc_id, "runs", _report_name(edition_id), report)
    return Refinement(updated, refined)


def estimate_file(request: Request, settings: Settings) -> Estimate:
    """What refining a file with the settings' model would take, without calling it; the file is read and not stored.

    Raises:
        PageIndexError: The file cannot be read.
    """
    from pageindex.document.codec import decode_edition, tree_from_json
    from pageindex.llm import Model
    from pageindex.refine import estimate

    files = digest_isolated(request).files
    edition = decode_edition(files["edition.json"], files["pages.json"], files["lines.json.gz"])
    return estimate(edition, tree_from_json(decode_json(files["tree.json"])), settings, Model(settings))


def refine_report(library: Library, record: DocumentRecord) -> dict[str, Any] | None:
    """The report of the last run over the current edition; None when there was none."""
    try:
        data = library.get_file(record.doc_id, "runs", _report_name(record.edition.id))
    except NotFoundError:
        return None
    report: dict[str, Any] = decode_json(data)
    return report


def is_refined(library: Library, record: DocumentRecord) -> bool:
    """Whether a run over the current edition came to its end; one that was killed or stopped goes on with its next call."""
    report = refine_report(library, record)
    return report is not None and report.get("status") == "completed"


def _report_name(edition_id: str) -> str:
    return f"refine-{edition_id[:12]}.json"


def reply_cache(library: Library) -> Path | None:
    """Where the replies of models are kept for a library on disk; None for one in memory."""
    root = getattr(library, "root", None)
    return root / "cache" / "replies" if isinstance(root, Path) else None


def _facts(record: DocumentRecord, refined: Refined) -> Mapping[str, Any]:
    from pageindex.refine import RefineStatus

    ours = ("MODEL", "BUDGET", "CANCELLED")  # codes of an earlier run's notes, which this one replaces
    notes = [dict(note) for note in record.notes if not str(note["code"]).startswith(ours)]
    notes += [{"code": note.code, "message": note.message, "page": note.page} for note in refined.notes()]
    unread = bool(record.page_states.get("failed"))
    partial = unread or refined.status is not RefineStatus.COMPLETED
    return {**refined.facts(), "notes": notes, "status": "partial" if partial else "completed"}
