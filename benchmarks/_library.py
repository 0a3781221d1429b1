"""What the package makes of a file, through its public client alone, as JSON on standard output: ``python -m benchmarks._library FILE``.

``{"pages": [{"page", "text", "state"}], "nodes": [{"title", "id", "level", "start", "end", "printed", "source", "first", "last", "shown"}]}``;
pages hold the anchor text, ``shown`` is what a person reads of the section itself, without its subsections.
"""

from __future__ import annotations

import json
import sys
import tempfile
from typing import Any

from pageindex import PageIndexClient


def described(path: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder, PageIndexClient(storage_path=folder) as client:
        doc_id = client.submit_document(path)["doc_id"]
        document = client.get_document(doc_id)
        pages = client.get_page_content(doc_id, f"1-{document['page_count']}", raw=True)
        nodes: list[dict[str, Any]] = []
        _walk(client.get_tree(doc_id, include_text=True)["result"], 1, nodes)
        texts = [{"page": page["page_index"], "text": page["markdown"], "state": page["state"]} for page in pages]
        return {"pages": texts, "nodes": nodes}


def _walk(level: Any, depth: int, nodes: list[dict[str, Any]]) -> None:
    for node in level:
        nodes.append(
            {
                "title": node["title"],
                "level": depth,
                "start": node["start"],
                "end": node["end"],
                "first": node["start_index"],
                "last": node["end_index"],
                "printed": node["printed"],
                "source": node["source"],
                "shown": node["text"],
            }
        )
        _walk(node.get("nodes", ()), depth + 1, nodes)


def located(path: str, quotes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Where each quote (``{"text", "page", "page_end"?}``) stands: ``{"status", "found_pages"}``."""
    with tempfile.TemporaryDirectory() as folder, PageIndexClient(storage_path=folder) as client:
        doc_id = client.submit_document(path)["doc_id"]
        found = []
        for quote in quotes:
            result = client.locate(doc_id, quote["text"], quote["page"], quote.get("page_end"))
            found.append({"status": result["status"], "found_pages": list(result["found_pages"])})
        return found


if __name__ == "__main__":
    asked = json.load(sys.stdin) if sys.argv[2:] == ["--quotes"] else None
    json.dump(described(sys.argv[1]) if asked is None else located(sys.argv[1], asked), sys.stdout)
