"""What every tool answers: a success or an error, and the call that makes sense next. Tools never raise.

``{success: true, …, next_steps: {summary, options}}`` and ``{error, errorCode, retryable, …, next_steps}``. An option is either a sentence or
a call ``{tool, arguments}``; after an error the first option is a call that is narrower than, or different from, the one that failed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pageindex.errors import PageIndexError

__all__ = ["Call", "Envelope", "Refusal", "call", "failure", "success"]

Envelope = dict[str, Any]
Call = dict[str, Any]


class Refusal(Exception):  # noqa: N818 - never leaves this room: it becomes an error envelope
    """An error on its way out of a tool, with the calls that could be made instead."""

    def __init__(self, error: PageIndexError, *options: str | Call, **data: Any) -> None:
        super().__init__(error.message)
        self.error, self.options, self.data = error, options, data


def call(tool: str, /, **arguments: Any) -> Call:
    """A tool call to propose; arguments that are None are left out."""
    return {"tool": tool, "arguments": {key: value for key, value in arguments.items() if value is not None}}


def success(data: Envelope, summary: str, options: Sequence[str | Call] = ()) -> Envelope:
    """A good answer: ``data`` first, then what could be done next."""
    return {"success": True, **data, "next_steps": {"summary": summary, "options": list(options)}}


def failure(error: PageIndexError, options: Sequence[str | Call] = (), **data: Any) -> Envelope:
    """An error as data; ``options`` come before the error's own next step."""
    head = {"error": error.message, "errorCode": error.code, "retryable": error.retryable}
    details = {key: value for key, value in error.details.items() if key not in head}
    steps = {"summary": error.next_step, "options": list(options)}
    return {**head, **details, **data, "next_steps": steps}
