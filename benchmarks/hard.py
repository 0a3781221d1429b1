"""Odd, broken and hostile files: each must end as an edition or as a clear error, in time and in memory, with the caller alive."""

from __future__ import annotations

import argparse
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pageindex.errors import PageIndexError
from pageindex.limits import Limits
from pageindex.reading import WorkerPool

RESULT = Path(__file__).parent / "results" / "hard.md"

SECONDS, MEMORY = 30.0, 1 << 30  #: What one file may take.


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--folder", default="hard", help="folder of the corpus")


def run(options: argparse.Namespace) -> int:
    files = sorted((options.corpus / options.folder).glob("*.pdf"))
    if not files:
        print(f"no files in {options.corpus / options.folder}", file=sys.stderr)
        return 2
    limits = Limits(seconds=SECONDS, memory_bytes=MEMORY // 2)
    rows = []
    for file in files:
        rows.append(_one(file, limits))
        print(
            f"{rows[-1].seconds:6.2f} s  {rows[-1].memory >> 20:5d} MiB  {file.name}: {rows[-1].outcome}",
            file=sys.stderr,
        )
    report = _report(rows)
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(report, encoding="utf-8")
    print(report)
    return 0 if all(row.clear for row in rows) else 1


@dataclass(frozen=True)
class _Row:
    name: str
    outcome: str
    clear: bool
    seconds: float
    memory: int


def outcome(path: str, limits: Limits) -> str:
    """Read one file and build its tree; what came of it, in a few words. Runs in a worker."""
    from pageindex.reading import read
    from pageindex.structure import build_tree

    edition = read(path, limits=limits)
    sections = sum(1 for _ in build_tree(edition).walk())
    states = Counter(page.state.value for page in edition.pages)
    pages = ", ".join(f"{count} {state}" for state, count in sorted(states.items()))
    notes = "".join(f"; {code}" for code in sorted({note.code for note in edition.notes}))
    return f"stored: {pages}; {sections} sections, {len(edition.bookmarks)} bookmarks{notes}"


def _one(file: Path, limits: Limits) -> _Row:
    begin = time.monotonic()
    with WorkerPool(1, limits) as pool, _peak_memory() as peak:
        future = pool.submit(outcome, str(file), limits)
        error = future.exception()
    seconds = time.monotonic() - begin
    if error is None:
        text, clear = future.result(), True
    elif isinstance(error, PageIndexError):
        text, clear = f"{error.code}: {error}", error.code not in ("ERROR", "READER_FAILED") and bool(error.next_step)
    else:
        text, clear = f"RAW {type(error).__name__}: {error}", False
    within = seconds <= SECONDS + 1 and peak[0] <= MEMORY
    return _Row(file.name, text, clear and within, seconds, peak[0])


@contextmanager
def _peak_memory() -> Iterator[list[int]]:
    """The most resident memory that any child of this process had, looked at every few milliseconds."""
    peak, done = [0], threading.Event()

    def watch() -> None:
        children = Path(f"/proc/{os.getpid()}/task")
        while not done.wait(0.004):
            for listing in children.glob("*/children"):
                try:
                    pids = listing.read_text().split()
                    resident = [int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in pids]
                except (OSError, IndexError):
                    continue
                peak[0] = max([peak[0], *(pages * os.sysconf("SC_PAGE_SIZE") for pages in resident)])

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield peak
    finally:
        done.set()
        thread.join()


def _report(rows: list[_Row]) -> str:
    stored = sum(row.outcome.startswith("stored") for row in rows)
    unclear = [row for row in rows if not row.clear]
    slowest, largest = max(rows, key=lambda row: row.seconds), max(rows, key=lambda row: row.memory)
    out = [
        "# Odd, broken and hostile files",
        "",
        f"{len(rows)} files, each in a worker with {SECONDS:g} s and {MEMORY >> 20} MiB: {stored} stored, "
        f"{len(rows) - stored - len(unclear)} clear errors, {len(unclear)} neither.",
        f"Slowest {slowest.seconds:.1f} s ({slowest.name}), most memory {largest.memory >> 20} MiB ({largest.name}).",
        "",
        "| file | outcome | s | MiB |",
        "|---|---|---|---|",
    ]
    for row in rows:
        text = row.outcome.replace("|", "/").replace("\n", " ")
        mark = "" if row.clear else "**"
        out.append(f"| {row.name} | {mark}{text}{mark} | {row.seconds:.2f} | {row.memory >> 20} |")
    return "\n".join(out) + "\n"
