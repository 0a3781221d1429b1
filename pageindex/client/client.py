"""The client over a library on this machine."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self

from pageindex.app import checks, ingest, shapes
from pageindex.app import library as libraries
from pageindex.app.document import READY, OpenDocument
from pageindex.app.library import ROOT_FOLDER, Library
from pageindex.app.search import search
from pageindex.app.spending import costs_by_day
from pageindex.app.words import find_words
from pageindex.client.conversing import Conversing
from pageindex.client.models import ModelChoice, ModelOptions
from pageindex.errors import InputError, NotFoundError, PageIndexError, SettingsError
from pageindex.limits import Limits
from pageindex.progress import ProgressCallback, silent

if TYPE_CHECKING:
    from pageindex.app.models import Model
    from pageindex.config import Settings

__all__ = ["OcrFormat", "PageIndexClient"]

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
        limits: Under which each file is read; by default those of the settings.
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
        limits: Limits | None = None,
        library: Library | None = None,
    ) -> None:
        if library is not None and storage_path is not None:
            raise SettingsError("both storage_path and library are given", "Give one of them.")
        opened = library if library is not None else libraries.open_library(storage_path)
        super().__init__(opened, ModelChoice.of("chat", chat, chat_model, model), limits)
        self._index = ModelChoice.of("index", index, index_model, model)
        self.limits = limits

    @property
    def index_model(self) -> str | None:
        """The model that indexes, as the caller named it; None where that is left to the environment or ``pageindex.toml``."""
        return self._index.name

    @property
    def chat_model(self) -> str | None:
        """The model that answers, likewise."""
        return self._chat.name

    @cached_property
    def index_settings(self) -> Settings:
        """Everything that is set about indexing, looked up once, when a file first comes in."""
        return self._index.settings(self.library)

    @cached_property
    def _indexer(self) -> Model | None:
        # One for all documents, so that the budget is one.
        from pageindex.app.models import indexing_model

        return indexing_model(self.index_settings)

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
        """Let go of what is kept in memory between calls, and of the worker; the client may still be used."""
        self._pages.close()
        self.library.close()

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
    ) -> shapes.Submitted:
        """Index a file, or the bytes of one, and return when it is in the library.

        The same bytes again change nothing (``outcome`` is ``unchanged``), unless something that shapes the tree has changed: then it is
        built anew (``rebuilt``, with the ``reason``). Other bytes at the same path are a new edition of the same document.

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
        request = _request(file_path, name, password, folder_id, metadata)
        options = ingest.IngestOptions(self.index_settings.changed(mode=mode), self.limits)
        done = ingest.ingest_one(self.library, request, options, model=self._indexer, progress=progress)
        return shapes.submitted(done)

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
    ) -> Iterator[shapes.Submitted | PageIndexError]:
        """Index many files, folders and globs side by side; yields a result or an error per file, as each is done.

        A budget holds for all of them: once it is spent, the files after it are taken in without a model's work, and their result says
        so (``stopped``). ``executor`` may be any ``concurrent.futures.Executor``, such as a cluster's, in place of ``jobs`` workers.
        """
        options = ingest.IngestOptions(self.index_settings, self.limits, jobs, executor)
        requests = [
            replace(_request(found.path, "", password, folder_id, metadata), refused=found.refused)
            for found in ingest.find_files(Path(path) for path in paths)
        ]
        for done in ingest.ingest(self.library, requests, options, model=self._indexer, progress=progress):
            yield done.error if done.error is not None else shapes.submitted(done)

    def plan_documents(self, paths: Iterable[str | os.PathLike[str]]) -> list[dict[str, Any]]:
        """What ``submit_documents`` would do with each file: ``[{path, action, reason?, estimate?, error?}]``; nothing is stored or asked of a model.

        ``action`` is ``add``, ``new edition``, ``rebuild``, ``unchanged`` or ``refuse``; with a model, files that are not known are read for the
        ``estimate`` of calls, tokens and money.
        """
        options = ingest.IngestOptions(self.index_settings, self.limits)
        found = ingest.find_files(Path(path) for path in paths)
        requests = [ingest.Request(one.path, refused=one.refused) for one in found]
        return [shapes.planned(plan) for plan in ingest.plan(self.library, requests, options)]

    def refine_document(self, doc_id: str, *, progress: ProgressCallback = silent) -> dict[str, Any]:
        """Refine a document as the client's settings say: ``{doc_id, name, status, costs, merged, added, usage, …}``.

        A run that was stopped goes on with the same call: finished calls of the model are not paid twice.
        """
        record = self.library.resolve(doc_id)
        done = ingest.refine_document(
            self.library, record.doc_id, self.index_settings, self._indexer, progress=progress
        )
        return shapes.refined(done)

    def get_document(self, doc_id: str) -> shapes.DocumentInfo:
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
    ) -> shapes.DocumentList:
        """Documents, newest first: ``{documents, total, limit, offset}``.

        ``where`` compares metadata: ``{"year": 2022}``, ``{"year": {"gte": 2020}}``, ``{"tag": {"in": ["a", "b"]}}``.
        """
        listing = libraries.list_documents(
            self.library, folder_id=folder_id, recursive=recursive, where=where, limit=limit, offset=offset
        )
        return shapes.document_list(listing)

    def update_document(
        self, doc_id: str, *, metadata: Mapping[str, Any] | None = None, folder_id: str | None = None
    ) -> shapes.DocumentInfo:
        """Replace a document's metadata, or move it into another folder; InputError when there is nothing to change."""
        return shapes.document_info(
            libraries.change_document(self.library, doc_id, metadata=metadata, folder_id=folder_id)
        )

    def delete_document(self, doc_id: str) -> shapes.Deleted:
        """Delete a document with its text, copy, index entries and caches."""
        (record,) = libraries.remove_documents(self.library, [doc_id])
        return shapes.deleted(record)

    # ------------------------------------------------------------ trees

    def get_tree(
        self, doc_id: str, node_summary: bool = False, include_text: bool = True, *, raw: bool = False
    ) -> shapes.TreeEnvelope:
        """The section tree: ``{doc_id, status, retrieval_ready, result, metadata}``; texts as ``get_section`` gives them."""
        document = self._open(doc_id)
        summaries = document.summaries if node_summary else None
        nodes = shapes.tree_nodes(document.tree, summaries, document.edition if include_text else None, raw=raw)
        return shapes.TreeEnvelope(**shapes.envelope(document), result=nodes)

    def get_document_structure(self, doc_id: str) -> list[shapes.TreeNode]:
        """The bare tree with summaries, without text."""
        document = self._open(doc_id)
        return shapes.tree_nodes(document.tree, document.summaries)

    def get_structure(self, doc_id: str) -> shapes.Structure:
        """The tree with the document's facts before it, as ``run_index.py`` writes it."""
        return shapes.structure(self._open(doc_id))

    def get_costs(self, doc_id: str) -> dict[str, dict[str, Any]]:
        """What the tree costs its readers: ``before`` it was refined (where it was), ``now``, and ``if_merged``."""
        return shapes.tree_costs(ingest.tree_costs(self.library, self.library.resolve(doc_id)))

    def get_spending(self, doc_ids: Sequence[str] | None = None, *, since: str | None = None) -> dict[str, Any]:
        """What model calls have cost, by day, document, task and model: ``{rows: [{day, doc_id, name, task, model, calls, failed, estimated,
        prompt_tokens, completion_tokens, usd, unpriced}], total}``; ``since`` is a day, as ``2026-05-31`` (UTC)."""
        return costs_by_day(self.library, doc_ids, since=since).to_json()

    def is_retrieval_ready(self, doc_id: str) -> bool:
        """Whether the document is there and can be read; False, not an error, when there is none."""
        try:
            return self.library.resolve(doc_id).status in READY
        except NotFoundError:
            return False

    # ------------------------------------------------------------ text

    def get_page_content(self, doc_id: str, pages: str | int, *, raw: bool = False) -> list[shapes.PageContent]:
        """Pages by specification (``5-7,12``; labels such as ``iv`` where the document prints them), each once and in order.

        The text is as people read it: no running heads, feet and folios, no words divided at a line's end. ``raw`` gives the text as it
        is stored, the one that byte offsets count in.

        Raises PageRangeError when the specification names no page of the document.
        """
        return [shapes.page_content(page) for page in self._open(doc_id).pages(pages, raw=raw)]

    def get_section(self, doc_id: str, node_id: str, *, raw: bool = False) -> shapes.SectionContent:
        """The text of a section with all below it, as people read it; raises NotFoundError when the tree has no such node.

        ``raw`` gives the exact bytes of its span, pages joined by a form feed.
        """
        document = self._open(doc_id)
        return shapes.section_content(document, document.section(node_id, raw=raw))

    def get_page_image(self, doc_id: str, page: str | int, *, password: str | None = None) -> bytes:
        """One page of a PDF as a PNG picture; UnsupportedFormatError for formats without printed pages."""
        return self._open(doc_id, password).image(page)

    def get_page_tables(self, doc_id: str, page: str | int, *, password: str | None = None) -> shapes.Tables:
        """The tables of one page: ``{doc_id, page, label?, tables: [{columns, rows}]}``. A grid is derived, and not quotable itself."""
        document = self._open(doc_id, password)
        return shapes.tables(document, checks.extract_tables(document, page))

    def get_block(self, doc_id: str, block_id: str) -> shapes.Block:
        """The words that a handle (``f339ff.p10.100-220~0e64c89c``) stands for; EvidenceError when it does not check."""
        document = self._open(doc_id)
        return shapes.block(document, document.block(block_id))

    def get_ocr(self, doc_id: str, format: OcrFormat = "page", *, raw: bool = False) -> shapes.OcrEnvelope:
        """All text of a document: by ``page``, by ``node`` of the tree, or as one ``raw`` string (pages joined by a form feed).

        ``raw=True`` gives each of them as it is stored, see ``get_page_content``.
        """
        if format == "node":
            return shapes.OcrEnvelope(**self.get_tree(doc_id, raw=raw))
        if format not in ("page", "raw"):
            raise InputError(f"there is no format {format!r}", "Use 'page', 'node' or 'raw'.")
        document = self._open(doc_id)
        pages = [document.page(page.number, raw=raw) for page in document.edition.pages]
        if format == "raw":
            return shapes.OcrEnvelope(**shapes.envelope(document), result="\f".join(page.text for page in pages))
        return shapes.OcrEnvelope(**shapes.envelope(document), result=[shapes.page_content(page) for page in pages])

    def find(self, doc_id: str, words: str, *, limit: int = 0) -> shapes.FoundWords:
        """Pages of one document that hold all the words: ``{query, pages, hits}``; words in double quotes stand together."""
        return shapes.found_words(words, find_words(self._open(doc_id), words), limit)

    def search(
        self,
        query: str,
        doc_id: str | Sequence[str] | None = None,
        *,
        where: Mapping[str, Any] | None = None,
        folder_id: str | None = None,
        limit: int = 10,
        cursor: str | None = None,
    ) -> shapes.SearchPage:
        """Pages that answer a query, best first, over the whole library or the documents named.

        ``next_cursor`` goes on where this result ends. ``pages_without_text`` tells what could not be searched.
        """
        found = search(self.library, query, doc_id, where=where, folder_id=folder_id, limit=limit, cursor=cursor)
        return shapes.search_page(found)

    # ------------------------------------------------------------ checks

    def locate(
        self,
        doc_id: str,
        quote: str,
        page: int | None = None,
        page_end: int | None = None,
        *,
        everywhere: bool = False,
        ocr: bool = False,
        rectangles: bool = False,
        password: str | None = None,
    ) -> dict[str, Any]:
        """Where a quote stands: ``{status, weight, handles, spans, found_pages, labels, score, …}``.

        Args:
            doc_id: The document.
            quote: Words as they were copied.
            page, page_end: The pages cited.
            everywhere: Look in the other documents of the library too.
            ocr: Read the picture of the cited page where it has no usable text.
            rectangles: Add the places on the page, ``[{page, box}]`` in points from the top left.
            password: Of an encrypted file; without it the page itself cannot be looked at, only its text.

        Raises InputError when there is nothing to look for, PageRangeError for a page that does not exist.
        """
        found = checks.locate(
            self._open(doc_id, password), quote, page, page_end, everywhere=everywhere, ocr=ocr, rectangles=rectangles
        )
        return shapes.located(found)

    def check_claims(
        self,
        doc_id: str,
        claims: Mapping[str, Any] | Sequence[Mapping[str, Any]],
        *,
        password: str | None = None,
    ) -> dict[str, Any]:
        """Check claims ``[{id, text, quotes: [{text, page?}], numbers: [{as_printed}]}]``: ``{verdict, edition, claims}``."""
        return checks.check(self._open(doc_id, password), checks.parse(claims)).to_json()

    def verify_document(
        self, doc_id: str, *, deep: bool = False, compare: str | None = None, password: str | None = None
    ) -> shapes.Verified:
        """What of a document is not as recorded: ``{doc_id, edition, deep, findings}``, without findings when nothing changed.

        ``deep`` reads the source anew; ``compare`` compares with a second extractor, on ``flagged`` pages or on all (``full``).
        """
        chosen = checks.Compared.of(compare)
        return shapes.verified(checks.verify(self._open(doc_id, password), deep=deep, compare=chosen))

    # ------------------------------------------------------------ folders

    def create_folder(self, name: str, parent_id: str | None = None) -> shapes.FolderInfo:
        """A new folder of the library, at the top or in another."""
        return shapes.folder_info(self.library.create_folder(name, parent_id or ROOT_FOLDER))

    def list_folders(self, parent_id: str | None = None) -> list[shapes.FolderInfo]:
        """The folders at the top, or in another."""
        return [shapes.folder_info(folder) for folder in self.library.list_folders(parent_id or ROOT_FOLDER)]

    def get_folder_path(self, folder_id: str) -> list[shapes.FolderInfo]:
        """From the top folder down to the one named."""
        return [shapes.folder_info(folder) for folder in self.library.folder_path(folder_id)]

    # ------------------------------------------------------------ inside

    def _open(self, doc_id: str, password: str | None = None) -> OpenDocument:
        return OpenDocument.open(self.library, doc_id, self._pages, password=password)


def _request(
    source: str | os.PathLike[str] | bytes,
    name: str,
    password: str | None,
    folder_id: str | None,
    metadata: Mapping[str, Any] | None,
) -> ingest.Request:
    file = source if isinstance(source, bytes) else Path(source).expanduser()
    return ingest.Request(file, name, password, metadata or {}, folder_id or ROOT_FOLDER)
