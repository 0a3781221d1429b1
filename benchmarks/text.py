"""Is the page's text the page? Anchor, sections and quotes against what other programs see: MuPDF's characters, poppler's words.

Needs ``mutool`` and ``pdftotext`` on PATH. The package is asked through its public client in a process of its own; nothing that
measures is shared with it.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from benchmarks import _outside, _text_quotes, _text_sections

RESULT = Path(__file__).parent / "results" / "text.md"

WINDOW = 6  #: Characters on each side by which a place is found again in our text.
PAGES = 24  #: Of each file, evenly spread.


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--folders", default="dev/orig,dev2/orig,qa/pdf,hard", help="folders of the corpus, by commas")
    parser.add_argument("--files", type=int, default=0, help="so many files at most, drawn by a fixed seed; 0: all")
    parser.add_argument("--turned", type=int, default=50, help="files of which turned copies are measured too")
    parser.add_argument("--timeout", type=float, default=600.0, help="seconds a file")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--details", type=Path, help="write every fault as JSON lines here")
    parser.add_argument("--output", type=Path, default=RESULT)


@dataclass
class Row:
    """What was found in one file."""

    name: str
    group: str
    status: str = "ok"
    pages: int = 0
    boundaries: int = 0
    checked: int = 0
    glued: list[dict[str, Any]] = field(default_factory=list)
    torn: list[dict[str, Any]] = field(default_factory=list)
    word_f1: float | None = None
    sections: Counter[str] = field(default_factory=Counter)
    quotes: Counter[str] = field(default_factory=Counter)
    faults: list[dict[str, Any]] = field(default_factory=list)

    @property
    def faulty_pages(self) -> int:
        return len({fault["page"] for fault in (*self.glued, *self.torn)})


def run(options: argparse.Namespace) -> int:
    if missing := _outside.missing_programs():
        print(f"not on PATH: {', '.join(missing)}", file=sys.stderr)
        return 2
    files = _files(options)
    if not files:
        print("no files", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        jobs = [*files, *_turned(files, options.turned, Path(folder))]
        rows = _measured(jobs, options)
    if options.details:
        with options.details.open("w", encoding="utf-8") as out:
            for row in rows:
                for fault in (*row.glued, *row.torn, *row.faults):
                    out.write(json.dumps({"file": row.name, **fault}, ensure_ascii=False) + "\n")
    report = _report(rows)
    options.output.parent.mkdir(exist_ok=True)
    options.output.write_text(report, encoding="utf-8")
    print(report)
    return 0


def _measured(jobs: list[tuple[Path, str]], options: argparse.Namespace) -> list[Row]:
    """The rows of all files; an interrupt ends with those that are done."""
    rows: list[Row] = []
    pool = ThreadPoolExecutor(options.jobs)
    try:
        for future in as_completed([pool.submit(measure, *job, options.timeout) for job in jobs]):
            row = future.result()
            rows.append(row)
            score = row.word_f1 if row.word_f1 is not None else float("nan")
            print(
                f"{len(rows):4}/{len(jobs)} {row.status:8} glued {len(row.glued):4} torn {len(row.torn):4} F1 {score:.4f} "
                f"{dict(row.sections)} {dict(row.quotes)} {row.name}",
                file=sys.stderr,
            )
    except KeyboardInterrupt:
        print(f"interrupted: {len(rows)} of {len(jobs)} files", file=sys.stderr)
    pool.shutdown(wait=False, cancel_futures=True)
    return rows


def _files(options: argparse.Namespace) -> list[tuple[Path, str]]:
    found = [
        (file, folder)
        for folder in options.folders.split(",")
        for file in sorted((options.corpus / folder).glob("*.pdf"))
    ]
    if options.files and options.files < len(found):
        found = sorted(random.Random(7).sample(found, options.files))
    return found


def _turned(files: list[tuple[Path, str]], count: int, folder: Path) -> Iterator[tuple[Path, str]]:
    """Copies of some files, whose pages are displayed turned by 90 or 270 degrees."""
    import pikepdf

    chosen = [file for file, group in files if group != "hard"]
    for number, file in enumerate(sorted(random.Random(11).sample(chosen, min(count, len(chosen))))):
        target = folder / f"turned-{file.name}"
        try:
            with pikepdf.open(file) as pdf:
                for page in list(pdf.pages)[PAGES:]:
                    del pdf.pages[pdf.pages.index(page)]
                for page in pdf.pages:
                    page.rotate(90 if number % 2 else 270, relative=True)
                pdf.save(target)
        except pikepdf.PdfError:
            continue
        yield target, "turned"


def measure(file: Path, group: str, timeout: float) -> Row:
    """One file against the outside readers."""
    row = Row(file.name, group)
    command = [sys.executable, "-m", "benchmarks._library", str(file)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=timeout, check=True, cwd=Path(__file__).parents[1])
    except subprocess.TimeoutExpired:
        row.status = "timeout"
        return row
    except subprocess.CalledProcessError:
        row.status = "refused"
        return row
    ours = json.loads(done.stdout)
    texts = {page["page"]: page["text"] for page in ours["pages"]}
    row.pages = len(texts)
    step = max(1, len(texts) // PAGES)
    sample = sorted(texts)[step // 2 :: step][:PAGES]
    views = list(_outside.sheets(file, sample, timeout))
    for sheet in views:
        if sheet.number in texts:
            _separators(row, sheet, texts[sheet.number])
    row.word_f1 = _word_f1(file, texts, timeout)
    if group not in ("hard", "turned"):
        row.sections, faults = _text_sections.compare(file, ours, timeout)
        row.faults += faults
        row.quotes, faults = _text_quotes.compare(file, len(texts), timeout)
        row.faults += faults
    return row


def _separators(row: Row, sheet: _outside.Sheet, text: str) -> None:
    """Separators of one page: where MuPDF's characters stand apart ours must be apart, where they touch ours must touch."""
    solid, apart = _solid(text)
    for line in sheet.lines:
        pairs = _outside.gaps(line)
        units = (
            [_outside.plain(pairs[0][0].char), *(_outside.plain(right.char) for _, right, _, _ in pairs)]
            if pairs
            else []
        )
        whole = "".join(units)
        at = len(units[0]) if units else 0
        for (_, right, gap, spaced), unit in zip(pairs, units[1:], strict=True):
            wide, close = gap >= _outside.APART, gap < _outside.TOGETHER and not spaced
            if wide or close:
                row.boundaries += 1
                verdict = _separated(solid, apart, whole[max(0, at - WINDOW) : at], whole[at : at + WINDOW])
                if verdict is not None:
                    row.checked += 1
                    fault = {
                        "page": sheet.number,
                        "left": whole[max(0, at - 12) : at],
                        "right": whole[at : at + 12],
                        "gap": round(gap, 2),
                    }
                    if wide and verdict is False:
                        row.glued.append({"kind": "glued", **fault})
                    elif close and verdict is True and right.char.isalnum():
                        row.torn.append({"kind": "torn", **fault})
            at += len(unit)


