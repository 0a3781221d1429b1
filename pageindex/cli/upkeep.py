"""Keep the library sound: ``doctor``, ``gc``, ``log``, ``costs``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from pageindex.cli.frame import JsonOption, LibraryOption, emit, open_library
from pageindex.cli.screen import Column, Screen, printable
from pageindex.errors import StoreError

if TYPE_CHECKING:
    from pageindex.app.library import Attempt, Finding
    from pageindex.app.spending import CostRow, Costs

__all__ = ["register"]


DocumentsArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="[DOC]...", help="Only these documents: id, start of an id, name, or path. Default: all."),
]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("doctor")(doctor)
    app.command("gc")(gc)
    app.command("log")(log)
    app.command("costs")(costs)


def doctor(
    repair: Annotated[
        bool, typer.Option("--repair", help="Put right what can be; what cannot is set aside, not deleted.")
    ] = False,
    library: LibraryOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check every file of the library, and repair what can be.

    Also said is how far the processes that read files are confined here. The exit status is 7 when something is wrong and was not repaired.
    """
    from pageindex.app import shapes, upkeep

    findings = upkeep.checkup(open_library(library, strict=False, named=not as_json), repair=repair)
    readers = upkeep.confinement()
    payload = {
        "findings": [shapes.finding_info(finding) for finding in findings],
        "readers": shapes.confinement_info(readers),
    }
    emit(payload, as_json=as_json, text=lambda screen: [*_findings(findings, screen), printable(readers.summary())])
    if any(not finding.repaired for finding in findings):
        raise typer.Exit(StoreError.exit_code)


def _findings(findings: Sequence[Finding], screen: Screen) -> Iterator[str]:
    if not findings:
        yield screen.paint("The library is sound.", "green")
    for finding in findings:
        mark = screen.paint("repaired", "green") if finding.repaired else screen.paint("found", "red")
        yield f"{mark}  {printable(finding.path)}: {printable(finding.message)} {screen.paint(f'[{finding.code}]', 'dim')}"
        if finding.remedy and not finding.repaired:
            yield f"  {screen.paint('next:', 'cyan')} {finding.remedy}"


def gc(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be removed.")] = False,
    library: LibraryOption = None,
    as_json: JsonOption = False,
) -> None:
    """Remove leftovers of killed commands and superseded caches."""
    removed = list(open_library(library, named=not as_json).gc(dry_run=dry_run))
    word = "would remove" if dry_run else "removed"
    lines = [f"{word}  {printable(path)}" for path in removed] or ["There is nothing to remove."]
    emit({"removed": removed, "dry_run": dry_run}, as_json=as_json, text=lambda screen: lines)


def log(
    limit: Annotated[int, typer.Option(help="How many attempts to list.", min=1)] = 20,
    library: LibraryOption = None,
    as_json: JsonOption = False,
) -> None:
    """List what was tried to be indexed, failures included."""
    from pageindex.app import shapes

    attempts = open_library(library).attempts(limit)
    payload = {"attempts": [shapes.attempt(attempt) for attempt in attempts]}
    emit(payload, as_json=as_json, text=lambda screen: _attempts(attempts, screen))


def _attempts(attempts: Sequence[Attempt], screen: Screen) -> Iterator[str]:
    if not attempts:
        yield "Nothing was indexed yet."
        return
    columns = [
        Column("at"),
        Column("outcome"),
        Column("seconds", right=True),
        Column("path"),
        Column("message", flexible=True, style="dim"),
    ]
    rows = [(a.at, a.outcome, f"{a.seconds:.2f}", a.source_path, printable(a.message)) for a in attempts]
    yield from screen.table(columns, rows)


def costs(
    docs: DocumentsArgument = None,
    since: Annotated[str | None, typer.Option(help="First day, as 2026-05-31 (UTC).")] = None,
    library: LibraryOption = None,
    as_json: JsonOption = False,
) -> None:
    """List what model calls have cost, by day and document.

    Each call is written down as it is made, failed attempts included; replies from the cache cost nothing and are left out.
    """
    from pageindex.app.spending import costs_by_day

    found = costs_by_day(open_library(library), docs or None, since=since)
    emit(found.to_json(), as_json=as_json, text=lambda screen: _costs(found, screen))


def _costs(found: Costs, screen: Screen) -> Iterator[str]:
    if not found.rows:
        yield "No model was called yet."
        return
    numbers = ("calls", "failed", "prompt", "completion", "USD")
    columns = [Column("day"), Column("document", flexible=True), Column("task"), Column("model")]
    columns += [Column(name, right=True) for name in numbers]
    rows = [(row.day, printable(_document(row)), row.task, printable(row.model), *_figures(row)) for row in found.rows]
    yield from screen.table(columns, [*rows, ("total", "", "", "", *_figures(found.total))])
    if found.total.estimated:
        yield screen.paint(f"The tokens of {found.total.estimated:,} calls and attempts were counted here.", "dim")


def _document(row: CostRow) -> str:
    return row.name or (f"{row.doc_id} (removed)" if row.doc_id else "(several)")


def _figures(row: CostRow) -> tuple[str, ...]:
    usd = "unknown" if row.unpriced and row.unpriced == row.calls else f"{row.usd:.4f}{'+' if row.unpriced else ''}"
    return (f"{row.calls:,}", f"{row.failed:,}", f"{row.prompt_tokens:,}", f"{row.completion_tokens:,}", usd)
