"""``get_document_structure``: the outline of a document in slices that fit the reply."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from pageindex.app.outline import OutlineSlice
from pageindex.app.reader import Reader
from pageindex.errors import PageRangeError
from pageindex.tools.coverage import coverage_line
from pageindex.tools.declare import tool
from pageindex.tools.envelope import Call, Envelope, Refusal, call, success
from pageindex.tools.read import find_section
from pageindex.tools.results import StructureResult
from pageindex.tools.shown import clean, section_path

__all__ = ["get_document_structure"]

_OVERHEAD = 240


@tool(simple=["doc_name", "doc_name node_id"], spare=["depth", "summaries"])
def get_document_structure(
    reader: Reader,
    doc_name: str | None = None,
    node_id: str | None = None,
    depth: Annotated[int, Meta(ge=1)] | None = None,
    part: Annotated[int, Meta(ge=1)] = 1,
    summaries: bool = True,
) -> Annotated[Envelope, StructureResult]:
    """The outline: sections with node_id, pages and token cost. Open a section marked 'children' by its node_id.

    All of it is shown where that fits, else its top levels.

    Args:
        doc_name: A document's name or doc_id. May be left out when there is only one document.
        node_id: Show what is below this section.
        depth: Most levels to show.
        part: Which part, where there are several.
        summaries: Whether to show summaries; they give way where more levels fit without.

    Returns:
        `doc_name, doc_id, doc_title, page_count, structure: [{title, node_id, start_index, end_index, label?, tokens, summary?, summary_note?, nodes?,
        children?}], pagination: {part, total_parts, has_more}, coverage`; `children` counts subsections that are not shown
    """
    document = reader.open(doc_name)
    section = find_section(document, node_id) if node_id else None
    inner = section.node_id if section is not None else None
    room = reader.room() - _OVERHEAD
    try:
        found = document.outline.slice(room, node_id=inner, depth=depth, part=part, summaries=summaries)
    except PageRangeError as error:
        again = call("get_document_structure", doc_name=document.name, node_id=inner, depth=depth)
        raise Refusal(error, again) from error
    data = {
        "doc_name": clean(document.name),
        "doc_id": document.record.doc_id,
        "doc_title": clean(document.tree.title),
        "page_count": document.record.page_count,
        "structure": list(found.nodes),
        "pagination": {"part": part, "total_parts": found.total_parts, "has_more": part < found.total_parts},
        "coverage": coverage_line(reader, document),
    }
    if section is not None:
        data["section"] = {"node_id": section.node_id, "path": section_path(document, section)}
    name, summary = document.name, _summary(found, leaf=section is not None and not section.children)
    return success(data, summary, _options(name, found, inner, depth, part, summaries))


def _summary(found: OutlineSlice, *, leaf: bool) -> str:
    if leaf:
        return "This section has no subsections; read it."
    parts = ["Read a section by its node_id; 'tokens' is what its text costs."]
    if found.closed:
        parts.append(f"{found.closed} sections have subsections that are not shown ('children'): open them by node_id.")
    if found.total_parts > 1:
        parts.append(f"This is part {found.part} of {found.total_parts}.")
    return " ".join(parts)


def _options(
    name: str, found: OutlineSlice, node_id: str | None, depth: int | None, part: int, summaries: bool
) -> list[str | Call]:
    options: list[str | Call] = []
    if part < found.total_parts:
        arguments = {"node_id": node_id, "depth": depth, "part": part + 1, "summaries": None if summaries else False}
        options.append(call("get_document_structure", doc_name=name, **arguments))
    closed = next((node for node in _flat(found) if "children" in node), None)
    if closed is not None:
        options.append(call("get_document_structure", doc_name=name, node_id=closed["node_id"]))
    first = next(iter(_flat(found)), None)
    reading = first["node_id"] if first is not None else node_id
    return [*options, call("get_page_content", doc_name=name, node_id=reading)]


def _flat(found: OutlineSlice) -> list[dict[str, object]]:
    rows, stack = [], list(reversed(found.nodes))
    while stack:
        row = stack.pop()
        rows.append(row)
        stack.extend(reversed(row.get("nodes", ())))
    return rows
