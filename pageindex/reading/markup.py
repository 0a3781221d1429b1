"""What readers of markup share."""

from __future__ import annotations

__all__ = ["names"]


def names(text: str) -> frozenset[str]:
    """Names of elements or properties, written as one string with blanks between them."""
    return frozenset(text.split())
