"""``get_page_content``: read pages, a section's exact span, or what a handle stands for, as much as the budget allows."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any

from pageindex.app.document import OpenDocument
from pageindex.app.reader import Reader
from pageindex.document import Edition, Page, PageRange, PageState, Position, Section, Span
from pageindex.document.cursor import fingerprint, make_cursor, read_cursor
from pageindex.document.pagespec import format_pages, parse_pages
from pageindex.errors import Code, InputError, NotFoundError, PageIndexError, PageRangeError
from pageindex.evidence.handles import resolve
from pageindex.evidence.ledger import Exposure
from pageindex.tools.coverage import coverage_line
from pageindex.tools.declare import tool
from pageindex.tools.envelope import Call, Envelope, Refusal, call, success
from pageindex.tools.pagination import Filled, Filler, page_ranges, span_ranges
from pageindex.tools.results import ContentResult
from pageindex.tools.shown import clean, section_path

__all__ = ["find_section", "get_page_content"]

OVERHEAD = 260  #: Tokens kept back for what stands round the items: names, coverage, the next call.
_PATH_CHARS = 300
_NEIGHBOURS = 3
_NONCE_BYTES = 4  # what a document says is scrubbed of fences, too: four bytes are not met by chance


@dataclass(frozen=True)
class _Target:
    """What is to be read: the call's arguments, the ranges in order, and facts worth saying once."""

    document: OpenDocument
    arguments: dict[str, str]
    ranges: tuple[PageRange, ...]
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def by_pages(self) -> bool:
        return "pages" in self.arguments

    def key(self) -> str:
        return fingerprint("read", self.document.record.doc_id, self.arguments)

    def after(self, cursor: str | None) -> tuple[PageRange, ...]:
        """The ranges from a cursor on."""
        if cursor is None or not cursor.strip():
            return self.ranges
        try:
            page, byte = read_cursor(cursor, self.key(), self.document.record.edition.id, 2)
        except PageIndexError as error:
            raise Refusal(error, self._again()) from error
        at = next((index for index, place in enumerate(self.ranges) if place.page == page), None)
        if at is None:
            return tuple(place for place in self.ranges if place.page > page)
        current, rest = self.ranges[at], self.ranges[at + 1 :]
        return (PageRange(page, max(byte, current.start), current.end), *rest) if byte < current.end else rest

    def onwards(self, rest: Sequence[PageRange]) -> Call | None:
        """The call that goes on where this one ended: the pages left, with a cursor where one of them is begun."""
        if not rest:
            return None
        first = rest[0]
        arguments = (
            {"pages": format_pages([place.page for place in rest], as_asked=True)} if self.by_pages else self.arguments
        )
        begun = not self.by_pages or first.start > 0
        following = _Target(self.document, arguments, ())
        edition = self.document.record.edition.id
        cursor = make_cursor(following.key(), edition, (first.page, first.start)) if begun else None
        return call("get_page_content", doc_name=self.document.name, **arguments, cursor=cursor)

    def _again(self) -> Call:
        return call("get_page_content", doc_name=self.document.name, **self.arguments)


@tool(simple=["doc_name pages", "doc_name node_id"], spare=["handle"])
def get_page_content(
    reader: Reader,
    doc_name: str | None = None,
    pages: str | None = None,
    node_id: str | None = None,
    handle: str | None = None,
    cursor: str | None = None,
) -> Annotated[Envelope, ContentResult]:
    """Read text: pages, or a section by node_id. Prefer small sections.

    Without pages, node_id and handle a short document is given whole, a long one as its outline.

    Args:
        doc_name: A document's name or doc_id. May be left out when there is only one document.
        pages: Physical pages: "5", "3,7", "5-10". A printed label such as "iv" or "label:12" works, too.
        node_id: A section of the outline: exactly its text, with all below it.
        handle: A handle copied from an earlier reply.
        cursor: Only ever copied from next_steps of an earlier reply.

    Returns:
        `doc_name, doc_id, content: [{page, label?, node_id, text, handles, part?, state?}], requested_pages, returned_pages, omitted,
        coverage`; texts are fenced
    """
    document = reader.open(doc_name)
    named = [name for name, value in (("pages", pages), ("node_id", node_id), ("handle", handle)) if _given(value)]
    if len(named) > 1:
        raise Refusal(
            InputError(f"{' and '.join(named)} are given", "Name pages, a section or a handle: one of them."),
            call("get_page_content", doc_name=document.name, **{named[0]: str(locals()[named[0]])}),
        )
    if not named:
        return _unnamed(reader, document)
    if _given(pages):
        target = _pages(document, str(pages))
    elif _given(node_id):
        target = _section(document, str(node_id))
    else:
        target = _handle(reader, document, str(handle))
    return _read(reader, target, cursor)


