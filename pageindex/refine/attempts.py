"""What the failure of a model means for a run: the section goes without, and the run goes on."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TypeVar

from pageindex.errors import ModelError
from pageindex.llm import Model
from pageindex.refine.result import Problem

__all__ = ["Attempts"]

T = TypeVar("T")


class Attempts:
    """Lets sections try, and notes what failed.

    Args:
        model: A scope that gives up by itself when going on is pointless; None for none.
    """

    def __init__(self, model: Model | None) -> None:
        self.problems: list[Problem] = []
        self.succeeded = 0
        self._model = model

    @property
    def stopped(self) -> ModelError | None:
        """What ended all further calls; None while they may go on."""
        return self._model.stopped if self._model is not None else None

    async def attempt(self, section: str, stage: str, work: Awaitable[T]) -> T | None:
        """The result, or None when the work failed; the reason is then among the problems."""
        try:
            result = await work
        except ModelError as error:
            self.problems.append(Problem(section, stage, error))
            return None
        self.succeeded += 1
        return result
