"""Helpers over tree JSON that users of the public package import from ``pageindex.utils``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pageindex.errors import NotFoundError

__all__ = [
    "count_tokens",
    "create_node_mapping",
    "get_leaf_nodes",
    "get_node",
    "get_node_map",
    "get_node_parent",
    "get_node_path",
    "get_nodes",
    "get_number_of_pages",
    "get_pdf_name",
    "is_leaf_node",
    "print_json",
    "print_toc",
    "print_tree",
    "print_wrapped",
    "remove_fields",
    "remove_structure_text",
    "structure_to_list",
    "write_node_id",
]

Node = dict[str, Any]


def _walk(structure: Any) -> Iterator[Node]:
    """Every node of a tree or of a list of trees, parents before children."""
    if isinstance(structure, dict):
        if "title" in structure or "node_id" in structure:
            yield structure
        for inner in structure.get("nodes") or structure.get("structure") or ():
            yield from _walk(inner)
    elif isinstance(structure, list | tuple):
        for inner in structure:
            yield from _walk(inner)


def structure_to_list(structure: Any) -> list[Node]:
    """All nodes in document order, each with its own ``nodes``."""
    return list(_walk(structure))


def get_nodes(structure: Any) -> list[Node]:
    """All nodes in document order, without their ``nodes``."""
    return [{key: value for key, value in node.items() if key != "nodes"} for node in _walk(structure)]


def get_leaf_nodes(structure: Any) -> list[Node]:
    """The nodes that have none below them, without ``nodes``."""
    return [{k: v for k, v in node.items() if k != "nodes"} for node in _walk(structure) if not node.get("nodes")]


def is_leaf_node(data: Any, node_id: str) -> bool:
    """Whether a node has none below it; False where there is no such node."""
    return any(node.get("node_id") == node_id and not node.get("nodes") for node in _walk(data))


def write_node_id(data: Any, node_id: int = 0) -> int:
    """Number the nodes in document order, from ``node_id`` on, in place; returns the number after the last."""
    for node in _walk(data):
        node["node_id"] = f"{node_id:04}"
        node_id += 1
    return node_id


def get_node_map(tree: Any) -> dict[str, Node]:
    """Nodes by id."""
    return {node["node_id"]: node for node in _walk(tree) if node.get("node_id")}


def get_node(tree: Any, node_id: str) -> Node | None:
    """A node by its id; None where there is none."""
    return get_node_map(tree).get(node_id)


def get_node_path(tree: Any, node_id: str) -> list[Node]:
    """The nodes from the top down to one, itself included; empty where there is none."""
    return next((path for path in _paths(tree, []) if path[-1].get("node_id") == node_id), [])


def get_node_parent(tree: Any, node_id: str) -> Node | None:
    """The node above one; None at the top."""
    path = get_node_path(tree, node_id)
    return path[-2] if len(path) > 1 else None


def _paths(structure: Any, above: list[Node]) -> Iterator[list[Node]]:
    nodes = structure if isinstance(structure, list | tuple) else [structure]
    for node in nodes:
        if "title" not in node and "node_id" not in node:
            yield from _paths(node.get("structure") or node.get("nodes") or [], above)
            continue
        path = [*above, node]
        yield path
        yield from _paths(node.get("nodes") or [], path)


def create_node_mapping(tree: Any, include_page_ranges: bool = False, max_page: int | None = None) -> dict[str, Any]:
    """Nodes by id; with ``include_page_ranges`` ``{id: {node, start_index, end_index}}``, the last one ending at ``max_page``."""
    nodes = [node for node in _walk(tree) if node.get("node_id")]
    if not include_page_ranges:
        return {node["node_id"]: node for node in nodes}
    return {
        node["node_id"]: {
            "node": node,
            "start_index": node.get("start_index", node.get("page_index")),
            "end_index": node.get("end_index", max_page),
        }
        for node in nodes
    }


def remove_fields(data: Any, fields: Sequence[str] = ("text",), max_len: int | None = None) -> Any:
    """A copy without these fields; with ``max_len``, longer texts are cut and end in an ellipsis."""
    if isinstance(data, dict):
        return {key: remove_fields(value, fields, max_len) for key, value in data.items() if key not in fields}
    if isinstance(data, list):
        return [remove_fields(item, fields, max_len) for item in data]
    if isinstance(data, str) and max_len is not None and len(data) > max_len:
        return f"{data[:max_len]}…"
    return data


def remove_structure_text(data: Any) -> Any:
    """The tree without ``text``, changed in place and returned."""
    for node in _walk(data):
        node.pop("text", None)
    return data


def print_toc(tree: Any, indent: int = 0) -> None:
    """Titles on standard output, those below indented."""
    for path in _paths(tree, []):
        sys.stdout.write(f"{'  ' * (indent + len(path) - 1)}{path[-1].get('title', '')}\n")


def print_tree(tree: Any, exclude_fields: Sequence[str] | None = None, indent: int = 0) -> None:
    """The tree as JSON on standard output, without some fields: ``text`` and ``page_index`` unless given."""
    cleaned = remove_fields(tree, list(exclude_fields) if exclude_fields is not None else ["text", "page_index"], 40)
    text = json.dumps(cleaned, ensure_ascii=False, indent=2)
    sys.stdout.write("".join(f"{' ' * indent}{line}\n" for line in text.splitlines()))


def print_json(data: Any, max_len: int = 40, indent: int = 2) -> None:
    """JSON on standard output, long texts cut."""
    sys.stdout.write(f"{json.dumps(remove_fields(data, (), max_len), ensure_ascii=False, indent=indent)}\n")


def print_wrapped(text: str, width: int = 100) -> None:
    """Text on standard output, each line wrapped."""
    import textwrap

    for line in text.splitlines():
        sys.stdout.write(f"{textwrap.fill(line, width)}\n")


def count_tokens(text: str, model: str | None = None) -> int:
    """Tokens of a text, as budgets count them; the same for every ``model``."""
    from pageindex.text import tokens

    return tokens.count_tokens(text)


def get_pdf_name(pdf_path: str | Path) -> str:
    """The file's name."""
    return Path(pdf_path).name


def get_number_of_pages(pdf_path: str | Path) -> int:
    """Pages of a PDF, read in a worker; errors as ``PageIndexClient.submit_document``."""
    from pageindex.app.ingest import Request, convert_isolated

    if not Path(pdf_path).exists():
        raise NotFoundError(f"{pdf_path} does not exist", "Give the path of a file.")
    return int(convert_isolated(Request(Path(pdf_path))).facts["page_count"])
