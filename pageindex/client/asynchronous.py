"""The same client as coroutines: each call runs in a thread, so that the event loop never waits for a disk or a worker."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from pageindex.client.client import OcrFormat, PageIndexClient
from pageindex.client.conversing import Documents, Messages
from pageindex.client.shapes import (
    Block,
    Deleted,
    DocumentInfo,
    DocumentList,
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
from pageindex.errors import PageIndexError

if TYPE_CHECKING:
    from pageindex.chat import Answer

__all__ = ["AsyncPageIndexClient"]


class AsyncPageIndexClient:
    """``PageIndexClient`` with coroutines. ``sync`` is the client behind it; arguments and results are the same.

    A cancelled call stops being waited for; what it started is finished or undone by the library itself, never left half done.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        self.sync = PageIndexClient(*args, **options)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.sync.close()

    async def submit_document(
        self, file_path: str | os.PathLike[str] | bytes, mode: str | None = None, **options: Any
    ) -> Submitted:
        """See ``PageIndexClient.submit_document``."""
        return await asyncio.to_thread(self.sync.submit_document, file_path, mode, **options)

    async def submit_documents(
        self, paths: Iterable[str | os.PathLike[str]], **options: Any
    ) -> AsyncIterator[Submitted | PageIndexError]:
        """See ``PageIndexClient.submit_documents``; yields as files are done."""
        results = self.sync.submit_documents(paths, **options)
        while (result := await asyncio.to_thread(next, results, None)) is not None:
            yield result

    async def get_document(self, doc_id: str) -> DocumentInfo:
        """See ``PageIndexClient.get_document``."""
        return await asyncio.to_thread(self.sync.get_document, doc_id)

    async def get_document_id(self, name: str) -> str:
        """See ``PageIndexClient.get_document_id``."""
        return await asyncio.to_thread(self.sync.get_document_id, name)

    async def list_documents(
        self,
        limit: int = 50,
        offset: int = 0,
        folder_id: str | None = None,
        *,
        recursive: bool = True,
        where: Mapping[str, Any] | None = None,
    ) -> DocumentList:
        """See ``PageIndexClient.list_documents``."""
        return await asyncio.to_thread(
            self.sync.list_documents, limit, offset, folder_id, recursive=recursive, where=where
        )

    async def update_document(
        self, doc_id: str, *, metadata: Mapping[str, Any] | None = None, folder_id: str | None = None
    ) -> DocumentInfo:
        """See ``PageIndexClient.update_document``."""
        return await asyncio.to_thread(self.sync.update_document, doc_id, metadata=metadata, folder_id=folder_id)

    async def delete_document(self, doc_id: str) -> Deleted:
        """See ``PageIndexClient.delete_document``."""
        return await asyncio.to_thread(self.sync.delete_document, doc_id)

    async def get_tree(
        self, doc_id: str, node_summary: bool = False, include_text: bool = True, *, raw: bool = False
    ) -> TreeEnvelope:
        """See ``PageIndexClient.get_tree``."""
        return await asyncio.to_thread(self.sync.get_tree, doc_id, node_summary, include_text, raw=raw)

    async def get_document_structure(self, doc_id: str) -> list[TreeNode]:
        """See ``PageIndexClient.get_document_structure``."""
        return await asyncio.to_thread(self.sync.get_document_structure, doc_id)

    async def get_structure(self, doc_id: str) -> Structure:
        """See ``PageIndexClient.get_structure``."""
        return await asyncio.to_thread(self.sync.get_structure, doc_id)

    async def is_retrieval_ready(self, doc_id: str) -> bool:
        """See ``PageIndexClient.is_retrieval_ready``."""
        return await asyncio.to_thread(self.sync.is_retrieval_ready, doc_id)

    async def get_page_content(self, doc_id: str, pages: str | int, *, raw: bool = False) -> list[PageContent]:
        """See ``PageIndexClient.get_page_content``."""
        return await asyncio.to_thread(self.sync.get_page_content, doc_id, pages, raw=raw)

    async def get_section(self, doc_id: str, node_id: str, *, raw: bool = False) -> SectionContent:
        """See ``PageIndexClient.get_section``."""
        return await asyncio.to_thread(self.sync.get_section, doc_id, node_id, raw=raw)

    async def get_page_image(self, doc_id: str, page: str | int) -> bytes:
        """See ``PageIndexClient.get_page_image``."""
        return await asyncio.to_thread(self.sync.get_page_image, doc_id, page)

    async def get_block(self, doc_id: str, block_id: str) -> Block:
        """See ``PageIndexClient.get_block``."""
        return await asyncio.to_thread(self.sync.get_block, doc_id, block_id)

    async def get_ocr(self, doc_id: str, format: OcrFormat = "page", *, raw: bool = False) -> OcrEnvelope:
        """See ``PageIndexClient.get_ocr``."""
        return await asyncio.to_thread(self.sync.get_ocr, doc_id, format, raw=raw)

    async def find(self, doc_id: str, words: str, *, limit: int = 0) -> list[WordHit]:
        """See ``PageIndexClient.find``."""
        return await asyncio.to_thread(self.sync.find, doc_id, words, limit=limit)

    async def search(self, query: str, doc_id: str | Sequence[str] | None = None, **options: Any) -> SearchPage:
        """See ``PageIndexClient.search``."""
        return await asyncio.to_thread(self.sync.search, query, doc_id, **options)

    async def locate(
        self, doc_id: str, quote: str, page: int | None = None, page_end: int | None = None
    ) -> dict[str, Any]:
        """See ``PageIndexClient.locate``."""
        return await asyncio.to_thread(self.sync.locate, doc_id, quote, page, page_end)

    async def check_claims(
        self, doc_id: str, claims: Mapping[str, Any] | Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        """See ``PageIndexClient.check_claims``."""
        return await asyncio.to_thread(self.sync.check_claims, doc_id, claims)

    async def verify_document(self, doc_id: str, *, deep: bool = False) -> list[dict[str, Any]]:
        """See ``PageIndexClient.verify_document``."""
        return await asyncio.to_thread(self.sync.verify_document, doc_id, deep=deep)

    async def chat(
        self, messages: Messages, doc_id: Documents = None, protocol: str | None = None, **options: Any
    ) -> str | dict[str, Any]:
        """See ``PageIndexClient.chat``; for a stream, follow ``sync.chat(…, stream=True)`` with ``async for``."""
        if protocol is None:
            return (await self.answer(messages, doc_id, **options)).text
        envelope: dict[str, Any] = await self.sync._aanswered(messages, doc_id, protocol, options)
        return envelope

    async def answer(self, messages: Messages, doc_id: Documents = None, **options: Any) -> Answer:
        """See ``PageIndexClient.answer``; cancelling the task cancels the model's call."""
        return await self.sync.aanswer(messages, doc_id, **options)

    async def ask(self, question: str, doc_id: Documents = None, *, limit: int = 5) -> dict[str, Any]:
        """See ``PageIndexClient.ask``."""
        return await asyncio.to_thread(self.sync.ask, question, doc_id, limit=limit)

    async def resolve_citations(self, answer: str, doc_id: Documents = None) -> list[dict[str, Any]]:
        """See ``PageIndexClient.resolve_citations``."""
        return await asyncio.to_thread(self.sync.resolve_citations, answer, doc_id)

    async def create_folder(self, name: str, parent_id: str | None = None) -> FolderInfo:
        """See ``PageIndexClient.create_folder``."""
        return await asyncio.to_thread(self.sync.create_folder, name, parent_id)

    async def list_folders(self, parent_id: str | None = None) -> list[FolderInfo]:
        """See ``PageIndexClient.list_folders``."""
        return await asyncio.to_thread(self.sync.list_folders, parent_id)

    async def get_folder_path(self, folder_id: str) -> list[FolderInfo]:
        """See ``PageIndexClient.get_folder_path``."""
        return await asyncio.to_thread(self.sync.get_folder_path, folder_id)
