"""Is the page's text the page? Anchor, sections and quotes against what other programs see: MuPDF's characters, poppler's words.

Needs ``mutool`` and ``pdftotext`` on PATH. The package is asked through its public client in a process of its own; nothing that
measures is shared with it. Of each file up to ``--pages`` pages are looked at, in three runs of pages that follow one another, so that
running lines and page breaks are met; of files with more than ``--whole`` pages the package reads a copy of these alone, and their
sections are not judged. With ``--keep FOLDER`` the result of each file is kept there, and
is not measured again: a long measurement is done in pieces with ``--seconds``, and what is there is reported at any time with
``--report``. Files come in the order of a fixed shuffle, so that a part of them is a fair sample.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from benchmarks import _library, _outside, _text_quotes, _text_sections, _text_separators

RESULT = Path(__file__).parent / "results" / "text.md"

METHOD = 4  #: What is kept by another method is measured again.
RUNS = 3  #: Runs of pages of a long file.
TURNED_PAGES = 12  #: Of a turned copy.
LEAST_F1 = 0.98  #: Pages with less are told among the faults.


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--folders", default="dev/orig,dev2/orig,qa/pdf,hard", help="folders of the corpus, by commas")
    parser.add_argument(
        "--also", type=Path, action="append", default=[], help="another folder with PDFs; may be repeated"
    )
    parser.add_argument("--files", type=int, default=0, help="so many files at most, drawn by a fixed seed; 0: all")
    parser.add_argument("--pages", type=int, default=24, help="pages of a file that are looked at")
    parser.add_argument(
        "--whole", type=int, default=150, help="pages up to which a file is read whole, and its sections are judged"
    )
    parser.add_argument("--turned", type=int, default=50, help="files of which turned copies are measured too")
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds a file")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="folder in which the result of each file is kept and looked up")
    parser.add_argument("--seconds", type=float, default=0.0, help="begin no file after so many; 0: measure all")
    parser.add_argument("--report", action="store_true", help="measure nothing, report what is kept")
    parser.add_argument("--details", type=Path, help="write every fault as JSON lines here")
    parser.add_argument("--output", type=Path, default=RESULT)


@dataclass
class Row:
    """What was found in one file."""

    name: str
    group: str
    status: str = "ok"
    pages: int = 0  # looked at
    of: int = 0
    word_f1: float | None = None  # against poppler's words
    nearer_f1: float | None = None  # against the nearer one of poppler's and MuPDF's
    separators: Counter[str] = field(default_factory=Counter)
    sections: Counter[str] = field(default_factory=Counter)
    quotes: Counter[str] = field(default_factory=Counter)
    faults: list[dict[str, Any]] = field(default_factory=list)

    def of_kind(self, *kinds: str) -> list[dict[str, Any]]:
        return [fault for fault in self.faults if fault["kind"] in kinds]


@dataclass(frozen=True)
class Job:
    """A file to be measured; ``turned`` by so many degrees in a copy."""

    file: Path
    group: str
    turned: int = 0

    def kept(self, folder: Path, options: argparse.Namespace) -> Path:
        said = f"{METHOD} {self.file.resolve()} {self.turned} {options.pages} {options.whole}".encode()
        return folder / f"{hashlib.sha256(said).hexdigest()[:24]}.json"


def run(options: argparse.Namespace) -> int:
    if missing := _outside.missing_programs():
        print(f"not on PATH: {', '.join(missing)}", file=sys.stderr)
        return 2
    jobs = _jobs(options)
    if not jobs:
        print("no files", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        rows = _measured(jobs, options, options.keep or Path(folder))
    if options.details:
        with options.details.open("w", encoding="utf-8") as out:
            for row in rows:
                for fault in row.faults:
                    out.write(json.dumps({"file": row.name, **fault}, ensure_ascii=False) + "\n")
    report = _report(rows, len(jobs))
    options.output.parent.mkdir(exist_ok=True)
    options.output.write_text(report, encoding="utf-8")
    print(report)
    return 0


def _jobs(options: argparse.Namespace) -> list[Job]:
    places = [(options.corpus / name, name) for name in options.folders.split(",") if name]
    places += [(folder, folder.name) for folder in options.also]
    found = [Job(file, name) for folder, name in places for file in sorted(folder.glob("*.pdf"))]
    if options.files and options.files < len(found):
        found = sorted(random.Random(7).sample(found, options.files), key=lambda job: job.file)
    chosen = [job for job in found if job.group != "hard"]
    chosen = random.Random(11).sample(chosen, min(options.turned, len(chosen)))
    jobs = [*found, *(Job(job.file, "turned", 90 if n % 2 else 270) for n, job in enumerate(chosen))]
    return random.Random(13).sample(jobs, len(jobs))


def _measured(jobs: list[Job], options: argparse.Namespace, folder: Path) -> list[Row]:
    """The rows of all files that are kept or measured now; an interrupt ends with those that are done."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [row for job in jobs if (row := _looked_up(job.kept(folder, options))) is not None]
    missing = [job for job in jobs if not job.kept(folder, options).exists()]
    if options.report:
        print(f"{len(missing)} of {len(jobs)} files are not measured", file=sys.stderr)
        return rows
    pool = ThreadPoolExecutor(options.jobs)
    until = time.monotonic() + options.seconds if options.seconds else math.inf

    def in_time(job: Job) -> Row | None:
        return measure(job, options) if time.monotonic() < until else None

    try:
        tasks = {pool.submit(in_time, job): job for job in missing}
        for future in as_completed(tasks):
            row = future.result()
            if row is None:
                continue
            rows.append(row)
            tasks[future].kept(folder, options).write_text(json.dumps(vars(row)), encoding="utf-8")
            score = row.word_f1 if row.word_f1 is not None else float("nan")
            print(
                f"{len(rows):4}/{len(jobs)} {row.status:8} glued {len(row.of_kind('glued')):4} torn "
                f"{len(row.of_kind('torn')):4} F1 {score:.4f} sections {row.sections['differ']} of {row.sections['stretches']} "
                f"quotes missed {sum('quote' in fault['kind'] for fault in row.faults)} {row.name}",
                file=sys.stderr,
                flush=True,
            )
    except KeyboardInterrupt:
        print(f"interrupted: {len(rows)} of {len(jobs)} files", file=sys.stderr)
    pool.shutdown(wait=False, cancel_futures=True)
    return rows


