"""Claims with their quotes and numbers → typed statuses and a verdict.

``{"claims": [{"id", "text", "quotes": [{"text", "page"?, "page_end"?, "handle"?}], "numbers": [{"as_printed", "row"?, "column"?, "expr"?}]}]}``
Unknown keys are errors. The verdict is that of the worst item: FAIL > NEEDS_REVIEW > PARTIAL > PASS.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from pageindex.document import Edition, PageRange
from pageindex.errors import EvidenceError, InputError
from pageindex.evidence.declared import Declared, NumberCheck, check_number, only_token
from pageindex.evidence.handles import Delivered, resolve
from pageindex.evidence.ledger import Exposure, Ledger
from pageindex.evidence.numbers.expressions import evaluate, inputs_of, round_half_up
from pageindex.evidence.quotes.identify import identifies
from pageindex.evidence.quotes.locate import OcrText, locate
from pageindex.evidence.quotes.located import Located
from pageindex.evidence.quotes.wanted import Wanted
from pageindex.evidence.sentence import Uncovered, uncovered
from pageindex.evidence.status import NumberStatus, QuoteStatus, Verdict, Weight, verdict
from pageindex.evidence.tables.rebuild import CharacterSource

__all__ = ["Claim", "ClaimCheck", "Claims", "QuoteRef", "check_claims", "parse_claims"]


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
    """What became of a claim: its quotes and numbers in their order, and what of its sentence nothing covers."""

    claim: Claim
    quotes: tuple[Located, ...]
    numbers: tuple[NumberCheck, ...]
    uncovered: tuple[Uncovered, ...]

    @property
    def verdict(self) -> Verdict:
        if not self.quotes:
            return Verdict.FAIL  # nothing was shown
        weights = [quote.weight for quote in self.quotes] + [number.weight for number in self.numbers]
        return verdict([*weights, *(item.weight for item in self.uncovered)])

    def to_json(self) -> dict[str, Any]:
        """``{id, text, verdict, quotes, numbers, uncovered}``."""
        return {
            "id": self.claim.id,
            "text": self.claim.text,
            "verdict": self.verdict.value,
            "quotes": [quote.to_json() for quote in self.quotes],
            "numbers": [number.to_json() for number in self.numbers],
            "uncovered": [{"kind": item.kind, "text": item.text} for item in self.uncovered],
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

    def to_json(self) -> dict[str, Any]:
        """``{verdict, edition, claims}``."""
        claims = [check.to_json() for check in self.checks]
        return {"verdict": self.verdict.value, "edition": self.edition, "claims": claims}


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
    session = _Session(edition, characters, ocr, ledger, tuple(others))
    return Claims(edition.id, tuple(session.check(claim) for claim in claims))


@dataclass(frozen=True)
class _Session:
    edition: Edition
    characters: CharacterSource | None
    ocr: OcrText | None
    ledger: Ledger | None
    others: tuple[Edition, ...]

    def check(self, claim: Claim) -> ClaimCheck:
        pinned = any(number.row and number.column for number in claim.numbers)
        quotes = tuple(self._quote(quote, pinned) for quote in claim.quotes)
        numbers = self._numbers(claim, quotes)
        derived = [
            token
            for check in numbers
            if check.declared.expr and check.weight < Weight.FAIL and (token := only_token(check.declared.as_printed))
        ]
        sources = [*self._sources(quotes), *self._cells(numbers)]
        result = ClaimCheck(claim, quotes, numbers, tuple(uncovered(claim.text, sources, derived)))
        self._note(result)
        return result

    # ------------------------------------------------------------ quotes

    def _quote(self, quote: QuoteRef, pinned: bool) -> Located:
        located = self._by_handle(quote) if quote.handle else self._by_words(quote, pinned)
        if located.weight is Weight.FAIL or self.ledger is None or not located.evidence:
            return located
        if all(self.ledger.was_delivered(p.page, p.start, p.end) for p in located.evidence if p.lane == "text"):
            return located
        return replace(located, status=QuoteStatus.UNREAD, message="valid, but not delivered in this session")

    def _by_words(self, quote: QuoteRef, pinned: bool) -> Located:
        located = locate(self.edition, quote.text, quote.page, quote.page_end, ocr=self.ocr, others=self.others)
        if pinned or located.weight is Weight.FAIL:
            return located
        reason = identifies(located)
        return replace(located, status=QuoteStatus.NOT_IDENTIFYING, message=reason) if reason else located

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
        located = locate(self.edition, quote.text, piece.page)
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
                checks[index] = check_number(number, self.edition, quotes, self.characters)
        for index, number in enumerate(claim.numbers, start=1):
            if number.expr is not None:
                checks[index] = _derived(number, checks)
        return tuple(checks[index] for index in sorted(checks))

    # ------------------------------------------------------------ sentence

    def _sources(self, quotes: Sequence[Located]) -> Iterator[str]:
        for quote in quotes:
            if quote.weight is Weight.FAIL:
                continue
            texts = [self._raw(p.page, p.start, p.end) if p.lane == "text" else quote.quote for p in quote.evidence]
            yield "\n".join(texts)

    def _cells(self, numbers: Sequence[NumberCheck]) -> Iterator[str]:
        for check in numbers:
            if check.weight < Weight.FAIL and check.where in ("cell", "row"):
                yield from (self._raw(piece.page, piece.start, piece.end) for piece in check.evidence)
                yield from (label for label in (check.declared.row, check.declared.column) if label)

    def _raw(self, page: int, start: int, end: int) -> str:
        return self.edition.page(page).data[start:end].decode("utf-8", "surrogatepass")

    def _note(self, result: ClaimCheck) -> None:
        if self.ledger is not None and result.verdict is not Verdict.FAIL:
            pieces = [piece for quote in result.quotes for piece in quote.evidence if piece.lane == "text"]
            self.ledger.record(Exposure.CITED, [PageRange(p.page, p.start, p.end) for p in pieces])


def _agree(words: str, found: str) -> bool:
    one, other = Wanted.of(words).letters, Wanted.of(found).letters
    return one in other or other in one


def _derived(number: Declared, checks: Mapping[int, NumberCheck]) -> NumberCheck:
    """An expression over the numbers checked so far: as good as the worst of them, and only if it comes out as printed."""
    token = only_token(number.as_printed)
    wanted = token.value if token is not None else None
    if token is None or wanted is None:
        return NumberCheck(NumberStatus.UNPARSEABLE, number, "expr", message="not one number with one value")
    used = [checks.get(index) for index in inputs_of(number.expr or "")]
    missing = [check for check in used if check is None or check.weight is Weight.FAIL or check.value is None]
    if missing or not used:
        return NumberCheck(NumberStatus.MISSING, number, "expr", message="an input is not a checked number")
    inputs = {i: check.value for i, check in checks.items() if check.value is not None}
    try:
        value = evaluate(number.expr or "", inputs)
    except InputError as error:
        return NumberCheck(NumberStatus.UNPARSEABLE, number, "expr", message=error.message)
    scale = {"%": 100, "‰": 1000}.get(token.percent, 1)
    digits = len(token.core.partition(".")[2])
    status = NumberStatus.OK
    if value * scale != wanted:
        rounded = round_half_up(value * scale, digits) == wanted
        status = NumberStatus.ROUNDED if rounded else NumberStatus.NUMBERS_DIFFER
    worst = max((check.status for check in used if check is not None), key=lambda s: s.weight)
    if worst.weight > status.weight:
        status = worst
    message = f"{number.expr} = {_shown(value * scale)}"
    return NumberCheck(status, number, "expr", wanted / scale, message=message)


def _shown(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{float(value):.6g}"
