"""Quotes, claims and editions checked against what is stored; the work is the evidence room's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from pageindex.document import DocumentRecord, Edition
from pageindex.store.base import Library

__all__ = ["check", "locate", "verify"]


def locate(edition: Edition, quote: str, page: int | None, page_end: int | None) -> dict[str, Any]:
    """The ladder status of a quote with spans, handles and printed page labels."""
    from pageindex.evidence.quotes.locate import locate as ladder

    located = ladder(edition, quote, page, page_end).to_json()
    return {**located, "labels": _labels(edition, located["found_pages"])}


def check(edition: Edition, claims: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Claims with a verdict each, from JSON; a bare list stands for ``{"claims": […]}``."""
    from pageindex.evidence.claims import check_claims, parse_claims

    item = dict(claims) if isinstance(claims, Mapping) else {"claims": [dict(claim) for claim in claims]}
    return check_claims(edition, parse_claims(item)).to_json()


def verify(library: Library, record: DocumentRecord, *, deep: bool) -> list[dict[str, Any]]:
    """Everything of a document that is not as recorded: files by their hashes, then text against the source."""
    from pageindex.evidence.verify import verify as against_source

    stored = [asdict(finding) for finding in library.verify(record.doc_id)]
    if stored:
        return stored
    edition = library.edition(record.doc_id)
    findings = against_source(edition, library.source(record.doc_id), deep=deep)
    return [finding.to_json() for finding in findings]


def _labels(edition: Edition, pages: Sequence[int]) -> dict[str, str]:
    """Printed numbers of pages, where they differ from the physical ones, by physical number."""
    labels = {page: edition.page(page).label for page in pages}
    return {str(page): label for page, label in labels.items() if label is not None and label != str(page)}
