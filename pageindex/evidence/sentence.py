"""The claim sentence itself: every number, date and proper noun in it must be covered by its quotes or its derived numbers.

What is checked is thereby not left to whoever wrote the claim.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from pageindex.document import Edition
from pageindex.evidence.numbers.lexicon import currency_pattern, magnitude_pattern, percent_after, unit_of
from pageindex.evidence.numbers.literal_dates import parse_date
from pageindex.evidence.numbers.periods import periods
from pageindex.evidence.numbers.quantities import quantities, references
from pageindex.evidence.numbers.tokens import number_tokens
from pageindex.evidence.saying import Reading, SaidNumber
from pageindex.evidence.status import NumberStatus, Weight
from pageindex.evidence.ties import SPELLED_OUT
from pageindex.evidence.wording import stem_set
from pageindex.text.folding import fold, skeleton_text

__all__ = ["Uncovered", "dates_in", "identity", "left_open", "own_names", "proper_names"]

_DATE = re.compile(
    r"\d{4}[-‐‑–]\d{1,2}[-‐‑–]\d{1,2}|\d{4}\s*[年년]\s*\d{1,2}\s*[月월]\s*\d{1,2}\s*[日일]"
    r"|\d{1,2}(?:st|nd|rd|th|\.|º|er)?\s+(?:de\s+)?[^\W\d_]{3,}\.?,?\s+(?:de\s+)?\d{4}"
    r"|[^\W\d_]{3,}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4}"
)
_FORM = re.compile(r"(?:10-?[KQ]|8-K|6-K|20-F|40-F|S-\d{1,2}|11-K)(?:T|/A)?")  # what a filing is, not what it says
_WORD = re.compile(r"[^\W\d_][\w'’&.\-]*[\w]|[^\W\d_]")
_SENTENCE_END = re.compile(r"[.!?:]['\")\]”’»]*\s+$|^\W*$")


@dataclass(frozen=True, slots=True)
class Uncovered:
    """A part of the claim sentence that nothing covers.

    ``kind`` is ``number`` or ``date`` (out of nowhere, or contradicted: fails), ``sign``, ``row``, ``column``, ``period``, ``unit``, ``name``, ``words``,
    ``reference``, ``direction`` or ``negation`` (for review).
    """

    kind: str
    text: str
    message: str = ""

    @property
    def weight(self) -> Weight:
        """A number or date out of nowhere fails; what words and figures only leave open is for review."""
        return Weight.FAIL if self.kind in ("number", "date") else Weight.REVIEW

    def to_json(self) -> dict[str, str]:
        """``{kind, text, message}``; an empty message is left out."""
        return {"kind": self.kind, "text": self.text} | ({"message": self.message} if self.message else {})


_KINDS = {
    NumberStatus.SIGN_AMBIGUOUS: "sign", NumberStatus.ROW_UNVERIFIED: "row", NumberStatus.COLUMN_UNVERIFIED: "column", NumberStatus.PERIOD_UNVERIFIED: "period",
    NumberStatus.UNIT_UNVERIFIED: "unit", NumberStatus.SCALED: "unit", NumberStatus.PRECISION_DIFFERS: "precision", NumberStatus.OCR_ONLY: "ocr",
}  # fmt: skip


def left_open(
    sentence: str,
    reading: Reading,
    sources: Sequence[str],
    edition: Edition,
    pages: Sequence[str] = (),
    cited: Sequence[str] = (),
) -> Iterator[Uncovered]:
    """What of a sentence is not proven: numbers, years and dates, names, references, and what ``reading`` leaves open.

    Args:
        sentence: As claimed.
        reading: Its numbers with their proofs.
        sources: The printed words of the quotes that hold.
        edition: The document, whose own name needs no quote.
        pages: The text of the pages they stand on, for references ("Note 5").
        cited: The text of passages that it cites without quoting them, for dates and references.
    """
    places = [number.printed.place for number in reading.numbers if number.printed and number.printed.place]
    tables = [part for place in places for part in (place.row.path, place.header, place.caption)]
    held = [*sources, *tables]
    yield from _unproven(reading.numbers)
    yield from _days(sentence, reading, [*held, *cited])
    yield from _references(sentence, reading, [*held, *pages, *cited], edition)
    spans = [(period.start, period.end) for period in reading.context.named]
    own = own_names(edition)
    names = [one for one in _names(sentence, held, spans) if _bare(one.text) not in own and not _is_unit(one.text)]
    yield from names
    known = {_bare(item.text) for item in names}
    for kind, text, message in reading.open:
        words = [word for word in text.split(", ") if _bare(word) not in known] if kind == "words" else [text]
        if words:
            yield Uncovered(kind, ", ".join(words), message)


def _unproven(numbers: Iterable[SaidNumber]) -> Iterator[Uncovered]:
    for number in numbers:
        if number.weight is not Weight.PASS and number.status is not NumberStatus.OCR_ONLY:
            kind = "number" if number.weight is Weight.FAIL else _KINDS.get(number.status, number.status.value)
            yield Uncovered(kind, number.text, number.message)


def _bare(word: str) -> str:
    return skeleton_text(fold(re.sub(r"['’]s$", "", word)).text)


def _is_unit(word: str) -> bool:
    """Whether a capitalised word is a magnitude, currency or unit, as nouns are written in German, or an abbreviation ("R&D")."""
    form = currency_pattern().fullmatch(word) or magnitude_pattern("de").fullmatch(word)
    return bool(form or unit_of(word) or percent_after(word, 0)[0] or word.casefold() in SPELLED_OUT)


def _days(sentence: str, reading: Reading, held: Sequence[str]) -> Iterator[Uncovered]:
    """Dates and years that no number is of must be printed in what is quoted."""
    tied = {number.period.period.key for number in reading.numbers if number.period is not None}
    days = {day for text in held for day, _ in _dated(text)}
    years = {token.core for text in held for token in number_tokens(text)}
    for period in reading.context.named:
        if period.key in tied or period.before:
            continue
        words = sentence[period.start : period.end]
        if period.month and period.day and period.year:
            day = (period.month, period.day)
            whole = (period.year, *day) in {(d.year, d.month, d.day) for d in days}
            apart = str(period.year) in years and any(
                day in _month_days(text, reading.context.language) for text in held
            )
            if not (whole or apart):
                yield Uncovered("date", words, "not in what is quoted")
        elif period.year and str(period.year) not in years:
            yield Uncovered("number", words, "the year is not in what is quoted")


def _month_days(text: str, language: str) -> set[tuple[int, int]]:
    """The days of a text whose year stands elsewhere, as "December 31," over the years of two columns."""
    return {(one.month, one.day) for one in periods(text, quantities(text, language)) if one.month and one.day}


def _references(sentence: str, reading: Reading, texts: Sequence[str], edition: Edition) -> Iterator[Uncovered]:
    """ "Note 5" and "10-K" must be printed on the pages quoted, or among the document's own names."""
    proven = {number.text for number in reading.numbers}
    for start, words in references(sentence):
        dated = any(period.start <= start < period.end for period in reading.context.named)
        if dated or _FORM.fullmatch(words) or any(words in text for text in proven):
            continue
        wanted = r"\s*".join(map(re.escape, fold(words).text.casefold().split()))
        near = [*texts, *(page.text for page in edition.pages[:3])]
        if not any(_standing(wanted, text) for text in near):
            kind = "reference" if " " in words or not any(map(str.isalpha, words)) else "name"
            yield Uncovered(kind, words, "not printed on the pages quoted")


