"""One event loop in a thread of its own, on which every model call runs.

HTTP clients belong to the loop they were made on; with one loop for all, calls can be made from plain code, from threads, and from
code that runs inside another loop.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import os
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

__all__ = ["run", "submit"]

T = TypeVar("T")

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None


def _forget() -> None:
    # A forked child has the loop object but not its thread.
    global _lock, _loop
    _lock, _loop = threading.Lock(), None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def _started() -> asyncio.AbstractEventLoop:
    global _loop
    with _lock:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_loop.run_forever, name="pageindex-models", daemon=True).start()
        return _loop


def submit(coroutine: Coroutine[Any, Any, T]) -> concurrent.futures.Future[T]:
    """Start a coroutine on the loop of the models."""
    return asyncio.run_coroutine_threadsafe(coroutine, _started())


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on the loop of the models and wait for it, also from inside another running loop (which then waits, too).

    Must not be called from the loop of the models itself. An interrupt of the waiting thread cancels the coroutine.
    """
    future = submit(coroutine)
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise
