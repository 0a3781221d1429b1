"""Pages cut into passages: paragraphs, list items, table rows with their heads, captions, headings."""

from pageindex.text.passages.cut import MOST_CHARS, passages_in, passages_on
from pageindex.text.passages.words import heads_words, passage_delivery, passage_words

__all__ = ["MOST_CHARS", "heads_words", "passage_delivery", "passage_words", "passages_in", "passages_on"]
