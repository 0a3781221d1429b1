"""What shapes a tree besides the bytes of its file: where any of it differs, the same bytes do not give the same tree.

It is kept with the record (``shaped_by``) and, for refining, with the report of the run, so that adding a file again with other options
builds its tree anew and says why, instead of answering *unchanged*.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pageindex.config import Kind, Optimize, Settings, SummaryMode
from pageindex.document import Extractor
from pageindex.limits import Limits

__all__ = ["differences", "refine_options", "tree_options", "tree_shape", "wants_refining"]

#: Limits that decide what is read and how deep the tree is; the others only decide whether a file is read at all.
_SHAPING_LIMITS = ("page_chars", "bookmarks", "depth")


def tree_options(extractor: Extractor, limits: Limits, settings: Settings) -> dict[str, Any]:
    """``{extractor, structure, page_chars, bookmarks, depth, …}`` of a tree that is built now, as JSON values."""
    from pageindex.structure import VERSION

    shaping = {name: getattr(limits, name) for name in _SHAPING_LIMITS}
    reader = f"{extractor.id} {extractor.version}"
    return {"extractor": reader, "structure": VERSION, **shaping, **tree_shape(settings)}


def tree_shape(settings: Settings) -> dict[str, Any]:
    """The settings that shape a tree and what its sections say in their own words: what a worker is told of them."""
    return settings.shape(Kind.STRUCTURE, Kind.WORDS)


def wants_refining(settings: Settings) -> bool:
    """Whether anything beyond the tree and the sections' own words is asked for: the one rule for "refine now?"."""
    return bool(settings.for_index) or settings.optimize == Optimize.MERGE or settings.summaries == SummaryMode.NONE


def refine_options(settings: Settings) -> dict[str, Any]:
    """What of the settings shapes the result of refining, with what they leave open decided, as JSON values; defaults are left out."""
    from pageindex.refine.run import effective

    decided = effective(settings, settings.for_index or None)
    return {"model": settings.for_index, **decided.shape(Kind.REFINE, Kind.SUMMARY, Kind.WORDS)}


def differences(recorded: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[str]:
    """What was recorded otherwise than it is wanted: ``depth is 2, was 64``. What one of them leaves out is its default."""
    names = [name for name in {**wanted, **recorded} if recorded.get(name) != wanted.get(name)]
    return [f"{name.replace('_', ' ')} is {_said(wanted.get(name))}, was {_said(recorded.get(name))}" for name in names]


def _said(value: Any) -> str:
    return "not set" if value in (None, "") else str(value)
