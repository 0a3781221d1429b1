"""``config``, ``--config``, and which library a command is in, as a user sees it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from pageindex.client import PageIndexClient
from pageindex.store.disk.library import DiskLibrary
from tests.support.terminal import run, run_here

KEY = "sk-of-the-environment-1"


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "work"
    (folder / "inner").mkdir(parents=True)
    (folder / "note.md").write_text("# A\n\nWords.\n")
    monkeypatch.chdir(folder / "inner")
    return folder


def test_a_library_elsewhere_is_named_on_standard_error(work: Path) -> None:
    DiskLibrary.open(work / ".pageindex")
    line = f"library: {work / '.pageindex'}\n"
    for command in (["add", str(work / "note.md")], ["list"], ["doctor"]):
        done = run_here(*command)
        assert (done.returncode, done.stderr) == (0, line), command
        assert line not in done.stdout
        assert run_here(*command, "--json").stderr == ""
    os.chdir(work)
    for command in (["add", "note.md"], ["list"], ["doctor"]):
        assert run_here(*command).stderr == "", "a library in the working folder needs no words"
    assert (
        repr(PageIndexClient(chat_model="m"))
        == f"PageIndexClient(DiskLibrary('{work / '.pageindex'}'), chat_model='m')"
    )


def test_a_library_above_the_ceiling_is_not_seen(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    DiskLibrary.open(work / ".pageindex")
    monkeypatch.setenv("PAGEINDEX_CEILING", str(work))
    done = run("add", work / "note.md", cwd=work / "inner")
    assert (done.returncode, done.stderr) == (0, "")
    assert (work / "inner" / ".pageindex").is_dir()
    assert DiskLibrary.open(work / ".pageindex").list().total == 0


def test_config_shows_what_is_in_force_and_where_it_is_from(work: Path) -> None:
    DiskLibrary.open(work / ".pageindex")
    file = work / "pageindex.toml"
    file.write_text('model = "m"\nbase_url = "http://u:hidden@evil.example/v1"\n')
    environment = {"PAGEINDEX_MODEL_API_KEY": KEY, "PAGEINDEX_TIMEOUT": "7"}
    done = run("config", "--json", cwd=work / "inner", env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    rows = {row.pop("name"): row for row in found["settings"]}
    assert found["library"] == {"path": str(work / ".pageindex"), "how": "above", "exists": True}
    assert found["files"] == [str(file)]
    assert rows["timeout"] == {"value": 7.0, "origin": "environment", "place": "PAGEINDEX_TIMEOUT", "withheld": False}
    assert rows["base_url"]["value"] == "http://***@evil.example/v1"
    assert rows["api_key"] == {
        "value": "",
        "origin": "environment",
        "place": "PAGEINDEX_MODEL_API_KEY",
        "withheld": True,
    }
    shown = run("config", cwd=work / "inner", env=environment)
    assert "withheld" in shown.stdout
    for text in (done.stdout, shown.stdout, shown.stderr):
        assert KEY not in text
        assert "hidden" not in text


def test_add_tells_of_a_file_it_does_not_use_and_of_an_address_it_does(work: Path) -> None:
    file = work / "inner" / "pageindex.toml"
    file.write_text('base_url = "http://127.0.0.1:9/v1"\n')
    done = run("add", work / "note.md", cwd=work / "inner")
    assert done.returncode == 0
    assert f"note: {file} is not used: there is no library beside it yet. To use it: --config {file}" in done.stderr
    done = run("add", work / "note.md", cwd=work / "inner")
    assert f"note: text goes to http://127.0.0.1:9/v1, as {file} says" in done.stderr
    named = run("add", work / "note.md", "--config", file, cwd=work / "inner")
    assert (named.returncode, named.stderr) == (0, ""), "a file that was named needs no words"
    missing = run("add", work / "note.md", "--config", "none.toml", cwd=work / "inner")
    assert missing.returncode == 2
    assert "none.toml cannot be read" in missing.stderr


def test_a_library_that_is_an_address_is_an_error(work: Path) -> None:
    done = run("list", "-L", "postgresql://u:hidden@host/db", cwd=work)
    assert done.returncode == 2
    assert "postgresql://***@host/db" in done.stderr
    assert sorted(path.name for path in work.iterdir()) == ["inner", "note.md"]
