"""Figures of a real table: a quotation of the row proves the figure for that row alone, whatever else the sentence calls it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pageindex.chat import check_answer
from pageindex.client import PageIndexClient
from pageindex.evidence.status import Verdict
from pageindex.tools import Reader, call_tool
from tests.support.evidence_tables import draw

ROWS: list[tuple[str, str, list[str]]] = [
    ("", "Income taxes, net of refunds", ["3,040", "2,736"]),
    ("", "Employment taxes", ["1,211", "1,357"]),
    ("", "Depreciation", ["410", "395"]),
]


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Reader]:
    """A reader that has read the page."""
    drawn = draw([("2022",), ("2021",)], ROWS)
    with PageIndexClient(storage_path=tmp_path / "library") as client:
        client.submit_document(drawn.pdf, name="taxes.pdf")
        reader = client.session("taxes.pdf")
        call_tool(reader, "get_page_content", {"pages": "1"})
        reader.sent(reader.receipts())
        yield reader


def test_a_quoted_row_proves_its_own_figure(session: Reader) -> None:
    body = 'Income taxes, net of refunds were 3,040 in 2022: "Income taxes, net of refunds  3,040  2,736" [p. 1].'
    assert check_answer(session, body).verdict is Verdict.PASS


@pytest.mark.parametrize("row", ["Employment taxes", "Depreciation", "Property taxes"])
def test_a_quoted_row_proves_nothing_of_another(session: Reader, row: str) -> None:
    """The words of the quotation named the row, and the sentence's own were not asked for theirs."""
    body = f'{row} were 3,040 in 2022: "Income taxes, net of refunds  3,040  2,736" [p. 1].'
    assert check_answer(session, body).verdict is not Verdict.PASS
