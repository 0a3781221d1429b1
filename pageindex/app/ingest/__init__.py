"""Files into a library: found, read in workers, structured, stored, and refined where that is asked for.

Names are imported when they are first used, since a worker needs one of these modules only.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pageindex.app.ingest.converting import ConvertedFile, convert, convert_isolated
    from pageindex.app.ingest.files import FoundFile, find_files, format_names
    from pageindex.app.ingest.identity import wants_refining
    from pageindex.app.ingest.refining import (
        Refinement,
        RefineReport,
        estimate_document,
        estimate_file,
        refine_document,
        refine_report,
        tree_costs,
    )
    from pageindex.app.ingest.request import Request
    from pageindex.app.ingest.run import Ingested, IngestOptions, Plan, ingest, ingest_one, plan

_HOMES = {
    "converting": "ConvertedFile convert convert_isolated",
    "files": "FoundFile find_files format_names",
    "identity": "wants_refining",
    "refining": "RefineReport Refinement estimate_document estimate_file refine_document refine_report tree_costs",
    "request": "Request",
    "run": "IngestOptions Ingested Plan ingest ingest_one plan",
}

__all__ = [
    "ConvertedFile",
    "FoundFile",
    "IngestOptions",
    "Ingested",
    "Plan",
    "RefineReport",
    "Refinement",
    "Request",
    "convert",
    "convert_isolated",
    "estimate_document",
    "estimate_file",
    "find_files",
    "format_names",
    "ingest",
    "ingest_one",
    "plan",
    "refine_document",
    "refine_report",
    "tree_costs",
    "wants_refining",
]


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names.split():
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
