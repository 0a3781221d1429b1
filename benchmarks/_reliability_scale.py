"""A library of 100, 1,000 and 10,000 documents; 2,000 removed in one call; a PDF of 5,000 pages."""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.store import _documents
from pageindex.app.library import remove_documents
from pageindex.store.disk.library import DiskLibrary

ROUNDS = 15
REMOVED = 2_000
ROOT = Path(__file__).parents[1]


def scale(options: argparse.Namespace) -> str:
    sizes = [size for size in (100, 1_000, 10_000) if size <= options.most]
    measured = []
    with tempfile.TemporaryDirectory(prefix="pageindex-scale-") as folder:
        root = Path(folder, "library")
        library, there = DiskLibrary.open(root), 0
        for size in sizes:
            for addition in _documents(there, size - ROUNDS):
                library.add(addition)
            more = _documents(size - ROUNDS, size)
            adds = _timed(lambda more=more: library.add(next(more)))  # type: ignore[misc]
            there = size
            measured.append({"add": adds, **_asked(root, size), "memory": _memory(root)})
        removal = _removal(root)
    names = ("add", "list", "open", "search")
    rows = []
    for name in names:
        cells = [statistics.median(m[name]) * 1000 for m in measured]
        ratio = cells[-1] / cells[0]
        rows.append(f"| {name} | " + " | ".join(f"{cell:.1f}" for cell in cells) + f" | {ratio:.2f} |")
    rows.append(
        "| memory of a process that lists, opens and searches, MB | "
        + " | ".join(f"{m['memory']:.0f}" for m in measured)
        + " | |"
    )
    log = math.log(sizes[-1]) / math.log(sizes[0])
    head = "| | " + " | ".join(f"{size:,}" for size in sizes) + " | last / first |\n|---|" + "---|" * (len(sizes) + 1)
    return (
        f"## Size\n\n`python -m benchmarks reliability --part scale --most {options.most}`: documents of three pages, 750 words each;"
        f" CPU milliseconds of one operation by a process that has just opened the library (`add`: by one that has it open), median of"
        f" {ROUNDS}. Logarithmic growth from the first size to the last would be a ratio of {log:.2f}.\n\n{head}\n"
        + "\n".join(rows)
        + "\n\n"
        + removal
    )


def _timed(work: Callable[[], object]) -> Sequence[float]:
    times = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
    return times


def _asked(root: Path, size: int) -> dict[str, Sequence[float]]:
    def opened(name: str) -> None:
        fresh = DiskLibrary.open(root)
        record = fresh.resolve(name)
        fresh.edition(record.doc_id)
        fresh.tree(record.doc_id)

    numbers = iter(range(size // 2, size))
    words = iter(range(ROUNDS))
    return {
        "list": _timed(lambda: DiskLibrary.open(root).list(limit=50)),
        "open": _timed(lambda: opened(f"document-{next(numbers) % size}.txt")),
        "search": _timed(lambda: DiskLibrary.open(root).search(f"document{size // 2 + next(words)}")),
    }


_PROBE = """
import resource, sys
from pageindex.store.disk.library import DiskLibrary
library = DiskLibrary.open(sys.argv[1])
record = library.list(limit=50).documents[0]
library.edition(record.doc_id), library.tree(record.doc_id), library.search(record.name)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def _memory(root: Path) -> float:
    done = subprocess.run([sys.executable, "-c", _PROBE, str(root)], capture_output=True, text=True, check=True)
    return float(done.stdout)


def _removal(root: Path) -> str:
    library = DiskLibrary.open(root)
    before = library.list(limit=1).total
    count = min(REMOVED, before // 2)
    chosen = [record.doc_id for record in library.list(limit=count).documents]
    begun = time.monotonic()
    remove_documents(library, chosen)
    seconds = time.monotonic() - begun
    fresh = DiskLibrary.open(root)
    damage = [problem for problem in (fresh._catalogue.problem(), fresh._engine.index.problem()) if problem]
    found = fresh.search("document5").hits
    gone = {hit.doc_id for hit in found} & set(chosen)
    return (
        f"{count:,} of {before:,} documents removed in one call: {seconds:.0f} s, {fresh.list(limit=1).total:,} left, damage of catalogue and"
        f" index: {len(damage)} (target 0), removed documents that are still found: {len(gone)} (target 0).\n"
    )


_READ = """
import json, resource, sys, time
from pathlib import Path
from pageindex.app.ingest import Request, convert_isolated
from pageindex.limits import Limits
begun = time.monotonic()
converted = convert_isolated(Request(Path(sys.argv[1])), Limits(seconds=600))
usage = [resource.getrusage(who).ru_maxrss / 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print(json.dumps([converted.facts["page_count"], time.monotonic() - begun, *usage]))
"""


def many_pages(options: argparse.Namespace) -> str:
    rows = []
    with tempfile.TemporaryDirectory(prefix="pageindex-pages-") as folder:
        for pages in (500, 5_000):
            path = Path(folder, f"{pages}.pdf")
            path.write_bytes(_pdf(pages))
            done = subprocess.run(
                [sys.executable, "-c", _READ, str(path)], cwd=ROOT, capture_output=True, text=True, check=True
            )
            read, seconds, own, worker = json.loads(done.stdout)
            rows.append(f"| {read:,} | {path.stat().st_size / 1e6:.1f} | {seconds:.0f} | {worker:.0f} | {own:.0f} |")
    return (
        "## A long document\n\n`python -m benchmarks reliability --part pages`: a PDF of so many pages of 40 lines, read in a worker under"
        " the memory limit of 2 GB that every file has.\n\n"
        "| pages | MB of the file | seconds | MB, worker | MB, its owner |\n|---|---|---|---|---|\n"
        + "\n".join(rows)
        + "\n"
    )


def _pdf(pages: int) -> bytes:
    """A PDF written by hand: a heading and 40 lines on each page."""
    out, offsets = bytearray(b"%PDF-1.4\n"), []

    def put(number: int, body: bytes) -> None:
        offsets.append((number, len(out)))
        out.extend(b"%d 0 obj\n%s\nendobj\n" % (number, body))

    kids = b" ".join(b"%d 0 R" % (4 + 2 * n) for n in range(pages))
    put(1, b"<< /Type /Catalog /Pages 2 0 R >>")
    put(2, b"<< /Type /Pages /Count %d /Kids [%s] >>" % (pages, kids))
    put(3, b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    for n in range(pages):
        text = [b"BT /F1 16 Tf 72 760 Td (Section %d) Tj ET" % (n + 1), b"BT /F1 10 Tf 72 730 Td 16 TL"]
        text += [
            b"(Line %d of page %d with some words that a report might have.) Tj T*" % (line, n + 1)
            for line in range(40)
        ]
        stream = b"\n".join([*text, b"ET"])
        page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R /Resources << /Font << /F1 3 0 R >> >> >>"
        put(4 + 2 * n, page % (5 + 2 * n))
        put(5 + 2 * n, b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1)
    out += b"".join(b"%010d 00000 n \n" % at for _, at in sorted(offsets))
    out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(offsets) + 1, start)
    return bytes(out)
