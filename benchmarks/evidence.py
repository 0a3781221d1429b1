"""Evidence: alterations and presentations of quotes, claims about figures, absence, cells of tables, and speed, on real documents.

Writes benchmarks/results/evidence.md. Quotes are cut with poppler and MuPDF, and altered by code that shares nothing with the matcher: see
``_evidence_samples``, ``_evidence_mutations``, ``_evidence_presentations`` and ``_evidence_pages``. Readings are cached in --cache.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import _evidence_absence, _evidence_figures, _evidence_matching, _evidence_speed, _outside
from benchmarks._evidence_samples import drawn
from pageindex.document import Edition
from pageindex.document.codec import decode_edition, encode_edition
from pageindex.evidence import locate

RESULT = Path(__file__).parent / "results" / "evidence.md"
FILINGS = frozenset({"claims", "cells"})  #: Parts that draw their own documents.
PARTS = ("matching", "claims", "absence", "cells", "speed")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this subject."""
    parser.add_argument("--folders", default="dev/orig,dev2/orig,qa/pdf", help="folders of the corpus, by commas")
    parser.add_argument("--documents", type=int, default=110, help="how many files, drawn over the folders")
    parser.add_argument("--most-pages", type=int, default=450, help="of a file")
    parser.add_argument("--each", type=int, default=1, help="quotes in each presentation, per file")
    parser.add_argument("--alterations", type=int, default=3, help="alterations of each kind, per file")
    parser.add_argument("--quotes", type=int, default=60, help="true quotes cut from each file")
    parser.add_argument(
        "--cache", type=Path, default=Path("/tmp/pageindex-bench-evidence"), help="readings are kept here"
    )
    parser.add_argument("--misses", type=Path, help="write every fault to this JSON file")
    parser.add_argument("--only", default="", help=f"comma-separated parts: {', '.join(PARTS)}")
    parser.add_argument("--seed", type=int, default=4)


def run(options: argparse.Namespace) -> int:
    """Measure, write the table, and return 1 when a safety target is missed."""
    if missing := _outside.missing_programs():
        print(f"not on PATH: {', '.join(missing)}", file=sys.stderr)
        return 2
    parts: dict[str, Callable[[Sequence[Document], argparse.Namespace], Report]] = {
        "matching": measure_matching,
        "absence": measure_absence,
        "claims": measure_claims,
        "cells": measure_cells,
        "speed": lambda documents, options: Report(
            _evidence_speed.measured([(d.path, d.edition) for d in documents], options.seed)
        ),
    }
    wanted = options.only.split(",") if options.only else list(parts)
    documents = list(_documents(options)) if set(wanted) - FILINGS else []
    reports = []
    for name in wanted:
        started = time.process_time()
        reports.append(parts[name](documents, options))
        print(f"{name}: {time.process_time() - started:.0f} CPU s", file=sys.stderr, flush=True)
    if documents:
        _tell_documents(documents, options, [r for name, r in zip(wanted, reports, strict=True) if name not in FILINGS])
    head = "# Evidence\n\nParts are measured apart; each says on which documents."
    text = "\n\n".join([head, *(report.text for report in reports)]) + "\n"
    RESULT.write_text(_merged(head, wanted, reports))
    print(text)
    if options.misses:
        options.misses.write_text(
            json.dumps([miss for report in reports for miss in report.misses], indent=1, ensure_ascii=False)
        )
    return int(any(report.failed for report in reports))


def _tell_documents(documents: Sequence[Document], options: argparse.Namespace, reports: Sequence[Report]) -> None:
    """Write under the title of each part on which documents it was measured."""
    pages = sum(document.edition.page_count for document in documents)
    told = f"{len(documents)} documents of {options.folders.replace(',', ', ')}, {pages:,} pages, seed {options.seed}."
    for report in reports:
        title, _, rest = report.text.partition("\n")
        report.text = f"{title}\n{told} {rest.lstrip()}"


def _merged(head: str, names: Sequence[str], reports: Sequence[Report]) -> str:
    """The parts measured now, and beside them those of earlier runs that were not."""
    known = {}
    if RESULT.is_file():
        for section in RESULT.read_text().split("\n## ")[1:]:
            known[section.split("\n")[0].lower()] = f"## {section.strip()}"
    known |= {name: report.text for name, report in zip(names, reports, strict=True)}
    return "\n\n".join([head, *(known[name] for name in PARTS if name in known)]) + "\n"


