"""What a question costs: tokens that a reader spends until the answer's passage has been delivered.

Without foreknowledge, which is how a reader is: ``search_documents`` with the question as it is asked; what it delivers are the best passages of
the pages that it finds. Where the answer's passage is not among them, the pages found are read in the order of their rank, until it is. Who
has not found it by then, or has spent the full budget, is counted with the full budget of 10,000 tokens. The answer's passage are the lines
of an answer page that print the numbers of the answer, or most of its words; all of the page where it prints neither (``_answer_places``). A page
without text, which the search names, counts when it is opened. The weights are the ones in the package, which were learned from questions of these
sets (``train_search`` says what that is worth).

With foreknowledge, which no reader has, the document and its answer pages are known (an oracle; it tells what the tools cost when used at their best):

- *whole*: the whole document is sent.
- *outline + pages*: the whole outline, then the answer pages, whole. This is how the public package works: the outline is one reply
  without a limit, paid on every question. Our own trees stand in for its trees, in its JSON and without summaries, which makes it cheaper
  than it is with them.
- *slices + pages*: our tools. The outline is opened slice by slice (``get_document_structure``, within the reply's budget; with
  *levels*, one level at a time) until the section of each answer page is visible, then the pages are read.

Tokens are those of the text that a model is sent: tool replies as chat renders them, next steps included.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks._answer_places import answer_passages
from benchmarks._plot import bars, figure, lines
from benchmarks._qa import SETS, Question, documents, library_of, questions
from pageindex.chat.rendering import render
from pageindex.document import Edition, Passage, Position, Tree
from pageindex.document.codec import encode_json, section_to_json
from pageindex.document.pagespec import format_pages
from pageindex.store.base import Library
from pageindex.text.tokens import count_tokens, method
from pageindex.tools import Reader, call_tool

__all__ = ["add_arguments", "run"]

HERE = Path(__file__).parent / "results"
READERS = ("whole", "outline + pages", "slices + pages", "levels + pages")
FULL_BUDGET = 10_000  #: Tokens that a reader has for a question.
TARGETS = {"financebench": (3_000, 2_000), "mmlongbench": (2_500, 1_500)}
_GROWTH = (10, 20, 50, 100, 200, 500)
_TARGETS = 20  # evidence pages per length, spread evenly


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--cache", type=Path, help="a file in which editions and trees are kept between runs")
    long_help = "comma-separated files of 500 pages or more, for the growth of costs; those of the corpus unless given"
    parser.add_argument("--long", help=long_help)


def run(options: argparse.Namespace) -> int:
    """Measure, write the table and the plot; 2 without a corpus."""
    if options.corpus is None:
        print("--corpus is needed")
        return 2
    every = list(questions(options.corpus))
    made = documents(options.corpus, sorted({question.file for question in every}), options.cache)
    asked = [question for question in every if any(page.text.strip() for page in made[question.file][0].pages)]
    library = library_of(made)
    sought = [_sought(library, made, question) for question in asked]
    costs = [_costs(library, made, question) for question in asked]
    growth = _growth(options.corpus, options.long.split(",") if options.long else _long_files(options.corpus))
    text = _report(asked, costs, made, growth, len(every) - len(asked), _sought_table(asked, sought))
    print(text)
    HERE.mkdir(exist_ok=True)
    (HERE / "selective.md").write_text(text, encoding="utf-8")
    (HERE / "selective.svg").write_text(_plot(sought, asked, costs, growth), encoding="utf-8")
    return 0


# ---------------------------------------------------------------- readers


@dataclass
class _Reader:
    """Calls tools and adds up what their replies cost."""

    session: Reader
    spent: int = 0

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        reply = call_tool(self.session, name, arguments)
        if "error" in reply:
            raise RuntimeError(f"{name}({arguments}): {reply['error']}")
        self.spent += count_tokens(render(reply))
        return reply

    def read(self, pages: Iterable[int]) -> None:
        """All of some pages, over as many replies as it takes; pages without text cost every reader the same and are left out."""
        edition = self.session.open(None).edition
        wanted = [page for page in pages if edition.page(page).state.readable and edition.page(page).text.strip()]
        if not wanted:
            return
        reply = self.call("get_page_content", pages=format_pages(wanted))
        while reply["omitted"]:
            step = reply["next_steps"]["options"][0]
            reply = self.call(step["tool"], **{k: v for k, v in step["arguments"].items() if k != "doc_name"})

    def open_to(self, tree: Tree, wanted: set[str], depth: int | None) -> None:
        """Open the outline until every wanted section is visible."""
        queue: list[dict[str, Any]] = [{}]
        while queue and wanted:
            arguments = queue.pop(0)
            reply = self.call("get_document_structure", **arguments, **({"depth": depth} if depth else {}))
            seen = {row["node_id"]: row for row in _rows(reply["structure"])}
            wanted -= seen.keys()
            closed = [node for node, row in seen.items() if "children" in row]
            queue += [{"node_id": node} for node in closed if any(node in _path(tree, want) for want in wanted)]
            pagination = reply["pagination"]
            if pagination["has_more"] and any(not _path(tree, want) & seen.keys() for want in wanted):
                queue.insert(0, {**arguments, "part": pagination["part"] + 1})


def _rows(nodes: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    rows, stack = [], list(reversed(nodes))
    while stack:
        row = stack.pop()
        rows.append(row)
        stack.extend(reversed(row.get("nodes", ())))
    return rows


def _path(tree: Tree, node_id: str) -> set[str]:
    return {step.node_id for step in tree.path(node_id)}


def _costs(library: Library, made: Mapping[str, tuple[Edition, Tree]], question: Question) -> dict[str, float]:
    edition, tree = made[question.file]
    pages = [page for page in question.pages if 1 <= page <= edition.page_count]
    doc_id = library.resolve(Path(question.file).name).doc_id
    fresh = lambda: _Reader(Reader(library, [doc_id], omit_repeats=True))  # noqa: E731
    return {
        "whole": float(sum(count_tokens(page.text) for page in edition.pages)),
        "outline + pages": float(_outline_tokens(tree) + sum(count_tokens(edition.page(page).text) for page in pages)),
        "slices + pages": _navigated(fresh(), tree, pages, None),
        "levels + pages": _navigated(fresh(), tree, pages, 1),
    }


def _outline_tokens(tree: Tree) -> int:
    """The outline as one JSON reply: title, node_id, start_index, end_index, nodes."""
    kept = ("title", "node_id", "start_index", "end_index", "nodes")

    def bare(node: Mapping[str, Any]) -> dict[str, Any]:
        item = {key: node[key] for key in kept if key in node}
        return item | ({"nodes": [bare(child) for child in node["nodes"]]} if "nodes" in node else {})

    nodes = [bare(section_to_json(section)) for section in tree.sections]
    return count_tokens(encode_json(nodes).decode())


def _sections(tree: Tree, pages: Iterable[int]) -> set[str]:
    return {tree.at(Position(page, 0)).node_id for page in pages}


def _navigated(reader: _Reader, tree: Tree, pages: Sequence[int], depth: int | None) -> float:
    reader.open_to(tree, _sections(tree, pages), depth)
    reader.read(pages)
    return float(reader.spent)


@dataclass(frozen=True, slots=True)
class _Sought:
    """What it took to find an answer without foreknowledge.

    Attributes:
        first: Tokens until the passages of one answer page were delivered.
        last: Tokens until those of all answer pages were.
        at_once: Whether the search alone delivered the first.
        found, all_found: Whether they were delivered within the full budget.
    """

    first: int
    last: int
    at_once: bool
    found: bool
    all_found: bool


def _sought(library: Library, made: Mapping[str, tuple[Edition, Tree]], question: Question) -> _Sought:
    edition, tree = made[question.file]
    pages = [page for page in question.pages if 1 <= page <= edition.page_count]
    wanted = {page: answer_passages(question, edition, tree, page) for page in pages}
    session = Reader(library, [library.resolve(Path(question.file).name).doc_id], numbered=True, omit_repeats=True)
    reader = _Reader(session)
    reply = reader.call("search_documents", query=question.text)
    opened: set[int] = set()
    spent, states = [reader.spent], [_delivered(session, edition.id, wanted, opened)]
    for hit in reply["hits"]:
        if states[-1] and all(states[-1]):
            break
        if hit.get("whole"):
            continue
        reader.read([hit["page"]])
        opened.add(hit["page"])
        spent.append(reader.spent)
        states.append(_delivered(session, edition.id, wanted, opened))
    complete = len(wanted) == len(question.pages)
    first = next((tokens for tokens, state in zip(spent, states, strict=True) if any(state)), FULL_BUDGET)
    last = next((t for t, state in zip(spent, states, strict=True) if complete and state and all(state)), FULL_BUDGET)
    found, all_found = first < FULL_BUDGET, last < FULL_BUDGET
    return _Sought(min(first, FULL_BUDGET), min(last, FULL_BUDGET), any(states[0]), found, all_found)


def _delivered(session: Reader, edition: str, wanted: Mapping[int, Sequence[Passage]], opened: set[int]) -> list[bool]:
    """For each answer page, whether its passages have been delivered; one without text is when it was opened, and seen to be a picture."""
    return [
        all(session.was_delivered(edition, one.page, one.start, one.end) for one in passages)
        if passages
        else page in opened
        for page, passages in wanted.items()
    ]


# ---------------------------------------------------------------- growth


def _long_files(corpus: Path) -> list[str]:
    """The documents of the dev set that have as many pages as the longest cut."""
    manifest = corpus / "dev" / "manifest.json"
    entries = json.loads(manifest.read_text()) if manifest.exists() else []
    return [entry["files"]["orig"] for entry in entries if entry["pages"] >= _GROWTH[-1]]


def _growth(corpus: Path, files: Sequence[str]) -> dict[str, list[tuple[float, float]]]:
    """Mean cost of one page of evidence in the first 10, 20, … pages of long documents."""
    series: dict[str, list[tuple[float, float]]] = {reader: [] for reader in READERS}
    if not files:
        return series
    made = documents(corpus, files, None)
    for length in _GROWTH:
        sums: dict[str, list[float]] = {reader: [] for reader in series}
        for file, (edition, _) in made.items():
            if edition.page_count >= length:
                for reader, values in _cut_costs(file, edition, length).items():
                    sums[reader] += values
        for reader, values in sums.items():
            series[reader].append((float(length), statistics.mean(values)))
    return series


def _cut_costs(file: str, edition: Edition, length: int) -> dict[str, list[float]]:
    from pageindex.structure import build_tree

    lines_kept = tuple(line for line in edition.lines if line.page <= length)
    bookmarks = tuple(mark for mark in edition.bookmarks if mark.page is not None and mark.page <= length)
    cut = replace(edition, pages=edition.pages[:length], lines=lines_kept, bookmarks=bookmarks, links=(), tags=())
    made = {file: (cut, build_tree(cut))}
    library = library_of(made)
    step = max(1, length // _TARGETS)
    written = [page.number for page in cut.pages[step // 2 :: step] if page.text.strip()]
    asked = [Question("", file, "", (page,), "", "") for page in written]
    readers: dict[str, list[float]] = {reader: [] for reader in READERS}
    doc_id = library.resolve(Path(file).name).doc_id
    tree = made[file][1]
    whole, outline = float(sum(count_tokens(page.text) for page in cut.pages)), _outline_tokens(tree)
    for question in asked:
        fresh: Callable[[], _Reader] = lambda: _Reader(Reader(library, [doc_id]))  # noqa: E731
        readers["whole"].append(whole)
        readers["outline + pages"].append(float(outline + count_tokens(cut.page(question.pages[0]).text)))
        readers["slices + pages"].append(_navigated(fresh(), tree, question.pages, None))
        readers["levels + pages"].append(_navigated(fresh(), tree, question.pages, 1))
    return readers


# ---------------------------------------------------------------- report


def _report(
    asked: Sequence[Question],
    costs: Sequence[Mapping[str, float]],
    made: Mapping[str, tuple[Edition, Tree]],
    growth: Mapping[str, Sequence[tuple[float, float]]],
    left_out: int,
    sought: str,
) -> str:
    pages = sum(edition.page_count for edition, _ in made.values())
    parts = [
        "# Selective reading: tokens per question",
        f"{len(asked)} questions over {len(made)} documents, {pages:,} pages; tokens by {method()}; {left_out} questions over documents "
        f"without any text, of which a search says so at once, are left out. {_doc(0)}",
        f"## Without foreknowledge\n\n{_doc(1)}",
        sought,
        f"## With foreknowledge: an oracle\n\n{_doc(2)}",
        _table(asked, costs),
        "![tokens per question](selective.svg)",
    ]
    if any(growth.values()):
        parts.append(_growth_table(growth))
    return "\n\n".join(parts) + "\n"


def _doc(part: int) -> str:
    """A part of this module's description: on tokens, without foreknowledge, with it."""
    paragraphs = (__doc__ or "").strip().split("\n\n")
    chosen = ([paragraphs[-1]], [paragraphs[1]], paragraphs[2:-1])[part]
    return "\n\n".join(text if text.startswith("- ") else " ".join(text.split()) for text in chosen)


