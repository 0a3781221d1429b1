"""The source that never fails: one node per page, grouped by tens, so that no document is refused."""

from __future__ import annotations

from pageindex.document import Edition, TreeSource
from pageindex.structure.spans import Heading, page_title

__all__ = ["headings"]

FANOUT = 10  #: Nodes of one group, and the most that stand side by side before they are grouped.


def headings(edition: Edition) -> list[Heading]:
    """Page nodes under nodes of ten, of a hundred, … pages, in document order."""
    count = edition.page_count
    sizes = [1]
    while count > FANOUT * sizes[-1]:
        sizes.append(sizes[-1] * FANOUT)
    sizes.reverse()
    found = []
    for first in range(1, count + 1):
        for level, size in enumerate(sizes, 1):
            last = min(first + size - 1, count)
            if (first - 1) % size == 0 and (size == 1 or last > first):
                found.append(Heading(page_title(first, last), first, 0, level, TreeSource.PAGE, (TreeSource.PAGE,)))
    return found
