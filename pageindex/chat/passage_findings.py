"""Passages that an answer cites by number: code prints their words, and what it prints stands on the page by its making."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pageindex.chat.findings import Finding
from pageindex.chat.markup import CitationMark
from pageindex.chat.places import Cited
from pageindex.document import Edition, Evidence, Passage, PassageKind
from pageindex.evidence.status import QuoteStatus, Weight
from pageindex.evidence.wording import language_of, stem_set
from pageindex.text.passages import heads_words, passage_delivery
from pageindex.tools import Reader

__all__ = ["passage_finding"]

_WHOLE = 320  #: Characters of a passage that is printed whole; of a longer one the sentences are, that say what the answer does.
_SENTENCE = re.compile(r"[.!?\u061f][\"'\u201d\u2019\u00bb)\]]*\s+(?=[^a-z])|[\u3002\uff01\uff1f]")


def passage_finding(session: Reader, mark: CitationMark, cited: Cited, said: str) -> Finding:
    """What stands behind ``[3]``: the words of the passage, as a quote that holds, or why there is none.

    ``said`` are the words of the answer before the mark.
    """
    if cited.document is None or cited.given is None:
        text = f"[{mark.passage}]"
        return Finding("citation", text, cited.status, Weight.FAIL, mark.start, mark.end, cited.message)
    edition, passage = cited.document.edition, cited.given.passage
    words, evidence = _printed(edition, passage, said)
    status, message = QuoteStatus.EXACT, ""
    if not all(session.was_delivered(edition.id, place.page, place.start, place.end) for place in cited.ranges[:1]):
        status, message = QuoteStatus.UNREAD, f"passage [{mark.passage}] was never shown whole"
    elif passage.kind is PassageKind.ROW and (heads := heads_words(edition, passage)):
        message = f"under: {heads}"
    return Finding("quote", words, status.value, status.weight, mark.start, mark.end, message, evidence=tuple(evidence))


def _printed(edition: Edition, passage: Passage, said: str) -> tuple[str, list[Evidence]]:
    """The words of a passage that are printed for an answer, and their place; sentences of a long one are left out at both its ends."""
    read = passage_delivery(edition, passage)
    start, end = (0, len(read.text)) if len(read.text) <= _WHOLE else _closest(read.text, said)
    places = read.source(start, end)
    low, high = min(place.start for place in places), max(place.end for place in places)
    return read.text[start:end].strip(), [Evidence.of(edition, passage.page, low, high)]


def _closest(text: str, said: str) -> tuple[int, int]:
    """The characters of the sentences in a row that hold most of what is said, as few as hold it."""
    language = language_of(text)
    wanted, sentences = stem_set([said], language), list(_sentences(text))
    best = (0, len(text))
    most = (-1, 0)
    for first in range(len(sentences)):
        for last in range(first, len(sentences)):
            low, high = sentences[first][0], sentences[last][1]
            if high - low > _WHOLE and last > first:
                break
            found = (len(wanted & stem_set([text[low:high]], language)), low - high)
            if found > most:
                most, best = found, (low, high)
    return best


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for match in _SENTENCE.finditer(text):
        yield at, match.end()
        at = match.end()
    if at < len(text):
        yield at, len(text)
