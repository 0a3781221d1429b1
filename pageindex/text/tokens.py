"""How many tokens a text costs.

``tiktoken`` downloads its tables at first use and fails without a network, so the tables inside the installed ``litellm`` wheel are
used, found without importing it. Where neither is there, a regular-expression estimate stands in, and ``method`` says so.
"""

from __future__ import annotations

import importlib.util
import os
import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tiktoken

__all__ = ["count_tokens", "cut_estimated", "cut_tokens", "estimate_tokens", "method"]

ENCODING = "o200k_base"

_PIECE = re.compile(r"[^\W\d_]+|\d{1,3}|[^\w\s]+|_+")


def _tables() -> str | None:
    spec = importlib.util.find_spec("litellm")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        folder = Path(place) / "litellm_core_utils" / "tokenizers"
        if folder.is_dir():
            return str(folder)
    return None


@lru_cache(maxsize=1)
def _encoding() -> tiktoken.Encoding | None:
    import tiktoken

    before = os.environ.get("TIKTOKEN_CACHE_DIR")
    folder = before or _tables()
    if folder is None:
        return None
    os.environ["TIKTOKEN_CACHE_DIR"] = folder
    try:
        return tiktoken.get_encoding(ENCODING)
    except (OSError, ValueError):  # no table, no network (requests' errors are OSErrors)
        return None
    finally:
        if before is None:
            del os.environ["TIKTOKEN_CACHE_DIR"]


def method() -> str:
    """``tiktoken:o200k_base``, or ``estimate`` where no table can be had."""
    return f"tiktoken:{ENCODING}" if _encoding() is not None else "estimate"


def count_tokens(text: str) -> int:
    """Tokens of a text, special tokens counted as plain text; see ``method`` for how."""
    encoding = _encoding()
    return len(encoding.encode_ordinary(text)) if encoding is not None else estimate_tokens(text)


def estimate_tokens(text: str) -> int:
    """A fast estimate without tables: a word piece per about six letters, three digits, punctuation run or CJK character."""
    return sum(map(_estimated, _PIECE.findall(text)))


def _estimated(piece: str) -> int:
    first = piece[0]
    if not first.isalpha() or len(piece) <= 6:
        return 1
    return len(piece) if first >= "\u2e80" else 1 + (len(piece) - 1) // 6


def cut_estimated(text: str, budget: int) -> int:
    """The number of characters of a prefix that costs about ``budget`` tokens, by the same estimate; a long word may be cut in two."""
    left = budget
    for piece in _PIECE.finditer(text):
        price = _estimated(piece[0])
        if price > left:
            return piece.start() + len(piece[0]) * max(left, 0) // price
        left -= price
    return len(text)


def cut_tokens(text: str, budget: int) -> int:
    """The number of characters of the longest prefix that costs at most ``budget`` tokens, found by halving."""
    if budget <= 0:
        return 0
    if len(text) <= budget or count_tokens(text) <= budget:
        return len(text)
    low, high = 0, len(text)
    while high - low > 1:
        middle = (low + high) // 2
        if count_tokens(text[:middle]) <= budget:
            low = middle
        else:
            high = middle
    return low
