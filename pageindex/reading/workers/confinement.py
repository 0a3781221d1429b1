"""How far workers are confined on this machine, shown by a worker that tries to get out."""

from __future__ import annotations

import os
import socket
import tempfile
from dataclasses import dataclass
from pathlib import Path

from pageindex.reading.workers.child import protections
from pageindex.reading.workers.pool import WorkerPool
from pageindex.reading.workers.sandbox import Attempt, attempts

__all__ = ["Confinement", "confinement"]


@dataclass(frozen=True, slots=True)
class Confinement:
    """What a worker tried, each attempt with its outcome, and the protections that this system cannot give, each with the reason.

    Without the filter of system calls nothing is tried, since some of it would succeed.
    """

    attempts: tuple[Attempt, ...]
    missing: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether every protection is there, and every attempt was refused."""
        return not self.missing and all(attempt.refused for attempt in self.attempts)

    def summary(self) -> str:
        """One sentence for people."""
        if self.missing:
            return (
                f"Files are read in processes of their own, which this system cannot confine wholly: {'; '.join(self.missing)}. "
                "Read files of strangers where it can: Linux 5.13 or newer, with Landlock and seccomp."
            )
        allowed = [attempt.what for attempt in self.attempts if not attempt.refused]
        if allowed:
            return f"Files are read in confined processes, which could still {', '.join(allowed)}."
        return (
            f"Files are read in confined processes: {len(self.attempts)} of {len(self.attempts)} attempts to get out were refused "
            "(network, programs, files, keys)."
        )


def confinement() -> Confinement:
    """Start a worker and let it try. Takes about half a second."""
    with WorkerPool(1) as pool:
        missing = tuple(pool.submit(protections).result())
        if missing:
            return Confinement((), missing)
        with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as server:
            file = Path(folder) / "private"
            file.write_text("of the user", encoding="utf-8")
            made = pool.submit(attempts, str(file), server.getsockname(), os.getpid()).result()
    return Confinement(tuple(made), missing)
