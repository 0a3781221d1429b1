"""The measuring scripts run other tools in environments of their own, and say what came of it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import _other

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "nist-sp800-115.pdf"

_ADAPTERS = {
    "titles": "def work(path):\n    print('noise')\n    return [{'title': 'A', 'page': 1, 'level': 1}]\n",
    "silent": "def work(path):\n    open(path).close()\n",
    "broken": "def work(path):\n    raise OSError('no')\n",
    "slow": "import time\ndef work(path):\n    time.sleep(60)\n",
    "elsewhere": "import os\ndef work(path):\n    assert not os.listdir('.')\n",
}


@pytest.fixture
def tool(tmp_path: Path) -> str:
    for name, code in _ADAPTERS.items():
        (tmp_path / f"{name}.py").write_text(code)
    return f"{sys.executable}:{tmp_path}"


def measured(tool: str, name: str, timeout: float = 60.0) -> _other.Measured:
    return _other.measure(f"{name}={tool}/{name}.py", str(EXAMPLE), timeout)


def test_an_adapter_is_run_and_timed(tool: str) -> None:
    titles = measured(tool, "titles")
    assert titles.status == "ok"
    assert titles.found == [{"title": "A", "page": 1, "level": 1}]
    assert titles.cpu is not None
    assert 0.0 < titles.cpu < 5.0
    assert measured(tool, "silent").found == []


def test_a_failure_and_a_timeout_are_told_apart(tool: str) -> None:
    assert measured(tool, "broken").status == "failed: CalledProcessError"
    assert measured(tool, "slow", 1.0) == _other.Measured("timeout")


def test_the_working_folder_shadows_no_module_of_the_tool(tool: str) -> None:
    """The public package has this project's name: its adapter must not find this project in the working folder."""
    assert measured(tool, "elsewhere").status == "ok"


def test_speed_beside_another_tool(tool: str, tmp_path: Path) -> None:
    (tmp_path / "dev" / "orig").mkdir(parents=True)
    shutil.copy(EXAMPLE, tmp_path / "dev" / "orig" / "one.pdf")
    output = tmp_path / "speed.md"
    command = [sys.executable, "-m", "benchmarks", "speed", "--corpus", str(tmp_path), "--no-tree", "--repeat", "1"]
    command += ["--tool", f"silent={tool}/silent.py", "--output", str(output)]
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    rows = {line.split("|")[1].strip(): line for line in output.read_text().splitlines() if line.startswith("|")}
    assert {"lines", "ordered", "read", "silent"} <= set(rows)
    assert rows["silent"].split("|")[5].strip() == "1"
