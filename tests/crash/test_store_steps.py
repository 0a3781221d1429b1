"""A change that dies at any of its steps leaves the state before it or the state after it, and can be made again."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from pageindex.store.conformance.samples import sample_addition
from pageindex.store.conformance.suite import CONTRACTS, Contract
from pageindex.store.disk.library import DiskLibrary
from tests.support.store_changes import CHANGES, DOC, OLD, state_of
from tests.support.store_faults import Countdown, DyingLibrary, Killed, dying

#: By default every other step is died at, and each system call in one way by ``test_store_faults``.
ALL = os.environ.get("FAULTS") == "all"


def _corrupt_and_repair(library: DiskLibrary) -> object:
    path = library.root / "documents" / DOC / "document.json"
    if path.exists():
        path.write_bytes(b"")
    return library.doctor(repair=True)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("prepared") / "library"
    DiskLibrary.open(root).add(sample_addition("/a/report.txt", OLD))
    return root


@pytest.mark.parametrize("name", CHANGES)
def test_dying_at_every_step(name: str, prepared: Path, tmp_path: Path) -> None:
    change = CHANGES[name]
    before = state_of(DiskLibrary.open(prepared))
    whole = tmp_path / "whole"
    shutil.copytree(prepared, whole)
    library, counter = dying(whole, None)
    change(library)
    after = state_of(DiskLibrary.open(whole))
    assert after != before and counter.steps
    seen = set()
    last = len(counter.steps) - 1
    for at in range(last + 1) if ALL else sorted({*range(0, last, 2), last}):
        root = tmp_path / f"step{at}"
        shutil.copytree(prepared, root)
        with pytest.raises(Killed):
            change(dying(root, at)[0])
        survivor = DiskLibrary.open(root)
        state = state_of(survivor)
        assert state in (before, after), f"{counter.steps[at]} (step {at}) leaves neither the old nor the new state"
        seen.add(state == after)
        assert {finding.code for finding in survivor.doctor()} <= {"LEFTOVER"}
        if state == before:
            change(survivor)
        assert state_of(survivor) == after
        survivor.gc()
        assert survivor.doctor() == [], f"gc after step {at}"
        assert state_of(DiskLibrary.open(root)) == after
    assert False in seen, "some deaths come before the change is decided"


def test_a_repair_that_dies_sets_aside_and_loses_nothing(prepared: Path, tmp_path: Path) -> None:
    counter = Countdown()
    for at in range(100):
        root = tmp_path / f"step{at}"
        shutil.copytree(prepared, root)
        library, counter = dying(root, at)
        try:
            _corrupt_and_repair(library)
        except Killed:
            DiskLibrary.open(root).doctor(repair=True)
        else:
            break
        assert DiskLibrary.open(root).list().total == 0
        kept = list((root / "set-aside").glob("*/source.txt"))
        assert [path.read_bytes() for path in kept] == ["\f".join(OLD).encode()]
    assert counter.steps and at > 1


@pytest.mark.parametrize("contract", CONTRACTS, ids=str)
def test_contracts_hold_for_a_library_whose_writers_keep_dying(contract: Contract, tmp_path: Path) -> None:
    def factory() -> Any:
        DiskLibrary.open(tmp_path / "library")
        return DyingLibrary(tmp_path / "library")

    contract.check(factory)