def _looked_up(file: Path) -> Row | None:
    if not file.exists():
        return None
    known = json.loads(file.read_text("utf-8"))
    counts = {name: Counter(known.pop(name)) for name in ("separators", "sections", "quotes")}
    return Row(**known, **counts)


def measure(job: Job, options: argparse.Namespace) -> Row:
    """One file against the outside readers."""
    row, timeout = Row(job.file.name, job.group), options.timeout
    with tempfile.TemporaryDirectory() as folder:
        row.of = _page_count(job.file, timeout)
        pages = sample(row.of, TURNED_PAGES if job.turned else options.pages)
        part = bool(job.turned) or row.of > options.whole
        file = _copied(job, pages, Path(folder)) if part else job.file
        if file is None:
            row.status = "not copied"
            return row
        pages = list(range(1, len(pages) + 1)) if part else pages
        sheets = {sheet.number: sheet for sheet in _outside.sheets(file, pages, timeout)} if pages else {}
        plain = job.group == "hard" or bool(job.turned)
        quotes = [] if plain else _text_quotes.taken(file, sheets, timeout)
        try:
            ours = _library.asked(file, pages, quotes, timeout, sections=not (plain or part))
        except subprocess.TimeoutExpired:
            row.status = "timeout"
            return row
        except subprocess.CalledProcessError:
            row.status = "refused"
            return row
        _compare(row, file, sheets, ours, quotes, timeout)
    return row


def _compare(
    row: Row,
    file: Path,
    sheets: dict[int, _outside.Sheet],
    ours: dict[str, Any],
    quotes: list[dict[str, Any]],
    timeout: float,
) -> None:
    texts = {page["page"]: page["text"] for page in ours["pages"]}
    row.pages = len(texts)
    for number, text in texts.items():
        if number in sheets:
            counts, faults = _text_separators.compare(sheets[number], text)
            row.separators += counts
            row.faults += faults
    row.faults += _words(row, file, texts, sheets, timeout)
    if ours["nodes"]:
        row.sections, faults = _text_sections.compare(ours, sheets)
        row.faults += faults
    if quotes:
        row.quotes, faults = _text_quotes.judged(quotes, ours["quotes"])
        row.faults += faults


def _page_count(file: Path, timeout: float) -> int:
    done = subprocess.run(["pdfinfo", str(file)], capture_output=True, timeout=timeout, check=False)
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    return next((int(line.split()[1]) for line in lines if line.startswith("Pages:")), 0)


