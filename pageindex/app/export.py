"""A document as one Markdown text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pageindex.app.document import OpenDocument
from pageindex.document import Edition, Position, Section, Span
from pageindex.text.delivery import from_page
from pageindex.text.shown import shown_page

__all__ = ["markdown_lines"]

_DEEPEST = 6
_MEANS_SOMETHING = re.compile(r"^(\s*)([#>+*=-]|\d+[.)]|`{3}|~{3})")


def markdown_lines(document: OpenDocument, *, raw: bool = False) -> Iterator[str]:
    """Title, then each section's heading and own text; ``<!-- page 5 (iv) -->`` stands where a page begins.

    Page text is shown, not interpreted: a line that Markdown would take for a heading, a list or a rule is escaped.
    """
    tree, edition = document.tree, document.edition
    yield f"# {tree.title or document.record.name}"
    yield ""
    page = 0
    for section, level in tree.walk():
        yield f"{'#' * min(level + 1, _DEEPEST)} {section.title}"
        yield ""
        for number, text in _pieces(section, edition, raw):
            if number != page:
                page = number
                label = edition.page(number).label
                yield f"<!-- page {number}{f' ({label})' if label and label != str(number) else ''} -->"
            for line in text.splitlines():
                yield _MEANS_SOMETHING.sub(r"\1\\\2", line.rstrip())
        yield ""


def _pieces(section: Section, edition: Edition, raw: bool) -> Iterator[tuple[int, str]]:
    """The section's own text page by page, without the heading that is printed at its start."""
    own = section.own_span
    start = own.start
    if section.heading is not None and section.heading[0] >= start.byte:
        start = max(start, Position(start.page, section.heading[1]))
    if start >= own.end:
        return
    span = Span(start, own.end)
    for number in span.pages:
        first, last = span.on_page(number, len(edition.page(number).data))
        read = from_page(edition, number, first, last) if raw else shown_page(edition, number, first, last)
        yield number, read.text.strip("\r\n")
