"""One reply piece by piece, and waiting for one."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future

from pageindex.errors import ModelError
from pageindex.llm.cancel import Cancellation
from pageindex.llm.messages import Delta, DeltaCallback, Reply

__all__ = ["Stream", "wait"]


class Stream:
    """The pieces of one reply; see :meth:`pageindex.llm.Model.stream`."""

    def __init__(self, start: Callable[[DeltaCallback], Future[Reply]], cancel: Cancellation | None) -> None:
        self._pieces: queue.SimpleQueue[Delta | None] = queue.SimpleQueue()
        self._future = start(self._pieces.put)
        self._cancel = cancel
        self._future.add_done_callback(lambda _: self._pieces.put(None))
        if cancel is not None:
            cancel.attach(self._future.cancel)

    def __iter__(self) -> Iterator[Delta]:
        try:
            while (piece := self._pieces.get()) is not None:
                yield piece
            self.reply  # noqa: B018 - raises what the call raised
        finally:
            self.close()

    @property
    def reply(self) -> Reply:
        """The whole reply; waits for it, and raises what ``Model.complete`` raises."""
        return wait(self._future, self._cancel)

    def close(self) -> None:
        """End the call if it is still under way."""
        self._future.cancel()
        if self._cancel is not None:
            self._cancel.detach(self._future.cancel)


def wait(future: Future[Reply], cancel: Cancellation | None) -> Reply:
    """The reply of a call under way; an interrupt of the waiting thread ends the call. Raises ModelError (CANCELLED) and what it raises."""
    if cancel is not None:
        cancel.attach(future.cancel)
    try:
        return future.result()
    except CancelledError:
        raise ModelError("the call was cancelled", "Ask again when it is wanted.", code="CANCELLED") from None
    except BaseException:
        future.cancel()  # the waiting thread was interrupted
        raise
    finally:
        if cancel is not None:
            cancel.detach(future.cancel)
