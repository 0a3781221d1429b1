"""Claims end to end: quotes, numbers, derived numbers, the sentence itself, the verdict."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pageindex.errors import InputError, PageRangeError
from pageindex.evidence import (
    Claims,
    Exposure,
    Ledger,
    NumberStatus,
    PageRange,
    QuoteStatus,
    Verdict,
    check_claims,
    locate,
    parse_claims,
)
from tests.support.evidence_editions import Printed, edition_of, text_edition

TEXT = (
    "Acme Corporation reported net revenue of $1,204 million for the year 2022, up from $1,150 million.\r\n"
    "The operating margin was 12.48% and Acme employed 3,100 people in Berlin on 4 May 2023.\r\n"
    "Losses on derivatives came to -3.2 million euros in the fourth quarter of the year under review.\r\n"
)
EDITION = text_edition(
    TEXT, "Another page says that Acme Corporation moved to Hamburg in the course of the spring.\r\n"
)
REVENUE = "Acme Corporation reported net revenue of $1,204 million for the year 2022, up from $1,150 million"
MARGIN = "The operating margin was 12.48% and Acme employed 3,100 people in Berlin on 4 May 2023"


def check(
    text: str, quotes: list[dict[str, Any]], numbers: list[dict[str, Any]] | None = None, **options: Any
) -> Claims:
    claim = {"id": "c1", "text": text, "quotes": quotes, "numbers": numbers or []}
    return check_claims(options.pop("edition", EDITION), parse_claims({"claims": [claim]}), **options)


def test_a_claim_that_holds_passes() -> None:
    result = check(
        "Acme's revenue was $1,204 million in 2022.", [{"text": REVENUE, "page": 1}], [{"as_printed": "1,204"}]
    )
    assert result.verdict is Verdict.PASS, result.to_json()
    item = json.loads(json.dumps(result.to_json()))
    assert item["claims"][0]["quotes"][0]["status"] == "exact"
    assert item["claims"][0]["numbers"][0]["where"] == "in_quote"


@pytest.mark.parametrize(
    ("quote", "status"),
    [
        ({"text": "net revenue of $1,204 million"}, QuoteStatus.NOT_IDENTIFYING),
        ({"text": REVENUE.replace("1,204", "1,294"), "page": 1}, QuoteStatus.ALTERED),
        ({"text": REVENUE, "page": 2}, QuoteStatus.ELSEWHERE),
        ({"text": "Losses on derivatives came to 3.2 million euros in the fourth quarter"}, QuoteStatus.NUMBERS_DIFFER),
        ({"handle": "abcdef.p1.0-99~00000000"}, QuoteStatus.SOURCE_CHANGED),
        ({"handle": "nothing"}, QuoteStatus.INVALID_LOCATOR),
    ],
)
def test_a_quote_that_does_not_hold_fails_the_claim(quote: dict[str, Any], status: QuoteStatus) -> None:
    result = check("Acme did well.", [quote])
    assert result.checks[0].quotes[0].status is status
    assert result.verdict is Verdict.FAIL


def test_a_handle_pins_the_place() -> None:
    handle = str(locate(EDITION, "net revenue of $1,204 million", 1).handles[0])
    assert check("Revenue was $1,204 million.", [{"handle": handle}]).verdict is Verdict.PASS
    assert (
        check("Revenue was $1,204 million.", [{"handle": handle, "text": "net revenue of $1,204"}]).verdict
        is Verdict.PASS
    )
    other = check("Revenue was $1,204 million.", [{"handle": handle, "text": "operating margin was 12.48%"}])
    assert other.checks[0].quotes[0].status is QuoteStatus.ALTERED


@pytest.mark.parametrize(
    ("number", "status"),
    [
        ("1,204", NumberStatus.OK),
        ("$1,204", NumberStatus.OK),
        ("12.48%", NumberStatus.OK),
        ("12.5%", NumberStatus.ROUNDED),
        ("12.480%", NumberStatus.PRECISION_DIFFERS),
        ("1204", NumberStatus.OK),  # a comma is typography
        ("$1,204 million", NumberStatus.OK),
        ("$1.2 billion", NumberStatus.ROUNDED),
        ("$1,204 billion", NumberStatus.MAGNITUDE_DIFFERS),
        ("1,204,000", NumberStatus.SCALED),
        ("-3.2", NumberStatus.NOT_LOCAL),
        ("3.2", NumberStatus.MISSING),
        ("12.48", NumberStatus.UNIT_DIFFERS),
        ("(1,204)", NumberStatus.NUMBERS_DIFFER),
        ("-1,204", NumberStatus.NUMBERS_DIFFER),
        ("€1,204", NumberStatus.UNIT_DIFFERS),
        ("1,205", NumberStatus.MISSING),
        ("about 5 things", NumberStatus.UNPARSEABLE),
        ("5 and 6", NumberStatus.UNPARSEABLE),
        ("", NumberStatus.UNPARSEABLE),
    ],
)
def test_declared_numbers(number: str, status: NumberStatus) -> None:
    quotes = [{"text": REVENUE, "page": 1}, {"text": MARGIN, "page": 1}]
    result = check("Acme did well.", quotes, [{"as_printed": number}])
    assert result.checks[0].numbers[0].status is status


@pytest.mark.parametrize(
    ("printed", "expr", "status"),
    [
        ("54", "n1 - n2", NumberStatus.OK),
        ("4.7%", "round((n1 - n2) / n2, 3)", NumberStatus.OK),
        ("4.7%", "(n1 - n2) / n2", NumberStatus.ROUNDED),
        ("4.8%", "(n1 - n2) / n2", NumberStatus.NUMBERS_DIFFER),
        ("1,177", "mean(n1, n2)", NumberStatus.OK),
        ("54", "n1 - n3", NumberStatus.MISSING),
        ("54", "n1 - n9", NumberStatus.MISSING),
        ("54", "54", NumberStatus.MISSING),
        ("54", "n1 - __import__", NumberStatus.UNPARSEABLE),
        ("54", "n1 / 0 + n2", NumberStatus.UNPARSEABLE),
    ],
)
def test_derived_numbers(printed: str, expr: str, status: NumberStatus) -> None:
    numbers = [
        {"as_printed": "1,204"},
        {"as_printed": "1,150"},
        {"as_printed": "999"},
        {"as_printed": printed, "expr": expr},
    ]
    result = check("Acme grew.", [{"text": REVENUE, "page": 1}], numbers)
    assert result.checks[0].numbers[3].status is status, result.checks[0].numbers[3]
    assert result.checks[0].numbers[3].to_json()["inputs"] == "chosen_by_model"


def test_a_derived_number_covers_the_sentence() -> None:
    numbers = [{"as_printed": "1,204"}, {"as_printed": "1,150"}, {"as_printed": "54", "expr": "n1 - n2"}]
    assert check("Revenue grew by 54 million.", [{"text": REVENUE, "page": 1}], numbers).verdict is Verdict.PASS
    assert check("Revenue grew by 55 million.", [{"text": REVENUE, "page": 1}], numbers).verdict is Verdict.FAIL


@pytest.mark.parametrize(
    ("sentence", "kinds"),
    [
        ("The margin was 12.48%.", []),
        ("The margin was 12.48.", ["number"]),
        ("The margin was 13%.", ["number"]),
        ("Acme had 3,100 people on 2023-05-04.", []),
        ("Acme had 3,100 people on May 4, 2023.", []),
        ("Acme had 3,100 people on 5 May 2023.", ["number"]),
        ("Acme employed people in Berlin.", []),
        ("Acme employed people in Paris.", ["name"]),
        ("Globex employed people in Berlin.", ["words"]),
        ("GLOBEX employed people in Berlin.", ["name"]),
        ("The margin was -12.48%.", ["sign"]),
    ],
)
def test_the_sentence_itself_is_covered(sentence: str, kinds: list[str]) -> None:
    result = check(sentence, [{"text": MARGIN, "page": 1}])
    assert [item.kind for item in result.checks[0].uncovered] == kinds
    wanted = Verdict.FAIL if {"number", "date"} & set(kinds) else Verdict.NEEDS_REVIEW if kinds else Verdict.PASS
    assert result.verdict is wanted


def test_a_claim_without_a_quote_fails() -> None:
    assert check("Acme did well.", []).verdict is Verdict.FAIL


def test_the_worst_claim_decides() -> None:
    good = {"id": "a", "text": "Acme grew.", "quotes": [{"text": REVENUE, "page": 1}]}
    bad = {"id": "b", "text": "Acme grew.", "quotes": [{"text": "nothing of the kind was ever written down here"}]}
    assert check_claims(EDITION, parse_claims({"claims": [good]})).verdict is Verdict.PASS
    assert check_claims(EDITION, parse_claims({"claims": [good, bad]})).verdict is Verdict.FAIL


def test_evidence_that_was_never_delivered_is_unread() -> None:
    ledger = Ledger(EDITION.id)
    quote = [{"text": REVENUE, "page": 1}]
    assert check("Acme grew.", quote, ledger=ledger).checks[0].quotes[0].status is QuoteStatus.UNREAD
    ledger.record(Exposure.SNIPPET, [PageRange(1, 0, 500)])
    assert check("Acme grew.", quote, ledger=ledger).verdict is Verdict.NEEDS_REVIEW
    ledger.deliver([PageRange(1, 0, len(EDITION.page(1).data))])
    assert check("Acme grew.", quote, ledger=ledger).verdict is Verdict.PASS
    assert ledger.seen(Exposure.CITED, 1).total > 90


TABLE = edition_of(
    [
        Printed("Consolidated figures of the undertaking for the two years"),
        Printed("2022", x=300),
        Printed("2021", x=400, same_row=True),
        *(
            cell
            for label, one, other in (("Sales", "1,204", "1,100"), ("Costs", "800", "790"), ("Profit", "404", "310"))
            for cell in (Printed(label), Printed(one, x=300, same_row=True), Printed(other, x=400, same_row=True))
        ),
    ]
)
CAPTION = [{"text": "Consolidated figures of the undertaking for the two years", "page": 1}]


@pytest.mark.parametrize(
    ("quotes", "number", "status", "where"),
    [
        (CAPTION, {"as_printed": "1,204", "row": "Sales", "column": "2022"}, NumberStatus.OK, "cell"),
        (CAPTION, {"as_printed": "1,100", "row": "Sales", "column": "2022"}, NumberStatus.WRONG_COLUMN, "cell"),
        (CAPTION, {"as_printed": "800", "row": "Sales", "column": "2022"}, NumberStatus.MISSING, "cell"),
        (CAPTION, {"as_printed": "1,204", "row": "Sales"}, NumberStatus.COLUMN_UNVERIFIED, "row"),
        (CAPTION, {"as_printed": "1,204", "row": "Rents", "column": "2022"}, NumberStatus.MISSING, ""),
        (CAPTION, {"as_printed": "1,204", "row": "Sales", "column": "1999"}, NumberStatus.MISSING, ""),
        (CAPTION, {"as_printed": "1,204"}, NumberStatus.NOT_LOCAL, ""),
        ([{"text": "Sales 1,204 1,100"}], {"as_printed": "1,204"}, NumberStatus.COLUMN_UNVERIFIED, "in_quote"),
        ([{"text": "Sales 1,204 1,100"}], {"as_printed": "1,100", "column": "2022"}, NumberStatus.WRONG_COLUMN, "cell"),
        (
            [{"text": "Sales 1,204 1,100"}],
            {"as_printed": "1,204", "row": "Sales", "column": "1999"},
            NumberStatus.COLUMN_UNVERIFIED,
            "in_quote",
        ),
    ],
)
def test_cells(quotes: list[dict[str, Any]], number: dict[str, Any], status: NumberStatus, where: str) -> None:
    from pageindex.evidence import Declared, check_number

    located = [locate(TABLE, quote["text"], quote.get("page")) for quote in quotes]
    found = check_number(Declared(**number), TABLE, located)
    assert (found.status, found.where) == (status, where), found


def test_a_row_and_a_column_pin_a_short_quote() -> None:
    number = {"as_printed": "1,204", "row": "Sales", "column": "2022"}
    assert check("Sales were 1,204.", [{"text": "Sales 1,204"}], [number], edition=TABLE).verdict is Verdict.PASS
    assert check("Sales were 1,204.", [{"text": "Sales 1,204"}], edition=TABLE).verdict is Verdict.FAIL


@pytest.mark.parametrize(
    ("item", "place"),
    [
        ([], "$"),
        ({}, "$"),
        ({"claims": []}, "$.claims"),
        ({"claims": [{"id": "a"}]}, "$.claims[0]"),
        ({"claims": [{"id": "a", "text": "t", "confidence": 1}]}, "$.claims[0]"),
        ({"claims": [{"id": 1, "text": "t"}]}, "$.claims[0].id"),
        ({"claims": [{"id": "a", "text": "t", "quotes": [{}]}]}, "$.claims[0].quotes[0]"),
        ({"claims": [{"id": "a", "text": "t", "quotes": [{"text": "x", "page": True}]}]}, "$.claims[0].quotes[0].page"),
        ({"claims": [{"id": "a", "text": "t", "numbers": [{"row": "x"}]}]}, "$.claims[0].numbers[0]"),
        ({"claims": [{"id": "a", "text": "t"}, {"id": "a", "text": "u"}]}, "$.claims"),
    ],
)
def test_malformed_claims_name_the_place(item: Any, place: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_claims(item)
    assert caught.value.code == "INVALID_CLAIMS"
    assert caught.value.message.startswith(f"{place} ")


def test_a_cited_page_must_exist() -> None:
    with pytest.raises(PageRangeError):
        check("Acme grew.", [{"text": REVENUE, "page": 99}])
