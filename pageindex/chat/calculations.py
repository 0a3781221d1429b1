"""Calculations of an answer, ``9.2% [= (4512 - 4130) / 4130]``, as the checker of claims wants them: printed inputs by number, and an expression.

The model writes the figures; code looks them up in what was read and cited, and derives the result anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from pageindex.app.document import OpenDocument
from pageindex.chat.sentences import Spoken
from pageindex.document import Evidence, PageRange
from pageindex.evidence.claims import QuoteRef
from pageindex.evidence.declared import Declared
from pageindex.evidence.numbers.tokens import number_tokens

__all__ = ["declared_calculations", "input_quotes"]

#: Constants that a calculation may use though no page prints them: counts of units within units.
_FREE = frozenset({"1", "4", "7", "12", "52", "100", "1000", "10000", "1000000"})
_CONSTANT = re.compile(r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?(?![\w.])")
_SIGNS = re.compile(r"[$€£¥%]")
_MOST_INPUTS = 12


def declared_calculations(body: str, sentence: Spoken) -> list[Declared]:
    """The inputs and results of a sentence's calculations; a result refers to its inputs as ``n1``, ``n2`` …"""
    declared: list[Declared] = []
    for mark in sentence.calculations:
        results = list(number_tokens(body[sentence.start : mark.start]))
        if not results:
            continue
        places: dict[str, int] = {}
        for match in _CONSTANT.finditer(mark.expression):
            core = match.group().replace(",", "")
            if core not in _FREE and core not in places and len(places) < _MOST_INPUTS:
                declared.append(Declared(match.group()))
                places[core] = len(declared)

        def named(match: re.Match[str], places: dict[str, int] = places) -> str:
            core = match.group().replace(",", "")
            return f"n{places[core]}" if core in places else core

        expression = _CONSTANT.sub(named, _SIGNS.sub("", mark.expression))
        result = body[sentence.start : mark.start][results[-1].start : results[-1].end]
        declared.append(Declared(result, expr=expression))
    return declared


def input_quotes(document: OpenDocument, numbers: Sequence[Declared], read: Sequence[PageRange]) -> Iterator[QuoteRef]:
    """For each input, the first line of what was read that prints it, by its handle."""
    for number in numbers:
        wanted = {token.magnitude for token in number_tokens(number.as_printed)} if number.expr is None else set()
        place = _first_line(document, wanted, read) if wanted else None
        if place is not None:
            evidence = Evidence.of(document.edition, place.page, place.start, place.end)
            yield QuoteRef(handle=str(evidence.handle))


def _first_line(document: OpenDocument, wanted: set[Fraction | None], read: Sequence[PageRange]) -> PageRange | None:
    for place in read:
        page, at = document.edition.page(place.page), place.start
        for line in page.words(place.start, place.end).split("\n"):
            size = len(line.encode("utf-8", "surrogatepass"))
            if wanted <= {token.magnitude for token in number_tokens(line)}:
                return PageRange(place.page, at, at + size)
            at += size + 1
    return None
