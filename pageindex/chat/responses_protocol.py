"""Items of the Responses protocol."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from pageindex.errors import InputError

__all__ = ["from_responses", "input_items", "output_items"]

Json = dict[str, Any]


def from_responses(items: Sequence[Mapping[str, Any]]) -> list[Json]:
    """Input items as messages of Chat Completions; items that are neither words nor calls (reasoning) are left out."""
    messages: list[Json] = []
    for item in items:
        kind = item.get("type", "message")
        if kind == "function_call":
            _add_call(messages, item)
        elif kind == "function_call_output":
            messages.append(
                {"role": "tool", "tool_call_id": item.get("call_id", ""), "content": _words(item.get("output"))}
            )
        elif kind == "message":
            if not isinstance(item.get("role"), str):
                raise InputError("a message has a role and content", "Give {role, content}.", code="INVALID_MESSAGES")
            messages.append({"role": item["role"], "content": _words(item.get("content"))})
    return messages


def _add_call(messages: list[Json], item: Mapping[str, Any]) -> None:
    """Calls that follow each other are one turn of the assistant."""
    function = {"name": item.get("name", ""), "arguments": item.get("arguments", "{}")}
    call = {"id": item.get("call_id", ""), "type": "function", "function": function}
    if messages and messages[-1]["role"] == "assistant" and messages[-1].get("tool_calls"):
        messages[-1]["tool_calls"].append(call)
    else:
        messages.append({"role": "assistant", "content": "", "tool_calls": [call]})


def _words(content: Any) -> str | list[Json]:
    """The words of an item; with pictures among them, its parts as Chat Completions has them."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, Sequence) else ()
    if any(isinstance(part, Mapping) and part.get("type") == "input_image" for part in parts):
        return [_shown(part) for part in parts if isinstance(part, Mapping)]
    return "".join(str(part.get("text", "")) for part in parts if isinstance(part, Mapping))


def _shown(part: Mapping[str, Any]) -> Json:
    if part.get("type") == "input_image":
        return {"type": "image_url", "image_url": {"url": str(part.get("image_url", ""))}}
    return {"type": "text", "text": str(part.get("text", ""))}


def input_items(turns: Sequence[Mapping[str, Any]]) -> list[Json]:
    """Turns as input items of the next request, exactly as they were sent."""
    items: list[Json] = []
    for turn in turns:
        if turn.get("role") == "tool":
            items.append(_output(turn))
            continue
        if content := turn.get("content"):
            items.append(_said(content) if turn["role"] == "assistant" else _asked(turn["role"], content))
        items += [_call(call) for call in turn.get("tool_calls", ())]
    return items


def output_items(turns: Sequence[Mapping[str, Any]], text: str) -> list[Json]:
    """What a response puts out: the calls with their results, then the answer. Drafts, and words said beside calls, are left out."""
    return [*(item for item in input_items(turns) if item["type"] != "message"), _said(text)]


def _said(text: Any) -> Json:
    part = {"type": "output_text", "text": text, "annotations": []}
    return {
        "type": "message",
        "id": f"msg_{uuid.uuid4().hex}",
        "role": "assistant",
        "status": "completed",
        "content": [part],
    }


def _asked(role: str, content: Any) -> Json:
    if isinstance(content, str):
        return {"type": "message", "role": role, "content": [{"type": "input_text", "text": content}]}
    return {"type": "message", "role": role, "content": [_input(part) for part in content]}


def _input(part: Mapping[str, Any]) -> Json:
    if "image_url" in part:
        return {"type": "input_image", "detail": "auto", "image_url": part["image_url"]["url"]}
    return {"type": "input_text", "text": str(part.get("text", ""))}


def _call(call: Mapping[str, Any]) -> Json:
    function = call["function"]
    return {
        "type": "function_call",
        "id": f"fc_{uuid.uuid4().hex}",
        "call_id": call["id"],
        "name": function["name"],
        "arguments": function["arguments"],
        "status": "completed",
    }


def _output(turn: Mapping[str, Any]) -> Json:
    return {
        "type": "function_call_output",
        "id": f"fco_{uuid.uuid4().hex}",
        "call_id": turn["tool_call_id"],
        "output": turn["content"],
        "status": "completed",
    }
