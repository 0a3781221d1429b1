"""Put the tables of ``benchmarks/results`` together as ``benchmarks/RESULTS.md``, in the order of a document's way."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

HERE = Path(__file__).parent
ORDER = (
    "text",
    "toc",
    "speed",
    "speed_others",
    "hard",
    "evidence",
    "answers",
    "headings",
    "heading_lines",
    "providers",
    "refine",
    "search",
    "selective",
    "store",
    "tools",
    "local_model",
)

_HEADING = re.compile(r"^(#+ )", re.MULTILINE)
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)

INTRODUCTION = """# Results

Every figure here was measured by the script named with it (`python -m benchmarks SUBJECT --corpus PATH`, then
`python -m benchmarks collect`), on the code of the commit that last changed its table in `benchmarks/results/`. Times are ratios taken
side by side in one run, since machines differ.

"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--check", action="store_true", help="fail when RESULTS.md is not what the tables give")


def run(options: argparse.Namespace) -> int:
    """Write RESULTS.md, or compare it."""
    files = {file.stem: file for file in sorted((HERE / "results").glob("*.md"))}
    names = [name for name in ORDER if name in files] + [name for name in files if name not in ORDER]
    contents = "".join(f"- [{_title(files[name])}](#{_anchor(_title(files[name]))})\n" for name in names)
    text = INTRODUCTION + contents + "\n" + "\n".join(_deeper(files[name].read_text().strip()) + "\n" for name in names)
    target = HERE / "RESULTS.md"
    if options.check:
        return int(not target.exists() or target.read_text() != text)
    target.write_text(text)
    return 0


def _title(file: Path) -> str:
    return file.read_text().lstrip().splitlines()[0].lstrip("# ").strip()


def _anchor(title: str) -> str:
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def _deeper(text: str) -> str:
    """One heading level down, fenced blocks left alone."""
    parts, at = [], 0
    for fence in _FENCE.finditer(text):
        parts += [_HEADING.sub(r"#\1", text[at : fence.start()]), fence.group()]
        at = fence.end()
    return "".join([*parts, _HEADING.sub(r"#\1", text[at:])])
