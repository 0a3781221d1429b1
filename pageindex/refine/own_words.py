"""What a section and a document say of themselves, in their own words: no model, no exact token counts, and little to import.

One rule for every format: a section whose text, white space folded, takes at most so many tokens (estimated) is its own summary (kind
``text``); of a longer one these are its first words (kind ``fallback``).
"""

from __future__ import annotations

import re

from pageindex.config import Settings
from pageindex.document import Edition, Position, Section, Span, Summaries, Summary, SummaryKind, Tree, text_sha256
from pageindex.text.shown import shown
from pageindex.text.tokens import cut_estimated, estimate_tokens

__all__ = ["Description", "first_words", "own_summaries", "own_summary", "plain_description"]

_MOST_CHARS = 20_000  # of a section that are looked at
_MOST_TITLES = 12

#: The sentence, where it comes from, and the model's name where it is one's.
Description = tuple[str, SummaryKind, str | None]


def own_summary(edition: Edition, section: Section, threshold: int, most: int) -> Summary:
    """The section's own words: all of them where they take at most ``threshold`` tokens, else the first ``most`` tokens."""
    body = _body(edition, section)[:_MOST_CHARS]
    digest = text_sha256(edition.text(*section.span))
    if estimate_tokens(body) <= threshold:
        return Summary(section.node_id, body or section.title, SummaryKind.TEXT, None, digest)
    return Summary(section.node_id, first_words(body, most), SummaryKind.FALLBACK, None, digest)


def own_summaries(edition: Edition, tree: Tree, settings: Settings) -> Summaries:
    """What can be said of every section and of the document without a model."""
    sections = {
        section.node_id: own_summary(edition, section, settings.summary_threshold, settings.summary_tokens)
        for section, _ in tree.walk()
    }
    return Summaries(edition.id, sections, *plain_description(tree, edition.source.name))


def first_words(text: str, tokens: int) -> str:
    """The beginning of a text, cut at a word, with an ellipsis where something is left out."""
    size = cut_estimated(text, tokens)
    if size >= len(text):
        return text
    at = text.rfind(" ", size // 2, size)
    return text[: at if at > 0 else size].rstrip() + "…"


def plain_description(tree: Tree, name: str) -> Description:
    """Without a model: the document's title and those of its first sections, in their own words."""
    titles = [section.title for section in tree.sections if section.title != tree.title][:_MOST_TITLES]
    sentence = ": ".join(part for part in (tree.title or name, "; ".join(titles)) if part)
    return sentence[:400], SummaryKind.FALLBACK, None


def _body(edition: Edition, section: Section) -> str:
    """The text without its heading, white space folded."""
    body = section.span
    if section.heading is not None:
        body = Span(max(section.start, Position(section.start_index, section.heading[1])), section.end)
    words = shown(edition, body).text if body.start < body.end else ""
    return re.sub(r"\s+", " ", words)
