"""The sentence of a claim, number by number: each is held against the printed numbers that may prove it, and ends in one status.

A number is proven by a printed one that has its size, unit, currency, magnitude and sign, stands in the row that the sentence names, and is of
the period that the sentence gives it. Whatever else the sentence says (that it follows, which way, that it denies) is looked at only as
far as words and figures show it, and is for review where they do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from pageindex.document import Evidence
from pageindex.evidence.agreement import Agreement, agree
from pageindex.evidence.numbers.periods import Bound
from pageindex.evidence.numbers.quantities import Quantity, Role, quantities
from pageindex.evidence.printed import Printed, spoken
from pageindex.evidence.status import NumberStatus, Weight
from pageindex.evidence.tables.units import scales
from pageindex.evidence.ties import Context, Problem, column_tie, period_tie, row_tie
from pageindex.evidence.wording import directions, negations, stem_set

__all__ = ["Candidate", "Derivation", "Reading", "SaidNumber", "read_sentence"]


@dataclass(frozen=True)
class Candidate:
    """A printed number that may prove one of the sentence.

    ``declared``: a claim named its row and column. ``passage``: it stands in the text of a passage cited, not quoted, and only grounds.
    ``label``: it is printed in the label of a row ("net of depreciation of $19,800"), which has no period of its own.
    """

    printed: Printed
    declared: bool = False
    passage: bool = False
    label: bool = False


@dataclass(frozen=True)
class Derivation:
    """A number computed from printed ones: its exact value, as good as ``status``, and the printed numbers it depends on."""

    value: Fraction
    status: NumberStatus
    inputs: tuple[Printed, ...] = ()


@dataclass(frozen=True, slots=True)
class SaidNumber:
    """What became of a number of the sentence: its words, the status, where it stands, and why not better."""

    text: str
    status: NumberStatus
    where: str = ""
    evidence: tuple[Evidence, ...] = ()
    message: str = ""
    printed: Printed | None = None
    period: Bound | None = None

    @property
    def weight(self) -> Weight:
        return self.status.weight

    def to_json(self) -> dict[str, Any]:
        """``{text, status, weight, where, handles, message}``."""
        return {
            "text": self.text,
            "status": self.status.value,
            "weight": self.weight.name.lower(),
            "where": self.where,
            "handles": [str(piece.handle) for piece in self.evidence],
            "message": self.message,
        }


@dataclass(frozen=True)
class Reading:
    """A sentence as read: its numbers with their proofs, and what else of it words and figures leave open, as ``(kind, text, message)``."""

    context: Context
    numbers: tuple[SaidNumber, ...]
    open: tuple[tuple[str, str, str], ...] = ()


def read_sentence(
    text: str,
    language: str,
    candidates: Sequence[Candidate],
    derived: Sequence[Derivation] = (),
    quotes: Sequence[str] = (),
    free: frozenset[str] = frozenset(),
) -> Reading:
    """Hold every number of a sentence against what is printed.

    Args:
        text: The sentence.
        language: Of the sentence.
        candidates: The printed numbers that count: cells of the rows quoted or declared, and numbers of the quotes.
        derived: Numbers computed from checked ones.
        quotes: The printed words of the quotes that hold.
        free: Stems of words that name the document itself.
    """
    amounts, named, bound = spoken(text, language)
    amounts = _in_units(text, amounts)
    context = Context(text, language, amounts, named, free)
    reader = _Reader(context, bound, candidates, derived)
    numbers = tuple(reader.number(index) for index in range(len(amounts)))
    return Reading(context, numbers, tuple(_open(context, numbers, quotes, derived)))


def _in_units(text: str, amounts: Sequence[Quantity]) -> list[Quantity]:
    """Amounts of a sentence that says once for all of them in what unit they are: "(in millions)"."""
    said = {scale.power for scale in scales(text)}
    if len(said) != 1:
        return list(amounts)
    power = said.pop()
    return [q if q.power or q.percent else replace(q, power=power) for q in amounts]


@dataclass(frozen=True)
class _Reader:
    context: Context
    bound: dict[int, Bound]
    candidates: Sequence[Candidate]
    derived: Sequence[Derivation]

    def number(self, index: int) -> SaidNumber:
        said = self.context.amounts[index]
        tried = [found for candidate in self.candidates if (found := self._held(index, candidate)) is not None]
        tried += [found for one in self.derived if (found := self._computed(index, one)) is not None]
        if not tried:
            return SaidNumber(said.text, NumberStatus.MISSING, message="no quote, cell or calculation shows it")
        return min(
            tried,
            key=lambda item: (
                item.weight,
                item.where == "passage",
                item.status is not NumberStatus.OK,
                item.where != "cell",
            ),
        )

    def _words(self, index: int) -> str:
        """The stretch of the sentence around an amount, for what it says of its sign."""
        amounts = self.context.amounts
        start = amounts[index - 1].end if index else 0
        end = amounts[index + 1].start if index + 1 < len(amounts) else len(self.context.text)
        return self.context.text[start:end]

    def _held(self, index: int, candidate: Candidate) -> SaidNumber | None:
        said, printed = self.context.amounts[index], candidate.printed
        size = agree(said, printed, self._words(index))
        if size is None:
            return None
        bound = self.bound.get(index)
        problems = [] if candidate.label else [period_tie(bound, printed)]
        if printed.place is not None:
            problems.append(row_tie(self.context, index, printed.place, alone=self._alone(printed)))
            problems.append(column_tie(self.context, bound, printed.place, declared=candidate.declared))
        elif not (candidate.passage or candidate.label):
            problems.append(self._subject(index, printed))
        if printed.ocr:
            problems.append(Problem(NumberStatus.OCR_ONLY, "read from a picture"))
        worst = _worst(size, [one for one in problems if one is not None])
        where = "cell" if printed.place is not None else "passage" if candidate.passage else "in_quote"
        return SaidNumber(said.text, worst.status, where, printed.evidence, worst.message, printed, bound)

    def _alone(self, printed: Printed) -> bool:
        """Whether every amount of the sentence can be of this row."""
        place = printed.place
        if place is None or len(self.context.amounts) == 1:
            return True
        row = [c.printed for c in self.candidates if c.printed.place and c.printed.place.row is place.row]
        return all(q.percent or any(agree(q, other) for other in row) for q in self.context.amounts)

    def _subject(self, index: int, printed: Printed) -> Problem | None:
        """In running text: the words before a number must be those that stand around it, not around another number of the quote."""
        words = self.context.said(self.context.before(index))
        rivals = [c.printed for c in self.candidates if c.printed.place is None and c.printed.text == printed.text]
        if not words or len(rivals) < 2:
            return None
        near = self.context.stems(_around(printed, rivals, self.context))
        other = [rival for rival in rivals if rival is not printed]
        if words & near or not any(words & self.context.stems(_around(rival, rivals, self.context)) for rival in other):
            return None
        return Problem(NumberStatus.ROW_UNVERIFIED, f"in the quote these words stand beside {other[0].quantity.text}")

    def _computed(self, index: int, derived: Derivation) -> SaidNumber | None:
        said = self.context.amounts[index]
        if said.number is None or derived.status.weight is Weight.FAIL:
            return None
        value = abs(derived.value) * {"%": 100, "points": 100, "bps": 10000, "‰": 1000}.get(said.percent, 1)
        powers = {power for one in derived.inputs for power in one.powers or {0}} if not said.percent else {0}
        sizes = [value * Fraction(10) ** power for power in {0, *powers}]
        step, size = said.step * Fraction(10) ** said.power, said.size or Fraction(0)
        exact = any(size == one for one in sizes)
        if not exact and not any((one / step + Fraction(1, 2)) // 1 * step == size for one in sizes):
            return None
        status = NumberStatus.OK if exact else NumberStatus.ROUNDED
        status = derived.status if derived.status.weight > status.weight else status
        money = {one.currency for one in derived.inputs if one.currency}
        if said.currency and money and said.currency not in money and "$" not in money:
            return None
        worst = _worst(Agreement(status), [p for p in self._of_inputs(index, derived) if p is not None])
        return SaidNumber(said.text, worst.status, "expr", (), worst.message, None, self.bound.get(index))

    def _of_inputs(self, index: int, derived: Derivation) -> Iterable[Problem | None]:
        """The inputs of a calculation of one row must be of the row that the sentence names."""
        places = [one.place for one in derived.inputs if one.place is not None]
        if places and all(place.row is places[0].row for place in places):
            yield row_tie(self.context, index, places[0], alone=True)


def _worst(size: Agreement, problems: Sequence[Problem]) -> Agreement:
    found = [size, *(Agreement(one.status, one.message) for one in problems)]
    return max(found, key=lambda one: one.weight)


def _around(printed: Printed, rivals: Sequence[Printed], context: Context) -> str:
    """The words of a quote before a number, as far back as any say something, and those up to the next number."""
    text, quantity = printed.text, printed.quantity
    ends = sorted({r.quantity.end for r in rivals if r.quantity.end <= quantity.start} | {0}, reverse=True)
    before = next((text[low : quantity.start] for low in ends if context.stems(text[low : quantity.start])), "")
    high = min((r.quantity.start for r in rivals if r.quantity.start >= quantity.end), default=len(text))
    return f"{before} {text[quantity.end : high]}"


# ---------------------------------------------------------------- what is said beside the numbers


def _open(
    context: Context, numbers: Sequence[SaidNumber], quotes: Sequence[str], derived: Sequence[Derivation]
) -> Iterable[tuple[str, str, str]]:
    yield from _directions(context, numbers, quotes, derived)
    denied, printed = negations(context.text, context.language), [negations(text, context.language) for text in quotes]
    tables = any(number.where == "cell" for number in numbers)
    labels = [f"{n.printed.place.label} {n.printed.place.header}" for n in numbers if n.printed and n.printed.place]
    if denied and not any(negations(text, context.language) for text in labels or quotes):
        yield "negation", "", "the sentence denies, and nothing quoted does"
    elif not denied and printed and not tables and all(printed):
        yield "negation", "", "what is quoted denies, and the sentence does not"
    yield from _unheld(context, [*quotes, *_beside(numbers, derived)])


def _beside(numbers: Sequence[SaidNumber], derived: Sequence[Derivation]) -> Iterable[str]:
    """The pages of the tables that prove numbers, and their labels: where the other words of the sentence must stand."""
    used = [n.printed for n in numbers if n.printed] + [one for d in derived for one in d.inputs]
    for place in {id(p.place.row): p.place for p in used if p.place}.values():
        yield f"{place.row.path} {place.header}"
        yield place.edition.page(place.table.page).text


def _unheld(context: Context, quotes: Sequence[str]) -> Iterable[tuple[str, str, str]]:
    """Content words of the sentence that nothing quoted holds, inflected or not."""
    held = frozenset(map(context.same, stem_set(quotes, context.language))) | context.free
    moved = {(start, end) for _, start, end in directions(context.text, context.language)}
    missing = [
        word
        for word in context.words
        if context.same(word.stem) not in held and not any(s <= word.start < e for s, e in moved)
    ]
    if missing:
        words = list(dict.fromkeys(context.text[word.start : word.end] for word in missing))
        yield "words", ", ".join(words[:6]), "not in what is quoted"


def _directions(
    context: Context, numbers: Sequence[SaidNumber], quotes: Sequence[str], derived: Sequence[Derivation]
) -> Iterable[tuple[str, str, str]]:
    """A word that says up or down needs the same in the quote, or figures that show it."""
    labels = " ".join(
        f"{n.printed.place.row.path} {n.printed.place.header}" for n in numbers if n.printed and n.printed.place
    )
    named = set(re.findall(r"[^\W\d_]+", labels.casefold()))
    printed = {sign for text in quotes for sign, _, _ in directions(text, context.language)}
    for sign, start, end in directions(context.text, context.language):
        word = context.text[start:end]
        if word.casefold() in named or stem_set([word], context.language) & stem_set([labels], context.language):
            continue
        shown = _shown_direction(context, numbers, derived)
        if shown == -sign:
            yield "direction", word, "the figures go the other way"
        elif shown == 0 and printed != {sign}:
            yield "direction", word, "neither the quotes nor the figures show it"


def _shown_direction(context: Context, numbers: Sequence[SaidNumber], derived: Sequence[Derivation]) -> int:
    """+1 or -1 where figures of one row over two years, or a printed change, go one way; 0 where they show nothing."""
    shown: set[int] = set()
    rows: dict[int, list[SaidNumber]] = {}
    for number in numbers:
        if number.printed is not None and number.printed.place is not None:
            rows.setdefault(id(number.printed.place.row), []).append(number)
            if number.printed.percent and (number.printed.quantity.parens or number.printed.quantity.negative):
                shown.add(-1)
    for group in rows.values():
        between = _between_years(group)
        shown |= {between} if between is not None else {_over_years(number) for number in group}
    for one in derived:
        shown.add(_over_inputs(one))
    shown.discard(0)
    return shown.pop() if len(shown) == 1 else 0


def _between_years(group: Sequence[SaidNumber]) -> int | None:
    """The sign of the change between the numbers that the sentence gives of one row for two years; None where it gives one."""
    dated: dict[int, Fraction] = {}
    for number in group:
        place = number.printed.place if number.printed else None
        year = _year_of(place, place.column) if place else None
        size = _signed(place, place.column) if place else None
        if year is not None and size is not None:
            dated[year] = size
    return _change(dated[min(dated)], dated[max(dated)]) if len(dated) > 1 else None


def _over_years(number: SaidNumber) -> int:
    """The sign of the change from the year before to the year of a cell, in its own row; of the earlier cell, to the year after."""
    place = number.printed.place if number.printed else None
    if place is None:
        return 0
    years = [_year_of(place, index) for index in range(len(place.row.cells))]
    mine = years[place.column]
    later = [(year, index) for index, year in enumerate(years) if year is not None and mine is not None and year > mine]
    earlier = [
        (year, index) for index, year in enumerate(years) if year is not None and mine is not None and year < mine
    ]
    other = number.period is not None and number.period.other
    pair = (place.column, min(later)[1]) if other and later else (max(earlier)[1], place.column) if earlier else None
    if pair is None:
        return 0
    old, new = (_signed(place, index) for index in pair)
    return 0 if old is None or new is None else _change(old, new)


def _change(old: Fraction, new: Fraction) -> int:
    """The sign of a change; of two negative figures (expenses, losses) that of their sizes, for that is how they are spoken of."""
    old, new = (abs(old), abs(new)) if old < 0 and new < 0 else (old, new)
    return (new > old) - (new < old)


def _year_of(place: Any, column: int) -> int | None:
    cell = place.row.cells[column]
    if cell is None:
        return None
    years = {p.year for p in replace(place, column=column, cell=cell).own_periods if p.year}
    return years.pop() if len(years) == 1 else None


def _signed(place: Any, column: int) -> Fraction | None:
    found = quantities(place.row.cells[column].text, place.language)
    if len([q for q in found if q.role in (Role.AMOUNT, Role.YEAR)]) != 1 or found[0].number is None:
        return None
    return -found[0].number if found[0].parens or found[0].negative else found[0].number


def _over_inputs(derived: Derivation) -> int:
    """The sign of the change between two inputs of one row, from the earlier year to the later."""
    dated = [
        (year, size)
        for one in derived.inputs
        if one.place
        and (year := _year_of(one.place, one.place.column))
        and (size := _signed(one.place, one.place.column)) is not None
    ]
    if len(dated) != 2 or dated[0][0] == dated[1][0]:
        return 0
    (_, old), (_, new) = sorted(dated)
    return _change(old, new)
