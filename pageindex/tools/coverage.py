"""What was read of a document, in one line."""

from __future__ import annotations

from pageindex.app.document import OpenDocument
from pageindex.app.reader import Reader
from pageindex.document import PageState
from pageindex.document.pagespec import format_pages
from pageindex.evidence.ledger import Exposure, Ledger

__all__ = ["coverage", "coverage_line"]


def coverage(reader: Reader, document: OpenDocument) -> dict[str, object]:
    """``{pages, read, partly, unreadable}``: counts of pages, and specifications of those read in full, in part, and not readable.

    A page counts as read when all its printed characters were delivered. The cost follows what was read, not the document's length.
    """
    record = document.record
    states = {state: pages for state, pages in record.page_states.items() if pages and state != PageState.BLANK.value}
    unreadable = {state: format_pages(pages) for state, pages in states.items()}
    ledger = reader.ledgers.get(record.edition.id)
    touched = ledger.pages(Exposure.DELIVERED) if ledger is not None else []
    whole = [page for page in touched if ledger is not None and _whole(ledger, document, page)]
    partly = [page for page in touched if page not in set(whole)]
    found: dict[str, object] = {"pages": record.page_count, "read": format_pages(whole), "partly": format_pages(partly)}
    return found | ({"unreadable": unreadable} if unreadable else {})


def _whole(ledger: Ledger, document: OpenDocument, page: int) -> bool:
    return not ledger.unread(document.edition, page)


def coverage_line(reader: Reader, document: OpenDocument) -> str:
    """``report.pdf: 3 of 120 pages read (4-6), 1 in part (9), pictures of 1 page seen (19); image_only: 19``."""
    found = coverage(reader, document)
    read, partly = str(found["read"]), str(found["partly"])
    line = f"{document.name}: {_count(read)} of {document.record.page_count} pages read{f' ({read})' if read else ''}"
    if partly:
        line += f", {_count(partly)} in part ({partly})"
    ledger = reader.ledgers.get(document.record.edition.id)
    if ledger is not None and (seen := ledger.pages(Exposure.VIEWED)):
        line += f", pictures of {len(seen)} page{'s' if len(seen) > 1 else ''} seen ({format_pages(seen)})"
    unreadable = found.get("unreadable")
    if isinstance(unreadable, dict):
        line += "".join(f"; {state}: {pages}" for state, pages in unreadable.items())
    return line


def _count(spec: str) -> int:
    total = 0
    for part in filter(None, spec.split(",")):
        first, _, last = part.partition("-")
        total += int(last or first) - int(first) + 1
    return total
