"""A streamed answer as chunks of Chat Completions."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from typing import Any

from pageindex.chat import AnswerStream
from pageindex.chat.protocols import Protocol, envelope

__all__ = ["chunks"]

Json = dict[str, Any]


def chunks(stream: AnswerStream) -> Iterator[Json]:
    """``{id, object: chat.completion.chunk, created, model, choices: [{index, delta, finish_reason}]}``; the last one has ``usage`` and ``messages``."""
    head: Json = {
        "id": f"chatcmpl-{secrets.token_hex(12)}",
        "object": "chat.completion.chunk",
        "created": int(time.time()),
    }
    for number, piece in enumerate(stream):
        delta: Json = {"content": piece} if number else {"role": "assistant", "content": piece}
        yield {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    whole = envelope(stream.answer, Protocol.CHAT_COMPLETIONS)
    reason = whole["choices"][0]["finish_reason"]
    yield {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}
    left = {key: value for key, value in whole.items() if key not in ("id", "object", "created", "choices")}
    yield {**head, **left, "choices": []}
