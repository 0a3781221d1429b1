"""``standard`` mode: where layout found nothing, titles of a bare contents page and a model's proposals make the tree.

The same validator decides, and pages never leave coverage: whatever no heading claims stays under the page node before it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from pageindex.config import Settings
from pageindex.document import Edition, Position, Section, Span, Tree, TreeSource
from pageindex.llm import Model
from pageindex.refine.attempts import Attempts
from pageindex.refine.contents import contents_proposals
from pageindex.refine.edit import Heading, label_of, nested, renumbered
from pageindex.refine.expand import proposals_for
from pageindex.refine.validator import HeadingValidator, Proposal, Refusal

__all__ = ["propose_tree"]

_FEWEST = 2  # one heading says nothing about a document's structure


async def propose_tree(
    validator: HeadingValidator, tree: Tree, model: Model | None, settings: Settings, attempts: Attempts
) -> tuple[Tree, list[Refusal]]:
    """The tree that is printed in the pages, or the one given where fewer than two headings are admitted.

    A contents page is tried first, since it needs no model; else the model reads all page texts, window after window.
    """
    edition = validator.edition
    listed = await asyncio.to_thread(contents_proposals, edition)
    if listed:
        headings, refusals = validator.admit(listed, Span(Position(1, 0), edition.end), "")
        if len(headings) >= _FEWEST:
            return _tree(edition, tree, headings, TreeSource.CONTENTS), refusals
    if model is None:
        return tree, []
    whole = Section("", tree.title or edition.source.name, Span(Position(1, 0), edition.end), TreeSource.PAGE)
    work = proposals_for(edition, whole, (whole.title,), whole.title, model, settings, -1.0)
    proposals: Sequence[Proposal] = await attempts.attempt("", "standard", work) or []
    headings, refusals = validator.admit(proposals, whole.span, "")
    if len(headings) < _FEWEST:
        return tree, refusals
    return _tree(edition, tree, headings, TreeSource.MODEL), refusals


def _tree(edition: Edition, tree: Tree, headings: list[Heading], source: TreeSource) -> Tree:
    first = headings[0].start
    sections = list(nested(edition, headings, edition.end, "+"))
    if source is not TreeSource.MODEL:
        sections = [_from(section, source) for section in sections]
    if first > Position(1, 0):
        sections.insert(0, _before(edition, tree, Span(Position(1, 0), first)))
    numbered, _ = renumbered(sections)
    return replace(tree, sections=numbered, toc_source=source, confidence=None)


def _from(section: Section, source: TreeSource) -> Section:
    return replace(section, source=source, sources=(source.value,))  # a contents page without numbers gives one level


def _before(edition: Edition, tree: Tree, span: Span) -> Section:
    """The pages before the first heading, under the title that page nodes have in this tree."""
    last = span.last_page
    title = f"Pages 1-{last}" if last > 1 else "Page 1"
    page = TreeSource.PAGE
    return Section("+0", title, span, page, (page.value,), label=label_of(edition, span))
