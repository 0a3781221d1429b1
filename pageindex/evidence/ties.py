"""What ties a number of a sentence to one place of a table: its row by the words beside it, its column by the period or the words named."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from pageindex.evidence.numbers.lexicon import currency_pattern, magnitude_pattern
from pageindex.evidence.numbers.periods import Bound, Period, periods
from pageindex.evidence.numbers.quantities import Quantity, quantities
from pageindex.evidence.printed import Printed
from pageindex.evidence.status import NumberStatus
from pageindex.evidence.tables.meaning import CellPlace
from pageindex.evidence.tables.table import TableRow
from pageindex.evidence.wording import Word, content_words, directions, stem_set

__all__ = ["SPELLED_OUT", "Context", "Problem", "column_tie", "period_tie", "row_tie"]

_AS_WELL = 0.8  #: Of the weight of the words said of a row: another row whose whole label weighs so much fits as well.
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_COVERED = 0.6  #: Of a label's words, by weight, that a sentence has to say.
_SUBANNUAL = frozenset({"Q1", "Q2", "Q3", "Q4", "H1", "H2", "3M", "6M", "9M"})
_SAME_PART = {
    **{f"Q{n}": {"3M"} for n in range(1, 5)},
    "H1": {"6M"},
    "H2": {"6M"},
    "3M": {"Q1", "Q2", "Q3", "Q4"},
    "6M": {"H1", "H2"},
    "12M": {""},
}

#: Words that people put for one another when they name a row of accounts; each set counts as one word.
_ALIKE = (
    "revenue sales turnover", "profit earnings income", "cost costs expense expenses", "capex expenditures", "debt borrowings",
    "employee people staff workforce headcount", "umsatz umsatzerlöse erlöse", "gewinn ergebnis überschuss", "ingresos ventas", "receita vendas",
    "выручка доходы", "营业收入 收入",
)  # fmt: skip
SPELLED_OUT = {
    "r&d": "research and development", "sg&a": "selling general and administrative", "eps": "earnings per share", "cogs": "cost of goods sold",
    "ppe": "property plant and equipment", "pp&e": "property plant and equipment", "ebit": "operating income", "capex": "capital expenditures",
    "d&a": "depreciation and amortization", "aoci": "accumulated other comprehensive income",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a number of a sentence is not tied to a place."""

    status: NumberStatus
    message: str


@dataclass(frozen=True)
class Context:
    """A sentence around its amounts: its content words, and for each amount the stretch of words that is about it."""

    text: str
    language: str
    amounts: Sequence[Quantity]
    named: Sequence[Period] = ()
    free: frozenset[str] = frozenset()  # stems that name the document itself, and need no row
    _memo: dict[str, frozenset[str]] = field(default_factory=dict, repr=False)

    @cached_property
    def words(self) -> list[Word]:
        """The content words outside numbers and periods; those that an abbreviation stands for have its place."""
        plain = list(self.text)
        for start, end in [(q.start, q.end) for q in self.amounts] + [(p.start, p.end) for p in self.named]:
            plain[start:end] = " " * (end - start)
        found: list[Word] = []
        for match in _SHORT.finditer("".join(plain)):
            full = content_words(SPELLED_OUT[match.group().casefold()], self.language)
            found += [Word(word.stem, match.start(), match.end()) for word in full]
            plain[match.start() : match.end()] = " " * len(match.group())
        return sorted([*content_words("".join(plain), self.language), *found], key=lambda word: word.start)

    def between(self, start: int, end: int) -> list[Word]:
        return [word for word in self.words if start <= word.start < end]

    def before(self, index: int) -> list[Word]:
        """The words before an amount, back to the one before it; where those say nothing, further back."""
        end = self.amounts[index].start
        for back in range(index - 1, -2, -1):
            start = self.amounts[back].end if back >= 0 else 0
            found = self.between(start, end)
            if found:
                return found
        return []

    def after(self, index: int) -> list[Word]:
        """The words behind an amount, up to the next."""
        end = self.amounts[index + 1].start if index + 1 < len(self.amounts) else len(self.text)
        return self.between(self.amounts[index].end, end)

    def stems(self, text: str) -> frozenset[str]:
        """The stems of a label, with words that are put for one another made one."""
        if text not in self._memo:
            plain = _without_periods(_without_units(text, self.language), self.language)
            self._memo[text] = frozenset(map(self.same, stem_set([_spelled_out(plain)], self.language)))
        return self._memo[text]

    def same(self, stem: str) -> str:
        return _alike(self.language).get(stem, stem)

    def said(self, words: Sequence[Word]) -> frozenset[str]:
        return frozenset(self.same(word.stem) for word in words)


_ALIKE_BY_LANGUAGE: dict[str, dict[str, str]] = {}


