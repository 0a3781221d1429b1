"""What is made of an edition once is kept with it, and with nothing else."""

from __future__ import annotations

import gc
import pickle
import weakref

from pageindex.document import Edition
from tests.support.evidence_editions import text_edition


class Made:
    """Counts how often it is made."""

    count = 0

    def __init__(self, edition: Edition) -> None:
        Made.count += 1
        self.edition = edition


def test_derived_values_are_made_once_and_go_with_their_edition() -> None:
    edition = text_edition("words")
    Made.count = 0
    first = edition.derived(Made)
    assert edition.derived(Made) is first
    assert text_edition("words").derived(Made) is not first, "another object is another owner"
    assert Made.count == 2
    gone = weakref.ref(first)
    del first, edition
    gc.collect()
    assert gone() is None


def test_derived_values_change_neither_equality_nor_what_is_sent_to_another_process() -> None:
    edition = text_edition("words")
    edition.derived(lambda made: lambda: made)  # nothing that can be pickled
    again = pickle.loads(pickle.dumps(edition))
    assert again == edition == text_edition("words")
    assert repr(again) == repr(edition)