def _given(value: object) -> bool:
    return value is not None and value != ""


def _pages(document: OpenDocument, spec: str) -> _Target:
    try:
        numbers = parse_pages(spec, document.record.page_count, document.labels, as_asked=True)
    except PageRangeError as error:
        first = min(document.record.page_count, _NEIGHBOURS)
        example = call("get_page_content", doc_name=document.name, pages="1" if first == 1 else f"1-{first}")
        raise Refusal(error, example, valid_pages=f"1-{document.record.page_count}") from error
    return _Target(document, {"pages": format_pages(numbers, as_asked=True)}, page_ranges(document.edition, numbers))


def find_section(document: OpenDocument, node_id: str) -> Section:
    """A section by id; ``12`` is taken for ``0012``. Raises Refusal (NOT_FOUND) that proposes the outline."""
    try:
        return document.find_section(node_id)
    except NotFoundError as error:
        raise Refusal(error, call("get_document_structure", doc_name=document.name)) from error


def _section(document: OpenDocument, node_id: str) -> _Target:
    section = find_section(document, node_id)
    path = section_path(document, section)
    facts = {"section": {"node_id": section.node_id, "path": path[:_PATH_CHARS]}}
    return _Target(document, {"node_id": section.node_id}, span_ranges(document.edition, section.span), facts)


def _handle(reader: Reader, document: OpenDocument, handle: str) -> _Target:
    try:
        found = resolve(handle, [document.edition], reader.was_delivered).evidence
    except PageIndexError as error:
        raise Refusal(error, call("search_documents", query="words of the passage", doc_name=document.name)) from error
    span = Span(Position(found.page, found.start), Position(found.page, found.end))
    return _Target(document, {"handle": handle.strip()}, span_ranges(document.edition, span))


