"""Check words and numbers against the page: ``locate``, ``check``, ``verify``, ``table``.

A check that fails is a result, not an error; the exit status says which: 0 PASS, 20 FAIL, 21 NEEDS_REVIEW, 22 PARTIAL. ``verify`` ends with 23 when
something is not as recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pageindex.cli.frame import (
    DocumentArgument,
    JsonOption,
    LibraryOption,
    emit,
    open_library,
    print_lines,
    write_bytes,
)
from pageindex.cli.screen import Screen, printable
from pageindex.errors import CHANGED_STATUS, VERDICT_STATUSES, InputError, PageIndexError, PageRangeError

if TYPE_CHECKING:
    from pageindex.document import DocumentRecord, Edition
    from pageindex.evidence import ClaimCheck, Claims, Located, Table
    from pageindex.evidence.quotes.locate import OcrText
    from pageindex.evidence.tables.rebuild import CharacterSource
    from pageindex.store.disk.library import DiskLibrary

__all__ = ["register"]

_COLOURS = {"PASS": "green", "PARTIAL": "yellow", "NEEDS_REVIEW": "yellow", "FAIL": "red"}
_BY_WEIGHT = {"pass": "PASS", "partial": "PARTIAL", "review": "NEEDS_REVIEW", "fail": "FAIL"}

PasswordOption = Annotated[
    str | None, typer.Option(help="Password of an encrypted file.", envvar="PAGEINDEX_PASSWORD", show_default=False)
]


class Lanes(StrEnum):
    """Pages on which the second extractor runs."""

    FLAGGED = "flagged"
    FULL = "full"


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("locate")(locate)
    app.command("check")(check)
    app.command("verify")(verify)
    app.command("table")(table)


def locate(
    document: DocumentArgument,
    quote: Annotated[
        str, typer.Argument(metavar="QUOTE", help="Words of the document, as copied; - reads standard input.")
    ],
    page: Annotated[int | None, typer.Option("--page", "-p", help="The page cited, physical, from 1.")] = None,
    page_end: Annotated[int | None, typer.Option("--page-end", help="The page it ends on, over a page break.")] = None,
    everywhere: Annotated[
        bool, typer.Option("--everywhere", help="Look in the other documents of the library too.")
    ] = False,
    boxes: Annotated[
        bool, typer.Option("--rectangles", help="Add the places on the page, in points from the top left.")
    ] = False,
    ocr: Annotated[
        bool, typer.Option("--ocr", help="Read the picture of the cited page where it has no usable text.")
    ] = False,
    password: PasswordOption = None,
    library: LibraryOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find a quote in a document, and say how it stands there.

    Prints the status, the handle, and where the words are; see docs/evidence.md for the statuses. The exit status is 0 when the quote
    passes, 20 when it fails, 21 when a person should look, 22 when it rests on machine-read text.
    """
    from pageindex.evidence import locate as find
    from pageindex.evidence import rectangles

    store = open_library(library)
    record = store.resolve(document)
    edition = store.edition(record.doc_id)
    others = _others(store, record.doc_id) if everywhere else ()
    machine = _machine_reader(store, record, password) if ocr else None
    located = find(edition, _argument(quote), page, page_end, ocr=machine, others=others)
    payload = located.to_json()
    if boxes and located.edition == edition.id:
        source = _characters(store, record, edition, password)
        known = {piece.page: source(piece.page) for piece in located.evidence} if source else None
        payload["rectangles"] = [
            {"page": number, "box": [round(value, 2) for value in box]}
            for number, box in rectangles(edition, located.evidence, known)
        ]
    emit(payload, as_json=as_json, text=lambda screen: _located(located, edition, payload, screen))
    _end(_BY_WEIGHT[located.weight.name.lower()])


