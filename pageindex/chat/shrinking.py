"""A conversation that the model's context does not hold, made smaller by one result of a tool at a time."""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import Any

from pageindex.chat import prompts
from pageindex.llm import Message
from pageindex.text.tokens import count_tokens

__all__ = ["shrink"]

_LEAST = 100  # tokens of a result that is worth taking out
_GONE = (
    "(This result was taken out: the model's context does not hold it. Ask for less at a time: one page, one section, "
    "fewer hits. What stood here cannot be quoted unless it is read again.)"
)


def shrink(turns: MutableSequence[Message]) -> int | None:
    """Take the text out of one result, and say which turn that was; None when there is nothing left to take out.

    Earlier results go first, the oldest of them before the others: the newest is what was asked for. Only when it stands alone does it go
    itself, the largest part first.
    """
    results = [index for index, turn in enumerate(turns) if _weight(turn) >= _LEAST]
    if not results:
        return None
    newest = max(index for index, turn in enumerate(turns) if turn.get("role") == "assistant")
    earlier = [index for index in results if index < newest]
    chosen = earlier[0] if earlier else max(results, key=lambda index: _weight(turns[index]))
    turns[chosen] = {**turns[chosen], "content": _without(turns[chosen])}
    return chosen


def _weight(turn: Message) -> int:
    """Tokens of a result, pictures at their most; 0 for what is no result."""
    content = turn.get("content")
    if isinstance(content, list):
        return 10 * _LEAST
    ours = turn.get("role") == "tool" or (turn.get("role") == "user" and prompts.is_result(str(content)))
    return count_tokens(str(content)) if ours and _GONE not in str(content) else 0


def _without(turn: Message) -> Any:
    content = turn.get("content")
    if isinstance(content, str) and turn.get("role") == "user":
        return f"{content.splitlines()[0]}\n{_GONE}"
    return _GONE
