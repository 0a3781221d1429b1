"""Libraries that die on purpose: at a chosen step of a change, by an exception that nothing catches or by a real SIGKILL."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pageindex.atomic import AtomicWriter
from pageindex.document import DocumentRecord, Summaries, Tree
from pageindex.errors import NotFoundError
from pageindex.store.base import ROOT_FOLDER, Addition, AddResult, Attempt, Folder, Outcome
from pageindex.store.disk.library import DiskLibrary


class Killed(BaseException):
    """The end of a process that a test only plays."""


@dataclass
class Countdown:
    """A step hook that counts, and at step ``at`` (from 0) calls ``die``."""

    at: int | None = None
    real: bool = False
    steps: list[str] = field(default_factory=list)

    def __call__(self, step: str, path: Path) -> None:
        if self.at is not None and len(self.steps) == self.at:
            if self.real:
                os.kill(os.getpid(), signal.SIGKILL)
            raise Killed(f"at step {self.at}: {step} {path}")
        self.steps.append(step)


def dying(root: Path, at: int | None, *, real: bool = False) -> tuple[DiskLibrary, Countdown]:
    """The library at ``root``, opened by someone who will die at a step."""
    hook = Countdown(real=real)
    library = DiskLibrary.open(root, writer=AtomicWriter(hook), lock_seconds=5)
    hook.steps.clear()
    hook.at = at
    return library, hook


class DyingLibrary(DiskLibrary):
    """A library in which every change is first tried by a process that dies on the way, each time at another step.

    What was decided before a death counts, as it would for a user who looks again.
    """

    deaths = 0

    def _survive(self, change: Callable[[DiskLibrary], Any], decided: Callable[[], Any]) -> Any:
        step = (self.deaths * 7) % 30
        self.deaths += 1
        while True:
            library, _ = dying(self.root, step)
            try:
                return change(library)
            except Killed:
                if (outcome := decided()) is not None:
                    return outcome
            step = 10_000

    def add(self, addition: Addition) -> AddResult:
        before = {record.doc_id: record for record in self.list(limit=1000).documents}

        def decided() -> AddResult | None:
            for record in DiskLibrary.open(self.root).list(limit=1000).documents:
                if record.doc_id not in before:
                    return AddResult(record, Outcome.ADDED)
                if record.edition != before[record.doc_id].edition:
                    return AddResult(record, Outcome.NEW_EDITION)
            return None

        result: AddResult = self._survive(lambda library: library.add(addition), decided)
        return result

    def remove(self, doc_id: str) -> None:
        def decided() -> bool | None:
            try:
                DiskLibrary.open(self.root).get(doc_id)
            except NotFoundError:
                return True
            return None

        self._survive(lambda library: library.remove(doc_id), decided)

    def replace_derived(
        self,
        doc_id: str,
        edition_id: str,
        *,
        tree: Tree | None = None,
        summaries: Summaries | None = None,
        facts: Mapping[str, Any] | None = None,
    ) -> DocumentRecord:
        def change(library: DiskLibrary) -> DocumentRecord:
            return library.replace_derived(doc_id, edition_id, tree=tree, summaries=summaries, facts=facts)

        record: DocumentRecord = self._survive(change, lambda: None)
        return record

    def update(
        self, doc_id: str, *, metadata: Mapping[str, Any] | None = None, folder_id: str | None = None
    ) -> DocumentRecord:
        record: DocumentRecord = self._survive(
            lambda library: library.update(doc_id, metadata=metadata, folder_id=folder_id), lambda: None
        )
        return record

    def put_file(self, doc_id: str, area: str, name: str, data: bytes) -> None:
        self._survive(lambda library: library.put_file(doc_id, area, name, data), lambda: None)

    def create_folder(self, name: str, parent_id: str = ROOT_FOLDER) -> Folder:
        folder: Folder = self._survive(lambda library: library.create_folder(name, parent_id), lambda: None)
        return folder

    def record_attempt(self, attempt: Attempt) -> None:
        self._survive(lambda library: library.record_attempt(attempt), lambda: None)

    def doctor(self, *, repair: bool = False) -> Any:
        super().gc()
        return super().doctor(repair=repair)