def check(
    claims: Annotated[Path, typer.Argument(metavar="CLAIMS", help="A JSON file of claims; - reads standard input.")],
    document: Annotated[
        str | None, typer.Option("--document", "-d", help="The document the claims are about; else the file names it.")
    ] = None,
    password: PasswordOption = None,
    library: LibraryOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check claims with their quotes and numbers against a document.

    The file holds {"document": …, "claims": [{"id", "text", "quotes": [{"text", "page"}], "numbers": [{"as_printed"}]}]}. The exit
    status is 0 for PASS, 20 for FAIL, 21 for NEEDS_REVIEW, 22 for PARTIAL.
    """
    from pageindex.evidence import check_claims, parse_claims

    item = _json(claims)
    parsed = parse_claims(item)
    name = document or item.get("document")
    if not name:
        raise InputError("The claims name no document.", 'Name it with --document, or as "document" in the file.')
    store = open_library(library)
    record = store.resolve(name)
    edition = store.edition(record.doc_id)
    source = _characters(store, record, edition, password)
    result = check_claims(edition, parsed, characters=source)
    emit(result.to_json(), as_json=as_json, text=lambda screen: _claims(result, screen))
    _end(result.verdict.value)


def verify(
    document: DocumentArgument,
    deep: Annotated[
        bool, typer.Option("--deep", help="Read the source again and compare every page byte for byte.")
    ] = False,
    lanes: Annotated[
        Lanes | None, typer.Option("--lanes", help="Compare with a second extractor: flagged pages, or all (full).")
    ] = None,
    password: PasswordOption = None,
    library: LibraryOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check that a document is still what was read: its files, its source, its extractor.

    The exit status is 23 when something is not as recorded.
    """
    store = open_library(library)
    record = store.resolve(document)
    findings = [*_stored(store, record.doc_id), *_edition_findings(store, record, deep, password)]
    if lanes is not None and not findings:
        findings += _second_lane(store, record, lanes, password)
    payload = {"doc_id": record.doc_id, "edition": record.edition.id, "deep": deep, "findings": findings}
    emit(payload, as_json=as_json, text=lambda screen: _findings(findings, screen))
    if findings:
        raise typer.Exit(CHANGED_STATUS)


def table(
    document: DocumentArgument,
    page: Annotated[int, typer.Argument(metavar="PAGE", help="Physical page, from 1.")],
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown (the default).")] = False,
    password: PasswordOption = None,
    library: LibraryOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the tables of a page, rebuilt from where its characters stand."""
    from pageindex.evidence import tables_on
    from pageindex.evidence.tables.output import to_csv, to_json, to_markdown

    if as_csv + as_markdown + as_json > 1:
        raise InputError("Several forms were asked for.", "Give one of --csv, --markdown and --json.")
    store = open_library(library)
    record = store.resolve(document)
    edition = store.edition(record.doc_id)
    if not 1 <= page <= edition.page_count:
        raise PageRangeError(f"page {page} of {edition.page_count}", f"Use a page from 1 to {edition.page_count}.")
    found: Sequence[Table] = tables_on(edition, page, _characters(store, record, edition, password))
    if as_csv:
        write_bytes(to_csv(found).encode())
    elif as_json or found:
        payload = {"doc_id": record.doc_id, "page": page, "tables": [to_json(item) for item in found]}
        emit(payload, as_json=as_json, text=lambda _: to_markdown(found).splitlines())
    else:
        print_lines([f"Page {page} holds no table that could be rebuilt."])


# ---------------------------------------------------------------- what is read


def _argument(text: str) -> str:
    import sys

    return sys.stdin.read() if text == "-" else text


def _json(path: Path) -> Any:
    import sys

    from pageindex.document.codec import decode_json

    try:
        data = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
    except (FileNotFoundError, IsADirectoryError) as error:
        raise InputError(f"There is no file {path}.", "Check the path.", code="NOT_FOUND") from error
    try:
        return decode_json(data)
    except ValueError as error:
        raise InputError(
            f"{path} is no JSON: {error}", "See docs/evidence.md for the form.", code="INVALID_CLAIMS"
        ) from error


def _others(store: DiskLibrary, doc_id: str) -> Iterator[Edition]:
    offset = 0
    while batch := store.list(offset=offset, limit=50).documents:
        offset += len(batch)
        yield from (store.edition(record.doc_id) for record in batch if record.doc_id != doc_id)


def _characters(
    store: DiskLibrary, record: DocumentRecord, edition: Edition, password: str | None
) -> CharacterSource | None:
    """Character boxes from the stored source; None for formats without places."""
    from pageindex.reading.formats import by_media_type

    kind = by_media_type(edition.source.media_type)
    characters = kind.function("characters") if kind is not None else None
    if characters is None:
        return None
    path = store.source(record.doc_id)
    return lambda page: characters(path, page, password)


def _stored(store: DiskLibrary, doc_id: str) -> list[dict[str, Any]]:
    return [
        {"code": f.code, "message": f"{f.path}: {f.message}", "remedy": f.remedy, "page": None}
        for f in store.verify(doc_id)
    ]


def _edition_findings(
    store: DiskLibrary, record: DocumentRecord, deep: bool, password: str | None
) -> list[dict[str, Any]]:
    from pageindex import reading
    from pageindex.evidence import verify as compare
    from pageindex.reading.formats import installed_extractor

    try:
        edition = store.edition(record.doc_id)
    except PageIndexError as error:  # the stored files are named above, and cannot be compared with anything
        return [{"code": error.code, "message": error.message, "remedy": error.next_step, "page": None}]
    try:
        source: Path | None = store.source(record.doc_id)
    except PageIndexError:  # reported as a missing source
        source = None
    current = installed_extractor(edition.extractor.id)
    found = compare(
        edition, source, deep=deep, read=lambda path: reading.read(path, password=password), current=current
    )
    return [finding.to_json() for finding in found]


def _second_lane(
    store: DiskLibrary, record: DocumentRecord, lanes: Lanes, password: str | None
) -> list[dict[str, Any]]:
    from pageindex.evidence.second_extractor import second_lane
    from pageindex.reading.formats import by_media_type

    edition, path = store.edition(record.doc_id), store.source(record.doc_id)
    kind = by_media_type(edition.source.media_type)
    page_text = kind.function("second") if kind is not None else None
    if page_text is None:
        return []
    scores = second_lane(edition, lambda pages: page_text(path, pages, password), full=lanes is Lanes.FULL)
    return [
        {
            "code": "LOW_AGREEMENT",
            "message": f"page {page}: the extractors share {s.word_overlap:.0%} of the words and {s.number_overlap:.0%} of the numbers",
            "remedy": "Look at the page before its text is relied on.",
            "page": page,
        }
        for page, s in scores.items()
        if s.low
    ]


def _machine_reader(store: DiskLibrary, record: DocumentRecord, password: str | None) -> OcrText:
    """OCR of a page when it is asked for."""
    from pageindex.reading.ocr import read_pages

    path = store.source(record.doc_id)
    return lambda page: read_pages(path, [page], password=password)[page].text


# ---------------------------------------------------------------- what is printed


def _end(verdict: str) -> None:
    if VERDICT_STATUSES[verdict]:
        raise typer.Exit(VERDICT_STATUSES[verdict])


def _verdict(word: str, screen: Screen) -> str:
    return screen.paint(word, _COLOURS[word], "bold")


def _located(located: Located, edition: Edition, payload: dict[str, Any], screen: Screen) -> Iterator[str]:
    yield f"{_verdict(_BY_WEIGHT[payload['weight']], screen)}  {located.status.value}  {printable(located.message)}".rstrip()
    for piece in located.evidence:
        yield f"  {screen.paint(str(piece.handle), 'cyan')}  page {piece.page}, bytes {piece.start}-{piece.end}"
        if piece.edition == edition.id and piece.lane == "text":
            text = edition.page(piece.page).data[piece.start : piece.end].decode("utf-8", "replace")
            yield f"  {printable(text)}"
    if len(located.found_pages) > 1 or (located.found_pages and located.found_pages[0] != located.page):
        yield f"  found on pages {', '.join(map(str, located.found_pages))}"
    for change in located.changes:
        yield f"  {screen.paint('quoted', 'red')} {printable(change.quoted)!r}, {screen.paint('printed', 'green')} {printable(change.printed)!r}"
    if not located.evidence and located.best_page is not None:
        yield f"  most like it: page {located.best_page}, {located.score:.0f} of 100"
    for item in payload.get("rectangles", ()):
        yield f"  page {item['page']}: {item['box']}"


def _claims(result: Claims, screen: Screen) -> Iterator[str]:
    for item in result.checks:
        yield from _claim(item, screen)
    yield f"{_verdict(result.verdict.value, screen)}  {len(result.checks)} claims"


def _claim(item: ClaimCheck, screen: Screen) -> Iterator[str]:
    yield f"{_verdict(item.verdict.value, screen)}  {printable(item.claim.id)}: {printable(item.claim.text)}"
    for quote in item.quotes:
        handles = " ".join(map(str, quote.handles))
        yield f"  quote   {quote.status.value}  {screen.paint(handles, 'cyan')}  {printable(quote.message)}".rstrip()
    for number in item.numbers:
        words = f"{printable(number.declared.as_printed)}  {printable(number.message)}"
        yield f"  number  {number.status.value}  {words}".rstrip()
    for part in item.uncovered:
        yield f"  {screen.paint('not covered', 'red')}  {part.kind} {printable(part.text)!r}"


def _findings(findings: Sequence[dict[str, Any]], screen: Screen) -> Iterator[str]:
    if not findings:
        yield screen.paint("Everything is as it was recorded.", "green")
    for finding in findings:
        yield f"{screen.paint('found', 'red')}  {printable(finding['message'])} {screen.paint('[' + finding['code'] + ']', 'dim')}"
        if finding["remedy"]:
            yield f"  {screen.paint('next:', 'cyan')} {finding['remedy']}"
