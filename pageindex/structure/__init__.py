"""Edition → section tree, without a model: sources, their fusion, exact spans."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pageindex.structure.build import build_tree

__all__ = ["VERSION", "build_tree"]

VERSION = 3  #: Raised whenever the same edition gets another tree: what was added before is then built anew.


def __getattr__(name: str) -> Any:
    # The version is asked for far more often than a tree is built.
    if name == "build_tree":
        from pageindex.structure.build import build_tree

        return build_tree
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