def _alike(language: str) -> dict[str, str]:
    if language not in _ALIKE_BY_LANGUAGE:
        found: dict[str, str] = {}
        for group in _ALIKE:
            stems = [word.stem for word in content_words(group, language)]
            found |= dict.fromkeys(stems, stems[0])
        _ALIKE_BY_LANGUAGE[language] = found
    return _ALIKE_BY_LANGUAGE[language]


_SHORT = re.compile(rf"(?<![\w&])(?:{'|'.join(map(re.escape, SPELLED_OUT))})(?![\w&])", re.IGNORECASE)


def _spelled_out(text: str) -> str:
    return _SHORT.sub(lambda match: SPELLED_OUT[match.group().casefold()], text)


def _without_units(text: str, language: str) -> str:
    """A label without what only states a unit, a period or a note: "(in millions)", "(Note 5)"."""
    plain = re.sub(r"\([^)]*\b(?:in|note|notes|see)\b[^)]*\)", " ", text, flags=re.IGNORECASE)
    plain = re.sub(r"(?<!\w)[(\[]?(?:\d+|[a-z])[)\]](?!\w)", " ", plain)
    return currency_pattern().sub(" ", magnitude_pattern(language).sub(" ", plain))


def _without_periods(text: str, language: str) -> str:
    for period in reversed(periods(text, quantities(text, language))):
        text = f"{text[: period.start]} {text[period.end :]}"
    return text


# ---------------------------------------------------------------- rows


def row_tie(context: Context, index: int, place: CellPlace, *, alone: bool) -> Problem | None:
    """Whether the words about an amount name the row (or, in a table of periods, the column) that its cell stands in.

    Args:
        context: The sentence.
        index: Of the amount.
        place: The cell.
        alone: All amounts of the sentence are of this row, so that any of its words may name it.
    """
    naming = _Naming(context, place)
    if not context.stems(place.label) and naming.literal():
        return naming.rivalled([*context.before(index), *context.after(index)])
    if not naming.wanted:
        return Problem(NumberStatus.ROW_UNVERIFIED, f"the row of {place.cell.text} has no label that could be named")
    before, after = context.before(index), context.after(index)
    linked = re.match(
        r"[\s,]*(?:of|in|for|von|de|d['’]|an|des?|の|的)\s", context.text[context.amounts[index].end :], re.IGNORECASE
    )
    tries = [after, before] if linked and naming.cover(after) >= _COVERED else [before, [*before, *after]]
    for words in (*tries, *([context.words] if alone else ())):
        if naming.cover(words) >= _COVERED:
            return naming.rivalled(words) or naming.modified(words) or naming.said_elsewhere()
    rival = naming.best_rival(before) or naming.best_rival([*before, *after])
    hint = f"; the words are those of {rival!r}" if rival else ""
    return Problem(NumberStatus.ROW_UNVERIFIED, f"the sentence does not name the row {naming.shown!r}{hint}")


