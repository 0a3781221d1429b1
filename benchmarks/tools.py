"""How long each tool takes over 10 and over 10,000 documents, and a question without a model over 500 pages.

Synthetic documents of twelve pages in a library on disk; every call goes to another document. p50 and p95 are of CPU time, since the
machine is shared; what counts is the ratio between the two sizes. A library with its search index is built first, in ``--folder`` when given.
"""

from __future__ import annotations

import argparse
import itertools
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from pageindex.chat import find_passages, open_session
from pageindex.store.base import Library
from pageindex.store.conformance.samples import sample_addition
from pageindex.store.disk.library import DiskLibrary
from pageindex.tools import Reader, call_tool

__all__ = ["add_arguments", "run"]

RESULTS = Path(__file__).parent / "results" / "tools.md"
_PAGES = 12
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--sizes", default="10,10000", help="documents, comma-separated")
    parser.add_argument("--calls", type=int, default=60, help="calls per tool")
    parser.add_argument("--folder", type=Path, help="where libraries are kept between runs")


def run(options: argparse.Namespace) -> int:
    """Build, measure, write the table."""
    sizes = [int(size) for size in options.sizes.split(",")]
    measured: dict[int, dict[str, list[float]]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or Path(scratch)
        for size in sizes:
            with _library(folder / str(size), size) as library:
                measured[size] = _measure(library, size, options.calls)
        passages = _five_hundred(folder / "long")
    text = _report(measured, passages, options.calls)
    print(text)
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(text, encoding="utf-8")
    return 0


@lru_cache
def _vocabulary() -> Sequence[str]:
    return ["".join(random.Random(n).choices(_LETTERS, k=4 + n % 6)) for n in range(4_000)]


def _words(seed: int) -> Iterator[str]:
    """Words of a made-up vocabulary, drawn by Zipf's law."""
    rng, known = random.Random(seed), _vocabulary()
    while True:
        yield known[min(3_999, int(rng.paretovariate(0.7)) - 1)]


def _pages(number: int, count: int) -> list[str]:
    words = _words(number)
    pages = []
    for page in range(1, count + 1):
        body = " ".join(itertools.islice(words, 120))
        pages.append(f"# Section {page} of report {number}\n{body}\nThe marker is mark{number}x{page}.\n")
    return pages


def _library(path: Path, size: int) -> DiskLibrary:
    known = (path / "library.json").exists()
    library = DiskLibrary.open(path, create=True)
    if not known:
        for number in range(size):
            library.add(sample_addition(f"/docs/report-{number:05}.txt", _pages(number, _PAGES)))
    library.search("mark0x1", limit=1)  # builds the index where it is not there yet
    return library


def _measure(library: Library, size: int, calls: int) -> dict[str, list[float]]:
    rng = random.Random(size)
    numbers = [rng.randrange(size) for _ in range(calls)]
    names = [f"report-{number:05}.txt" for number in numbers]
    asked: Mapping[str, Callable[[int], tuple[str, dict[str, Any]]]] = {
        "browse_documents": lambda i: ("browse_documents", {"offset": numbers[i] % max(1, size - 10)}),
        "browse_documents, by relevance": lambda i: (
            "browse_documents",
            {"query": f"mark{numbers[i]}x3", "sort": "relevance", "recursive": True},
        ),
        "search_documents, all": lambda i: (
            "search_documents",
            {"query": f"the marker mark{numbers[i]}x5 of the report"},
        ),
        "search_documents, one": lambda i: ("search_documents", {"query": "the marker", "doc_name": names[i]}),
        "get_document": lambda i: ("get_document", {"doc_name": names[i]}),
        "get_document_structure": lambda i: ("get_document_structure", {"doc_name": names[i]}),
        "get_page_content, a page": lambda i: ("get_page_content", {"doc_name": names[i], "pages": "7"}),
        "get_page_content, a section": lambda i: ("get_page_content", {"doc_name": names[i], "node_id": "0005"}),
        "get_page_tables": lambda i: ("get_page_tables", {"doc_name": names[i], "page": 2}),
        "check_claims": lambda i: (
            "check_claims",
            {"doc_name": names[i], "claims": [{"text": "x", "quotes": [f"The marker is mark{numbers[i]}x4."]}]},
        ),
        "a name that is not there": lambda i: ("get_document", {"doc_name": f"repart-{numbers[i]:05}.txt"}),
    }
    call_tool(Reader(library), "get_document", {"doc_name": names[0]})  # imports and tables are no part of a call
    found: dict[str, list[float]] = {}
    for label, make in asked.items():
        found[label] = []
        for index in range(calls):
            name, arguments = make(index)
            session = Reader(library)  # a fresh one: nothing is open yet
            began = time.process_time()
            call_tool(session, name, arguments)
            found[label].append(time.process_time() - began)
    return found


def _five_hundred(path: Path) -> list[float]:
    """CPU seconds of a question without a model over a document of 500 pages, opened anew for every question."""
    known = (path / "library.json").exists()
    with DiskLibrary.open(path, create=True) as library:
        if not known:
            library.add(sample_addition("/docs/long.txt", _pages(1, 500)))
    took = []
    for number in range(10):
        with DiskLibrary.open(path) as library:
            began = time.process_time()
            found = find_passages(open_session(library), f"Where is the marker mark1x{37 * number + 5}?")
            took.append(time.process_time() - began)
            if found.found[0].page != 37 * number + 5:
                raise RuntimeError(f"question {number} found page {found.found[0].page}")
    return took


def _p95(values: Sequence[float]) -> float:
    return sorted(values)[round(0.95 * (len(values) - 1))]


def _report(measured: Mapping[int, Mapping[str, Sequence[float]]], passages: Sequence[float], calls: int) -> str:
    sizes = list(measured)
    parts = [
        "# Tools: time per call",
        " ".join((__doc__ or "").split("\n\n", 1)[1].split()) + f" {calls} calls each, every one in a fresh session.",
        _table(measured, sizes),
        f"A question without a model over 500 pages, the library opened anew each time: p50 {_ms(statistics.median(passages))}, "
        f"p95 {_ms(_p95(passages))} (target: under 1 s).",
    ]
    return "\n\n".join(parts) + "\n"


def _table(measured: Mapping[int, Mapping[str, Sequence[float]]], sizes: Sequence[int]) -> str:
    heads = [f"{size:,} documents, p50 / p95" for size in sizes]
    rows = [f"| tool | {' | '.join(heads)} | ratio of p50 |", "|---|" + "---:|" * (len(sizes) + 1)]
    for label in measured[sizes[0]]:
        cells = [
            f"{_ms(statistics.median(measured[size][label]))} / {_ms(_p95(measured[size][label]))}" for size in sizes
        ]
        ratio = statistics.median(measured[sizes[-1]][label]) / statistics.median(measured[sizes[0]][label])
        rows.append(f"| {label} | {' | '.join(cells)} | {ratio:.1f} |")
    return "\n".join(rows)


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms" if seconds < 0.1 else f"{seconds * 1000:.0f} ms"