def _sought_table(every: Sequence[Question], sought: Sequence[_Sought]) -> str:
    rows = [
        "| set | questions | tokens to the answer's passage: mean | median | p95 | by the search alone | missed | target: at least, aim "
        "| tokens to the passages of all answer pages: mean | missed |",
        "|---|---:|---:|---:|---:|---:|---:|---|---:|---:|",
    ]
    for name, title in SETS.items():
        chosen = [one for question, one in zip(every, sought, strict=True) if question.set == name]
        first = [float(one.first) for one in chosen]
        cells = [
            title,
            len(chosen),
            f"**{statistics.mean(first):,.0f}**",
            f"{statistics.median(first):,.0f}",
            f"{_p95(first):,.0f}",
            f"{statistics.mean(one.at_once for one in chosen):.0%}",
            f"{statistics.mean(not one.found for one in chosen):.0%}",
            "{:,}, {:,}".format(*TARGETS[name]),
            f"{statistics.mean(one.last for one in chosen):,.0f}",
            f"{statistics.mean(not one.all_found for one in chosen):.0%}",
        ]
        rows.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(rows)


def _table(asked: Sequence[Question], costs: Sequence[Mapping[str, float]]) -> str:
    rows = ["| set | questions | figure | " + " | ".join(READERS) + " |", "|---|---|---|" + "---:|" * len(READERS)]
    for name, title in SETS.items():
        chosen = [cost for question, cost in zip(asked, costs, strict=True) if question.set == name]
        figures: dict[str, Callable[[Sequence[float]], float]] = {
            "mean": statistics.mean,
            "median": statistics.median,
            "p95": _p95,
        }
        for figure_name, figure_of in figures.items():
            cells = [f"{figure_of([cost[reader] for cost in chosen]):,.0f}" for reader in READERS]
            rows.append(f"| {title} | {len(chosen)} | {figure_name} | {' | '.join(cells)} |")
        shares = [statistics.mean(cost[reader] / cost["whole"] for cost in chosen) for reader in READERS]
        rows.append(
            f"| {title} | {len(chosen)} | share of the whole, mean | {' | '.join(f'{share:.1%}' for share in shares)} |"
        )
    return "\n".join(rows)


