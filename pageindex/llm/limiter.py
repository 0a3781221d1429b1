"""How many calls run at once, which goes first, and when none may start."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

__all__ = ["Limiter"]


class Limiter:
    """A semaphore with priorities (smaller goes first), a slow start and a common pause.

    Until one call has succeeded only one runs at a time, so that a wrong key or name costs one call and not ``capacity`` of them.
    Belongs to one event loop.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity, self._running, self._proven = capacity, 0, False
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []
        self._order = itertools.count()
        self._not_before = 0.0

    @asynccontextmanager
    async def slot(self, priority: float = 0.0) -> AsyncIterator[None]:
        """Hold one of the places."""
        if self._free() and not self._waiting:
            self._running += 1
        else:
            place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            heapq.heappush(self._waiting, (priority, next(self._order), place))
            try:
                await place  # whoever wakes us has counted us as running
            except asyncio.CancelledError:
                if place.done() and not place.cancelled():
                    self._leave()
                raise
        try:
            yield
        finally:
            self._leave()

    @property
    def proven(self) -> bool:
        """Whether one call was answered."""
        return self._proven

    def succeeded(self) -> None:
        """One call was answered: open all places."""
        self._proven = True
        self._wake()

    def pause(self, seconds: float) -> None:
        """No call may start for so long: the provider asked one of us to wait, and means all."""
        self._not_before = max(self._not_before, time.monotonic() + seconds)

    async def clear(self) -> None:
        """Wait until no pause is on."""
        while (left := self._not_before - time.monotonic()) > 0:
            await asyncio.sleep(left)

    def _free(self) -> bool:
        return self._running < (self._capacity if self._proven else 1)

    def _leave(self) -> None:
        self._running -= 1
        self._wake()

    def _wake(self) -> None:
        while self._waiting and self._free():
            _, _, place = heapq.heappop(self._waiting)
            if not place.done():
                self._running += 1
                place.set_result(None)
