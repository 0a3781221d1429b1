"""The public surface is exactly ``__all__``; importing it brings in nothing heavy."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pageindex

HEAVY = (
    "litellm",
    "pypdfium2",
    "pypdf",
    "numpy",
    "tiktoken",
    "rich",
    "typer",
    "orjson",
    "lxml",
    "docx",
    "mcp",
    "openai",
)


def test_public_names() -> None:
    assert pageindex.__all__ == sorted(pageindex.__all__)
    public = {name for name in dir(pageindex) if not name.startswith("_")} | {"__version__"}
    assert public == set(pageindex.__all__)
    for name in pageindex.__all__:
        assert getattr(pageindex, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(pageindex, "PageIndexCloudMagic")


def test_importing_pageindex_imports_nothing_heavy() -> None:
    code = f"import sys, pageindex; print(','.join(sorted(set({HEAVY!r}) & set(sys.modules))))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_making_a_client_imports_no_engine_and_no_model(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom pageindex import PageIndexClient\nPageIndexClient(storage_path=sys.argv[1]).list_documents()\n"
        "print(','.join(sorted({'litellm', 'pypdfium2', 'pypdf', 'numpy', 'tiktoken', 'rich', 'typer'} & set(sys.modules))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "lib")], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""


def test_the_readme_has_two_set_up_commands_of_one_line() -> None:
    readme = (Path(__file__).parents[1] / "README.md").read_text()
    commands = [line for line in readme.splitlines() if line.startswith("python3 -m venv ")]
    assert len(commands) == 2
    assert "pageindex add examples/nist-sp800-115.pdf" in commands[0]
    assert "pageindex tree" in commands[0]
    assert commands[1].endswith(".venv/bin/pytest")
