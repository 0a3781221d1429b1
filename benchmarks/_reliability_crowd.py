"""Writers, readers and removers at one library, over the command line and in Python, for a while: nothing may fail or be wrong."""

from __future__ import annotations

import argparse
import json
import logging
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from pageindex.errors import NotFoundError
from pageindex.store.conformance.samples import sample_addition
from pageindex.store.disk.library import DiskLibrary

#: Processes of each kind: in Python, and over the command line.
WRITERS, READERS, REMOVERS = (6, 2), (28, 4), (2, 1)


def crowd(options: argparse.Namespace) -> str:
    with tempfile.TemporaryDirectory(prefix="pageindex-crowd-") as folder:
        root = Path(folder, "library")
        library = DiskLibrary.open(root)
        for number in range(20):
            library.add(_addition("start", number))
        jobs = [
            *((_write, n) for n in range(WRITERS[0])), *((_write_by_command, n) for n in range(WRITERS[1])),
            *((_read, n) for n in range(READERS[0])), *((_read_by_command, n) for n in range(READERS[1])),
            *((_remove, n) for n in range(REMOVERS[0])), *((_remove_by_command, n) for n in range(REMOVERS[1])),
        ]  # fmt: skip
        context = multiprocessing.get_context("fork")
        queue = context.Queue()
        end = time.monotonic() + options.seconds
        processes = [context.Process(target=_job, args=(work, number, root, end, queue)) for work, number in jobs]
        for process in processes:
            process.start()
        tallies = [queue.get() for _ in processes]
        for process in processes:
            process.join()
        done, errors = sum((Counter(t[0]) for t in tallies), Counter()), [line for t in tallies for line in t[1]]
        after = DiskLibrary.open(root)
        findings = [f"{f.path}: {f.message}" for f in after.doctor()]
        left = after.list().total
    rows = "\n".join(f"| {name} | {count:,} |" for name, count in sorted(done.items()))
    text = (
        f"## A crowd\n\n`python -m benchmarks reliability --part crowd --seconds {options.seconds:g}`: {sum(WRITERS)} writers,"
        f" {sum(READERS)} readers and {sum(REMOVERS)} removers, each a process, {WRITERS[1] + READERS[1] + REMOVERS[1]} of them over the"
        f" command line, {options.seconds:g} s.\n\n| operation | done |\n|---|---|\n{rows}\n\n"
        f"Errors: {len(errors)} (target 0). Documents at the end: {left:,}; `doctor` afterwards: {len(findings)} findings.\n"
    )
    return text + "".join(f"\n- {line}" for line in [*errors[:10], *findings[:10]])


def _job(work: Callable[..., None], number: int, root: Path, end: float, queue: object) -> None:
    logging.disable(logging.CRITICAL)
    done: Counter[str] = Counter()
    errors: list[str] = []
    draw = random.Random(number)
    turn = 0
    while time.monotonic() < end:
        try:
            done[work(root, number, turn, draw) or "nothing"] += 1
        except Exception as error:  # noqa: BLE001 (each of them is a result of this measurement)
            errors.append(f"{work.__name__}: {type(error).__name__}: {error}"[:300])
        turn += 1
    queue.put((dict(done), errors))  # type: ignore[attr-defined]


def _addition(who: str, number: int):  # type: ignore[no-untyped-def]
    return sample_addition(f"/{who}/{number}.txt", (f"# {who} {number}\nalpha beta {who}{number}", "second page"))


def _write(root: Path, me: int, turn: int, draw: random.Random) -> str:
    DiskLibrary.open(root).add(_addition(f"w{me}", turn))
    return "add, in Python"


def _read(root: Path, me: int, turn: int, draw: random.Random) -> str:
    library = DiskLibrary.open(root)
    if turn % 2:
        for hit in library.search("alpha", limit=5).hits:
            if hit.page != 1:
                raise AssertionError(f"a hit on page {hit.page}")
        return "search, in Python"
    documents = library.list(limit=20).documents
    record = draw.choice(documents)
    try:
        edition, tree = library.edition(record.doc_id), library.tree(record.doc_id)
    except NotFoundError:
        return "open a document that was removed meanwhile"
    if not record.name.endswith(".txt"):
        return "list and open, in Python"  # added by a command, which has its own text
    who = record.name.removesuffix(".txt")
    if edition.page_count != 2 or who not in edition.page(1).text or tree.end != edition.end:
        raise AssertionError(f"{record.doc_id} reads as something else")
    return "list and open, in Python"


def _remove(root: Path, me: int, turn: int, draw: random.Random) -> str:
    library = DiskLibrary.open(root)
    if library.list(limit=1).total < 15:
        time.sleep(0.05)
        return "nothing to remove"
    record = draw.choice(library.list(limit=50).documents)
    try:
        library.remove(record.doc_id)
    except NotFoundError:
        return "remove what another removed meanwhile"
    return "remove, in Python"


def _command(*arguments: str, allowed: tuple[int, ...] = (0,)) -> str:
    done = subprocess.run([sys.executable, "-m", "pageindex", *arguments], capture_output=True, text=True, check=False)
    if done.returncode not in allowed:
        raise AssertionError(f"{arguments[0]}: status {done.returncode}: {done.stderr[-200:]}")
    return done.stdout


def _write_by_command(root: Path, me: int, turn: int, draw: random.Random) -> str:
    path = root.parent / f"c{me}-{turn}-{os.getpid()}.md"
    path.write_text(f"# Command {me} {turn}\nalpha beta by command {me} {turn}\n\n# Second\nmore")
    _command("add", str(path), "-L", str(root), "-j", "1")
    _command("remove", str(path), "-y", "-L", str(root), allowed=(0, 3))
    return "add, then remove, by command"


def _read_by_command(root: Path, me: int, turn: int, draw: random.Random) -> str:
    if turn % 2:
        json.loads(_command("search", "alpha", "--json", "-L", str(root)))
        return "search, by command"
    json.loads(_command("list", "--json", "-L", str(root)))
    return "list, by command"


def _remove_by_command(root: Path, me: int, turn: int, draw: random.Random) -> str:
    library = DiskLibrary.open(root)
    if library.list(limit=1).total < 15:
        time.sleep(0.05)
        return "nothing to remove"
    record = draw.choice(library.list(limit=50).documents)
    _command("remove", record.doc_id, "-y", "-L", str(root), allowed=(0, 3))
    return "remove, by command"
