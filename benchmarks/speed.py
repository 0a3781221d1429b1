"""CPU of lines with style, of whole readings and of whole trees, as multiples of plain PDFium text of the same file; memory; start-up.

All are measured in one process, one document after the other, so that a busy machine slows them alike. The unit is what
pypdfium2 needs to open the file and call ``get_text_range`` on every page. Figures are the best of ``--repeat`` rounds.

``lines``: the file opened, and for every page its text, and its lines with boxes and styles. ``ordered``: these in reading order.
``read``: an Edition, which also has page states, flags, labels, running lines, bookmarks, tags, links and facts. ``tree``: ``read`` and the section tree.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks import _other

LINES_TARGET = 1.7

RESULT = Path(__file__).parent / "results" / "speed.md"

#: Run in a fresh interpreter: peak memory of a whole tree.
_PEAK = """
import sys
from pathlib import Path
from pageindex.reading import read
from pageindex.reading.pdf import reader
from pageindex.structure import build_tree
def peak():  # of this program alone: the resource module's figure begins with that of the process that started it
    fields = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(fields["VmHWM"].split()[0])
before = peak()
edition = read(sys.argv[1]); build_tree(edition)
print(before, peak(), edition.page_count)
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--every", type=int, default=1, help="take each N-th document only")
    parser.add_argument("--repeat", type=int, default=2, help="rounds per document; the best counts")
    parser.add_argument("--no-tree", action="store_true", help="no trees")
    parser.add_argument("--tool", action="append", default=[], metavar="NAME=PYTHON", help=_other.HELP)
    parser.add_argument("--output", type=Path, default=RESULT, help="file for the table")
    parser.add_argument("--timeout", type=float, default=120.0, help="seconds for another tool on one document")


def run(options: argparse.Namespace) -> int:
    files = sorted((options.corpus / "dev" / "orig").glob("*.pdf"))[:: options.every]
    if not files:
        print(f"no documents in {options.corpus / 'dev' / 'orig'}", file=sys.stderr)
        return 2
    rows = []
    for file in files:
        rows.append(_measure(file, options))
        print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    report = _report(rows, options)
    options.output.parent.mkdir(exist_ok=True)
    options.output.write_text(report, encoding="utf-8")
    print(report)
    return 0


def _measure(file: Path, options: argparse.Namespace) -> dict[str, object]:
    path = str(file)
    row: dict[str, object] = {"file": file.name, "pages": _plain_text(path)}
    best = {"text": math.inf, "lines": math.inf, "ordered": math.inf, "read": math.inf, "tree": math.inf}
    for _ in range(options.repeat):
        best["text"] = min(best["text"], _cpu(_plain_text, path))
        best["lines"] = min(best["lines"], _cpu(_lines, path))
        best["ordered"] = min(best["ordered"], _cpu(_ordered, path))
        best["read"] = min(best["read"], _cpu(_read, path))
        if not options.no_tree:
            best["tree"] = min(best["tree"], _cpu(_tree, path))
    row |= {name: round(seconds, 4) for name, seconds in best.items() if seconds < math.inf}
    for tool in options.tool:
        spent = _other.measure(tool, path, options.timeout).cpu
        row[_other.name_of(tool)] = None if spent is None else round(max(spent, 1e-6), 6)
    return row


def _cpu(work: Callable[[str], object], path: str) -> float:
    begin = time.process_time()
    work(path)
    return time.process_time() - begin


def _plain_text(path: str) -> int:
    import pypdfium2

    with pypdfium2.PdfDocument(path) as document:
        for page in document:
            text_page = page.get_textpage()
            text_page.get_text_range()
            text_page.close()
            page.close()
        return len(document)


def _lines(path: str) -> object:
    from pageindex.reading.pdf import reader as pdfium

    return len(pdfium.read_lines(Path(path).read_bytes(), path, in_order=False))


def _ordered(path: str) -> object:
    from pageindex.reading.pdf import reader as pdfium

    return len(pdfium.read_lines(Path(path).read_bytes(), path))


def _read(path: str) -> object:
    from pageindex.reading import read

    return len(read(path).lines)


def _tree(path: str) -> object:
    from pageindex.reading import read
    from pageindex.structure import build_tree

    return build_tree(read(path)).title


def _report(rows: list[dict[str, object]], options: argparse.Namespace) -> str:
    pages = sum(int(str(row["pages"])) for row in rows)
    columns = [
        c for c in ("lines", "ordered", "read", "tree", *map(_other.name_of, options.tool)) if any(c in r for r in rows)
    ]
    base = sum(float(str(row["text"])) for row in rows)
    out = [
        "# Speed beside other tools" if options.tool else "# Speed",
        "",
        f"{len(rows)} documents{_sampled(options.every)}, {pages} pages, Python {sys.version.split()[0]}; unit: plain PDFium text of the same file",
        f"({1000 * base / pages:.2f} CPU ms a page on average); best of {options.repeat} rounds, one process.",
        "",
        "| what | × plain text, geometric mean | worst | CPU ms a page | documents |",
        "|---|---|---|---|---|",
    ]
    out.extend(_row(column, rows) for column in columns)
    within = sum(float(str(row["lines"])) <= LINES_TARGET * float(str(row["text"])) for row in rows)
    out += [
        "",
        "`lines`: the file opened; of every page its text, and its lines with boxes and styles. `ordered`: these in reading order.",
        "`read`: an Edition, which also has page states, flags, labels, running lines, bookmarks, tags, links and facts. `tree`: that and the section tree.",
        f"Lines cost at most {LINES_TARGET} × plain text in {within} of {len(rows)} documents.",
    ]
    if options.tool:
        out.append(
            "Other tools do what their script in `benchmarks/others` says, once, in a process and an environment of their own."
        )
    else:
        out += ["", *_memory(options), *_start_up()]
    return "\n".join(out).rstrip() + "\n"


def _sampled(every: int) -> str:
    return f" (one of every {every})" if every > 1 else ""


def _row(column: str, rows: list[dict[str, object]]) -> str:
    done = [row for row in rows if row.get(column) is not None]
    if not done:
        return f"| {column} | – | – | – | 0 |"
    ratios = [float(str(row[column])) / float(str(row["text"])) for row in done]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    per_page = 1000 * sum(float(str(r[column])) for r in done) / sum(int(str(r["pages"])) for r in done)
    return f"| {column} | {mean:.2f} | {max(ratios):.2f} | {per_page:.2f} | {len(done)} |"


def _memory(options: argparse.Namespace) -> list[str]:
    """Peak memory of a tree for the document nearest to 400 pages."""
    if options.no_tree:
        return []
    files = json.loads((options.corpus / "dev" / "manifest.json").read_text())
    entries = files if isinstance(files, list) else files.get("documents", list(files.values()))
    near = min(entries, key=lambda entry: abs(int(entry.get("pages", 0)) - 400))
    path = options.corpus / "dev" / "orig" / f"{near['id']}.pdf"
    done = subprocess.run([sys.executable, "-c", _PEAK, str(path)], capture_output=True, text=True, check=True)
    before, peak, count = map(int, done.stdout.split())
    return [
        f"Peak memory of a whole tree at {count} pages: {peak / 1024:.0f} MB (imports alone {before / 1024:.0f} MB).",
        "",
    ]


def _start_up() -> list[str]:
    """CPU seconds of importing the package and of its help text, best of five."""
    lines = []
    for label, arguments in (
        ("import pageindex", ["-c", "import pageindex"]),
        ("pageindex --help", ["-m", "pageindex", "--help"]),
    ):
        best = min(_child_cpu([sys.executable, *arguments]) for _ in range(5))
        bare = min(_child_cpu([sys.executable, "-c", "pass"]) for _ in range(5))
        lines.append(f"`{label}`: {best - bare:.3f} CPU s beyond an empty interpreter ({best:.3f} with it).")
    return lines


def _child_cpu(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
