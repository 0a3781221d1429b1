"""Words that are spelled almost as one that stands nowhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = ["OF_LENGTH", "near_spellings"]

SHORTEST = 5  #: Letters; of shorter words too many others are one letter away.
LONG = 10  #: Letters from which on two slips are one word still.
MOST = 3

#: The words of a vocabulary, with the number of pages that each is on, whose length is within two bounds.
OF_LENGTH = "select term, sum(doc) from vocabulary where length(term) between ? and ? group by term"


def near_spellings(word: str, known: Mapping[str, int]) -> Sequence[str]:
    """The known words one slip away (a letter wrong, missing, too much, or two exchanged; two in long words), best first.

    Args:
        word: Folded.
        known: Folded words, with the number of pages that each is on.
    """
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    if len(word) < SHORTEST or not word.isalpha():
        return ()
    slips = 2 if len(word) >= LONG else 1
    near = process.extract(word, list(known), scorer=OSA.distance, score_cutoff=slips, limit=None)
    found = [
        (distance, -known[term], term)
        for term, distance, _ in near
        if term.isalpha() and term[0] == word[0] and term != word
    ]
    return [term for *_, term in sorted(found)[:MOST]]