def sample(count: int, most: int) -> list[int]:
    """Up to ``most`` of ``count`` pages, in runs of pages that follow one another, evenly spread."""
    if count <= most:
        return list(range(1, count + 1))
    each = max(1, most // RUNS)
    starts = [1 + round((count - each) * (2 * run + 1) / (2 * RUNS)) for run in range(RUNS)]
    return sorted({page for start in starts for page in range(start, start + each)})


def _copied(job: Job, pages: list[int], folder: Path) -> Path | None:
    """A copy of some pages, displayed turned if the job says so."""
    import pikepdf

    target = folder / job.file.name
    try:
        with pikepdf.open(job.file) as pdf, pikepdf.new() as copy:
            for number in pages:
                copy.pages.append(pdf.pages[number - 1])
            for page in copy.pages if job.turned else ():
                page.rotate(job.turned, relative=True)
            copy.save(target)
    except (pikepdf.PdfError, IndexError):
        return None
    return target


def _words(
    row: Row, file: Path, texts: dict[int, str], sheets: dict[int, _outside.Sheet], timeout: float
) -> list[dict[str, Any]]:
    """F1 of our tokens against poppler's words, summed over the pages looked at, and page by page against the nearer one of poppler's and
    MuPDF's, which part formulas, code and right-to-left text in ways of their own; and the pages that differ from both."""
    theirs = _outside.words(file, list(texts), timeout)
    against, nearer = [0, 0], [0, 0]
    faults = []
    for number, text in texts.items():
        own = Counter(_outside.tokens(text))
        other = theirs.get(number, Counter())
        lines = sheets[number].lines if number in sheets else []
        third = Counter(_outside.tokens("\n".join(line.text for line in lines)))
        best = max(other, third, key=lambda words: _f1(own, words))
        for counts, words in ((against, other), (nearer, best)):
            counts[0] += 2 * (own & words).total()
            counts[1] += own.total() + words.total()
        if _f1(own, best) < LEAST_F1:
            only = {"ours": own - best, "theirs": best - own}
            parts = {name: [word for word, _ in part.most_common(12)] for name, part in only.items()}
            faults.append({"kind": "words", "page": number, "f1": round(_f1(own, best), 4), "of": own.total(), **parts})
    row.word_f1 = against[0] / against[1] if any(words.total() for words in theirs.values()) else None
    row.nearer_f1 = nearer[0] / nearer[1] if nearer[1] else None
    return faults


def _f1(one: Counter[str], other: Counter[str]) -> float:
    both = one.total() + other.total()
    return 2 * (one & other).total() / both if both else 1.0


def _report(rows: list[Row], jobs: int) -> str:
    good = [row for row in rows if row.status == "ok"]
    out = [
        "# The page's text",
        "",
        "Against outside programs: MuPDF's characters with their places (`mutool`), poppler's words and paragraphs (`pdftotext`). "
        f"{len(rows)} of {jobs} files are measured, in the order of a fixed shuffle; {len(good)} gave text; {sum(row.pages for row in good):,} pages of {sum(row.of for row in good):,} "
        "looked at, in runs of pages that follow one another.",
        "",
        "| files | number | pages | separators checked (of seen) | glued | torn | pages with one | files with one "
        "| word F1 against poppler: median | worst tenth | against the nearer of two readers: median | worst tenth |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    groups = list(dict.fromkeys(row.group for row in good))
    sound = [row for row in good if row.group != "hard"]
    for name, part in [
        ("all", good),
        ("all but hard", sound),
        *((group, [row for row in good if row.group == group]) for group in groups),
    ]:
        out.append(_separator_row(name, part))
    out += ["", *_text_sections.table(_total(row.sections for row in good))]
    out += ["", *_text_quotes.table(_total(row.quotes for row in good))]
    return "\n".join(out) + "\n"


def _separator_row(name: str, part: list[Row]) -> str:
    counts = _total(row.separators for row in part)
    scores = [_middle_and_tenth([row.word_f1 for row in part]), _middle_and_tenth([row.nearer_f1 for row in part])]
    faults = [(row.name, fault["page"]) for row in part for fault in row.of_kind("glued", "torn")]
    return (
        f"| {name} | {len(part)} | {sum(row.pages for row in part):,} | {counts['checked']:,} "
        f"({counts['checked'] / max(counts['seen'], 1):.1%}) | {sum(len(row.of_kind('glued')) for row in part)} | "
        f"{sum(len(row.of_kind('torn')) for row in part)} | {len(set(faults))} | {len({file for file, _ in faults})} | "
        f"{' | '.join(scores)} |"
    )


def _middle_and_tenth(scores: list[float | None]) -> str:
    known = [score for score in scores if score is not None]
    if len(known) < 2:
        return f"{known[0]:.4f} | –" if known else "– | –"
    return f"{median(known):.4f} | {quantiles(known, n=10, method='inclusive')[0]:.4f}"


def _total(counts: Iterable[Counter[str]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for each in counts:
        total.update(each)
    return total
