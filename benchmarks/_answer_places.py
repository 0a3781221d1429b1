"""Where on its pages the answer to a question stands: the passages that a reader must have read.

The sets name pages, not places. On each answer page the passages are those that print the numbers of the answer (and of its justification, where the
set gives one); where it has no numbers, or the page prints none of them, those that hold most of its words; and where no passage holds half
of them, all of the page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from benchmarks._qa import Question
from pageindex.document import Edition, Passage, PassageKind, Tree
from pageindex.text.passages import passage_words, passages_on
from pageindex.text.words import Stemmer, fold, words

__all__ = ["answer_passages"]

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_YEAR = re.compile(r"(?:19|20)\d\d")
ENOUGH = 0.5  #: Share of the answer's words that a passage must hold.
SHORTEST_WORD = 3


def answer_passages(question: Question, edition: Edition, tree: Tree, page: int) -> Sequence[Passage]:
    """The passages of an answer page that hold the answer, in order."""
    found = [one for one in passages_on(edition, tree, page) if one.kind is not PassageKind.HEADING]
    texts = [passage_words(edition, one) for one in found]
    asked = _numbers(question.text)
    wanted = {number for number in _numbers(f"{question.answer} {question.reasons}") if number not in asked}
    telling = {number for number in wanted if not (_YEAR.fullmatch(number) or len(number) == 1)} or wanted
    chosen = [one for one, text in zip(found, texts, strict=True) if telling & _numbers(text)]
    return chosen or _by_words(question, tree, found, texts) or found


def _numbers(text: str) -> set[str]:
    return {match.replace(",", "").rstrip(".") for match in _NUMBER.findall(text)}


def _by_words(question: Question, tree: Tree, found: Sequence[Passage], texts: Sequence[str]) -> Sequence[Passage]:
    stemmer = Stemmer(tree.language)
    answer = _stems(question.answer, stemmer) - _stems(question.text, stemmer)
    if not answer:
        return ()
    shares = [len(answer & _stems(text, stemmer)) / len(answer) for text in texts]
    best = max(shares, default=0.0)
    return [one for one, share in zip(found, shares, strict=True) if share == best] if best >= ENOUGH else ()


def _stems(text: str, stemmer: Stemmer) -> set[str]:
    return {stemmer.stem(word) for word in words(fold(text)) if len(word) >= SHORTEST_WORD}
