"""A bounded memory of decoded files: the least recently used go first."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

from cachetools import LRUCache

__all__ = ["BoundedCache"]

Value = TypeVar("Value")


class BoundedCache(Generic[Value]):
    """Values by key, up to a total cost; one that costs more than the whole is not kept.

    Two threads that miss at once both build the value and one of the two is kept: values must be interchangeable.
    """

    def __init__(self, budget: int) -> None:
        self._items: LRUCache[Hashable, tuple[Value, int]] = LRUCache(budget, getsizeof=lambda item: item[1])
        self._lock = Lock()

    def get(self, key: Hashable, build: Callable[[], tuple[Value, int]]) -> Value:
        """The value of a key; ``build`` gives it, with its cost, when it is not there."""
        with self._lock:
            if (kept := self._items.get(key)) is not None:
                return kept[0]
        value, cost = build()
        with self._lock:
            if key not in self._items and cost <= self._items.maxsize:
                self._items[key] = (value, cost)
        return value

    def clear(self) -> None:
        with self._lock:
            self._items.clear()

    def __len__(self) -> int:
        return len(self._items)

    @property
    def cost(self) -> int:
        """Total cost of what is kept."""
        return int(self._items.currsize)
