"""Claims with their quotes and numbers → typed statuses and a verdict.

``{"claims": [{"id", "text", "quotes": [{"text", "page"?, "page_end"?, "handle"?}], "numbers": [{"as_printed", "row"?, "column"?, "expr"?}]}]}``
Unknown keys are errors. The verdict is that of the worst item: FAIL > NEEDS_REVIEW > PARTIAL > PASS.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from pageindex.document import Edition, PageRange
from pageindex.errors import EvidenceError, InputError
from pageindex.evidence.declared import Declared, NumberCheck, check_number
from pageindex.evidence.handles import Delivered, resolve
from pageindex.evidence.ledger import Exposure, Ledger
from pageindex.evidence.numbers.expressions import derive, inputs_of, round_half_up
from pageindex.evidence.numbers.quantities import only_quantity
from pageindex.evidence.printed import Printed, cell_places, in_cell, in_prose, row_tables
from pageindex.evidence.quotes.identify import identifies
from pageindex.evidence.quotes.locate import OcrText, locate
from pageindex.evidence.quotes.located import Located
from pageindex.evidence.quotes.passage import evidence_of
from pageindex.evidence.quotes.wanted import Wanted
from pageindex.evidence.saying import Candidate, Derivation, SaidNumber, read_sentence
from pageindex.evidence.sentence import Uncovered, identity, left_open
from pageindex.evidence.status import NumberStatus, QuoteStatus, Verdict, Weight, verdict
from pageindex.evidence.tables.rebuild import CharacterSource
from pageindex.evidence.wording import language_of
from pageindex.text.language import guess

__all__ = ["NOT_JUDGED", "Claim", "ClaimCheck", "Claims", "QuoteRef", "Session", "check_claims", "parse_claims"]

#: Said beside every verdict.
NOT_JUDGED = "Not judged: whether the sentence follows from what is quoted, and any direction or negation that the quoted words and figures do not show."


@dataclass(frozen=True, slots=True)
class QuoteRef:
    """A quote as a claim gives it: words, or a handle, or both."""

    text: str = ""
    page: int | None = None
    page_end: int | None = None
    handle: str | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence with what it rests on; ``source`` is free text about where the claim came from."""

    id: str
    text: str
    quotes: tuple[QuoteRef, ...] = ()
    numbers: tuple[Declared, ...] = ()
    source: str = ""


@dataclass(frozen=True, slots=True)
class ClaimCheck:
    """What became of a claim: its quotes and numbers in their order, every number of its sentence, and what of that nothing covers."""

    claim: Claim
    quotes: tuple[Located, ...]
    numbers: tuple[NumberCheck, ...]
    uncovered: tuple[Uncovered, ...]
    said: tuple[SaidNumber, ...] = ()

    @property
    def verdict(self) -> Verdict:
        return verdict([self.weight]) if self.quotes else Verdict.FAIL  # nothing was shown

    @property
    def weight(self) -> Weight:
        """That of the worst item: quote, number, or what is left open."""
        checked = [quote.weight for quote in self.quotes] + [number.weight for number in self.numbers]
        said = [number.weight for number in self.said] + [item.weight for item in self.uncovered]
        return max([*checked, *said], default=Weight.PASS)

    @property
    def proven(self) -> bool:
        """Whether all of the sentence stands in quotes that hold or in cells: nothing is open, and something was shown."""
        shown = bool(self.quotes) or any(number.where in ("cell", "expr") for number in self.said)
        return shown and self.weight is Weight.PASS and not any(number.where == "passage" for number in self.said)

    def to_json(self) -> dict[str, Any]:
        """``{id, text, verdict, quotes, numbers, sentence, uncovered}``; ``sentence`` lists the numbers of the sentence."""
        return {
            "id": self.claim.id,
            "text": self.claim.text,
            "verdict": self.verdict.value,
            "quotes": [quote.to_json() for quote in self.quotes],
            "numbers": [number.to_json() for number in self.numbers],
            "sentence": [number.to_json() for number in self.said],
            "uncovered": [item.to_json() for item in self.uncovered],
        }


