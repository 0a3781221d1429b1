"""Check words and numbers against the page: ``locate``, ``check``, ``verify``, ``table``.

A check that fails is a result, not an error; the exit status says which: 0 PASS, 20 FAIL, 21 NEEDS_REVIEW, 22 PARTIAL. ``verify`` ends with 23 when
something is not as recorded.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pageindex.app.checks import Compared
from pageindex.cli.frame import (
    DocumentArgument,
    JsonOption,
    LibraryOption,
    PasswordOption,
    emit,
    open_document,
    print_lines,
    write_bytes,
)
from pageindex.cli.screen import Screen, printable
from pageindex.errors import CHANGED_STATUS, VERDICT_STATUSES, InputError

if TYPE_CHECKING:
    from pageindex.app.checks import ClaimCheck, Claims, LocatedQuote, Verification
    from pageindex.document import Edition

__all__ = ["register"]

_COLOURS = {"PASS": "green", "PARTIAL": "yellow", "NEEDS_REVIEW": "yellow", "FAIL": "red"}
_BY_WEIGHT = {"pass": "PASS", "partial": "PARTIAL", "review": "NEEDS_REVIEW", "fail": "FAIL"}


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
    from pageindex.app import checks, shapes

    opened = open_document(library, document, password)
    found = checks.locate(opened, _argument(quote), page, page_end, everywhere=everywhere, ocr=ocr, rectangles=boxes)
    emit(shapes.located(found), as_json=as_json, text=lambda screen: _located(found, opened.edition, screen))
    _end(_BY_WEIGHT[found.located.weight.name.lower()])


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
    from pageindex.app import checks

    item = _json(claims)
    parsed = checks.parse(item)
    name = document or (item.get("document") if isinstance(item, dict) else None)
    if not name:
        raise InputError("The claims name no document.", 'Name it with --document, or as "document" in the file.')
    result = checks.check(open_document(library, name, password), parsed)
    emit(result.to_json(), as_json=as_json, text=lambda screen: _claims(result, screen))
    _end(result.verdict.value)


def verify(
    document: DocumentArgument,
    deep: Annotated[
        bool, typer.Option("--deep", help="Read the source again and compare every page byte for byte.")
    ] = False,
    compare: Annotated[
        Compared | None,
        typer.Option("--compare", help="Compare with a second extractor: flagged pages, or all (full)."),
    ] = None,
    password: PasswordOption = None,
    library: LibraryOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check that a document is still what was read: its files, its source, its extractor.

    The exit status is 23 when something is not as recorded.
    """
    from pageindex.app import checks, shapes

    found = checks.verify(open_document(library, document, password), deep=deep, compare=compare)
    emit(shapes.verified(found), as_json=as_json, text=lambda screen: _findings(found, screen))
    if found.findings:
        raise typer.Exit(CHANGED_STATUS)


def table(
    document: DocumentArgument,
    page: Annotated[str, typer.Argument(metavar="PAGE", help="Physical page, from 1, or a printed label.")],
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown (the default).")] = False,
    password: PasswordOption = None,
    library: LibraryOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the tables of a page, rebuilt from where its characters stand."""
    if as_csv + as_markdown + as_json > 1:
        raise InputError("Several forms were asked for.", "Give one of --csv, --markdown and --json.")
    from pageindex.app import checks, shapes

    opened = open_document(library, document, password)
    found = checks.extract_tables(opened, page)
    if as_csv:
        write_bytes(shapes.tables_csv(found).encode())
    elif as_json or found.tables:
        emit(shapes.tables(opened, found), as_json=as_json, text=lambda _: shapes.tables_markdown(found).splitlines())
    else:
        print_lines([f"Page {found.page} holds no table that could be rebuilt."])


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


# ---------------------------------------------------------------- what is printed


def _end(verdict: str) -> None:
    if VERDICT_STATUSES[verdict]:
        raise typer.Exit(VERDICT_STATUSES[verdict])


def _verdict(word: str, screen: Screen) -> str:
    return screen.paint(word, _COLOURS[word], "bold")


def _located(found: LocatedQuote, edition: Edition, screen: Screen) -> Iterator[str]:
    located = found.located
    verdict = _verdict(_BY_WEIGHT[located.weight.name.lower()], screen)
    yield f"{verdict}  {located.status.value}  {printable(located.message)}".rstrip()
    for piece in located.evidence:
        yield f"  {screen.paint(str(piece.handle), 'cyan')}  page {piece.page}, bytes {piece.start}-{piece.end}"
        if piece.edition == edition.id and piece.lane == "text":
            text = edition.page(piece.page).words(piece.start, piece.end)
            yield f"  {printable(text)}"
    if len(located.found_pages) > 1 or (located.found_pages and located.found_pages[0] != located.page):
        yield f"  found on pages {', '.join(map(str, located.found_pages))}"
    for change in located.changes:
        yield f"  {screen.paint('quoted', 'red')} {printable(change.quoted)!r}, {screen.paint('printed', 'green')} {printable(change.printed)!r}"
    if not located.evidence and located.best_page is not None:
        yield f"  most like it: page {located.best_page}, {located.score:.0f} of 100"
    for page, box in found.rectangles or ():
        yield f"  page {page}: {[round(value, 2) for value in box]}"


def _claims(result: Claims, screen: Screen) -> Iterator[str]:
    for item in result.checks:
        yield from _claim(item, screen)
    yield screen.paint(result.not_judged, "dim")
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
        yield f"  {screen.paint('not covered', 'red')}  {part.kind} {printable(part.text)!r}  {printable(part.message)}".rstrip()


def _findings(found: Verification, screen: Screen) -> Iterator[str]:
    if not found.findings:
        yield screen.paint("Everything is as it was recorded.", "green")
    for finding in found.findings:
        yield f"{screen.paint('found', 'red')}  {printable(finding.message)} {screen.paint(f'[{finding.code}]', 'dim')}"
        if finding.remedy:
            yield f"  {screen.paint('next:', 'cyan')} {finding.remedy}"
    for copy in found.copies:
        whose = "the library's copy" if copy.which == "library" else "the file it was added from"
        yield screen.paint(f"{copy.state}  {whose}: {printable(copy.path)}", "dim")
