"""What code can say of words and numbers: where a quote stands, whether claims hold, whether a document is as it was read, its tables.

Every check has the printed characters of the source at hand, whichever door it was called through, so that all give one verdict.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pageindex.app.document import OpenDocument
from pageindex.document import Box, Edition, Evidence
from pageindex.errors import InputError, NotFoundError, PageIndexError
from pageindex.files import open_regular, path_of, spelled

if TYPE_CHECKING:
    from pageindex.evidence import Claim, EditionFinding, Ledger, Located, Table
    from pageindex.evidence import ClaimCheck as ClaimCheck
    from pageindex.evidence import Claims as Claims
    from pageindex.evidence.tables.rebuild import CharacterSource

__all__ = [
    "Compared",
    "CopyState",
    "LocatedQuote",
    "PageTables",
    "Verification",
    "check",
    "extract_tables",
    "locate",
    "parse",
    "rectangles_of",
    "verify",
]


class Compared(StrEnum):
    """Pages on which a second extractor is compared with the first."""

    FLAGGED = "flagged"
    FULL = "full"

    @classmethod
    def of(cls, name: str | None) -> Compared | None:
        """By name; None for none. Raises InputError for another name."""
        if name is None:
            return None
        if name in list(cls):
            return cls(name)
        raise InputError(f"compare cannot be {name!r}", f"Use one of {', '.join(cls)}.")


@dataclass(frozen=True, slots=True)
class LocatedQuote:
    """Where a quote stands.

    Attributes:
        located: Status, spans, pages.
        labels: Printed numbers of the pages it was found on, where they differ from the physical ones.
        rectangles: ``(page, box)`` per printed line, in points from the top left; None where they were not asked for.
    """

    located: Located
    labels: Mapping[int, str]
    rectangles: Sequence[tuple[int, Box]] | None = None


def locate(
    document: OpenDocument,
    quote: str,
    page: int | None = None,
    page_end: int | None = None,
    *,
    everywhere: bool = False,
    ocr: bool = False,
    rectangles: bool = False,
) -> LocatedQuote:
    """Where a quote stands in a document.

    Args:
        document: Where to look.
        quote: Words as they were copied.
        page, page_end: The pages cited, physical.
        everywhere: Look in the other documents of the library too, where it is missing.
        ocr: Read the picture of the cited page where it has no usable text.
        rectangles: Also say where on the page it is printed.

    Raises:
        InputError: There is nothing to look for.
        PageRangeError: A page that does not exist.
    """
    from pageindex.evidence import locate as find

    edition = document.edition
    others = _others(document) if everywhere else ()
    machine = (lambda number: _machine_text(document, number)) if ocr else None
    located = document.with_characters(
        lambda source: find(edition, quote, page, page_end, ocr=machine, others=others, characters=source)
    )
    here = located.edition == edition.id
    labels = {number: label for number in located.found_pages if here and (label := document.label(number))}
    boxes = rectangles_of(document, located.evidence) if rectangles and here else None
    return LocatedQuote(located, labels, boxes)


def _others(document: OpenDocument) -> Iterator[Edition]:
    offset = 0
    while batch := document.library.list(offset=offset, limit=50).documents:
        offset += len(batch)
        yield from (document.library.edition(one.doc_id) for one in batch if one.doc_id != document.doc_id)


def _machine_text(document: OpenDocument, page: int) -> str:
    return document.reader.machine_text(document.record.media_type, document.source, page, document.password)


def rectangles_of(document: OpenDocument, evidence: Sequence[Evidence]) -> list[tuple[int, Box]]:
    """Where evidence is printed: ``(page, box)`` per printed line, in points from the top left of the displayed page."""
    from pageindex.evidence import rectangles

    def printed(source: CharacterSource | None) -> list[tuple[int, Box]]:
        known = {piece.page: source(piece.page) for piece in evidence} if source is not None else None
        return rectangles(document.edition, evidence, known)

    return document.with_characters(printed)


def parse(claims: Mapping[str, Any] | Sequence[Any]) -> tuple[Claim, ...]:
    """Claims from decoded JSON: ``{"claims": […]}``, or the bare list.

    An id is given to claims without one, and a quote or a number may be a bare string. Raises InputError (INVALID_CLAIMS) that names the
    place of the first fault.
    """
    from pageindex.evidence import parse_claims

    if isinstance(claims, Mapping):
        rows = claims.get("claims")
        shaped = [_shaped(row, n) for n, row in enumerate(rows, start=1)] if isinstance(rows, list) else rows
        return parse_claims({**claims, "claims": shaped})
    return parse_claims({"claims": [_shaped(row, n) for n, row in enumerate(claims, start=1)]})


def _shaped(row: Any, number: int) -> Any:
    if not isinstance(row, Mapping):
        return row
    shaped: dict[str, Any] = {"id": str(number), **row}
    for key, name in (("quotes", "text"), ("numbers", "as_printed")):
        if isinstance(row.get(key), list | tuple):
            shaped[key] = [{name: item} if isinstance(item, str) else item for item in row[key]]
    return shaped


def check(
    document: OpenDocument,
    claims: Sequence[Claim],
    *,
    ledger: Ledger | None = None,
    others: Sequence[OpenDocument] = (),
) -> Claims:
    """Claims about one document, each with its verdict.

    Args:
        document: What they are about.
        claims: As ``parse`` gives them.
        ledger: What was delivered to a reader: valid evidence that never was is ``unread``.
        others: Further documents in which a missing quote is sought, so that its place can be named.

    Raises PageRangeError for a cited page that does not exist.
    """
    from pageindex.evidence import check_claims

    edition, further = document.edition, [other.edition for other in others]
    return document.with_characters(
        lambda source: check_claims(edition, claims, characters=source, ledger=ledger, others=further)
    )


@dataclass(frozen=True, slots=True)
class PageTables:
    """The tables of a page, from top to bottom; their grids are derived, and not quotable themselves."""

    page: int
    label: str | None
    tables: tuple[Table, ...]


def extract_tables(document: OpenDocument, page: str | int) -> PageTables:
    """The tables of one page, rebuilt from where its characters stand; raises PageRangeError."""
    from pageindex.evidence import tables_on

    number = document.page_number(page)
    found = document.with_characters(lambda source: tables_on(document.edition, number, source))
    return PageTables(number, document.label(number), found)


@dataclass(frozen=True, slots=True)
class Verification:
    """What of a document is not as it was recorded; nothing where all is.

    ``deep`` tells whether the source was read anew. ``copies`` says of the library's copy of the source, and of the user's own file,
    whether they hold the bytes that were read.
    """

    doc_id: str
    edition: str
    deep: bool
    findings: tuple[EditionFinding, ...]
    copies: tuple[CopyState, ...] = ()


@dataclass(frozen=True, slots=True)
class CopyState:
    """One of the two files that hold, or held, the bytes that were read.

    Attributes:
        which: ``library`` for the library's own copy, ``original`` for the file it was added from.
        path: Where it is.
        state: ``UNCHANGED``, ``SOURCE_CHANGED``, ``MISSING_SOURCE``, or ``UNREADABLE``.
    """

    which: Literal["library", "original"]
    path: str
    state: Literal["UNCHANGED", "SOURCE_CHANGED", "MISSING_SOURCE", "UNREADABLE"]


def verify(document: OpenDocument, *, deep: bool = False, compare: Compared | None = None) -> Verification:
    """Compare a document with everything it rests on: its files by their hashes, its source, its extractor.

    The file that it was added from is looked at too. That it has changed is a finding; that it is gone is only said, since the library
    holds a copy.

    Args:
        document: Which.
        deep: Read the source again, in a worker, and compare every page byte for byte.
        compare: Compare with a second extractor on flagged pages, or on all.
    """
    record = document.record
    findings = [*_stored(document), *_against_source(document, deep)]
    if compare is not None and not findings:
        findings += _second_extractor(document, compare)
    copies = tuple(_copies(document))
    findings += [
        _original_changed(copy) for copy in copies if copy.which == "original" and copy.state == "SOURCE_CHANGED"
    ]
    return Verification(record.doc_id, record.edition.id, deep, tuple(findings), copies)


def _copies(document: OpenDocument) -> Iterator[CopyState]:
    record = document.record
    try:
        source = document.source
    except PageIndexError:
        yield CopyState("library", record.edition.source_file, "MISSING_SOURCE")
    else:
        yield _copy_state("library", source, record.edition.source_sha256)
    if record.source_path:
        yield _copy_state("original", path_of(record.source_path), record.edition.source_sha256)


def _copy_state(which: Literal["library", "original"], path: Path, sha256: str) -> CopyState:
    shown = spelled(str(path))
    try:
        same = open_regular(path).sha256() == sha256
    except NotFoundError:
        return CopyState(which, shown, "MISSING_SOURCE")
    except InputError as error:  # what stands there now is no file, or one that cannot be looked into
        return CopyState(which, shown, "UNREADABLE" if error.code == "UNREADABLE" else "SOURCE_CHANGED")
    except OSError:
        return CopyState(which, shown, "UNREADABLE")
    return CopyState(which, shown, "UNCHANGED" if same else "SOURCE_CHANGED")


def _original_changed(copy: CopyState) -> EditionFinding:
    from pageindex.evidence import EditionFinding

    text = f"the file it was added from, {copy.path}, no longer holds the bytes that were read; the library keeps its own copy"
    return EditionFinding(
        "SOURCE_CHANGED", text, "Run 'pageindex add' on it to take in what it holds now, as a new edition."
    )


def _stored(document: OpenDocument) -> Iterator[EditionFinding]:
    from pageindex.evidence import EditionFinding

    for found in document.library.verify(document.doc_id):
        yield EditionFinding(found.code, f"{found.path}: {found.message}", found.remedy)


def _against_source(document: OpenDocument, deep: bool) -> list[EditionFinding]:
    from pageindex.evidence import EditionFinding
    from pageindex.evidence import verify as compare

    try:
        edition = document.edition
    except PageIndexError as error:  # the stored files are named already, and cannot be compared with anything
        return [EditionFinding(error.code, error.message, error.next_step)]
    try:
        source: Path | None = document.source
    except PageIndexError:  # reported as a missing source
        source = None
    reader = document.reader
    current = reader.installed_extractor(edition.extractor.id, edition.source.media_type)
    return compare(
        edition, source, deep=deep, read=lambda path: reader.edition(path, document.password), current=current
    )


def _second_extractor(document: OpenDocument, compare: Compared) -> list[EditionFinding]:
    from pageindex.evidence import EditionFinding
    from pageindex.evidence.second_extractor import agreements

    def texts(pages: Sequence[int]) -> Mapping[int, str]:
        media_type = document.record.media_type
        return document.reader.second_texts(media_type, document.source, pages, document.password) or {}

    scores = agreements(document.edition, texts, full=compare is Compared.FULL)
    return [
        EditionFinding(
            "LOW_AGREEMENT",
            f"page {page}: the extractors share {score.word_overlap:.0%} of the words and"
            f" {score.number_overlap:.0%} of the numbers",
            "Look at the page before its text is relied on.",
            page,
        )
        for page, score in scores.items()
        if score.low
    ]
