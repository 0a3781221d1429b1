"""Files into the library, and through a model where one is set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from functools import cached_property
from typing import TYPE_CHECKING

from pageindex import pipeline
from pageindex.client.models import ModelChoice
from pageindex.client.shapes import Submitted, submitted
from pageindex.errors import PageIndexError, SettingsError
from pageindex.pipeline import Ingest, Request
from pageindex.progress import ProgressCallback
from pageindex.store.base import Library

if TYPE_CHECKING:
    from pageindex.config import Settings
    from pageindex.llm import Model

__all__ = ["Intake"]


class Intake:
    """Takes files in with the settings of one client."""

    def __init__(self, library: Library, choice: ModelChoice) -> None:
        self._library, self._choice = library, choice

    @cached_property
    def settings(self) -> Settings:
        """Looked up once, when a file first comes in."""
        return self._choice.settings(self._library)

    @cached_property
    def _model(self) -> Model:
        # One for all documents, so that the budget is one.
        from pageindex.llm import Model

        return Model(self.settings)

    def submit(self, request: Request, mode: str | None, progress: ProgressCallback) -> Submitted:
        """One file; its error is raised."""
        settings = self.settings.changed(mode=mode)
        if mode == "standard" and not settings.for_index:
            raise SettingsError("mode 'standard' needs a model", "Give index_model=, or leave mode out.")
        return self._refined(pipeline.add_file(self._library, request, progress=progress), settings, progress)

    def submit_many(
        self, requests: Iterable[Request], jobs: int, executor: Executor | None, progress: ProgressCallback
    ) -> Iterator[Submitted | PageIndexError]:
        """Many files side by side; an error is a result."""
        for ingest in pipeline.add_many(self._library, requests, jobs=jobs, executor=executor, progress=progress):
            yield ingest.error if ingest.error is not None else self._refined(ingest, self.settings, progress)

    def _refined(self, ingest: Ingest, settings: Settings, progress: ProgressCallback) -> Submitted:
        """What was stored, after the model's work where a model is set and has not done it yet."""
        if ingest.record is None or ingest.outcome is None:
            raise ingest.error or PageIndexError(f"{ingest.request.title} ended without a record")
        record = ingest.record
        if settings.for_index and not pipeline.is_refined(self._library, record):
            done = pipeline.refine_document(self._library, record.doc_id, settings, self._model, progress=progress)
            record = done.record
        return submitted(record, ingest.outcome)
