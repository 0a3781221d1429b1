"""The command line as a user runs it: in a process of its own, or, where only its words matter, in this one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["Done", "Shell", "run", "run_here", "run_json_error"]


def run(
    *arguments: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run ``python -m pageindex`` without any library or key of the surroundings."""
    clean = {
        name: value
        for name, value in os.environ.items()
        if name == "PAGEINDEX_CEILING" or (not name.startswith("PAGEINDEX_") and "API_KEY" not in name)
    }
    return subprocess.run(
        [sys.executable, "-m", "pageindex", *map(str, arguments)],
        cwd=cwd,
        env={**clean, "COLUMNS": "100", **(env or {})},
        capture_output=True,
        text=True,
        check=False,
        timeout=110,
        stdin=subprocess.DEVNULL,
    )


@dataclass(frozen=True)
class Done:
    """What a command ended with."""

    returncode: int
    stdout: str
    stderr: str


def run_here(*arguments: str | Path) -> Done:
    """Run a command in this process: the same code from the arguments to the exit status, without starting Python anew."""
    from typer.testing import CliRunner

    from pageindex.cli.root import app

    result = CliRunner(env={"PAGEINDEX_LIBRARY": None, "PAGEINDEX_PASSWORD": None, "NO_COLOR": "1"}).invoke(
        app, [str(argument) for argument in arguments], prog_name="pageindex"
    )
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Done(result.exit_code, result.stdout, result.stderr)


def run_json_error(*arguments: str | Path, status: int) -> dict[str, Any]:
    """The error that a command with ``--json`` ends with; asserts its exit status and that nothing is on standard output."""
    done = run(*arguments)
    assert done.returncode == status, (done.returncode, done.stdout, done.stderr)
    assert done.stdout == ""
    error: dict[str, Any] = json.loads(done.stderr)["error"]
    return error


class Shell:
    """Commands over one library, in this process."""

    def __init__(self, library: Path) -> None:
        self.library = library

    def __call__(self, command: str, *arguments: str | Path, status: int = 0) -> Done:
        """Run a command; its exit status must be the expected one."""
        done = run_here(command, *arguments, "--library", self.library)
        assert done.returncode == status, (done.returncode, done.stdout, done.stderr)
        return done

    def json(self, command: str, *arguments: str | Path, status: int = 0) -> Any:
        """The JSON that a command prints."""
        return json.loads(self(command, *arguments, "--json", status=status).stdout)
