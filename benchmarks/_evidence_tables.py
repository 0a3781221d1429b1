"""Generated tables for the evidence benchmark; they are drawn by the builder that the tests use."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from pageindex import reading
from pageindex.evidence import Declared, locate
from pageindex.reading.pdf.reader import characters
from tests.support.evidence_tables import CAPTION, random_table

TABLES = 300


def generated(seed: int, cache: Path) -> Iterator[list[tuple[str, Declared, object, object, object]]]:
    """Per table: every cell as it is, with the value of another column, and with the value of another row."""
    rng = random.Random(seed)
    cache.mkdir(parents=True, exist_ok=True)
    path = cache / "generated.pdf"
    for _ in range(TABLES):
        drawn = random_table(rng)
        path.write_bytes(drawn.pdf)
        edition = reading.read(path)
        boxes = characters(path, 1)
        located = locate(edition, CAPTION, 1)
        source = lambda _, boxes=boxes: boxes  # noqa: E731
        trial = []
        for row, column, value in drawn.cells:
            others = [text for r, c, text in drawn.cells if r == row and c != column and text]
            below = [text for r, c, text in drawn.cells if r != row and c == column and text]
            if value:
                trial.append(("right", Declared(value, row, column), located, edition, source))
            if others:
                trial.append(("column", Declared(rng.choice(others), row, column), located, edition, source))
            if below:
                trial.append(("row", Declared(rng.choice(below), row, column), located, edition, source))
        yield trial