@dataclass(frozen=True, slots=True)
class Claims:
    """All claims of one check, and their common verdict."""

    edition: str
    checks: tuple[ClaimCheck, ...]

    @property
    def verdict(self) -> Verdict:
        order = (Verdict.PASS, Verdict.PARTIAL, Verdict.NEEDS_REVIEW, Verdict.FAIL)
        return max((check.verdict for check in self.checks), key=order.index, default=Verdict.FAIL)

    @property
    def not_judged(self) -> str:
        """What no verdict speaks of; one line for people, to stand beside it."""
        return NOT_JUDGED

    def to_json(self) -> dict[str, Any]:
        """``{verdict, not_judged, edition, claims}``; ``not_judged`` is one line for people."""
        claims = [check.to_json() for check in self.checks]
        return {"verdict": self.verdict.value, "not_judged": self.not_judged, "edition": self.edition, "claims": claims}


# ---------------------------------------------------------------- reading claims

_KEYS: dict[str, dict[str, type | tuple[type, ...]]] = {
    "claims": {"claims": list, "schema": str, "document": str, "edition": str, "coverage": (dict, list, str)},
    "claim": {"id": str, "text": str, "quotes": list, "numbers": list, "source": str},
    "quote": {"text": str, "page": int, "page_end": int, "handle": str},
    "number": {"as_printed": str, "row": str, "column": str, "expr": str},
}
_REQUIRED = {"claims": ("claims",), "claim": ("id", "text"), "quote": (), "number": ("as_printed",)}
_MOST_CLAIMS = 1000


def parse_claims(item: Any) -> tuple[Claim, ...]:
    """Read decoded JSON; raises InputError (INVALID_CLAIMS) that names the place of the first fault."""
    top = _checked(item, "claims", "$")
    rows = top["claims"]
    if not 0 < len(rows) <= _MOST_CLAIMS:
        raise _fault("$.claims", f"holds {len(rows)} claims; 1-{_MOST_CLAIMS} are checked at once")
    claims = tuple(_claim(row, f"$.claims[{index}]") for index, row in enumerate(rows))
    if len({claim.id for claim in claims}) < len(claims):
        raise _fault("$.claims", "two claims have the same id")
    return claims


def _fault(where: str, why: str) -> InputError:
    return InputError(f"{where} {why}", "See docs/evidence.md for the form of a claim.", code="INVALID_CLAIMS")


def _checked(item: Any, kind: str, where: str) -> Mapping[str, Any]:
    if not isinstance(item, dict):
        raise _fault(where, "is no JSON object")
    kept = {key: value for key, value in item.items() if value is not None}
    for key, value in kept.items():
        if key not in _KEYS[kind]:
            raise _fault(where, f"has an unknown key {key!r}")
        if not isinstance(value, _KEYS[kind][key]) or isinstance(value, bool):
            raise _fault(f"{where}.{key}", "is of the wrong type")
    for key in _REQUIRED[kind]:
        if key not in kept:
            raise _fault(where, f"lacks {key!r}")
    return kept


def _claim(item: Any, where: str) -> Claim:
    row = _checked(item, "claim", where)
    quotes = tuple(_quote(quote, f"{where}.quotes[{i}]") for i, quote in enumerate(row.get("quotes", ())))
    numbers = tuple(
        Declared(**_checked(number, "number", f"{where}.numbers[{i}]"))
        for i, number in enumerate(row.get("numbers", ()))
    )
    return Claim(row["id"], row["text"], quotes, numbers, row.get("source", ""))


def _quote(item: Any, where: str) -> QuoteRef:
    quote = QuoteRef(**_checked(item, "quote", where))
    if not quote.text.strip() and quote.handle is None:
        raise _fault(where, "has neither text nor handle")
    return quote


# ---------------------------------------------------------------- checking claims


def check_claims(
    edition: Edition,
    claims: Sequence[Claim],
    *,
    characters: CharacterSource | None = None,
    ocr: OcrText | None = None,
    ledger: Ledger | None = None,
    others: Sequence[Edition] = (),
) -> Claims:
    """Check claims about one document.

    Args:
        edition: What was read.
        claims: As parsed.
        characters: Character boxes, for cells; without them tables are rebuilt from the edition's lines.
        ocr: Text of pages without a text layer.
        ledger: What was delivered in this session; with it, valid evidence that never was is ``unread``, and what passes is noted as cited.
        others: Further documents in which a missing quote is sought, so that its place can be named.

    Raises PageRangeError for a cited page that does not exist.
    """
    session = Session(edition, characters, ocr, ledger, tuple(others))
    return Claims(edition.id, tuple(session.check(claim) for claim in claims))


