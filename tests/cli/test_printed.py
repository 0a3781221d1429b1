"""What commands print for people: the facts, in plain lines, with the next step."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from pageindex.app.ingest import Request, ingest
from pageindex.cli.progress import progress_bars
from pageindex.store.memory import MemoryLibrary
from tests.support.memos import QUOTE, write_memo
from tests.support.odd_files import numbered_pdf, ruined_page_pdf
from tests.support.terminal import Shell, run_here


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    folder = tmp_path_factory.mktemp("printed")
    (folder / "chapters.pdf").write_bytes(numbered_pdf(3))
    made = Shell(folder / "library")
    made("add", write_memo(folder, ".md"), folder / "chapters.pdf", "--metadata", "year=2022", "--jobs", "1")
    return made


def test_a_document_is_shown_with_its_facts(shell: Shell) -> None:
    lines = shell("show", "chapters.pdf").stdout.splitlines()
    facts = {line.split()[0]: line.split(maxsplit=1)[1] for line in lines[1:] if len(line.split()) > 1}
    assert facts["name"] == "chapters.pdf"
    assert facts["pages"] == "3"
    assert facts["metadata"] == "year=2022"
    assert facts["format"] == "application/pdf"
    assert "(1 kept)" in facts["edition"]


def test_documents_are_listed_in_columns(shell: Shell) -> None:
    head, *rows = shell("list").stdout.splitlines()
    assert head.split() == ["id", "name", "title", "pages", "sections", "from", "status"]
    assert sorted(row.split()[1] for row in rows) == ["chapters.pdf", "memo.md"]
    assert shell("list", "--limit", "1").stdout.splitlines()[-1] == "1 of 2; more with --offset 1"
    assert "holds no such documents" in shell("list", "--where", "year=1999").stdout


def test_words_and_pages_that_answer(shell: Shell) -> None:
    found = shell("find", "chapters.pdf", "Line", "--limit", "1").stdout.splitlines()
    assert found[0].startswith("page 1")
    assert found[-1] == "1 of 3 pages; more with --limit 0"
    searched = shell("search", "travel", "trains").stdout
    assert "memo.md page" in searched
    assert "hold words of the query" in searched
    assert "No page answers that." in shell("search", "zzzqqq").stdout


def test_text_is_printed_under_its_place(shell: Shell) -> None:
    assert shell("read", "chapters.pdf", "--pages", "2").stdout.startswith("── page 2\n")
    section = shell("read", "memo.md", "--section", "3").stdout
    assert section.startswith("── ") and "Trains" in section.splitlines()[0]
    handle = shell.json("locate", "memo.md", QUOTE)["handles"][0]
    block = shell("read", "memo.md", "--handle", handle).stdout.splitlines()
    assert block[0].startswith("── page ") and "bytes" in block[0]
    assert " ".join(block[1:]) == QUOTE.rstrip(".")


def test_costs_are_a_table(shell: Shell) -> None:
    head, *rows = shell("tree", "memo.md", "--costs").stdout.splitlines()
    assert head.split()[:4] == ["tree", "sections", "outline", "worst"]
    assert [row.split()[0] for row in rows[:2]] == ["now", "if"]


def test_a_picture_goes_to_standard_output_or_a_file(shell: Shell, tmp_path: Path) -> None:
    target = tmp_path / "page.png"
    shell("image", "chapters.pdf", "1", "--output", target)
    assert target.read_bytes().startswith(b"\x89PNG")
    assert "is a folder" in shell("image", "chapters.pdf", "1", "--output", tmp_path, status=2).stderr
    assert "[UNSUPPORTED_FORMAT]" in shell("image", "memo.md", "1", status=4).stderr


def test_attempts_leftovers_and_health(shell: Shell) -> None:
    head, *rows = shell("log").stdout.splitlines()
    assert head.split()[:3] == ["at", "outcome", "seconds"]
    assert len(rows) == 2
    assert shell("gc").stdout == "There is nothing to remove.\n"
    assert "The library is sound." in shell("doctor").stdout


def test_folders_documents_moved_and_removed(tmp_path: Path) -> None:
    shell = Shell(tmp_path / "library")
    shell("add", write_memo(tmp_path, ".md"), "--jobs", "1")
    assert "There are no folders" in shell("folders", "list").stdout
    folder = shell("folders", "create", "Memos").stdout.split()[0]
    assert shell("folders", "list").stdout.split() == [folder, "Memos"]
    moved = shell("move", "memo.md", "--folder", folder, "--metadata", "kind=travel").stdout
    assert moved.rstrip().endswith(f"folder {folder}  kind=travel")
    assert "nothing to change" in shell("move", "memo.md", status=2).stderr
    assert shell("remove", "memo.md", "--yes").stdout.startswith("removed  ")


def test_plans_and_outcomes(tmp_path: Path) -> None:
    shell = Shell(tmp_path / "library")
    path = write_memo(tmp_path, ".md")
    ruined = ruined_page_pdf(tmp_path / "ruined.pdf", pages=3, ruined=2)
    assert shell("add", path, "--dry-run").stdout == f"would add  {path}\n"
    assert shell("add", path, "--optimize", "merge", "--jobs", "1").stdout.splitlines()[1].startswith("  refined:")
    assert shell("add", path, "--dry-run").stdout == f"has already  {path}\n"
    told = shell("add", ruined, "--jobs", "1").stdout
    assert told.startswith("added")
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"nothing")
    failed = shell("add", broken, "--jobs", "1", status=4)
    assert "failed" in failed.stderr and "next:" in failed.stderr
    several = shell("add", path, ruined, "--jobs", "1")
    assert several.stderr.splitlines()[-1] == "2 unchanged"


def test_what_is_in_force_is_shown(shell: Shell) -> None:
    lines = shell("config").stdout.splitlines()
    assert lines[0].startswith("library  ")
    assert any(line.split()[:1] == ["timeout"] for line in lines)
    assert shell.json("config")["library"]["exists"] is True


def test_usage_and_errors_end_with_a_status(shell: Shell) -> None:
    assert run_here("--version").stdout.startswith("pageindex ")
    assert run_here("lst").returncode == 2
    error = shell("show", "nothing.pdf", "--json", status=3)
    assert '"NOT_FOUND"' in error.stderr and error.stdout == ""
    assert '"USAGE"' in run_here("show", "--json").stderr


class Terminal(io.StringIO):
    """A standard error that is a terminal."""

    def isatty(self) -> bool:
        return True


def test_bars_follow_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    library = MemoryLibrary()
    paths = [write_memo(tmp_path, ".md"), write_memo(tmp_path, ".txt")]
    with progress_bars(len(paths)) as progress:
        done = list(ingest(library, map(Request, paths), progress=progress))
    assert all(one.ok for one in done)
    assert "files" in screen.getvalue()
