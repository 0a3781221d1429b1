"""Where users of the public package import tree helpers from; ``pageindex.compat.trees`` holds them."""

from typing import Any

from pageindex.compat import trees
from pageindex.compat.trees import *  # noqa: F403 - the same names

__all__ = trees.__all__


def __getattr__(name: str) -> Any:
    text = f"pageindex.utils has no {name!r} here. It has {', '.join(__all__)}; see docs/compat.md for what does the job of others."
    raise AttributeError(text)
