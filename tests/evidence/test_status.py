"""The closed lists: every status has a weight, and the worst decides."""

from __future__ import annotations

import itertools

import pytest

import pageindex.evidence as room
from pageindex.evidence import NumberStatus, QuoteStatus, Verdict, Weight, verdict


def test_what_passes_is_known_by_name() -> None:
    assert {s for s in QuoteStatus if s.weight is Weight.PASS} == {"exact", "folded", "span"}
    assert {s for s in QuoteStatus if s.weight is Weight.PARTIAL} == {"ocr"}
    assert {s for s in QuoteStatus if s.weight is Weight.REVIEW} == {
        "redacted",
        "sign_ambiguous",
        "near",
        "gapped",
        "ambiguous",
        "unread",
    }
    assert {s for s in NumberStatus if s.weight is Weight.PASS} == {"ok", "rounded"}
    assert {s for s in NumberStatus if s.weight is Weight.PARTIAL} == {"ocr_only", "image_only"}
    assert {s for s in NumberStatus if s.weight is Weight.FAIL} == {
        "wrong_period",
        "unit_differs",
        "magnitude_differs",
        "missing",
        "unparseable",
        "wrong_column",
        "numbers_differ",
    }


def test_the_worst_decides() -> None:
    order = [Verdict.PASS, Verdict.PARTIAL, Verdict.NEEDS_REVIEW, Verdict.FAIL]
    for count in (1, 2, 3):
        for weights in itertools.product(Weight, repeat=count):
            assert verdict(weights) is order[max(weights)]


def test_nothing_shown_is_no_pass() -> None:
    assert verdict([]) is Verdict.FAIL


@pytest.mark.parametrize("name", sorted(room.__all__))
def test_every_exported_name_is_there(name: str) -> None:
    assert getattr(room, name) is not None
