"""Where words occur in a scope, looked for so that nothing which a reader would see is passed over.

Case, accents, spaces, hyphens and line ends do not matter; a word divided over a line, a column or a page is one word, whatever stands between
its halves; inflected forms of the same stem are found and named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pageindex.document import Edition, PageRange, Span
from pageindex.evidence.lines import page_lines
from pageindex.evidence.quotes.edges import outer_change
from pageindex.evidence.quotes.index import FoldedEdition, folded, kept_ranges
from pageindex.evidence.quotes.passage import Passage, joined_pages, one_page, pages_of
from pageindex.evidence.quotes.wanted import Wanted
from pageindex.text import language
from pageindex.text.folding import DASHES, fold, joins_words, letters_text, unaccented
from pageindex.text.words import Stemmer, words
from pageindex.text.words import fold as fold_word

__all__ = ["Occurrence", "occurrences", "stems_of"]

_SHORT = 2  # letters; so short a word must stand alone
_EDGE_LINES = 6  # of a page, that may go on over its break
_WINDOW = 160  # characters on each side of a page break
_CELL_LINES = 3  # below one, in which a word of a cell may go on
_DIVIDED = re.compile(f"(?<=[^\\W\\d_])[{re.escape(DASHES)}\u00ad\ufffe](?=\\s|\\Z)")


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A query, the page on which it begins, and the words printed there where they are other forms of it."""

    query: str
    page: int
    form: str = ""


def occurrences(edition: Edition, wanted: Wanted, span: Span) -> list[Occurrence]:
    """Every page of a span on which a query occurs, in order; forms of other endings only where the query itself does not occur."""
    index = folded(edition)
    pages = set(_whole(index, wanted, span))
    if not pages:
        pages = set(_divided(edition, wanted, span))
    if pages:
        return [Occurrence(wanted.quote, page) for page in sorted(pages)]
    return list(dict.fromkeys(Occurrence(wanted.quote, page, form) for page, form in _inflected(index, wanted, span)))


# ---------------------------------------------------------------- as it is written


def _whole(index: FoldedEdition, wanted: Wanted, span: Span) -> Iterator[int]:
    first, last, needle = span.start.page, span.last_page, unaccented(wanted.letters)
    for page in index.pages_with_unaccented(needle):
        if first <= page <= last and _occurs(index, one_page(index, page), wanted, span):
            yield page
    for low, high in index.breaks_with(wanted.letters):
        if first <= low and high <= last and _occurs(index, joined_pages(index, low, high), wanted, span):
            yield low


def _occurs(index: FoldedEdition, passage: Passage, wanted: Wanted, span: Span) -> bool:
    """Whether a query stands in a passage inside the span, at the beginning or the end of a word."""
    text, needle = passage.text, unaccented(wanted.letters)
    searched = unaccented(text.letters.text)
    at = searched.find(needle)
    while at >= 0:
        low, high = text.letters.original(at, at + len(needle))
        start, end = text.plain.original(low, high)
        places = passage.page_ranges(index.edition, start, end)
        if (
            _stands_apart(text.plain.text, low, high, needle)
            and _has_signs(wanted, text.raw, start, end)
            and all(_inside(place, span) for place in places)
        ):
            return True
        at = searched.find(needle, at + 1)
    return False


def _stands_apart(plain: str, low: int, high: int, needle: str) -> bool:
    """``cat`` stands in ``cats`` and in ``CAT-like``, not in ``concatenation``; a number, or a letter or two, must stand alone."""
    begins, ends = not _one_word(plain[max(0, low - 1) : low + 1]), not _one_word(plain[high - 1 : high + 1])
    spaced = joins_words(plain[low]) or needle.isdecimal()
    alone = spaced and (len(needle) <= _SHORT or needle.isdecimal())
    return (begins and ends) if alone else (begins or ends)


def _one_word(pair: str) -> bool:
    if len(pair) < 2:
        return False
    return all(map(joins_words, pair)) or all(c.isdecimal() for c in pair)


def _has_signs(wanted: Wanted, raw: str, start: int, end: int) -> bool:
    """``C++`` does not stand where there is only a C."""
    if wanted.text.isalnum() or not re.search(r"\A[^\w\s]|[^\w\s.,;:]\Z", wanted.text):
        return True
    return isinstance(outer_change(wanted, raw, start, end), tuple)


def _inside(place: PageRange, span: Span) -> bool:
    start, end = span.on_page(place.page, 1 << 62)
    return place.start < end and place.end > start


