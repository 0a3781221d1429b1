"""What a user can do gives the same through every door: the application's own result, field by field."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pikepdf
import pytest

from pageindex.client import PageIndexClient
from pageindex.errors import PasswordError
from pageindex.limits import Limits
from pageindex.store.base import Spent
from tests.doors.doors import DOORS, OPERATIONS, Application, Door, DoorError, Tools
from tests.support.evidence_tables import CAPTION, Style, draw
from tests.support.memos import QUOTE, write_memo
from tests.support.odd_files import numbered_pdf
from tests.support.terminal import run_here

EXAMPLE = Path(__file__).parents[2] / "examples" / "nist-sp800-115.pdf"
ROWS: list[tuple[str, str, list[str]]] = [
    ("", "Net sales", ["1,204", "1,150"]),
    ("", "Net costs", ["(410)", "(395)"]),
    ("", "Net result", ["794", "755"]),
]
NUMBERS = [
    ("1,204", "Net sales", "2022"),
    ("1,150", "Net sales", "2021"),
    ("(410)", "Net costs", "2022"),
    ("755", "Net result", "2021"),
    ("1,150", "Net sales", "2022"),  # of the other year
    ("794", "Net costs", "2022"),  # of another row
    ("1,205", "Net sales", "2022"),  # nowhere
]


def claim(number: str, row: str, column: str) -> dict[str, Any]:
    """That a cell of the drawn table holds a number."""
    declared = {"as_printed": number, "row": row, "column": column}
    return {
        "id": f"{number} {row} {column}",
        "text": f"{row} were {number}.",
        "quotes": [{"text": CAPTION, "page": 1}],
        "numbers": [declared],
    }


TABLE_CLAIMS = [claim(*number) for number in NUMBERS]
TEXT_CLAIMS = [
    {"id": "1", "text": "Trains are preferred.", "quotes": [{"text": QUOTE, "page": 1}], "numbers": []},
    {"id": "2", "text": "Trains are forbidden.", "quotes": [{"text": QUOTE.replace("preferred", "forbidden")}]},
]

#: Operation, arguments, and what an error's code is where it is one.
CASES: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("documents", (), {}),
    ("documents", (), {"limit": 2, "offset": 1}),
    ("document", ("memo.md",), {}),
    ("document", (EXAMPLE.name,), {}),
    ("structure", ("memo.md",), {}),
    ("structure", (EXAMPLE.name,), {}),
    ("costs", ("memo.md",), {}),
    ("spending", (), {}),
    ("spending", (["memo.md"],), {"since": "2026-01-02"}),
    ("section", ("memo.md", "0003"), {}),
    ("section", ("memo.md", "3"), {"raw": True}),
    ("section", (EXAMPLE.name, "0014"), {}),
    ("pages", ("memo.md", "1"), {}),
    ("pages", (EXAMPLE.name, "35,12-13"), {}),
    ("pages", (EXAMPLE.name, "iv"), {}),
    ("pages", (EXAMPLE.name, "20"), {"raw": True}),
    ("image", ("table.pdf", "1"), {}),
    ("export", ("memo.md",), {}),
    ("export", ("chapters.pdf",), {"raw": True}),
    ("words", ("memo.md", "trains 600"), {}),
    ("words", (EXAMPLE.name, '"password cracking"'), {}),
    ("search", ("travel by train",), {}),
    ("search", ("password cracking dictionary", [EXAMPLE.name]), {}),
    ("search", ("nothing of the kind qqq zzz",), {}),
    ("search", ("trravel on page 1 by figure 77", ["memo.md"]), {}),
    ("search", ('"password cracking" in section 5.1 and table iv', [EXAMPLE.name]), {}),
    ("locate", ("memo.md", QUOTE), {"page": 1}),
    ("locate", ("table.pdf", CAPTION, 1), {"rectangles": True}),
    ("locate", ("table.pdf", QUOTE), {"everywhere": True}),
    ("locate", ("memo.md", QUOTE.replace("600", "900")), {}),
    ("check", ("table.pdf", TABLE_CLAIMS), {}),
    ("check", ("memo.md", TEXT_CLAIMS), {}),
    ("verify", ("table.pdf",), {"deep": True}),
    ("verify", ("chapters.pdf",), {"compare": "full"}),
    ("tables", ("table.pdf", "1"), {}),
    ("tables", ("memo.md", "1"), {}),
]

ERRORS: list[tuple[str, tuple[Any, ...]]] = [
    ("document", ("nothing.pdf",)),
    ("section", ("memo.md", "0099")),
    ("pages", ("memo.md", "99")),
    ("pages", ("memo.md", "5-")),
    ("image", ("memo.md", "1")),
    ("image", ("table.pdf", "1-9")),
    ("block", ("memo.md", "f339ff.p10.100-220~0e64c89c")),
    ("block", ("memo.md", "no handle")),
    ("spending", (["nothing.pdf"],)),
    ("words", ("memo.md", " ")),
    ("search", (" ",)),
    ("locate", ("memo.md", " ")),
    ("locate", ("memo.md", QUOTE, 99)),
    ("check", ("memo.md", [{"id": "1", "text": "t", "unknown": 1}])),
    ("tables", ("table.pdf", "7")),
    ("verify", ("nothing.pdf",)),
    ("change", ("nothing.pdf",)),
    ("remove", ("nothing.pdf",)),
]


def sources(folder: Path) -> list[Path]:
    """Documents of four kinds."""
    folder.mkdir()
    table = folder / "table.pdf"
    table.write_bytes(draw([("2022",), ("2021",)], ROWS, Style(size=10)).pdf)
    chapters = folder / "chapters.pdf"
    chapters.write_bytes(numbered_pdf(3))
    return [write_memo(folder, ".md"), table, chapters]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("doors")
    made = Application(folder / "library")
    assert [row["outcome"] for row in made.ingest([*sources(folder / "sources"), EXAMPLE])] == ["added"] * 4
    memo = made.document("memo.md")["doc_id"]
    for day, doc_ids in (("2026-01-01", (memo,)), ("2026-01-02", (memo,)), ("2026-01-02", ()), ("2026-01-02", (memo,))):
        made.store.record_spent(Spent(f"{day}T10:00:00+00:00", "index", doc_ids, "m", 1, prompt_tokens=9, usd=0.5))
    made.close()
    return folder / "library"


@pytest.fixture(scope="module")
def application(library: Path) -> Iterator[Door]:
    made = Application(library)
    yield made
    made.close()


@pytest.fixture(scope="module", params=DOORS, ids=lambda door: door.__name__)
def door(library: Path, request: pytest.FixtureRequest) -> Iterator[Door]:
    made: Door = request.param(library)
    yield made
    made.close()


@pytest.mark.parametrize(("operation", "given", "options"), CASES, ids=lambda value: str(value)[:40])
def test_a_result_is_the_same_through_every_door(
    application: Door, door: Door, operation: str, given: tuple[Any, ...], options: dict[str, Any]
) -> None:
    if operation in door.lacks or ("raw" in options and isinstance(door, Tools)):
        pytest.skip(f"{type(door).__name__} does not offer it")
    expected = getattr(application, operation)(*given, **options)
    assert getattr(door, operation)(*given, **options) == door.view(operation, expected)


@pytest.mark.parametrize(("operation", "given"), ERRORS, ids=lambda value: str(value)[:40])
def test_an_error_has_the_same_code_through_every_door(
    application: Door, door: Door, operation: str, given: tuple[Any, ...]
) -> None:
    if operation in door.lacks:
        pytest.skip(f"{type(door).__name__} does not offer it")
    codes = []
    for way in (application, door):
        with pytest.raises(Exception) as caught:
            getattr(way, operation)(*given)
        codes.append(getattr(caught.value, "code", repr(caught.value)))
    if isinstance(door, Tools) and operation == "remove":
        assert codes[0] == "NOT_FOUND"
    else:
        assert codes[1] == codes[0]


def test_handles_mean_the_same_everywhere(application: Door, door: Door) -> None:
    if "block" in door.lacks:
        pytest.skip("a tool reads what a handle stands for as it reads pages")
    (handle,) = application.locate("memo.md", QUOTE)["handles"]
    assert " ".join(door.block("memo.md", handle)["text"].split()) == QUOTE.rstrip(".")
    assert door.block("memo.md", handle) == application.block("memo.md", handle)


def test_passages_are_found_alike(library: Path) -> None:
    question = "How are passwords cracked?"
    command = json.loads(run_here("ask", question, "--passages", "--json", "--library", library).stdout)
    with PageIndexClient(storage_path=library) as client:
        assert {key: value for key, value in command.items() if key != "next"} == client.ask(question)
    assert command["found"][0]["doc_name"] == EXAMPLE.name


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with the table behind a password."""
    folder = tmp_path_factory.mktemp("locked")
    plain = sources(folder / "sources")[1]
    path = folder / "locked.pdf"
    with pikepdf.open(plain) as pdf:
        pdf.save(path, encryption=pikepdf.Encryption(owner="keeper", user="sesame", R=6))
    with PageIndexClient(storage_path=folder / "library") as client:
        client.submit_document(path, password="sesame")
    return folder / "library"


