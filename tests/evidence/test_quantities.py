"""What a text says in numbers: words, magnitudes, currencies, percents, periods, in ten languages."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pageindex.evidence.numbers.periods import bind, periods
from pageindex.evidence.numbers.quantities import Role, only_quantity, quantities
from pageindex.evidence.numbers.spelled import spelled
from pageindex.evidence.printed import spoken
from pageindex.evidence.tables.units import scales


@pytest.mark.parametrize(
    ("language", "text", "values"),
    [
        (
            "en",
            "twelve million, one hundred twenty-three, half a million, two and a half billion; one of them",
            [12e6, 123, 5e5, 2.5e9],
        ),
        ("de", "zwölf Millionen, dreihundertfünfundzwanzig, anderthalb Millionen, ein Haus", [12e6, 325, 1.5e6]),
        ("fr", "douze millions, quatre-vingt-dix-sept, soixante et onze, deux millions et demi", [12e6, 97, 71, 2.5e6]),
        ("es", "doce millones, treinta y cinco, dos mil millones, mil doscientos cuatro", [12e6, 35, 2e9, 1204]),
        ("pt", "doze milhões, dois bilhões, cento e vinte mil", [12e6, 2e9, 120e3]),
        ("ru", "двенадцать миллионов, триста сорок пять, полтора миллиона", [12e6, 345, 1.5e6]),
        ("zh", "一千二百万元，三亿，十二个，统一的", [12e6, 3e8, 12]),
        ("ja", "十二億円、三百万円", [12e8, 3e6]),
        ("ar", "اثنا عشر مليون، خمسة وعشرون، ثلاثمائة ألف", [12e6, 25, 300e3]),
        ("fa", "دوازده میلیون، بیست و پنج، سه میلیارد", [12e6, 25, 3e9]),
        ("xx", "twelve million", []),
    ],
)
def test_numbers_in_words(language: str, text: str, values: list[float]) -> None:
    assert [float(word.value * Fraction(10) ** word.power) for word in spelled(text, language)] == values


@pytest.mark.parametrize(
    ("language", "text", "size", "percent", "currency"),
    [
        ("en", "$1,204 million", 1204e6, "", "$"),
        ("en", "US$ 3.4 billion", 3.4e9, "", "USD"),
        ("en", "€12m", 12e6, "", "EUR"),
        ("en", "12 million euros", 12e6, "", "EUR"),
        ("en", "7 percent", 7, "%", ""),
        ("en", "50 basis points", 50, "bps", ""),
        ("en", "0.5 percentage points", 0.5, "points", ""),
        ("en", "12.5 miles", 12.5, "", ""),
        ("de", "1.204 Mio. €", 1204e6, "", "EUR"),
        ("de", "1,2 Billionen Euro", 1.2e12, "", "EUR"),
        ("de", "3 Prozentpunkte", 3, "points", ""),
        ("fr", "1 204 millions d'euros", 1204e6, "", "EUR"),
        ("fr", "12,5 %", 12.5, "%", ""),
        ("es", "2 mil millones de euros", 2e9, "", "EUR"),
        ("pt", "R$ 2,5 bilhões", 2.5e9, "", "BRL"),
        ("ru", "12,5 млрд руб.", 12.5e9, "", "RUB"),
        ("zh", "12.5亿元", 12.5e8, "", "CNY"),
        ("zh", "一千二百万美元", 12e6, "", "USD"),
        ("ja", "12億400万円", 12.04e8, "", "JPY"),
        ("ar", "7 في المئة", 7, "%", ""),
        ("fa", "۱۲ میلیارد ریال", 12e9, "", "IRR"),
    ],
)
def test_a_quantity(language: str, text: str, size: float, percent: str, currency: str) -> None:
    found = only_quantity(text, language)
    assert found is not None
    assert found.size is not None
    assert (float(found.size), found.percent, found.currency) == (size, percent, currency)


def test_what_only_looks_like_an_amount() -> None:
    text = "In 2022 (p. 7), see Note 5 of 3M's 10-K: 1,204 items, about $5 and $6 million."
    roles = [(text[q.start : q.end], q.role) for q in quantities(text)]
    assert [role for _, role in roles] == [
        Role.YEAR,
        Role.PAGE,
        Role.REFERENCE,
        Role.NAME,
        Role.NAME,
        *[Role.AMOUNT] * 3,
    ]
    five, six = quantities(text)[-2:]
    assert (five.size, six.size, five.hedge) == (5_000_000, 6_000_000, "about")


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("Sales were $5 million in 2022 and $4 million in 2021.", [2022, 2021]),
        ("In 2022, sales rose from $4 million in 2021 to $5 million.", [2021, 2022]),
        ("Sales for 2022 and 2021 were $5 million and $4 million, respectively.", [2022, 2021]),
        ("Sales were $5 million in 2022, up from $4 million a year earlier.", [2022, 2021]),
        ("In 2021 sales were $5, in 2022 $6.", [2021, 2022]),
        ("FY22 revenue: 5; FY21 revenue: 4", [2022, 2021]),
        ("Assets were $5 at December 31, 2022 and $4 at 12/31/2021.", [2022, 2021]),
        ("Sales were $5.", []),
    ],
)
def test_the_period_of_a_number(text: str, years: list[int]) -> None:
    amounts, named, _ = spoken(text, "en")
    bound = bind(text, amounts, named)
    assert [bound[index].period.year for index in range(len(amounts)) if index in bound] == years
    assert all(one.sure and not one.other for one in bound.values())


def test_a_number_it_is_compared_with_is_of_another_period() -> None:
    amounts, _, bound = spoken("Sales grew from $4 million to $5 million in fiscal 2022.", "en")
    assert [bound[i].other for i in range(len(amounts))] == [True, False]


def test_quarters_and_months() -> None:
    text = "three months ended March 31, 2023; Q4 2022; the first quarter of fiscal 2024; 第三季度; Vorjahr"
    found = [(p.year, p.part, p.month, p.before) for p in periods(text, quantities(text))]
    assert found == [(2023, "3M", 3, 0), (2022, "Q4", 0, 0), (2024, "Q1", 0, 0), (None, "Q3", 0, 0), (None, "", 0, 1)]


@pytest.mark.parametrize(
    ("text", "power", "currency", "excepted"),
    [
        ("(dollars in millions, except per share amounts)", 6, "$", "per share amounts"),
        ("(In thousands)", 3, "", ""),
        ("(Millions)", 6, "", ""),
        ("in TEUR", 3, "EUR", ""),
        ("in Mio. €", 6, "EUR", ""),
        ("en millions d'euros", 6, "EUR", ""),
        ("в млн руб.", 6, "RUB", ""),
        ("单位：百万元", 6, "CNY", ""),
        ("(百万円)", 6, "JPY", ""),
        ("بالملايين", 6, "", ""),
    ],
)
def test_what_the_heads_of_a_table_say(text: str, power: int, currency: str, excepted: str) -> None:
    (found,) = scales(text)
    assert (found.power, found.currency, found.excepted.strip()) == (power, currency, excepted)


def test_a_year_right_behind_its_number_heads_nothing() -> None:
    """A colon behind it may lead on to the words quoted."""
    for text, other in (("Net income was $985 in 2022: as printed.", False), ("It was 1,150; 2022: 1,204.", True)):
        amounts, _, bound = spoken(text, "en")
        assert amounts and (bound[0].period.year, bound[0].other) == (2022, other), text
