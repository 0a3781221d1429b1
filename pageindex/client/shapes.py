"""The JSON that the client's getters return, typed, and how it is made from the nouns.

Names and shapes are those that callers of the public package rely on; keys of our own come after them. Pages are physical and 1-based
everywhere; ``label`` is the printed page number and stands only where one is known and differs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NotRequired, TypedDict

from pageindex.document import DocumentRecord, Edition, Section, Summaries, Tree
from pageindex.document.codec import section_to_json
from pageindex.store.base import Folder, Hit, Library, Listing, Outcome, SearchResult
from pageindex.text.shown import shown, shown_page

__all__ = [
    "Block",
    "Deleted",
    "DocumentInfo",
    "DocumentList",
    "Envelope",
    "FolderInfo",
    "OcrEnvelope",
    "PageContent",
    "PageHit",
    "SearchPage",
    "SectionContent",
    "Structure",
    "Submitted",
    "TreeEnvelope",
    "TreeNode",
    "WordHit",
    "document_info",
    "document_list",
    "folder_info",
    "page_content",
    "search_page",
    "structure",
    "submitted",
    "tree_nodes",
]


class TreeNode(TypedDict):
    """A section. ``start`` and ``end`` are ``[page, byte]``: where its text begins, and where what follows it begins.

    ``text`` is the section's own text, up to its first subsection: joined in document order, the texts give the document.
    ``page_index`` is ``start_index`` under the name that ``get_tree`` has always used.
    """

    title: str
    node_id: str
    start_index: int
    end_index: int
    page_index: NotRequired[int]
    summary: NotRequired[str]
    text: NotRequired[str]
    nodes: NotRequired[list[TreeNode]]
    start: list[int]
    end: list[int]
    label: NotRequired[str]
    source: str
    printed: bool
    witnesses: list[str]
    heading: NotRequired[list[int]]


class Submitted(TypedDict):
    """``outcome`` is ``added``, ``new_edition`` or ``unchanged``; ``page_states`` names pages that are not plain text."""

    doc_id: str
    name: str
    usage: dict[str, Any]
    outcome: str
    status: str
    page_count: int
    page_states: dict[str, list[int]]


class DocumentInfo(TypedDict):
    """What is known of a document without opening its pages."""

    id: str
    name: str
    description: str
    status: str
    createdAt: str
    pageNum: int
    folderId: str
    metadata: dict[str, Any]
    doc_id: str
    title: str
    page_count: int
    sections: int
    toc_source: str
    language: str
    media_type: str
    source_path: str
    updated_at: str
    edition: str
    editions: int
    page_states: dict[str, list[int]]
    flags: dict[str, list[int]]
    notes: list[dict[str, Any]]
    usage: dict[str, Any]


class DocumentList(TypedDict):
    """A page of documents, newest first."""

    documents: list[DocumentInfo]
    total: int
    limit: int
    offset: int
    folders: list[FolderInfo]


class FolderInfo(TypedDict):
    """A folder of the library."""

    id: str
    name: str
    parent_id: str


class Envelope(TypedDict):
    """What stands round every result of a document."""

    doc_id: str
    status: str
    retrieval_ready: bool
    metadata: dict[str, Any]


class TreeEnvelope(Envelope):
    """``result`` is the tree's top level."""

    result: list[TreeNode]


class PageContent(TypedDict):
    """One page; ``markdown`` is its text as people read it, or, if asked for raw, as it is stored. ``state`` tells an empty page from one that could not be read."""

    page_index: int
    markdown: str
    label: NotRequired[str]
    state: str


class SectionContent(TypedDict):
    """The text of a section and all below it, as people read it, or, if asked for raw, exactly as it is stored."""

    doc_id: str
    node_id: str
    title: str
    path: list[str]
    start_index: int
    end_index: int
    label: NotRequired[str]
    text: str


class Block(TypedDict):
    """The words of a byte range of a page. ``block_id`` is its handle, ``sha256`` the hash of the words."""

    doc_id: str
    block_id: str
    page: int
    label: NotRequired[str]
    start: int
    end: int
    node_id: str
    text: str
    sha256: str


class OcrEnvelope(Envelope):
    """``result`` is a list of pages, a list of sections, or one string, by ``format``."""

    result: list[PageContent] | list[TreeNode] | str


class Deleted(TypedDict):
    """What was deleted."""

    doc_id: str
    name: str
    deleted: bool


class WordHit(TypedDict):
    """A page that holds all the words; ``matches`` are byte ranges in the page's UTF-8 text."""

    page: int
    label: NotRequired[str]
    node_id: str
    section: str
    count: int
    snippet: str
    matches: list[list[int]]


class PageHit(TypedDict):
    """A page that answers a query. ``ranges`` are byte ranges in the page's text, best first; ``snippets`` are their words."""

    doc_id: str
    name: str
    page: int
    label: NotRequired[str]
    node_id: str
    section: str
    score: float
    snippets: list[str]
    ranges: list[list[int]]
    matched: list[str]


class SearchPage(TypedDict):
    """Hits, best first. ``pages_scanned`` and ``pages_without_text`` are by document."""

    query: str
    hits: list[PageHit]
    next_cursor: str | None
    total: int
    pages_scanned: dict[str, int]
    pages_without_text: dict[str, list[int]]


