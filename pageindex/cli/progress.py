"""Progress on standard error: bars on a terminal, nothing elsewhere."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pageindex.cli.screen import fit, pad, printable
from pageindex.progress import Progress, ProgressCallback, silent

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID

__all__ = ["progress_bars"]

_NAME_WIDTH = 32
_LAST = ("done", "failed", "store")  # a document that a model has refined is stored once more after it is done


@contextmanager
def progress_bars(total: int) -> Iterator[ProgressCallback]:
    """One bar for the files, where there are several, and one for the pages of each file under way."""
    if not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn("{task.fields[stage]}", style="dim", markup=False),
        TimeElapsedColumn(),
    )
    console = Console(stderr=True)
    with Bars(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False) as bars:
        yield _Display(bars, total).update


class _Display:
    """Bars by file name. Steps come from several threads."""

    def __init__(self, bars: Bars, total: int) -> None:
        self._bars, self._lock = bars, threading.Lock()
        self._files: dict[str, TaskID] = {}
        self._all = bars.add_task(_name("files"), total=total, stage="") if total > 1 else None

    def update(self, step: Progress) -> None:
        """Show one step."""
        with self._lock:
            if step.stage in _LAST:
                task = self._files.pop(step.file, None)
                if task is not None:
                    self._bars.remove_task(task)
                if self._all is not None and step.stage != "store":
                    self._bars.advance(self._all)
                return
            if step.file not in self._files:
                self._files[step.file] = self._bars.add_task(_name(step.file), total=None, stage=step.stage)
            self._bars.update(
                self._files[step.file], completed=step.done, total=step.total or None, stage=step.note or step.stage
            )


def _name(text: str) -> str:
    return pad(fit(printable(text), _NAME_WIDTH), _NAME_WIDTH)
