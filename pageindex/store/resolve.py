"""Which document a person means: by id, name, beginning of an id, or path."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from pageindex.errors import NotFoundError
from pageindex.files import spelled
from pageindex.text.near import near_names, or_near

__all__ = ["Lookups", "resolve"]

SHORTEST_PREFIX = 4


class Lookups(Protocol):
    """Indexed lookups; each gives (doc_id, …) pairs."""

    def by_name(self, name: str) -> Sequence[tuple[str, str]]: ...

    def by_path(self, source_path: str) -> Sequence[tuple[str, str]]: ...

    def by_prefix(self, prefix: str) -> Sequence[tuple[str, str]]: ...

    def names(self) -> Sequence[str]: ...


def resolve(reference: str, lookups: Lookups) -> str:
    """The id of the one document that a reference means.

    An exact id wins over a name, an exact name over one in other letter case, and a name over the beginning of an id and a path.

    Raises:
        NotFoundError: NOT_FOUND with ``near`` names, or AMBIGUOUS with the ``ids`` it may be.
    """
    reference = spelled(reference.strip())
    beginnings = lookups.by_prefix(reference) if len(reference) >= SHORTEST_PREFIX and reference.isalnum() else ()
    if any(doc_id == reference for doc_id, _ in beginnings):
        return reference
    named = lookups.by_name(reference) if reference else ()
    exact = [pair for pair in named if pair[1] == reference]
    path = str(Path(reference).expanduser().absolute()) if reference else ""
    for found in (exact, named, beginnings, lookups.by_path(reference), lookups.by_path(path)):
        if len(found) == 1:
            return found[0][0]
        if found:
            raise _ambiguous(reference, found)
    raise _unknown(reference, lookups.names())


def _ambiguous(reference: str, found: Sequence[tuple[str, str]]) -> NotFoundError:
    ids = [doc_id for doc_id, _ in found]
    return NotFoundError(
        f"{reference!r} may be {len(ids)} documents", f"Use an id: {', '.join(ids[:10])}.", code="AMBIGUOUS", ids=ids
    )


def _unknown(reference: str, names: Sequence[str]) -> NotFoundError:
    near = near_names(reference, names)
    step = or_near(near, "List the documents: 'pageindex list'.")
    return NotFoundError(f"no document is called {reference!r}", step, near=near)
