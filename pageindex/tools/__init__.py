"""The agent tools: each a function over a ``Reader``, answering with an envelope, never raising."""

from pageindex.app.reader import Reader, Receipt
from pageindex.tools.browse import browse_documents, get_document, remove_document
from pageindex.tools.claims import check_claims
from pageindex.tools.declare import Tool
from pageindex.tools.envelope import Envelope
from pageindex.tools.find import search_documents
from pageindex.tools.navigate import get_document_structure
from pageindex.tools.read import get_page_content
from pageindex.tools.registry import TOOLS, call_tool, loop_schemas, loop_tools, tool_schemas, tools_of
from pageindex.tools.visuals import get_page_image, get_page_tables

__all__ = [
    "TOOLS",
    "Envelope",
    "Reader",
    "Receipt",
    "Tool",
    "browse_documents",
    "call_tool",
    "check_claims",
    "get_document",
    "get_document_structure",
    "get_page_content",
    "get_page_image",
    "get_page_tables",
    "loop_schemas",
    "loop_tools",
    "remove_document",
    "search_documents",
    "tool_schemas",
    "tools_of",
]
