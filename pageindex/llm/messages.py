"""What is said to a model and what it says back, in the shapes of Chat Completions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pageindex.errors import ModelReplyError
from pageindex.llm.usage import Usage

__all__ = ["Delta", "DeltaCallback", "Message", "Reply", "Request", "ToolCall", "mended", "mended_value"]

#: One message: ``{"role": "user", "content": "…"}``, or a tool's result ``{"role": "tool", "tool_call_id", "content"}``.
Message = Mapping[str, Any]


def mended(text: str) -> str:
    """The text with surrogate pairs joined and lone ones replaced by U+FFFD, so that it can be written as UTF-8."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def mended_value(value: Any) -> Any:
    """A JSON value with every text in it mended: its ``\\u`` escapes can write a lone surrogate."""
    if isinstance(value, str):
        return mended(value)
    if isinstance(value, list):
        return [mended_value(item) for item in value]
    if isinstance(value, dict):
        return {mended(key): mended_value(item) for key, item in value.items()}
    return value


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that the model wants called; ``arguments`` is JSON as the model wrote it, perhaps badly."""

    id: str
    name: str
    arguments: str

    def parsed(self) -> dict[str, Any]:
        """The arguments; none at all count as ``{}``. Raises ModelReplyError when they are not a JSON object."""
        try:
            value = mended_value(json.loads(self.arguments or "{}"))
        except (ValueError, RecursionError) as error:
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
        without: ``max_tokens`` where the model refuses it, which is then sent as ``max_completion_tokens`` unless that is here, too.
    """

    model: str
    messages: Sequence[Message]
    tools: Sequence[Mapping[str, Any]] | None = None
    tool_choice: Any = None
    response_format: Mapping[str, Any] | None = None
    max_tokens: int = 2_000
    temperature: float | None = None
    without: frozenset[str] = frozenset()

    def to_json(self) -> dict[str, Any]:
        """The parts that are set, in a fixed order."""
        names = ("model", "messages", "tools", "tool_choice", "response_format", "max_tokens", "temperature")
        items = {name: value for name in names if (value := getattr(self, name)) is not None}
        if "max_tokens" in self.without:
            items["max_completion_tokens"] = self.max_tokens
        return {name: value for name, value in items.items() if name not in self.without}

    def less(self, refused: Collection[str]) -> Request:
        """The request without the parameters that the model refuses."""
        return replace(
            self,
            response_format=None if "response_format" in refused else self.response_format,
            temperature=None if "temperature" in refused else self.temperature,
            tool_choice=None if "tool_choice" in refused else self.tool_choice,
            without=frozenset(refused) & {"max_tokens", "max_completion_tokens"},
        )

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
        refusal: Why it will not answer, in its own words, where the provider sends those apart.
        usage: Of this call.
        replayed: Whether it comes from the reply cache.
    """

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: str = "stop"
    thinking: str = ""
    refusal: str = ""
    usage: Usage = field(default_factory=Usage)
    replayed: bool = False

    def bounded(self, most: int) -> Reply:
        """The reply with its lone surrogates mended, and at most ``most`` characters of each of its parts (then ``truncated``)."""
        parts = [self.text, self.thinking, self.refusal, *(call.arguments for call in self.tool_calls)]
        long = any(len(part) > most for part in parts)
        calls = tuple(
            ToolCall(mended(call.id), mended(call.name), mended(call.arguments[:most])) for call in self.tool_calls
        )
        reason = "length" if long else self.finish_reason
        return replace(
            self,
            text=mended(self.text[:most]),
            thinking=mended(self.thinking[:most]),
            refusal=mended(self.refusal[:most]),
            tool_calls=calls,
            finish_reason=reason,
        )

    @property
    def truncated(self) -> bool:
        return self.finish_reason == "length"

    @property
    def refused(self) -> bool:
        """Whether the model would not answer, or the provider's filter held the answer back or cut it off."""
        return bool(self.refusal) or self.finish_reason == "content_filter"

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