@pytest.mark.parametrize("made", DOORS, ids=lambda made: made.__name__)
def test_behind_a_password_all_doors_see_the_same(locked: Path, made: type[Door]) -> None:
    """Its text is in the library; the page itself cannot be looked at, so tables are rebuilt from lines, and pictures refused."""
    application, door = Application(locked), made(locked)
    result = application.check("locked.pdf", TABLE_CLAIMS)
    assert door.check("locked.pdf", TABLE_CLAIMS) == door.view("check", result)
    assert [quote["status"] for item in result["claims"] for quote in item["quotes"]] == ["exact"] * len(TABLE_CLAIMS)
    assert door.tables("locked.pdf", "1") == door.view("tables", application.tables("locked.pdf", "1"))
    with pytest.raises(DoorError) as caught:
        door.image("locked.pdf", "1")
    assert caught.value.code == "PASSWORD_REQUIRED"
    application.close()
    door.close()


def test_with_the_password_the_page_is_seen(locked: Path, application: Application) -> None:
    wanted = application.check("table.pdf", TABLE_CLAIMS)
    with PageIndexClient(storage_path=locked) as client:
        found = client.check_claims("locked.pdf", TABLE_CLAIMS, password="sesame")
        assert [item["verdict"] for item in found["claims"]] == [item["verdict"] for item in wanted["claims"]]
        assert client.get_page_image("locked.pdf", 1, password="sesame").startswith(b"\x89PNG")
        with pytest.raises(PasswordError):
            client.check_claims("locked.pdf", TABLE_CLAIMS, password="open")


