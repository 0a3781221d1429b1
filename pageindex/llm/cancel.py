"""A switch that stops model calls from another thread."""

from __future__ import annotations

import threading
from collections.abc import Callable

__all__ = ["Cancellation"]


class Cancellation:
    """Give one to calls, and ``cancel`` ends those under way and refuses later ones: they raise ModelError with code CANCELLED."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stops: list[Callable[[], object]] = []
        self._cancelled = False

    @property
    def cancelled(self) -> bool:
        return self._cancelled

    def cancel(self) -> None:
        with self._lock:
            self._cancelled = True
            stops, self._stops = self._stops, []
        for stop in stops:
            stop()

    def attach(self, stop: Callable[[], object]) -> None:
        """Have ``stop`` called on cancellation; at once when that has been."""
        with self._lock:
            if not self._cancelled:
                self._stops.append(stop)
                return
        stop()

    def detach(self, stop: Callable[[], object]) -> None:
        with self._lock:
            if stop in self._stops:
                self._stops.remove(stop)
