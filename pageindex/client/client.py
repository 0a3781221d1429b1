"""The client over a library on this machine."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self

from pageindex import pipeline
from pageindex.client import checking, looking, shapes
from pageindex.client.conversing import Conversing
from pageindex.client.intake import Intake
from pageindex.client.models import ModelChoice, ModelOptions
from pageindex.client.shapes import (
    Block,
    Deleted,
    DocumentInfo,
    DocumentList,
    Envelope,
    FolderInfo,
    OcrEnvelope,
    PageContent,
    SearchPage,
    SectionContent,
    Structure,
    Submitted,
    TreeEnvelope,
    TreeNode,
    WordHit,
)
from pageindex.document import DocumentRecord, Edition, Section, Tree
from pageindex.document.pagespec import parse_pages
from pageindex.errors import InputError, NotFoundError, PageIndexError, SettingsError
from pageindex.limits import DEFAULT_LIMITS, Limits
from pageindex.progress import ProgressCallback, silent
from pageindex.store.base import ROOT_FOLDER, Library

if TYPE_CHECKING:
    from pageindex.config import Settings

__all__ = ["PageIndexClient"]

_READY = ("completed", "partial")
OcrFormat = Literal["page", "node", "raw"]


class PageIndexClient(Conversing):
    """Index documents, look at their trees, read their pages, and ask them.

    Only generated answers need a model. All methods are synchronous and work inside a running event loop; ``AsyncPageIndexClient`` has the
    same ones as coroutines. A client may be used from several threads.

    Wherever a method takes ``doc_id``, the start of an id, a document's name or the path it was added from will do as well, as long as
    only one document answers to it; NotFoundError says what is near otherwise.

    Args:
        index_model: Model for summaries and for expanding sections, by LiteLLM's name; None for no model.
        chat_model: Model that answers questions.
        storage_path: Folder of the library; by default the nearest ``.pageindex`` upwards, else ``.pageindex`` here.
        index, chat: A model's name, or settings of ``pageindex.config.Settings`` (``model, base_url, api_key, headers, timeout, …``).
        model: Stands for both models.
        limits: Under which each file is read.
        library: A library that is already open, in place of ``storage_path``.
    """

    def __init__(
        self,
        index_model: str | None = None,
        chat_model: str | None = None,
        storage_path: str | os.PathLike[str] | None = None,
        *,
        index: ModelOptions = None,
        chat: ModelOptions = None,
        model: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
        library: Library | None = None,
    ) -> None:
        if library is not None and storage_path is not None:
            raise SettingsError("both storage_path and library are given", "Give one of them.")
        self._index = ModelChoice.of("index", index, index_model, model)
        self._chat = ModelChoice.of("chat", chat, chat_model, model)
        self.limits = limits
        self.library: Library = library if library is not None else _open(storage_path)
        self._intake = Intake(self.library, self._index)

    @property
    def index_model(self) -> str | None:
        """The model that indexes, as the caller named it; None where that is left to the environment or ``pageindex.toml``."""
        return self._index.name

    @property
    def chat_model(self) -> str | None:
        """The model that answers, likewise."""
        return self._chat.name

    @property
    def index_settings(self) -> Settings:
        """Everything that is set about indexing, looked up once."""
        return self._intake.settings

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        models = "".join(
            f", {task}={name!r}"
            for task, name in (("index_model", self.index_model), ("chat_model", self.chat_model))
            if name
        )
        return f"{type(self).__name__}({self.library!r}{models})"

    def close(self) -> None:
        """Let go of what is kept in memory between calls; the client may still be used."""
        close = getattr(self.library, "close", None)
        if close is not None:
            close()

    # ------------------------------------------------------------ documents

    def submit_document(
        self,
        file_path: str | os.PathLike[str] | bytes,
        mode: str | None = None,
        beta_headers: Sequence[str] | None = None,
        folder_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        wait: bool = True,
        *,
        name: str = "",
        password: str | None = None,
        progress: ProgressCallback = silent,
    ) -> Submitted:
        """Index a file, or the bytes of one, and return when it is in the library.

        The same bytes again change nothing (``outcome`` is ``unchanged``); other bytes at the same path are a new edition of the same
        document.

        Args:
            file_path: A path, or bytes (then ``name`` is needed).
            mode: ``flash``, the default: the tree comes from bookmarks, printed contents and layout, and a model, where one is set,
                expands and summarises it. ``standard``: where the document itself gives nothing, a model proposes the tree.
            beta_headers, wait: Accepted and without meaning here: indexing is over when the call returns.
            folder_id: Folder of the library.
            metadata: JSON values of your own.
            name: What to call the document.
            password: For an encrypted file.
            progress: Called with each step.

        Raises:
            InputError: In one of its kinds, when the file cannot be used.
            LimitError: When reading it takes too long or too much.
        """
        request = self._request(file_path, name, password, folder_id, metadata)
        return self._intake.submit(request, mode, progress)

    def submit_documents(
        self,
        paths: Iterable[str | os.PathLike[str]],
        *,
        folder_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        password: str | None = None,
        jobs: int = 0,
        executor: Executor | None = None,
        progress: ProgressCallback = silent,
    ) -> Iterator[Submitted | PageIndexError]:
        """Index many files, folders and globs side by side; yields a result or an error per file, as each is done.

        ``executor`` may be any ``concurrent.futures.Executor``, such as a cluster's, in place of ``jobs`` workers of our own.
        """
        requests = [
            self._request(file, "", password, folder_id, metadata)
            for file in pipeline.find_files(Path(path) for path in paths)
        ]
        yield from self._intake.submit_many(requests, jobs, executor, progress)

    def _request(
        self,
        source: str | os.PathLike[str] | bytes,
        name: str,
        password: str | None,
        folder_id: str | None,
        metadata: Mapping[str, Any] | None,
    ) -> pipeline.Request:
        return pipeline.Request(
            source=source if isinstance(source, bytes) else Path(source).expanduser(),
            name=name,
            password=password,
            metadata=metadata or {},
            folder_id=folder_id or ROOT_FOLDER,
            limits=self.limits,
        )

    def get_document(self, doc_id: str) -> DocumentInfo:
        """What is known of a document: name, title, status, pages and their states, editions, metadata."""
        return shapes.document_info(self.library.resolve(doc_id))

    def get_document_id(self, name: str) -> str:
        """The id of the document that answers to a name; NotFoundError when there is none, or more than one."""
        return self.library.resolve(name).doc_id

    def list_documents(
        self,
        limit: int = 50,
        offset: int = 0,
        folder_id: str | None = None,
        *,
        recursive: bool = True,
        where: Mapping[str, Any] | None = None,
    ) -> DocumentList:
        """Documents, newest first: ``{documents, total, limit, offset}``.

        ``where`` compares metadata: ``{"year": 2022}``, ``{"year": {"gte": 2020}}``, ``{"tag": {"in": ["a", "b"]}}``.
        """
        if limit < 1 or offset < 0:
            raise InputError(f"limit {limit} and offset {offset} make no sense", "Give limit ≥ 1 and offset ≥ 0.")
        listing = self.library.list(folder_id=folder_id, recursive=recursive, where=where, offset=offset, limit=limit)
        return shapes.document_list(listing)

    def update_document(
        self, doc_id: str, *, metadata: Mapping[str, Any] | None = None, folder_id: str | None = None
    ) -> DocumentInfo:
        """Replace a document's metadata, or move it into another folder."""
        record = self.library.resolve(doc_id)
        return shapes.document_info(self.library.update(record.doc_id, metadata=metadata, folder_id=folder_id))

    def delete_document(self, doc_id: str) -> Deleted:
        """Delete a document with its text, copy, index entries and caches."""
        record = self.library.resolve(doc_id)
        self.library.remove(record.doc_id)
        return Deleted(doc_id=record.doc_id, name=record.name, deleted=True)

    # ------------------------------------------------------------ trees

    def get_tree(
        self, doc_id: str, node_summary: bool = False, include_text: bool = True, *, raw: bool = False
    ) -> TreeEnvelope:
        """The section tree: ``{doc_id, status, retrieval_ready, result, metadata}``; texts as ``get_section`` gives them."""
        record, tree = self._tree(doc_id)
        summaries = self.library.summaries(record.doc_id) if node_summary else None
        nodes = shapes.tree_nodes(tree, summaries, self._edition(record) if include_text else None, raw=raw)
        return TreeEnvelope(**self._envelope(record), result=nodes)

    def get_document_structure(self, doc_id: str) -> list[TreeNode]:
        """The bare tree with summaries, without text."""
        record, tree = self._tree(doc_id)
        return shapes.tree_nodes(tree, self.library.summaries(record.doc_id))

    def get_structure(self, doc_id: str) -> Structure:
        """The tree with the document's facts before it, as ``run_index.py`` writes it."""
        record, tree = self._tree(doc_id)
        return shapes.structure(record, tree, self.library.summaries(record.doc_id))

    def is_retrieval_ready(self, doc_id: str) -> bool:
        """Whether the document is there and can be read; False, not an error, when there is none."""
        try:
            return self.library.resolve(doc_id).status in _READY
        except NotFoundError:
            return False

    # ------------------------------------------------------------ text

    def get_page_content(self, doc_id: str, pages: str | int, *, raw: bool = False) -> list[PageContent]:
        """Pages by specification (``5-7,12``; labels such as ``iv`` where the document prints them), each once and in order.

        The text is as people read it: no running heads, feet and folios, no words divided at a line's end. ``raw`` gives the text as it
        is stored, the one that byte offsets count in.

        Raises PageRangeError when the specification names no page of the document.
        """
        record = self.library.resolve(doc_id)
        edition = self._edition(record)
        numbers = parse_pages(pages, edition.page_count, [page.label for page in edition.pages])
        return [shapes.page_content(edition, number, raw=raw) for number in numbers]

    def get_section(self, doc_id: str, node_id: str, *, raw: bool = False) -> SectionContent:
        """The text of a section with all below it, as people read it; raises NotFoundError when the tree has no such node.

        ``raw`` gives the exact bytes of its span, pages joined by a form feed.
        """
        record, tree = self._tree(doc_id)
        section = _section(record, tree, node_id)
        content = SectionContent(
            doc_id=record.doc_id,
            node_id=section.node_id,
            title=section.title,
            path=[step.title for step in tree.path(section.node_id)],
            start_index=section.start_index,
            end_index=section.end_index,
            text=shapes.section_text(self._edition(record), section, raw=raw),
        )
        if section.label is not None:
            content["label"] = section.label
        return content

    def get_page_image(self, doc_id: str, page: str | int) -> bytes:
        """One page of a PDF as a PNG picture; UnsupportedFormatError for formats without printed pages."""
        record = self.library.resolve(doc_id)
        return looking.page_image(self.library, record, self._edition(record), page, self.limits)

    def get_block(self, doc_id: str, block_id: str) -> Block:
        """The words that a handle (``f339ff.p10.100-220~0e64c89c``) stands for; EvidenceError when it does not check."""
        record, tree = self._tree(doc_id)
        return looking.block(record, self._edition(record), tree, block_id)

    def get_ocr(self, doc_id: str, format: OcrFormat = "page", *, raw: bool = False) -> OcrEnvelope:
        """All text of a document: by ``page``, by ``node`` of the tree, or as one ``raw`` string (pages joined by a form feed).

        ``raw`` gives each of them as it is stored, see ``get_page_content``.
        """
        if format == "node":
            return OcrEnvelope(**self.get_tree(doc_id, raw=raw))
        record = self.library.resolve(doc_id)
        edition = self._edition(record)
        pages = [shapes.page_content(edition, page.number, raw=raw) for page in edition.pages]
        if format == "page":
            return OcrEnvelope(**self._envelope(record), result=pages)
        if format == "raw":
            return OcrEnvelope(**self._envelope(record), result="\f".join(page["markdown"] for page in pages))
        raise InputError(f"there is no format {format!r}", "Use 'page', 'node' or 'raw'.")

    def find(self, doc_id: str, words: str, *, limit: int = 0) -> list[WordHit]:
        """Pages of one document that hold all the words; words in double quotes stand together."""
        from pageindex.client.words import find_words

        record, tree = self._tree(doc_id)
        return find_words(self._edition(record), tree, words, limit=limit)

    def search(
        self,
        query: str,
        doc_id: str | Sequence[str] | None = None,
        *,
        where: Mapping[str, Any] | None = None,
        folder_id: str | None = None,
        limit: int = 10,
        cursor: str | None = None,
    ) -> SearchPage:
        """Pages that answer a query, best first, over the whole library or the documents named.

        ``next_cursor`` goes on where this result ends. ``pages_without_text`` tells what could not be searched.
        """
        references = [doc_id] if isinstance(doc_id, str) else doc_id
        ids = [self.library.resolve(reference).doc_id for reference in references] if references is not None else None
        found = self.library.search(query, doc_ids=ids, where=where, folder_id=folder_id, limit=limit, cursor=cursor)
        return shapes.search_page(self.library, query, found)

    # ------------------------------------------------------------ checks

    def locate(self, doc_id: str, quote: str, page: int | None = None, page_end: int | None = None) -> dict[str, Any]:
        """Where a quote stands: ``{status, weight, handles, spans, found_pages, labels, score, …}``.

        Raises InputError when there is nothing to look for, PageRangeError for a page that does not exist.
        """
        return checking.locate(self._edition(self.library.resolve(doc_id)), quote, page, page_end)

    def check_claims(self, doc_id: str, claims: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Check claims ``[{id, text, quotes: [{text, page?}], numbers: [{as_printed}]}]``: ``{verdict, edition, claims}``."""
        return checking.check(self._edition(self.library.resolve(doc_id)), claims)

    def verify_document(self, doc_id: str, *, deep: bool = False) -> list[dict[str, Any]]:
        """What of a document is not as recorded; an empty list when nothing changed. ``deep`` reads the source anew."""
        return checking.verify(self.library, self.library.resolve(doc_id), deep=deep)

    # ------------------------------------------------------------ folders

    def create_folder(self, name: str, parent_id: str | None = None) -> FolderInfo:
        """A new folder of the library, at the top or in another."""
        return shapes.folder_info(self.library.create_folder(name, parent_id or ROOT_FOLDER))

    def list_folders(self, parent_id: str | None = None) -> list[FolderInfo]:
        """The folders at the top, or in another."""
        return [shapes.folder_info(folder) for folder in self.library.list_folders(parent_id or ROOT_FOLDER)]

    def get_folder_path(self, folder_id: str) -> list[FolderInfo]:
        """From the top folder down to the one named."""
        return [shapes.folder_info(folder) for folder in self.library.folder_path(folder_id)]

    # ------------------------------------------------------------ inside

    def _tree(self, doc_id: str) -> tuple[DocumentRecord, Tree]:
        record = self.library.resolve(doc_id)
        return record, self.library.tree(record.doc_id, record.edition.id)

    def _edition(self, record: DocumentRecord) -> Edition:
        return self.library.edition(record.doc_id, record.edition.id)

    def _envelope(self, record: DocumentRecord) -> Envelope:
        return {
            "doc_id": record.doc_id,
            "status": record.status,
            "retrieval_ready": record.status in _READY,
            "metadata": dict(record.metadata),
        }


def _open(path: str | os.PathLike[str] | None) -> Library:
    from pageindex.store.disk.library import DiskLibrary

    return DiskLibrary.open(Path(path) if path is not None else None)


def _section(record: DocumentRecord, tree: Tree, node_id: str) -> Section:
    # "12" is taken for "0012": ids are numbers in document order, padded only so that they sort.
    width = len(tree.sections[0].node_id)
    section = tree.by_id.get(node_id) or tree.by_id.get(node_id.strip().zfill(width))
    if section is None:
        raise NotFoundError(
            f"{record.name} has no section {node_id!r}",
            f"Run 'pageindex tree {record.doc_id}' for the ids of its {len(tree.by_id)} sections.",
            doc_id=record.doc_id,
        )
    return section
