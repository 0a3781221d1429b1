"""Words on the pages of one document, found without an index."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pageindex.app.document import OpenDocument
from pageindex.document import Page, Section
from pageindex.document.offsets import byte_of
from pageindex.errors import InputError
from pageindex.text.shown import shown_page

__all__ = ["WordHit", "find_words"]

_PART = re.compile(r'"([^"]+)"|(\S+)')
_GAP = "[\\s\u00ad\u0002]+"  # U+0002 stands for a hyphen at a line's end in PDFium's text
_MARGIN = 60  #: Characters of context on each side of a snippet's first match.


@dataclass(frozen=True, slots=True)
class WordHit:
    """A page that holds all the words.

    Attributes:
        page: Physical.
        label: Printed number where it differs.
        section: The deepest that holds the first match.
        snippet: The first match with the words around it, on one line.
        matches: Byte ranges in the page's UTF-8 text, in order.
    """

    page: int
    label: str | None
    section: Section
    snippet: str
    matches: tuple[tuple[int, int], ...]


def find_words(document: OpenDocument, query: str) -> list[WordHit]:
    """Pages that hold every word of the query; words in double quotes stand together, whatever white space parts them.

    Case does not matter. Sorted by page. Raises InputError (EMPTY_QUERY) when there is no word.
    """
    patterns = list(_patterns(query))
    if not patterns:
        raise InputError("there is nothing to look for", "Give one or more words.", code="EMPTY_QUERY")
    hits: list[WordHit] = []
    for page in document.edition.pages:
        found = [list(pattern.finditer(page.text)) for pattern in patterns]
        if all(found):
            hits.append(_hit(document, page, sorted(match.span() for matches in found for match in matches)))
    return hits


def _patterns(query: str) -> Iterator[re.Pattern[str]]:
    for phrase, word in _PART.findall(query):
        words = (phrase or word).split()
        if words:
            yield re.compile(_GAP.join(re.escape(part) for part in words), re.IGNORECASE)


def _hit(document: OpenDocument, page: Page, spans: list[tuple[int, int]]) -> WordHit:
    matches = tuple((_bytes(page.text, start), _bytes(page.text, end)) for start, end in spans)
    before, after = max(0, spans[0][0] - _MARGIN), min(len(page.text), spans[0][1] + _MARGIN)
    around = shown_page(document.edition, page.number, _bytes(page.text, before), _bytes(page.text, after)).text
    around = around or page.text[before:after]  # the words may stand in a running line alone
    return WordHit(
        page=page.number,
        label=document.label(page.number),
        section=document.section_at(page.number, matches[0][0]),
        snippet=" ".join(around.split()),
        matches=matches,
    )


def _bytes(text: str, characters: int) -> int:
    return byte_of(text, characters)
