"""Types that code written for the public package names in its annotations."""

from __future__ import annotations

from typing import Any, TypedDict

from pageindex.chat import AnswerStream

__all__ = [
    "ChatConfig",
    "ChatObject",
    "ChatProcessOptions",
    "ChatStream",
    "CloudIndexConfig",
    "IndexConfig",
    "LocalIndexConfig",
    "MessagesStream",
]

ChatStream = AnswerStream  #: What ``chat(stream=True)`` returns: text when iterated, ``events``, ``close``.
MessagesStream = AnswerStream  #: What ``chat(stream=True, protocol="messages")`` returns.
ChatObject = dict[str, Any]  #: An envelope of a protocol; plain JSON here.


class LocalIndexConfig(TypedDict, total=False):
    """``index=`` of a client: see ``pageindex.compat.options``."""

    mode: str
    model: str
    summary_model: str
    summary_max_words: int
    summary_concurrency: int
    summary_reasoning_effort: str
    use_embedded_toc: bool
    optimize: str
    backend: dict[str, Any]
    storage_path: str


class CloudIndexConfig(TypedDict, total=False):
    """``index=`` of a client of the hosted service; refused here."""

    mode: str
    api_key: str


class ChatConfig(TypedDict, total=False):
    """``chat=`` of a client."""

    mode: str
    model: str
    backend: dict[str, Any]


class ChatProcessOptions(TypedDict, total=False):
    """``show_process=`` of a chat; anything true shows all steps here."""

    thinking: bool
    tool_call: bool
    tool_result: bool
    max_chars: int


IndexConfig = LocalIndexConfig | CloudIndexConfig