class Structure(TypedDict):
    """The whole tree of a document, as ``run_index.py`` writes it."""

    doc_name: str
    doc_title: str
    doc_description: str
    page_count: int
    edition: str
    toc_source: str
    language: str
    structure: list[TreeNode]


def submitted(record: DocumentRecord, outcome: Outcome) -> Submitted:
    """A record as the answer to a submission."""
    return Submitted(
        doc_id=record.doc_id,
        name=record.name,
        usage=dict(record.usage),
        outcome=outcome.value,
        status=record.status,
        page_count=record.page_count,
        page_states=_lists(record.page_states),
    )


def document_info(record: DocumentRecord) -> DocumentInfo:
    """The record in the client's names."""
    return DocumentInfo(
        id=record.doc_id,
        name=record.name,
        description=record.description,
        status=record.status,
        createdAt=record.created_at,
        pageNum=record.page_count,
        folderId=record.folder_id,
        metadata=dict(record.metadata),
        doc_id=record.doc_id,
        title=record.title,
        page_count=record.page_count,
        sections=record.sections,
        toc_source=record.toc_source,
        language=record.language,
        media_type=record.media_type,
        source_path=record.source_path,
        updated_at=record.updated_at,
        edition=record.edition.id,
        editions=len(record.editions),
        page_states=_lists(record.page_states),
        flags=_lists(record.flags),
        notes=[dict(note) for note in record.notes],
        usage=dict(record.usage),
    )


def _lists(pages: Mapping[str, tuple[int, ...]]) -> dict[str, list[int]]:
    return {name: list(numbers) for name, numbers in pages.items()}


def document_list(listing: Listing) -> DocumentList:
    """A page of records in the client's names."""
    return DocumentList(
        documents=[document_info(record) for record in listing.documents],
        total=listing.total,
        limit=listing.limit,
        offset=listing.offset,
        folders=[folder_info(folder) for folder in listing.folders],
    )


def folder_info(folder: Folder) -> FolderInfo:
    """A folder in the client's names."""
    return FolderInfo(id=folder.folder_id, name=folder.name, parent_id=folder.parent_id)


def page_content(edition: Edition, number: int, *, raw: bool = False) -> PageContent:
    """A page in the client's names, with its shown text, or with the anchor as it is stored."""
    page = edition.page(number)
    text = page.text if raw else shown_page(edition, number).text
    content = PageContent(page_index=page.number, markdown=text, state=page.state.value)
    if page.label is not None and page.label != str(page.number):
        content["label"] = page.label
    return content


def tree_nodes(
    tree: Tree, summaries: Summaries | None = None, edition: Edition | None = None, *, raw: bool = False
) -> list[TreeNode]:
    """The top level of a tree with all below it; with summaries, and with each section's own text, where those are given."""
    rows: list[Any] = [section_to_json(section, summaries.sections if summaries else None) for section in tree.sections]
    if edition is not None:
        for row, section in zip(_flatten(rows), (section for section, _ in tree.walk()), strict=True):
            row["page_index"] = section.start_index
            row["text"] = section_text(edition, section, own=True, raw=raw)
    return rows


def _flatten(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    stack = list(reversed(rows))
    while stack:
        row = stack.pop()
        yield row
        stack.extend(reversed(row.get("nodes", ())))


def section_text(edition: Edition, section: Section, *, own: bool = False, raw: bool = False) -> str:
    """The shown text of a section with all below it, or its own up to its first subsection.

    ``raw`` gives the anchor as it is stored, running lines included, pages joined by a form feed.
    """
    span = section.own_span if own else section.span
    return edition.text(span.start, span.end) if raw else shown(edition, span).text


def search_page(library: Library, query: str, found: SearchResult) -> SearchPage:
    """Hits with the words, names and titles that they point at."""
    return SearchPage(
        query=query,
        hits=[_page_hit(library, hit) for hit in found.hits],
        next_cursor=found.next_cursor,
        total=found.total,
        pages_scanned=dict(found.pages_scanned),
        pages_without_text={doc_id: list(pages) for doc_id, pages in found.pages_without_text.items()},
    )


def _page_hit(library: Library, hit: Hit) -> PageHit:
    edition = library.edition(hit.doc_id, hit.edition)
    page = edition.page(hit.page)
    section = library.tree(hit.doc_id, hit.edition).by_id[hit.node_id]
    found = PageHit(
        doc_id=hit.doc_id,
        name=library.get(hit.doc_id).name,
        page=hit.page,
        node_id=hit.node_id,
        section=section.title,
        score=round(hit.score, 4),
        snippets=[" ".join(shown_page(edition, hit.page, *span).text.split()) for span in hit.ranges],
        ranges=[list(span) for span in hit.ranges],
        matched=list(hit.matched),
    )
    if page.label is not None and page.label != str(page.number):
        found["label"] = page.label
    return found


def structure(record: DocumentRecord, tree: Tree, summaries: Summaries | None = None) -> Structure:
    """The tree of a document with the document's own facts before it."""
    return Structure(
        doc_name=record.name,
        doc_title=tree.title,
        doc_description=record.description,
        page_count=record.page_count,
        edition=tree.edition,
        toc_source=tree.toc_source.value,
        language=tree.language,
        structure=tree_nodes(tree, summaries),
    )
