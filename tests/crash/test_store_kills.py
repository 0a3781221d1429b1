"""Real processes, really killed."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pageindex.store.conformance.samples import sample_addition
from pageindex.store.disk.library import DiskLibrary
from tests.support.store_faults import dying
from tests.support.store_victim import NEW

ROOT = Path(__file__).parents[2]
OLD = ("# One\nalpha", "# Two\nbeta")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")


def _victim(library: Path, what: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.support.store_victim", str(library), what]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def test_sigkill_at_every_step_of_a_new_edition(tmp_path: Path) -> None:
    prepared = tmp_path / "prepared"
    DiskLibrary.open(prepared).add(sample_addition("/a/report.txt", OLD))
    shutil.copytree(prepared, tmp_path / "whole")
    library, counter = dying(tmp_path / "whole", None)
    library.add(sample_addition("/a/report.txt", NEW))
    editions = []
    last = len(counter.steps) - 1
    for at in [*range(0, last, 4), last]:  # every step is tried, without a process each, in test_store_steps
        root = tmp_path / f"step{at}"
        shutil.copytree(prepared, root)
        victim = _victim(root, str(at))
        victim.communicate(timeout=30)
        assert victim.returncode == -signal.SIGKILL
        survivor = DiskLibrary.open(root)
        record = survivor.list().documents[0]
        text = survivor.edition(record.doc_id).page(1).text
        assert (len(record.editions), text) in ((1, OLD[0]), (2, NEW[0]))
        assert survivor.verify(record.doc_id) == []
        editions.append(len(record.editions))
    assert editions[0] == 1 and editions[-1] == 2


def test_what_was_reported_as_added_survives_a_kill_in_a_crowd(tmp_path: Path) -> None:
    root = tmp_path / "library"
    DiskLibrary.open(root)
    adders = [_victim(root, name) for name in ("a", "b", "c")]
    outputs = [adder.stdout for adder in adders if adder.stdout]
    reported = [output.readline().strip() for output in outputs]  # each has come to write
    assert [path[1] for path in reported] == ["a", "b", "c"]
    for adder in adders:
        adder.kill()
    for adder, output in zip(adders, outputs, strict=True):
        with output:
            reported += output.read().split()
        adder.wait(30)
    library = DiskLibrary.open(root)
    assert {library.resolve(path).source_path for path in reported} == set(reported)
    assert len(reported) <= library.list().total <= len(reported) + len(adders)
    library.gc()
    assert library.doctor() == []
