"""The frame of the command line: fast help, errors with code and next step, every command documented."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import typer
import typer.main

from pageindex.cli.frame import parse_metadata
from pageindex.cli.reference import PAGES, commands, made
from pageindex.cli.root import FAMILIES
from pageindex.errors import InputError
from tests.support.terminal import run, run_json_error

ROOT = Path(__file__).parents[2]
CPU = "import resource as r, sys; u = r.getrusage(r.RUSAGE_CHILDREN); sys.stderr.write(str(u.ru_utime + u.ru_stime))"


def child_cpu_seconds(*arguments: str) -> float:
    """CPU seconds of a Python process, the least of five runs."""
    code = f"import subprocess, sys; subprocess.run([sys.executable, *{list(arguments)!r}], stdout=subprocess.DEVNULL); {CPU}"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(5)]
    return min(float(done.stderr) for done in runs)


def test_help_is_fast() -> None:
    assert child_cpu_seconds("-m", "pageindex", "--help") <= 0.25


def test_importing_the_package_is_fast() -> None:
    assert child_cpu_seconds("-c", "import pageindex") <= 0.10


def test_help_imports_neither_rich_nor_any_room() -> None:
    code = (
        "import sys\nsys.argv = ['pageindex', '--help']\nfrom pageindex.cli import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "heavy = {'rich', 'litellm', 'pypdfium2', 'numpy', 'tiktoken', 'pypdf', 'pageindex.client', 'pageindex.store'}\n"
        "sys.stderr.write(','.join(sorted(heavy & set(sys.modules))))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert "Usage: pageindex" in done.stdout


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.module)
def test_the_table_of_commands_tells_the_truth(family: object) -> None:
    assert hasattr(family, "module")
    app = typer.Typer(rich_markup_mode=None)
    import_module(family.module).register(app)
    group = typer.main.get_group(app)
    told = {name: command.get_short_help_str(200) for name, command in group.commands.items()}
    expected = {name: line.rstrip(".") for name, line in family.commands.items()}
    assert {name: line.rstrip(".") for name, line in told.items()} == expected


@pytest.mark.parametrize("name", PAGES)
def test_the_documentation_is_what_the_code_says(name: str) -> None:
    page = (ROOT / "docs" / name).read_text("utf-8")
    assert page == made(name, page), "run: python -m pageindex.cli.reference"


def test_every_command_and_option_is_documented() -> None:
    for name, command in commands().items():
        assert command.help and command.help.strip().endswith("."), f"{name} has no help"
        for param in command.params:
            assert param.help or param.name == "help", f"{name}: {param.name} has no help"


def test_every_command_that_prints_takes_json() -> None:
    for name, command in commands().items():
        if name not in ("export", "image", "chat", "mcp"):
            assert any("--json" in param.opts for param in command.params), name


def test_version_and_module_call() -> None:
    done = run("--version")
    assert done.returncode == 0
    assert done.stdout.startswith("pageindex ")


def test_an_unknown_command_suggests_a_near_one() -> None:
    done = run("lst")
    assert done.returncode == 2
    assert "'list'" in done.stderr


def test_completion_script_names_the_program(tmp_path: Path) -> None:
    environment = {**os.environ, "_PAGEINDEX_COMPLETE": "source_bash", "HOME": str(tmp_path)}
    script = Path(sys.executable).with_name("pageindex")
    done = subprocess.run([str(script)], capture_output=True, text=True, check=False, env=environment)
    assert "_PAGEINDEX_COMPLETE" in done.stdout


def test_completion_lists_commands() -> None:
    environment = {
        **os.environ,
        "_PAGEINDEX_COMPLETE": "complete_bash",
        "COMP_WORDS": "pageindex tr",
        "COMP_CWORD": "1",
    }
    script = Path(sys.executable).with_name("pageindex")
    done = subprocess.run([str(script)], capture_output=True, text=True, check=False, env=environment)
    assert done.stdout.split() == ["tree"]


def test_usage_errors_are_json_when_asked(tmp_path: Path) -> None:
    error = run_json_error("tree", "--json", status=2)
    assert error["code"] == "USAGE"
    assert "DOC" in error["message"]


def test_no_library_is_an_error_with_a_next_step(tmp_path: Path) -> None:
    done = run("list", "--library", str(tmp_path / "none"))
    assert done.returncode == 3
    assert "[LIBRARY_NOT_FOUND]" in done.stderr
    assert "next:" in done.stderr
    assert done.stdout == ""
    assert not (tmp_path / "none").exists(), "looking makes nothing"


def test_errors_are_json_when_asked(tmp_path: Path) -> None:
    error = run_json_error("list", "--json", "--library", str(tmp_path / "none"), status=3)
    assert error["code"] == "LIBRARY_NOT_FOUND"
    assert error["next_step"]


def test_metadata_pairs() -> None:
    assert parse_metadata(["year=2022", "tag=audit", "x=a=b", "ok=true", 'l=["a"]', "empty="]) == {
        "year": 2022,
        "tag": "audit",
        "x": "a=b",
        "ok": True,
        "l": ["a"],
        "empty": "",
    }
    for wrong in ("year", "=1"):
        with pytest.raises(InputError):
            parse_metadata([wrong])


def test_json_output_is_one_document(tmp_path: Path) -> None:
    file = tmp_path / "note.md"
    file.write_text("# One\n\ntext\n")
    done = run("add", str(file), "--json", "--library", str(tmp_path / "lib"))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["results"][0]["outcome"] == "added"
    assert done.stderr == ""
