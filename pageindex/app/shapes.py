"""The JSON that doors print and return, typed, and how it is made of what the functions of this room return.

Names and shapes are those that callers of the public package rely on; keys of our own come after them. Pages are physical and 1-based
everywhere; ``label`` is the printed page number and stands only where one is known and differs.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

from pageindex.app import document as opened
from pageindex.app import search as searching
from pageindex.app import words as finding
from pageindex.app.document import OpenDocument, section_text
from pageindex.document import DocumentRecord, Edition, Summaries, Tree
from pageindex.document.codec import section_to_json
from pageindex.store.base import Attempt, Finding, Folder, Listing

if TYPE_CHECKING:
    from pageindex.app.checks import LocatedQuote, PageTables, Verification
    from pageindex.app.ingest import ConvertedFile, Ingested, Plan, Refinement
    from pageindex.reading.workers.confinement import Confinement
    from pageindex.refine import Costs

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
    "attempt",
    "block",
    "deleted",
    "document_info",
    "document_list",
    "envelope",
    "file_structure",
    "finding_info",
    "folder_info",
    "found_words",
    "ingested",
    "located",
    "page_content",
    "page_image",
    "planned",
    "refined",
    "search_page",
    "section_content",
    "structure",
    "submitted",
    "tables",
    "tables_csv",
    "tables_markdown",
    "tree_costs",
    "tree_nodes",
    "verified",
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
    sources: list[str]
    heading: NotRequired[list[int]]


class Submitted(TypedDict):
    """``outcome`` is ``added``, ``new_edition``, ``rebuilt`` (``reason`` says why) or ``unchanged``; ``page_states`` names pages that are not
    plain text; ``stopped`` is the error that ended a model's work, for this document or for one before it."""

    doc_id: str
    name: str
    usage: dict[str, Any]
    outcome: str
    status: str
    page_count: int
    page_states: dict[str, list[int]]
    reason: NotRequired[str]
    stopped: NotRequired[dict[str, Any]]


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


class SearchPage(TypedDict):
    """Hits, best first. ``pages_scanned`` and ``pages_without_text`` are by document."""

    query: str
    hits: list[PageHit]
    next_cursor: str | None
    total: int
    pages_scanned: dict[str, int]
    pages_without_text: dict[str, list[int]]


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


class FileStructure(TypedDict, total=False):
    """The whole tree of a file that is in no library; ``doc_description`` stands where it was asked for."""

    doc_name: str
    doc_title: str
    doc_description: str
    page_count: int
    edition: str
    toc_source: str
    language: str
    page_states: dict[str, list[int]]
    structure: list[TreeNode]


def submitted(done: Ingested) -> Submitted:
    """What became of a file that was taken in; its error is raised where it was not."""
    if done.record is None or done.outcome is None:
        raise done.error or ValueError(f"{done.request.title} ended without a record")
    record = done.record
    item = Submitted(
        doc_id=record.doc_id,
        name=record.name,
        usage=dict(record.usage),
        outcome=done.outcome.value,
        status=record.status,
        page_count=record.page_count,
        page_states=_lists(record.page_states),
    )
    if done.reason:
        item["reason"] = done.reason
    if done.stopped is not None:
        item["stopped"] = done.stopped.to_json()
    return item


def ingested(done: Ingested) -> dict[str, Any]:
    """``{path, seconds, outcome, reason?, document?, refined?, stopped?, error?}`` of one file of a run."""
    item: dict[str, Any] = {"path": done.request.path, "seconds": round(done.seconds, 3)}
    if done.error is not None:
        return item | {"outcome": "failed", "error": done.error.to_json()}
    if done.record is not None and done.outcome is not None:
        reason = {"reason": done.reason} if done.reason else {}
        item |= {"outcome": done.outcome.value, **reason, "document": document_info(done.record)}
    if done.refinement is not None:
        item["refined"] = done.refinement.refined.to_json()
    return item | ({"stopped": done.stopped.to_json()} if done.stopped is not None else {})


