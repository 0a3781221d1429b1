"""The source of marked headings: tagged PDF, and formats in which headings are marked as such."""

from __future__ import annotations

from collections.abc import Sequence

from pageindex.document import HeadingTag, Note, TreeSource
from pageindex.structure.candidate import Candidate, SourceHeadings
from pageindex.structure.facts import Facts
from pageindex.structure.title_locator import Printed, TitleLocator, wanted
from pageindex.structure.titles import clean

__all__ = ["find_headings"]

MIN_COVERAGE = 0.3  #: Share of the text that must stand under tags before heading tags mean anything.
MIN_PRINTED = 0.7  #: Share of tagged headings that must be printed where they claim to be.
LONGEST = 160  #: Characters beyond which a tagged heading is a paragraph.
TRUST_PDF = 0.8


def find_headings(facts: Facts, locator: TitleLocator) -> SourceHeadings:
    """Headings by their tags. Trust is 1 where the format itself marks headings, and 0 where tags are sparse or no headings."""
    edition = facts.edition
    tags = [tag for tag in edition.tags if tag.level > 0 and clean(tag.title)]
    if not tags:
        return SourceHeadings(TreeSource.TAG)
    if all(page.has_flag("virtual") for page in edition.pages):
        return SourceHeadings(TreeSource.TAG, tuple(_candidates(tags, facts, locator)), 1.0, complete=True)
    doubt = _doubt(tags, facts)
    candidates = _candidates([tag for tag in tags if len(tag.title) <= LONGEST], facts, locator)
    printed = sum(candidate.heading is not None for candidate in candidates)
    if not doubt and printed < MIN_PRINTED * len(candidates):
        doubt = f"{printed} of {len(candidates)} tagged headings are printed where they are tagged"
    if doubt:
        return SourceHeadings(TreeSource.TAG, tuple(candidates), 0.0, notes=(Note("TAGS_IGNORED", doubt),))
    pages = {candidate.page for candidate in candidates}
    complete = len(candidates) >= 5 and max(pages) - min(pages) >= edition.page_count // 2
    return SourceHeadings(TreeSource.TAG, tuple(candidates), TRUST_PDF, complete=complete)


def _doubt(tags: Sequence[HeadingTag], facts: Facts) -> str:
    """Why the tags are not to be trusted; empty when nothing speaks against them."""
    if facts.edition.tag_coverage < MIN_COVERAGE:
        return f"tags cover {facts.edition.tag_coverage:.0%} of the text"
    long = sum(len(tag.title) > LONGEST for tag in tags)
    if long > 0.2 * len(tags):
        return f"{long} of {len(tags)} tagged headings are paragraphs"
    if len(tags) > 0.35 * max(len(facts.lines), 1):
        return f"{len(tags)} heading tags on {len(facts.lines)} lines"
    return ""


def _candidates(tags: Sequence[HeadingTag], facts: Facts, locator: TitleLocator) -> list[Candidate]:
    found, last = [], -1
    for tag in tags:
        spot = _spot(tag, facts, locator, last)
        if spot is not None:
            last = spot.last
        found.append(
            Candidate(
                title=clean(tag.title),
                page=tag.page,
                byte=spot.start if spot else tag.start or 0,
                heading=(spot.start, spot.end) if spot else None,
                level=tag.level,
                source=TreeSource.TAG,
                why=f"tagged H{tag.level}",
            )
        )
    return found


def _spot(tag: HeadingTag, facts: Facts, locator: TitleLocator, last: int) -> Printed | None:
    """Where the tag says it is, else where its title is printed on the page."""
    if tag.start is not None:
        for index in facts.on(tag.page):
            line = facts.lines[index]
            if line.start <= tag.start < line.end:
                found = locator.find(wanted(tag.title), tag.page, y=line.box.y0)
                near = found is not None and found.first <= index <= found.last
                return found if near else Printed(index, index, line.start, line.end, 1.0)
    return locator.find(wanted(tag.title), tag.page, after=last)