def test_the_verdicts_are_right(application: Door) -> None:
    result = application.check("table.pdf", TABLE_CLAIMS)
    assert [item["verdict"] for item in result["claims"]] == ["PASS"] * 4 + ["FAIL"] * 3
    assert result["claims"][0]["numbers"][0]["where"] == "cell"


def test_every_operation_has_a_case_and_every_door_says_what_it_lacks() -> None:
    changing = {"ingest", "plan", "refine", "change", "remove", "create_folder", "folders"}
    assert {operation for operation, *_ in CASES} | changing | {"block"} == set(OPERATIONS)
    for made in DOORS:
        offered = {name for name in OPERATIONS if getattr(made, name) is not getattr(Door, name)}
        assert offered == OPERATIONS - made.lacks, made.__name__


def test_every_function_of_the_application_is_an_operation() -> None:
    """A function that no door is tried with would be one that doors may come to disagree about."""
    from pageindex.app import checks, export, library, search, words
    from pageindex.app.document import OpenDocument

    named = inspect.getsource(Application)
    functions = [name for module in (checks, library, search, words) for name in module.__all__]
    functions += [name for name, value in vars(OpenDocument).items() if inspect.isfunction(value)]
    functions += export.__all__
    calls = {name for name in functions if name[0].islower() and not name.startswith("__")}
    helpers = {
        "page",
        "page_number",
        "page_numbers",
        "find_section",
        "section_at",
        "label",
        "characters",
        "with_characters",
        "rectangles_of",
        "root_of",
        "locate_library",
        "passages",
    }
    assert {name for name in calls - helpers if f"{name}(" not in named} == set()


# ---------------------------------------------------------------- changing


def changed(door: Door, folder: Path) -> list[Any]:
    """A library filled, edited and emptied; what the door answered at each step."""
    memo, table, chapters = sources(folder)
    steps = [door.ingest([memo, table, chapters]), door.ingest([memo])]
    broken = folder / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 nothing")
    steps.append(door.ingest([broken]))
    memo.write_text(memo.read_text() + "\n# Appendix\n\nMore.\n")
    steps.append(door.ingest([memo]))
    steps.append(door.ingest([memo], optimize="merge", outline_tokens=100))
    planned = door.plan([memo, chapters, folder / "broken.pdf"], optimize="merge")
    steps.append([(Path(row["path"]).name, row["action"], row.get("reason")) for row in planned])
    steps.append(door.ingest([memo], optimize="merge"))
    steps.append(door.refine("chapters.pdf", optimize="merge"))
    made = door.create_folder("Memos")
    steps += [made["name"], [row["name"] for row in door.folders()]]
    moved = door.change("memo.md", metadata={"kind": "travel"}, folder_id=made["id"])
    steps += [moved["metadata"], moved["folderId"] == made["id"]]
    steps += [[row["name"] for row in door.documents(folder_id=made["id"])["documents"]]]
    steps += [[row["name"] for row in door.documents(where={"kind": "travel"})["documents"]]]
    steps += [door.remove("chapters.pdf"), door.documents()["total"]]
    return steps


