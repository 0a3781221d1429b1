"""One typed stream of progress, which drives the progress bar, the log, JSON lines and server notes alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Progress", "ProgressCallback", "silent"]


@dataclass(frozen=True, slots=True)
class Progress:
    """One step of one file.

    Attributes:
        file: Name of the file.
        stage: ``reading``, ``structure``, ``refine``, ``summaries``, ``store``, ``done`` or ``failed``.
        done, total: Units of the stage (pages, sections); ``total`` is 0 where it is not known.
        note: For people: an outcome, a warning, a model's usage.
    """

    file: str
    stage: str
    done: int = 0
    total: int = 0
    note: str = ""


ProgressCallback = Callable[[Progress], None]


def silent(progress: Progress) -> None:
    """The callback that shows nothing."""
