"""Evidence: recall of copied quotes, safety against changed ones, cells, absence, and speed, on real documents.

Writes benchmarks/results/evidence.md. Readings are cached in --cache, so that a second run measures evidence only.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import string
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmarks._evidence_quotes import (
    MUTATIONS,
    Sample,
    copied,
    plainly_there,
    sample,
    sample_over_break,
    vocabulary,
    year_rows,
)
from pageindex.document import Edition, Extractor, Page, PageState, Source
from pageindex.document.codec import decode_edition, encode_edition
from pageindex.evidence import Absence, AbsenceRefused, Declared, check_number, locate, prove_absence
from pageindex.evidence.numbers.tokens import number_tokens
from pageindex.evidence.quotes.index import FoldedEdition, folded
from pageindex.evidence.status import NumberStatus, QuoteStatus, Weight
from pageindex.evidence.verify import verify
from pageindex.text.folding import fold, skeleton_text

RESULT = Path(__file__).parent / "results" / "evidence.md"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this subject."""
    parser.add_argument("--documents", type=int, default=48, help="how many dev documents, spread over kinds")
    parser.add_argument("--quotes", type=int, default=110, help="quotes for recall per document")
    parser.add_argument("--mutations", type=int, default=450, help="mutated quotes per document")
    parser.add_argument(
        "--cache", type=Path, default=Path("/tmp/pageindex-bench-evidence"), help="readings are kept here"
    )
    parser.add_argument("--misses", type=Path, help="write every miss to this JSON file")
    parser.add_argument("--only", default="", help="comma-separated parts: recall, safety, cells, absence, speed")
    parser.add_argument("--seed", type=int, default=4)


def run(options: argparse.Namespace) -> int:
    """Measure, write the table, and return 1 when a safety target is missed."""
    documents = list(_documents(options))
    parts: dict[str, Callable[[Sequence[Document], argparse.Namespace], Report]] = {
        "recall": measure_recall,
        "safety": measure_safety,
        "cells": measure_cells,
        "absence": measure_absence,
        "speed": measure_speed,
    }
    wanted = options.only.split(",") if options.only else list(parts)
    reports = []
    for name in wanted:
        started = time.process_time()
        reports.append(parts[name](documents, options))
        print(f"{name}: {time.process_time() - started:.0f} CPU s", file=sys.stderr, flush=True)
    head = f"# Evidence\n\nMeasured on {len(documents)} documents of the dev corpus, {sum(d.edition.page_count for d in documents):,} pages."
    text = "\n\n".join([head, *(report.text for report in reports)]) + "\n"
    RESULT.write_text(_merged(head, wanted, reports))
    print(text)
    if options.misses:
        options.misses.write_text(
            json.dumps([miss for report in reports for miss in report.misses], indent=1, ensure_ascii=False)
        )
    return int(any(report.failed for report in reports))


def _merged(head: str, names: Sequence[str], reports: Sequence[Report]) -> str:
    """The parts measured now, and beside them those of earlier runs that were not."""
    known = {}
    if RESULT.is_file():
        for section in RESULT.read_text().split("\n## ")[1:]:
            known[section.split("\n")[0].lower()] = f"## {section.strip()}"
    known |= {name: report.text for name, report in zip(names, reports, strict=True)}
    return (
        "\n\n".join(
            [head, *(known[name] for name in ("recall", "safety", "cells", "absence", "speed") if name in known)]
        )
        + "\n"
    )


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
    paths = sorted((options.corpus / "dev" / "orig").glob("*.pdf"))
    by_kind: dict[str, list[Path]] = defaultdict(list)
    for path in paths:
        by_kind[path.name.split("-")[0]].append(path)
    rng = random.Random(options.seed)
    for group in by_kind.values():
        rng.shuffle(group)
    queue = [group[i] for i in range(max(map(len, by_kind.values()))) for group in by_kind.values() if i < len(group)]
    for path in queue[: options.documents]:
        yield Document(path.stem, path, _cached(path, options.cache))


