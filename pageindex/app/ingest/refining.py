"""A document of a library through refine, and back into it in one step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pageindex.app.ingest.converting import convert_isolated
from pageindex.app.ingest.identity import refine_options, tree_shape
from pageindex.app.ingest.request import Request
from pageindex.app.models import indexing_model, reply_cache
from pageindex.app.spending import recorder
from pageindex.document import DocumentRecord, Edition, Tree
from pageindex.document.codec import decode_json, encode_json
from pageindex.errors import NotFoundError
from pageindex.limits import DEFAULT_LIMITS, Limits
from pageindex.progress import Progress, ProgressCallback, silent
from pageindex.store.base import Library

if TYPE_CHECKING:
    from pageindex.config import Settings
    from pageindex.llm import Model
    from pageindex.refine import Costs
    from pageindex.refine import Estimate as Estimate
    from pageindex.refine import Refined as Refined

__all__ = [
    "RefineReport",
    "Refinement",
    "estimate_document",
    "estimate_file",
    "forget_report",
    "refine_document",
    "refine_report",
    "tree_costs",
]


@dataclass(frozen=True, slots=True)
class Refinement:
    """The record after refining, and the report of the run."""

    record: DocumentRecord
    refined: Refined


@dataclass(frozen=True, slots=True)
class RefineReport:
    """What is kept of the last run over an edition.

    Attributes:
        completed: The run came to its end; one that was killed or stopped goes on with its next call.
        options: What shaped its result (see ``identity.refine_options``); empty where that was not recorded.
        before: What the tree cost its readers before the run; None where that was not recorded.
    """

    completed: bool
    options: Mapping[str, Any]
    before: Costs | None


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
        model: Proposes and summarises, when several calls share a budget; made from the settings otherwise. Where they name none, only
            what needs none is done.
        progress: Told of every settled section and summary; called from another thread.
        cache_dir: Folder of the reply cache; the library's own by default, where it is on disk.

    Raises:
        SettingsError: Money is limited and the model has no known price.
    """
    from pageindex.refine import refine

    model = model or indexing_model(settings)
    record = library.get(doc_id)
    edition_id = record.edition.id
    edition, tree = library.edition(doc_id, edition_id), library.tree(doc_id, edition_id)
    if model is not None:
        model = model.scope(on_usage=recorder(library, "index", lambda: (doc_id,)))
    refined = refine(edition, tree, settings, model, progress, cache_dir or reply_cache(library))
    updated = library.replace_derived(
        doc_id, edition_id, tree=refined.tree, summaries=refined.summaries, facts=_facts(record, refined)
    )
    progress(Progress(edition.source.name, "store"))
    report = encode_json({**refined.to_json(), "options": refine_options(settings)}, pretty=True)
    library.put_file(doc_id, "runs", _report_name(edition_id), report)
    return Refinement(updated, refined)


def estimate_file(request: Request, settings: Settings, limits: Limits = DEFAULT_LIMITS) -> Estimate:
    """What refining a file with the settings' model would take, without calling it; the file is read and not stored.

    Raises:
        PageIndexError: The file cannot be read.
    """
    converted = convert_isolated(request, limits, shape=tree_shape(settings))
    return _estimate(converted.edition(), converted.tree(), settings)


def estimate_document(library: Library, doc_id: str, settings: Settings) -> Estimate:
    """What refining a stored document with the settings' model would take, without calling it."""
    return _estimate(library.edition(doc_id), library.tree(doc_id), settings)


def _estimate(edition: Edition, tree: Tree, settings: Settings) -> Estimate:
    from pageindex.llm import Model
    from pageindex.refine.estimate import estimate

    return estimate(edition, tree, settings, Model(settings))


def refine_report(library: Library, record: DocumentRecord) -> RefineReport | None:
    """What is kept of the last run over the current edition's tree; None when there was none."""
    from pageindex.refine.cost import Costs

    try:
        data = library.get_file(record.doc_id, "runs", _report_name(record.edition.id))
    except NotFoundError:
        return None
    report: dict[str, Any] = decode_json(data)
    if report.get("status") == _SUPERSEDED:
        return None
    costs = report.get("costs", {}).get("before")
    before = Costs.from_json(costs) if costs is not None else None
    return RefineReport(report.get("status") == "completed", report.get("options", {}), before)


def forget_report(library: Library, doc_id: str, edition_id: str) -> None:
    """Note that the tree of an edition is built anew, so that what is said of an earlier run no longer holds."""
    name = _report_name(edition_id)
    if name in library.list_files(doc_id, "runs"):
        library.put_file(doc_id, "runs", name, encode_json({"status": _SUPERSEDED}))


def tree_costs(library: Library, record: DocumentRecord) -> dict[str, Costs]:
    """What the tree costs its readers: ``before`` it was refined (where it was), ``now``, and ``if_merged``."""
    from pageindex.refine import Pricing, costs
    from pageindex.refine.merge import merge

    edition, tree = library.edition(record.doc_id), library.tree(record.doc_id)
    report = refine_report(library, record)
    before = {"before": report.before} if report is not None and report.before is not None else {}
    merged = merge(tree, Pricing(edition))
    return {**before, "now": costs(edition, tree), "if_merged": costs(edition, merged)}


_SUPERSEDED = "superseded"


def _report_name(edition_id: str) -> str:
    return f"refine-{edition_id[:12]}.json"


def _facts(record: DocumentRecord, refined: Refined) -> Mapping[str, Any]:
    from pageindex.refine import RefineStatus

    ours = ("MODEL", "BUDGET", "CANCELLED")  # codes of an earlier run's notes, which this one replaces
    notes = [dict(note) for note in record.notes if not str(note["code"]).startswith(ours)]
    notes += [{"code": note.code, "message": note.message, "page": note.page} for note in refined.notes()]
    unread = bool(record.page_states.get("failed"))
    partial = unread or refined.status is not RefineStatus.COMPLETED
    return {**refined.facts(), "notes": notes, "status": "partial" if partial else "completed"}
