"""What the failures of a model mean for a run: one section goes without, or everything stops."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TypeVar

from pageindex.errors import BudgetError, CredentialError, ModelError, ModelUnavailableError
from pageindex.refine.result import Problem

__all__ = ["Guard"]

T = TypeVar("T")

_MOST_IN_A_ROW = 3


class Guard:
    """Lets sections try, notes what failed, and ends all further calls when going on is pointless.

    That is: a dead key, a model that does not exist, a spent budget; and a provider that is down, or refuses, several times in a row.
    """

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.stopped: ModelError | None = None
        self.succeeded = 0
        self._in_a_row = 0

    async def attempt(self, section: str, stage: str, work: Awaitable[T]) -> T | None:
        """The result, or None when the work failed or was never begun; the reason is then among the problems."""
        if self.stopped is not None:
            if hasattr(work, "close"):
                work.close()  # a coroutine that never ran
            self.problems.append(Problem(section, stage, self.stopped))
            return None
        try:
            result = await work
        except ModelError as error:
            self._failed(section, stage, error)
            return None
        self.succeeded += 1
        self._in_a_row = 0
        return result

    def _failed(self, section: str, stage: str, error: ModelError) -> None:
        self.problems.append(Problem(section, stage, error))
        self._in_a_row += 1
        fatal = isinstance(error, CredentialError | BudgetError) or error.code in ("MODEL_NOT_FOUND", "CANCELLED")
        limit = 1 if isinstance(error, ModelUnavailableError) and not self.succeeded else _MOST_IN_A_ROW
        if (fatal or (self._in_a_row >= limit and error.code != "MODEL_REPLY")) and self.stopped is None:
            self.stopped = error
