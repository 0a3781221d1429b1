"""Names that a person or a model may have meant."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["near_names", "or_near"]

LEAST = 60  #: Likeness (0-100) below which a name is not worth proposing.


def near_names(wanted: str, known: Iterable[str], most: int = 3, *, least: float = LEAST) -> list[str]:
    """The known names most like ``wanted``, best first; letter case and punctuation do not count.

    Likeness is rapidfuzz's WRatio: whole, in parts, and with the words in another order.
    """
    from rapidfuzz import fuzz, process, utils

    found = process.extract(
        wanted, list(known), scorer=fuzz.WRatio, processor=utils.default_process, limit=most, score_cutoff=least
    )
    return [name for name, _, _ in found]


def or_near(near: Iterable[str], otherwise: str) -> str:
    """A next step: ``Did you mean 'a' or 'b'?``, or what to do where nothing is near."""
    names = " or ".join(repr(name) for name in near)
    return f"Did you mean {names}?" if names else otherwise
