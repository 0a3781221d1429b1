"""Which of the passages that were shown say what an answer says: small models often answer rightly and point to the passage beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pageindex.evidence.numbers.tokens import number_tokens
from pageindex.evidence.wording import content_words, language_of, stem_set

__all__ = ["supporting"]

_ENOUGH = 0.5  #: Share of the answer's words that the passages it points to must hold to be left as they are.


def supporting(answer: str, question: str, cited: Sequence[int], shown: Mapping[int, str]) -> list[int]:
    """The numbers of the passages that an answer rests on.

    Those it points to, where they print its numbers and much of its words; else the one that prints most of them comes first, and what
    holds nothing of it is left out. Numbers of passages that were not shown stay: they are a finding.

    Args:
        answer: Its words, without marks.
        question: What was asked: its numbers and words prove nothing.
        cited: As the model gave them.
        shown: The words of each passage, with what stands over it.
    """
    language = language_of(answer)
    asked = stem_set([question], language)
    numbers = {token.core for token in number_tokens(answer)} - {token.core for token in number_tokens(question)}
    stems = {word.stem for word in content_words(answer, language)}
    stems = stems - asked or stems
    if not numbers and not stems:
        return list(cited)

    def held(text: str) -> tuple[int, int]:
        printed = {token.core for token in number_tokens(text)}
        return len(numbers & printed), len(stems & stem_set([text], language))

    known = [number for number in cited if number in shown]
    together = held("\n".join(shown[number] for number in known))
    if known and together[0] == len(numbers) and together[1] >= _ENOUGH * len(stems):
        return list(cited)
    best = max(shown, key=lambda number: held(shown[number]), default=None)
    if best is None or held(shown[best]) <= max((held(shown[number]) for number in known), default=(0, 0)):
        return list(cited)
    rest = [number for number in cited if number != best and (number not in shown or held(shown[number]) > (0, 0))]
    return [best, *rest]
