"""Libraries of documents: on disk, in memory, and the contracts that both keep."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pageindex.store.base import Library
    from pageindex.store.disk.layout import find_library
    from pageindex.store.disk.library import DiskLibrary
    from pageindex.store.memory import MemoryLibrary

_HOMES = {
    "DiskLibrary": "pageindex.store.disk.library",
    "Library": "pageindex.store.base",
    "MemoryLibrary": "pageindex.store.memory",
    "find_library": "pageindex.store.disk.layout",
}

__all__ = ["DiskLibrary", "Library", "MemoryLibrary", "find_library"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
