"""What a conversation asks of its driver: a model's reply, or that an event be told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pageindex.chat.answer import Event
from pageindex.chat.prompts import is_ours
from pageindex.llm import Message
from pageindex.tools import Receipt

__all__ = ["Ask", "Step", "question_of"]


@dataclass(frozen=True, slots=True)
class Ask:
    """A reply is wanted to ``messages``; when the request starts, ``receipts`` are what it sends for the first time.

    ``max_tokens`` bounds the reply; None leaves that to the settings.
    """

    messages: Sequence[Message]
    tools: Sequence[Mapping[str, Any]] | None = None
    tool_choice: str | None = None
    response_format: Mapping[str, Any] | None = None
    receipts: Sequence[Receipt] = ()
    max_tokens: int | None = None


Step = Ask | Event


def question_of(history: Sequence[Message]) -> str:
    """All that the user said: words and numbers of the user need no evidence."""
    said = (_words(message.get("content")) for message in history if message.get("role") == "user")
    return "\n".join(text for text in said if text and not is_ours(text))


def _words(content: Any) -> str:
    """The words of a turn, which may show pictures, too."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else ()
    return "\n".join(str(part["text"]) for part in parts if isinstance(part, Mapping) and part.get("type") == "text")
