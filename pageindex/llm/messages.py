"""What is said to a model and what it says back, in the shapes of Chat Completions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pageindex.errors import ModelReplyError
from pageindex.llm.usage import Usage

__all__ = ["Delta", "DeltaCallback", "Message", "Reply", "Request", "ToolCall"]

#: One message: ``{"role": "user", "content": "…"}``, or a tool's result ``{"role": "tool", "tool_call_id", "content"}``.
Message = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that the model wants called; ``arguments`` is JSON as the model wrote it, perhaps badly."""

    id: str
    name: str
    arguments: str

    def parsed(self) -> dict[str, Any]:
        """The arguments; none at all count as ``{}``. Raises ModelReplyError when they are not a JSON object."""
        try:
            value = json.loads(self.arguments or "{}")
        except json.JSONDecodeError as error:
            raise ModelReplyError(
                f"arguments of {self.name} are not JSON: {error}", "Send them again as JSON."
            ) from error
        if not isinstance(value, dict):
            raise ModelReplyError(f"arguments of {self.name} are not a JSON object", "Send them again as an object.")
        return value

    def to_json(self) -> dict[str, Any]:
        return {"id": self.id, "type": "function", "function": {"name": self.name, "arguments": self.arguments}}


@dataclass(frozen=True, slots=True)
class Request:
    """Everything that decides a reply.

    Attributes:
        model: LiteLLM name.
        messages: The conversation so far.
        tools: Functions the model may call, as in Chat Completions.
        tool_choice: ``auto``, ``none``, ``required`` or a named function; None leaves it out.
        response_format: ``{"type": "json_object"}`` or a JSON schema; None for free text.
        max_tokens: Most tokens of the reply.
        temperature: None leaves it to the provider.
    """

    model: str
    messages: Sequence[Message]
    tools: Sequence[Mapping[str, Any]] | None = None
    tool_choice: Any = None
    response_format: Mapping[str, Any] | None = None
    max_tokens: int = 2_000
    temperature: float | None = None

    def to_json(self) -> dict[str, Any]:
        """The parts that are set, in a fixed order."""
        names = ("model", "messages", "tools", "tool_choice", "response_format", "max_tokens", "temperature")
        return {name: value for name in names if (value := getattr(self, name)) is not None}

    def text(self) -> str:
        """All that the model is sent, for counting its tokens."""
        return json.dumps([list(self.messages), self.tools, self.response_format], ensure_ascii=False)

    def key(self, address: str) -> str:
        """SHA-256 over the request and the address it goes to: the name of its reply in the cache."""
        canonical = json.dumps([address, self.to_json()], ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said.

    Attributes:
        text: Its words; empty when it only calls tools.
        tool_calls: In the order given.
        finish_reason: ``stop``, ``length`` (cut at ``max_tokens``), ``tool_calls`` or ``content_filter``.
        thinking: Its reasoning, where the provider sends it apart from the answer.
        usage: Of this call.
        replayed: Whether it comes from the reply cache.
    """

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: str = "stop"
    thinking: str = ""
    usage: Usage = field(default_factory=Usage)
    replayed: bool = False

    @property
    def truncated(self) -> bool:
        return self.finish_reason == "length"

    def message(self) -> dict[str, Any]:
        """The assistant's turn, to be appended to the conversation."""
        message: dict[str, Any] = {"role": "assistant", "content": self.text}
        if self.tool_calls:
            message["tool_calls"] = [call.to_json() for call in self.tool_calls]
        return message


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of a reply as it arrives.

    ``reset`` says that the reply begins anew (the connection broke and the call is tried again): forget its earlier pieces.
    """

    text: str = ""
    thinking: str = ""
    reset: bool = False


DeltaCallback = Callable[[Delta], None]