def _cached(path: Path, cache: Path) -> Edition:
    from pageindex import reading

    folder = cache / path.stem
    files = ("edition.json", "pages.json", "lines.json.gz")
    if not all((folder / name).is_file() for name in files):
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in encode_edition(reading.read(path)).items():
            (folder / name).write_bytes(data)
    return decode_edition(*((folder / name).read_bytes() for name in files))


# ---------------------------------------------------------------- recall


def measure_recall(documents: Sequence[Document], options: argparse.Namespace) -> Report:
    """Quotes of 60-300 characters, mangled as a reader's copy is: found with the right page and span."""
    rng = random.Random(options.seed)
    found: Counter[str] = Counter()
    total: Counter[str] = Counter()
    statuses: Counter[str] = Counter()
    misses: list[dict[str, object]] = []
    for document in documents:
        for kind, drawn in _samples(document.edition, options.quotes, rng):
            quote = copied(drawn.raw, rng)
            page_end = drawn.page_end if kind == "page join" else None
            located = locate(document.edition, quote, drawn.page, page_end)
            total[kind] += 1
            statuses[located.status] += 1
            if located.weight <= Weight.PARTIAL and _right_place(document.edition, drawn, located.evidence):
                found[kind] += 1
            else:
                misses.append(_miss("recall", document, drawn, quote, located.status, located.message))
    share = sum(found.values()) / max(1, sum(total.values()))
    rows = [f"| {kind} | {total[kind]:,} | {found[kind] / total[kind]:.2%} |" for kind in total]
    lines = [
        "## Recall",
        f"Target ≥ 99.5 %; reached **{share:.2%}** ({sum(found.values()):,} of {sum(total.values()):,} located and passed, with the right page and span).",
        "",
        "| quote | number | located |\n|---|---|---|",
        *rows,
        "",
        f"Statuses: {', '.join(f'{name} {count:,}' for name, count in statuses.most_common())}.",
    ]
    return Report("\n".join(lines), misses)


def _samples(edition: Edition, count: int, rng: random.Random) -> Iterator[tuple[str, Sample]]:
    made = tries = 0
    while made < count and tries < 20 * count:
        tries += 1
        join = made % 8 == 7
        drawn = sample_over_break(edition, rng) if join else sample(edition, rng, 60, 300)
        if drawn is not None:
            made += 1
            yield ("page join" if join else "within a page"), drawn
        elif join and tries % 5 == 0:
            made += 1  # a document without joins


def _right_place(edition: Edition, drawn: Sample, evidence: Sequence[object]) -> bool:
    pages = [piece.page for piece in evidence]  # type: ignore[attr-defined]
    if pages != sorted({drawn.page, drawn.page_end}):
        return False
    text = "".join(edition.page(p.page).data[p.start : p.end].decode("utf-8", "surrogatepass") for p in evidence)  # type: ignore[attr-defined]
    wanted, got = (skeleton_text(fold(item).text) for item in (drawn.raw, text))
    return wanted in got and len(got) <= len(wanted) + 12 if drawn.page == drawn.page_end else len(got) >= len(wanted)


def _miss(part: str, document: Document, drawn: Sample, quote: str, status: object, message: str) -> dict[str, object]:
    return {
        "part": part,
        "document": document.id,
        "page": drawn.page,
        "raw": drawn.raw,
        "quote": quote,
        "status": str(status),
        "message": message,
    }


# ---------------------------------------------------------------- safety


