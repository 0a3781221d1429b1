"""Long documents become page-spanning section trees, read under a budget, with every quote checked against the page.

Names are imported when they are first used, so that ``import pageindex`` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pageindex.client import AsyncPageIndexClient
    from pageindex.compat.client import PageIndexClient, PageIndexCloudClient, PageIndexLocalClient
    from pageindex.compat.functions import (
        highlight_region,
        md_to_tree,
        optimize_tree,
        page_index,
        page_index_flash,
        page_index_main,
    )
    from pageindex.compat.types import (
        ChatConfig,
        ChatObject,
        ChatProcessOptions,
        ChatStream,
        CloudIndexConfig,
        IndexConfig,
        LocalIndexConfig,
        MessagesStream,
    )
    from pageindex.document import Edition, Evidence, Section, Summary, Tree
    from pageindex.errors import PageIndexAPIError, PageIndexError
    from pageindex.limits import Limits

__version__ = "0.1.0"

_HOMES = {
    "AsyncPageIndexClient": "pageindex.client",
    "ChatConfig": "pageindex.compat.types",
    "ChatObject": "pageindex.compat.types",
    "ChatProcessOptions": "pageindex.compat.types",
    "ChatStream": "pageindex.compat.types",
    "CloudIndexConfig": "pageindex.compat.types",
    "Edition": "pageindex.document",
    "Evidence": "pageindex.document",
    "IndexConfig": "pageindex.compat.types",
    "Limits": "pageindex.limits",
    "LocalIndexConfig": "pageindex.compat.types",
    "MessagesStream": "pageindex.compat.types",
    "PageIndexAPIError": "pageindex.errors",
    "PageIndexClient": "pageindex.compat.client",
    "PageIndexCloudClient": "pageindex.compat.client",
    "PageIndexError": "pageindex.errors",
    "PageIndexLocalClient": "pageindex.compat.client",
    "Section": "pageindex.document",
    "Summary": "pageindex.document",
    "Tree": "pageindex.document",
    "highlight_region": "pageindex.compat.functions",
    "md_to_tree": "pageindex.compat.functions",
    "optimize_tree": "pageindex.compat.functions",
    "page_index": "pageindex.compat.functions",
    "page_index_flash": "pageindex.compat.functions",
    "page_index_main": "pageindex.compat.functions",
}

__all__ = [
    "AsyncPageIndexClient",
    "ChatConfig",
    "ChatObject",
    "ChatProcessOptions",
    "ChatStream",
    "CloudIndexConfig",
    "Edition",
    "Evidence",
    "IndexConfig",
    "Limits",
    "LocalIndexConfig",
    "MessagesStream",
    "PageIndexAPIError",
    "PageIndexClient",
    "PageIndexCloudClient",
    "PageIndexError",
    "PageIndexLocalClient",
    "Section",
    "Summary",
    "Tree",
    "__version__",
    "highlight_region",
    "md_to_tree",
    "optimize_tree",
    "page_index",
    "page_index_flash",
    "page_index_main",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'pageindex' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
