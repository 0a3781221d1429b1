"""Editions and trees for refining, built by code: chapters of plain paragraphs with printed headings."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from pageindex.document import Edition, Position, Section, Span, Tree, TreeSource
from tests.support.evidence_editions import Printed, edition_of

PROSE = (
    "the committee reviewed each request and returned its findings to the office in charge so that later work could rest on a "
    "common view of cost risk and time while all parties kept their own records of what had been agreed and by whom"
)


def paragraph(seed: int, lines: int) -> list[str]:
    """Full lines of prose that end in a stop only at the very end; never a heading."""
    chance, words = random.Random(seed), PROSE.split()
    rows = [" ".join(chance.choice(words) for _ in range(11)) for _ in range(lines)]
    rows[0] = rows[0].capitalize()
    rows[-1] += "."
    return rows


def heading(title: str) -> Printed:
    return Printed(title, size=14.0, font=1, weight=700)


@dataclass(frozen=True)
class Chapter:
    """A chapter that begins on a page of its own.

    Attributes:
        title: Its printed heading.
        parts: Printed headings inside, each with the page of the chapter (0-based) at whose top it stands.
        pages: Length.
        lines: Lines of prose on a page.
    """

    title: str
    parts: Sequence[tuple[str, int]] = ()
    pages: int = 1
    lines: int = 30


def book(*chapters: Chapter, language: str = "", title: str = "A Book") -> tuple[Edition, Tree]:
    """The edition, and a tree that holds the chapters only."""
    pages: list[list[Printed | str]] = []
    starts = []
    for chapter in chapters:
        starts.append(len(pages) + 1)
        for index in range(chapter.pages):
            page: list[Printed | str] = [heading(chapter.title)] if index == 0 else []
            inside = [name for name, at in chapter.parts if at == index]
            for part, name in enumerate(inside or [""]):
                page += [heading(name)] if name else []
                page += paragraph(len(pages) * 10 + part, max(2, chapter.lines // max(1, len(inside))))
            pages.append(page)
    edition = edition_of(*pages)
    return edition, chapter_tree(edition, [c.title for c in chapters], starts, language, title)


def chapter_tree(edition: Edition, titles: Sequence[str], starts: Sequence[int], language: str, title: str) -> Tree:
    ends = [*(Position(start, 0) for start in starts[1:]), edition.end]
    sections = tuple(
        Section(
            f"{number:04d}",
            name,
            Span(Position(start, 0), end),
            TreeSource.BOOKMARK,
            ("bookmark",),
            True,
            (0, len(name.encode())),
        )
        for number, (name, start, end) in enumerate(zip(titles, starts, ends, strict=True), 1)
    )
    return Tree(edition.id, title, sections, edition.end, TreeSource.BOOKMARK, language)


def page_tree(edition: Edition, title: str = "") -> Tree:
    """One node for all pages: what is left when no heading is found."""
    node = Section(
        "0001", f"Pages 1-{edition.page_count}", Span(Position(1, 0), edition.end), TreeSource.PAGE, ("page",)
    )
    return Tree(edition.id, title, (node,), edition.end, TreeSource.PAGE)