def measure_safety(documents: Sequence[Document], options: argparse.Namespace) -> Report:
    """Quotes that say something else: none may pass."""
    rng = random.Random(options.seed + 1)
    total: Counter[str] = Counter()
    passed: Counter[str] = Counter()
    review: Counter[str] = Counter()
    misses: list[dict[str, object]] = []
    for document in documents:
        for kind, drawn, quote, page in _mutated(document.edition, options.mutations, rng):
            located = locate(document.edition, quote, page)
            total[kind] += 1
            if located.weight <= Weight.PARTIAL:
                passed[kind] += 1
                misses.append(_miss("safety", document, drawn, quote, f"{kind}: {located.status}", located.message))
            elif located.weight is Weight.REVIEW:
                review[kind] += 1
    rows = [f"| {kind} | {total[kind]:,} | {passed[kind]} | {review[kind]} |" for kind in sorted(total)]
    lines = [
        "## Safety",
        f"Target: no mutated quote passes; **{sum(passed.values())} of {sum(total.values()):,} passed**.",
        "",
        "| mutation | number | passed | sent to review |\n|---|---|---|---|",
        *rows,
    ]
    return Report("\n".join(lines), misses, bool(sum(passed.values())))


def _mutated(edition: Edition, count: int, rng: random.Random) -> Iterator[tuple[str, Sample, str, int]]:
    words, kinds = vocabulary(edition), [*MUTATIONS, "page shifted"]
    made = tries = 0
    while made < count and tries < 30 * count:
        tries += 1
        drawn = sample(edition, rng, 60, 300)
        if drawn is None:
            continue
        kind, page = rng.choice(kinds), drawn.page
        if kind == "page shifted":
            quote, page = drawn.raw, drawn.page + rng.choice([-1, 1, 2, -2, 5])
            if not 1 <= page <= edition.page_count:
                continue
        else:
            changed = MUTATIONS[kind](drawn.raw, rng, words)
            if changed is None:
                continue
            quote = changed
        if not plainly_there(quote, edition.page(page).text):
            made += 1
            yield kind, drawn, quote, page


# ---------------------------------------------------------------- cells


def measure_cells(documents: Sequence[Document], options: argparse.Namespace) -> Report:
    """Numbers named by row and column: right ones accepted, those of another row or column refused."""
    from benchmarks._evidence_tables import generated

    lines = [
        "## Cells",
        "A number is declared with its row label and column header. *Real tables*: the truth is taken from the order of the page's text alone "
        "(a line of different years, then lines with a label and as many numbers), from all filings and government reports read. "
        "*Generated tables*: stacked headers, sections, repeated labels, blank cells, currency columns.",
        "",
        "| tables | right cells | accepted | wrong column | caught | wrong row | caught |\n|---|---|---|---|---|---|---|",
    ]
    misses: list[dict[str, object]] = []
    caught_all = True
    for name, trials in (("real", _real_cells(documents)), ("generated", generated(options.seed, options.cache))):
        counts: Counter[str] = Counter()
        for trial in trials:
            for kind, declared, located, edition, characters in trial:
                check = check_number(declared, edition, [located], characters)
                good = check.status is NumberStatus.OK
                counts[kind] += 1
                counts[f"{kind} as wanted"] += good == (kind == "right")
                if good != (kind == "right"):
                    misses.append(
                        {
                            "part": "cells",
                            "tables": name,
                            "kind": kind,
                            "document": edition.source.name,
                            "page": located.page,
                            "declared": str(declared),
                            "status": check.status,
                            "message": check.message,
                        }
                    )
        shares = {kind: counts[f"{kind} as wanted"] / max(1, counts[kind]) for kind in ("right", "column", "row")}
        caught_all &= shares["column"] >= 0.95
        lines.append(
            f"| {name} | {counts['right']:,} | {shares['right']:.1%} | {counts['column']:,} | {shares['column']:.2%} | {counts['row']:,} | {shares['row']:.2%} |"
        )
    return Report("\n".join(lines), misses, not caught_all)


Trial = list[tuple[str, Declared, object, Edition, object]]


