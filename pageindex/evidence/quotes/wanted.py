"""A quote as it is looked for: folded once, without what people and models put around it."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from pageindex.errors import InputError
from pageindex.evidence.numbers.tokens import NumberToken, number_tokens
from pageindex.evidence.quotes.index import FoldedText
from pageindex.evidence.quotes.raised import typed_text

__all__ = ["LONGEST_QUOTE", "Wanted", "parts_of"]

LONGEST_QUOTE = 20_000  #: Characters.
_BLANKS = re.compile(r"[^\S\u00a0\u2007\u2009\u202f]+")  # those that group digits are told apart

# What stands around a quote and is not the document's: quotation marks of any script, emphasis, ellipses, brackets, end punctuation.
_QUOTES = (
    "'\"`\u00b4\u2018-\u201f\u2032-\u2036\u2039\u203a\u00ab\u00bb\u02bc\u3008-\u300f\u301d-\u301f\uff02\uff07\u2e42"
)
_WRAPPING = rf"\s\u200b-\u200f\u2060\ufeff{_QUOTES}*_|\u2026\u22ef"
_LEAD = re.compile(
    rf"\s*(?:>(?![\d.$€£¥<>=])[ \t]*)*(?:[{_WRAPPING},;:]|~~|\.{{3,}}|\.(?!\d)|[\[(]*(?:\.{{2,}}|\u2026)[\])]*|[-+][ \t]+(?=[^\W\d]|-{{1,2}}[^\W\d]|[{_QUOTES}*_(\[|#\u00a9\u00ae\u00a7\u2022\u25cf]|[^\w\s+\-\u2010-\u2015\u2212][^\W\d])|[\u2022\u2023\u25aa\u25cf][ \t]+|\#{{1,6}}[ \t]+)*"
)
_TRAILING = re.compile(rf"[{_WRAPPING},;:.\u3002\uff61\u3001\uff64\u06d4\u060c\u061b\u0964\uff0c\uff0e\uff1a\uff1b\\]")
_LEFT_OUT_LAST = re.compile(r"[\[(]{1,2}(?:\.{2,6}|\u2026)[\])]{1,2}\Z|~~\Z|\n[-\u2022\u25aa\u25cf]\Z")
_STARS = re.compile(r"[*\u2020\u2021]{1,4}")
_FENCE = re.compile(r"\A\s*```[\w+-]*\n(.*?)\n?```\s*\Z", re.DOTALL)
_BLOCK = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_TAGS = re.compile(
    r"</?(?:q|em|i|b|u|s|strong|blockquote|cite|mark|span|p|code|br|small|li|ul|ol|h[1-6]|div|tt)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_EMPHASIS = re.compile(
    r"(?<![\w*_`~\\])(\*{1,3}|_{1,3}|`{1,2}|~~)(?=[^\s*_`])(.{1,600}?)(?<=[^\s*_`])\1(?![\w*_`])", re.DOTALL
)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_PIPES = re.compile(r"(?:^|(?<=\s))\|(?=\s|$)", re.MULTILINE)
_RULE = re.compile(r"^[ \t]*\|?(?:[ \t]*:?-{3,}:?[ \t]*\|)+[ \t]*(?::?-{3,}:?)?[ \t]*$", re.MULTILINE)
_HEADING = re.compile(r"^#{1,6}[ \t]+", re.MULTILINE)
_RAISED_FIRST = re.compile(r"\A(\W*)\[(\w)\](?=\w)")
_RAISED_OR_WHOLE = re.compile(r"[⁰¹²³⁴-⁹]|(?<![\d.,])(?!(?:19|20)\d\d(?!\d))\d{2,}(?![\d]|[.,]\d)")
_MOST_PARTS = 12
_LEFT_OUT = re.compile(
    r"(?:\[\s*(?:\.{3,}|\u2026|\. \. \.)\s*\]|\(\s*(?:\.{3,}|\u2026|\. \. \.)\s*\)|\.{3,}|\u2026+|\u22ef+|\. \. \.)\s*"
)


@dataclass(frozen=True)
class Wanted:
    """A quote, folded once.

    Attributes:
        quote: As it was given.
        text: What is compared: without wrapping, raised digits as superscripts.
        folded: ``text`` folded.
        lead, trail: The wrapping that was taken off.
    """

    quote: str
    text: str
    folded: FoldedText
    lead: str = ""
    trail: str = ""

    @classmethod
    def of(cls, quote: str) -> Wanted:
        """Raises InputError when no letter or digit would be left to look for, or far more than anybody quotes."""
        if len(quote) > LONGEST_QUOTE:
            message = f"the quote has {len(quote):,} characters; {LONGEST_QUOTE:,} are looked for at once"
            raise InputError(message, "Quote the sentence that matters.", code="QUOTE_TOO_LONG")
        wanted = cls._made(quote, typed_text(quote))
        if not wanted.letters:
            raise InputError("the quote holds no words", "Quote the words of the document.", code="EMPTY_QUOTE")
        return wanted

    @classmethod
    def _made(cls, quote: str, text: str) -> Wanted:
        lead, bare, trail = _unwrapped(text)
        return cls(quote, bare, FoldedText.of(bare), lead, trail)

    @property
    def letters(self) -> str:
        return self.folded.letters.text

    def plainer(self) -> Iterator[Wanted]:
        """The same quote without its markup, where it may have any: block-quote signs, emphasis, tags, escapes, the pipes of a table."""
        fenced = _FENCE.match(self.quote)
        text = typed_text(fenced.group(1) if fenced else self.quote)
        decoded = html.unescape(text)
        tagless = html.unescape(_TAGS.sub("", text))
        bare = _unemphasised(tagless)
        plain = _ESCAPED.sub(r"\1", bare)
        lined = _HEADING.sub("", _BLOCK.sub("", plain))
        last = self.text
        for form in (decoded, tagless, bare, plain, lined, _PIPES.sub(" ", _RULE.sub("", lined))):
            made = self._made(self.quote, form)
            if made.text != last and made.letters:
                yield made
                last = made.text

    @cached_property
    def may_be_raised(self) -> bool:
        """Whether some digit of the quote may be an exponent on the page: superscripts, and whole numbers but years."""
        return bool(_RAISED_OR_WHOLE.search(self.text))

    @cached_property
    def plain(self) -> str:
        return self.folded.plain.text.strip()

    @cached_property
    def spaced(self) -> str:
        """The quote with plain blanks only: where a copy breaks its lines says nothing about the page."""
        return _BLANKS.sub(" ", self.text).strip()

    @cached_property
    def tokens(self) -> list[NumberToken]:
        return list(number_tokens(self.spaced))


def _unwrapped(text: str) -> tuple[str, str, str]:
    """What is put before a quote, the quote, and what is put behind it. A dash, a sign or a bracket that may belong to the words stays."""
    match = _LEAD.match(text)
    start = match.end() if match else 0
    end = start + len(_without_trail(text[start:]))
    stars = _STARS.match(text, end)
    if stars and text[end - 1 : end].isdecimal() and "*" not in text[:start]:
        end = stars.end()  # 0.034*** is marked so by the document
    return text[:start], text[start:end], text[end:]


def _without_trail(text: str) -> str:
    end = -1
    while end != len(text):
        end = len(text)
        while end and _TRAILING.match(text, end - 1):
            end -= 1
        found = _LEFT_OUT_LAST.search(text, max(0, end - 12), end)
        text = text[: found.start() if found else end]
        end = end if found is None else -1
    return text


def _unemphasised(text: str) -> str:
    for _ in range(3):
        text = _EMPHASIS.sub(r"\2", text)
    return _RAISED_FIRST.sub(r"\1\2", text)


def parts_of(wanted: Wanted) -> tuple[Wanted, ...]:
    """The parts of a quote between its ellipses; a single one where it has none, none where it is in shreds."""
    texts = [text for text in _LEFT_OUT.split(wanted.text) if any(c.isalnum() for c in text)]
    if len(texts) > _MOST_PARTS:
        return ()
    return tuple(Wanted._made(text, text) for text in texts)
