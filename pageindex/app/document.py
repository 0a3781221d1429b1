"""One edition of one document, opened: its sections, pages, words, and what only its source can show."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pageindex.app.pages import PageReader
from pageindex.document import DocumentRecord, Edition, Evidence, Page, Passage, Position, Section, Summaries, Tree
from pageindex.document.pagespec import parse_pages
from pageindex.errors import (
    DamagedFileError,
    LimitError,
    NotFoundError,
    PageRangeError,
    PasswordError,
    StoreError,
    UnsupportedFormatError,
)
from pageindex.store.base import Library
from pageindex.text.extent import Extent

if TYPE_CHECKING:
    from pageindex.app.outline import Outline
    from pageindex.evidence.characters import Character
    from pageindex.evidence.tables.rebuild import CharacterSource

__all__ = ["READY", "Block", "OpenDocument", "PageText", "SectionText", "section_text"]

_log = logging.getLogger(__name__)

R = TypeVar("R")

READY = ("completed", "partial")  #: States of a document in which it can be read.


@dataclass(frozen=True, slots=True)
class SectionText:
    """A section with its text. ``path`` leads to it from the top, itself included."""

    section: Section
    path: tuple[Section, ...]
    text: str


@dataclass(frozen=True, slots=True)
class PageText:
    """A page with its text, as people read it or raw, and its printed number where it differs from the physical one."""

    page: Page
    text: str
    label: str | None


@dataclass(frozen=True, slots=True)
class Block:
    """The words that a handle stands for, and the section they stand in."""

    evidence: Evidence
    text: str
    section: Section


@dataclass(frozen=True)
class OpenDocument:
    """One edition of one document; its parts are read when they are first needed, and stay as they were then.

    Attributes:
        library: Where it is.
        record: As it was when the document was opened.
        reader: Reads single pages of the source anew.
        password: Of the source, where it is encrypted.
        name: What a caller should call it: its name, or its id where the name is not its own.
    """

    library: Library
    record: DocumentRecord
    reader: PageReader = field(default_factory=PageReader, repr=False)
    password: str | None = field(default=None, repr=False)
    name: str = ""

    @classmethod
    def open(
        cls, library: Library, reference: str, reader: PageReader | None = None, *, password: str | None = None
    ) -> OpenDocument:
        """The document that answers to an id, the start of one, a name or a path.

        Raises:
            NotFoundError: None does, or several do (AMBIGUOUS); near names are in its details.
            CorruptRecordError: Its record cannot be trusted.
        """
        record = library.resolve(reference)
        return cls(library, record, reader or PageReader(), password, record.name)

    # ------------------------------------------------------------ parts

    @property
    def doc_id(self) -> str:
        return self.record.doc_id

    @property
    def ready(self) -> bool:
        """Whether it can be read."""
        return self.record.status in READY

    @cached_property
    def edition(self) -> Edition:
        return self.library.edition(self.doc_id, self.record.edition.id)

    @cached_property
    def tree(self) -> Tree:
        return self.library.tree(self.doc_id, self.record.edition.id)

    @cached_property
    def summaries(self) -> Summaries:
        return self.library.summaries(self.doc_id, self.record.edition.id)

    @cached_property
    def extent(self) -> Extent:
        """Prices spans in tokens, estimated from a sample."""
        return Extent.of(self.edition)

    @cached_property
    def outline(self) -> Outline:
        """The outline, in slices that fit a budget."""
        from pageindex.app.outline import Outline

        return Outline(self.tree, self.extent, self.summaries.sections)

    @cached_property
    def labels(self) -> tuple[str | None, ...]:
        """Printed label of each page; None where a page has none."""
        return tuple(page.label for page in self.edition.pages)

    @property
    def tokens(self) -> int:
        """Estimated tokens of the whole text."""
        return round(self.extent.offsets[-1] * self.extent.ratio)

    @cached_property
    def source(self) -> Path:
        """A readable file with the original bytes; raises StoreError when it is gone."""
        return self.library.source(self.doc_id, self.record.edition.id)

    # ------------------------------------------------------------ sections and pages

    def find_section(self, node_id: str) -> Section:
        """A section by its id; ``12`` is taken for ``0012``, for ids are numbers padded only so that they sort.

        Raises NotFoundError.
        """
        known = self.tree.by_id
        width = len(self.tree.sections[0].node_id)
        section = known.get(node_id) or known.get(node_id.strip().zfill(width))
        if section is None:
            first, last = self.tree.sections[0].node_id, max(known)
            raise NotFoundError(
                f"{self.record.name} has no section {node_id!r}",
                f"Its {len(known)} sections go from {first} to {last}; take an id from the outline"
                f" (pageindex tree {self.doc_id}).",
                doc_id=self.doc_id,
            )
        return section

    def section(self, node_id: str, *, raw: bool = False) -> SectionText:
        """The text of a section with all below it, as people read it, or raw; raises NotFoundError when the tree has no such node."""
        section = self.find_section(node_id)
        return SectionText(section, self.tree.path(section.node_id), section_text(self.edition, section, raw=raw))

    def page_numbers(self, spec: str | int) -> tuple[int, ...]:
        """Physical pages by specification (``5-7,12``; labels such as ``iv``), each once and in order; raises PageRangeError."""
        return parse_pages(spec, self.edition.page_count, self.labels)

    def pages(self, spec: str | int, *, raw: bool = False) -> tuple[PageText, ...]:
        """Pages by specification, each once and in order; raises PageRangeError when it names no page of the document.

        ``raw`` gives the text as it is stored, the one that byte offsets count in.
        """
        return tuple(self.page(number, raw=raw) for number in self.page_numbers(spec))

    def page(self, number: int, *, raw: bool = False) -> PageText:
        """A page by its physical number."""
        from pageindex.text.shown import shown_page

        page = self.edition.page(number)
        return PageText(page, page.text if raw else shown_page(self.edition, number).text, self.label(number))

    def page_number(self, spec: str | int) -> int:
        """The one page that a specification names; raises PageRangeError (TOO_MANY_PAGES when it names several)."""
        numbers = self.page_numbers(spec)
        if len(numbers) > 1:
            raise PageRangeError(f"{spec} names {len(numbers)} pages", "Name one page.", code="TOO_MANY_PAGES")
        return numbers[0]

    def passages(self, page: int) -> tuple[Passage, ...]:
        """The passages of a page in reading order: paragraphs, list items, table rows with their heads, captions, headings."""
        from pageindex.text.passages import passages_on

        return passages_on(self.edition, self.tree, page)

    def label(self, page: int) -> str | None:
        """The printed number of a page where it is known and differs from the physical one."""
        return self.edition.page(page).printed_label

    def section_at(self, page: int, byte: int) -> Section:
        """The deepest section that holds a position."""
        return self.tree.at(Position(page, byte))

    def block(self, handle: str) -> Block:
        """The words that a handle stands for, recomputed: one that does not check is an error, never something near.

        Raises EvidenceError (INVALID_LOCATOR, SOURCE_CHANGED).
        """
        from pageindex.evidence.handles import resolve

        # Whoever holds the document may read any of it, so a short span needs no proof that it was delivered.
        found = resolve(handle, [self.edition], lambda edition, page, start, end: True)
        return Block(found.evidence, found.text, self.section_at(found.evidence.page, found.evidence.start))

    # ------------------------------------------------------------ what only the source shows

    def characters(self, page: int) -> Sequence[Character] | None:
        """The printed characters of a page with their boxes, read in a worker; None for a format without printed pages."""
        return self.reader.characters(self.record.media_type, self.source, page, self.password)

    def with_characters(self, ask: Callable[[CharacterSource | None], R]) -> R:
        """What a check gives with the source's characters at hand, whichever page it wants to see.

        Without them, from the stored lines alone, where the format has no printed pages, and where the source cannot be looked at: it is
        behind a password that was not given, gone, or ends its reader. That is logged.

        Raises PasswordError for a password that is wrong.
        """
        from pageindex.reading.formats import by_media_type

        kind = by_media_type(self.record.media_type)
        if kind is None or not kind.inspector:
            return ask(None)
        try:
            return ask(lambda page: self.characters(page) or ())
        except (PasswordError, StoreError, DamagedFileError, LimitError) as error:
            if isinstance(error, PasswordError) and self.password is not None:
                raise
            _log.warning("%s is checked by its stored lines alone: %s", self.record.name, error.message)
            return ask(None)

    def image(self, page: str | int) -> bytes:
        """One page as a PNG picture, drawn in a worker.

        Raises:
            UnsupportedFormatError: The format has no printed pages.
            PageRangeError: No such page, or several.
        """
        number = self.page_number(page)
        picture = self.reader.image(self.record.media_type, self.source, number, self.password)
        if picture is None:
            message = f"{self.record.name} has no printed pages: it is {self.record.media_type}"
            raise UnsupportedFormatError(message, "Read its text instead.")
        return picture


def section_text(edition: Edition, section: Section, *, own: bool = False, raw: bool = False) -> str:
    """The shown text of a section with all below it, or its own up to its first subsection.

    ``raw`` gives the anchor as it is stored, running lines included, pages joined by a form feed.
    """
    from pageindex.text.shown import shown

    span = section.own_span if own else section.span
    return edition.text(span.start, span.end) if raw else shown(edition, span).text
