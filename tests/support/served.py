"""Servers as processes of their own, which say on standard error where they serve."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

__all__ = ["serving"]


@contextmanager
def serving() -> Iterator[Callable[[Sequence[str]], str]]:
    """Starts ``python -m`` with some arguments, and gives the address; all that were started end with the block."""
    running: list[subprocess.Popen[str]] = []

    def start(module: Sequence[str]) -> str:
        process = subprocess.Popen([sys.executable, "-m", *module], stderr=subprocess.PIPE, text=True)
        running.append(process)
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith("serving "):
                threading.Thread(target=process.stderr.read, daemon=True).start()
                return line.split()[1]
        raise AssertionError("it did not start")

    try:
        yield start
    finally:
        for process in running:
            process.terminate()
            process.wait(20)
            if process.stderr is not None:
                process.stderr.close()
