"""Format versions: every record says which one it is of, and older ones are lifted by numbered steps.

``MIGRATIONS[n]`` turns a record of format ``n + 1`` into one of format ``n + 2``; a change of the format appends one function here and
adds one to ``codec.FORMAT``. Migrations work on the parsed JSON of any record and look at its keys to know which kind it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pageindex.document.codec import FORMAT, decode_json
from pageindex.errors import FormatVersionError

__all__ = ["MIGRATIONS", "Migration", "parse", "upgrade"]

Migration = Callable[[dict[str, Any]], dict[str, Any]]

MIGRATIONS: Sequence[Migration] = ()


def parse(data: bytes, name: str) -> dict[str, Any]:
    """A stored JSON record in today's format.

    Raises:
        ValueError, TypeError, KeyError: The bytes are no such record.
        FormatVersionError: It is of a format this version does not know.
    """
    return upgrade(decode_json(data), name)


def upgrade(item: Any, name: str, migrations: Sequence[Migration] = MIGRATIONS) -> dict[str, Any]:
    """Lift a parsed record to the newest format; errors as ``parse``."""
    if not isinstance(item, dict):
        raise TypeError("not a JSON object")
    found, newest = item["format"], 1 + len(migrations)
    if not isinstance(found, int) or found < 1:
        raise ValueError(f"no format version, but {found!r}")
    if found > newest:
        raise FormatVersionError(f"{name} is of format {found}; this pageindex knows up to {newest}", file=name)
    record: dict[str, Any] = item
    for number in range(found, newest):
        record = {**migrations[number - 1](record), "format": number + 1}
    return record


def _consistent() -> None:
    if len(MIGRATIONS) != FORMAT - 1:
        raise RuntimeError(f"format {FORMAT} needs {FORMAT - 1} migrations, not {len(MIGRATIONS)}")


_consistent()