@dataclass(frozen=True)
class Session:
    """Checks claims about one document, with what is known of it."""

    edition: Edition
    characters: CharacterSource | None
    ocr: OcrText | None
    ledger: Ledger | None
    others: tuple[Edition, ...]
    read: dict[PageRange, tuple[Candidate, ...]] = field(default_factory=dict)  # passages, kept for the next sentence

    @cached_property
    def language(self) -> str:
        """Of the document."""
        return guess(self.edition) or language_of("\n".join(page.text[:2000] for page in self.edition.pages[:5]))

    def check(self, claim: Claim, passages: Sequence[PageRange] = ()) -> ClaimCheck:
        """Check one claim; ``passages`` are read ranges of pages that it cites, whose tables may prove its numbers and whose text may ground them."""
        pinned = any(number.row and number.column for number in claim.numbers)
        quotes = tuple(self._quote(quote, pinned) for quote in claim.quotes)
        numbers = self._numbers(claim, quotes)
        language = language_of(claim.text, self.language)
        texts = list(self._sources(quotes))
        free = identity(self.edition, language)
        candidates = [*self._candidates(quotes, numbers), *self._cited(passages)]
        reading = read_sentence(claim.text, language, candidates, self._derivations(numbers), texts, free)
        numbers = tuple(_by_sentence(number, reading.numbers) for number in numbers)
        pages = sorted({piece.page for quote in quotes for piece in quote.evidence if piece.edition == self.edition.id})
        around = [self.edition.page(page).text for page in pages]
        cited = [self._raw(place.page, place.start, place.end) for place in passages]
        open_ = left_open(claim.text, reading, texts, self.edition, around, cited)
        result = ClaimCheck(claim, quotes, numbers, tuple(open_), reading.numbers)
        self._note(result)
        return result

    def _candidates(self, quotes: Sequence[Located], numbers: Sequence[NumberCheck]) -> list[Candidate]:
        """The printed numbers that may prove one of the sentence: cells declared, rows quoted, numbers in running text quoted."""
        found = [
            Candidate(n.printed, n.where == "cell") for n in numbers if n.printed is not None and n.weight < Weight.FAIL
        ]
        for quote in quotes:
            if quote.weight is Weight.FAIL:
                continue
            pages = dict.fromkeys(p.page for p in quote.evidence if p.lane == "text" and p.edition == self.edition.id)
            cells = [
                printed
                for page in pages
                for place in cell_places(
                    self.edition, page, self.language, self.characters, [p for p in quote.evidence if p.page == page]
                )
                if (printed := in_cell(place)) is not None
            ]
            found += [Candidate(printed) for printed in cells]
            labels = [cell for _, row in row_tables(self.edition, quote, self.characters) for cell in row.label_cells]
            for printed in in_prose(self.edition, quote, self.language, self.characters):
                if not _within(printed, cells):
                    inside = any(
                        cell.start <= piece.start and piece.end <= cell.end
                        for cell in labels
                        for piece in printed.evidence
                    )
                    found.append(Candidate(printed, label=inside))
        return found

    def _cited(self, passages: Sequence[PageRange]) -> Iterator[Candidate]:
        """The cells of the tables in passages cited, and the numbers of their text, which ground a sentence and prove nothing."""
        for place in passages:
            if place not in self.read:
                self.read[place] = tuple(self._of_passage(place))
            yield from self.read[place]

    def _of_passage(self, place: PageRange) -> Iterator[Candidate]:
        pieces = evidence_of(self.edition, [place])
        places = cell_places(self.edition, place.page, self.language, self.characters, pieces)
        cells = [printed for cell in places if (printed := in_cell(cell)) is not None]
        yield from (Candidate(printed) for printed in cells)
        whole = Located(QuoteStatus.EXACT, "", self.edition.id, pieces)
        for printed in in_prose(self.edition, whole, self.language, self.characters):
            if not _within(printed, cells):
                yield Candidate(printed, passage=True)

    def _derivations(self, numbers: Sequence[NumberCheck]) -> list[Derivation]:
        found = []
        for number in numbers:
            if number.declared.expr is not None and number.exact is not None and number.weight < Weight.FAIL:
                known = dict(enumerate(numbers, start=1))
                used = [known[i].printed for i in inputs_of(_named(number.declared.expr, known)) if i in known]
                found.append(Derivation(number.exact, number.status, tuple(one for one in used if one is not None)))
        return found

    # ------------------------------------------------------------ quotes

    def _quote(self, quote: QuoteRef, pinned: bool) -> Located:
        located = self._by_handle(quote) if quote.handle else self._by_words(quote, pinned)
        if located.weight is Weight.FAIL or self.ledger is None or not located.evidence:
            return located
        if all(self.ledger.was_delivered(p.page, p.start, p.end) for p in located.evidence if p.lane == "text"):
            return located
        return replace(located, status=QuoteStatus.UNREAD, message="valid, but not delivered in this session")

    def _by_words(self, quote: QuoteRef, pinned: bool) -> Located:
        located = self._locate(quote, quote.text)
        if located.weight is Weight.FAIL and _NOTE_MARK.search(quote.text):
            bare = self._locate(quote, _NOTE_MARK.sub(" ", quote.text))
            if bare.weight is Weight.PASS:  # the page's text has the raised mark in another place
                message = "without its note marks"
                located = replace(bare, quote=quote.text, status=QuoteStatus.FOLDED, message=message)
        if pinned or located.weight is Weight.FAIL or (quote.page is not None and self._is_row(located)):
            return located
        reason = identifies(located)
        return replace(located, status=QuoteStatus.NOT_IDENTIFYING, message=reason) if reason else located

    def _locate(self, quote: QuoteRef, text: str) -> Located:
        seen = self.characters
        return locate(self.edition, text, quote.page, quote.page_end, ocr=self.ocr, others=self.others, characters=seen)

    def _is_row(self, located: Located) -> bool:
        """Whether a quote is a row of a table of the cited page, label and numbers: its label then pins the place."""
        rows = row_tables(self.edition, located, self.characters) if len(located.places) < 2 else []
        piece = next(iter(located.evidence), None)
        return (
            len(rows) == 1
            and piece is not None
            and all(
                any(cell and cell.start < piece.end and cell.end > piece.start for cell in cells)
                for cells in (rows[0][1].label_cells, rows[0][1].cells)
            )
        )

    def _by_handle(self, quote: QuoteRef) -> Located:
        try:
            found = resolve(quote.handle or "", (self.edition, *self.others), self._delivered())
        except EvidenceError as error:
            changed = error.code == "SOURCE_CHANGED"
            status = QuoteStatus.SOURCE_CHANGED if changed else QuoteStatus.INVALID_LOCATOR
            return Located(status, quote.text, self.edition.id, message=error.message)
        piece = found.evidence
        here = Located(QuoteStatus.EXACT, found.text, piece.edition, (piece,), ((piece,),), (piece.page,), 100.0)
        if piece.edition != self.edition.id:
            return replace(here, status=QuoteStatus.ELSEWHERE, message="the handle is of another document")
        if not quote.text.strip():
            return here
        located = locate(self.edition, quote.text, piece.page, characters=self.characters)
        if located.weight < Weight.FAIL and _agree(quote.text, found.text):
            return replace(here, quote=quote.text, status=located.status, numbers=located.numbers)
        if located.weight is Weight.FAIL:
            return located
        return replace(here, quote=quote.text, status=QuoteStatus.ALTERED, message="the handle stands for other words")

    def _delivered(self) -> Delivered | None:
        ledger = self.ledger
        if ledger is None:
            return None
        return lambda edition, page, start, end: edition == ledger.edition and ledger.was_delivered(page, start, end)

    # ------------------------------------------------------------ numbers

    def _numbers(self, claim: Claim, quotes: Sequence[Located]) -> tuple[NumberCheck, ...]:
        checks: dict[int, NumberCheck] = {}
        for index, number in enumerate(claim.numbers, start=1):
            if number.expr is None:
                checks[index] = check_number(
                    number, self.edition, quotes, self.characters, language=self.language, words=claim.text
                )
        for index, number in enumerate(claim.numbers, start=1):
            if number.expr is not None:
                named = replace(number, expr=_named(number.expr, checks))
                checks[index] = replace(_derived(named, checks, self.language), declared=number)
        return tuple(checks[index] for index in sorted(checks))

    # ------------------------------------------------------------ sentence

    def _sources(self, quotes: Sequence[Located]) -> Iterator[str]:
        for quote in quotes:
            if quote.weight is Weight.FAIL:
                continue
            texts = [self._raw(p.page, p.start, p.end) if p.lane == "text" else quote.quote for p in quote.evidence]
            yield _BROKEN.sub("", "\n".join(texts))

    def _raw(self, page: int, start: int, end: int) -> str:
        return self.edition.page(page).words(start, end)

    def _note(self, result: ClaimCheck) -> None:
        if self.ledger is not None and result.verdict is not Verdict.FAIL:
            pieces = [piece for quote in result.quotes for piece in quote.evidence if piece.lane == "text"]
            self.ledger.record(Exposure.CITED, [PageRange(p.page, p.start, p.end) for p in pieces])


