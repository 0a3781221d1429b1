"""Long documents become page-spanning section trees, read under a budget, with every quote checked against the page.

Names are imported when they are first used, so that ``import pageindex`` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pageindex.client import AsyncPageIndexClient, PageIndexClient
    from pageindex.document import Edition, Evidence, Section, Summary, Tree
    from pageindex.errors import PageIndexError
    from pageindex.limits import Limits

__version__ = "0.1.0"

_HOMES = {
    "AsyncPageIndexClient": "pageindex.client",
    "Edition": "pageindex.document",
    "Evidence": "pageindex.document",
    "Limits": "pageindex.limits",
    "PageIndexClient": "pageindex.client",
    "PageIndexError": "pageindex.errors",
    "Section": "pageindex.document",
    "Summary": "pageindex.document",
    "Tree": "pageindex.document",
}

__all__ = [
    "AsyncPageIndexClient",
    "Edition",
    "Evidence",
    "Limits",
    "PageIndexClient",
    "PageIndexError",
    "Section",
    "Summary",
    "Tree",
    "__version__",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'pageindex' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
