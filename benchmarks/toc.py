"""Trees of real documents against their own outlines: headings, parents, levels, bookmarks kept, duplicates and CPU.

``--corpus`` is a folder with ``dev/`` (or another ``--part``: documents, their outlines as the truth, a manifest) and ``toc_eval.py`` (the scorer). The score
that counts is taken on ``bare`` copies, in which outline, tags, named destinations, labels and annotations are removed: only what is
printed is left. ``nobm`` lacks the outline alone; ``orig`` is the file as it is. Stripped copies are made in ``--cache`` when absent.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from functools import lru_cache, partial
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from benchmarks import _other, _toc_sources
from benchmarks._toc_faults import bookmark_figures, faults_of
from pageindex.structure.layout.features import FEATURES
from pageindex.structure.layout.model import MODEL_FILE, Trees

__all__ = ["add_arguments", "run"]

VARIANTS = ("bare", "nobm", "orig")
FIGURES = ("P@0", "R@0", "F1@0", "parent_acc", "edge_f1", "tes")
HEADS = ("P", "R", "heading F1", "parent", "edge F1", "tree-edit")
RESULTS = Path(__file__).parent / "results" / "toc.md"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--variants", default="bare", help="comma-separated: bare, nobm, orig")
    parser.add_argument(
        "--headings", choices=("tree", "layout"), default="tree", help="the whole tree, or layout alone"
    )
    parser.add_argument("--cache", type=Path, default=Path(".benchmark-cache"), help="stripped copies and predictions")
    parser.add_argument("--copies", type=Path, help="folder of stripped copies made before: <variant>/<id>.pdf")
    parser.add_argument("--part", default="dev", help="folder of the corpus: dev, dev2")
    parser.add_argument(
        "--sources",
        action="store_true",
        help="also score each source alone, and name documents where one beats the tree",
    )
    parser.add_argument("--only", help="comma-separated ids or kinds")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--worst", type=int, default=10, help="documents to explain")
    parser.add_argument("--tool", metavar="NAME=PYTHON", help=_other.HELP)
    parser.add_argument(
        "--folds", type=Path, help="models of 'train_headings --folds': each document by one that never saw it"
    )
    parser.add_argument("--timeout", type=float, default=120.0, help="wall seconds a document for --tool")
    parser.add_argument("--round", help="append the figures to benchmarks/results/toc.md under this title")


def run(options: argparse.Namespace) -> int:
    """Predict, score and report; 2 without a corpus, 1 when a document failed."""
    if options.corpus is None or not (options.corpus / options.part / "manifest.json").exists():
        print(f"--corpus must name a folder with {options.part}/manifest.json", file=sys.stderr)
        return 2
    scorer = load_scorer(options.corpus)
    manifest = selected(json.loads((options.corpus / options.part / "manifest.json").read_text()), options.only)
    failed, parts = 0, []
    for variant in options.variants.split(","):
        folder = options.cache / "predictions" / _who(options) / options.part / variant
        folder.mkdir(parents=True, exist_ok=True)
        predict_all(manifest, variant, folder, options)
        scores = scorer.run(manifest, str(options.corpus), str(folder))
        failed += sum(score["status"] != "ok" for score in scores)
        parts.append(report(variant, scores, scorer, folder, options))
        if options.sources:
            parts.append(_toc_sources.report(scores, scorer, folder, options.corpus / options.part / "gold"))
    text = "\n\n".join(parts) + "\n"
    print(text)
    if options.round:
        stamp = datetime.now(tz=UTC).strftime("%Y-%m-%d %H:%M")
        head = f"\n## {stamp} {options.round}\n\n"
        RESULTS.write_text((RESULTS.read_text() if RESULTS.exists() else "# Trees against outlines\n") + head + text)
    return 1 if failed else 0


def _who(options: argparse.Namespace) -> str:
    return _other.name_of(options.tool) if options.tool else str(options.headings)


def load_scorer(corpus: Path) -> ModuleType:
    """The corpus's own scorer, as a module."""
    spec = spec_from_file_location("toc_eval", corpus / "toc_eval.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError(corpus / "toc_eval.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def selected(manifest: list[dict[str, Any]], only: str | None) -> list[dict[str, Any]]:
    wanted = set(only.split(",")) if only else None
    return [item for item in manifest if wanted is None or {item["id"], item["kind"], item["lang"]} & wanted]


# ---------------------------------------------------------------- predictions


def predict_all(manifest: list[dict[str, Any]], variant: str, folder: Path, options: argparse.Namespace) -> None:
    tasks = [
        (item["id"], str(copy_of(item, variant, options)), str(folder / f"{item['id']}.json"))
        for item in sorted(manifest, key=lambda item: -item["pages"])
    ]
    predict: Callable[..., None] = predict_with_tool if options.tool else predict_here
    models = fold_models(manifest, options.folds)
    with ProcessPoolExecutor(options.jobs) as pool:
        futures = []
        for item, source, target in tasks:
            last = [options.tool, options.timeout] if options.tool else [options.headings, models.get(item)]
            futures.append(pool.submit(predict, source, target, *last))
        for future in futures:
            future.result()


def fold_models(manifest: list[dict[str, Any]], folder: Path | None) -> dict[str, str]:
    """For each document the layout model that was trained without its family; empty without a folder of them."""
    if folder is None:
        return {}
    fold_of = json.loads((folder / "families.json").read_text())
    return {item["id"]: str(folder / str(fold_of[item["group"]])) for item in manifest}


def copy_of(item: dict[str, Any], variant: str, options: argparse.Namespace) -> Path:
    """The document in a variant; a stripped copy is made when there is none yet."""
    original: Path = options.corpus / item["files"]["orig"]
    if variant == "orig":
        return original
    for folder in filter(None, (options.copies, options.cache / "copies")):
        if (path := folder / variant / original.name).exists():
            return Path(path)
    path = options.cache / "copies" / variant / original.name
    path.parent.mkdir(parents=True, exist_ok=True)
    strip(original, path, bare=variant == "bare")
    return Path(path)


def strip(source: Path, target: Path, *, bare: bool) -> None:
    """Remove the outline; with ``bare`` also tags, named destinations, page labels and annotations."""
    import pikepdf

    names = ["/Outlines", "/PageMode"]
    if bare:
        names += ["/StructTreeRoot", "/MarkInfo", "/PieceInfo", "/Dests", "/Names", "/Threads", "/PageLabels"]
    with pikepdf.open(source) as pdf:
        for name in names:
            if name in pdf.Root:
                del pdf.Root[name]
        if bare:
            for page in pdf.pages:
                if "/Annots" in page:
                    del page["/Annots"]
        pdf.save(target, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)


def predict_here(source: str, target: str, kind: str, model: str | None = None) -> None:
    """Read one file, build its tree and write the prediction file, with CPU seconds of each step."""
    from pageindex.reading import read

    if model is not None:
        use_models(Path(model).parent, Path(model).name)

    plain = plain_seconds(source)
    start = time.process_time()
    edition = read(source)
    read_done = time.process_time()
    headings = layout_headings(edition) if kind == "layout" else tree_headings(edition)
    done = time.process_time()
    record = {"pred": headings, "status": "ok", "secs": done - start, "cpu": done - start}
    record |= {"plain": plain, "reading": read_done - start}
    if kind == "tree":
        record["sources"] = _toc_sources.of(edition)
    Path(target).write_text(json.dumps(record, ensure_ascii=False))


def use_models(folder: Path, fold: str) -> None:
    """Let the layout source score with the models of a fold instead of those that ship."""
    from pageindex.structure.layout import confidence, levels, source

    for module, name, columns in (
        (source, MODEL_FILE, FEATURES),
        (confidence, confidence.CONFIDENCE_FILE, confidence.CONFIDENCE_COLUMNS),
        (levels, levels.LEVELS_FILE, levels.PAIR_COLUMNS),
    ):
        path = str(folder / f"{fold}-{name}")
        setattr(module, "load", partial(stored, path, columns))  # noqa: B010


@lru_cache(maxsize=16)
def stored(path: str, columns: tuple[str, ...]) -> Trees:
    """A model of a fold."""
    with np.load(path) as arrays:
        return Trees.of({name: arrays[name] for name in arrays.files}, columns)


def plain_seconds(source: str) -> float:
    """CPU seconds that PDFium takes for the plain text of every page: the unit of all speed figures."""
    import pypdfium2

    start = time.process_time()
    pdf = pypdfium2.PdfDocument(source)
    for index in range(len(pdf)):
        page = pdf[index]
        page.get_textpage().get_text_range()
        page.close()
    pdf.close()
    return time.process_time() - start


def layout_headings(edition: Any) -> list[dict[str, Any]]:
    from pageindex.structure.contents import source as contents
    from pageindex.structure.facts import Facts
    from pageindex.structure.layout import source as layout

    facts = Facts(edition)
    result = layout.find(facts, contents.find_headings(facts))
    return [{"title": c.title, "page": c.page, "level": c.level} for c in result.candidates]


def tree_headings(edition: Any) -> list[dict[str, Any]]:
    """The sections that carry a heading; page nodes and the text before the first heading are left out."""
    from pageindex.document import TreeSource
    from pageindex.structure import build_tree

    tree = build_tree(edition)
    return [
        {"title": section.title, "page": section.start_index, "level": level}
        for section, level in tree.walk()
        if section.source is not TreeSource.PAGE
    ]


def predict_with_tool(source: str, target: str, tool: str, timeout: float) -> None:
    """Run another tool in its own environment; a failure or a timeout is an empty prediction with its status."""
    done = _other.measure(tool, source, timeout)
    record = {
        "pred": done.found,
        "status": done.status,
        "secs": done.cpu,
        "cpu": done.cpu,
        "plain": plain_seconds(source),
    }
    Path(target).write_text(json.dumps(record, ensure_ascii=False))


# ---------------------------------------------------------------- report


def report(
    variant: str, scores: list[dict[str, Any]], scorer: ModuleType, folder: Path, options: argparse.Namespace
) -> str:
    """Markdown: macro averages over all, by kind and by language, CPU, bookmarks, and the worst documents explained."""
    records = {score["id"]: json.loads((folder / f"{score['id']}.json").read_text()) for score in scores}
    gold = {
        score["id"]: json.loads((options.corpus / options.part / "gold" / f"{score['id']}.json").read_text())["outline"]
        for score in scores
    }
    lines = [f"### {variant}: {_who(options)}, {len(scores)} documents", ""]
    lines += table(groups_of(scores), scorer)
    lines += ["", cpu_line(records.values())]
    if variant == "orig":
        lines += ["", bookmark_line(records, gold)]
    worst = sorted(scores, key=lambda score: score["F1@0"])[: options.worst]
    lines += ["", "| worst | F1 | edge | predicted / true | what went wrong |", "|---|---|---|---|---|"]
    for score in worst:
        what = faults_of(records[score["id"]]["pred"], gold[score["id"]])
        counts = f"{score['n_pred']} / {score['n_gold']}"
        lines.append(f"| {score['id']} | {score['F1@0']:.3f} | {score['edge_f1']:.3f} | {counts} | {what} |")
    return "\n".join(lines)


def groups_of(scores: list[dict[str, Any]]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    yield "all", scores
    for key in ("kind", "lang"):
        for value in sorted({score[key] for score in scores}):
            yield value, [score for score in scores if score[key] == value]


def table(groups: Iterable[tuple[str, list[dict[str, Any]]]], scorer: ModuleType) -> list[str]:
    lines = [f"| | documents | {' | '.join(HEADS)} |", "|---" * (len(HEADS) + 2) + "|"]
    for name, members in groups:
        total = scorer.aggregate(members)
        cells = " | ".join("–" if total[key] is None else f"{total[key]:.3f}" for key in FIGURES)
        lines.append(f"| {name} | {len(members)} | {cells} |")
    return lines


def cpu_line(records: Iterable[dict[str, Any]]) -> str:
    rows = [record for record in records if record.get("plain") and record.get("cpu") is not None]
    if not rows:
        return "CPU: not measured"
    whole = geometric_mean([row["cpu"] / row["plain"] for row in rows])
    text = f"CPU, geometric mean: whole tree {whole:.2f} × plain PDFium text"
    if all("reading" in row for row in rows):
        text += f", of it reading {geometric_mean([row['reading'] / row['plain'] for row in rows]):.2f}"
    return text + f"; most {max(row['cpu'] / row['plain'] for row in rows):.1f}"


def geometric_mean(values: Sequence[float]) -> float:
    return math.exp(sum(math.log(max(value, 1e-9)) for value in values) / len(values))


def bookmark_line(records: dict[str, dict[str, Any]], gold: dict[str, list[dict[str, Any]]]) -> str:
    kept, total, doubles = 0, 0, 0
    for key, record in records.items():
        here = bookmark_figures(record["pred"], gold[key])
        kept, total, doubles = kept + here[0], total + here[1], doubles + here[2]
    share = kept / total if total else 1.0
    return f"Bookmark titles kept at their page: {kept} of {total} ({share:.4f}); headings twice on a page: {doubles}"
