"""Odd, broken and hostile files, and sound ones made unsound: pages with text against PDFium, poppler and MuPDF as programs of their own.

Each file must end as an edition or as a clear error, in time and in memory, with the caller alive.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks._damage import damaged
from benchmarks._outside import missing_programs, page_texts
from pageindex.app.ingest import convert
from pageindex.errors import PageIndexError
from pageindex.limits import Limits
from pageindex.reading import WorkerPool
from pageindex.reading.workers.pool import Content

RESULT = Path(__file__).parent / "results" / "hard.md"

SECONDS, MEMORY = 30.0, 1 << 30  #: What one file may take.
OUTSIDE_SECONDS = 60.0  #: What another reader may take for one file.
LARGEST_SOURCE = 1_500_000  #: Bytes of the files that are damaged.
READERS = ("PDFium", "poppler", "MuPDF")

_PDFIUM = """
import sys, pypdfium2
pdf = pypdfium2.PdfDocument(sys.argv[1])
found = 0
for index in range(min(len(pdf), 5000)):
    try:
        found += bool(pdf[index].get_textpage().get_text_range().strip())
    except Exception:
        pass
    print(found, flush=True)
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--folder", default="hard", help="folder of the corpus with the odd files")
    parser.add_argument("--sources", default="dev/orig,dev2/orig", help="folders of the corpus whose files are damaged")
    parser.add_argument("--damaged", type=int, default=260, help="how many damaged files are made")
    parser.add_argument("--seed", type=int, default=1, help="of the damage")


