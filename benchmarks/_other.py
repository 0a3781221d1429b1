"""Other tools, each run by the interpreter of its own environment, so that none of them is a dependency of this project.

A tool is given as ``NAME=PYTHON`` where ``others/NAME.py`` exists, else as ``NAME=PYTHON:SCRIPT``. The script defines ``work(path)``;
to be scored as a tree it returns ``[{"title", "page" (1-based), "level" (from 1)}]`` in document order.
"""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

OTHERS = Path(__file__).parent / "others"

HELP = (
    "another tool, by the interpreter of its environment: NAME=PYTHON, NAME one of "
    f"{', '.join(sorted(path.stem for path in OTHERS.glob('*.py')))}, or NAME=PYTHON:SCRIPT (see benchmarks/_other.py)"
)

#: Appended to the script. The figures go to standard error, as the tool may print what it likes.
_MEASURED = """
import json, resource, sys
def _cpu():
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in spent)
_begin = _cpu()
_found = work(sys.argv[1])
_spent = _cpu() - _begin
print("\\n" + json.dumps({"cpu": _spent, "found": _found}), file=sys.stderr)
"""


@dataclass
class Measured:
    """What a tool made of one file.

    Attributes:
        status: ``ok``, ``timeout`` or ``failed: …``.
        cpu: CPU seconds of the work and of the tool's child processes, imports apart.
        found: What ``work`` returned.
    """

    status: str
    cpu: float | None = None
    found: list[dict[str, Any]] = field(default_factory=list)


def name_of(tool: str) -> str:
    return tool.partition("=")[0]


def measure(tool: str, path: str, timeout: float) -> Measured:
    """Run a tool on one file for so many wall seconds at most."""
    name, _, rest = tool.partition("=")
    python, _, script = rest.partition(":")
    code = Path(script or OTHERS / f"{name}.py").read_text(encoding="utf-8") + _MEASURED
    command = [python, "-c", code, str(Path(path).resolve())]
    try:
        with (
            TemporaryDirectory() as empty
        ):  # the working folder is searched for modules, and this project's would be found first
            done = subprocess.run(
                command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=timeout, check=True, cwd=empty
            )
        record = json.loads(done.stderr.decode("utf-8", "replace").rstrip().rpartition("\n")[2])
    except subprocess.TimeoutExpired:
        return Measured("timeout")
    except (subprocess.CalledProcessError, ValueError) as problem:
        return Measured(f"failed: {type(problem).__name__}")
    return Measured("ok", record["cpu"], record["found"] or [])
