"""A page that kills its reader costs that page: the file is read again without it.

A reader that can leave out parts of a file takes ``avoid``: the parts by their keys (``page 17``, ``labels``), each with what is wrong
with it. When a worker dies in a part, the pages behind are tried one after another first, each at most once, so that a file of many such
pages is read three times at most, however many they are.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from pageindex.errors import PageIndexError
from pageindex.reading.workers.frames import Request
from pageindex.reading.workers.steps import REST
from pageindex.reading.workers.worker import DeathError

__all__ = ["can_avoid", "with_recovery"]

#: Tries the pages of a file from one on, and gives nothing.
_PROBE = "pageindex.reading.pdf.isolation:probe"

_ATTEMPTS = 8  #: Deaths of whole readings, each in another part, after which a file is given up.

Call = Callable[[Request, Any], Any]  #: Makes a request, and gives its result as a type; raises DeathError.


def can_avoid(function: Callable[..., Any]) -> bool:
    """Whether a function takes the parts to leave out."""
    return "avoid" in inspect.signature(function).parameters


@dataclass(frozen=True, slots=True)
class _File:
    """The arguments by which a function is told of a file: its content, its name, its password."""

    arguments: tuple[Any, ...]

    @classmethod
    def of(cls, function: Callable[..., Any], request: Request) -> _File:
        found = inspect.signature(function).bind_partial(*request.args, **request.kwargs).arguments
        content = next(iter(found.values()))
        return cls((content, found.get("name", ""), found.get("password")))


def with_recovery(call: Call, function: Callable[..., Any], request: Request, kind: Any) -> Any:
    """The result of a call that leaves out, one after another, the parts in which its worker dies.

    Raises what the function raises, and the error of the first death that no part is to blame for.
    """
    avoid: dict[str, str] = {}
    for attempt in range(_ATTEMPTS):
        try:
            return call(replace(request, kwargs={**request.kwargs, "avoid": dict(avoid)}), kind)
        except DeathError as death:
            if death.step is None or death.step.key in avoid or attempt == _ATTEMPTS - 1:
                raise
            # What was tried again to save a page and ended the worker is not tried for any page.
            avoid[death.step.key if death.step.stage != "again" else "again"] = death.error.message
            if death.step.stage == "page":
                _probe(call, _File.of(function, request), request, death.step.page + 1, avoid)
    raise AssertionError("a call is made at least once")


def _probe(call: Call, file: _File, request: Request, first: int, avoid: dict[str, str]) -> None:
    """Add to ``avoid`` the pages from ``first`` on in which a worker dies."""
    slow = 0.0
    while True:
        try:
            call(Request(_PROBE, (*file.arguments, first, request.limits), limits=request.limits), None)
        except DeathError as death:
            if death.step is None or death.step.page < first:
                return  # the next reading meets it
            avoid[death.step.key] = death.error.message
            first = death.step.page + 1
            slow += request.limits.page_seconds if death.error.code == "TIME_LIMIT" else 0.0
            if len(avoid) >= request.limits.crashes or slow > request.limits.seconds:
                avoid[f"{REST} {first}"] = f"Not read: {len(avoid)} pages before it stopped their reader."
                return
        except PageIndexError:
            return  # the next reading meets it, and tells it
        else:
            return
