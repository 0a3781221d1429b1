"""Titles from a printed contents page that gives no page numbers.

Such a page betrays itself: many of its lines stand again, whole, on later pages, in the same order. No words are looked for, so this
holds for every language.
"""

from __future__ import annotations

from collections.abc import Sequence

from pageindex.document import Edition
from pageindex.evidence.lines import page_lines
from pageindex.evidence.quotes.headings import HeadingFound, printed_heading
from pageindex.refine.validator import Proposal

__all__ = ["contents_proposals"]

_FRONT_PAGES = 20  # where a contents page is looked for
_FEWEST = 4  # titles that must be found again
_LEAST_SHARE = 0.5  # of the page's lines
_MOST_CHARACTERS = 200


def contents_proposals(edition: Edition) -> list[Proposal]:
    """The titles of the first contents page, each on the page where it is printed again; empty when there is no such page."""
    for page in range(1, min(_FRONT_PAGES, edition.page_count) + 1):
        titles = [line.text.strip() for line in page_lines(edition, page) if line.text.strip()]
        if len(titles) < _FEWEST:
            continue
        found = _followed(edition, titles, page)
        if len(found) >= _FEWEST and len(found) >= _LEAST_SHARE * len(titles):
            return found
    return []


def _followed(edition: Edition, titles: Sequence[str], page: int) -> list[Proposal]:
    """Titles found on later pages, none before the one found before it."""
    found: list[Proposal] = []
    at = page + 1
    misses = 0
    for title in titles:
        place = _next_place(edition, title, at) if len(title) <= _MOST_CHARACTERS else None
        if place is None:
            misses += 1
            if misses > max(_FEWEST, len(titles) * (1 - _LEAST_SHARE)):
                break  # most lines of an ordinary page are found nowhere: stop early
            continue
        found.append(Proposal(title, place, 1, range(place, place + 1)))
        at = place
    return found


def _next_place(edition: Edition, title: str, first: int) -> int | None:
    if first > edition.page_count:
        return None
    answer = printed_heading(edition, title, first)
    if isinstance(answer, HeadingFound):
        return first
    # The refusal names other pages on which the title is a line of its own.
    later = (page for page in answer.pages if page > first)
    return next((page for page in later if isinstance(printed_heading(edition, title, page), HeadingFound)), None)