def refined(done: Refinement) -> dict[str, Any]:
    """``{doc_id, name, status, costs, merged, added, usage, refusals, problems, stopped, resumable}`` of a run over a document."""
    return {"doc_id": done.record.doc_id, "name": done.record.name, **done.refined.to_json()}


def planned(plan: Plan) -> dict[str, Any]:
    """``{path, action, reason?, estimate?}``."""
    item: dict[str, Any] = {"path": plan.request.path, "action": plan.action}
    item |= {"reason": plan.reason} if plan.reason else {}
    return item | ({"estimate": plan.estimate.to_json()} if plan.estimate is not None else {})


def document_info(record: DocumentRecord) -> DocumentInfo:
    """The record in the names that callers know."""
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
    """A page of records in the names that callers know."""
    return DocumentList(
        documents=[document_info(record) for record in listing.documents],
        total=listing.total,
        limit=listing.limit,
        offset=listing.offset,
        folders=[folder_info(folder) for folder in listing.folders],
    )


def folder_info(folder: Folder) -> FolderInfo:
    """A folder in the names that callers know."""
    return FolderInfo(id=folder.folder_id, name=folder.name, parent_id=folder.parent_id)


def deleted(record: DocumentRecord) -> Deleted:
    """A document that was removed."""
    return Deleted(doc_id=record.doc_id, name=record.name, deleted=True)


def envelope(document: OpenDocument) -> Envelope:
    """What stands round every result of a document."""
    record = document.record
    return Envelope(
        doc_id=record.doc_id,
        status=record.status,
        retrieval_ready=document.ready,
        metadata=dict(record.metadata),
    )


def page_content(found: opened.PageText) -> PageContent:
    """A page in the names that callers know."""
    content = PageContent(page_index=found.page.number, markdown=found.text, state=found.page.state.value)
    if found.label is not None:
        content["label"] = found.label
    return content


def page_image(document: OpenDocument, number: int, picture: bytes) -> PageImage:
    """A picture of a page."""
    item = PageImage(doc_id=document.doc_id, page=number, media_type="image/png", data=b64encode(picture).decode())
    if (label := document.label(number)) is not None:
        item["label"] = label
    return item


def section_content(document: OpenDocument, found: opened.SectionText) -> SectionContent:
    """A section's text in the names that callers know."""
    section = found.section
    content = SectionContent(
        doc_id=document.doc_id,
        node_id=section.node_id,
        title=section.title,
        path=[step.title for step in found.path],
        start_index=section.start_index,
        end_index=section.end_index,
        text=found.text,
    )
    if section.label is not None:
        content["label"] = section.label
    return content


def block(document: OpenDocument, found: opened.Block) -> Block:
    """The words behind a handle in the names that callers know."""
    evidence = found.evidence
    piece = Block(
        doc_id=document.doc_id,
        block_id=str(evidence.handle),
        page=evidence.page,
        start=evidence.start,
        end=evidence.end,
        node_id=found.section.node_id,
        text=found.text,
        sha256=evidence.sha256,
    )
    if (label := document.label(evidence.page)) is not None:
        piece["label"] = label
    return piece


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


def found_words(query: str, hits: Sequence[finding.WordHit], limit: int = 0) -> FoundWords:
    """Pages that hold the words; ``limit`` 0 means all."""
    shown = hits[:limit] if limit else hits
    return FoundWords(query=query, pages=len(hits), hits=[_word_hit(hit) for hit in shown])


def _word_hit(hit: finding.WordHit) -> WordHit:
    item = WordHit(
        page=hit.page,
        node_id=hit.section.node_id,
        section=hit.section.title,
        count=len(hit.matches),
        snippet=hit.snippet,
        matches=[list(match) for match in hit.matches],
    )
    if hit.label is not None:
        item["label"] = hit.label
    return item


def search_page(found: searching.SearchPage) -> SearchPage:
    """Hits with the words, names and titles that they point at."""
    return SearchPage(
        query=found.query,
        hits=[_page_hit(hit) for hit in found.hits],
        next_cursor=found.next_cursor,
        total=found.total,
        pages_scanned=dict(found.pages_scanned),
        pages_without_text={doc_id: list(pages) for doc_id, pages in found.pages_without_text.items()},
    )


