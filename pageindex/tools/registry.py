"""The tools by name: their JSON schemas for function calling, and the one call that never raises."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pageindex.errors import InputError
from pageindex.tools.browse import browse_documents, get_document, remove_document
from pageindex.tools.claims import check_claims
from pageindex.tools.envelope import Envelope, call, failure
from pageindex.tools.find import search_documents
from pageindex.tools.navigate import get_document_structure
from pageindex.tools.read import get_page_content
from pageindex.tools.session import Session
from pageindex.tools.visuals import get_page_image, get_page_tables

__all__ = ["Tool", "call_tool", "tool_schemas", "tools_of"]

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as it is shown to a model.

    Attributes:
        name: As interop users know it.
        description: For the model.
        properties: JSON Schema of each parameter.
        required: Parameters that must be given.
        function: Takes the session and the parameters by name.
    """

    name: str
    description: str
    properties: Mapping[str, Schema]
    required: tuple[str, ...]
    function: Callable[..., Envelope]

    def parameters(self) -> Schema:
        return {
            "type": "object",
            "properties": dict(self.properties),
            "required": list(self.required),
            "additionalProperties": False,
        }


def _text(description: str) -> Schema:
    return {"type": "string", "description": description}


def _whole(description: str, least: int = 1) -> Schema:
    return {"type": "integer", "minimum": least, "description": description}


def _switch(description: str) -> Schema:
    return {"type": "boolean", "description": description}


_DOC = _text("A document's name or doc_id. May be left out when there is only one document.")
_WHERE = {
    "type": "object",
    "description": 'Metadata to match, such as {"year": 2022} or {"year": {"gte": 2020}}.',
}
_PAGES = _text('Physical pages: "5", "3,7", "5-10". A printed label such as "iv" or "label:12" works, too.')
_CURSOR = _text("Only ever copied from next_steps of an earlier reply.")
_CLAIM: Schema = {
    "type": "object",
    "properties": {
        "text": _text("The sentence you want to state."),
        "quotes": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "text": _text("Words copied from the page."),
                    "page": _whole("The page they stand on."),
                    "page_end": _whole("The page on which they end, if that is another one."),
                    "handle": _text("A handle copied from a tool's reply."),
                },
                "required": ["text"],
            },
        },
        "numbers": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "as_printed": _text("The number as the page prints it."),
                    "row": _text("Label of its table row."),
                    "column": _text("Head of its table column."),
                    "expr": _text("How it was computed from other numbers, such as (37857 - 2388) / 50171."),
                },
                "required": ["as_printed"],
            },
        },
    },
    "required": ["text", "quotes"],
}

_ALL = (
    Tool(
        "browse_documents",
        "List the documents that may be read, newest first or by relevance to a query.",
        {
            "folder_id": _text("A folder; 'root' by default."),
            "recursive": _switch("Whether to look into folders below."),
            "sort": {"type": "string", "enum": ["time", "relevance"]},
            "query": _text("What the documents should be about."),
            "offset": _whole("How many to skip.", 0),
            "limit": _whole("How many to list."),
        },
        (),
        browse_documents,
    ),
    Tool(
        "search_documents",
        "Find pages by words. Gives pages, sections and snippets; read a page before you quote it.",
        {
            "query": _text('Words to look for; "quoted words" must stand side by side.'),
            "where": _WHERE,
            "doc_name": _text("Search this document only."),
            "cursor": _CURSOR,
        },
        ("query",),
        search_documents,
    ),
    Tool(
        "get_document",
        "What is known of a document: pages, printed page numbers, pages without text, what you have read of it.",
        {"doc_name": _DOC},
        (),
        get_document,
    ),
    Tool(
        "get_document_structure",
        "The outline: sections with node_id, pages and token cost. Open a section marked 'children' by its node_id.",
        {
            "doc_name": _DOC,
            "node_id": _text("Show what is below this section."),
            "depth": _whole("Most levels to show."),
            "part": _whole("Which part, where there are several."),
            "summaries": _switch("Whether to show summaries."),
        },
        (),
        get_document_structure,
    ),
    Tool(
        "get_page_content",
        "Read text: either pages, or a section by node_id, or what a handle stands for. Prefer small sections.",
        {
            "doc_name": _DOC,
            "pages": _PAGES,
            "node_id": _text("A section of the outline."),
            "handle": _text("A handle copied from an earlier reply."),
            "cursor": _CURSOR,
        },
        (),
        get_page_content,
    ),
    Tool(
        "get_page_tables",
        "The tables of one page, rebuilt as grids.",
        {"doc_name": _DOC, "page": _whole("The physical page.")},
        ("page",),
        get_page_tables,
    ),
    Tool(
        "get_page_image",
        "The picture of one page, for figures and scans.",
        {"doc_name": _DOC, "page": _whole("The physical page.")},
        ("page",),
        get_page_image,
    ),
    Tool(
        "check_claims",
        "Check quotes and numbers against the pages before you state them.",
        {"doc_name": _DOC, "claims": {"type": "array", "items": _CLAIM, "minItems": 1}},
        ("claims",),
        check_claims,
    ),
    Tool(
        "remove_document",
        "Remove documents from the library for good.",
        {"doc_names": {"type": "array", "items": {"type": "string"}, "minItems": 1}},
        ("doc_names",),
        remove_document,
    ),
)


