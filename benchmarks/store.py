"""What a library costs when it is small and when it is large: add, open, list, resolve, read, search.

Synthetic documents of three pages (headings, words drawn at random from 20,000 made-up ones, a name that no other has) are put into
two libraries. Every operation is timed on both, and the ratio says whether its cost follows what is read or what is stored.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from pageindex.atomic import AtomicWriter
from pageindex.store.base import Addition
from pageindex.store.conformance.samples import sample_addition
from pageindex.store.disk.library import DiskLibrary

RESULTS = Path(__file__).parent / "results" / "store.md"
ROUNDS = 40
WORDS, PAGES, WORDS_PER_PAGE, SEED = 20_000, 3, 250, 7


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--small", type=int, default=10, help="documents of the small library (default 10)")
    parser.add_argument(
        "--folder", type=Path, help="where to keep the libraries between runs; only what lacks is added"
    )
    parser.add_argument("--large", type=int, default=10_000, help="documents of the large library (default 10,000)")


def run(options: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory(prefix="pageindex-store-") as temporary:
        measured = {}
        for count in (options.small, options.large):
            library, filling = _filled((options.folder or Path(temporary)) / str(count), count)
            measured[count] = {"add, while filling": filling, **_operations(library, count)}
            size = sum(path.stat().st_size for path in library.root.rglob("*") if path.is_file())
            print(f"{count} documents: {size / 1e6:.0f} MB")
    text = _table(measured, options.small, options.large, _flushes())
    print(text)
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(text, encoding="utf-8")
    return 0


def _documents(first: int, last: int) -> Iterator[Addition]:
    vocabulary = [f"w{number:05d}".translate(str.maketrans("0123456789", "aeioubdfgk")) for number in range(WORDS)]
    weights = [1 / (rank + 10) for rank in range(WORDS)]
    for number in range(first, last):
        random_ = random.Random(SEED + number)
        pages = []
        for page in range(PAGES):
            words = random_.choices(vocabulary, weights, k=WORDS_PER_PAGE)
            lines = [" ".join(words[i : i + 10]) for i in range(0, len(words), 10)]
            pages.append("\n".join([f"# {words[0]} {words[1]}", f"document{number} page {page}", *lines]))
        yield sample_addition(
            f"/made/up/document-{number}.txt", pages, metadata={"number": number, "even": number % 2 == 0}
        )


def _filled(root: Path, count: int) -> tuple[DiskLibrary, Sequence[float]]:
    library, times = DiskLibrary.open(root), []
    for addition in _documents(library.list(limit=1).total, count):
        start = time.process_time()
        library.add(addition)
        times.append(time.process_time() - start)
    return library, times


def _operations(library: DiskLibrary, count: int) -> Mapping[str, Sequence[float]]:
    random_ = random.Random(SEED)
    picked = [library.resolve(f"document-{random_.randrange(count)}.txt") for _ in range(ROUNDS)]
    words = [library.edition(record.doc_id).page(2).text.split()[5:9] for record in picked]
    more = iter(list(_documents(count, count + ROUNDS)))
    known = next(_documents(0, 1))

    def each(work: Callable[[int], object]) -> Sequence[float]:
        times = []
        for number in range(ROUNDS):
            start = time.process_time()
            work(number)
            times.append(time.process_time() - start)
        return times

    root = library.root
    return {
        "add one more": each(lambda n: library.add(next(more))),
        "add the same bytes again": each(lambda n: library.add(known)),
        "open, then first lookup": each(lambda n: DiskLibrary.open(root).resolve(picked[n].name)),
        "resolve a name": each(lambda n: library.resolve(picked[n].name)),
        "resolve an id": each(lambda n: library.resolve(picked[n].doc_id)),
        "list 10": each(lambda n: library.list(limit=10)),
        "list 10 where": each(lambda n: library.list(limit=10, where={"number": {"gte": count // 2}})),
        "read edition and tree": each(lambda n: (library.edition(picked[n].doc_id), library.tree(picked[n].doc_id))),
        "search one document": each(lambda n: library.search(" ".join(words[n]), doc_ids=[picked[n].doc_id])),
        "search documents": each(lambda n: library.search_documents(" ".join(words[n]))),
        "search the library": each(lambda n: library.search(" ".join(words[n]))),
    }


def _flushes() -> int:
    """Files and folders that one addition flushes to the disk."""
    steps: list[str] = []
    with tempfile.TemporaryDirectory(prefix="pageindex-store-") as folder:
        library = DiskLibrary.open(Path(folder) / "library", writer=AtomicWriter(lambda step, path: steps.append(step)))
        steps.clear()
        library.add(next(_documents(0, 1)))
    return sum(step.startswith("flush") for step in steps)


def _table(measured: Mapping[int, Mapping[str, Sequence[float]]], small: int, large: int, flushes: int) -> str:
    rows = [
        "## Store: cost as the library grows\n",
        f"Milliseconds, median and 95th percentile of {ROUNDS} calls, {small:,} and {large:,} synthetic documents of {PAGES} pages; "
        f"CPU time of the process; each addition flushes {flushes} files and folders beside that.\n",
        f"| operation | {small:,}: p50 | p95 | {large:,}: p50 | p95 | ratio of p50 |",
        "|---|---|---|---|---|---|",
    ]
    for name in measured[small]:
        if not all(measured[count][name] for count in (small, large)):
            continue  # a library that was kept from an earlier run was not filled in this one
        cells = []
        for count in (small, large):
            times = measured[count][name]
            cells.append((statistics.median(times) * 1000, _percentile(times, 0.95) * 1000))
        flat = " | ".join(f"{value:.2f}" for pair in cells for value in pair)
        rows.append(f"| {name} | {flat} | {cells[1][0] / cells[0][0]:.2f} |")
    return "\n".join(rows) + "\n"


def _percentile(times: Sequence[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]
