"""The evaluation of the shipped trees against the trainer's own answers, and the rules around the scores."""

from __future__ import annotations

import numpy as np
import pytest

from pageindex.structure.layout import confidence, levels, model
from pageindex.structure.layout.features import FEATURES
from pageindex.structure.layout.levels import Heading, levels_of
from pageindex.structure.layout.model import MODEL_FILE, Trees, stored_arrays
from pageindex.structure.layout.selection import chosen, completed
from pageindex.structure.numbering.marks import Number, parse

FILES = (MODEL_FILE, confidence.CONFIDENCE_FILE, levels.LEVELS_FILE)


@pytest.mark.parametrize("name", FILES)
def test_the_evaluation_equals_the_trainer(name: str) -> None:
    stored = stored_arrays(name)
    got = Trees.of(stored).log_odds(stored["probe"])
    assert len(got) > 100
    assert np.abs(got - stored["answer"]).max() < 1e-5


def test_scores_leave_out_only_what_is_hopeless() -> None:
    stored = stored_arrays(MODEL_FILE)
    trees = Trees.of(stored)
    exact = 1 / (1 + np.exp(-stored["answer"]))
    got = trees.scores(stored["probe"])
    sure = exact > 0.05
    assert sure.any()
    assert np.abs(got - exact)[sure].max() < 1e-5
    assert got[~sure].max() < 0.06


def test_columns_are_found_by_name() -> None:
    stored = stored_arrays(MODEL_FILE)
    turned = FEATURES[::-1]
    rows = np.zeros((len(stored["probe"]), len(turned)))
    for index, name in enumerate(stored["names"].tolist()):
        rows[:, turned.index(name)] = stored["probe"][:, index]
    assert np.allclose(Trees.of(stored, turned).log_odds(rows), stored["answer"], atol=1e-5)


def test_a_missing_column_is_an_error() -> None:
    with pytest.raises(ValueError, match="size"):
        Trees.of(stored_arrays(MODEL_FILE), [name for name in FEATURES if name != "size"])


def test_model_files_stay_small() -> None:
    from importlib.resources import files

    sizes = [len(files("pageindex.structure.layout").joinpath(name).read_bytes()) for name in FILES]
    assert sum(sizes) < 300_000


def test_trees_are_read_once() -> None:
    assert model.load() is model.load()


def test_one_tree_by_hand() -> None:
    # x0 <= 1: leaf 10 | else x1 <= 2: leaf 20 | else leaf 30
    trees = Trees(
        feature=np.array([0, 1]),
        threshold=np.array([1.0, 2.0], dtype=np.float32),
        mask=np.array([0xFFFFFFFE, 0xFFFFFFFD], dtype=np.uint32),
        start=np.array([0]),
        value=np.array([[10.0, 20.0, 30.0]], dtype=np.float32),
    )
    rows = np.array([[1.0, 9.0], [1.5, 2.0], [1.5, 2.5]])
    assert trees.log_odds(rows).tolist() == [10.0, 20.0, 30.0]


def test_the_cut_follows_the_document() -> None:
    assert chosen(np.array([0.9, 0.9, 0.9, 0.2, 0.1])).tolist() == [True, True, True, False, False]
    assert chosen(np.array([0.3, 0.3, 0.01, 0.01])).tolist() == [True, True, False, False]
    assert chosen(np.array([0.05, 0.04])).tolist() == [False, False]
    assert chosen(np.zeros(0)).tolist() == []


def _numbers(*titles: str) -> list[Number | None]:
    return [parse(title) for title in titles]


def test_a_numbered_run_is_completed_where_half_of_it_is_taken() -> None:
    numbers = _numbers("Sec. 9-1 a", "Sec. 9-2 b", "Sec. 9-3 c", "Sec. 9-4 d")
    group = np.zeros(4, dtype=np.int64)
    scores = np.array([0.9, 0.9, 0.1, 0.001])
    taken = np.array([True, True, False, False])
    assert completed(taken, scores, group, numbers).tolist() == [True, True, True, False]
    few = np.array([True, False, False, False])
    assert completed(few, scores, group, numbers).tolist() == few.tolist()


def test_roman_chapters_are_taken_where_their_parts_start_again() -> None:
    numbers = _numbers("I. FIRST", "A. Part", "B. Part", "II. SECOND", "A. Part", "III. THIRD", "A. Part")
    group = np.array([0, 1, 1, 0, 1, 0, 1])
    scores = np.array([0.1, 0.9, 0.9, 0.1, 0.9, 0.1, 0.9])
    assert completed(scores > 0.5, scores, group, numbers).all()
    arabic = _numbers("1. FIRST", "A. Part", "B. Part", "2. SECOND", "A. Part", "3. THIRD", "A. Part")
    assert completed(scores > 0.5, scores, group, arabic).sum() == 4


def _heading(title: str, size: float = 1.0, *, bold: bool = True) -> Heading:
    return Heading(size, bold, False, title.isupper(), False, False, parse(title), chars=float(len(title)))


def test_dotted_numbers_rank_by_depth_whatever_their_style() -> None:
    titles = ["1 One", "1.1 Two", "1.1.1 Three", "1.2 Four", "2 Five", "2.1 Six", "2.1.1 Seven", "2.2 Eight"]
    assert levels_of([_heading(title, 1.2) for title in titles]) == [1, 2, 3, 2, 1, 2, 3, 2]


def test_a_larger_style_stands_above_a_smaller_one() -> None:
    rows = [("Alpha", 2.0), ("beta", 1.4), ("gamma", 1.4), ("Delta", 2.0), ("epsilon", 1.4), ("zeta", 1.4)]
    assert levels_of([_heading(title, size) for title, size in rows]) == [1, 2, 2, 1, 2, 2]


def test_no_headings_no_levels() -> None:
    assert levels_of([]) == []


def test_two_parts_of_one_parent_are_taken_together() -> None:
    scores, group = np.array([0.2, 0.6]), np.array([0, 0])
    assert completed(scores > 0.5, scores, group, [parse("2.1 Trains"), parse("2.2 Flights")]).all()
    assert completed(scores > 0.5, scores, group, [parse("2.1 Trains"), parse("3.2 Flights")]).sum() == 1


def test_a_run_one_of_whose_members_has_parts_is_completed() -> None:
    numbers = _numbers("1 Purpose", "2 Rules", "2.1 Trains", "2.2 Flights", "3 Contacts")
    group, scores = np.array([0, 0, 1, 1, 0]), np.array([0.1, 0.6, 0.1, 0.6, 0.1])
    assert completed(scores > 0.5, scores, group, numbers).all()
    flat = _numbers("1 Purpose", "2 Rules", "4.1 Trains", "4.2 Flights", "3 Contacts")
    assert completed(scores > 0.5, scores, group, flat).tolist() == [False, True, True, True, False]
