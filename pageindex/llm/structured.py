"""Ask for JSON of one shape, with one round of repair."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pageindex.errors import ModelReplyError
from pageindex.llm.messages import Message, Reply
from pageindex.llm.model import Model
from pageindex.llm.replies import Parsed, read_object

__all__ = ["ask", "json_schema"]

T = TypeVar("T")


def json_schema(name: str, properties: Mapping[str, Any]) -> dict[str, Any]:
    """A ``response_format`` for an object in which every property is required and no other is allowed."""
    schema = {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }
    return {"type": "json_schema", "json_schema": {"name": name, "schema": schema, "strict": True}}


@dataclass(frozen=True, slots=True)
class _Unusable:
    reply: Reply
    problem: ModelReplyError


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
    once. Only a reply that is usable stays in the reply cache: any other is asked for again, by this run or the next. A refusal is taken as
    one, and not argued with.

    Raises ModelReplyError when the second reply cannot be used either or one is a refusal, and whatever ``Model.complete`` raises.
    """

    async def attempt(turns: Sequence[Message]) -> T | _Unusable:
        while True:
            reply = await model.acomplete(
                turns, response_format=response_format, max_tokens=max_tokens, priority=priority
            )
            if reply.refused:
                raise ModelReplyError(f"the model refused: {reply.refusal or 'its provider held the reply back'}")
            try:
                return read(read_object(reply.text))
            except ModelReplyError as error:
                model.forget(turns, response_format=response_format, max_tokens=max_tokens)
                if not reply.replayed:
                    return _Unusable(reply, error)

    answer = await attempt(messages)
    if isinstance(answer, _Unusable):
        answer = await attempt([*messages, *_repair(answer.reply, answer.problem)])
    if isinstance(answer, _Unusable):
        raise answer.problem
    return answer


def _repair(reply: Reply, problem: ModelReplyError) -> list[Message]:
    turns: list[Message] = [{"role": "assistant", "content": reply.text}] if reply.text.strip() else []
    shorter = " It was cut off: write a shorter one." if reply.truncated else ""
    words = f"That reply cannot be used: {problem.message}.{shorter} Reply with the JSON object alone."
    return [*turns, {"role": "user", "content": words}]
