"""Refine: make a tree cheaper to read, let a model add what is printed and pays, and describe it.

Names are imported when they are first used: what a section says in its own words needs no model, and is asked for with every file.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pageindex.refine.cost import Costs, Pricing, costs
    from pageindex.refine.estimate import Estimate
    from pageindex.refine.result import Problem, Refined, RefineStatus
    from pageindex.refine.run import arefine, refine
    from pageindex.refine.validator import Refusal

_HOMES = {
    "Costs": "cost",
    "Estimate": "estimate",
    "Pricing": "cost",
    "Problem": "result",
    "RefineStatus": "result",
    "Refined": "result",
    "Refusal": "validator",
    "arefine": "run",
    "costs": "cost",
    "refine": "run",
}

__all__ = [
    "Costs",
    "Estimate",
    "Pricing",
    "Problem",
    "RefineStatus",
    "Refined",
    "Refusal",
    "arefine",
    "costs",
    "refine",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
