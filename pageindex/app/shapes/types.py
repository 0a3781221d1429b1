"""The JSON that doors print and return, typed.

Names and shapes are those that callers of the public package rely on; keys of our own come after them. Pages are physical and 1-based
everywhere; ``label`` is the printed page number and stands only where one is known and differs.
"""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

__all__ = [
    "Block",
    "Deleted",
    "DocumentInfo",
    "DocumentList",
    "Envelope",
    "FileStructure",
    "FolderInfo",
    "FoundWords",
    "OcrEnvelope",
    "PageContent",
    "PageHit",
    "PageImage",
    "SearchPage",
    "SectionContent",
    "Structure",
    "Submitted",
    "Tables",
    "TreeEnvelope",
    "TreeNode",
    "Verified",
    "WordHit",
]


class TreeNode(TypedDict):
    """A section. ``start`` and ``end`` are ``[page, byte]``: where its text begins, and where what follows it begins.

    ``text`` is the section's own text, up to its first subsection: joined in document order, the texts give the document.
    ``page_index`` is ``start_index`` under the name that ``get_tree`` has always used. ``summary_kind`` is ``text`` (the whole of a short
    section), ``model`` or ``fallback`` (first words); ``summary_note`` says which numbers a model's summary stated that the section does not hold.
    """

    title: str
    node_id: str
    start_index: int
    end_index: int
    page_index: NotRequired[int]
    summary: NotRequired[str]
    summary_kind: NotRequired[str]
    summary_note: NotRequired[str]
    text: NotRequired[str]
    nodes: NotRequired[list[TreeNode]]
    start: list[int]
    end: list[int]
    label: NotRequired[str]
    source: str
    printed: bool
    sources: list[str]
    heading: NotRequired[list[int]]


class Submitted(TypedDict):
    """``outcome`` is ``added``, ``new_edition``, ``rebuilt`` (``reason`` says why) or ``unchanged``; ``page_states`` names pages that are not
    plain text; ``stopped`` is the error that ended a model's work, for this document or for one before it; ``problems``,
    ``[{code, message}]``, says why sections of this one went without a model's work."""

    doc_id: str
    name: str
    usage: dict[str, Any]
    outcome: str
    status: str
    page_count: int
    page_states: dict[str, list[int]]
    reason: NotRequired[str]
    stopped: NotRequired[dict[str, Any]]
    problems: NotRequired[list[dict[str, str]]]


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
    confidence: float | None
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
    """A page of documents, newest first; ``unreadable`` has the ids of those that are damaged, and left out."""

    documents: list[DocumentInfo]
    total: int
    limit: int
    offset: int
    folders: list[FolderInfo]
    unreadable: list[str]


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
    """One page; ``markdown`` is its text as people read it, or, if asked for raw, as it is stored. ``state`` tells an empty page from one
    that could not be read."""

    page_index: int
    markdown: str
    label: NotRequired[str]
    state: str


class PageImage(TypedDict):
    """A picture of a page; ``data`` is base64."""

    doc_id: str
    page: int
    label: NotRequired[str]
    media_type: str
    data: str


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


class FoundWords(TypedDict):
    """Pages that hold all the words, at most as many as were asked for; ``pages`` counts all of them."""

    query: str
    pages: int
    hits: list[WordHit]


class PageHit(TypedDict):
    """A page that answers a query. ``ranges`` are byte ranges in the page's text, best first; ``snippets`` are their words,
    ``handle`` stands for the first."""

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
    handle: NotRequired[str]


class AbsentWord(TypedDict):
    """A word or phrase of a query that stands nowhere; ``near`` are words spelled almost like it, which were looked for instead."""

    word: str
    near: list[str]


class PointedPlace(TypedDict):
    """A page that a query names; ``how`` says by what: printed page number, page of the file, caption, section title, printed line, …"""

    doc_id: str
    page: int
    how: str


class Pointed(TypedDict):
    """A place that a query names, such as ``Figure 2``; no ``places`` where there is none."""

    text: str
    places: list[PointedPlace]


class SearchPage(TypedDict):
    """Hits, best first. ``pages_scanned`` and ``pages_without_text`` are by document; ``unreadable`` has the ids of damaged ones, left out.
    ``absent`` are words that stand nowhere, ``pointed`` places that the query names; ``remarks`` say all of this in sentences."""

    query: str
    hits: list[PageHit]
    next_cursor: str | None
    total: int
    pages_scanned: dict[str, int]
    pages_without_text: dict[str, list[int]]
    unreadable: list[str]
    absent: list[AbsentWord]
    pointed: list[Pointed]
    remarks: list[str]


class Tables(TypedDict):
    """The tables of a page: ``[{page, columns: [{headers, x0, x1}], rows: [{label, sections, cells}]}]``."""

    doc_id: str
    page: int
    label: NotRequired[str]
    tables: list[dict[str, Any]]


class Verified(TypedDict):
    """``findings`` are ``[{code, message, remedy, page}]``; none when everything is as it was recorded."""

    doc_id: str
    edition: str
    deep: bool
    findings: list[dict[str, Any]]
    copies: list[dict[str, str]]


class Structure(TypedDict):
    """The whole tree of a document, as ``run_index.py`` writes it."""

    doc_name: str
    doc_title: str
    doc_description: str
    page_count: int
    edition: str
    toc_source: str
    confidence: float | None
    language: str
    structure: list[TreeNode]


class FileStructure(TypedDict, total=False):
    """The whole tree of a file that is in no library; ``doc_description`` stands where it was asked for."""

    doc_name: str
    doc_title: str
    doc_description: str
    page_count: int
    edition: str
    toc_source: str
    confidence: float | None
    language: str
    page_states: dict[str, list[int]]
    structure: list[TreeNode]
