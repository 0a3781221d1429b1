"""Byte-level fuzzers, for as long as wanted: files through workers, files of a library, handles, cursors, page specifications, claims, settings."""

from __future__ import annotations

import argparse
import logging
import random
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

RESULTS = Path(__file__).parent / "results" / "fuzz.md"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from tests.support.fuzz_targets import TARGETS

    parser.add_argument("--seconds", type=float, default=60.0, help="for each fuzzer (default 60)")
    parser.add_argument("--target", action="append", choices=sorted(TARGETS), help="only this one; may be given again")
    parser.add_argument("--seed", type=int, help="of the first execution; drawn otherwise")
    parser.add_argument("--jobs", type=int, default=2, help="fuzzers at a time (default 2)")
    parser.add_argument("--write", action="store_true", help="write the table to benchmarks/results")


def run(options: argparse.Namespace) -> int:
    """Run the fuzzers, and say what they found; 1 when anything was found."""
    from tests.support.fuzz_targets import TARGETS

    names = options.target or list(TARGETS)
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 40)
    with ProcessPoolExecutor(options.jobs) as pool:
        results = list(pool.map(_one, names, [options.seconds] * len(names), [seed] * len(names)))
    rows = [f"| {name} | {number:,} | {len(found)} |" for name, (number, found) in zip(names, results, strict=True)]
    command = f"python -m benchmarks fuzz --seconds {options.seconds:g}"
    text = (
        f"## Fuzzing\n\n`{command}`, seed {seed}.\n\n| fuzzer | executions | findings |\n|---|---|---|\n"
        + "\n".join(rows)
    )
    print(text)
    for name, (_, found) in zip(names, results, strict=True):
        for line in found:
            print(f"{name}: {line}", file=sys.stderr)
    if options.write:
        RESULTS.write_text(text + "\n", encoding="utf-8")
    return int(any(found for _, found in results))


def _one(name: str, seconds: float, seed: int) -> tuple[int, list[str]]:
    from tests.support.fuzz_targets import fuzz

    logging.disable(logging.CRITICAL)
    with tempfile.TemporaryDirectory(prefix="pageindex-fuzz-") as folder:
        return fuzz(name, seconds, seed, Path(folder))
