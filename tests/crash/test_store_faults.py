"""A library comes through a kill and a failing disk at every call that changes it, and through a loss of power with writes out of order.

A change that failed or was ended leaves the state before it or the state after it; nothing is ever lost or damaged. By default every call is
met in one of the ways in turn; ``FAULTS=all`` meets each in all of them. ``FAULTS_TALLY`` names a file for the counts.
"""

from __future__ import annotations

import errno
import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pageindex.errors import PageIndexError
from pageindex.store.conformance.samples import sample_addition
from pageindex.store.disk.library import DiskLibrary
from tests.support.store_changes import CHANGES, DOC, OLD, state_of
from tests.support.system_calls import Ended, Faults, PowerLoss, faults

pytestmark = [pytest.mark.skipif(sys.platform != "linux", reason="names of descriptors"), pytest.mark.timeout(0)]

ALL = os.environ.get("FAULTS") == "all"
WAYS = {"kill": 0, "EIO": errno.EIO, "ENOSPC": errno.ENOSPC}
#: ``search`` builds the index; it changes nothing that is not derived.
CASES = {**CHANGES, "index": lambda library: library.search("alpha")}


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("prepared") / "library"
    DiskLibrary.open(root).add(sample_addition("/a/report.txt", OLD))
    return root


def _tally(kind: str, name: str, points: int) -> None:
    if path := os.environ.get("FAULTS_TALLY"):
        with Path(path).open("a") as file:
            file.write(json.dumps({"kind": kind, "change": name, "points": points}) + "\n")


def _changed(name: str, root: Path, layer: Faults) -> DiskLibrary:
    """Make a change through the layer; what it raises is what a user would see."""
    library = DiskLibrary.open(root, lock_seconds=5)
    if name == "index":
        library._engine.index.delete()
    layer.root = root
    with faults(layer):
        try:
            CASES[name](library)
        except (Ended, OSError, PageIndexError):
            pass
        else:
            layer.record.append(("done",))
    return library


def _sound(root: Path, allowed: tuple[object, ...], note: str) -> object:
    survivor = DiskLibrary.open(root)
    state = state_of(survivor)
    assert state in allowed, f"{note} leaves neither the old nor the new state"
    for finding in survivor.doctor():  # a line of the log may be torn by a kill: the next one takes its place
        assert finding.code == "LEFTOVER" or finding.path == "attempts.jsonl", f"{note}: {finding}"
    return state


@pytest.mark.parametrize("name", CASES)
def test_a_kill_or_a_failing_disk_at_every_call(name: str, prepared: Path, tmp_path: Path) -> None:
    before = state_of(DiskLibrary.open(prepared))
    whole = tmp_path / "whole"
    shutil.copytree(prepared, whole)
    counted = Faults()
    _changed(name, whole, counted)
    after = state_of(DiskLibrary.open(whole))
    assert (after != before and counted.calls) or name == "index"
    points = [(at, way) for at in range(len(counted.calls)) for way in WAYS]
    chosen = points if ALL else points[:: 3 * max(1, len(counted.calls) // 5) + 1]
    for at, way in chosen:
        root = tmp_path / f"{at}-{way}"
        shutil.copytree(prepared, root)
        layer = Faults(at, WAYS[way])
        library = _changed(name, root, layer)
        note = f"{name}: {way} at {counted.calls[at]} ({at})"
        state = _sound(root, (before, after), note)
        if layer.record[-1:] == [("done",)]:
            assert state == after, f"{note} was swallowed"
        if not layer.ended:
            assert state_of(library) == state, f"{note}: who saw the fault reads on"
        if state == before:
            CASES[name](DiskLibrary.open(root))
        assert state_of(DiskLibrary.open(root)) == after
        DiskLibrary.open(root).gc()
        assert DiskLibrary.open(root).doctor() == [], note
        shutil.rmtree(root)
    _tally("faults", name, len(chosen))


@pytest.mark.parametrize("name", CHANGES)
def test_power_loss_leaves_the_old_state_or_the_new(name: str, prepared: Path, tmp_path: Path) -> None:
    before = state_of(DiskLibrary.open(prepared))
    whole = tmp_path / "whole"
    shutil.copytree(prepared, whole)
    recorded = Faults()
    disk = PowerLoss(whole)
    library = _changed(name, whole, recorded)
    after = state_of(library)
    draw, tried = random.Random(11), 0
    every = 1 if ALL else max(1, len(recorded.record) // 4)
    for number, item in enumerate(recorded.record):
        if item[0] != "done":
            disk.play(item)
        last = number == len(recorded.record) - 1
        for share in (0.0, 1.0, *((0.5,) * 4 if ALL else (0.5,))) if last or number % every == 0 else ():
            root = tmp_path / "left"
            disk.left(root, draw, share)
            state = _sound(root, (before, after), f"{name}: the power went after {item[:2]}, {share:.0%} came through")
            if last:  # what was reported lasts
                assert state == after
            tried += 1
            shutil.rmtree(root)
    _tally("power", name, tried)


_REMOVE_ON_A_FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from pageindex.store.disk.library import DiskLibrary
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
library = DiskLibrary.open(Path(sys.argv[1]))
library.remove(sys.argv[2])
sys.exit(0 if library.list().total == 0 and not library.search("alpha").hits else 2)
"""


def test_a_full_disk_lets_a_document_be_removed(prepared: Path, tmp_path: Path) -> None:
    """No byte can be written, by SQLite neither: catalogue and index do not stand in the way, and are right again afterwards."""
    root = tmp_path / "library"
    shutil.copytree(prepared, root)
    # An interpreter of its own: in a fork of the test process, its captured output would meet the limit, too.
    command = [sys.executable, "-B", "-c", _REMOVE_ON_A_FULL_DISK, str(root), DOC]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 0, done.stderr.decode()
    library = DiskLibrary.open(root)
    assert library.list().total == 0 and not library.search("alpha").hits
    assert {finding.code for finding in library.doctor()} <= {"LEFTOVER"}