def _p95(values: Sequence[float]) -> float:
    return sorted(values)[round(0.95 * (len(values) - 1))]


def _growth_table(growth: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    names = list(growth)
    rows = [
        "As documents grow (oracle; mean tokens until one page of the first N pages of long documents is delivered):",
        "",
    ]
    rows += ["| pages | " + " | ".join(names) + " |", "|---:|" + "---:|" * len(names)]
    for index, (length, _) in enumerate(growth[names[0]]):
        rows.append(f"| {length:,.0f} | " + " | ".join(f"{growth[name][index][1]:,.0f}" for name in names) + " |")
    return "\n".join(rows)


def _plot(
    sought: Sequence[_Sought],
    asked: Sequence[Question],
    costs: Sequence[Mapping[str, float]],
    growth: Mapping[str, Sequence[tuple[float, float]]],
) -> str:
    groups = {}
    for name, title in SETS.items():
        found = [one.first for question, one in zip(asked, sought, strict=True) if question.set == name]
        chosen = [cost for question, cost in zip(asked, costs, strict=True) if question.set == name]
        oracle = {reader: statistics.mean(cost[reader] for cost in chosen) for reader in READERS}
        groups[title] = {"search": statistics.mean(found), **oracle}
    panels = [bars("Mean tokens per question", groups, "tokens")]
    if any(growth.values()):
        panels.append(lines("Tokens until a page is delivered (oracle)", growth, "tokens", "pages of the document"))
    return figure(panels)
