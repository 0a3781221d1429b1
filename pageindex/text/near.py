"""Names that a person or a model may have meant."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["near_names", "or_near"]

LEAST = 60  #: Likeness (0-100) below which a name is not worth proposing.


def near_names(wanted: str, known: Iterable[str], most: int = 3, *, least: float = LEAST) -> list[str]:
    """The known names most like ``wanted``, best first, those of one likeness in the order given.

    Likeness is rapidfuzz's WRatio (whole, in parts, and with the words in another order). A name is like enough when its words are; what
    is like letter by letter, too, stands first. Letter case does not count.
    """
    from rapidfuzz import fuzz, process, utils

    names = list(dict.fromkeys(known))
    found = process.extract(
        wanted, names, scorer=fuzz.WRatio, processor=utils.default_process, limit=8 * most, score_cutoff=least
    )
    ranked = sorted(
        found, key=lambda item: (-item[1] - fuzz.WRatio(wanted, item[0], processor=str.casefold), names.index(item[0]))
    )
    return [name for name, _, _ in ranked[:most]]


def or_near(near: Iterable[str], otherwise: str) -> str:
    """A next step: ``Did you mean 'a' or 'b'?``, or what to do where nothing is near."""
    names = " or ".join(repr(name) for name in near)
    return f"Did you mean {names}?" if names else otherwise
