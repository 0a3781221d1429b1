"""The data of each tool's success, as types: what the JSON Schema of its results is made from.

Keys that are always there are required; the others depend on the document and on what was asked. Every envelope has ``next_steps`` besides.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

__all__ = [
    "BrowseResult",
    "ClaimsResult",
    "ContentResult",
    "DocumentResult",
    "ImageResult",
    "RemovalResult",
    "SearchResult",
    "StructureResult",
    "TablesResult",
]


class _Listed(TypedDict):
    name: str
    doc_id: str
    description: str
    status: str
    created_at: str
    page_count: int
    metadata: NotRequired[dict[str, Any]]


class _Folder(TypedDict):
    folder_id: str
    name: str


class BrowseResult(TypedDict):
    """Of ``browse_documents``; ``unreadable`` are ids of damaged documents."""

    documents: list[_Listed]
    total: int
    next_offset: int | None
    has_more: bool
    folders: list[_Folder]
    unreadable: NotRequired[list[str]]


class _Hit(TypedDict):
    doc_name: str
    doc_id: str
    page: int
    label: NotRequired[str]
    node_id: str
    section: str
    snippet: NotRequired[str]
    passages: NotRequired[str]
    whole: NotRequired[bool]
    handle: NotRequired[str]
    matched: list[str]


class SearchResult(TypedDict):
    """Of ``search_documents``; ``pages_without_text`` has page ranges by document."""

    query: str
    doc_name: NotRequired[str]
    hits: list[_Hit]
    total: int
    next_cursor: str | None
    documents_scanned: int
    pages_scanned: int
    pages_without_text: dict[str, str]
    remarks: NotRequired[list[str]]
    unreadable: NotRequired[list[str]]


class _Labels(TypedDict):
    pages: str
    labels: str


class _Coverage(TypedDict):
    pages: int
    read: str
    partly: str
    unreadable: NotRequired[dict[str, str]]


class DocumentResult(_Listed):
    """Of ``get_document``; ``page_states`` has page ranges by state, ``flags`` what its pages are flagged with."""

    title: str
    language: str
    toc_source: str
    sections: int
    tokens: int
    edition: str
    labels: list[_Labels]
    flags: dict[str, Any]
    page_states: dict[str, str]
    coverage: _Coverage
    notes: NotRequired[list[str]]
    confidence: NotRequired[Any]


class _Place(TypedDict):
    node_id: str
    path: str


class _Pagination(TypedDict):
    part: int
    total_parts: int
    has_more: bool


class StructureResult(TypedDict):
    """Of ``get_document_structure``; an entry is ``{title, node_id, start_index, end_index, label?, tokens, summary?, nodes?, children?}``."""

    doc_name: str
    doc_id: str
    doc_title: str
    page_count: int
    section: NotRequired[_Place]
    structure: list[dict[str, Any]]
    pagination: _Pagination
    coverage: str


class _Part(TypedDict):
    start: int
    end: int
    of: int


class _Content(TypedDict):
    page: int
    label: NotRequired[str]
    node_id: NotRequired[str]
    text: NotRequired[str]
    handles: NotRequired[list[str]]
    part: NotRequired[_Part]
    state: NotRequired[str]
    already_delivered: NotRequired[bool]
    scrubbed: NotRequired[int]


class ContentResult(TypedDict):
    """Of ``get_page_content``; bytes of a ``part`` count in the page's text, ``structure`` is what a section too long to send holds."""

    doc_name: str
    doc_id: str
    section: NotRequired[_Place]
    content: list[_Content]
    structure: NotRequired[list[dict[str, Any]]]
    requested_pages: str
    returned_pages: str
    omitted: str
    coverage: NotRequired[str]


class _Table(TypedDict):
    markdown: str
    rows: int
    columns: int
    handle: NotRequired[str]


class TablesResult(TypedDict):
    """Of ``get_page_tables``; a grid is derived, and not quotable."""

    doc_name: str
    doc_id: str
    page: int
    label: NotRequired[str]
    tables: list[_Table]
    omitted: NotRequired[int]
    quotable: NotRequired[Literal[False]]


class _Image(TypedDict):
    media_type: str
    data: str


class ImageResult(TypedDict):
    """Of ``get_page_image``; the data is base64."""

    doc_name: str
    doc_id: str
    page: int
    label: NotRequired[str]
    image: NotRequired[_Image]


class _Claim(TypedDict):
    id: str
    text: str
    verdict: str
    quotes: list[dict[str, Any]]
    numbers: list[dict[str, Any]]
    sentence: list[dict[str, Any]]
    uncovered: list[dict[str, Any]]


class ClaimsResult(TypedDict):
    """Of ``check_claims``; quotes, numbers and sentences have a ``status``, a ``message`` and ``handles`` each."""

    doc_name: str
    doc_id: str
    verdict: str
    not_judged: str
    claims: list[_Claim]
    coverage: str


class _Removal(TypedDict):
    name: str
    doc_id: NotRequired[str]
    removed: bool
    error: NotRequired[str]
    errorCode: NotRequired[str]


class RemovalResult(TypedDict):
    """Of ``remove_document``."""

    results: list[_Removal]
