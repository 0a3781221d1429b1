"""A document that a session has opened, with what its tools derive from it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from pageindex.document import DocumentRecord, Edition, Summaries, Tree
from pageindex.document.extent import Extent
from pageindex.store.base import Library
from pageindex.tools.outline import Outline

__all__ = ["OpenDocument"]


@dataclass(frozen=True)
class OpenDocument:
    """One edition of one document; its parts are read when they are first needed.

    Attributes:
        library: Where it is.
        record: As it was when the document was opened.
        name: What a tool's caller should call it: its name, or its id where the name is not its own.
    """

    library: Library
    record: DocumentRecord
    name: str

    @cached_property
    def edition(self) -> Edition:
        return self.library.edition(self.record.doc_id, self.record.edition.id)

    @cached_property
    def tree(self) -> Tree:
        return self.library.tree(self.record.doc_id, self.record.edition.id)

    @cached_property
    def summaries(self) -> Summaries:
        return self.library.summaries(self.record.doc_id, self.record.edition.id)

    @cached_property
    def extent(self) -> Extent:
        return Extent.of(self.edition)

    @cached_property
    def outline(self) -> Outline:
        return Outline(self.tree, self.extent, self.summaries.sections)

    @cached_property
    def labels(self) -> tuple[str | None, ...]:
        return tuple(page.label for page in self.edition.pages)

    @property
    def tokens(self) -> int:
        """Estimated tokens of the whole text."""
        return round(self.extent.offsets[-1] * self.extent.ratio)
