"""Tables rebuilt from real PDFs, against the truth of the code that drew them."""

from __future__ import annotations

import csv
import io
import random
from pathlib import Path

import pytest

from pageindex import reading
from pageindex.evidence import Declared, NumberStatus, Table, check_number, locate, tables_on
from pageindex.evidence.tables.output import to_csv, to_json, to_markdown
from pageindex.reading.pdf.reader import characters
from tests.support.evidence_editions import Printed, edition_of
from tests.support.evidence_tables import CAPTION, Drawn, Style, draw, random_table

STACKED = [("Group", "2022"), ("Group", "2021"), ("Parent", "2022"), ("Parent", "2021")]
ROWS: list[tuple[str, str, list[str]]] = [
    ("", "Revenue", []),
    ("Revenue", "Domestic", ["1,204", "1,150", "310", "(12)"]),
    ("Revenue", "International", ["880", "", "95", "90.5"]),
    ("", "Expenses", []),
    ("Expenses", "Domestic", ["(410)", "(395)", "", "(77)"]),
    ("Expenses", "International", ["(33)", "(31)", "(8)", "(9)"]),
]


def table_of(tmp_path: Path, drawn: Drawn) -> Table:
    path = tmp_path / "table.pdf"
    path.write_bytes(drawn.pdf)
    edition = reading.read(path)
    (table,) = tables_on(edition, 1, lambda page: characters(path, page))
    return table


@pytest.mark.parametrize("column_major", [False, True])
@pytest.mark.parametrize("currency", [False, True])
def test_stacked_headers_sections_and_repeated_labels(tmp_path: Path, column_major: bool, currency: bool) -> None:
    table = table_of(tmp_path, draw(STACKED, ROWS, Style(column_major=column_major, currency=currency)))
    assert [column.headers for column in table.columns] == STACKED
    assert [row.path for row in table.rows] == [f"{section} › {label}" for section, label, values in ROWS if values]
    for row, (_, _, values) in zip(table.rows, [row for row in ROWS if row[2]], strict=True):
        assert [cell.text.removeprefix("$ ") if cell else "" for cell in row.cells] == values


def test_rows_and_columns_are_found_by_their_labels(tmp_path: Path) -> None:
    table = table_of(tmp_path, draw(STACKED, ROWS))
    assert [row.path for row in table.find_rows("domestic")] == ["Revenue › Domestic", "Expenses › Domestic"]
    assert [row.path for row in table.find_rows("Expenses > Domestic")] == ["Expenses › Domestic"]
    assert [row.path for row in table.find_rows("Dom")] == ["Revenue › Domestic", "Expenses › Domestic"]
    assert table.find_rows("Exotic") == []
    assert table.find_columns("Parent 2021") == [3]
    assert table.find_columns("2021") == [1, 3]
    assert table.find_columns("2021 Parent") == [3]
    assert table.find_columns("1999") == []


@pytest.mark.parametrize("seed", range(12))
def test_generated_tables_right_wrong_row_wrong_column(tmp_path: Path, seed: int) -> None:
    drawn = random_table(random.Random(seed))
    path = tmp_path / "table.pdf"
    path.write_bytes(drawn.pdf)
    edition = reading.read(path)
    boxes = characters(path, 1)
    quote = [locate(edition, CAPTION, 1)]
    for row, column, value in drawn.cells:
        rivals = [text for r, c, text in drawn.cells if text and (r == row) != (c == column)]
        if value:
            assert check_number(Declared(value, row, column), edition, quote, lambda _: boxes).status is NumberStatus.OK
        for rival in rivals[:6]:
            check = check_number(Declared(rival, row, column), edition, quote, lambda _: boxes)
            assert check.status in (NumberStatus.WRONG_COLUMN, NumberStatus.MISSING), (row, column, rival, check)


def test_a_cell_is_quotable_by_its_bytes(tmp_path: Path) -> None:
    drawn = draw(STACKED, ROWS, Style(currency=True))
    path = tmp_path / "table.pdf"
    path.write_bytes(drawn.pdf)
    edition = reading.read(path)
    (table,) = tables_on(edition, 1, lambda page: characters(path, page))
    cell = table.rows[0].cells[0]
    assert cell is not None
    assert b"1,204" in edition.page(1).data[cell.start : cell.end]
    assert tables_on(edition, 1, lambda page: characters(path, page)) is tables_on(
        edition, 1, lambda page: ()
    )  # cached


def test_a_label_broken_over_two_lines_is_one_label(tmp_path: Path) -> None:
    rows: list[tuple[str, str, list[str]]] = [
        ("", "Cash at bank", ["5", "6"]),
        ("", "Provisions for pensions and", []),
        ("", "similar obligations", ["17", "18"]),
        ("", "Goodwill", ["3", "4"]),
    ]
    table = table_of(tmp_path, draw([("2022",), ("2021",)], rows))
    assert [row.label for row in table.rows] == [
        "Cash at bank",
        "Provisions for pensions and similar obligations",
        "Goodwill",
    ]


