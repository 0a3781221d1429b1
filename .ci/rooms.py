"""The rooms of docs/architecture.md: import-linter's contracts in pyproject.toml and the page's graph are made from its table.

``python .ci/rooms.py`` writes both; a test compares them, and what the code imports, with the table.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "pageindex"
PAGE, PROJECT = ROOT / "docs" / "architecture.md", ROOT / "pyproject.toml"

#: Modules that every room may import; they hold no work of their own.
OPEN = frozenset({"atomic", "config", "errors", "files", "limits", "progress"})

_ROW = re.compile(r"^\| ((?:`\w+(?:/|\.py)`(?:, )?)+) \|.*\| ([^|]*) \|$", re.MULTILINE)
_NAME = re.compile(r"`?(\w+)(?:/|\.py)?`?")


def table(page: str) -> dict[str, frozenset[str]]:
    """By room, the rooms that it may import, as the page's table says; ``–`` stands for none."""
    found = {}
    for rooms, allowed in _ROW.findall(page):
        names = frozenset(_NAME.findall(allowed)) if allowed.strip() != "–" else frozenset()
        found.update(dict.fromkeys(_NAME.findall(rooms), names))
    return found


def imports() -> dict[str, frozenset[str]]:
    """By room, the rooms that it does import, wherever in a module the import stands."""
    found: dict[str, set[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        room = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        found.setdefault(room, set()).update(_imported(path))
    return {room: frozenset(others - {room}) for room, others in found.items()}


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            parts = name.split(".")
            if parts[0] == PACKAGE.name and (PACKAGE / parts[1]).is_dir() | (PACKAGE / f"{parts[1]}.py").is_file():
                yield parts[1]


def contracts(rooms: Mapping[str, frozenset[str]]) -> str:
    """A contract of import-linter for each room: it imports none but those of its row."""
    return "".join(_contract(room, sorted(set(rooms) - {room} - allowed)) for room, allowed in rooms.items())


def _contract(room: str, forbidden: list[str]) -> str:
    listed = ", ".join(f'"{PACKAGE.name}.{other}"' for other in forbidden)
    return (
        f'[[tool.importlinter.contracts]]\nname = "{room} imports no room but those of its row"\ntype = "forbidden"\n'
        f'source_modules = ["{PACKAGE.name}.{room}"]\nforbidden_modules = [{listed}]\nallow_indirect_imports = true\n\n'
    )


def graph(rooms: Mapping[str, frozenset[str]], found: Mapping[str, frozenset[str]]) -> str:
    """What imports what, as a Mermaid graph; an arrow that a longer way says already is left out."""
    edges = {room: {other for other in found.get(room, ()) if other in rooms} for room in rooms}
    lines = [
        f"  {room} --> {other}"
        for room in rooms
        for other in sorted(edges[room])
        if not any(other in _reached(step, edges) for step in edges[room] - {other})
    ]
    return "\n".join(["```mermaid", "graph TD", *lines, "```", ""])


def _reached(room: str, edges: Mapping[str, set[str]]) -> set[str]:
    seen: set[str] = set()
    queue = [room]
    while queue:
        for other in edges[queue.pop()] - seen:
            seen.add(other)
            queue.append(other)
    return seen


def replaced(text: str, begin: str, end: str, made: str) -> str:
    """The text with what stands between two lines replaced."""
    before, found, rest = text.partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise ValueError(f"{begin.strip()} … {end.strip()} is not there")
    return f"{before}{begin}{made}{end}{after}"


def made() -> dict[Path, str]:
    """Both files as they are to be."""
    page, project = PAGE.read_text("utf-8"), PROJECT.read_text("utf-8")
    rooms = table(page)
    return {
        PAGE: replaced(page, "<!-- made: imports -->\n", "<!-- end -->\n", graph(rooms, imports())),
        PROJECT: replaced(project, "# made by .ci/rooms.py\n", "# end of what is made\n", contracts(rooms)),
    }


if __name__ == "__main__":
    for path, text in made().items():
        path.write_text(text, "utf-8")