# ---------------------------------------------------------------- divided


def _divided(edition: Edition, wanted: Wanted, span: Span) -> Iterator[int]:
    """Pages on which a query begins at the end of a line or cell and goes on where the text does not: in a cell below, another column, the next page."""
    needle = unaccented(wanted.letters)
    if len(needle) <= _SHORT:
        return
    pages = pages_of(edition, span)
    lines = {page: _lines(edition, page) for page in pages}
    for page in pages:
        if any(_goes_on(lines, page, at, needle) for at in range(len(lines[page]))):
            yield page


def _goes_on(lines: Mapping[int, list[str]], page: int, at: int, needle: str) -> bool:
    """Whether a line holds the beginning of the needle, and some other line the rest."""
    line, following = lines[page][at], lines.get(page + 1, [])
    for match in _DIVIDED.finditer(line):
        for rest in _rests(_letters(line[: match.start()]), needle):
            begun = [*lines[page], *following, *_words_of(lines[page][at + 1 : at + 1 + _CELL_LINES])]
            if any(_letters(text[: 4 * len(needle)]).startswith(rest) for text in begun):
                return True
    if at < len(lines[page]) - _EDGE_LINES:
        return False
    rests = _rests(_letters(line), needle)
    return bool(rests) and any(_letters(text).startswith(rest) for text in following[:_EDGE_LINES] for rest in rests)


def _words_of(lines: Sequence[str]) -> list[str]:
    return [line[match.start() :] for line in lines for match in re.finditer(r"\S+", line)]


def _lines(edition: Edition, page: int) -> list[str]:
    return [line.text.strip() for line in page_lines(edition, page) if line.text.strip()]


def _letters(line: str) -> str:
    return unaccented(letters_text(fold(line).text))


def _rests(line: str, needle: str) -> list[str]:
    """What is missing of the needle behind every beginning of it that ends a line."""
    return [needle[cut:] for cut in range(1, len(needle)) if line.endswith(needle[:cut])]


# ---------------------------------------------------------------- in other forms


def _inflected(index: FoldedEdition, wanted: Wanted, span: Span) -> Iterator[tuple[int, str]]:
    asked = re.findall(r"[^\W_]+", fold_word(wanted.text))
    if not any(word.isalpha() and joins_words(word[0]) and len(word) > _SHORT for word in asked):
        return
    if re.search(r"[^\w\s.,;:'’\-]", wanted.text):
        return
    stemmers = _stemmers(index.edition)
    prefixes = [min((s.prefix(word) for s in stemmers), key=len) for word in asked]
    pattern = re.compile(r"[\W_]+".join(rf"(?<![^\W_])({re.escape(p)}[^\W_]*)" for p in prefixes))
    for page, text in _texts(index, span):
        for match in pattern.finditer(text):
            if all(_same_stem(stemmers, one, other) for one, other in zip(asked, match.groups(), strict=True)):
                yield page, " ".join(match.group().split())
                break


def _same_stem(stemmers: Sequence[Stemmer], one: str, other: str) -> bool:
    return one == other or any(stemmer.stem(one) == stemmer.stem(other) for stemmer in stemmers)


def _stemmers(edition: Edition) -> tuple[Stemmer, ...]:
    """Of the document's language, and of English, whose words stand in documents of any."""
    return tuple(map(Stemmer, dict.fromkeys((_language(edition), "en"))))


def _language(edition: Edition) -> str:
    return language.guess(edition) or "en"


def _texts(index: FoldedEdition, span: Span) -> Iterator[tuple[int, str]]:
    """Each page of a span with its words folded, and the text around each page break."""
    edition, before = index.edition, ""
    for number in pages_of(edition, span):
        page = edition.page(number)
        start, end = span.on_page(number, len(page.data))
        whole = (start, end) == (0, len(page.data))
        text = page.text if whole else page.words(start, end)
        body = "".join(page.text[low:high] for low, high in kept_ranges(page)) if whole else text
        if before:
            yield number - 1, fold_word(fold(f"{before}\n{body[:_WINDOW].lstrip()}").text)
        yield number, index.words_of(number) if whole else fold_word(fold(text).text)
        before = body.rstrip()[-_WINDOW:]


def stems_of(text: str, *languages: str) -> set[str]:
    """The stems of all words of a text, in each of some languages and in English."""
    found = words(fold_word(text))
    return {stem for tag in ("en", *languages) for word in found for stem in (word, Stemmer(tag).stem(word))}