@pytest.mark.parametrize("made", [made for made in DOORS if "ingest" not in made.lacks], ids=lambda made: made.__name__)
def test_a_library_changes_in_the_same_way_through_every_door(tmp_path: Path, made: type[Door]) -> None:
    ways = []
    for number, way in enumerate((Application, made)):
        (tmp_path / str(number)).mkdir()
        opened = way(tmp_path / str(number) / "library")
        ways.append(changed(opened, tmp_path / str(number) / "sources"))
        opened.close()
    assert ways[1] == ways[0]
    outcomes = [[row.get("outcome", row.get("error")) for row in step] for step in (*ways[0][:5], ways[0][6])]
    assert outcomes[:4] == [["added"] * 3, ["unchanged"], ["DAMAGED_FILE"], ["new_edition"]]
    assert outcomes[4:] == [["unchanged"], ["rebuilt"]], "never refined before; then refined with other options"
    assert "outline tokens is not set, was 100" in ways[0][6][0]["reason"]
    assert ways[0][5] == [
        ("memo.md", "rebuild", "outline tokens is not set, was 100"),
        ("chapters.pdf", "unchanged", None),
        ("broken.pdf", "add", None),
    ]
    assert ways[0][7]["status"] == "completed"


HANDBOOK = "# Handbook\n\n" + "".join(f"## Rule {number}\n\nDo this.\n\n" for number in range(60))


@pytest.mark.parametrize("made", [made for made in DOORS if "ingest" not in made.lacks], ids=lambda made: made.__name__)
def test_refining_without_a_model_is_done_by_every_door(tmp_path: Path, made: type[Door]) -> None:
    path = tmp_path / "handbook.md"
    path.write_text(HANDBOOK)
    door = made(tmp_path / "library")
    door.ingest([path], optimize="merge")
    assert door.document("handbook.md")["sections"] == 1
    door.close()


@pytest.mark.parametrize("made", [made for made in DOORS if "ingest" not in made.lacks], ids=lambda made: made.__name__)
def test_a_spent_budget_stops_every_door(tmp_path: Path, made: type[Door]) -> None:
    for number in range(3):
        (tmp_path / f"{number}.md").write_text(f"# Chapter {number}\n\n" + f"Sentence {number} is one of many. " * 300)
    door = made(tmp_path / "library")
    model = {"model": "openai/none", "base_url": "http://127.0.0.1:9/v1", "api_key": "k", "budget_tokens": 1}
    rows = door.ingest([tmp_path / f"{number}.md" for number in range(3)], **model)
    assert [(row["outcome"], row["stopped"]) for row in rows] == [("added", "BUDGET_EXHAUSTED")] * 3
    door.close()


@pytest.mark.parametrize("made", [made for made in DOORS if "ingest" not in made.lacks], ids=lambda made: made.__name__)
def test_limits_reach_the_tree(tmp_path: Path, made: type[Door]) -> None:
    if made.__name__ == "CommandLine":
        pytest.skip("its limits are its own")
    path = tmp_path / "deep.md"
    path.write_text("".join(f"{'#' * level} Level {level}\n\nText.\n\n" for level in range(1, 5)))
    door = made(tmp_path / "library")
    door.ingest([path], limits=Limits(depth=2))
    (top,) = door.structure("deep.md")["structure"]
    assert [(node["title"], node.get("nodes", [])) for node in top["nodes"]] == [
        (f"Level {level}", []) for level in (2, 3, 4)
    ]
    door.close()


def test_engines_run_elsewhere_whichever_door_asks(library: Path) -> None:
    """PDFium may end its process on a file of a few kilobytes: no door has it in its own."""
    code = (
        "import sys; from pathlib import Path; from tests.doors.doors import *\n"
        f"library = Path({str(library)!r})\n"
        "from tests.doors.test_parity import TABLE_CLAIMS, CAPTION\n"
        "for made in DOORS:\n"
        "    door = made(library)\n"
        "    door.tables('table.pdf', '1'); door.check('table.pdf', TABLE_CLAIMS); door.image('table.pdf', '1')\n"
        "    if 'verify' not in door.lacks: door.verify('table.pdf', deep=True)\n"
        "    if 'locate' not in door.lacks: door.locate('table.pdf', CAPTION, 1, rectangles=True)\n"
        "    door.close()\n"
        "print(*sorted({'pypdfium2', 'pypdfium2_raw', 'pypdf'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=EXAMPLE.parents[1], check=False
    )
    told = [line for line in done.stderr.splitlines() if not line.startswith("library: ")]  # as a server says
    assert (done.stdout.strip(), told) == ("", [])
