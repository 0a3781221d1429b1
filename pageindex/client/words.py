"""Words on the pages of one document, found without an index: for ``find`` and as a stand-in where no index is built."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pageindex.client.shapes import WordHit
from pageindex.document import Edition, Page, Tree
from pageindex.document.position import Position
from pageindex.errors import InputError
from pageindex.text.shown import shown_page

__all__ = ["find_words"]

_PART = re.compile(r'"([^"]+)"|(\S+)')
_GAP = "[\\s\u00ad\u0002]+"  # U+0002 stands for a hyphen at a line's end in PDFium's text
_MARGIN = 60  #: Characters of context on each side of a snippet's first match.


def find_words(edition: Edition, tree: Tree, query: str, *, limit: int = 0) -> list[WordHit]:
    """Pages that hold every word of the query; words in double quotes stand together, whatever white space parts them.

    Case does not matter. Sorted by page. ``limit`` 0 means all. Raises InputError (EMPTY_QUERY) when there is no word.
    """
    patterns = list(_patterns(query))
    if not patterns:
        raise InputError("there is nothing to look for", "Give one or more words.", code="EMPTY_QUERY")
    hits: list[WordHit] = []
    for page in edition.pages:
        found = [list(pattern.finditer(page.text)) for pattern in patterns]
        if all(found):
            spans = sorted(match.span() for matches in found for match in matches)
            hits.append(_hit(edition, page, tree, spans))
            if len(hits) == limit:
                break
    return hits


def _patterns(query: str) -> Iterator[re.Pattern[str]]:
    for phrase, word in _PART.findall(query):
        words = (phrase or word).split()
        if words:
            yield re.compile(_GAP.join(re.escape(part) for part in words), re.IGNORECASE)


def _hit(edition: Edition, page: Page, tree: Tree, spans: list[tuple[int, int]]) -> WordHit:
    ranges = [[_bytes(page.text, start), _bytes(page.text, end)] for start, end in spans]
    section = tree.at(Position(page.number, ranges[0][0]))
    before, after = max(0, spans[0][0] - _MARGIN), min(len(page.text), spans[0][1] + _MARGIN)
    around = shown_page(edition, page.number, _bytes(page.text, before), _bytes(page.text, after))
    hit = WordHit(
        page=page.number,
        node_id=section.node_id,
        section=section.title,
        count=len(spans),
        snippet=" ".join(
            (around.text or page.text[before:after]).split()
        ),  # the words may stand in a running line alone
        matches=ranges,
    )
    if page.label is not None and page.label != str(page.number):
        hit["label"] = page.label
    return hit


def _bytes(text: str, characters: int) -> int:
    return len(text[:characters].encode("utf-8", "surrogatepass"))
