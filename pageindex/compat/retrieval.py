"""Queries as the public client submits them: asked now, fetched by an id."""

from __future__ import annotations

import secrets
from threading import Lock
from typing import Any

from cachetools import LRUCache

from pageindex.app import shapes
from pageindex.app.document import OpenDocument
from pageindex.errors import NotFoundError

__all__ = ["Retrievals"]

_MOST_KEPT = 256


class Retrievals:
    """Results of queries, the last 256 of a client."""

    def __init__(self) -> None:
        self._kept: LRUCache[str, dict[str, Any]] = LRUCache(_MOST_KEPT)
        self._lock = Lock()

    def add(self, document: OpenDocument, query: str, found: shapes.SearchPage) -> str:
        """Keep what a search found, by section; returns its id."""
        nodes: dict[str, dict[str, Any]] = {}
        for hit in found["hits"]:
            section = document.find_section(hit["node_id"])
            node = nodes.setdefault(
                section.node_id, {"title": section.title, "node_id": section.node_id, "relevant_contents": []}
            )
            text = document.page(hit["page"]).text
            node["relevant_contents"].append({"page_index": hit["page"], "relevant_content": text})
        name = secrets.token_hex(8)
        result = {
            "retrieval_id": name,
            "doc_id": document.doc_id,
            "status": "completed",
            "query": query,
            "retrieved_nodes": list(nodes.values()),
        }
        with self._lock:
            self._kept[name] = result
        return name

    def get(self, name: str) -> dict[str, Any]:
        """A result by its id; NotFoundError when it is not kept any more."""
        with self._lock:
            found = self._kept.get(name)
        if found is None:
            raise NotFoundError(f"no result is kept as {name!r}", "Submit the query again.")
        return found