@dataclass(frozen=True)
class _Naming:
    """How a sentence names one row among those of its table."""

    context: Context
    place: CellPlace

    @cached_property
    def wanted(self) -> frozenset[str]:
        return self._names(self.place.row)

    @property
    def by_column(self) -> bool:
        """Whether the rows are periods and the columns carry the names."""
        label = self.place.label
        return not self.context.stems(label) and (not any(map(str.isalpha, label)) or bool(_YEAR.search(label)))

    def literal(self, label: str = "") -> bool:
        """Whether a label, such as one of nothing but common words ("Other", "Total"), is said word for word."""
        words = re.findall(r"[^\W\d_]+", (label or self.place.label).casefold())
        said = re.findall(r"[^\W\d_]+", self.context.text.casefold())
        return bool(words) and any(said[i : i + len(words)] == words for i in range(len(said)))

    def said_elsewhere(self) -> Problem | None:
        """Another row of the page that is said word for word, where this one is not: "current portion of debt", "debt, less current portion"."""
        if self.by_column or self.literal():
            return None
        own = self.place.row
        rows = (row for table in self.place.others for row in table.rows if row is not own and row.label != own.label)
        label = next((row.label for row in rows if len(row.label.split()) > 1 and self.literal(row.label)), "")
        return Problem(NumberStatus.ROW_UNVERIFIED, f"the sentence names the row {label!r}") if label else None

    @property
    def shown(self) -> str:
        return self.place.header if self.by_column else self.place.label

    def _names(self, row: TableRow) -> frozenset[str]:
        if self.by_column:
            return self.context.stems(self.place.header)
        stems = self.context.stems(row.label)
        return stems or self.context.stems(row.path)

    @cached_property
    def rivals(self) -> list[tuple[str, frozenset[str]]]:
        """The other labels of the table, with their stems."""
        if self.by_column:
            heads = [c.header for i, c in enumerate(self.place.table.columns) if i != self.place.column]
            return [
                (head, self.context.stems(head))
                for head in dict.fromkeys(heads)
                if self.context.stems(head) != self.wanted
            ]
        rows = {row.label: self._names(row) for row in self.place.table.rows if row is not self.place.row and row.label}
        return [(label, stems) for label, stems in rows.items() if stems and stems != self.wanted]

    @cached_property
    def weights(self) -> Counter[str]:
        count: Counter[str] = Counter(self.wanted)
        for _, stems in self.rivals:
            count.update(stems)
        return count

    def _weight(self, stems: frozenset[str]) -> float:
        return float(sum(self.weights[stem] ** -0.5 for stem in stems))

    def cover(self, words: Sequence[Word]) -> float:
        said = self.context.said(words)
        return self._weight(self.wanted & said) / (self._weight(self.wanted) or 1)

    def rivalled(self, words: Sequence[Word]) -> Problem | None:
        """Another row whose whole label is said, by words that are not this row's; and the same label in another section."""
        said = self.context.said(words)
        whole = self.wanted <= said
        for label, stems in self.rivals:
            better = not stems <= self.wanted or not whole
            if stems <= said and better and self._weight(stems) >= _AS_WELL * self._weight(self.wanted & said):
                return Problem(
                    NumberStatus.ROW_UNVERIFIED,
                    f"the sentence names the row {label!r}, the number stands in {self.shown!r}",
                )
        return self._sections(said)

    def _sections(self, said: frozenset[str]) -> Problem | None:
        own = self.place.row
        rows = [row for row in self.place.table.rows if row is not own and row.sections != own.sections]
        twins = [row for row in rows if row.label.casefold() == own.label.casefold()]
        if self.by_column or not twins:
            return None
        whole = self.context.said(self.context.words)
        mine = self.context.stems(" ".join(own.sections))
        for twin in twins:
            other = self.context.stems(" ".join(twin.sections))
            if (other - mine) & whole and not (mine - other) & whole:
                return Problem(NumberStatus.ROW_UNVERIFIED, f"the sentence names the section {twin.sections[-1]!r}")
            if not (mine - other) & whole and (mine - other):
                return Problem(
                    NumberStatus.ROW_UNVERIFIED, f"{self.place.label!r} stands in several sections, and none is named"
                )
        return None

    def best_rival(self, words: Sequence[Word]) -> str:
        said = self.context.said(words)
        return max((label for label, stems in self.rivals if stems <= said), key=len, default="")

    def modified(self, words: Sequence[Word]) -> Problem | None:
        """A word glued to the row's name that is none of the table's makes another thing of it: "deferred revenue" is no revenue."""
        near = (
            self.wanted
            | self.context.stems(f"{self.place.row.path} {self.place.header} {self.place.caption}")
            | self.context.free
        )
        moves = [(start, end) for _, start, end in directions(self.context.text, self.context.language)]
        for word in words:
            if self.context.same(word.stem) in near or any(start <= word.start < end for start, end in moves):
                continue
            if any(
                self.context.same(other.stem) in self.wanted and _glued(self.context.text, word, other)
                for other in words
            ):
                said = self.context.text[word.start : word.end]
                return Problem(NumberStatus.ROW_UNVERIFIED, f"{said!r} is no word of the row {self.shown!r}")
        return None


def _glued(text: str, one: Word, other: Word) -> bool:
    """Whether two words stand side by side, or joined by "of": parts of one name."""
    low, high = (one, other) if one.start < other.start else (other, one)
    return bool(re.fullmatch(r"[\s\-]+|\s+(?:of|on|from|in)\s+(?:the\s+)?", text[low.end : high.start]))


# ---------------------------------------------------------------- columns


def column_tie(context: Context, bound: Bound | None, place: CellPlace, *, declared: bool) -> Problem | None:
    """Whether what the sentence says leaves one column of the row: by its period, or by words of its head."""
    columns, mine = place.table.columns, place.column
    own = context.stems(place.header)
    said = context.said(context.words) - context.stems(place.row.path)
    rivals = [i for i, cell in enumerate(place.row.cells) if i != mine and cell and cell.text != place.cell.text]
    if bound is not None:
        periods = {p.year for p in place.own_periods}
        rivals = [i for i in rivals if not periods or _years(place, i) & periods or not _years(place, i)]
    for i in rivals:
        other = context.stems(columns[i].header)
        if other - own and other - own <= said and not (own - other and own - other <= said):
            return Problem(NumberStatus.COLUMN_UNVERIFIED, f"the sentence names the column {columns[i].header!r}")
    if declared or not rivals:
        return None
    open_ = [i for i in rivals if not (own - context.stems(columns[i].header)) & said]
    if not open_:
        return None
    values = ", ".join(cell.text for i in open_[:4] if (cell := place.row.cells[i]))
    return Problem(NumberStatus.COLUMN_UNVERIFIED, f"the row also holds {values}; name the column")


