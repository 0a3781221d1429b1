"""The sandbox from inside, and what a worker costs."""

from __future__ import annotations

import argparse
import os
import socket
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from pageindex.reading import WorkerPool, read_bytes, read_isolated
from pageindex.reading.workers.confinement import confinement
from pageindex.reading.workers.sandbox import attempts

ROUNDS = 200
SMALL = b"# Memo\n\nA few words.\n\n## Part\n\nA few more words.\n"


def sandbox(options: argparse.Namespace) -> str:
    with (
        tempfile.TemporaryDirectory() as folder,
        socket.create_server(("127.0.0.1", 0)) as server,
        WorkerPool(1) as pool,
    ):
        private = Path(folder, "private.txt")
        private.write_text("the user's own")
        os.environ["OPENAI_API_KEY"] = "sk-not-for-readers"
        made = pool.submit(attempts, str(private), server.getsockname(), os.getpid()).result()
    rows = "\n".join(f"| {one.what} | {'refused' if one.refused else '**succeeded**'} |" for one in made)
    refused = sum(one.refused for one in made)
    return (
        "## The sandbox\n\n`python -m benchmarks reliability --part sandbox`: attempts made from inside a real worker."
        f" {confinement().summary()}\n\n| attempt | |\n|---|---|\n{rows}\n| all | {refused} of {len(made)} refused (target: all) |\n"
    )


def overhead(options: argparse.Namespace) -> str:
    with WorkerPool(1) as pool:

        def isolated() -> object:
            return read_isolated(SMALL, name="memo.md", pool=pool)

        def here() -> object:
            return read_bytes(SMALL, "memo.md")

        isolated(), here()
        pairs = [(_wall(isolated), _wall(here)) for _ in range(ROUNDS)]
    isolating, plain = ([pair[which] for pair in pairs] for which in (0, 1))
    whole, alone = statistics.median(isolating) * 1000, statistics.median(plain) * 1000
    extra = statistics.median(a - b for a, b in pairs) * 1000
    return (
        f"## What a worker costs\n\n`python -m benchmarks reliability --part overhead`: a Markdown file of {len(SMALL)} bytes, wall clock, median"
        f" of {ROUNDS}: {alone:.1f} ms in the caller's process, {whole:.1f} ms in a warm worker, **{extra:.1f} ms** more (target ≤ 15 ms).\n"
    )


def _wall(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun
