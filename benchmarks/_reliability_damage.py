"""Flipped bytes, faults of the disk, odd files, fuzzing."""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from pageindex.app import ingest
from pageindex.app.ingest import IngestOptions, Request
from pageindex.errors import PageIndexError
from pageindex.store.base import Attempt
from pageindex.store.conformance.samples import sample_addition
from pageindex.store.disk.library import DiskLibrary

ROOT = Path(__file__).parents[1]


def flips(options: argparse.Namespace) -> str:
    """Bytes of every kind of file, one at a time: is the file named by ``doctor`` (or refused at opening), or, where derived, made anew?"""
    draw = random.Random(3)
    with tempfile.TemporaryDirectory(prefix="pageindex-flips-") as folder:
        sound, copy = Path(folder, "sound"), Path(folder, "copy")
        library = DiskLibrary.open(sound)
        library.create_folder("F")
        record = library.add(sample_addition("/a/report.txt", ("# One\nalpha beta", "# Two\ngamma"))).record
        library.add(sample_addition("/a/report.txt", ("# One\nchanged",)))
        library.put_file(record.doc_id, "runs", "r.json", b'{"calls": 3}\n')
        for number in range(9):
            library.record_attempt(Attempt(str(number), "/a/report.txt", "0" * 64, "added", record.doc_id))
        library.search("alpha")
        shutil.copytree(sound, copy)
        stored = [p for p in sorted(sound.rglob("*")) if p.is_file() and ".sqlite" not in p.name and p.name != "lock"]
        tried: Counter[str] = Counter()
        named: Counter[str] = Counter()
        for number in range(options.flips):
            path = stored[number % len(stored)]
            data, place = path.read_bytes(), copy / path.relative_to(sound)
            at = draw.randrange(len(data))
            place.write_bytes(data[:at] + bytes([data[at] ^ draw.randrange(1, 256)]) + data[at + 1 :])
            kind = "source" if path.name.startswith("source") else path.name
            tried[kind] += 1
            named[kind] += _names(copy, path.relative_to(sound).as_posix())
            place.write_bytes(data)
        cuts = _cuts(sound, copy, stored)
    rows = "\n".join(f"| {kind} | {tried[kind]} | {named[kind]} |" for kind in sorted(tried))
    share = named.total() / tried.total()
    return (
        f"## Flipped bytes\n\n`python -m benchmarks reliability --part flips --flips {options.flips}`: one byte of one file changed at"
        " random, then `doctor`.\n\n| file | flipped | named |\n|---|---|---|\n"
        f"{rows}\n| all | {tried.total():,} | {named.total():,} ({share:.1%}; target 100 %) |\n\n{cuts}"
    )


def _cuts(sound: Path, copy: Path, stored: list[Path]) -> str:
    """Files deleted; the log of attempts cut at every byte, and any lines of it taken out."""
    log = copy / "attempts.jsonl"
    data = log.read_bytes()
    lines = data.splitlines(keepends=True)
    chosen = [{i for i in range(len(lines)) if number >> i & 1} for number in range(1, 1 << len(lines))]
    kinds = {
        "file deleted": [(path.relative_to(sound), None) for path in stored],
        "log cut behind a byte": [(Path(log.name), data[:at]) for at in range(len(data))],
        "lines of the log taken out, in every choice": [
            (Path(log.name), b"".join(line for i, line in enumerate(lines) if i not in gone)) for gone in chosen
        ],
    }
    rows = []
    for kind, cases in kinds.items():
        found = 0
        for name, left in cases:
            place, whole = copy / name, (sound / name).read_bytes()
            if left is None:
                place.unlink()
            else:
                place.write_bytes(left)
            found += _names(copy, name.as_posix())
            place.write_bytes(whole)
        rows.append(f"| {kind} | {len(cases):,} | {found:,} |")
    return "| cut | tried | named |\n|---|---|---|\n" + "\n".join(rows) + "\n"


def _names(root: Path, name: str) -> bool:
    try:
        return name in {finding.path for finding in DiskLibrary.open(root, strict=False).doctor()}
    except PageIndexError as error:
        return name in error.message


def faults(options: argparse.Namespace) -> str:
    """Every call of the store that changes the disk, failed and ended; recordings of them cut off with writes out of order."""
    with tempfile.TemporaryDirectory(prefix="pageindex-faults-") as folder:
        tally = Path(folder, "tally")
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/crash/test_store_faults.py"]
        done = subprocess.run(
            command, cwd=ROOT, env={**os.environ, "FAULTS": "all", "FAULTS_TALLY": str(tally)}, check=False
        )
        return _tallied(tally, done.returncode)