def _standing(pattern: str, text: str) -> bool:
    """Whether a reference stands in a text with no digit behind it: Note 5 is not Note 50."""
    return bool(re.search(rf"(?<![^\W_])(?:{pattern})(?!\d)", fold(text).text.casefold()))


_LONG = 10  #: Pages from which the words of a document's every tenth page say whose it is.


def own_names(edition: Edition) -> frozenset[str]:
    """See ``_own_names``; found once for an edition."""
    return edition.derived(_own_names)


def _own_names(edition: Edition) -> frozenset[str]:
    """The names that stand for the document itself: of its file and title, and what a tenth of its pages prints, the first three among them."""
    found = set(re.findall(r"[^\W_]+", f"{edition.source.name} {edition.info.get('title', '')}"))
    if edition.page_count >= _LONG:
        capital = r"[^\W_]*[A-ZÀ-ÞА-Я][^\W_]*|\d+[A-Z]\w*"
        first = {word for page in edition.pages[:3] for word in re.findall(capital, page.text)}
        count: Counter[str] = Counter()
        for page in edition.pages:
            count.update(first & set(re.findall(r"[^\W_]+", page.text)))
        found |= {word for word, times in count.items() if times >= max(3, 0.1 * edition.page_count)}
    return frozenset(skeleton_text(fold(word).text) for word in found if not word.isdecimal())


def identity(edition: Edition, language: str) -> frozenset[str]:
    """The stems of the document's own names."""
    return stem_set(own_names(edition), language)


def dates_in(text: str) -> set[date]:
    """The dates that a text prints in full: ISO, CJK, or with the month by name."""
    return {day for day, _ in _dated(text)}


def _dated(text: str) -> Iterator[tuple[date, tuple[int, int]]]:
    for match in _DATE.finditer(text):
        day = parse_date(re.sub(r"\s+", " ", match.group()))
        if isinstance(day, date):
            yield day, match.span()


def proper_names(sentence: str, dates: Sequence[tuple[int, int]] = ()) -> Iterator[str]:
    """Capitalised words. The first word of a sentence counts only when capitals run on inside it."""
    for match in _WORD.finditer(sentence):
        word = match.group().rstrip(".")
        if any(start <= match.start() < end for start, end in dates) or not word[0].isupper() or len(word) < 2:
            continue
        opens = bool(_SENTENCE_END.search(sentence[: match.start()]))
        if not opens or any(c.isupper() for c in word[1:]):
            yield word


def _names(sentence: str, sources: Sequence[str], dates: Sequence[tuple[int, int]]) -> list[Uncovered]:
    """Names that no source holds."""
    held = {skeleton_text(word) for source in sources for word in _words(source)}
    found = []
    for word in proper_names(sentence, dates):
        parts = [part for part in re.split(r"['’]s$", word) if part]
        if not any(skeleton_text(fold(part).text) in held for part in (word, *parts)):
            found.append(Uncovered("name", word))
    return found


def _words(text: str) -> Iterator[str]:
    plain = fold(text).text
    for match in _WORD.finditer(plain):
        word = match.group().rstrip(".")
        yield word
        yield re.sub(r"'s$", "", word)
        if "-" in word:
            yield from word.split("-")
