"""Whether a number that somebody says agrees with a printed one: size, magnitude, percent or points, currency, unit and sign."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from math import log10

from pageindex.evidence.numbers.lexicon import BASIS_POINTS, POINTS, same_currency, unit_of
from pageindex.evidence.numbers.quantities import Quantity
from pageindex.evidence.numbers.tokens import Sign
from pageindex.evidence.printed import Printed
from pageindex.evidence.status import NumberStatus, Weight

__all__ = ["Agreement", "agree"]

_LOSS = re.compile(
    r"(?<![^\W\d_])(?:loss(?:es)?|lost|deficit|negative|outflows?|used|decreas\w*|declin\w*|fell|fall\w*|drop\w*|reduc\w*|lower|down|shortfall|verlust\w*|fehlbetrag|rückgang\w*|sank|"
    r"pertes?|déficit|baiss\w*|recul\w*|pérdidas?|negativ\w*|disminu\w*|perdas?|prejuízo|queda|убыт\w*|отрицател\w*|снизи\w*|сниж\w*|сократ\w*|упал\w*)(?![^\W_])|亏损|损失|损耗|減|减少|下降|赤字|損失|خسار\w*|زیان|کاهش",
    re.IGNORECASE,
)
_LOST = re.compile(
    r"(?<![^\W\d_])(?:loss(?:es)?|lost|deficit|negative|outflows?|shortfall|verlust\w*|fehlbetrag|negativ\w*|pertes?|déficit|pérdidas?|perdas?|prejuízo|убыт\w*|отрицател\w*)(?![^\W_])|"
    r"亏损|损失|赤字|損失|خسار\w*|زیان",
    re.IGNORECASE,
)
_GAIN = re.compile(
    r"income|earnings|profit|gains?\b|surplus|provided|increase|ergebnis|gewinn|überschuss|résultat|bénéfice|resultado|beneficio|lucro|ganancia|прибыл|доход|利润|收益|利益|ربح|سود",
    re.IGNORECASE,
)
_EXPENSE = re.compile(
    r"expens|cost|\bless\b|deduct|provision|\btax|interest|depreciat|amorti[sz]|paid|payment|purchas|repay|repurchas|retire|used|outflow|dividend|expenditure|impairment|charge|"
    r"write[- ]|allowance|treasury|redempt|settle|acquisition|accumulated|distribution|issuance cost|aufwand|aufwend|kosten|abschreib|steuer|zins|auszahl|charges?|coût|impôt|intérêt|amortiss|"
    r"dépens|gasto|coste|costo|impuesto|interes|pago|custo|despesa|juros|расход|затрат|налог|процент|амортизац|费用|成本|支出|税|折旧|费|費|原価|مصروف|تكلف|ضريب|هزینه|مالیات|استهلاک",
    re.IGNORECASE,
)
_FAR = 2  #: How many times smaller "more than" may be than what is printed, and still speak of it.
_NEAR_POWER = 0.05
_STEPS = tuple(Fraction(10) ** power for power in (2, 3, 6, 9, 12))


@dataclass(frozen=True, slots=True)
class Agreement:
    """How a said number agrees with a printed one, and why not better."""

    status: NumberStatus
    message: str = ""

    @property
    def weight(self) -> Weight:
        return self.status.weight


def agree(said: Quantity, printed: Printed, words: str = "", *, as_printed: bool = False) -> Agreement | None:
    """Compare two numbers; None when they are two different ones.

    Args:
        said: Of a sentence or a declaration.
        printed: What it is held against.
        words: What is said around the number; it may say that it is negative.
        as_printed: The said form is meant as printed, so a magnitude that only the page's heads name need not be in it.
    """
    if _same_form(said, printed.quantity) and said.number is not None:  # "1.204" read in two languages
        printed = replace(printed, quantity=replace(printed.quantity, number=said.number, step=said.step))
    if said.number is None or printed.quantity.number is None:
        return _forms(said, printed.quantity)
    kind = _percent(said, printed, as_printed)
    size = _sizes(said, printed, as_printed)
    if size is None or (kind is not None and kind.weight is Weight.FAIL):
        return kind if size is not None else None
    found = [
        size,
        *(
            one
            for one in (kind, _currency(said, printed), _unit(said, printed), _sign(said, printed, words, as_printed))
            if one is not None
        ),
    ]
    return max(found, key=lambda one: (one.weight, one is size))


def _same_form(said: Quantity, printed: Quantity) -> bool:
    one, other = said.token, printed.token
    if one is None or other is None:
        return False
    return (one.core, one.superscript, one.percent, one.sign) == (
        other.core,
        other.superscript,
        other.percent,
        other.sign,
    )


def _forms(said: Quantity, printed: Quantity) -> Agreement | None:
    """Two forms of which one is no single number (10², 1.2.3)."""
    one, other = said.token, printed.token
    if (
        _same_form(said, printed)
        and one is not None
        and other is not None
        and (one.percent, one.sign) == (other.percent, other.sign)
    ):
        return Agreement(NumberStatus.OK)
    return _raised(said, printed)


def _raised(said: Quantity, printed: Quantity) -> Agreement | None:
    """A core with a note mark or power raised by its place only."""
    one, other = said.token, printed.token
    if (
        one is not None
        and other is not None
        and one.core == other.core
        and not one.superscript
        and other.superscript.isascii()
    ):
        return Agreement(NumberStatus.PRECISION_DIFFERS, f"{other.superscript!r} stands raised behind it")
    return None


# ---------------------------------------------------------------- percent


def _percent(said: Quantity, printed: Printed, as_printed: bool) -> Agreement | None:
    one, other = said.percent, printed.percent
    if one == other or {one, other} == {POINTS, BASIS_POINTS}:
        return None
    if not one and as_printed and not printed.quantity.percent:
        return None  # the sign stands in the head of the column
    if one and not other and printed.place is not None and not printed.quantity.currency:
        return Agreement(
            NumberStatus.UNIT_UNVERIFIED, f"the table does not say that {printed.quantity.text} is {_named(one)}"
        )
    return Agreement(NumberStatus.UNIT_DIFFERS, f"printed as {_named(other)}, said as {_named(one)}")


def _named(percent: str) -> str:
    return {"": "a plain number", "%": "percent", POINTS: "points", BASIS_POINTS: "basis points"}.get(percent, percent)


# ---------------------------------------------------------------- size


def _sizes(said: Quantity, printed: Printed, as_printed: bool) -> Agreement | None:
    number, printed_number = said.number, printed.quantity.number
    if number is None or printed_number is None:
        return None
    if BASIS_POINTS in (said.percent, printed.percent) and said.percent != printed.percent:
        one, other = _points(said), _points(replace(printed.quantity, percent=printed.percent))
        return Agreement(NumberStatus.OK) if one == other else None
    if as_printed and not said.power:
        found = _compared(said, number, printed_number, printed, Fraction(1))
        if found is not None:
            return found
    for power in sorted(printed.powers or {0}):
        found = _compared(
            said,
            number * Fraction(10) ** said.power,
            printed_number * Fraction(10) ** power,
            printed,
            Fraction(10) ** power,
        )
        if found is not None:
            return found
    return _scaled(said, printed)


def _points(quantity: Quantity) -> Fraction:
    return (quantity.number or Fraction(0)) / (100 if quantity.percent == BASIS_POINTS else 1)


def _compared(said: Quantity, one: Fraction, other: Fraction, printed: Printed, unit: Fraction) -> Agreement | None:
    """Two unsigned values: equal, or one the other rounded to the last digit said."""
    step = said.step * Fraction(10) ** (said.power if one != said.number or said.power == 0 else 0)
    grain = printed.quantity.step * unit
    if one == other:
        if step < grain and step < 1 and said.step < 1:
            return Agreement(NumberStatus.PRECISION_DIFFERS, f"printed as {printed.quantity.text}")
        if said.hedge not in ("", "about", printed.quantity.hedge):
            return Agreement(NumberStatus.PRECISION_DIFFERS, f"printed as exactly {printed.quantity.text}")
        return Agreement(NumberStatus.OK)
    if (grain >= step and not said.hedge) or one == 0:
        return None
    if said.hedge in ("more", "less"):
        low, high = (one, other) if said.hedge == "more" else (other, one)
        true = low < high <= low * _FAR
        return Agreement(NumberStatus.ROUNDED, f"printed as {printed.quantity.text}") if true else None
    coarse = _coarse(one, step) if said.hedge else step
    if any(_rounded(other, s) == one for s in {step, coarse}):
        return Agreement(NumberStatus.ROUNDED, f"printed as {printed.quantity.text}")
    down = other // coarse * coarse
    if (said.hedge == "over" and down == one) or (said.hedge == "under" and down + coarse == one and down != other):
        return Agreement(NumberStatus.ROUNDED, f"printed as {printed.quantity.text}")
    return None


def _coarse(value: Fraction, step: Fraction) -> Fraction:
    """The place value of the last digit that is not a zero: "about 1,200" is said to the hundred; never the first digit alone of three and more."""
    while value % (step * 10) == 0 and value >= step * 100:
        step *= 10
    return step


def _rounded(value: Fraction, step: Fraction) -> Fraction:
    return (value / step + Fraction(1, 2)) // 1 * step


def _scaled(said: Quantity, printed: Printed) -> Agreement | None:
    """The same digits at another magnitude: told apart from another number, so that the message can say so."""
    number, printed_number = said.number or Fraction(0), printed.quantity.number or Fraction(0)
    if number == 0 or printed_number == 0 or not _like_digits(number, printed_number):
        return None
    size, sizes = number * Fraction(10) ** said.power, printed.sizes
    same = number == printed_number or any(
        size == other * step or size * step == other for other in sizes for step in _STEPS
    )
    near = said.power and any(
        _rounded(other * step, said.step * Fraction(10) ** said.power) == size for other in sizes for step in _STEPS
    )
    if not (same or near):
        return None
    if not printed.powers and said.power:
        return Agreement(
            NumberStatus.UNIT_UNVERIFIED, f"the page does not say in what unit {printed.quantity.text} is printed"
        )
    if said.power:
        return Agreement(
            NumberStatus.MAGNITUDE_DIFFERS, f"printed {_unit_name(printed)}, said {_power_name(said.power)}"
        )
    return Agreement(NumberStatus.SCALED, f"printed {_unit_name(printed)}, which is not said")


def _like_digits(one: Fraction, other: Fraction) -> bool:
    """Whether two numbers differ by about a power of ten: a cheap look before the exact one."""
    ratio = abs(one / other)
    power = log10(ratio.numerator) - log10(ratio.denominator)
    return abs(power - round(power)) < _NEAR_POWER


def _unit_name(printed: Printed) -> str:
    return " or ".join(_power_name(power) for power in sorted(printed.powers or {0}))


def _power_name(power: int) -> str:
    return {
        0: "in ones",
        2: "in hundreds",
        3: "in thousands",
        6: "in millions",
        9: "in billions",
        12: "in trillions",
    }.get(power, f"times 10^{power}")


# ---------------------------------------------------------------- currency, unit


def _currency(said: Quantity, printed: Printed) -> Agreement | None:
    if not said.currency:
        return None
    if not printed.currency:
        return Agreement(NumberStatus.UNIT_UNVERIFIED, f"no currency is printed for {printed.quantity.text}")
    same = same_currency(said.currency, printed.currency)
    if same is None:
        return Agreement(NumberStatus.UNIT_UNVERIFIED, f"printed in {printed.currency}, said in {said.currency}")
    return (
        None
        if same
        else Agreement(NumberStatus.UNIT_DIFFERS, f"printed in {printed.currency}, said in {said.currency}")
    )


def _unit(said: Quantity, printed: Printed) -> Agreement | None:
    if not said.unit or said.unit == printed.quantity.unit:
        return None
    if printed.quantity.unit:
        return Agreement(NumberStatus.UNIT_DIFFERS, f"printed in {printed.quantity.unit}, said in {said.unit}")
    place = printed.place
    around = f"{place.row.path} {place.header} {place.caption}" if place else printed.text
    if printed.currency or not any(unit_of(word) == said.unit for word in re.findall(r"[^\W\d_]+", around)):
        return Agreement(NumberStatus.UNIT_UNVERIFIED, f"{printed.quantity.text} is not printed in {said.unit}")
    return None


# ---------------------------------------------------------------- sign


_ASIDE = re.compile(r"\([^()\d]*\)")  # "Net income (loss)": a label's alternative is no statement


def _meant(printed: Printed) -> str:
    """The words that say what kind of figure a row holds: its label, or, where that says nothing, the sections around it."""
    if printed.place is None:
        return ""
    row = printed.place.row
    known = any(pattern.search(row.label) for pattern in (_LOSS, _GAIN, _EXPENSE))
    return row.label if known else row.path


def _sign(said: Quantity, printed: Printed, words: str, as_printed: bool) -> Agreement | None:
    """Parentheses and dashes, by what the row means as printed; what that leaves open is for review and never fails."""
    number = printed.quantity
    words = _ASIDE.sub(" ", words)
    if said.parens and number.parens and said.sign is number.sign:
        return None
    if number.sign is Sign.AMBIGUOUS and not said.negative:
        same = said.sign is Sign.AMBIGUOUS
        return None if same else Agreement(NumberStatus.SIGN_AMBIGUOUS, "the printed dash may be a minus")
    if number.parens or number.sign is Sign.MINUS:
        return _of_negative(said, printed, words, as_printed)
    return _of_positive(said, printed, words, as_printed)


def _counts_losses(label: str) -> bool:
    """Whether a row counts losses as positive: "losses (gains)"."""
    return bool(
        _LOST.search(_ASIDE.sub(" ", label)) and _GAIN.search(label) and not _GAIN.search(_ASIDE.sub(" ", label))
    )


def _of_negative(said: Quantity, printed: Printed, words: str, as_printed: bool) -> Agreement | None:
    """A number printed in parentheses or with a minus: said as such, as a loss, or as the amount of an expense."""
    number, label = printed.quantity, _meant(printed)
    minus = number.sign is Sign.MINUS
    gain, loss, cost = (bool(pattern.search(label)) for pattern in (_GAIN, _LOSS, _EXPENSE))
    expense = (cost or loss) and not (gain and loss) and (cost or not gain)
    if _counts_losses(label):
        fine = bool(_GAIN.search(words)) and not _LOST.search(words)
    elif said.negative or said.parens:
        fine = (not expense or minus) if said.negative else number.parens
    else:
        fine = bool(_LOSS.search(words)) or (number.parens and (expense or printed.place is None))
    if fine:
        return None
    if as_printed and minus and not said.negative and printed.place is None:
        return Agreement(NumberStatus.NUMBERS_DIFFER, f"printed as {number.text}")
    return Agreement(NumberStatus.SIGN_AMBIGUOUS, f"printed as {number.text}; the row does not say what that means")


def _of_positive(said: Quantity, printed: Printed, words: str, as_printed: bool) -> Agreement | None:
    """A number printed plainly: neither said with a minus, nor as a loss that its row does not name."""
    number, label = printed.quantity, _meant(printed)
    if said.negative or said.parens:
        status = NumberStatus.NUMBERS_DIFFER if as_printed else NumberStatus.SIGN_AMBIGUOUS
        return Agreement(status, f"printed without a minus, as {number.text}")
    either = bool(_GAIN.search(label) and _LOSS.search(label)) and not _counts_losses(label)
    if _LOST.search(words) and (either or not _LOSS.search(label)) and printed.place is not None:
        return Agreement(NumberStatus.SIGN_AMBIGUOUS, f"said as a loss, printed as {number.text} in the row {label!r}")
    return None
