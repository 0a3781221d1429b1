"""Ask for JSON of one shape, with one round of repair."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from pageindex.errors import ModelReplyError, ModelRequestError
from pageindex.llm.messages import Message, Reply
from pageindex.llm.model import Model
from pageindex.llm.replies import Parsed, read_object

__all__ = ["ask", "json_schema"]

T = TypeVar("T")

_SHAPE_WORDS = ("response_format", "json_schema", "json_object", "json mode", "structured output")


def json_schema(name: str, properties: Mapping[str, Any]) -> dict[str, Any]:
    """A ``response_format`` for an object in which every property is required and no other is allowed."""
    schema = {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }
    return {"type": "json_schema", "json_schema": {"name": name, "schema": schema, "strict": True}}


async def ask(
    model: Model,
    messages: Sequence[Message],
    response_format: Mapping[str, Any],
    read: Callable[[Parsed], T],
    *,
    max_tokens: int | None = None,
    priority: float = 0.0,
) -> T:
    """The reply as ``read`` understands it.

    ``read`` gets the JSON object of the reply and raises ModelReplyError when it is not usable; the reason then goes back to the model
    once. A provider that refuses ``response_format`` is asked in plain text, from then on.

    Raises ModelReplyError when the second reply cannot be used either, and whatever ``Model.complete`` raises.
    """
    reply = await _formatted(model, messages, response_format, max_tokens, priority)
    try:
        return read(read_object(reply.text))
    except ModelReplyError as problem:
        again = [*messages, *_repair(reply, problem)]
    reply = await _formatted(model, again, response_format, max_tokens, priority)
    return read(read_object(reply.text))


def _repair(reply: Reply, problem: ModelReplyError) -> list[Message]:
    turns: list[Message] = [{"role": "assistant", "content": reply.text}] if reply.text.strip() else []
    shorter = " It was cut off: write a shorter one." if reply.truncated else ""
    words = f"That reply cannot be used: {problem.message}.{shorter} Reply with the JSON object alone."
    return [*turns, {"role": "user", "content": words}]


async def _formatted(
    model: Model,
    messages: Sequence[Message],
    response_format: Mapping[str, Any],
    max_tokens: int | None,
    priority: float,
) -> Reply:
    if not model.plain_text_only:
        try:
            return await model.acomplete(
                messages, response_format=response_format, max_tokens=max_tokens, priority=priority
            )
        except ModelRequestError as error:
            if not any(word in error.message.lower() for word in _SHAPE_WORDS):
                raise
            model.plain_text_only = True
    return await model.acomplete(messages, max_tokens=max_tokens, priority=priority)