def run(options: argparse.Namespace) -> int:
    if missing := missing_programs():
        print(f"not installed: {', '.join(missing)}", file=sys.stderr)
        return 2
    odd = [(file.name.partition("--")[0], file) for file in sorted((options.corpus / options.folder).glob("*.pdf"))]
    sources = [
        file
        for folder in options.sources.split(",")
        for file in sorted((options.corpus / folder).glob("*.pdf"))
        if file.stat().st_size < LARGEST_SOURCE
    ]
    if not odd or not sources:
        print(f"no files in {options.corpus}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        made = list(damaged(sources, options.damaged, Path(folder), options.seed))
        rows = [_row(kind, file) for kind, file in [*odd, *made]]
    report = _report(rows, len(odd))
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(report, encoding="utf-8")
    print(report)
    return 0 if all(row.clear for row in rows) else 1


@dataclass(frozen=True)
class _Row:
    """One file: what became of it here, and on how many of its pages each reader finds text."""

    kind: str
    name: str
    outcome: str
    clear: bool
    seconds: float
    memory: int
    ours: int
    others: tuple[int, ...]

    @property
    def best(self) -> int:
        return max(self.others)


def _row(kind: str, file: Path) -> _Row:
    begin = time.monotonic()
    limits = Limits(seconds=SECONDS, memory_bytes=MEMORY // 2)
    ours = 0
    with WorkerPool(1, limits) as pool, _peak_memory() as peak:
        future = pool.submit(convert, Content(file, limits.file_bytes), file.name, None, limits)
        error = future.exception()
    seconds = time.monotonic() - begin
    if error is None:
        facts = future.result().facts
        states = {state: len(pages) for state, pages in facts["page_states"].items()}
        states["text"] = facts["page_count"] - sum(states.values())
        ours = states["text"] + states.get("garbled", 0)
        pages = ", ".join(f"{count} {state}" for state, count in sorted(states.items()) if count)
        notes = "".join(f"; {code}" for code in sorted({note["code"] for note in facts["notes"]}))
        text, clear = f"stored: {pages}; {facts['sections']} sections{notes}", True
    elif isinstance(error, PageIndexError):
        text, clear = f"{error.code}: {error}", error.code not in ("ERROR", "READER_FAILED") and bool(error.next_step)
    else:
        text, clear = f"RAW {type(error).__name__}: {error}", False
    print(f"{seconds:6.2f} s  {peak[0] >> 20:5d} MiB  {file.name}: {text}", file=sys.stderr)
    return _Row(kind, file.name, text, clear and peak[0] <= MEMORY, seconds, peak[0], ours, _outside(file))


def _outside(file: Path) -> tuple[int, ...]:
    with ThreadPoolExecutor(3) as threads:
        calls = [threads.submit(call, file) for call in (_pdfium_pages, _poppler_pages, _mupdf_pages)]
        return tuple(call.result() for call in calls)


def _printed(command: list[str]) -> bytes:
    try:
        return subprocess.run(command, capture_output=True, timeout=OUTSIDE_SECONDS, check=False).stdout
    except subprocess.TimeoutExpired as late:
        return late.stdout or b""


def _pdfium_pages(file: Path) -> int:
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_AS, (2 * {MEMORY}, 2 * {MEMORY}))"
    found = _printed([sys.executable, "-c", f"{limit}{_PDFIUM}", str(file)]).split()
    return int(found[-1]) if found else 0


def _poppler_pages(file: Path) -> int:
    return sum(bool(text.strip()) for text in page_texts(file, OUTSIDE_SECONDS))


def _mupdf_pages(file: Path) -> int:
    printed = _printed(["mutool", "draw", "-q", "-F", "txt", "-o", "-", str(file)])
    return sum(bool(text.strip()) for text in printed.decode("utf-8", "replace").split("\f"))


@contextmanager
def _peak_memory() -> Iterator[list[int]]:
    """The most resident memory that any child of this process had, looked at every few milliseconds."""
    peak, done = [0], threading.Event()

    def watch() -> None:
        children = Path(f"/proc/{os.getpid()}/task")
        while not done.wait(0.01):
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


def _report(rows: list[_Row], odd: int) -> str:
    groups: dict[str, list[_Row]] = defaultdict(list)
    for number, row in enumerate(rows):
        groups[f"{'odd' if number < odd else 'damaged'}: {row.kind}"].append(row)
    stored = sum(row.outcome.startswith("stored") for row in rows)
    unclear = [row for row in rows if not row.clear]
    slowest, largest = max(rows, key=lambda row: row.seconds), max(rows, key=lambda row: row.memory)
    out = [
        "# Odd, broken and hostile files",
        "",
        f"{odd} odd files and {len(rows) - odd} sound ones that were damaged, each in a worker with {SECONDS:g} s of processor time and "
        f"{MEMORY >> 20} MiB: {stored} stored, {len(rows) - stored - len(unclear)} clear errors, {len(unclear)} neither.",
        f"Slowest {slowest.seconds:.1f} s ({slowest.name}), most memory {largest.memory >> 20} MiB ({largest.name}).",
        "",
        "Pages with text. *Best* is, file by file, the best of the three other readers, which run as programs of their own; *reached* "
        "counts of each file no more pages than the best.",
        "",
        "| files | | ours | " + " | ".join(READERS) + " | best | reached | of best |",
        "|---|---|---|" + "---|" * len(READERS) + "---|---|---|",
        *(_line(name, group) for name, group in sorted(groups.items())),
        _line("**all odd**", rows[:odd]),
        _line("**all damaged**", rows[odd:]),
        _line("**all**", rows),
        "",
        "| file with fewer pages than the best, or neither stored nor a clear error | outcome | ours | "
        + " | ".join(READERS)
        + " | s | MiB |",
        "|---|---|---|" + "---|" * len(READERS) + "---|---|",
    ]
    for row in rows:
        if row.ours < row.best or not row.clear:
            text = row.outcome.replace("|", "/").replace("\n", " ")
            mark = "" if row.clear else "**"
            others = " | ".join(map(str, row.others))
            out.append(
                f"| {row.name} | {mark}{text}{mark} | {row.ours} | {others} | {row.seconds:.1f} | {row.memory >> 20} |"
            )
    return "\n".join(out) + "\n"


def _line(name: str, rows: list[_Row]) -> str:
    others = " | ".join(str(sum(row.others[i] for row in rows)) for i in range(len(READERS)))
    best, reached = sum(row.best for row in rows), sum(min(row.ours, row.best) for row in rows)
    share = f"{reached / best:.2%}" if best else "–"
    return f"| {name} | {len(rows)} | {sum(row.ours for row in rows)} | {others} | {best} | {reached} | {share} |"
