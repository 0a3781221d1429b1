"""The commands over a real library on disk: what they print, and how they end."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from pageindex.cli import add, evidence
from pageindex.errors import CHANGED_STATUS, InputError, PageRangeError
from tests.support.evidence_tables import CAPTION, Style, draw

ROWS: list[tuple[str, str, list[str]]] = [("", "Net sales", ["1,204", "1,150"]), ("", "Net costs", ["(410)", "(395)"])]


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("indexed")
    source = folder / "report.pdf"
    source.write_bytes(draw([("2022",), ("2021",)], ROWS, Style(size=10)).pdf)
    result = run("add", str(source), "--jobs", "1", "--library", str(folder / "lib"))
    assert result.exit_code == 0, result.output
    return folder / "lib"


@pytest.fixture
def library(indexed: Path, tmp_path: Path) -> Path:
    return shutil.copytree(indexed, tmp_path / "lib")


def run(*arguments: str, stdin: str | None = None) -> Result:
    app = typer.Typer()
    add.register(app)
    evidence.register(app)
    return CliRunner().invoke(app, list(arguments), input=stdin)


def test_locate(library: Path) -> None:
    result = run("locate", "report.pdf", CAPTION, "-p", "1", "--library", str(library))
    assert result.exit_code == 0
    assert result.output.startswith("PASS  exact")
    found = json.loads(run("locate", "report.pdf", CAPTION, "--json", "--rectangles", "--library", str(library)).output)
    assert found["status"] == "exact"
    assert found["handles"][0] in result.output
    (rectangle,) = found["rectangles"]
    assert rectangle["page"] == 1
    assert rectangle["box"][0] == pytest.approx(60, abs=2)


@pytest.mark.parametrize(
    ("quote", "status", "code"),
    [
        (CAPTION.replace("kind", "sort"), "altered", 20),
        (CAPTION.replace(",", ";"), "near", 21),
        ("a sentence that nobody wrote", "missing", 20),
    ],
)
def test_locate_ends_with_the_weight(library: Path, quote: str, status: str, code: int) -> None:
    result = run("locate", "report.pdf", "-", "--page", "1", "--json", "--library", str(library), stdin=quote)
    assert (json.loads(result.output)["status"], result.exit_code) == (status, code)


def test_locate_names_the_other_document(library: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("The bridge over the river was opened in spring after a long and costly winter.\n")
    assert run("add", str(other), "--jobs", "1", "--library", str(library)).exit_code == 0
    quote = "bridge over the river was opened in spring"
    assert json.loads(run("locate", "report.pdf", quote, "--json", "-L", str(library)).output)["status"] == "missing"
    found = json.loads(run("locate", "report.pdf", quote, "--everywhere", "--json", "-L", str(library)).output)
    assert found["status"] == "elsewhere"
    assert "other.txt" in found["message"]


def claims(column: str) -> str:
    quote = {"text": CAPTION, "page": 1}
    number = {"as_printed": "1,204", "row": "Net sales", "column": column}
    claim = {"id": "c", "text": "Net sales were 1,204.", "quotes": [quote], "numbers": [number]}
    return json.dumps({"document": "report.pdf", "claims": [claim]})


@pytest.mark.parametrize(("column", "verdict", "code"), [("2022", "PASS", 0), ("2021", "FAIL", 20)])
def test_check(library: Path, tmp_path: Path, column: str, verdict: str, code: int) -> None:
    path = tmp_path / "claims.json"
    path.write_text(claims(column))
    result = run("check", str(path), "--json", "--library", str(library))
    assert (json.loads(result.output)["verdict"], result.exit_code) == (verdict, code)
    assert (
        run("check", "-", "--library", str(library), stdin=claims(column))
        .output.rstrip()
        .endswith(f"{verdict}  1 claims")
    )


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"claims": [{"id": "a", "text": "t", "x": 1}]}', '{"claims": [{"id": "a", "text": "t"}]}']
)
def test_check_of_what_is_no_claim(library: Path, text: str) -> None:
    result = run("check", "-", "--library", str(library), stdin=text)
    assert isinstance(result.exception, InputError)


def test_verify(library: Path) -> None:
    assert run("verify", "report.pdf", "--deep", "--library", str(library)).exit_code == 0
    (source,) = library.rglob("source.pdf")
    data = bytearray(source.read_bytes())
    data[-3] ^= 1
    source.chmod(0o600)
    source.unlink()
    source.write_bytes(data)
    result = run("verify", "report.pdf", "--json", "--library", str(library))
    assert result.exit_code == CHANGED_STATUS
    assert "SOURCE_CHANGED" in {finding["code"] for finding in json.loads(result.output)["findings"]}


def test_verify_with_a_second_extractor(library: Path) -> None:
    result = run("verify", "report.pdf", "--compare", "full", "--json", "--library", str(library))
    assert (result.exit_code, json.loads(result.output)["findings"]) == (0, [])


def test_verify_names_an_edited_page_file(library: Path) -> None:
    (pages,) = library.rglob("pages.json")
    text = pages.read_bytes()
    pages.chmod(0o600)
    pages.write_bytes(text.replace(b"1,204", b"1,294"))
    result = run("verify", "report.pdf", "--json", "--library", str(library))
    assert result.exit_code == CHANGED_STATUS
    assert any("pages.json" in finding["message"] for finding in json.loads(result.output)["findings"])


def test_table(library: Path) -> None:
    result = run("table", "report.pdf", "1", "--csv", "--library", str(library))
    wanted = [["", "2022", "2021"], ["Net sales", "1,204", "1,150"], ["Net costs", "(410)", "(395)"]]
    assert list(csv.reader(io.StringIO(result.output))) == wanted
    item = json.loads(run("table", "report.pdf", "1", "--json", "--library", str(library)).output)
    assert item["tables"][0]["rows"][0]["cells"][1]["text"] == "1,150"
    assert (
        run("table", "report.pdf", "1", "--library", str(library)).output.splitlines()[2]
        == "| Net sales | 1,204 | 1,150 |"
    )


def test_table_of_a_page_that_does_not_exist(library: Path) -> None:
    assert isinstance(run("table", "report.pdf", "7", "--library", str(library)).exception, PageRangeError)
