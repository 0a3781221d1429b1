"""The way from an edition to its tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pageindex.document import Edition, Note, Position, Section, Span, Tree, TreeSource
from pageindex.limits import DEFAULT_LIMITS, Limits
from pageindex.structure import alike, bookmarks, doc_title, pages, tags
from pageindex.structure.candidate import SourceHeadings
from pageindex.structure.contents import source as contents
from pageindex.structure.contents.entries import TitleIndex
from pageindex.structure.facts import Facts
from pageindex.structure.fuse import fuse, pick_frame
from pageindex.structure.layout import source as layout
from pageindex.structure.parts import with_parts
from pageindex.structure.spans import has_text, sections
from pageindex.structure.title_locator import TitleLocator
from pageindex.text import language

__all__ = ["all_sources", "build_tree"]

TRUSTED = 0.8  #: Trust from which on an outline tells how headings are set.


def build_tree(edition: Edition, *, limits: Limits = DEFAULT_LIMITS) -> Tree:
    """The section tree of an edition. Never fails for want of headings: then there is one node per page.

    Args:
        edition: What was read.
        limits: ``depth`` caps the tree.
    """
    facts = Facts(edition)
    results = all_sources(facts)
    passed = frozenset().union(*(each.listed for each in results))
    frame = pick_frame(results)
    if frame is not None and frame.source is TreeSource.BOOKMARK and frame.trust >= TRUSTED:
        results.append(alike.find_headings(frame, facts, passed))
    headings, source = fuse(results, facts)
    if source in (TreeSource.CONTENTS, TreeSource.LAYOUT):
        headings = with_parts(headings, facts, passed)
    confidence = next((each.confidence for each in results if each.source is TreeSource.LAYOUT), None)
    made = sections(edition, headings or pages.headings(edition), limits.depth)
    return Tree(
        edition=edition.id,
        title=doc_title.find(facts, passed),
        language=language.guess(edition),
        sections=made,
        end=edition.end,
        toc_source=source,
        confidence=_rounded(confidence) if source in (TreeSource.CONTENTS, TreeSource.LAYOUT) else None,
        notes=(*_notes(results, source), *_empty_ones(edition, made)),
    )


def _rounded(confidence: float | None) -> float | None:
    return None if confidence is None else round(confidence, 2)


def all_sources(facts: Facts) -> list[SourceHeadings]:
    """What each source says, most trusted kinds first. Formats that mark their headings need no other source."""
    marked = tags.find_headings(facts, TitleLocator(facts))
    if marked.trust >= 1.0:
        return [marked]
    listed = contents.find_headings(facts)
    locator = TitleLocator(facts, listed.listed)
    outline = bookmarks.find_headings(facts, TitleIndex(facts, set(listed.listed)), locator)
    return [outline, listed, marked, layout.find(facts, listed)]


def _notes(results: list[SourceHeadings], source: TreeSource) -> tuple[Note, ...]:
    """What the sources noted, without the complaints of one that was not used for anything."""
    notes = [note for result in results if result.candidates or result.notes for note in result.notes]
    if source is TreeSource.PAGE:
        notes.append(Note("NO_HEADINGS", "no headings were found; the tree has one node per page"))
    return tuple(dict.fromkeys(notes))


def _empty_ones(edition: Edition, made: Sequence[Section]) -> Iterator[Note]:
    """Sections without any text, and why: nothing stands there, or what follows begins in the same place."""
    for top in made:
        for section, _ in top.walk():
            if section.source is not TreeSource.PAGE and not has_text(edition, section.span):
                page = section.start_index
                why = _why_empty(edition, section.span)
                yield Note("SECTION_EMPTY", f"section {section.node_id} '{section.title}' has no text: {why}", page)


def _why_empty(edition: Edition, span: Span) -> str:
    data = edition.page(span.start.page).data
    if not has_text(edition, Span(Position(span.start.page, 0), Position(span.start.page, len(data)))):
        return "its page has no text"
    own = data[slice(*span.on_page(span.start.page, len(data)))]
    if own.strip():
        return "it is printed only as a running line"
    return "its title is not printed, and the next section begins there"
