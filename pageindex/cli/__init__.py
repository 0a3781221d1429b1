"""The command line. Importing this package costs nothing; ``main`` brings in what it needs."""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Run the ``pageindex`` command on the arguments of this process."""
    from pageindex.cli.root import app

    app(prog_name="pageindex")
