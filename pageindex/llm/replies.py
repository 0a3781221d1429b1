"""JSON out of whatever a model wrote round it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import islice
from typing import Any

from pageindex.errors import ModelReplyError

__all__ = ["Parsed", "as_whole", "read_object", "without_thinking"]

_THINKING = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_OPEN_THINKING = re.compile(r"<(think|thinking|reasoning)>.*", re.DOTALL | re.IGNORECASE)
_CLOSING = {"{": "}", "[": "]"}
_MOST_STARTS = 50  # places where an object may begin that are tried


@dataclass(frozen=True, slots=True)
class Parsed:
    """An object read from a reply; ``complete`` is False when the reply was cut and its whole elements were kept."""

    value: dict[str, Any]
    complete: bool = True


def without_thinking(text: str) -> str:
    """The text without its ``<think>`` blocks; a block that never closes takes the rest, one that never opened what is before."""
    text = _THINKING.sub("", text)
    head, mark, tail = text.rpartition("</think>")
    text = tail if mark and "<think>" not in head else text
    return _OPEN_THINKING.sub("", text).strip()


def read_object(text: str) -> Parsed:
    """The first JSON object in a reply: bare, fenced, amid prose, or cut off in the middle.

    Raises ModelReplyError with a reason that can be sent back to the model.
    """
    text = without_thinking(text)
    if not text:
        raise ModelReplyError("the reply is empty")
    for match in islice(re.finditer(r"\{", text), _MOST_STARTS):
        end = _balanced_end(text, match.start())
        value = _loads(text[match.start() : end]) if end is not None else _salvaged(text, match.start())
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


def _loads(text: str) -> Any:
    try:
        return json.loads(text, strict=False)
    except (json.JSONDecodeError, RecursionError):
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
    in_string = escaped = False
    last, open_there = None, ""
    for index in range(start, len(text)):
        character = text[index]
        if in_string:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == '"':
                in_string = False
        elif character == '"':
            in_string = True
        elif character in _CLOSING:
            stack.append(character)
        elif character in "}]" and stack:
            stack.pop()
            last, open_there = index + 1, "".join(stack)
            if not stack:
                return index + 1, last, open_there
    return None, last, open_there