def _unnamed(reader: Reader, document: OpenDocument) -> Envelope:
    """Nothing is named: a short document whole, a long one as its outline, and what was left out is said."""
    room = reader.room() - OVERHEAD
    if document.tokens <= room * 0.7:
        return _read(reader, _pages(document, f"1-{document.record.page_count}"), None)
    outline = document.outline.slice(room // 2)
    everything = f"1-{document.record.page_count}"
    facts = {
        **_head(document),
        "content": [],
        "structure": list(outline.nodes),
        "requested_pages": everything,
        "returned_pages": "",
        "omitted": everything,
        "coverage": coverage_line(reader, document),
    }
    summary = (
        f"{document.record.page_count} pages (about {document.tokens:,} tokens) are too many for one reply. "
        "Choose sections of this outline, or search."
    )
    smallest = min(outline.nodes, key=lambda node: int(node["tokens"]))
    return success(
        facts,
        summary,
        [
            call("get_page_content", doc_name=document.name, node_id=smallest["node_id"]),
            call("get_document_structure", doc_name=document.name),
        ],
    )


def _nonce(edition: Edition, ranges: Sequence[PageRange]) -> str:
    """The nonce of a reply's fences: a hash of what is read, the file's own hash among it, which no file can print of itself. The same
    reading gives the same words, so that a model's reply to them can be kept."""
    return hashlib.sha256(repr((edition.id, edition.source.sha256, ranges)).encode()).hexdigest()[: 2 * _NONCE_BYTES]


def _head(document: OpenDocument) -> dict[str, Any]:
    return {"doc_name": clean(document.name), "doc_id": document.record.doc_id}


def _read(reader: Reader, target: _Target, cursor: str | None) -> Envelope:
    document = target.document
    ranges = target.after(cursor)
    _assert_text(reader, document, target)
    seen = reader.ledger(document.edition.id) if reader.omit_repeats else None
    number = partial(reader.passages.number, document) if reader.numbered else None
    filler = Filler(document.edition, document.tree, _nonce(document.edition, ranges), seen, reader.checkpoint, number)
    filled = filler.fill(ranges, reader.room() - OVERHEAD)
    reader.expose(document.edition.id, Exposure.DELIVERED, filled.shown)
    following = target.onwards(filled.rest)
    data = {
        **_head(document),
        **target.facts,
        "content": list(filled.items),
        "requested_pages": format_pages([place.page for place in target.ranges], as_asked=True),
        "returned_pages": format_pages([item["page"] for item in filled.items], as_asked=True),
        "omitted": format_pages([place.page for place in filled.rest], as_asked=True),
    }
    return success(data, _summary(filled, following), [following] if following else _further(document, target))


def _summary(filled: Filled, following: Call | None) -> str:
    state = {item["state"] for item in filled.items if "state" in item and item["state"] != PageState.BLANK.value}
    parts = []
    if following is not None:
        left = format_pages([place.page for place in filled.rest], as_asked=True)
        parts.append(f"The budget of this reply is used up; page {left} is left: go on with the call below.")
    else:
        parts.append("All that was asked for is here.")
    if any(item.get("already_delivered") for item in filled.items):
        parts.append("Passages marked already_delivered stand earlier in this conversation.")
    if state:
        parts.append(f"Some pages have no readable text ({', '.join(sorted(state))}): what they say is not known.")
    return " ".join(parts)


def _further(document: OpenDocument, target: _Target) -> list[str | Call]:
    last = target.ranges[-1].page if target.ranges else 0
    options: list[str | Call] = []
    if 0 < last < document.record.page_count:
        options.append(call("get_page_content", doc_name=document.name, pages=str(last + 1)))
    return [*options, "Quote the words with their page, or check them with check_claims."]


_NO_TEXT: Mapping[PageState, tuple[Code, str]] = {
    PageState.IMAGE_ONLY: ("NO_TEXT_LAYER", "hold only pictures of text"),
    PageState.FAILED: ("NO_TEXT_LAYER", "could not be read"),
    PageState.GARBLED: ("TEXT_GARBLED", "hold text whose characters mean nothing"),
}


def _assert_text(reader: Reader, document: OpenDocument, target: _Target) -> None:
    """Raises Refusal (NO_TEXT_LAYER, TEXT_GARBLED) when not one of the pages asked for can be read."""
    pages = [document.edition.page(place.page) for place in target.ranges]
    if not pages or any(page.state in (PageState.TEXT, PageState.BLANK) for page in pages):
        return
    code, why = _NO_TEXT[pages[0].state]
    spec = format_pages([page.number for page in pages])
    options: list[str | Call] = []
    if reader.vision:
        options.append(call("get_page_image", doc_name=document.name, page=pages[0].number))
    readable = _nearest_readable(document.edition.pages, pages[0].number)
    if readable is not None:
        options.append(call("get_page_content", doc_name=document.name, pages=str(readable)))
    step = "Say that these pages could not be read; do not guess what they hold."
    raise Refusal(PageIndexError(f"pages {spec} of {document.name} {why}", step, code=code), *options, pages=spec)


def _nearest_readable(pages: Sequence[Page], around: int) -> int | None:
    readable = (page.number for page in pages if page.state is PageState.TEXT)
    return min(readable, key=lambda number: abs(number - around), default=None)