def _years(place: CellPlace, column: int) -> set[int | None]:
    cell = place.row.cells[column]
    if cell is None:
        return set()
    twin = CellPlace(place.edition, place.language, place.table, place.row, column, cell)
    return {period.year for period in twin.own_periods}


# ---------------------------------------------------------------- periods


def period_tie(bound: Bound | None, printed: Printed) -> Problem | None:
    """Whether a number is printed for the period that the sentence gives it."""
    if bound is None:
        return None
    if printed.place is None:
        return _in_prose(bound, printed)
    own = list(printed.place.own_periods)
    if own:
        return _agree(
            bound, own, list(printed.place.caption_periods), shown=printed.place.header or printed.place.label
        )
    around = [period for period in printed.place.caption_periods if period.year]
    if len({period.year for period in around}) == 1:
        return _agree(bound, around, around, shown="the caption")
    return Problem(
        NumberStatus.PERIOD_UNVERIFIED,
        f"the table does not say that {printed.quantity.text} is of {_shown(bound.period)}",
    )


def _in_prose(bound: Bound, printed: Printed) -> Problem | None:
    if printed.period is None:
        return Problem(
            NumberStatus.PERIOD_UNVERIFIED,
            f"the quote does not say that {printed.quantity.text} is of {_shown(bound.period)}",
        )
    if printed.period.other != bound.other:
        same = bound.period.year == printed.period.period.year
        return (
            Problem(NumberStatus.PERIOD_UNVERIFIED, f"the quote does not name the period of {printed.quantity.text}")
            if same
            else None
        )
    found = _agree(bound, [printed.period.period], list(printed.named), shown="the quote")
    if found is not None and not printed.period.sure:
        return Problem(NumberStatus.PERIOD_UNVERIFIED, found.message)
    return found


def _agree(bound: Bound, own: Sequence[Period], around: Sequence[Period], shown: str) -> Problem | None:
    said = bound.period
    wrong = NumberStatus.WRONG_PERIOD if bound.sure else NumberStatus.PERIOD_UNVERIFIED
    years = {period.year for period in own if period.year}
    if bound.other:
        fine = bool(years) and said.year is not None and all(year < said.year for year in years if year)
        return None if fine else Problem(wrong, f"{shown} is not a period before {_shown(said)}")
    if said.before or (said.year is None and not said.part):
        return Problem(NumberStatus.PERIOD_UNVERIFIED, "the sentence does not say which year it means")
    if said.year is not None and years and said.year not in years:
        return Problem(wrong, f"printed for {', '.join(map(str, sorted(y for y in years if y)))}, said of {said.year}")
    if said.year is not None and not years:
        return Problem(NumberStatus.PERIOD_UNVERIFIED, f"{shown} names no year")
    return _parts(said, own, around, wrong) or _day(said, own, around, wrong)


def _parts(said: Period, own: Sequence[Period], around: Sequence[Period], wrong: NumberStatus) -> Problem | None:
    parts = {period.part for period in own if period.part}
    if not said.part:
        short = bool(parts) and parts <= _SUBANNUAL and not said.month
        return (
            Problem(NumberStatus.PERIOD_UNVERIFIED, f"printed for {', '.join(sorted(parts))} of the year only")
            if short
            else None
        )
    if not parts:
        return (
            None
            if said.part == "12M"
            else Problem(NumberStatus.PERIOD_UNVERIFIED, f"the table does not say {said.part}")
        )
    if said.part in parts or parts & _SAME_PART.get(said.part, set()):
        return None
    return Problem(wrong, f"printed for {', '.join(sorted(parts))}, said of {said.part}")


def _day(said: Period, own: Sequence[Period], around: Sequence[Period], wrong: NumberStatus) -> Problem | None:
    if not said.month:
        return None
    months = {(p.month, p.day or said.day) for p in own if p.month and (p.year in (None, said.year))}
    if months:
        return (
            None
            if (said.month, said.day or next(iter(months))[1]) in months
            else Problem(wrong, f"printed for another day than {_shown(said)}")
        )
    near = {p.month for p in around if p.month}
    if near and said.month not in near:
        return Problem(NumberStatus.PERIOD_UNVERIFIED, f"the table does not name {_shown(said)}")
    return None


def _shown(period: Period) -> str:
    day = f"-{period.month:02}" + (f"-{period.day:02}" if period.day else "") if period.month else ""
    return f"{period.part} {period.year or ''}{day}".strip() or "the period named"
