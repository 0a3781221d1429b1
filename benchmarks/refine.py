"""What refining saves a reader: token costs of the trees of real documents before and after merging, and after expanding.

Trees are built from ``bare`` copies (only what is printed is left). Expanding takes the documents' own outlines as proposals: a scripted
model replies to every prompt with the outline's entries on the pages in it, right or wrong, and the printed-heading validator and the cost
decide. Costs are those of ``pageindex.refine.cost``, in tokens and in pages; every one is also computed a second time, over the parts.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks._frontier import average_pages, expected_tokens, worst_pages, worst_tokens
from pageindex.config import Optimize, Settings, SummaryMode
from pageindex.document import Edition
from pageindex.errors import PageIndexError
from pageindex.llm import Request, ScriptedModel
from pageindex.reading import read
from pageindex.refine import Costs, Pricing, Refined, refine
from pageindex.structure import build_tree

__all__ = ["add_arguments", "run"]

RESULTS = Path(__file__).parent / "results" / "refine.md"
MERGE = Settings(optimize=Optimize.MERGE, summaries=SummaryMode.TEXT)
EXPAND = Settings(optimize=Optimize.FULL, summaries=SummaryMode.NONE, reply_tokens=8_000)


@dataclass(frozen=True, slots=True)
class Row:
    """One document: its costs in three states, those of its top level alone and expanded, and what it took."""

    id: str
    kind: str
    pages: int
    before: Costs
    merged: Costs
    expanded: Costs
    chapters: Costs
    from_chapters: Costs
    folded: int
    added: int
    refused: int
    cpu: float  # of refining without a model, seconds


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--copies", type=Path, help="folder of bare copies: <id>.pdf; the originals by default")
    parser.add_argument("--pages", type=int, default=2_000, help="leave out longer documents")
    parser.add_argument("--only", help="comma-separated ids or kinds")
    parser.add_argument("--check", action="store_true", help="write nothing")


def run(options: argparse.Namespace) -> int:
    """Refine every tree and write the table; 2 without a corpus, 1 when a document could not be read."""
    if options.corpus is None or not (options.corpus / "dev" / "manifest.json").exists():
        print("--corpus must name a folder with dev/manifest.json", file=sys.stderr)
        return 2
    wanted = set(options.only.split(",")) if options.only else None
    rows, failed = [], 0
    for entry in json.loads((options.corpus / "dev" / "manifest.json").read_text()):
        if entry["pages"] > options.pages or (wanted and not wanted & {entry["id"], entry["kind"]}):
            continue
        path = options.copies / f"{entry['id']}.pdf" if options.copies else options.corpus / entry["files"]["orig"]
        try:
            rows.append(_row(options, entry, path))
        except PageIndexError as error:
            print(f"{entry['id']}: {error.message}", file=sys.stderr)
            failed = 1
        else:
            print(_progress(rows[-1]), file=sys.stderr)
    report = _report(rows, "bare copies" if options.copies else "originals")
    print(report)
    if not options.check:
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(report + "\n")
    return failed


def _row(options: argparse.Namespace, entry: dict[str, Any], path: Path) -> Row:
    gold = json.loads((options.corpus / entry["files"]["gold"]).read_text())["outline"]
    edition = read(path)
    tree = build_tree(edition)
    list(edition.lines)  # parsed before the clock starts: reading is measured elsewhere
    began = time.process_time()
    merged = refine(edition, tree, MERGE)
    cpu = time.process_time() - began
    expanded = refine(edition, tree, EXPAND, ScriptedModel(_outline_as_model(gold), EXPAND))
    flat = replace(tree, sections=tuple(replace(section, children=()) for section in tree.sections))
    grown = refine(edition, flat, EXPAND, ScriptedModel(_outline_as_model(gold), EXPAND))
    for state in (merged, expanded, grown):
        _cross_check(edition, state)
    return Row(
        entry["id"],
        entry["kind"],
        edition.page_count,
        merged.before,
        merged.after,
        expanded.after,
        grown.before,
        grown.after,
        merged.merged,
        expanded.added,
        sum(refusal.reason != "already_in_tree" for refusal in expanded.refusals),
        cpu,
    )


def _outline_as_model(gold: Sequence[dict[str, Any]]) -> Callable[[Request], str]:
    def reply(request: Request) -> str:
        pages = {
            int(number) for number in re.findall(r"^\[page (\d+)\]$", request.messages[1]["content"], re.MULTILINE)
        }
        items = [
            {"title": item["title"], "page": item["page"], "level": item["level"]}
            for item in gold
            if item["page"] in pages
        ]
        return json.dumps({"headings": items})

    return reply


def _cross_check(edition: Edition, refined: Refined) -> None:
    """Fail when recursion and frontier disagree."""
    nodes, found = Pricing(edition).nodes(refined.tree.sections), refined.after
    same = (
        worst_tokens(nodes, 8_000) == found.worst
        and abs(expected_tokens(nodes, 8_000) - found.expected) < 1e-6 * max(1.0, found.expected)
        and worst_pages(nodes, 8_000) == found.worst_pages
        and abs(average_pages(nodes, 8_000) - found.average_pages) < 1e-6 * max(1.0, found.average_pages)
    )
    if not same:
        raise AssertionError(f"{edition.source.name}: the two computations of the costs disagree")


def _progress(row: Row) -> str:
    costs = " → ".join(f"{state.worst:,}/{state.expected:,.0f}" for state in (row.before, row.merged, row.expanded))
    return (
        f"{row.id[:40]:40} {row.pages:5} p  {costs}  -{row.folded} +{row.added} refused {row.refused}  {row.cpu:.2f} s"
    )


# ---------------------------------------------------------------- report


def _report(rows: Sequence[Row], variant: str) -> str:
    pages, cpu = sum(row.pages for row in rows), sum(row.cpu for row in rows)
    lines = [
        "### Refining",
        "",
        f"{len(rows)} documents of the dev corpus ({variant}), {pages:,} pages. Means over documents; tokens to find an answer. "
        f"Sections folded {sum(row.folded for row in rows):,}; added from the outlines {sum(row.added for row in rows):,}; "
        f"proposals refused {sum(row.refused for row in rows):,}. Recursion and frontier agree on every tree.",
        "",
        f"CPU of refining without a model: **{1000 * cpu / max(1, pages):.2f} s per 1,000 pages**.",
        "",
        "| | whole text | tree | merged | expanded | merged / tree | expanded / tree |",
        "|---|---|---|---|---|---|---|",
    ]
    figures: list[tuple[str, Callable[[Costs], float]]] = [
        ("worst tokens", lambda costs: costs.worst),
        ("expected tokens", lambda costs: costs.expected),
        ("outline tokens", lambda costs: costs.outline),
        ("worst pages", lambda costs: costs.worst_pages),
        ("average pages", lambda costs: costs.average_pages),
        ("sections", lambda costs: costs.sections),
    ]
    for name, figure in figures:
        whole = f"{statistics.mean(row.before.text for row in rows):,.0f}" if "tokens" in name else ""
        lines.append(f"| {name} | {whole} | {_cells(rows, figure)} |")
    lines += [
        "",
        "The same documents as if only their top level were known, expanded with their outlines' headings:",
        "",
        "| | top level | expanded | expanded / top level |",
        "|---|---|---|---|",
    ]
    for name, figure in figures:
        before, after = (
            [figure(costs) for costs in column]
            for column in zip(*((r.chapters, r.from_chapters) for r in rows), strict=True)
        )
        ratio = statistics.geometric_mean(max(a, 1e-9) / b for a, b in zip(after, before, strict=True) if b)
        lines.append(f"| {name} | {statistics.mean(before):,.1f} | {statistics.mean(after):,.1f} | {ratio:.3f} |")
    lines += [
        "",
        "| kind | documents | worst: merged / tree | expanded / tree | expected: merged / tree | expanded / tree |",
    ]
    lines.append("|---|---|---|---|---|---|")
    for kind in sorted({row.kind for row in rows}):
        group = [row for row in rows if row.kind == kind]
        ratios = [
            _ratio(group, figure, state)
            for figure in (figures[0][1], figures[1][1])
            for state in (lambda row: row.merged, lambda row: row.expanded)
        ]
        lines.append(f"| {kind} | {len(group)} | {' | '.join(f'{ratio:.3f}' for ratio in ratios)} |")
    return "\n".join(lines)


def _cells(rows: Sequence[Row], figure: Callable[[Costs], float]) -> str:
    states: Iterable[Callable[[Row], Costs]] = (lambda r: r.before, lambda r: r.merged, lambda r: r.expanded)
    means = [f"{statistics.mean(figure(state(row)) for row in rows):,.1f}" for state in states]
    ratios = [_ratio(rows, figure, lambda r: r.merged), _ratio(rows, figure, lambda r: r.expanded)]
    return " | ".join([*means, *(f"{ratio:.3f}" for ratio in ratios)])


def _ratio(rows: Sequence[Row], figure: Callable[[Costs], float], state: Callable[[Row], Costs]) -> float:
    """Geometric mean over documents of a figure after, divided by the figure before."""
    pairs = [(figure(state(row)), figure(row.before)) for row in rows]
    return statistics.geometric_mean(max(after, 1e-9) / before for after, before in pairs if before)
