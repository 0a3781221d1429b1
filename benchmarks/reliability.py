"""What a library and its readers come through, part by part: flipped bytes, faults, odd files, fuzzing, crowds, size, the sandbox.

Each part writes its section to ``benchmarks/results/reliability/``; the sections together are ``benchmarks/RELIABILITY.md``.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path

from benchmarks import _reliability_crowd as crowd
from benchmarks import _reliability_damage as damage
from benchmarks import _reliability_scale as scale
from benchmarks import _reliability_workers as workers

HERE = Path(__file__).parent
SECTIONS, PAGE = HERE / "results" / "reliability", HERE / "RELIABILITY.md"

PARTS: Mapping[str, Callable[[argparse.Namespace], str]] = {
    "flips": damage.flips,
    "faults": damage.faults,
    "files": damage.files,
    "fuzz": damage.fuzzing,
    "crowd": crowd.crowd,
    "scale": scale.scale,
    "pages": scale.many_pages,
    "sandbox": workers.sandbox,
    "overhead": workers.overhead,
}

INTRODUCTION = """# Reliability

What was measured, with the command of each part, on the code of the commit that last changed its section. The machine had two cores that
others used as well: times are the worse for it. What is promised, and how it is tested, is in [SECURITY.md](../SECURITY.md).

"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--part", action="append", choices=list(PARTS), help="only this one; may be given again")
    parser.add_argument("--flips", type=int, default=2_000, help="bytes to flip (default 2,000)")
    parser.add_argument("--seconds", type=float, default=60.0, help="of the crowd, and of each fuzzer (default 60)")
    parser.add_argument("--most", type=int, default=10_000, help="documents of the largest library (default 10,000)")
    parser.add_argument("--collect", action="store_true", help="only put the sections together")


def run(options: argparse.Namespace) -> int:
    SECTIONS.mkdir(parents=True, exist_ok=True)
    for part in () if options.collect else options.part or PARTS:
        text = PARTS[part](options)
        print(text)
        (SECTIONS / f"{part}.md").write_text(text.strip() + "\n", encoding="utf-8")
    found = [SECTIONS / f"{part}.md" for part in PARTS]
    PAGE.write_text(INTRODUCTION + "\n".join(f.read_text() for f in found if f.exists()), encoding="utf-8")
    return 0