def _agree(words: str, found: str) -> bool:
    one, other = Wanted.of(words).letters, Wanted.of(found).letters
    return one in other or other in one


def _within(printed: Printed, cells: Sequence[Printed]) -> bool:
    """Whether a number of a quote's running text is one of a table's cells."""
    return any(
        one.page == other.page and one.start < other.end and one.end > other.start
        for one in printed.evidence
        for cell in cells
        for other in cell.evidence
    )


def _by_sentence(number: NumberCheck, said: Sequence[SaidNumber]) -> NumberCheck:
    """A number whose column the claim left open, where the sentence itself names it: its year, or the words of the head."""
    if number.status is not NumberStatus.COLUMN_UNVERIFIED or number.declared.column is not None:
        return number
    for one in said:
        place = one.printed.place if one.printed else None
        proven = one.where == "cell" and one.weight is Weight.PASS and place is not None
        quantity = only_quantity(number.declared.as_printed, place.language) if proven and place else None
        if quantity is not None and one.printed and one.printed.quantity.number in (quantity.number, quantity.size):
            message = "the sentence names the column"
            return replace(
                number,
                status=NumberStatus.OK,
                where="cell",
                evidence=one.evidence,
                message=message,
                printed=one.printed,
            )
    return number


_BROKEN = re.compile(r"(?<=[\u3040-\u9fff])[ \t]*\r?\n[ \t]*(?=[\u3040-\u9fff])")  # a line's end within unspaced words
_NOTE_MARK = re.compile(r"\s\([a-z]\)(?:,?\s?\([a-z]\))*(?=\s)")
_LITERAL = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\w.,])")


