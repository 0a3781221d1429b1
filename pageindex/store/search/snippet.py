"""Where on a page a hit shows: the bytes of the few lines that hold most of the query."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pageindex.document.offsets import byte_of, byte_size
from pageindex.store.search.wording import searchable
from pageindex.text.words import words

__all__ = ["snippet_ranges"]

LINES = 3  #: Lines of a snippet.
LONGEST_LINE = 200  #: Characters; longer ones (paragraphs of formats without printed lines) are cut between words.
MOST = 2

_PIECE = re.compile(r"[^\r\n\f]+")
_CUT = re.compile(rf".{{1,{LONGEST_LINE}}}(?:\s+|$)|\S{{1,{LONGEST_LINE}}}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Piece:
    start: int
    end: int
    found: frozenset[str]


def snippet_ranges(text: str, worth: Mapping[str, float], by_form: Mapping[str, str]) -> Sequence[tuple[int, int]]:
    """Byte ranges of a page's text, the one with the most of the query first; the page's first lines where it holds nothing.

    Args:
        text: The page's text as stored.
        worth: Weight of each query word.
        by_form: The query word of each form printed in the document.
    """
    pieces = _pieces(text, by_form)
    if not pieces:
        return ()
    windows = [pieces[i : i + LINES] for i in range(len(pieces))]
    best = max(range(len(windows)), key=lambda i: (_value(windows[i], worth), -i))
    chosen = [best]
    missing = {word: weight for word, weight in worth.items() if not any(word in p.found for p in windows[best])}
    apart = [i for i in range(len(windows)) if abs(i - best) >= LINES]
    second = max(apart, key=lambda i: (_value(windows[i], missing), -i), default=best)
    if second != best and _value(windows[second], missing) > 0:
        chosen.append(second)
    return [_bytes(text, _trimmed(windows[i])) for i in chosen[:MOST]]


def _pieces(text: str, by_form: Mapping[str, str]) -> Sequence[_Piece]:
    pieces = []
    for line in _PIECE.finditer(text):
        for cut in _CUT.finditer(line.group()):
            bare = cut.group().strip()
            if bare:
                start = line.start() + cut.start() + cut.group().index(bare)
                found = frozenset(by_form[word] for word in words(searchable(bare)) if word in by_form)
                pieces.append(_Piece(start, start + len(bare), found))
    return pieces


def _value(window: Sequence[_Piece], worth: Mapping[str, float]) -> float:
    found = frozenset().union(*(piece.found for piece in window))
    # A line that holds something at the top of the window, rather than at its end, keeps what follows in view.
    return math.fsum(worth.get(word, 0.0) for word in found) * (1.0 if window[0].found else 0.9)


def _trimmed(window: Sequence[_Piece]) -> tuple[int, int]:
    return window[0].start, window[-1].end


def _bytes(text: str, span: tuple[int, int]) -> tuple[int, int]:
    start = byte_of(text, span[0])
    return start, start + byte_size(text[span[0] : span[1]])
