"""``PageIndexClient``: everything a program does with a library, in the names that users of the public package know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pageindex.client.client import PageIndexClient

if TYPE_CHECKING:
    from pageindex.client.asynchronous import AsyncPageIndexClient

__all__ = ["AsyncPageIndexClient", "PageIndexClient"]


def __getattr__(name: str) -> Any:
    # asyncio costs as much as all the rest of the client.
    if name == "AsyncPageIndexClient":
        from pageindex.client.asynchronous import AsyncPageIndexClient

        return AsyncPageIndexClient
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
