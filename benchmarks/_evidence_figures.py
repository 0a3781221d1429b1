"""Cells of the tables of random filing pages, and claims about them, against what another program sees on those pages."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from benchmarks._claims import trials
from benchmarks._evidence_tables import generated
from benchmarks._printed_tables import PrintedPage, PrintedRow, Value, filings, pages
from pageindex.document import Edition
from pageindex.evidence import NumberStatus, Table, check_claims, check_number, parse_claims, tables_on
from pageindex.reading.pdf.characters import characters

#: Kinds of false claims that say something words and figures only partly show; they are listed apart.
BESIDE = ("false: direction", "false: negation", "false: calculation", "false: magnitude left out")
MOST_FALSE, FEWEST_DECLARED, FEWEST_WRITTEN, FEWEST_CELLS = 0.005, 0.99, 0.92, 0.97


@dataclass
class Figures:
    """A section of the result, what was missed, and whether a target was."""

    text: str
    misses: list[dict[str, object]] = field(default_factory=list)
    failed: bool = False


def measured_cells(corpus: Path, read: Callable[[Path], Edition], seed: int, per_file: int = 4) -> Figures:
    """Every value of plain rows: in our tables under the same label, as printed, under the year that stands over it."""
    count: Counter[str] = Counter()
    misses: list[dict[str, object]] = []
    rng = random.Random(seed)
    for page, edition in _drawn(corpus, read, rng, per_file):
        source = lambda number, path=page.path: characters(path, number)  # noqa: E731
        found = tables_on(edition, page.number, source)
        count["pages"] += 1
        for row in page.rows:
            for value in row.values:
                fault = _fault(found, row, value)
                count["cells"] += 1
                count["dated"] += value.year is not None
                count[fault or "right"] += 1
                if fault:
                    misses.append(
                        {
                            "part": "cells",
                            "file": page.path.name,
                            "page": page.number,
                            "row": row.label,
                            "value": value.text,
                            "fault": fault,
                        }
                    )
    share = count["right"] / max(1, count["cells"])
    faults = ", ".join(f"{name} {count[name]}" for name in ("no such row", "another value", "another column"))
    text = (
        f"## Cells\n*Filings.* Target ≥ {FEWEST_CELLS:.0%}, aim 99 %; reached **{share:.2%}** of {count['cells']:,} cells on {count['pages']} random pages of filings with tables "
        f"({count['dated']:,} of them under a year). The truth is poppler's words and their places, for rows of a label and values. Faults: {faults}."
    )
    return Figures(text, misses, share < FEWEST_CELLS)


def _drawn(
    corpus: Path, read: Callable[[Path], Edition], rng: random.Random, per_file: int
) -> Iterator[tuple[PrintedPage, Edition]]:
    for path in filings(corpus):
        edition: Edition | None = None
        for page in pages(path, per_file, rng):
            edition = edition or read(path)
            yield page, edition


def _fault(found: tuple[Table, ...], row: PrintedRow, value: Value) -> str:
    wanted = _letters(row.label)
    rows = [(table, r) for table in found for r in table.rows if _letters(r.label) == wanted]
    rows = rows or [
        (table, r)
        for table in found
        for r in table.rows
        if _letters(r.label) and (_letters(r.label).endswith(wanted) or _letters(r.label).startswith(wanted))
    ]  # a label over two lines
    if not rows:
        return "no such row"
    places = [
        (t, i) for t, r in rows for i, cell in enumerate(r.cells) if cell and _figure(cell.text) == _figure(value.text)
    ]
    if not places:
        return "another value"
    return "" if value.year is None or any(value.year in t.columns[i].header for t, i in places) else "another column"


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def _figure(text: str) -> str:
    return re.sub(r"[\s$€£%]|\([a-z]\)", "", text).replace("—", "-").replace("–", "-").replace("−", "-")


def measured_drawn(seed: int, cache: Path) -> Figures:
    """Numbers named by row and column in tables drawn by code: right ones accepted, those of another row or column refused."""
    count: Counter[str] = Counter()
    misses: list[dict[str, object]] = []
    for trial in generated(seed, cache):
        for kind, declared, located, edition, source in trial:
            check = check_number(declared, edition, [located], source)
            good = (check.status is NumberStatus.OK) == (kind == "right")
            count[kind] += 1
            count[f"{kind} as wanted"] += good
            if not good:
                misses.append(
                    {
                        "part": "cells",
                        "kind": kind,
                        "declared": str(declared),
                        "status": check.status,
                        "message": check.message,
                    }
                )
    right, column, row = (count[f"{kind} as wanted"] / max(1, count[kind]) for kind in ("right", "column", "row"))
    text = (
        "*Drawn tables* (stacked headers, sections, repeated labels, blank cells, currency columns), a number declared with its row and column:\n\n"
        "| right cells | accepted | wrong column | caught | wrong row | caught |\n|---|---|---|---|---|---|\n"
        f"| {count['right']:,} | {right:.1%} | {count['column']:,} | {column:.2%} | {count['row']:,} | {row:.2%} |"
    )
    return Figures(text, misses, min(column, row) < 1)


def measured_claims(
    corpus: Path, read: Callable[[Path], Edition], seed: int, per_file: int = 4, per_kind: int = 3
) -> Figures:
    """True and false claims about the figures of random filing pages."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    misses: list[dict[str, object]] = []
    rng = random.Random(seed)
    for page, edition in _drawn(corpus, read, rng, per_file):
        source = lru_cache(maxsize=4)(lambda number, path=page.path: characters(path, number))
        for trial in trials(page, rng, per_kind):
            result = check_claims(edition, parse_claims({"claims": [trial.claim]}), characters=source)
            verdict = result.verdict.value
            counts[trial.kind][verdict] += 1
            if trial.true != (verdict == "PASS"):
                misses.append({"part": "claims", "kind": trial.kind, "file": page.path.name, "page": page.number, "claim": trial.claim, "verdict": verdict, "uncovered": result.to_json()["claims"][0]["uncovered"]})  # fmt: skip
    return _report(counts, misses)