def _named(expr: str, checks: Mapping[int, NumberCheck]) -> str:
    """An expression with the printed numbers that it spells out by their names: ``(37,857 - 2,388) / 50,171`` as ``(n1 - n2) / n3``."""

    def name(match: re.Match[str]) -> str:
        value = Fraction(match.group().replace(",", ""))
        found = (
            i for i, c in checks.items() if c.declared.expr is None and c.printed and c.printed.quantity.number == value
        )
        index = next(found, None)
        return match.group() if index is None else f"n{index}"

    return _LITERAL.sub(name, expr)


def _derived(number: Declared, checks: Mapping[int, NumberCheck], language: str) -> NumberCheck:
    """An expression over the numbers checked so far: as good as the worst of them, and only if it comes out as printed."""
    said = only_quantity(number.as_printed, language)
    if said is None or said.number is None or said.parens:
        return NumberCheck(NumberStatus.UNPARSEABLE, number, "expr", message="not one number with one value")
    used = [checks.get(index) for index in inputs_of(number.expr or "")]
    missing = [check for check in used if check is None or check.weight is Weight.FAIL or check.value is None]
    if missing or not used:
        return NumberCheck(NumberStatus.MISSING, number, "expr", message="an input is not a checked number")
    inputs = {i: check.value for i, check in checks.items() if check.value is not None}
    try:
        value = derive(number.expr or "", inputs)
    except InputError as error:
        return NumberCheck(NumberStatus.UNPARSEABLE, number, "expr", message=error.message)
    scale = {"%": 100, "points": 100, "bps": 10000, "‰": 1000}.get(said.percent, 1)
    wanted = -said.number if said.negative else said.number
    status = NumberStatus.OK
    if value * scale != wanted:
        digits = len(str(said.step.denominator)) - 1
        rounded = round_half_up(value * scale, digits) == wanted
        status = NumberStatus.ROUNDED if rounded else NumberStatus.NUMBERS_DIFFER
    worst = max((check.status for check in used if check is not None), key=lambda s: s.weight)
    if worst.weight > status.weight:
        status = worst
    message = f"{number.expr} = {_shown(value * scale)}"
    return NumberCheck(status, number, "expr", wanted / scale, message=message, exact=value)


def _shown(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{float(value):.6g}"
