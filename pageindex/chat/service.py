"""What a client calls: a question over a library, in one function."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pageindex.app.library import Library
from pageindex.app.pages import PageReader
from pageindex.chat.answer import Answer
from pageindex.chat.options import ChatOptions
from pageindex.chat.protocols import Protocol, envelope, to_messages
from pageindex.chat.run import AnswerStream, OnEvent, aanswer, answer, stream
from pageindex.errors import SettingsError
from pageindex.llm import Cancellation, Model
from pageindex.tools import Reader

__all__ = ["Documents", "achat", "chat", "chat_stream", "open_session"]

Documents = str | Iterable[str] | None
"""One document, several, or None for the whole library; by id, name, unique beginning of an id, or path."""


def open_session(
    library: Library,
    doc_id: Documents = None,
    *,
    options: ChatOptions | None = None,
    vision: bool = False,
    management: bool = False,
    pages: PageReader | None = None,
) -> Reader:
    """A session for a conversation, which numbers the passages it gives and says nothing twice.

    Raises NotFoundError for a document that is not in the library.
    """
    names = [doc_id] if isinstance(doc_id, str) else doc_id
    scope = None if names is None else [library.resolve(name).doc_id for name in names]
    return Reader(
        library,
        scope,
        reply_tokens=(options or ChatOptions()).reply_tokens,
        vision=vision,
        management=management,
        pages=pages,
        numbered=True,
        omit_repeats=True,
    )


def chat(
    session: Reader,
    messages: str | Sequence[Mapping[str, Any]],
    model: Model,
    *,
    protocol: str | None = None,
    options: ChatOptions | None = None,
    on_event: OnEvent | None = None,
    cancel: Cancellation | None = None,
) -> Answer | dict[str, Any]:
    """Answer a conversation: an ``Answer``, or with ``protocol`` that protocol's own envelope."""
    spoken = Protocol.of(protocol)
    found = answer(session, to_messages(messages, spoken), model, options, on_event=on_event, cancel=cancel)
    return found if spoken is None else envelope(found, spoken)


async def achat(
    session: Reader,
    messages: str | Sequence[Mapping[str, Any]],
    model: Model,
    *,
    protocol: str | None = None,
    options: ChatOptions | None = None,
    on_event: OnEvent | None = None,
) -> Answer | dict[str, Any]:
    """``chat`` as a coroutine."""
    spoken = Protocol.of(protocol)
    found = await aanswer(session, to_messages(messages, spoken), model, options, on_event=on_event)
    return found if spoken is None else envelope(found, spoken)


def chat_stream(
    session: Reader,
    messages: str | Sequence[Mapping[str, Any]],
    model: Model,
    *,
    protocol: str | None = None,
    options: ChatOptions | None = None,
) -> AnswerStream:
    """Start a conversation and follow it: iterate for text, ``events`` for everything, ``answer`` for the end.

    Raises SettingsError with a protocol: an envelope comes whole.
    """
    if protocol is not None:
        raise SettingsError("a stream has no protocol", "Leave out protocol, or stream.")
    return stream(session, to_messages(messages), model, options)
