"""What words of a question are worth before any document is looked at: grammar, and the kinds of thing that may be asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from importlib import resources

__all__ = ["ASKS", "Ask", "is_function_word"]


class Ask(StrEnum):
    """A kind of thing that a question may ask for."""

    AMOUNT = "amount"  # a number that may stand in a table
    PICTURE = "picture"  # something that is seen rather than read
    CONTENTS = "contents"  # the list of contents or an index itself
    DOCUMENT = "document"  # facts of the document as a whole, which stand on its first pages


ASKS: Mapping[Ask, re.Pattern[str]] = {
    Ask.AMOUNT: re.compile(
        r"\b(?:how (?:much|many|large|big|high)|amounts?|ratio|percent(?:age)?|rate|total|sum|average|number of|value of|increase[ds]?|decrease[ds]?"
        r"|growth|grew|margins?|turnover|million|billion|usd|dollars?|eur|fy ?\d{2,4}|combien|wie ?viele?|cu[aá]nt[oa]s?|quant[oiae])\b|[$€£%]",
        re.IGNORECASE,
    ),
    Ask.PICTURE: re.compile(
        r"\b(?:colou?r(?:s|ed)?|red|green|blue|yellow|orange|purple|pink|gr[ae]y|brown|icons?|logos?|pictures?|photos?|photographs?|images?"
        r"|screenshots?|maps?|arrows?|drawings?|illustrations?|pie|bars?|(?:bar|line|pie|flow) ?charts?|charts?|diagrams?|graphs?|plots?"
        r"|legend|x-axis|y-axis|axis|wearing|holding|background|dashed|cartoons?|bild(?:er)?|farbe|imagen|couleur)\b",
        re.IGNORECASE,
    ),
    Ask.CONTENTS: re.compile(
        r"\b(?:table of contents|contents page|chapters? (?:are|in|listed)|how many (?:chapters|sections|parts)|index page"
        r"|inhaltsverzeichnis|sommaire|table des mati[eè]res)\b",
        re.IGNORECASE,
    ),
    Ask.DOCUMENT: re.compile(
        r"\b(?:(?:title|author|authors|date|publisher|isbn|doi|version|subject|topic|abstract|email|e-mail|number) of (?:the|this) "
        r"(?:document|paper|report|book|article|presentation|case|study|manual)"
        r"|(?:who|which \w+) (?:wrote|published|presented|authored)|who (?:is|are) the (?:authors?|presenters?)|authors?'? (?:names?|affiliations?)"
        r"|cover|front page|case number|docket|document number)\b",
        re.IGNORECASE,
    ),
}  # fmt: skip


def is_function_word(word: str) -> bool:
    """Whether a folded word carries the grammar of a question rather than what it is about."""
    return word in _function_words()


@cache
def _function_words() -> frozenset[str]:
    """Of several languages, folded: one more of a language that the question is not in does little harm."""
    text = resources.files(__package__).joinpath("function_words.txt").read_text(encoding="utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())
