"""The architecture page is true: the code keeps to its table, and contracts and graph are made from it."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
DOORS = ("cli", "client", "serve")


@pytest.fixture(scope="module")
def rooms() -> ModuleType:
    spec = importlib.util.spec_from_file_location("rooms", ROOT / ".ci" / "rooms.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def found(rooms: ModuleType) -> dict[str, frozenset[str]]:
    imports: dict[str, frozenset[str]] = rooms.imports()
    return imports


def test_every_room_has_a_row_and_keeps_to_it(rooms: ModuleType, found: dict[str, frozenset[str]]) -> None:
    allowed = rooms.table(rooms.PAGE.read_text("utf-8"))
    without_row = {"__init__", "__main__", *rooms.OPEN}
    assert set(allowed) == set(found) - without_row
    for room, others in allowed.items():
        assert found[room] - rooms.OPEN <= others, room
    for room in rooms.OPEN:
        assert found[room] <= {*rooms.OPEN, "text"}, room


def test_doors_reach_the_application_and_nothing_behind_it(rooms: ModuleType, found: dict[str, frozenset[str]]) -> None:
    for door in DOORS:
        assert found[door] - rooms.OPEN <= {"app", "chat", "tools", "document", "serve", "__version__"}


def test_contracts_and_graph_are_made_from_the_table(rooms: ModuleType) -> None:
    for path, text in rooms.made().items():
        assert path.read_text("utf-8") == text, "run: python .ci/rooms.py"
