"""Inputs changed at random, through every door: a result or a clear error, whatever they are.

A short run from one seed here; ``python -m benchmarks fuzz --seconds 60`` is the long one.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.fuzz_targets import TARGETS, fuzz


@pytest.mark.timeout(0)
@pytest.mark.parametrize("name", [name for name in TARGETS if name != "pdf"])  # which test_fuzz does, on other sources
def test_nothing_is_found(name: str, tmp_path: Path) -> None:
    executions, findings = fuzz(name, 0.5, seed=1, folder=tmp_path, least=15)
    assert findings == []
    assert executions >= 15
