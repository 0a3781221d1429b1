"""The answering half of a client: conversations, citations, and the tools for other agent loops."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, overload

from pageindex.app.library import Library
from pageindex.app.pages import PageReader
from pageindex.client.models import ModelChoice
from pageindex.errors import SettingsError
from pageindex.limits import DEFAULT_LIMITS, Limits

if TYPE_CHECKING:
    from pageindex.app.models import Model
    from pageindex.chat import Answer, AnswerStream, ChatOptions
    from pageindex.config import Settings
    from pageindex.tools import Reader

__all__ = ["Conversing", "Documents", "Messages"]

Messages = str | Sequence[Mapping[str, Any]]
Documents = str | Iterable[str] | None


class Conversing:
    """What a client does with a model that answers.

    ``doc_id`` is one document, several, or None for the whole library; nothing else is shown to the model.
    """

    def __init__(self, library: Library, chat: ModelChoice, limits: Limits | None) -> None:
        self.library = library
        self._chat = chat
        self._pages = PageReader(limits or DEFAULT_LIMITS)

    @cached_property
    def chat_settings(self) -> Settings:
        """Everything that is set about answering, looked up once."""
        return self._chat.settings(self.library)

    @cached_property
    def _speaker(self) -> Model:
        # One for all conversations, so that the budget is one.
        from pageindex.app.models import answering_model

        return answering_model(self.chat_settings)

    # ------------------------------------------------------------ conversations

    @overload
    def chat(
        self,
        messages: Messages,
        doc_id: Documents = None,
        stream: Literal[False] = False,
        protocol: None = None,
        **options: Any,
    ) -> str: ...
    @overload
    def chat(
        self,
        messages: Messages,
        doc_id: Documents = None,
        stream: Literal[False] = False,
        *,
        protocol: str,
        **options: Any,
    ) -> dict[str, Any]: ...
    @overload
    def chat(
        self,
        messages: Messages,
        doc_id: Documents = None,
        *,
        stream: Literal[True],
        protocol: None = None,
        **options: Any,
    ) -> AnswerStream: ...
    def chat(
        self,
        messages: Messages,
        doc_id: Documents = None,
        stream: bool = False,
        protocol: str | None = None,
        **options: Any,
    ) -> str | dict[str, Any] | AnswerStream:
        """Answer a question or a conversation: the model reads what it needs, and its answer is checked before it is given.

        Args:
            messages: A question, or messages of the protocol.
            doc_id: What may be read.
            stream: Return at once: iterate for the text, ``.events`` for every step, ``.answer`` for the end.
            protocol: ``chat_completions``, ``responses`` or ``messages``, for that protocol's own envelope, with ``turns`` to append.
            options: ``max_turns``, ``conversation_tokens``, ``citations`` and the other fields of ``pageindex.chat.ChatOptions``;
                ``vision``, ``on_event``, ``cancel``.

        Raises:
            SettingsError: No model is set, or an option means nothing.
            ModelError: The model failed before anything was reached.
        """
        if stream:
            return self._started(messages, doc_id, protocol, options)
        if protocol is None:
            return self.answer(messages, doc_id, **options).text
        envelope: dict[str, Any] = self._answered(messages, doc_id, protocol, options)
        return envelope

    def _started(
        self, messages: Messages, doc_id: Documents, protocol: str | None, options: dict[str, Any]
    ) -> AnswerStream:
        from pageindex.chat import chat_stream

        made, session, _ = self._prepared(doc_id, options)
        return chat_stream(session, messages, self._speaker, protocol=protocol, options=made)

    def answer(self, messages: Messages, doc_id: Documents = None, **options: Any) -> Answer:
        """As ``chat``, with everything that was checked: findings with handles, coverage, turns, usage, why it ended."""
        found: Answer = self._answered(messages, doc_id, None, options)
        return found

    def _answered(self, messages: Messages, doc_id: Documents, protocol: str | None, options: dict[str, Any]) -> Any:
        from pageindex.chat import chat

        made, session, rest = self._prepared(doc_id, options)
        return chat(session, messages, self._speaker, protocol=protocol, options=made, **rest)

    def _prepared(self, doc_id: Documents, given: dict[str, Any]) -> tuple[ChatOptions, Reader, dict[str, Any]]:
        from pageindex.chat import ChatOptions

        rest: dict[str, Any] = {key: given[key] for key in ("on_event", "cancel") if key in given}
        fields = {
            key: value for key, value in given.items() if key not in (*rest, "vision", "options") and value is not None
        }
        try:
            base: ChatOptions = given.get("options") or ChatOptions.of(self.chat_settings)
            made = replace(base, **fields)
        except TypeError as error:
            raise SettingsError(f"unknown option: {error}", "See pageindex.chat.ChatOptions.") from None
        vision = self.chat_settings.vision if given.get("vision") is None else bool(given["vision"])
        return made, self.session(doc_id, options=made, vision=vision), rest

    def ask(self, question: str, doc_id: Documents = None, *, limit: int = 5) -> dict[str, Any]:
        """Without a model: ``{question, found: [{doc_name, page, section, quotes: [{text, handle}], …}], coverage, …}``."""
        from pageindex.chat import find_passages

        return find_passages(self.session(doc_id), question, limit=limit).to_json()

    # ------------------------------------------------------------ citations

    def get_citations(self, answer: str) -> list[dict[str, Any]]:
        """The references of an answer as written: ``[{doc, page, text, quotes}]``."""
        from pageindex.chat import get_citations

        return [citation.to_json() for citation in get_citations(answer)]

    def resolve_citations(self, answer: str, doc_id: Documents = None) -> list[dict[str, Any]]:
        """The references of an answer looked up; what does not hold is not resolved (see ``pageindex.chat.resolve_citations``)."""
        from pageindex.chat import resolve_citations

        return resolve_citations(answer, self.session(doc_id))

    def citation_prompt(self) -> str:
        """How a model is told to quote and cite, for loops of your own."""
        from pageindex.chat import citation_prompt

        return citation_prompt()

    # ------------------------------------------------------------ tools for other loops

    def session(
        self,
        doc_id: Documents = None,
        *,
        options: ChatOptions | None = None,
        vision: bool = False,
        include_management: bool = False,
    ) -> Reader:
        """A reader's view of the library: scope, budgets, and what was read."""
        from pageindex.chat import open_session

        return open_session(
            self.library,
            doc_id,
            options=options,
            vision=vision,
            management=include_management,
            pages=self._pages,
        )

    def agent_tools(self, doc_id: Documents = None, *, include_management: bool = False) -> list[Callable[..., str]]:
        """The tools as plain functions that answer with text and never raise."""
        from pageindex.chat import agent_tools

        return agent_tools(self.session(doc_id, include_management=include_management))

    def as_openai_tools(self, doc_id: Documents = None, *, include_management: bool = False) -> list[dict[str, Any]]:
        """The tools' schemas for Chat Completions; calls are answered by ``pageindex.chat.answer_tool_calls``."""
        from pageindex.chat import as_openai_tools

        return as_openai_tools(self.session(doc_id, include_management=include_management))

    def as_anthropic_tools(self, doc_id: Documents = None, *, include_management: bool = False) -> list[dict[str, Any]]:
        """The tools' schemas for Messages."""
        from pageindex.chat import as_anthropic_tools

        return as_anthropic_tools(self.session(doc_id, include_management=include_management))

    def agent_instructions(self, doc_id: Documents = None) -> str:
        """The system prompt of our own loop: how to read, what there is, how to cite."""
        from pageindex.chat import agent_instructions

        return agent_instructions(self.session(doc_id))