def test_without_characters_the_lines_give_the_cells() -> None:
    cells = {"Sales": ("1,204", "1,100"), "Costs": ("800", "790"), "Profit": ("404", "310")}
    page: list[Printed] = [Printed("2022", x=300), Printed("2021", x=400, same_row=True)]
    for label, (one, other) in cells.items():
        page += [Printed(label), Printed(one, x=300, same_row=True), Printed(other, x=400, same_row=True)]
    (table,) = tables_on(edition_of(page), 1)
    assert [column.header for column in table.columns] == ["2022", "2021"]
    assert {row.label: tuple(cell.text if cell else "" for cell in row.cells) for row in table.rows} == cells


def test_text_without_tables_has_none(tmp_path: Path) -> None:
    page = ["In 2019 the board met twice.", "(1) It resolved to close 3 sites.", "(2) It opened 4 others."]
    assert tables_on(edition_of(page), 1) == ()


def test_output(tmp_path: Path) -> None:
    rows: list[tuple[str, str, list[str]]] = [("", "=Sum | of", ["1", "-2"]), ("", "Next", ["", "4"])]
    table = table_of(tmp_path, draw([("2022",), ("2021",)], rows))
    assert list(csv.reader(io.StringIO(to_csv([table])))) == [
        ["", "2022", "2021"],
        ["'=Sum | of", "1", "-2"],
        ["Next", "", "4"],
    ]
    assert to_markdown([table]).splitlines()[2] == "| =Sum \\| of | 1 | -2 |"
    item = to_json(table)
    assert item["columns"][0]["headers"] == ["2022"]
    assert item["rows"][1]["cells"][0] is None
    assert item["rows"][1]["cells"][1]["text"] == "4"


def paths_of(*rows: tuple[str, int, str, str] | tuple[str, int]) -> list[str]:
    """The paths of a table whose labels are indented by so many points."""
    page: list[Printed] = [Printed("2022", x=300), Printed("2021", x=400, same_row=True)]
    for label, indent, *values in rows:
        page += [
            Printed(label, x=72.0 + indent),
            *(Printed(v, x=300 + 100 * i, same_row=True) for i, v in enumerate(values)),
        ]
    return [row.path for table in tables_on(edition_of(page), 1) for row in table.rows]


@pytest.mark.parametrize(
    ("rows", "paths"),
    [
        (
            [("Expenses:", 0), ("Research", 9, "5", "6"), ("Selling", 9, "7", "8"), ("Net income", 0, "3", "4")],
            ["Expenses › Research", "Expenses › Selling", "Net income"],
        ),
        (
            [
                ("Current assets", 0),
                ("Cash", 0, "5", "6"),
                ("Total current assets", 0, "5", "6"),
                ("Goodwill", 0, "3", "4"),
            ],
            ["Current assets › Cash", "Current assets › Total current assets", "Goodwill"],
        ),
        (
            [
                ("Operating expenses", 0),
                ("Research", 0, "5", "6"),
                ("Selling", 0, "7", "8"),
                ("Net income", 0, "3", "4"),
            ],
            ["Operating expenses › Research", "Operating expenses › Selling", "Net income"],
        ),
        (
            [
                ("2022", 0),
                ("Sales", 0, "5", "6"),
                ("Costs", 0, "3", "4"),
                ("2021", 0),
                ("Sales", 0, "7", "8"),
                ("Costs", 0, "1", "2"),
            ],
            ["2022 › Sales", "2022 › Costs", "2021 › Sales", "2021 › Costs"],
        ),
    ],
)
def test_sections_end(rows: list[tuple[str, int, str, str] | tuple[str, int]], paths: list[str]) -> None:
    assert paths_of(*rows) == paths


def test_headers_may_stand_beside_their_columns_and_a_currency_far_from_its_number() -> None:
    page: list[Printed] = [Printed("2022", x=250), Printed("2021", x=400, same_row=True)]
    for label, one, other in (("Sales", "1,204", "1,100"), ("Profit", "404", "310")):
        page += [Printed(label), Printed("$", x=250, same_row=True), Printed(one, x=320, same_row=True)]
        page += [Printed("$", x=400, same_row=True), Printed(other, x=470, same_row=True)]
    (table,) = tables_on(edition_of(page), 1)
    assert [column.header for column in table.columns] == ["2022", "2021"]
    assert [[cell.text for cell in row.cells if cell] for row in table.rows] == [
        ["$ 1,204", "$ 1,100"],
        ["$ 404", "$ 310"],
    ]


def test_a_single_row_under_headers_is_a_table() -> None:
    page = [
        Printed("2022", x=300),
        Printed("2021", x=400, same_row=True),
        Printed("Sales"),
        Printed("5", x=300, same_row=True),
        Printed("6", x=400, same_row=True),
    ]
    (table,) = tables_on(edition_of([*page, "Text that goes on below, and says nothing of 12 or of 13."]), 1)
    assert [(row.label, [cell.text for cell in row.cells if cell]) for row in table.rows] == [("Sales", ["5", "6"])]
