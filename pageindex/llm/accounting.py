"""What a call is taken to have cost, whatever its provider says."""

from __future__ import annotations

import json
from dataclasses import replace

from pageindex.llm.messages import Reply, Request
from pageindex.llm.usage import Usage
from pageindex.text.tokens import count_tokens

__all__ = ["accounted", "own_count", "unanswered"]

#: Providers count by tables of their own; outside of these factors about our count, a figure is not believed.
_FEWEST = 0.25
_TOKENS_A_BYTE = 2  # no tokenizer makes more than one; the rest is the provider's own envelope
_ENVELOPE = 4_000  # tokens that a provider may add of its own
_THINKING = 200_000  # tokens that a reply may hold beyond its words


def accounted(request: Request, reply: Reply) -> Usage:
    """The usage that a reply reports where it can be true; else an estimate from what was sent and received, marked ``estimated``.

    A figure that is missing, negative, too small for the words or larger than they could be is not believed. The estimate never lies
    below our own count.
    """
    said = reply.usage
    prompt, answer = request.text(), _words(reply)
    sent, received = count_tokens(prompt), count_tokens(answer)
    most_sent = _TOKENS_A_BYTE * len(prompt.encode("utf-8", "surrogatepass")) + _ENVELOPE
    most_received = _TOKENS_A_BYTE * len(answer.encode("utf-8", "surrogatepass")) + max(_THINKING, request.max_tokens)
    believed = (
        1 <= said.prompt_tokens <= most_sent
        and said.prompt_tokens >= _FEWEST * sent - 50
        and min(1, received) <= said.completion_tokens <= most_received
        and said.completion_tokens >= _FEWEST * received - 50
    )
    if not believed:
        return replace(said, prompt_tokens=sent, cached_tokens=0, completion_tokens=received, estimated=1)
    return replace(said, cached_tokens=min(max(said.cached_tokens, 0), said.prompt_tokens))


def own_count(request: Request, reply: Reply) -> int:
    """Tokens of a call by our own count: what a budget takes it for at least, however little its provider reports."""
    return count_tokens(request.text()) + count_tokens(_words(reply))


def unanswered(request: Request, received: str) -> Usage:
    """An attempt that was sent and gave no usable reply: it may be on the bill, with the words received until it broke."""
    return Usage(
        failed=1, prompt_tokens=count_tokens(request.text()), completion_tokens=count_tokens(received), estimated=1
    )


def _words(reply: Reply) -> str:
    calls = json.dumps([call.to_json() for call in reply.tool_calls]) if reply.tool_calls else ""
    return reply.text + reply.thinking + reply.refusal + calls
