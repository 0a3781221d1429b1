"""The agent tools as the protocol lists and calls them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from functools import cache, partial
from typing import Any, TypeVar, TypeVarTuple

import anyio.to_thread
import mcp_types as types

from pageindex.app.reader import Reader
from pageindex.document.codec import encode_json
from pageindex.serve.mcp.wiring import Caller, Offer
from pageindex.tools import Envelope, Tool, call_tool, tools_of

__all__ = ["cancelled", "in_thread", "of_reader", "result"]

R = TypeVar("R")
Ts = TypeVarTuple("Ts")

_ended: ContextVar[threading.Event | None] = ContextVar("ended", default=None)


def cancelled() -> bool:
    """Whether the client has cancelled the call that this thread works on."""
    event = _ended.get()
    return event is not None and event.is_set()


async def in_thread(work: Callable[[*Ts], R], *arguments: *Ts) -> R:
    """Run work that blocks in a thread; when the client cancels the call, ``cancelled`` is true there and its result is dropped."""
    event = threading.Event()
    token = _ended.set(event)
    try:
        return await anyio.to_thread.run_sync(work, *arguments, abandon_on_cancel=True)
    except anyio.get_cancelled_exc_class():
        event.set()
        raise
    finally:
        _ended.reset(token)


def of_reader(reader: Reader) -> list[Offer]:
    """The tools that a reader may use."""
    return [Offer(_listed(tool), partial(_call, reader, tool.name)) for tool in tools_of(reader)]


@cache  # of the tools there are: each call of one would describe them all anew
def _listed(tool: Tool[...]) -> types.Tool:
    destroys = tool.needs == "management"
    annotations = types.ToolAnnotations(
        title=_title(tool.name),
        read_only_hint=not destroys,
        destructive_hint=destroys,
        idempotent_hint=True,
        open_world_hint=False,
    )
    return types.Tool(
        name=tool.name,
        title=_title(tool.name),
        description=tool.description,
        input_schema=tool.schema(),
        output_schema=tool.result_schema(),
        annotations=annotations,
    )


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


async def _call(reader: Reader, name: str, arguments: Mapping[str, Any], caller: Caller) -> types.CallToolResult:
    envelope = await in_thread(call_tool, reader, name, arguments)
    reader.sent(reader.receipts())
    return result(envelope)


def result(envelope: Envelope) -> types.CallToolResult:
    """A tool's answer: as data, as text for hosts that show only that, and its picture as a picture."""
    image = envelope.get("image")
    data = {key: value for key, value in envelope.items() if key != "image"}
    content: list[types.ContentBlock] = [types.TextContent(text=encode_json(data).decode())]
    if isinstance(image, Mapping):
        content.append(types.ImageContent(data=image["data"], mime_type=image["media_type"]))
    return types.CallToolResult(content=content, structured_content=data, is_error="error" in envelope)
