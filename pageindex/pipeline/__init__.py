"""One file through reading, structure, refine and store; many files over any ``concurrent.futures.Executor``."""

from pageindex.pipeline.files import SUFFIXES, find_files
from pageindex.pipeline.ingest import Ingest, add_file, add_many, foresee, raise_failure
from pageindex.pipeline.reading import Digest, Request, digest, digest_isolated, page_summary
from pageindex.pipeline.refining import (
    Refinement,
    estimate_file,
    is_refined,
    refine_document,
    refine_report,
    reply_cache,
)

__all__ = [
    "SUFFIXES",
    "Digest",
    "Ingest",
    "Refinement",
    "Request",
    "add_file",
    "add_many",
    "digest",
    "digest_isolated",
    "estimate_file",
    "find_files",
    "foresee",
    "is_refined",
    "page_summary",
    "raise_failure",
    "refine_document",
    "refine_report",
    "reply_cache",
]