def _page_hit(hit: searching.PageHit) -> PageHit:
    item = PageHit(
        doc_id=hit.record.doc_id,
        name=hit.record.name,
        page=hit.page,
        node_id=hit.section.node_id,
        section=hit.section.title,
        score=hit.score,
        snippets=list(hit.snippets),
        ranges=[list(span) for span in hit.ranges],
        matched=list(hit.matched),
    )
    if hit.label is not None:
        item["label"] = hit.label
    if hit.handle is not None:
        item["handle"] = hit.handle
    return item


def structure(document: OpenDocument) -> Structure:
    """The tree of a document with the document's own facts before it."""
    record, tree = document.record, document.tree
    return Structure(
        doc_name=record.name,
        doc_title=tree.title,
        doc_description=record.description,
        page_count=record.page_count,
        edition=tree.edition,
        toc_source=tree.toc_source.value,
        language=tree.language,
        structure=tree_nodes(tree, document.summaries),
    )


def tree_costs(costs: Mapping[str, Costs]) -> dict[str, dict[str, Any]]:
    """By state of the tree: ``{sections, text_tokens, outline_tokens, worst_tokens, expected_tokens, worst_pages, average_pages}``."""
    return {state: figures.to_json() for state, figures in costs.items()}


def file_structure(
    name: str, converted: ConvertedFile, *, summaries: bool = True, text: bool = False, description: bool = True
) -> FileStructure:
    """The tree of a file that is in no library; with ``text``, each section's own text as well."""
    tree, derived = converted.tree(), converted.summaries()
    head = FileStructure(doc_name=name, doc_title=tree.title)
    if description:
        head["doc_description"] = derived.description
    rest = FileStructure(
        page_count=converted.facts["page_count"],
        edition=converted.edition_id,
        toc_source=tree.toc_source.value,
        language=converted.facts["language"],
        page_states=converted.facts["page_states"],
        structure=tree_nodes(tree, derived if summaries else None, converted.edition() if text else None),
    )
    return FileStructure(**head, **rest)


def located(found: LocatedQuote) -> dict[str, Any]:
    """``{status, weight, handles, spans, found_pages, labels, score, …}``, and ``rectangles: [{page, box}]`` where they were asked for."""
    item = {**found.located.to_json(), "labels": {str(page): label for page, label in found.labels.items()}}
    if found.rectangles is not None:
        item["rectangles"] = [
            {"page": page, "box": [round(value, 2) for value in box]} for page, box in found.rectangles
        ]
    return item


def tables(document: OpenDocument, found: PageTables) -> Tables:
    """The tables of a page."""
    from pageindex.evidence.tables.output import to_json

    item = Tables(doc_id=document.doc_id, page=found.page, tables=[to_json(table) for table in found.tables])
    if found.label is not None:
        item["label"] = found.label
    return item


def tables_csv(found: PageTables) -> str:
    """The tables as RFC 4180 CSV, parted by an empty line."""
    from pageindex.evidence.tables.output import to_csv

    return to_csv(found.tables)


def tables_markdown(found: PageTables) -> str:
    """The tables as Markdown pipe tables."""
    from pageindex.evidence.tables.output import to_markdown

    return to_markdown(found.tables)


def verified(found: Verification) -> Verified:
    """What of a document is not as recorded."""
    findings = [finding.to_json() for finding in found.findings]
    return Verified(doc_id=found.doc_id, edition=found.edition, deep=found.deep, findings=findings)


def finding_info(found: Finding) -> dict[str, Any]:
    """``{code, path, message, remedy, doc_id, repaired}`` of what ``doctor`` saw."""
    return asdict(found)


def confinement_info(found: Confinement) -> dict[str, Any]:
    """``{confined, missing, attempts: [{what, refused, outcome}]}`` of the processes that read files."""
    tries = [asdict(attempt) for attempt in found.attempts]
    return {"confined": found.complete, "missing": list(found.missing), "attempts": tries}


def attempt(tried: Attempt) -> dict[str, Any]:
    """``{at, source_path, sha256, outcome, doc_id, message, seconds}``."""
    return asdict(tried)
