"""Tool calls, however a model makes them: natively, or as one JSON object per reply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pageindex.chat.prompts import ANSWER
from pageindex.errors import ModelReplyError
from pageindex.llm import Reply, ToolCall, read_object, without_thinking
from pageindex.tools import Reader, tools_of

__all__ = ["ANSWER", "Action", "action_format", "read_action", "read_calls"]


@dataclass(frozen=True, slots=True)
class Action:
    """What a reply wants done.

    Attributes:
        calls: Tools to call; ``arguments`` is None where they could not be read, and ``problem`` says why.
        text: Words for the user, where no tool is called.
    """

    calls: Sequence[tuple[ToolCall, Mapping[str, Any] | None, str]] = ()
    text: str = ""


def read_calls(reply: Reply) -> Action:
    """Native tool calls; a reply without any is text, or an action written out as JSON."""
    calls: list[tuple[ToolCall, Mapping[str, Any] | None, str]] = []
    for call in reply.tool_calls:
        try:
            calls.append((call, call.parsed(), ""))
        except ModelReplyError as error:
            calls.append((call, None, f"{error.message}. {error.next_step}"))
    return Action(tuple(calls), without_thinking(reply.text))


def read_action(text: str, known: Sequence[str], *, strict: bool) -> Action | None:
    """The action in a reply: ``{"tool", "arguments"}``, flat or nested, in prose or not.

    None when it holds none; with ``strict`` prose counts as the answer.
    """
    try:
        value = read_object(text).value
    except ModelReplyError:
        return Action(text=without_thinking(text)) if strict and without_thinking(text) else None
    name = value.get("tool", value.get("name", value.get("action")))
    if not isinstance(name, str):
        return _answered(value, text, strict=strict)
    given = value.get("arguments", value.get("parameters", value.get("args")))
    arguments = (
        given if isinstance(given, Mapping) else {k: v for k, v in value.items() if k not in ("tool", "name", "action")}
    )
    arguments = {key: item for key, item in arguments.items() if item not in (None, "")}
    if name == ANSWER:
        return _answered({**value, **arguments}, text, strict=strict)
    if name in known or strict:
        return Action(((ToolCall(f"call_{name}", name, ""), arguments, ""),))
    return None


def _answered(value: Mapping[str, Any], text: str, *, strict: bool) -> Action | None:
    for key in ("text", ANSWER, "content"):
        if isinstance(value.get(key), str) and value[key].strip():
            return Action(text=value[key].strip())
    return Action(text=text) if strict else None


def action_format(session: Reader, *, tools: bool = True, answer: bool = True) -> dict[str, Any]:
    """The JSON schema that constrains a model's reply to one action.

    One shape per way of calling, with exactly the arguments it needs: a model that must fill in JSON fills in whatever a schema allows.
    Without ``tools`` only an answer is left; without ``answer`` only tools are, as before anything was read.
    """
    shapes = [_shape(name, arguments) for name, arguments in _calls(session)] if tools else []
    if answer:
        shapes.append(_shape(ANSWER, ("text",)))
    schema: dict[str, Any] = shapes[0] if len(shapes) == 1 else {"anyOf": shapes}
    return {"type": "json_schema", "json_schema": {"name": "action", "schema": schema}}


def _calls(session: Reader) -> list[tuple[str, tuple[str, ...]]]:
    """The ways of calling that a simple reader needs; a document is named only where there are several."""
    several = session.sees_several()
    return [(tool.name, way) for tool in tools_of(session) for way in tool.ways(several=several)]


def _shape(name: str, arguments: Sequence[str]) -> dict[str, Any]:
    given = {
        "type": "object",
        "properties": {argument: {"type": "string"} for argument in arguments},
        "required": list(arguments),
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"tool": {"const": name}, "arguments": given},
        "required": ["tool", "arguments"],
        "additionalProperties": False,
    }
