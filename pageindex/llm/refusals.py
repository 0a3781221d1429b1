"""What a provider refused of a request: a parameter that can be left out, or a prompt that is too long."""

from __future__ import annotations

import re

from pageindex.llm.messages import Request

__all__ = ["refused_parameter", "too_long"]

_TOO_LONG = re.compile(
    r"context[ _-]?(?:length|window|size)|maximum context|prompt is too long|input (?:is|was) too long|too many (?:input )?tokens"
    r"|input tokens? exceed|exceeds? the (?:model'?s )?(?:maximum|max|available) (?:\w+ )?(?:tokens|context|input)|reduce the length of",
    re.IGNORECASE,
)
#: By the name of the parameter: words by which a refusal names it.
_NAMES = {
    "response_format": r"response_?format|json_schema|json_object|json[ _]mode|structured outputs?",
    "max_completion_tokens": r"max_completion_tokens",
    "max_tokens": r"max_tokens",
    "temperature": r"temperature",
    "tool_choice": r"tool_choice",
}


def too_long(words: str) -> bool:
    """Whether a refusal says that the prompt does not fit the model's context."""
    return _TOO_LONG.search(words) is not None


def refused_parameter(words: str, request: Request) -> str:
    """The parameter of the request that a refusal names and that the request can do without; empty when there is none.

    A refusal often names what to use instead ("use 'max_completion_tokens' instead of 'max_tokens'"): only what was sent counts.
    """
    sent = request.to_json()
    found = (
        (match.start(), name)
        for name, shape in _NAMES.items()
        if (match := re.search(rf"(?<![\w]){shape}", words, re.IGNORECASE))
    )
    return next((name for _, name in sorted(found) if name in sent), "")