def tools_of(session: Session) -> tuple[Tool, ...]:
    """The tools that a session can use: no pictures without vision, no removal without management."""
    hidden = set()
    if not session.vision:
        hidden.add("get_page_image")
    if not session.management:
        hidden.add("remove_document")
    return tuple(tool for tool in _ALL if tool.name not in hidden)


def tool_schemas(session: Session) -> list[Schema]:
    """For function calling, as Chat Completions writes it: ``[{type: function, function: {name, description, parameters}}]``."""
    return [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters()},
        }
        for tool in tools_of(session)
    ]


def call_tool(session: Session, name: str, arguments: Mapping[str, Any] | None = None) -> Envelope:
    """Call a tool by name. Wrong names and arguments are answered with an error that says what is near; nothing is raised."""
    tool = next((tool for tool in _ALL if tool.name == name), None)
    if tool is None:
        return _unknown_tool(name, [tool.name for tool in tools_of(session)])
    given = {key: value for key, value in (arguments or {}).items() if value is not None}
    problem = _problem(tool, given)
    if problem is not None:
        return failure(problem, [call(name, **_usable(tool, given))])
    return tool.function(session, **{key: _coerced(tool.properties[key], value) for key, value in given.items()})


def _unknown_tool(name: str, known: list[str]) -> Envelope:
    near = _near(name, known)
    step = f"Did you mean {near[0]}?" if near else f"There are: {', '.join(known)}."
    error = InputError(f"there is no tool {name!r}", step, code="UNKNOWN_TOOL", near=near)
    return failure(error, [call(near[0] if near else "browse_documents")])


def _near(wanted: str, known: list[str]) -> list[str]:
    from rapidfuzz import fuzz, process

    return [name for name, _, _ in process.extract(wanted, known, scorer=fuzz.WRatio, limit=3, score_cutoff=50)]


def _problem(tool: Tool, given: Mapping[str, Any]) -> InputError | None:
    for key in given:
        if key not in tool.properties:
            near = _near(key, list(tool.properties))
            step = f"Did you mean {near[0]}?" if near else f"Its parameters are: {', '.join(tool.properties)}."
            return InputError(f"{tool.name} has no parameter {key!r}", step, code="INVALID_ARGUMENT", near=near)
    for key in tool.required:
        if key not in given:
            message = f"{tool.name} needs {key}"
            return InputError(message, f"{key}: {_said(tool.properties[key])}", code="INVALID_ARGUMENT")
    for key, value in given.items():
        if not _fits(tool.properties[key], value):
            message = f"{key} of {tool.name} cannot be {_shown(value)}"
            step = f"Give {_said(tool.properties[key])}"
            return InputError(message, step, code="INVALID_ARGUMENT")
    return None


def _said(schema: Schema) -> str:
    allowed = f" ({', '.join(schema['enum'])})" if "enum" in schema else ""
    return f"{schema['type']}{allowed}. {schema.get('description', '')}".strip()


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"


def _fits(schema: Schema, value: Any) -> bool:
    kind = schema["type"]
    if kind == "string":
        return isinstance(value, str | int) and not isinstance(value, bool) and str(value) in schema.get("enum", [str(value)])  # fmt: skip
    if kind == "integer":
        return _as_whole(value) is not None
    if kind == "boolean":
        return isinstance(value, bool) or value in ("true", "false")
    if kind == "array":
        return isinstance(value, list | tuple) and (schema["items"]["type"] != "object" or all(isinstance(item, dict) for item in value))  # fmt: skip
    return isinstance(value, Mapping)


def _as_whole(value: Any) -> int | None:
    """Models write ``3``, ``3.0`` and ``"3"`` for the same number."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    if isinstance(value, str):
        digits = value.strip().removesuffix(".0")
        return int(digits) if digits.lstrip("-").isdecimal() and len(digits) < 10 else None
    return value if isinstance(value, int) else None


def _coerced(schema: Schema, value: Any) -> Any:
    kind = schema["type"]
    if kind == "string":
        return str(value)
    if kind == "integer":
        return _as_whole(value)
    if kind == "boolean":
        return value if isinstance(value, bool) else value == "true"
    return value


def _usable(tool: Tool, given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that were right, misspelt ones under their near name, and something for those that are missing."""
    kept: dict[str, Any] = {}
    for key, value in given.items():
        name = key if key in tool.properties else next(iter(_near(key, list(tool.properties))), "")
        if name and _fits(tool.properties[name], value):
            kept.setdefault(name, value)
    examples: dict[str, Any] = {
        "query": "words to look for",
        "page": 1,
        "claims": [{"text": "…", "quotes": []}],
        "doc_names": [],
    }
    return {key: examples[key] for key in tool.required if key not in kept} | kept
