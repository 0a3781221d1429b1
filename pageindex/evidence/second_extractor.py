"""The second extractor: how far another extractor agrees with the anchor, in words and, apart from them, in numbers.

A font fault can leave every word right and every digit wrong, so the numbers are scored for themselves. The second text is compared and
thrown away; it never enters the anchor.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pageindex.document import Edition, PageState
from pageindex.evidence.numbers.tokens import number_tokens
from pageindex.text.folding import fold

__all__ = ["Agreement", "agreement", "agreements"]

_WORD = re.compile(r"[^\W\d_]+|\d+")
_FEWEST_WORDS, _LOWEST_WORDS = 50, 0.85
_FEWEST_NUMBERS, _LOWEST_NUMBERS = 5, 0.90
LOW_AGREEMENT = "low_agreement"


@dataclass(frozen=True, slots=True)
class Agreement:
    """Tokens of the anchor, and the share of tokens (0-1) that both have; numbers are counted for themselves too."""

    words: int
    word_overlap: float
    numbers: int
    number_overlap: float

    @property
    def low(self) -> bool:
        """Whether the two differ so much that the anchor should be doubted."""
        if self.words >= _FEWEST_WORDS and self.word_overlap < _LOWEST_WORDS:
            return True
        return self.numbers >= _FEWEST_NUMBERS and self.number_overlap < _LOWEST_NUMBERS


def agreement(anchor: str, other: str) -> Agreement:
    """Compare two texts of one page as bags of words and bags of numbers (Dice coefficient)."""
    words, other_words = (Counter(_WORD.findall(fold(text).text.casefold())) for text in (anchor, other))
    numbers, other_numbers = (Counter(token.core for token in number_tokens(text)) for text in (anchor, other))
    return Agreement(words.total(), _dice(words, other_words), numbers.total(), _dice(numbers, other_numbers))


def _dice(one: Counter[str], other: Counter[str]) -> float:
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0


def agreements(
    edition: Edition, page_texts: Callable[[Sequence[int]], Mapping[int, str]], *, full: bool = False
) -> dict[int, Agreement]:
    """Agreement by page, for flagged pages or, with ``full``, for all that have text.

    ``page_texts`` gives the second extractor's texts of pages by number (``app.pages.PageReader.second_texts`` of the source); a page that
    it leaves out could not be read by it, and gets no score.
    """
    pages = [p for p in edition.pages if p.state in (PageState.TEXT, PageState.GARBLED) and (full or p.flags)]
    texts = page_texts([page.number for page in pages]) if pages else {}
    return {page.number: agreement(page.text, texts[page.number]) for page in pages if page.number in texts}
