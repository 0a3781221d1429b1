"""What tests of formats without pages ask of an edition."""

from __future__ import annotations

from pageindex.document import Edition

__all__ = ["assert_tags_point_at_their_titles", "titles", "whole"]


def whole(edition: Edition) -> str:
    """The text of all pages."""
    return "".join(page.text for page in edition.pages)


def titles(edition: Edition) -> list[tuple[int, str]]:
    """Level and title of every marked heading."""
    return [(tag.level, tag.title) for tag in edition.tags]


def assert_tags_point_at_their_titles(edition: Edition) -> None:
    for tag in edition.tags:
        assert tag.start is not None
        printed = edition.page(tag.page).data[tag.start :].decode()
        assert " ".join(printed.split()).startswith(tag.title)
