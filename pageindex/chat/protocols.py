"""Conversations in and answers out, in the three protocols that programs speak.

In: any of them becomes messages of Chat Completions. Out: the protocol's own envelope, which the classes of its own package parse, with
``turns``: what to append to the conversation, exactly as it was sent, so that the provider's prompt cache holds. ``pageindex`` carries the
checks.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from pageindex.chat.answer import Answer, Finish
from pageindex.chat.messages_protocol import anthropic_turns, from_anthropic
from pageindex.chat.responses_protocol import from_responses, input_items, output_items
from pageindex.errors import InputError, SettingsError

__all__ = ["Protocol", "envelope", "to_messages"]

Json = dict[str, Any]


class Protocol(StrEnum):
    """What a program speaks."""

    CHAT_COMPLETIONS = "chat_completions"
    RESPONSES = "responses"
    MESSAGES = "messages"

    @classmethod
    def of(cls, name: str | None) -> Protocol | None:
        """None stays None; raises SettingsError for an unknown name."""
        try:
            return None if name is None else cls(name)
        except ValueError:
            raise SettingsError(f"there is no protocol {name!r}", f"Use one of {', '.join(cls)}.") from None


def to_messages(messages: str | Sequence[Mapping[str, Any]], protocol: Protocol | None = None) -> list[Json]:
    """A conversation as messages of Chat Completions; a string is a question.

    Raises InputError (INVALID_MESSAGES) for what is none.
    """
    if isinstance(messages, str):
        return [{"role": "user", "content": messages}]
    if not isinstance(messages, list | tuple) or not all(isinstance(message, Mapping) for message in messages):
        raise InputError(
            "messages are a string or a list of messages", "Give [{role, content}].", code="INVALID_MESSAGES"
        )
    readers: dict[Protocol | None, Callable[[Sequence[Mapping[str, Any]]], list[Json]]] = {
        Protocol.RESPONSES: from_responses,
        Protocol.MESSAGES: from_anthropic,
    }
    found = readers.get(protocol, _from_completions)(messages)
    if not any(message["role"] == "user" for message in found):
        raise InputError("there is no question", "End with a message of the user.", code="EMPTY_QUESTION")
    return found


def _from_completions(messages: Sequence[Mapping[str, Any]]) -> list[Json]:
    for message in messages:
        if not isinstance(message.get("role"), str) or not isinstance(message.get("content", ""), str | list | None):
            raise InputError("a message has a role and content", "Give [{role, content}].", code="INVALID_MESSAGES")
    return [_plain(dict(message)) for message in messages]


def _plain(message: Json) -> Json:
    """Content that is text parts alone, as one string."""
    content = message.get("content")
    if isinstance(content, list) and all(isinstance(part, Mapping) and part.get("type") == "text" for part in content):
        message["content"] = "".join(str(part.get("text", "")) for part in content)
    return message


def envelope(answer: Answer, protocol: Protocol) -> Json:
    """The answer in a protocol's own shape."""
    makers = {
        Protocol.CHAT_COMPLETIONS: _completion,
        Protocol.RESPONSES: _response,
        Protocol.MESSAGES: _message,
    }
    return {
        **makers[protocol](answer),
        "pageindex": {k: v for k, v in answer.to_json().items() if k not in ("text", "body")},
    }


def _identity(prefix: str) -> str:
    return f"{prefix}{uuid.uuid4().hex}"


def _whole(answer: Answer) -> bool:
    return answer.finish is Finish.ANSWERED


def _completion(answer: Answer) -> Json:
    usage = answer.usage
    message = {"role": "assistant", "content": answer.text, "refusal": None}
    refused = answer.finish is Finish.REFUSED
    reason = "stop" if _whole(answer) else "content_filter" if refused else "length"
    return {
        "id": _identity("chatcmpl-"),
        "object": "chat.completion",
        "created": int(time.time()),
        "model": answer.model,
        "choices": [{"index": 0, "message": message, "finish_reason": reason, "logprobs": None}],
        "usage": {
            "prompt_tokens": usage.prompt_tokens,
            "completion_tokens": usage.completion_tokens,
            "total_tokens": usage.tokens,
            "prompt_tokens_details": {"cached_tokens": usage.cached_tokens},
        },
        "turns": list(answer.turns),
    }


def _response(answer: Answer) -> Json:
    usage = answer.usage
    cut = "content_filter" if answer.finish is Finish.REFUSED else "max_output_tokens"
    incomplete = None if _whole(answer) else {"reason": cut}
    return {
        "id": _identity("resp_"),
        "object": "response",
        "created_at": float(int(time.time())),
        "status": "completed" if incomplete is None else "incomplete",
        "error": None,
        "incomplete_details": incomplete,
        "instructions": None,
        "metadata": {},
        "model": answer.model,
        "output": output_items(answer.turns, answer.text),
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": usage.prompt_tokens,
            "input_tokens_details": {"cached_tokens": usage.cached_tokens, "cache_write_tokens": 0},
            "output_tokens": usage.completion_tokens,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": usage.tokens,
        },
        "turns": input_items(answer.turns),
    }


def _message(answer: Answer) -> Json:
    usage = answer.usage
    return {
        "id": _identity("msg_"),
        "type": "message",
        "role": "assistant",
        "model": answer.model,
        "content": [{"type": "text", "text": answer.text}],
        "stop_reason": "end_turn" if _whole(answer) else "refusal" if answer.finish is Finish.REFUSED else "max_tokens",
        "stop_sequence": None,
        "usage": {
            "input_tokens": usage.prompt_tokens - usage.cached_tokens,
            "output_tokens": usage.completion_tokens,
            "cache_read_input_tokens": usage.cached_tokens,
            "cache_creation_input_tokens": 0,
        },
        "turns": anthropic_turns(answer.turns),
    }
