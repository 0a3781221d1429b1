"""The tools by name, and the one call that never raises."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pageindex.app.reader import Reader
from pageindex.errors import InputError
from pageindex.text.near import near_names, or_near
from pageindex.tools.browse import browse_documents, get_document, remove_document
from pageindex.tools.claims import check_claims
from pageindex.tools.declare import Schema, Tool
from pageindex.tools.envelope import Envelope, call, failure
from pageindex.tools.find import search_documents
from pageindex.tools.navigate import get_document_structure
from pageindex.tools.read import get_page_content
from pageindex.tools.visuals import get_page_image, get_page_tables

__all__ = ["TOOLS", "call_tool", "loop_schemas", "loop_tools", "tool_schemas", "tools_of"]

#: All tools, in the order in which they are shown to a model.
TOOLS: tuple[Tool[...], ...] = (
    browse_documents,
    search_documents,
    get_document,
    get_document_structure,
    get_page_content,
    get_page_tables,
    get_page_image,
    check_claims,
    remove_document,
)


def tools_of(reader: Reader) -> tuple[Tool[...], ...]:
    """The tools that a reader can use: no pictures without vision, no removal without management."""
    return tuple(tool for tool in TOOLS if tool.offered(reader))


def tool_schemas(reader: Reader) -> list[Schema]:
    """For function calling, as Chat Completions writes it: ``[{type: function, function: {name, description, parameters}}]``."""
    return [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": tool.schema()},
        }
        for tool in tools_of(reader)
    ]


def loop_tools(reader: Reader) -> tuple[Tool[...], ...]:
    """The tools that a loop of ours offers: it checks answers itself, and chooses among documents only where there are several."""
    several = reader.sees_several()
    return tuple(tool for tool in tools_of(reader) if tool.brief_schema(several=several) is not None)


def loop_schemas(reader: Reader) -> list[Schema]:
    """``tool_schemas`` for such a loop, where they are paid for on every round: without what is seldom used."""
    several = reader.sees_several()
    return [
        {"type": "function", "function": {"name": tool.name, "description": tool.description, "parameters": schema}}
        for tool in tools_of(reader)
        if (schema := tool.brief_schema(several=several)) is not None
    ]


def call_tool(reader: Reader, name: str, arguments: Mapping[str, Any] | None = None) -> Envelope:
    """Call a tool by name. Wrong names and arguments are answered with an error that says what is near; nothing is raised."""
    found = next((tool for tool in TOOLS if tool.name == name), None)
    if found is not None:
        return found.call(reader, arguments or {})
    known = [tool.name for tool in tools_of(reader)]
    near = near_names(name, known, least=50)
    error = InputError(
        f"there is no tool {name!r}",
        or_near(near[:1], f"There are: {', '.join(known)}."),
        code="UNKNOWN_TOOL",
        near=near,
    )
    return failure(error, [call(near[0] if near else "browse_documents")])
