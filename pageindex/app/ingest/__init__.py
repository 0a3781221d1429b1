"""Files into a library: found, read in workers, structured, stored, and refined where that is asked for."""

from pageindex.app.ingest.convert import ConvertedFile, convert, convert_isolated
from pageindex.app.ingest.files import find_files, format_names
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

__all__ = [
    "ConvertedFile",
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
