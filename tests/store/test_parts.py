"""The small parts of the store, each by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pageindex.atomic import AtomicWriter
from pageindex.errors import FormatVersionError, NotFoundError
from pageindex.store.base import Folder
from pageindex.store.cache import BoundedCache
from pageindex.store.disk.migrations import upgrade
from pageindex.store.folders import FolderTree


def test_migrations_are_applied_in_order() -> None:
    def second(item: dict[str, Any]) -> dict[str, Any]:
        return {**item, "trail": [*item["trail"], "1→2"]}

    def third(item: dict[str, Any]) -> dict[str, Any]:
        return {**item, "trail": [*item["trail"], "2→3"]}

    steps = (second, third)
    assert upgrade({"format": 1, "trail": []}, "x", steps) == {"format": 3, "trail": ["1→2", "2→3"]}
    assert upgrade({"format": 2, "trail": []}, "x", steps) == {"format": 3, "trail": ["2→3"]}
    assert upgrade({"format": 3, "trail": []}, "x", steps) == {"format": 3, "trail": []}
    with pytest.raises(FormatVersionError):
        upgrade({"format": 4}, "x", steps)


@pytest.mark.parametrize("item", [[], None, {"format": "1"}, {"format": 0}, {}])
def test_what_has_no_format_is_no_record(item: Any) -> None:
    with pytest.raises((ValueError, TypeError, KeyError)):
        upgrade(item, "x")


def test_cache_forgets_the_least_recently_used() -> None:
    cache: BoundedCache[str] = BoundedCache(10)
    built: list[str] = []

    def build(name: str) -> str:
        built.append(name)
        return name

    for name in ("a", "b", "a", "c", "a", "b"):
        assert cache.get(name, lambda name=name: (build(name), 5)) == name  # type: ignore[misc]
    assert built == ["a", "b", "c", "b"]
    assert cache.cost == 10
    cache.get("huge", lambda: ("h", 11))
    assert len(cache) == 2
    cache.clear()
    assert (len(cache), cache.cost) == (0, 0)


def test_atomic_write_leaves_the_old_file_when_it_cannot_finish(tmp_path: Path) -> None:
    path = tmp_path / "f"
    AtomicWriter().write(path, b"old")

    def full(step: str, where: Path) -> None:
        if step == "flush":
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="space"):
        AtomicWriter(full).write(path, b"new")
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["f"]


def test_folders_that_contain_themselves_are_refused() -> None:
    tree = FolderTree({"a": Folder("a", "A", "b"), "b": Folder("b", "B", "a")})
    with pytest.raises(ValueError, match="inside itself"):
        FolderTree.from_json(tree.to_json())
    with pytest.raises(KeyError):
        FolderTree.from_json(FolderTree({"a": Folder("a", "A", "gone")}).to_json())
    with pytest.raises(NotFoundError):
        FolderTree().children("gone")
