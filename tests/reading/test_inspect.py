"""Pages are looked at in a worker, which may die of one without harm to the caller or to the next page."""

from __future__ import annotations

from pathlib import Path

import pytest

from pageindex.errors import PageRangeError, PasswordError
from pageindex.reading import WorkerPool
from pageindex.reading.inspect import PageInspector
from pageindex.reading.pdf.characters import characters, render
from pageindex.reading.pdf.second_extractor import page_text
from tests.support.pdf import Text, draw, encrypted


@pytest.fixture
def two_pages(tmp_path: Path) -> Path:
    path = tmp_path / "two.pdf"
    path.write_bytes(draw([Text(72, 100, "First page")], [Text(72, 100, "Second page")]))
    return path


def test_it_gives_what_the_reader_gives(two_pages: Path) -> None:
    with PageInspector(two_pages) as inspector:
        assert inspector.characters(2) == characters(two_pages, 2)
        assert "".join(one.text for one in inspector.characters(2)) == "Secondpage"
        assert inspector.image(1, dpi=72) == render(two_pages, 1, 1.0)
        assert inspector.second_texts([1, 2]) == page_text(two_pages, [1, 2])


def test_errors_keep_their_kind(two_pages: Path, tmp_path: Path) -> None:
    with PageInspector(two_pages) as inspector, pytest.raises(PageRangeError):
        inspector.characters(3)
    locked = tmp_path / "locked.pdf"
    locked.write_bytes(encrypted(two_pages.read_bytes(), user="reader"))
    with PageInspector(locked) as inspector, pytest.raises(PasswordError):
        inspector.characters(1)
    with PageInspector(locked, "reader") as inspector:
        assert len(inspector.characters(1)) == len("Firstpage")


def test_a_pool_that_is_given_stays_open(two_pages: Path) -> None:
    with WorkerPool(1) as pool:
        for _ in range(2):
            with PageInspector(two_pages, pool=pool) as inspector:
                assert inspector.characters(1)
        assert pool.submit("operator:add", 2, 3).result() == 5
