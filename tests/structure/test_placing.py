"""Appendices stand beside the last chapter, wherever an outline hung them."""

from __future__ import annotations

from typing import cast

import pytest

from pageindex.document import TreeSource
from pageindex.structure.candidate import Candidate
from pageindex.structure.numbering.marks import parse
from pageindex.structure.placing import Node, raise_appendices


def nodes(*rows: tuple[int, str]) -> list[Node]:
    return [Node(cast(Candidate, None), level, title, parse(title), [TreeSource.BOOKMARK]) for level, title in rows]


def levels(*rows: tuple[int, str]) -> list[int]:
    made = nodes(*rows)
    raise_appendices(made)
    return [node.level for node in made]


BOOK = [(1, "1. Scope"), (1, "2. Method"), (2, "2.1 Samples"), (2, "2.2 Tests")]


@pytest.mark.parametrize("word", ["Appendix", "Annex", "Anhang", "Annexe", "Anexo"])
def test_appendices_below_the_last_section_come_up_with_what_is_below_them(word: str) -> None:
    hung = [(3, f"{word} A Tables"), (4, "Prices"), (3, f"{word} B Forms")]
    assert levels(*BOOK, *hung) == [1, 1, 2, 2, 1, 2, 1]


@pytest.mark.parametrize(
    "rows",
    [
        [*BOOK, (1, "Appendix A Tables"), (1, "Appendix B Forms")],  # beside the chapters already
        [*BOOK, (3, "Appendix A Tables")],  # one alone may be the chapter's own
        [*BOOK, (2, "Appendix A Tables"), (2, "Appendix B Forms"), (1, "3. Results")],  # another chapter follows
        [*BOOK, (2, "Appendix A Tables"), (2, "Appendix A Forms")],  # they begin anew
        [*BOOK, (2, "Appendix C Tables"), (2, "Appendix D Forms")],  # the count does not begin here
        [(1, "Scope"), (2, "Appendix A Tables"), (2, "Appendix B Forms")],  # no chapter is counted
    ],
)
def test_others_stay_where_they_are(rows: list[tuple[int, str]]) -> None:
    assert levels(*rows) == [level for level, _ in rows]
