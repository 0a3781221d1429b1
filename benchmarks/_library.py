"""What the package makes of a file, through its public client alone: ``python -m benchmarks._library FILE``.

A request on standard input, ``{"pages": [NUMBER], "quotes": [{"text", "page", "page_end"?}]}``, one answer on standard output::

    {"count", "pages": [{"page", "text", "state"}], "nodes": [{"title", "level", "start", "end", "printed", "source", "first", "last",
     "shown"}], "quotes": [{"status", "found_pages"}]}

``pages`` hold the anchor text; ``shown`` is what a person reads of the section itself, without its subsections.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pageindex import PageIndexClient


def asked(
    file: Path, pages: Sequence[int], quotes: Sequence[dict[str, Any]], timeout: float, *, sections: bool = True
) -> dict[str, Any]:
    """The answer to a request, from a process of its own. Raises TimeoutExpired, or CalledProcessError where the file is refused."""
    request = {"pages": list(pages), "quotes": list(quotes), "sections": sections}
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks._library", str(file)],
        input=json.dumps(request).encode(),
        capture_output=True,
        timeout=timeout,
        check=True,
        cwd=Path(__file__).parents[1],
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def _described(path: str, request: dict[str, Any]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder, PageIndexClient(storage_path=folder) as client:
        doc_id = client.submit_document(path)["doc_id"]
        count = client.get_document(doc_id)["page_count"]
        wanted = ",".join(str(page) for page in request["pages"] if page <= count)
        pages = client.get_page_content(doc_id, wanted, raw=True) if wanted else []
        nodes: list[dict[str, Any]] = []
        if request["sections"]:
            _walk(client.get_tree(doc_id, include_text=True)["result"], 1, nodes)
        quotes = []
        for quote in request["quotes"]:
            found = client.locate(doc_id, quote["text"], quote["page"], quote.get("page_end"))
            quotes.append({"status": found["status"], "found_pages": list(found["found_pages"])})
        texts = [{"page": page["page_index"], "text": page["markdown"], "state": page["state"]} for page in pages]
        return {"count": count, "pages": texts, "nodes": nodes, "quotes": quotes}


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


if __name__ == "__main__":
    json.dump(_described(sys.argv[1], json.load(sys.stdin)), sys.stdout)
