"""Links on contents pages: where a row carries one, its target is where the entry leads, whatever number is printed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from pageindex.document import Link
from pageindex.structure.contents.entries import Entry
from pageindex.structure.contents.rows import Row

__all__ = ["follow_links"]


def follow_links(found: Sequence[Entry], links: Sequence[Link]) -> list[Entry]:
    """Entries with the page their link leads to. Rows without a link, or whose links disagree, stay as they are.

    A row's link is the nearest of those within whose height the middle of the row lies and that overlap it in width. Links back to
    the contents page itself count for nothing.
    """
    by_page: dict[int, list[Link]] = defaultdict(list)
    for link in links:
        if link.target != link.page:
            by_page[link.page].append(link)
    if not by_page:
        return list(found)
    return [_followed(entry, by_page) for entry in found]


def _followed(entry: Entry, by_page: dict[int, list[Link]]) -> Entry:
    links = (_link_of(row, by_page.get(row.page, ())) for row in (*entry.above, entry.row))
    targets = {link.target for link in links if link is not None}
    return replace(entry, page=targets.pop(), link=True) if len(targets) == 1 else entry


def _link_of(row: Row, links: Sequence[Link]) -> Link | None:
    middle = (row.y0 + row.y1) / 2
    here = [
        link for link in links if link.box.y0 <= middle <= link.box.y1 and link.box.x0 < row.x1 and row.x0 < link.box.x1
    ]
    return min(here, key=lambda link: abs((link.box.y0 + link.box.y1) / 2 - middle), default=None)
