"""The same client as coroutines: each call runs in a thread, so that the event loop never waits for a disk or a worker."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from functools import wraps
from types import TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, Literal, ParamSpec, Self, TypeVar, overload

from pageindex.app.library import Library
from pageindex.client.client import PageIndexClient
from pageindex.client.conversing import Documents, Messages
from pageindex.client.models import ModelOptions
from pageindex.limits import Limits

if TYPE_CHECKING:
    from pageindex.chat import Answer, AnswerStream

__all__ = ["AsyncPageIndexClient"]

P = ParamSpec("P")
R = TypeVar("R")


def _twin(
    method: Callable[Concatenate[PageIndexClient, P], R],
) -> Callable[Concatenate[AsyncPageIndexClient, P], Coroutine[Any, Any, R]]:
    """The method as a coroutine: same name, arguments, result and description."""

    @wraps(method)
    async def called(self: AsyncPageIndexClient, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return await asyncio.to_thread(method, self.sync, *args, **kwargs)

    return called


def _following(
    method: Callable[Concatenate[PageIndexClient, P], Iterator[R]],
) -> Callable[Concatenate[AsyncPageIndexClient, P], AsyncIterator[R]]:
    """The method as an asynchronous iterator, which yields as the method does."""

    @wraps(method)
    async def followed(self: AsyncPageIndexClient, /, *args: P.args, **kwargs: P.kwargs) -> AsyncIterator[R]:
        results, end = method(self.sync, *args, **kwargs), object()
        while (result := await asyncio.to_thread(next, results, end)) is not end:
            yield result  # type: ignore[misc]

    return followed


class AsyncPageIndexClient:
    """``PageIndexClient`` with coroutines. ``sync`` is the client behind it; arguments and results are the same.

    A cancelled call stops being waited for; what it started is finished or undone by the library itself, never left half done.
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
        self.sync = PageIndexClient(
            index_model,
            chat_model,
            storage_path,
            index=index,
            chat=chat,
            model=model,
            limits=limits,
            library=library,
        )

    def __repr__(self) -> str:
        return f"Async{self.sync!r}"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def index_model(self) -> str | None:
        """See ``PageIndexClient.index_model``."""
        return self.sync.index_model

    @property
    def chat_model(self) -> str | None:
        """See ``PageIndexClient.chat_model``."""
        return self.sync.chat_model

    close = _twin(PageIndexClient.close)

    submit_document = _twin(PageIndexClient.submit_document)
    submit_documents = _following(PageIndexClient.submit_documents)
    plan_documents = _twin(PageIndexClient.plan_documents)
    refine_document = _twin(PageIndexClient.refine_document)
    get_document = _twin(PageIndexClient.get_document)
    get_document_id = _twin(PageIndexClient.get_document_id)
    list_documents = _twin(PageIndexClient.list_documents)
    update_document = _twin(PageIndexClient.update_document)
    delete_document = _twin(PageIndexClient.delete_document)

    get_tree = _twin(PageIndexClient.get_tree)
    get_document_structure = _twin(PageIndexClient.get_document_structure)
    get_structure = _twin(PageIndexClient.get_structure)
    get_costs = _twin(PageIndexClient.get_costs)
    get_spending = _twin(PageIndexClient.get_spending)
    is_retrieval_ready = _twin(PageIndexClient.is_retrieval_ready)

    get_page_content = _twin(PageIndexClient.get_page_content)
    get_section = _twin(PageIndexClient.get_section)
    get_page_image = _twin(PageIndexClient.get_page_image)
    get_page_tables = _twin(PageIndexClient.get_page_tables)
    get_block = _twin(PageIndexClient.get_block)
    get_ocr = _twin(PageIndexClient.get_ocr)
    find = _twin(PageIndexClient.find)
    search = _twin(PageIndexClient.search)

    locate = _twin(PageIndexClient.locate)
    check_claims = _twin(PageIndexClient.check_claims)
    verify_document = _twin(PageIndexClient.verify_document)

    create_folder = _twin(PageIndexClient.create_folder)
    list_folders = _twin(PageIndexClient.list_folders)
    get_folder_path = _twin(PageIndexClient.get_folder_path)

    ask = _twin(PageIndexClient.ask)
    get_citations = _twin(PageIndexClient.get_citations)
    resolve_citations = _twin(PageIndexClient.resolve_citations)
    citation_prompt = _twin(PageIndexClient.citation_prompt)
    session = _twin(PageIndexClient.session)
    agent_tools = _twin(PageIndexClient.agent_tools)
    as_openai_tools = _twin(PageIndexClient.as_openai_tools)
    as_anthropic_tools = _twin(PageIndexClient.as_anthropic_tools)
    agent_instructions = _twin(PageIndexClient.agent_instructions)

    # ------------------------------------------------------------ conversations: the model's calls are coroutines of their own

    @overload
    async def chat(
        self,
        messages: Messages,
        doc_id: Documents = None,
        stream: Literal[False] = False,
        protocol: None = None,
        **options: Any,
    ) -> str: ...
    @overload
    async def chat(
        self,
        messages: Messages,
        doc_id: Documents = None,
        stream: Literal[False] = False,
        *,
        protocol: str,
        **options: Any,
    ) -> dict[str, Any]: ...
    @overload
    async def chat(
        self,
        messages: Messages,
        doc_id: Documents = None,
        *,
        stream: Literal[True],
        protocol: None = None,
        **options: Any,
    ) -> AnswerStream: ...
    async def chat(
        self,
        messages: Messages,
        doc_id: Documents = None,
        stream: bool = False,
        protocol: str | None = None,
        **options: Any,
    ) -> str | dict[str, Any] | AnswerStream:
        """See ``PageIndexClient.chat``; a stream is followed with ``async for``, and cancelling the task cancels the model's call."""
        if stream:
            return await asyncio.to_thread(self.sync._started, messages, doc_id, protocol, options)
        if protocol is None:
            return (await self.answer(messages, doc_id, **options)).text
        found: dict[str, Any] = await self._answered(messages, doc_id, protocol, options)
        return found

    async def answer(self, messages: Messages, doc_id: Documents = None, **options: Any) -> Answer:
        """See ``PageIndexClient.answer``; cancelling the task cancels the model's call."""
        found: Answer = await self._answered(messages, doc_id, None, options)
        return found

    async def _answered(
        self, messages: Messages, doc_id: Documents, protocol: str | None, options: dict[str, Any]
    ) -> Any:
        from pageindex.chat import achat

        made, session, rest = await asyncio.to_thread(self.sync._prepared, doc_id, options)
        rest.pop("cancel", None)  # cancelling the task does it
        return await achat(session, messages, self.sync._speaker, protocol=protocol, options=made, **rest)
