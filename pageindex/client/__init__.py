"""``PageIndexClient``: everything a program does with a library, in the names that users of the public package know."""

from __future__ import annotations

from pageindex.client.asynchronous import AsyncPageIndexClient
from pageindex.client.client import PageIndexClient

__all__ = ["AsyncPageIndexClient", "PageIndexClient"]
