"""What stands beside the quotations of a sentence: who says so, what joins them, and whether it says something of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pageindex.chat.sentences import Spoken
from pageindex.evidence.numbers.tokens import number_tokens
from pageindex.evidence.sentences import is_factual
from pageindex.evidence.wording import content_words, language_of, negations

__all__ = ["is_piece", "outside", "replaced", "says_in_silence", "without_lead_in", "without_numbers"]

_PIECE_WORDS, _PIECE_CHARACTERS = 4, 8  #: Below which a quotation among others says nothing of its own.
#: What says no more than that a document says what follows, in whatever language that is.
_LEAD_IN = re.compile(
    r"\A\W*(?:(?:according to|as (?:stated|noted|described|written|reported) (?:in|on|by)|in|on|per) (?:the|this) (?:document|report|text|filing|paper|thesis|page|section)"
    r"|(?:the|this) (?:document|report|text|filing|paper|thesis|page|section|passage) (?:says|states|notes|reads|reports|writes)(?: that)?"
    r"|(?:laut|gemäß|nach) (?:dem |der )?(?:dokument|bericht|text|arbeit)|(?:im|das) (?:dokument|text) (?:heißt|steht|sagt|lautet)(?: es)?"
    r"|(?:selon|d['’]après) le (?:document|rapport|texte)|le (?:document|rapport|texte) (?:dit|indique|précise)(?: que)?"
    r"|según el (?:documento|informe|texto)|el (?:documento|informe|texto) (?:dice|indica|señala)(?: que)?"
    r"|根据(?:该|本)?(?:文件|文档|报告)|(?:该|本)?(?:文件|文档|报告)(?:指出|提到|写道|说)|(?:وفقا|وفقًا) ل(?:لمستند|لوثيقة|لنص)|(?:يقول|ينص) (?:المستند|النص))\s*[,:，：]?\s*",
    re.IGNORECASE,
)
_JOINS = re.compile(
    r"\W*(?:(?:and|or|while|whereas|also|und|oder|sowie|während|et|ou|tandis que|y|o|mientras|e|enquanto|и|или|а|和|与|及|而|と|و|أو|بينما)\W*)*",
    re.IGNORECASE,
)
_LEADS_ON = re.compile(r"[^:：]*\w[^:：]*[:：]\W*", re.S)


def without_lead_in(text: str) -> str:
    """A sentence without what only says that the document says so."""
    return _LEAD_IN.sub("", text)


def without_numbers(text: str, quoted: Sequence[str]) -> str:
    """A sentence without the numbers of some of its quotations."""
    for quote in quoted:
        bare = quote
        for token in reversed(list(number_tokens(bare))):
            bare = f"{bare[: token.start]} {bare[token.end :]}"
        text = replaced(text, quote, " ".join(bare.split()))
    return text


def replaced(text: str, quote: str, by: str) -> str:
    """A text with something in place of a quotation, however its words are spaced: cells of a row stand two blanks apart."""
    words = quote.split()
    return re.sub(r"\s+".join(map(re.escape, words)), lambda found: by, text) if words else text


def outside(sentence: Spoken) -> str:
    """The words of a sentence that no quotation of it holds."""
    text = sentence.text
    for quote in sentence.quotes:
        text = replaced(text, quote.text, " ")
    return text.strip("\"'“”‘’„«»‹›「」『』.,;: ")


def says_in_silence(sentence: Spoken) -> bool:
    """Whether what stands beside the quotations says something, in words that are no content words: "because", letters set apart."""
    text = sentence.text
    for quote in sentence.quotes:
        text = replaced(text, quote.text, " ")
    outside = _LEAD_IN.sub("", text)
    language = language_of(outside)
    if content_words(outside, language) or any(True for _ in number_tokens(outside)):
        return False  # these are held against what is quoted
    if _JOINS.fullmatch(outside) or (_LEADS_ON.fullmatch(outside) and not negations(outside, language)):
        return False
    return is_factual(outside, language)


def is_piece(quote: str) -> bool:
    """Fewer than four words, or eight characters of a script without blanks."""
    wide = sum(character > "\u2e80" for character in quote)
    return wide < _PIECE_CHARACTERS if wide else len(quote.split()) < _PIECE_WORDS
