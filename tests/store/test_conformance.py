"""Every library keeps every contract."""

from __future__ import annotations

from pathlib import Path

import pytest

from pageindex.store.base import Library
from pageindex.store.conformance.suite import CONTRACTS, Contract
from pageindex.store.disk.library import DiskLibrary
from pageindex.store.memory import MemoryLibrary


@pytest.mark.parametrize("contract", CONTRACTS, ids=str)
def test_disk(contract: Contract, tmp_path: Path) -> None:
    contract.check(lambda: DiskLibrary.open(tmp_path / "library"))


@pytest.mark.parametrize("contract", CONTRACTS, ids=str)
def test_memory(contract: Contract) -> None:
    def factory() -> Library:
        return MemoryLibrary()

    contract.check(factory)
