"""Turns of the Messages protocol: blocks of text, tool use and tool result, users and assistants taking turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pageindex.document.codec import decode_json, encode_json
from pageindex.errors import InputError

__all__ = ["anthropic_turns", "from_anthropic"]

Json = dict[str, Any]


def from_anthropic(messages: Sequence[Mapping[str, Any]]) -> list[Json]:
    """Messages with blocks as messages of Chat Completions."""
    found: list[Json] = []
    for message in messages:
        role, content = message.get("role"), message.get("content")
        if not isinstance(role, str) or not isinstance(content, str | list):
            raise InputError("a message has a role and content", "Give {role, content}.", code="INVALID_MESSAGES")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        found += _from_assistant(blocks) if role == "assistant" else _from_user(role, blocks)
    return found


def _from_assistant(blocks: Sequence[Mapping[str, Any]]) -> list[Json]:
    text = "".join(str(block.get("text", "")) for block in blocks if block.get("type") == "text")
    calls = [
        {
            "id": block.get("id", ""),
            "type": "function",
            "function": {
                "name": block.get("name", ""),
                "arguments": encode_json(block.get("input", {})).decode().strip(),
            },
        }
        for block in blocks
        if block.get("type") == "tool_use"
    ]
    return [{"role": "assistant", "content": text, **({"tool_calls": calls} if calls else {})}]


def _from_user(role: str, blocks: Sequence[Mapping[str, Any]]) -> list[Json]:
    found: list[Json] = []
    for block in blocks:
        if block.get("type") == "tool_result":
            content = block.get("content", "")
            parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
            text = "".join(str(part.get("text", "")) for part in parts if isinstance(part, Mapping))
            found.append({"role": "tool", "tool_call_id": block.get("tool_use_id", ""), "content": text})
    if any(block.get("type") == "image" for block in blocks):
        return [*found, {"role": role, "content": [_part(block) for block in blocks if block.get("type") in _SHOWN]}]
    text = "".join(str(block.get("text", "")) for block in blocks if block.get("type") == "text")
    return [*found, {"role": role, "content": text}] if text or not found else found


_SHOWN = ("text", "image")


def _part(block: Mapping[str, Any]) -> Json:
    """A block as a content part of Chat Completions."""
    if block.get("type") == "text":
        return {"type": "text", "text": str(block.get("text", ""))}
    source = block.get("source") or {}
    url = source.get("url") or f"data:{source.get('media_type', '')};base64,{source.get('data', '')}"
    return {"type": "image_url", "image_url": {"url": url}}


def anthropic_turns(turns: Sequence[Mapping[str, Any]]) -> list[Json]:
    """Turns of Chat Completions as messages with blocks; turns of one side that follow each other are one."""
    found: list[Json] = []
    for turn in turns:
        role = "assistant" if turn.get("role") == "assistant" else "user"
        blocks = _blocks(turn)
        if found and found[-1]["role"] == role:
            found[-1]["content"] += blocks
        elif blocks:
            found.append({"role": role, "content": blocks})
    return found


def _blocks(turn: Mapping[str, Any]) -> list[Json]:
    content = turn.get("content") or ""
    if turn.get("role") == "tool":
        return [{"type": "tool_result", "tool_use_id": turn["tool_call_id"], "content": content}]
    if isinstance(content, list):
        return [_image(part) if "image_url" in part else {"type": "text", "text": part["text"]} for part in content]
    blocks: list[Json] = [{"type": "text", "text": content}] if content else []
    for call in turn.get("tool_calls", ()):
        function = call["function"]
        blocks.append(
            {"type": "tool_use", "id": call["id"], "name": function["name"], "input": _arguments(function["arguments"])}
        )
    return blocks


def _arguments(text: str) -> Json:
    try:
        value = decode_json(text.encode())
    except ValueError:  # a model wrote it badly; the tool's answer said so
        return {}
    return value if isinstance(value, dict) else {}


def _image(part: Mapping[str, Any]) -> Json:
    head, _, data = str(part["image_url"]["url"]).partition(",")
    media = head.removeprefix("data:").partition(";")[0]
    return {"type": "image", "source": {"type": "base64", "media_type": media, "data": data}}
