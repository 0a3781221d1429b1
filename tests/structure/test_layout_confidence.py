"""How sure of itself a document's choice of headings is."""

from __future__ import annotations

import numpy as np
import pytest

from pageindex.cli import browse
from pageindex.document.codec import tree_from_json, tree_to_json
from pageindex.reading import read_bytes
from pageindex.structure import build_tree
from pageindex.structure.layout.confidence import CONFIDENCE_COLUMNS, confidence_row
from pageindex.structure.layout.features import FEATURES, Features
from pageindex.structure.numbering.marks import parse
from tests.support.structure_pdfs import Pages, tree_of


def features(titles: list[str], group: list[int]) -> Features:
    count = len(titles)
    none = np.zeros(count, dtype=bool)
    return Features(
        rows=np.zeros((count, len(FEATURES))),
        group=np.array(group),
        rank=np.array(group),
        numbers=[parse(title) for title in titles],
        contents=np.full(count, -1),
        size=np.ones(count),
        bold=none,
        italic=none,
        ink=none,
        caps=np.zeros(count),
        first=np.arange(count) * 10,
        page=np.array(range(1, count + 1)),
    )


def test_one_unit_alone_has_a_row() -> None:
    row = confidence_row(features(["A"], [0]), np.array([0.5]), np.array([False]))
    assert row.shape == (1, len(CONFIDENCE_COLUMNS)) and np.isfinite(row).all()


def test_confidence_measures_the_choice() -> None:
    scores = np.array([0.9, 0.9, 0.4, 0.1])
    taken = scores > 0.5
    row = confidence_row(features(["A", "B", "C", "D"], [0, 0, 0, 1]), scores, taken)[0]
    value = dict(zip(CONFIDENCE_COLUMNS, row.tolist(), strict=True))
    assert value["sure"] == pytest.approx(0.9)
    assert value["quality"] == pytest.approx(2 * 1.8 / (2 + 2.3))
    assert value["split"] == pytest.approx(0.5)  # one of three of the group is left out
    assert value["missed_a_page"] == pytest.approx(0.5 / 4)


def test_a_tree_from_print_says_how_sure_it_is_and_keeps_it() -> None:
    pages = Pages()
    for chapter in range(1, 5):
        pages.page().heading(f"{chapter} Chapter of stones", 16).body(10).heading(f"{chapter}.1 Sand", 13).body(12)
    tree = tree_of(pages.pdf())
    assert tree.confidence is not None
    assert 0.0 <= tree.confidence <= 1.0
    assert tree_from_json(tree_to_json(tree)) == tree


def test_a_format_that_marks_its_headings_is_not_doubted() -> None:
    edition = read_bytes(b"# One\n\nText of one.\n\n# Two\n\nText of two.\n", "notes.md")
    assert build_tree(edition).confidence is None


@pytest.mark.parametrize(
    ("confidence", "said"), [(None, ""), (0.9, ""), (0.62, ", headings uncertain (about 62% right)")]
)
def test_low_confidence_is_told(confidence: float | None, said: str) -> None:
    assert browse.doubt(confidence) == said
