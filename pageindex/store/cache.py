"""A bounded memory of decoded files: the least recently used go first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

__all__ = ["BoundedCache"]

Value = TypeVar("Value")


class BoundedCache(Generic[Value]):
    """Values by key, up to a total cost; one that costs more than the whole is not kept.

    Two threads that miss at once both build the value and one of the two is kept: values must be interchangeable.
    """

    def __init__(self, budget: int) -> None:
        self._budget, self._cost = budget, 0
        self._items: OrderedDict[Hashable, tuple[Value, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, build: Callable[[], tuple[Value, int]]) -> Value:
        """The value of a key; ``build`` gives it, with its cost, when it is not there."""
        with self._lock:
            if key in self._items:
                self._items.move_to_end(key)
                return self._items[key][0]
        value, cost = build()
        with self._lock:
            if key not in self._items and cost <= self._budget:
                self._items[key] = (value, cost)
                self._cost += cost
                while self._cost > self._budget:
                    self._cost -= self._items.popitem(last=False)[1][1]
        return value

    def clear(self) -> None:
        with self._lock:
            self._items.clear()
            self._cost = 0

    def __len__(self) -> int:
        return len(self._items)

    @property
    def cost(self) -> int:
        """Total cost of what is kept."""
        return self._cost
