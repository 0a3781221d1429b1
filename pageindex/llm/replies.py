"""JSON out of whatever a model wrote round it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from typing import Any

from pageindex.errors import ModelReplyError
from pageindex.llm.messages import mended_value

__all__ = ["Parsed", "as_whole", "read_object", "without_thinking"]

_THINKING = re.compile(r"<(/?)(think|thinking|reasoning)>", re.IGNORECASE)
_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[{}\[\]]', re.DOTALL)  # a string, perhaps cut off, or a bracket
_CLOSING = {"{": "}", "[": "]"}
_MOST_STARTS = 50  # places where an object may begin that are tried
_MOST_REPAIRED = 20_000  # characters; json-repair takes seconds for what is much longer
_DEEPEST = 100  # brackets inside each other; nothing that is asked for nests so deep


@dataclass(frozen=True, slots=True)
class Parsed:
    """An object read from a reply; ``complete`` is False when the reply was cut and its whole elements were kept."""

    value: dict[str, Any]
    complete: bool = True


def without_thinking(text: str) -> str:
    """The text without its ``<think>`` blocks; a block that never closes takes the rest, one that never opened what is before."""
    kept: list[str] = []
    name, at = "", 0
    for mark in _THINKING.finditer(text):
        closing, word = bool(mark[1]), mark[2].lower()
        if not name and not closing:
            kept.append(text[at : mark.start()])
            name = word
        elif name and closing and word == name:
            name, at = "", mark.end()
        elif not name and word == "think":
            kept, at = [], mark.end()
    return "".join(kept).strip() if name else ("".join(kept) + text[at:]).strip()


def read_object(text: str) -> Parsed:
    """The first JSON object in a reply: bare, fenced, amid prose, or cut off in the middle.

    Raises ModelReplyError with a reason that can be sent back to the model.
    """
    text = without_thinking(text)
    if not text:
        raise ModelReplyError("the reply is empty")
    for match in islice(re.finditer(r"\{", text), _MOST_STARTS):
        end = _balanced_end(text, match.start())
        value = _whole(text[match.start() : end]) if end is not None else _salvaged(text, match.start())
        if isinstance(value, dict) and value:
            return Parsed(value, complete=end is not None)
    raise ModelReplyError("the reply holds no JSON object")


def as_whole(value: Any) -> int | None:
    """A whole number out of ``3``, ``3.0``, ``"3"`` or ``"p. 3"``; None when it is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    if isinstance(value, int):
        return value
    match = re.fullmatch(r"\D*?(-?\d{1,9})(?:\.0+)?\D*", value) if isinstance(value, str) else None
    return int(match[1]) if match else None


def _whole(text: str) -> Any:
    """A value whose brackets close: as JSON, else as what json-repair makes of it. What is cut off never comes here (decision 016)."""
    value = _loads(text)
    if value is not None or len(text) > _MOST_REPAIRED:
        return value
    try:
        return mended_value(import_module("json_repair").loads(text, skip_json_loads=True))
    except (ValueError, RecursionError):
        return None


def _loads(text: str) -> Any:
    try:
        return mended_value(json.loads(text, strict=False))
    except (ValueError, RecursionError):  # also a number of more digits than Python reads
        return None


def _balanced_end(text: str, start: int) -> int | None:
    """The position behind the bracket that closes the one at ``start``; None when the text ends before it."""
    end, _, _ = _scan(text, start)
    return end


def _salvaged(text: str, start: int) -> Any:
    """The object cut off after its last whole element, and closed."""
    _, last, open_there = _scan(text, start)
    return _loads(text[start:last] + "".join(_CLOSING[bracket] for bracket in reversed(open_there))) if last else None


def _scan(text: str, start: int) -> tuple[int | None, int | None, str]:
    """Where the value at ``start`` ends, else where its last inner value ended and which brackets were open there."""
    stack: list[str] = []
    last, open_there = None, 0
    for match in _TOKEN.finditer(text, start):
        character = match[0]
        if character in _CLOSING:
            stack.append(character)
            if len(stack) > _DEEPEST:
                return None, None, ""
        elif character in "}]" and stack:
            stack.pop()
            last, open_there = match.end(), len(stack)
            if not stack:
                return last, last, ""
    # What was open at the last closing bracket has not been closed since.
    return None, last, "".join(stack[:open_there])