@dataclass(frozen=True)
class Document:
    """A document of the corpus, read."""

    id: str
    path: Path
    edition: Edition


@dataclass
class Report:
    """A section of the result, what was missed, and whether a hard target was."""

    text: str
    misses: list[dict[str, object]] = field(default_factory=list)
    failed: bool = False


def _documents(options: argparse.Namespace) -> Iterator[Document]:
    from pageindex.errors import PageIndexError

    paths = [path for name in options.folders.split(",") for path in sorted((options.corpus / name).glob("*.pdf"))]
    random.Random(options.seed).shuffle(paths)
    made = 0
    for path in paths:
        if made == options.documents:
            return
        try:
            edition = _cached(path, options.cache)
        except PageIndexError as error:
            print(f"{path.name}: {error.message}", file=sys.stderr)
            continue
        if edition.page_count <= options.most_pages:
            made += 1
            yield Document(path.stem, path, edition)


def _cached(path: Path, cache: Path) -> Edition:
    """The reading of a file; one of another extractor is not used, for its bytes are not those of today's characters."""
    from pageindex import reading
    from pageindex.reading.pdf.reader import EXTRACTOR

    folder = cache / re.sub(r"\W+", "-", EXTRACTOR.version) / path.stem
    files = ("edition.json", "pages.json", "lines.json.gz")
    if not all((folder / name).is_file() for name in files):
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in encode_edition(reading.read(path)).items():
            (folder / name).write_bytes(data)
    return decode_edition(*((folder / name).read_bytes() for name in files))


# ---------------------------------------------------------------- matching and absence


def measure_matching(documents: Sequence[Document], options: argparse.Namespace) -> Report:
    """True quotes in many presentations, and alterations that must not pass."""
    result, files, quotes = _evidence_matching.Matching(), 0, 0
    for document in documents:
        samples = drawn(document.path, document.edition.page_count, options.quotes, options.seed)
        if samples.prose:
            files, quotes = files + 1, quotes + len(samples.prose) + len(samples.rows)
            _evidence_matching.measure(
                samples, _finder(document), result, options.each, options.alterations, options.seed
            )
            print(f"{files}: {document.id} {sum(result.total.values()):,}", file=sys.stderr, flush=True)
    passed = any(count for (group, _), count in result.passed.items() if group == "altered")
    text = "\n".join(_evidence_matching.table(result, files, quotes))
    return Report(text, list(result.faults), passed or bool(result.equal["dishonest"]))


def _finder(document: Document) -> _evidence_matching.Find:
    """``locate`` as the doors call it: with the characters of a page at hand, looked at once."""
    from pageindex.evidence.characters import Character
    from pageindex.reading.pdf.reader import characters

    kept: dict[int, Sequence[Character]] = {}

    def seen(page: int) -> Sequence[Character]:
        if page not in kept:
            kept[page] = characters(document.path, page)
        return kept[page]

    return lambda quote, page: locate(document.edition, quote, page, characters=seen)


def measure_absence(documents: Sequence[Document], options: argparse.Namespace) -> Report:
    """Words that are visible, and words that are nowhere."""
    editions = {document.path: document.edition for document in documents}
    lines, faults, failed = _evidence_absence.measure(options, list(editions), editions.__getitem__)
    return Report("\n".join(lines), faults, failed)


# ---------------------------------------------------------------- cells and claims


def measure_cells(documents: Sequence[Document], options: argparse.Namespace) -> Report:
    """Cells of filings as another program sees them, and of tables drawn by code."""
    found = _evidence_figures.measured_cells(options.corpus, lambda path: _cached(path, options.cache), options.seed)
    drawn_ = _evidence_figures.measured_drawn(options.seed, options.cache)
    return Report(f"{found.text}\n\n{drawn_.text}", [*found.misses, *drawn_.misses], found.failed or drawn_.failed)


def measure_claims(documents: Sequence[Document], options: argparse.Namespace) -> Report:
    """True and false claims about the figures of filings."""
    found = _evidence_figures.measured_claims(options.corpus, lambda path: _cached(path, options.cache), options.seed)
    return Report(found.text, found.misses, found.failed)