def _real_cells(documents: Sequence[Document]) -> Iterator[Trial]:
    from pageindex.reading.pdf.reader import characters

    for document in documents:
        for page in document.edition.pages:
            rows = list(year_rows(page.text))
            if not rows:
                continue
            boxes = characters(document.path, page.number)
            source = lambda _, boxes=boxes: boxes  # noqa: E731
            whole = skeleton_text(fold(page.text).text)
            for index, (years, label, values) in enumerate(rows):
                located = locate(document.edition, f"{label}", page.number)
                if not located.evidence or whole.count(skeleton_text(fold(label).text)) > 1:
                    continue
                trial: Trial = []
                for at, year in enumerate(years):
                    trial.append(("right", Declared(values[at], label, year), located, document.edition, source))
                    other = values[(at + 1) % len(values)]
                    if _core(other) != _core(values[at]):
                        trial.append(("column", Declared(other, label, year), located, document.edition, source))
                    below = rows[(index + 1) % len(rows)]
                    if below[0] == years and _core(below[2][at]) not in map(_core, values):
                        trial.append(("row", Declared(below[2][at], label, year), located, document.edition, source))
                yield trial


def _core(printed: str) -> str:
    return next((token.core for token in number_tokens(printed)), "")


# ---------------------------------------------------------------- absence


def measure_absence(documents: Sequence[Document], options: argparse.Namespace) -> Report:
    """200 terms that are nowhere, 200 that are somewhere, and pages that cannot be taken at their word."""
    rng = random.Random(options.seed + 2)
    clean = [
        d.edition for d in documents if all(p.state.readable and not p.has_flag("scanned") for p in d.edition.pages)
    ]
    counts: Counter[str] = Counter()
    misses: list[dict[str, object]] = []
    for index in range(200):
        edition = clean[index % len(clean)]
        term = _absent_term(edition, rng)
        counts["granted"] += isinstance(prove_absence(edition, [term]), Absence)
        for state in (PageState.IMAGE_ONLY, PageState.FAILED):
            planted, number = _planted(edition, state, rng)
            answer = prove_absence(planted, [term])
            counts[state.value] += isinstance(answer, AbsenceRefused) and (number, state.value) in answer.pages
        blank, _ = _planted(edition, PageState.BLANK, rng)
        counts["blank"] += isinstance(prove_absence(blank, [term]), Absence)
        present = _present_term(edition, rng)
        answer = prove_absence(edition, [present])
        if isinstance(answer, AbsenceRefused) and answer.reason == "present":
            counts["refused"] += 1
        else:
            misses.append({"part": "absence", "document": edition.source.name, "term": present})
    lines = [
        "## Absence",
        "| 200 trials each | as wanted |\n|---|---|",
        f"| a term that is nowhere: granted | {counts['granted']} |",
        f"| the same, a blank page planted: granted | {counts['blank']} |",
        f"| the same, an image-only page planted: refused, page named | {counts['image_only']} |",
        f"| the same, a failed page planted: refused, page named | {counts['failed']} |",
        f"| a term that is printed, mangled as a copy is: refused | {counts['refused']} |",
    ]
    failed = any(counts[key] < 200 for key in ("granted", "blank", "image_only", "failed", "refused"))
    return Report("\n".join(lines), misses, failed)


def _absent_term(edition: Edition, rng: random.Random) -> str:
    words = vocabulary(edition)
    while True:
        if rng.random() < 0.5:
            term = "".join(rng.choices(string.ascii_lowercase, k=9))
        else:
            term = f"{rng.choice(words)} {rng.choice(words)}"
        if not any(plainly_there(term, page.text) for page in edition.pages):
            return term


def _present_term(edition: Edition, rng: random.Random) -> str:
    while True:
        drawn = sample(edition, rng, 8, 40)
        if drawn is not None and sum(c.isalpha() for c in drawn.raw) >= 4:
            return copied(drawn.raw, rng).swapcase()


def _planted(edition: Edition, state: PageState, rng: random.Random) -> tuple[Edition, int]:
    """The edition with one more page, without text, in a given state."""
    at = rng.randrange(edition.page_count + 1)
    pages = [*edition.pages[:at], Page(1, "", state), *edition.pages[at:]]
    numbered = tuple(replace(page, number=number) for number, page in enumerate(pages, start=1))
    return replace(edition, pages=numbered, lines=()), at + 1