def _report(counts: dict[str, Counter[str]], misses: list[dict[str, object]]) -> Figures:
    def share(group: str) -> tuple[float, int]:
        kinds = [count for kind, count in counts.items() if kind.startswith(group) and kind not in BESIDE]
        total = sum(sum(count.values()) for count in kinds)
        return sum(count["PASS"] for count in kinds) / max(1, total), total

    declared, written, false = share("declared"), share("written"), share("false")
    rows = [
        f"| {kind} | {sum(count.values()):,} | {count['PASS']:,} | {count['PARTIAL'] + count['NEEDS_REVIEW']:,} | {count['FAIL']:,} |"
        for kind, count in sorted(counts.items())
    ]
    text = "\n".join(
        [
            "## Claims",
            "About figures of random filing pages; the truth is poppler's words and their places. Magnitudes left out, directions, negations and empty calculations are "
            "listed, and not counted among the false claims.",
            "",
            "| | claims | PASS | target | aim |\n|---|---|---|---|---|",
            f"| false in number, column, unit, currency, magnitude, period, sign or row | {false[1]:,} | **{false[0]:.2%}** | ≤ {MOST_FALSE:.1%} | 0 |",
            f"| true, declared as documented | {declared[1]:,} | **{declared[0]:.1%}** | ≥ {FEWEST_DECLARED:.0%} | 99.5 % |",
            f"| true, as people write them | {written[1]:,} | **{written[0]:.1%}** | ≥ {FEWEST_WRITTEN:.0%} | 96 % |",
            "",
            "| kind | claims | PASS | review | FAIL |\n|---|---|---|---|---|",
            *rows,
        ]
    )
    failed = false[0] > MOST_FALSE or declared[0] < FEWEST_DECLARED or written[0] < FEWEST_WRITTEN
    return Figures(text, misses, failed)
