"""What all derived SQLite files have in common: they are made once, by whoever is first, and may be deleted at any time."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from pathlib import Path

__all__ = ["create_schema", "is_damage"]

#: What keeps a file from being used although it is whole: another process, the disk, its permissions, a lack of memory.
_SURROUNDINGS = frozenset(
    {
        *(
            sqlite3.SQLITE_BUSY,
            sqlite3.SQLITE_LOCKED,
            sqlite3.SQLITE_READONLY,
            sqlite3.SQLITE_PERM,
            sqlite3.SQLITE_CANTOPEN,
        ),
        *(
            sqlite3.SQLITE_IOERR,
            sqlite3.SQLITE_FULL,
            sqlite3.SQLITE_NOMEM,
            sqlite3.SQLITE_INTERRUPT,
            sqlite3.SQLITE_PROTOCOL,
        ),
    }
)


def is_damage(error: sqlite3.Error) -> bool:
    """Whether a call failed because of what stands in the file, so that it has to be made anew.

    A changed schema is an ``OperationalError`` too ("no such table"), so the class alone does not tell.
    """
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return code & 0xFF not in _SURROUNDINGS


def create_schema(
    connection: sqlite3.Connection,
    path: Path | None,
    statements: Iterable[str],
    version: int,
    fill: Callable[[sqlite3.Connection], object] = lambda connection: None,
) -> None:
    """Make the tables of an empty database and stamp it with its version, unless another process was faster.

    ``path`` is the file, made private; None for a database in memory. ``fill`` writes the first rows in the same transaction.
    """
    connection.execute("pragma journal_mode = wal")
    with connection:
        connection.execute("begin immediate")
        if connection.execute("pragma user_version").fetchone()[0] == 0:  # nobody else was faster
            for statement in statements:
                connection.execute(statement)
            fill(connection)
            connection.execute(f"pragma user_version = {version}")
    if path is not None:
        path.chmod(0o600)
