"""Claims whose sentence is true or false beside a number that is printed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pageindex.document import Edition
from pageindex.evidence import ClaimCheck, Verdict, check_claims, parse_claims
from pageindex.evidence.claims import NOT_JUDGED
from tests.support.evidence_editions import Printed, edition_of, text_edition


def table(caption: str, years: Sequence[str], rows: Sequence[tuple[str, ...]]) -> Edition:
    page = [Printed(caption), *(Printed(year, x=300 + 100 * i, same_row=i > 0) for i, year in enumerate(years))]
    for label, *values in rows:
        page.append(Printed(label))
        page += [Printed(value, x=300 + 100 * i, same_row=True) for i, value in enumerate(values) if value]
    return edition_of(page)


def check(edition: Edition, text: str, quote: str, numbers: Sequence[dict[str, str]] = ()) -> ClaimCheck:
    claim = {"id": "c", "text": text, "quotes": [{"text": quote, "page": 1}], "numbers": list(numbers)}
    return check_claims(edition, parse_claims({"claims": [claim]})).checks[0]


ENGLISH = table(
    "Consolidated income (dollars in millions, except per share amounts), see Note 5",
    ["2022", "2021"],
    [
        ("Net sales", "$ 1,204", "$ 1,100"),
        ("Cost of sales", "(800)", "(790)"),
        ("Deferred revenue", "35", "41"),
        ("Operating expenses:",),
        ("Research and development", "200", "150"),
        ("Gain (loss) on hedges", "(12)", "7"),
        ("Increase (decrease) in cash", "59", "(8)"),
        ("Currency losses (gains)", "51", "(10)"),
        ("Current portion of long-term debt", "61", "72"),
        ("Long-term debt, less current portion", "910", "940"),
        ("Net income", "404", "310"),
        ("Earnings per share", "$ 1.31", "$ 1.05"),
    ],
)
SALES, COSTS, HEDGES = "Net sales $ 1,204 $ 1,100", "Cost of sales (800) (790)", "Gain (loss) on hedges (12) 7"


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Net sales were $1,204 million in 2022.", SALES),
        ("Net sales came to about $1.2 billion in 2022.", SALES),
        ("Net sales stood at $1.20 billion for fiscal 2022 (p. 1).", SALES),
        ("In 2022, net sales were more than $1,200 million.", SALES),
        ("Net sales were less than $1.5 billion in 2022.", SALES),
        ("Net sales were nearly $1.3 billion in 2022.", SALES),
        ("Net sales were $1,204,000,000 in 2022.", SALES),
        ("Net sales (in millions) were $1,204 in 2022.", SALES),
        ("Net sales rose from $1,100 million in 2021 to $1,204 million in 2022.", SALES),
        ("Net sales for 2022 and 2021 were $1,204 million and $1,100 million, respectively.", SALES),
        ("Net sales were $1,204 million in 2022, up from $1,100 million a year earlier.", SALES),
        ("Cost of sales was $800 million in 2022.", COSTS),
        ("According to the 10-K, R&D was $200 million in 2022 (Note 5).", "Research and development 200 150"),
        ("The loss on hedges was $12 million in 2022.", HEDGES),
        ("Currency losses were $51 million in 2022.", "Currency losses (gains) 51 (10)"),
        ("Currency gains were $10 million in 2021.", "Currency losses (gains) 51 (10)"),
        (
            "Long-term debt, less current portion, was $910 million in 2022.",
            "Long-term debt, less current portion 910 940",
        ),
        ("The increase (decrease) in cash was $59 million in 2022.", "Increase (decrease) in cash 59 (8)"),
        ("Net sales were $1,204 million in 2022.", "Net sales (a) $ 1,204 $ 1,100"),
        ("Earnings per share were $1.31 in 2022.", "Earnings per share $ 1.31 $ 1.05"),
    ],
)
def test_what_is_true_passes(text: str, quote: str) -> None:
    found = check(ENGLISH, text, quote)
    assert found.verdict is Verdict.PASS, found.to_json()


@pytest.mark.parametrize(
    ("text", "quote", "kind"),
    [
        ("Net sales were $1,205 million in 2022.", SALES, "number"),
        ("Net sales were about $1.3 billion in 2022.", SALES, "number"),
        ("Net sales were more than $1,204 million in 2022.", SALES, "precision"),
        ("Net sales were more than $1.3 billion in 2022.", SALES, "number"),
        ("Net sales were less than $1.2 billion in 2022.", SALES, "number"),
        ("Net sales doubled to $1,204 million in 2022.", SALES, "words"),
        ("Net sales were twelve million dollars in 2022.", SALES, "number"),
        ("Net sales were $1,204 billion in 2022.", SALES, "number"),
        ("Net sales were $1,204 in 2022.", SALES, "unit"),
        ("Net sales were €1,204 million in 2022.", SALES, "number"),
        ("Net sales were 1,204 million yen in 2022.", SALES, "number"),
        ("Net sales were 1,204% in 2022.", SALES, "number"),
        ("Net sales were 1,204 million shares in 2022.", SALES, "unit"),
        ("Net sales were $1,100 million in 2022.", SALES, "number"),
        ("Net sales were $1,204 million in 2019.", SALES, "number"),
        ("Net sales were $1,204 million in the first quarter of 2022.", SALES, "period"),
        ("Net sales were $1,204 million.", SALES, "column"),
        ("Net sales for 2021 and 2022 were $1,204 million and $1,100 million, respectively.", SALES, "number"),
        ("Net sales fell from $1,100 million in 2021 to $1,204 million in 2022.", SALES, "direction"),
        ("Net sales did not reach $1,204 million in 2022.", SALES, "negation"),
        ("Net income was $1,204 million in 2022.", SALES, "row"),
        ("Deferred net sales were $1,204 million in 2022.", SALES, "row"),
        ("Net sales were -$1,204 million in 2022.", SALES, "sign"),
        ("Net sales came to a loss of $1,204 million in 2022.", SALES, "sign"),
        ("The gain on hedges was $12 million in 2022.", HEDGES, "sign"),
        ("Currency losses were $10 million in 2021.", "Currency losses (gains) 51 (10)", "sign"),
        (
            "The current portion of long-term debt was $910 million in 2022.",
            "Long-term debt, less current portion 910 940",
            "row",
        ),
        ("Net sales of the Globex group were $1,204 million in 2022.", SALES, "name"),
        ("Net sales were $1,204 million in 2022 (Note 9).", SALES, "reference"),
        ("Earnings per share were $1.31 million in 2022.", "Earnings per share $ 1.31 $ 1.05", "number"),
    ],
)
def test_what_is_false_or_open_does_not_pass(text: str, quote: str, kind: str) -> None:
    found = check(ENGLISH, text, quote)
    assert found.verdict is not Verdict.PASS
    assert kind in {item.kind for item in found.uncovered}, found.to_json()


GERMAN = table(
    "Gewinn- und Verlustrechnung (in Mio. €)",
    ["2022", "2021"],
    [("Umsatzerlöse", "1.204", "1.150"), ("Materialaufwand", "(800)", "(790)")],
)
FRENCH = table(
    "Compte de résultat (en millions d'euros)",
    ["2022", "2021"],
    [("Chiffre d'affaires", "1\u00a0204", "1\u00a0150"), ("Résultat net", "404", "310")],
)
RUSSIAN = table(
    "Отчет о прибылях (в млн руб.)",
    ["2022", "2021"],
    [("Выручка", "1\u00a0204", "1\u00a0150"), ("Чистая прибыль", "404", "310")],
)
CHINESE = table(
    "合并利润表（单位：百万元）", ["2022年", "2021年"], [("营业收入", "1,204", "1,150"), ("净利润", "404", "310")]
)
JAPANESE = table(
    "連結損益計算書 (百万円)", ["2022年", "2021年"], [("売上高", "1,204", "1,150"), ("純利益", "404", "310")]
)
SPANISH = table(
    "Resultados (en millones de euros)",
    ["2022", "2021"],
    [("Ventas netas", "1.204", "1.150"), ("Resultado neto", "404", "310")],
)
PORTUGUESE = table(
    "Resultados (em milhões de reais)",
    ["2022", "2021"],
    [("Receita líquida", "1.204", "1.150"), ("Lucro", "404", "310")],
)
ARABIC = table(
    "قائمة الدخل (بالملايين)", ["2022", "2021"], [("الإيرادات", "1,204", "1,150"), ("صافي الربح", "404", "310")]
)
PERSIAN = table(
    "صورت سود و زیان (میلیون ریال)", ["2022", "2021"], [("درآمد عملیاتی", "1,204", "1,150"), ("سود خالص", "404", "310")]
)


@pytest.mark.parametrize(
    ("edition", "quote", "true", "false"),
    [
        (GERMAN, "Umsatzerlöse 1.204 1.150", "Die Umsatzerlöse betrugen 1,2 Milliarden Euro im Jahr 2022.", "Die Umsatzerlöse betrugen 1.204 Milliarden Euro im Jahr 2022."),
        (FRENCH, "Chiffre d'affaires 1 204 1 150", "Le chiffre d'affaires s'élève à 1 204 millions d'euros en 2022.", "Le chiffre d'affaires a baissé à 1 204 millions d'euros en 2022."),
        (RUSSIAN, "Выручка 1 204 1 150", "Выручка выросла с 1 150 млн руб. в 2021 году до 1,2 млрд руб. в 2022 году.", "Выручка в 2022 году составила 1 204 млрд рублей."),
        (CHINESE, "营业收入 1,204 1,150", "2022年营业收入为12.04亿元。", "2021年营业收入为12.04亿元。"),
        (JAPANESE, "売上高 1,204 1,150", "2022年の売上高は12億400万円でした。", "2022年の売上高は1,204億円でした。"),
        (SPANISH, "Ventas netas 1.204 1.150", "Las ventas netas fueron de mil doscientos cuatro millones de euros en 2022.", "Las ventas netas fueron de 1.204 millones de dólares en 2022."),
        (PORTUGUESE, "Receita líquida 1.204 1.150", "A receita líquida foi de R$ 1,2 bilhão em 2022.", "A receita líquida foi de R$ 1.204 mil em 2022."),
        (ARABIC, "الإيرادات 1,204 1,150", "بلغت الإيرادات 1,204 مليون في عام 2022.", "بلغت الإيرادات 1,204 مليار في عام 2022."),
        (PERSIAN, "درآمد عملیاتی 1,204 1,150", "درآمد عملیاتی در سال 2022 برابر 1,204 میلیون ریال بود.", "درآمد عملیاتی در سال 2021 برابر 1,204 میلیون ریال بود."),
    ],
)  # fmt: skip
def test_the_languages_of_the_corpus(edition: Edition, quote: str, true: str, false: str) -> None:
    found = check(edition, true, quote)
    assert found.verdict is Verdict.PASS, found.to_json()
    assert check(edition, false, quote).verdict is not Verdict.PASS


WORDS = "The committee approved a budget of twelve million dollars for 2022. The margin rose by 50 basis points to 7 percent. The line is 12.5 miles long."
PROSE = text_edition(f"{WORDS}\r\n")


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("The committee approved a budget of $12 million for 2022.", Verdict.PASS),
        ("The margin rose by 0.5 percentage points.", Verdict.PASS),
        ("The margin rose to 7%.", Verdict.PASS),
        ("The line is 12.5 miles long.", Verdict.PASS),
        ("The committee approved a budget of 12 billion dollars for 2022.", Verdict.FAIL),
        ("The committee approved a budget of twelve million dollars for 2023.", Verdict.FAIL),
        ("The budget was twelve million euros.", Verdict.FAIL),
        ("The margin rose by 0.5 percent.", Verdict.FAIL),
        ("The line is 12.5 km long.", Verdict.FAIL),
        ("The margin fell by 50 basis points.", Verdict.NEEDS_REVIEW),
        ("The committee did not approve a budget of twelve million dollars for 2022.", Verdict.NEEDS_REVIEW),
    ],
)
def test_running_text(text: str, verdict: Verdict) -> None:
    found = check(PROSE, text, WORDS)
    assert found.verdict is verdict, found.to_json()


def test_numbers_of_running_text_keep_their_subjects() -> None:
    words = "Revenue of the group was $5 million and its costs were $3 million in the year under review."
    edition = text_edition(f"{words}\r\n")
    assert check(edition, "Revenue was $5 million and costs were $3 million.", words).verdict is Verdict.PASS
    assert check(edition, "Revenue was $3 million and costs were $5 million.", words).verdict is Verdict.NEEDS_REVIEW


def test_a_column_that_the_sentence_names_need_not_be_declared() -> None:
    found = check(ENGLISH, "Net sales were $1,204 million in 2022.", SALES, [{"as_printed": "1,204"}])
    assert [number.where for number in found.numbers] == ["cell"]
    assert found.verdict is Verdict.PASS


@pytest.mark.parametrize("expr", ["n1 * 0 + 999", "n1 - n1 + 999", "max(n1, 999)", "999", "n1 * 0.8297"])
def test_a_calculation_that_does_not_depend_on_what_is_printed_proves_nothing(expr: str) -> None:
    numbers = [{"as_printed": "$ 1,204", "row": "Net sales", "column": "2022"}, {"as_printed": "999", "expr": expr}]
    assert check(ENGLISH, "Net sales imply 999 in 2022.", SALES, numbers).verdict is Verdict.FAIL


def test_a_calculation_may_spell_out_the_numbers_it_takes() -> None:
    numbers = [
        {"as_printed": "$ 1,204", "row": "Net sales", "column": "2022"},
        {"as_printed": "$ 1,100", "row": "Net sales", "column": "2021"},
        {"as_printed": "9.5%", "expr": "round(1,204 / 1100 - 1, 3)"},
    ]
    assert check(ENGLISH, "Net sales grew by 9.5% to $1,204 million in 2022.", SALES, numbers).verdict is Verdict.PASS
    assert (
        check(ENGLISH, "Net sales fell by 9.5% to $1,204 million in 2022.", SALES, numbers).verdict is not Verdict.PASS
    )


def test_what_is_not_judged_stands_beside_the_verdict() -> None:
    claims = parse_claims({"claims": [{"id": "c", "text": "x", "quotes": []}]})
    assert check_claims(ENGLISH, claims).to_json()["not_judged"] == NOT_JUDGED