# ---------------------------------------------------------------- speed


def measure_speed(documents: Sequence[Document], options: argparse.Namespace) -> Report:
    """CPU time of locating, searching, folding and verifying."""
    rng = random.Random(options.seed + 3)
    fold_ms = _fold_time(documents)
    quote_ms = _locate_time(documents, rng)
    rows = [
        f"| fold and skeleton of a page, CPU ms | {fold_ms:.2f} |",
        f"| located quote with its page cited, document already folded, CPU ms | median {statistics.median(quote_ms):.2f}, p95 {_p95(quote_ms):.2f} |",
    ]
    for size in (200, 1000):
        build, hit, miss = _search_time(documents, size, rng)
        rows.append(
            f"| search of {size} pages, no page cited, CPU ms | found {hit:.2f}, not found {miss:.2f} (folded once in {build:.0f}) |"
        )
    rows.append(f"| verify --deep, ratio to plain PDFium text of the same pages | {_verify_ratio(documents):.2f} |")
    return Report("\n".join(["## Speed", "| what | measured |\n|---|---|", *rows]))


def _p95(values: Sequence[float]) -> float:
    return sorted(values)[int(0.95 * (len(values) - 1))]


def _fold_time(documents: Sequence[Document]) -> float:
    pages = [page for document in documents for page in document.edition.pages]
    started = time.process_time()
    for page in pages:
        skeleton_text(fold(page.text).text)
    return (time.process_time() - started) * 1000 / len(pages)


def _locate_time(documents: Sequence[Document], rng: random.Random) -> list[float]:
    times = []
    for document in documents:
        locate(document.edition, "fold this document once", None)
        for _ in range(20):
            drawn = sample(document.edition, rng, 60, 300)
            if drawn is not None:
                started = time.process_time()
                locate(document.edition, copied(drawn.raw, rng), drawn.page)
                times.append((time.process_time() - started) * 1000)
    return times


def _search_time(documents: Sequence[Document], size: int, rng: random.Random) -> tuple[float, float, float]:
    texts = [page.text for document in documents for page in document.edition.pages if page.state is PageState.TEXT]
    rng.shuffle(texts)
    pages = tuple(Page(number, text) for number, text in enumerate(texts[:size], start=1))
    edition = Edition(Source(f"{size}.pdf", "0" * 64, 1), Extractor("joined", "1"), pages)
    started = time.process_time()
    list(FoldedEdition(edition).pages_with("warm up"))
    build = (time.process_time() - started) * 1000
    index = folded(edition)
    list(index.pages_with("x" * 20))
    list(index.breaks_with("x" * 20))
    words = vocabulary(edition)
    hits, misses = [], []
    for _ in range(60):
        drawn = sample(edition, rng, 60, 200)
        if drawn is None:
            continue
        started = time.process_time()
        status = locate(edition, drawn.raw).status
        hits.append((time.process_time() - started) * 1000)
        assert status is not QuoteStatus.MISSING, drawn
        quote = " ".join(rng.choices(words, k=20))
        started = time.process_time()
        locate(edition, quote)
        misses.append((time.process_time() - started) * 1000)
    return build, statistics.median(hits), statistics.median(misses)


def _verify_ratio(documents: Sequence[Document]) -> float:
    import pypdfium2

    from pageindex import reading

    chosen = [document for document in documents if 20 <= document.edition.page_count <= 400][:12]
    ratios = []
    for document in chosen:
        started = time.process_time()
        pdf = pypdfium2.PdfDocument(document.path)
        for index in range(len(pdf)):
            pdf[index].get_textpage().get_text_bounded()
        pdf.close()
        plain = time.process_time() - started
        edition = reading.read(document.path)
        started = time.process_time()
        findings = verify(edition, document.path, deep=True)
        assert not findings, findings[:3]
        ratios.append((time.process_time() - started) / plain)
    return statistics.geometric_mean(ratios)