def _solid(text: str) -> tuple[str, set[int]]:
    """Our text without white space, and the places in it before which white space stood."""
    out: list[str] = []
    apart: set[int] = set()
    length = 0
    for part in _outside.plain(text).split():
        apart.add(length)
        out.append(part)
        length += len(part)
    return "".join(out), apart


def _separated(solid: str, apart: set[int], left: str, right: str) -> bool | None:
    """Whether our text has a separator between two pieces; None where they are not found, or found both ways."""
    if len(left) + len(right) < 4:
        return None
    verdicts, at = set(), solid.find(left + right)
    while at >= 0 and len(verdicts) < 2:
        verdicts.add(at + len(left) in apart)
        at = solid.find(left + right, at + 1)
    return verdicts.pop() if len(verdicts) == 1 else None


def _word_f1(file: Path, texts: dict[int, str], timeout: float) -> float | None:
    """F1 of our tokens against poppler's words, page by page, summed over the file."""
    theirs = _outside.words(file, timeout)
    shared = mine = others = 0
    for number, text in texts.items():
        own = Counter(_outside.plain(text).split())
        other = theirs.get(number, Counter())
        shared += (own & other).total()
        mine, others = mine + own.total(), others + other.total()
    return 2 * shared / (mine + others) if others else None


def _report(rows: list[Row]) -> str:
    good = [row for row in rows if row.status == "ok"]
    out = [
        "# The page's text",
        "",
        "Against outside programs: MuPDF's characters with their places (`mutool`), poppler's words and paragraphs (`pdftotext`). "
        f"{len(good)} of {len(rows)} files gave text; {sum(row.pages for row in good):,} pages; separators on up to {PAGES} pages of each.",
        "",
        "| files | number | separators checked (of seen) | glued | torn | files with one | word F1 median | worst tenth |",
        "|---|---|---|---|---|---|---|---|",
    ]
    groups = list(dict.fromkeys(row.group for row in good))
    for name, part in [("all", good), *((group, [row for row in good if row.group == group]) for group in groups)]:
        checked, seen = sum(row.checked for row in part), sum(row.boundaries for row in part)
        scores = [row.word_f1 for row in part if row.word_f1 is not None]
        tenth = quantiles(scores, n=10)[0] if len(scores) > 1 else float("nan")
        out.append(
            f"| {name} | {len(part)} | {checked:,} ({checked / max(seen, 1):.1%}) | {sum(len(row.glued) for row in part)} | "
            f"{sum(len(row.torn) for row in part)} | {sum(bool(row.glued or row.torn) for row in part)} | "
            f"{median(scores) if scores else float('nan'):.4f} | {tenth:.4f} |"
        )
    out += ["", *_text_sections.table(sum((row.sections for row in good), Counter()))]
    out += ["", *_text_quotes.table(sum((row.quotes for row in good), Counter()))]
    return "\n".join(out) + "\n"
