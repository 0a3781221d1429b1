"""Refine: make a tree cheaper to read, let a model add what is printed and pays, and describe it."""

from pageindex.refine.cost import Costs, Pricing, costs
from pageindex.refine.estimate import Estimate, estimate
from pageindex.refine.merge import merge
from pageindex.refine.result import Problem, Refined, RefineStatus
from pageindex.refine.run import arefine, refine
from pageindex.refine.validator import Refusal

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
    "estimate",
    "merge",
    "refine",
]