def _tallied(tally: Path, status: int) -> str:
    rows = [json.loads(line) for line in tally.read_text().splitlines()]
    by_kind = {
        kind: {row["change"]: row["points"] for row in rows if row["kind"] == kind} for kind in ("faults", "power")
    }
    names = list(dict.fromkeys(row["change"] for row in rows))
    lines = [
        f"| {name} | {by_kind['faults'].get(name, 0)} | {by_kind['power'].get(name, 0)} |" for name in sorted(names)
    ]
    total = [sum(by_kind[kind].values()) for kind in ("faults", "power")]
    verdict = "all survived" if status == 0 else f"**some failed** (status {status})"
    return (
        "## Kills, failing disks, loss of power\n\n`python -m benchmarks reliability --part faults`, which is"
        " `FAULTS=all pytest tests/crash/test_store_faults.py`: a kill, EIO, and a disk that is full from then on, at every call that"
        " creates, writes, flushes, renames or deletes; and, at every one of them, what may be left when the power goes, with any part of"
        " what was not flushed. The state is the old or the new one, `doctor` finds no damage, and the change can be made again.\n\n"
        "| change | faults | states after loss of power |\n|---|---|---|\n"
        + "\n".join(lines)
        + f"\n| all: {verdict} | {total[0]:,} | {total[1]:,} |\n"
    )


def files(options: argparse.Namespace) -> str:
    """A batch of odd paths: how each kind ends."""
    with tempfile.TemporaryDirectory(prefix="odd-") as place:
        folder = Path(place)
        kinds = _odd_files(folder / "in")
        library = DiskLibrary.open(folder / "library")
        found = [
            *ingest.find_files([folder / "in"]),
            *ingest.find_files(["/dev/zero", "/dev/full", str(folder / "in" / "good.md")]),
        ]
        requests = [Request(one.path, refused=one.refused) for one in found]
        rows, tried = [], 0
        for done in ingest.ingest(library, requests, IngestOptions(jobs=2)):
            tried += 1
            name = done.request.path.rpartition("/in/")[2] if "/in/" in done.request.path else done.request.path
            outcome = done.error.code if done.error is not None else done.outcome.value if done.outcome else ""
            rows.append(f"| {kinds.get(name, name)} | {outcome} |")
    return (
        f"## Files of every kind\n\n`python -m benchmarks reliability --part files`: one batch, {len(requests)} paths, {tried} results.\n\n"
        "| what | outcome |\n|---|---|\n" + "\n".join(sorted(rows)) + "\n"
    )


def _odd_files(folder: Path) -> dict[str, str]:
    (folder / "sub").mkdir(parents=True)
    (folder.parent / "secret.md").write_text("# Secret")
    (folder / "good.md").write_text("# Good\nwords")
    (folder / os.fsdecode(b"caf\xe9.md")).write_text("# Cafe\nwords there")
    (folder / "new\nadded.md").write_text("# Line\nwords of it")
    (folder / "esc\x1b[2J.md").write_text("# Escape\nwords again")
    (folder / ("n" * 252 + ".md")).write_text("# Long\nwords more")
    (folder / "empty.pdf").write_bytes(b"")
    (folder / "cut.pdf").write_bytes(b"%PDF-1.7 cut")
    (folder / "zeros.docx").write_bytes(b"\0" * 5000)
    (folder / "noise.html").write_bytes(random.Random(1).randbytes(5000))
    os.mkfifo(folder / "pipe.pdf")
    here = Path.cwd()
    os.chdir(folder)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s.txt")
    os.chdir(here)
    for name, target in (
        ("out.md", "../secret.md"),
        ("gone.md", "no"),
        ("self.md", "self.md"),
        ("sub/loop", ".."),
        ("sub/out", "../.."),
    ):
        (folder / name).symlink_to(target)
    return {
        "good.md": "a sound file", "caf\\xe9.md": "a name that is not UTF-8", "new\nadded.md": "a name with a line break",
        "esc\x1b[2J.md": "a name with an escape sequence", "n" * 252 + ".md": "a name of 255 bytes", "empty.pdf": "an empty file",
        "cut.pdf": "a PDF that is cut", "zeros.docx": "zeros", "noise.html": "noise", "pipe.pdf": "a pipe", "s.txt": "a socket",
        "out.md": "a link out of the folder", "gone.md": "a link to nothing", "self.md": "a link to itself",
        "sub/out": "a linked folder outside",
    }  # fmt: skip


def fuzzing(options: argparse.Namespace) -> str:
    """Every fuzzer for some seconds."""
    from benchmarks import fuzz

    with tempfile.TemporaryDirectory() as folder:
        fuzz.RESULTS = Path(folder, "fuzz.md")
        fuzz.run(argparse.Namespace(seconds=options.seconds, target=None, seed=None, jobs=2, write=True))
        return fuzz.RESULTS.read_text()
