"""What the tools answer in these tests keeps to the types that they declare, key by key."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from pageindex.store.memory import MemoryLibrary
from pageindex.tools import TOOLS, Reader, call_tool
from tests.support.chat_library import REPORT, add


def closed(schema: Any) -> Any:
    """The schema, with no key allowed that it does not name."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: closed(value) for key, value in schema.items()}
    return made | {"additionalProperties": False} if "properties" in schema else made


@pytest.fixture(scope="module")
def reader() -> Reader:
    library = MemoryLibrary()
    add(library, "acme.txt", REPORT)
    add(library, "other.txt", ["# Other\nNothing of interest stands here."])
    folder = library.create_folder("Reports")
    library.update(library.resolve("other.txt").doc_id, metadata={"year": 2022}, folder_id=folder.folder_id)
    return Reader(library, vision=True, management=True)


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("browse_documents", {}),
    ("browse_documents", {"recursive": True, "limit": 1}),
    ("browse_documents", {"query": "revenue", "sort": "relevance"}),
    ("search_documents", {"query": "revenue"}),
    ("search_documents", {"query": "revenue page 3", "doc_name": "acme.txt"}),
    ("search_documents", {"query": "zeppelin"}),
    ("search_documents", {"query": "interest", "where": {"year": 2022}}),
    ("get_document", {"doc_name": "acme.txt"}),
    ("get_document_structure", {"doc_name": "acme.txt"}),
    ("get_document_structure", {"doc_name": "acme.txt", "depth": 1, "summaries": False}),
    ("get_document_structure", {"doc_name": "acme.txt", "node_id": "0002"}),
    ("get_page_content", {"doc_name": "acme.txt", "pages": "1-4"}),
    ("get_page_content", {"doc_name": "acme.txt", "node_id": "0002"}),
    ("get_page_tables", {"doc_name": "acme.txt", "page": "3"}),
    ("check_claims", {"doc_name": "acme.txt", "claims": [{"text": "Revenue rose.", "quotes": ["Revenue rose"]}]}),
    ("check_claims", {"doc_name": "acme.txt", "claims": [{"text": "It was 4,512.", "numbers": ["4,512"]}]}),
    ("remove_document", {"doc_names": ["other.txt", "nothing.txt"]}),
]


@pytest.mark.parametrize(("name", "arguments"), CALLS, ids=lambda value: str(value)[:50])
def test_a_success_holds_what_is_declared_and_nothing_else(
    reader: Reader, name: str, arguments: dict[str, Any]
) -> None:
    (tool,) = [tool for tool in TOOLS if tool.name == name]
    envelope = call_tool(reader, name, arguments)
    assert "errorCode" not in envelope
    schema = closed(tool.result_schema())
    schema["properties"]["next_steps"].pop("additionalProperties")
    jsonschema.validate(envelope, schema)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_each_tool_declares_its_data(tool: Any) -> None:
    declared = set(tool.result_schema()["properties"])
    assert {"success", "error", "errorCode", "next_steps"} < declared
    jsonschema.Draft202012Validator.check_schema(tool.result_schema())
