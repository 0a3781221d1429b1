"""Edition → section tree, without a model: witnesses, their fusion, exact spans."""

from pageindex.structure.build import build_tree

__all__ = ["build_tree"]
