"""A change that dies at any of its steps leaves the state before it or the state after it, and can be made again."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pageindex.store.base import Attempt
from pageindex.store.conformance.samples import sample_addition, sample_summaries, sample_tree
from pageindex.store.conformance.suite import CONTRACTS, Contract
from pageindex.store.disk.library import DiskLibrary
from tests.support.store_faults import Countdown, DyingLibrary, Killed, dying

OLD = ("# One\nalpha", "# Two\nbeta")
NEW = ("# Changed\ngamma",)
DOC = sample_addition("/a/report.txt", OLD).source_sha256[:10]


def _replace(library: DiskLibrary) -> object:
    edition = library.edition(DOC)
    tree = sample_tree(edition, "de")
    summaries = sample_summaries(tree, {"0000": "new summary"})
    return library.replace_derived(DOC, edition.id, tree=tree, summaries=summaries, facts={"description": "new"})


def _corrupt_and_repair(library: DiskLibrary) -> object:
    path = library.root / "documents" / DOC / "document.json"
    if path.exists():
        path.write_bytes(b"")
    return library.doctor(repair=True)


CHANGES: dict[str, Callable[[DiskLibrary], object]] = {
    "add": lambda library: library.add(sample_addition("/b/other.txt", NEW)),
    "new edition": lambda library: library.add(sample_addition("/a/report.txt", NEW)),
    "replace derived": _replace,
    "update": lambda library: library.update(DOC, metadata={"year": 1}),
    "remove": lambda library: library.remove(DOC) if library.list().total else None,
    "folder": lambda library: library.create_folder("F"),
    "file": lambda library: library.put_file(DOC, "runs", "r.json", b"1"),
    "attempt": lambda library: library.record_attempt(Attempt("t", "/a", "", "added")),
}


def _state(library: DiskLibrary) -> object:
    """Everything that a reader can see, without times and random ids."""
    documents = []
    for record in library.list(limit=100).documents:
        edition_ids = [entry.id for entry in record.editions]
        assert library.get(record.doc_id) == record
        documents.append(
            (
                record.doc_id,
                edition_ids,
                record.description,
                record.metadata,
                [library.edition(record.doc_id, e) for e in edition_ids],
                [library.tree(record.doc_id, e) for e in edition_ids],
                [library.summaries(record.doc_id, e) for e in edition_ids],
                [library.source(record.doc_id, e).read_bytes() for e in edition_ids],
                [(n, library.get_file(record.doc_id, "runs", n)) for n in library.list_files(record.doc_id, "runs")],
            )
        )
    found = sorted((hit.doc_id, hit.page) for hit in library.search("alpha gamma").hits)
    folders = [f.name for f in library.list_folders()]
    return sorted(documents, key=lambda d: str(d[0])), folders, library.attempts(), found


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("prepared") / "library"
    DiskLibrary.open(root).add(sample_addition("/a/report.txt", OLD))
    return root


@pytest.mark.parametrize("name", CHANGES)
def test_dying_at_every_step(name: str, prepared: Path, tmp_path: Path) -> None:
    change = CHANGES[name]
    before = _state(DiskLibrary.open(prepared))
    whole = tmp_path / "whole"
    shutil.copytree(prepared, whole)
    library, counter = dying(whole, None)
    change(library)
    after = _state(DiskLibrary.open(whole))
    assert after != before and counter.steps
    seen = set()
    for at in range(len(counter.steps)):
        root = tmp_path / f"step{at}"
        shutil.copytree(prepared, root)
        with pytest.raises(Killed):
            change(dying(root, at)[0])
        survivor = DiskLibrary.open(root)
        state = _state(survivor)
        assert state in (before, after), f"{counter.steps[at]} (step {at}) leaves neither the old nor the new state"
        seen.add(state == after)
        assert {finding.code for finding in survivor.doctor()} <= {"LEFTOVER"}
        if state == before:
            change(survivor)
        assert _state(survivor) == after
        survivor.gc()
        assert survivor.doctor() == [], f"gc after step {at}"
        assert _state(DiskLibrary.open(root)) == after
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
