"""Every sentence of an answer: proven, grounded, cited, uncited, or refuted."""

from __future__ import annotations

import pytest

from pageindex.errors import PageRangeError
from pageindex.evidence import PageRange, QuoteRef, Sentence, SentenceStatus, Verdict, account, is_factual
from tests.support.evidence_editions import Printed, edition_of, text_edition

PAGE = (
    "Verifiers shall not require passwords to be changed periodically. Users may choose a password of at least eight characters.\r\n\r\n"
    "The committee met twelve times in 2022 and approved all proposals of the staff.\r\n\r\n"
    "Memorised secrets are stored in hashed form. Circumstances of any kind may be taken into account by the verifier.\r\n"
)
EDITION = text_edition(PAGE, "Nothing of note stands on this page of the report.\r\n")
WHOLE = PageRange(1, 0, len(EDITION.page(1).data))
QUOTE = QuoteRef("Verifiers shall not require passwords to be changed periodically", 1)
TABLE = edition_of(
    [
        Printed("Consolidated statement of income (dollars in millions)"),
        Printed("2022", x=300),
        Printed("2021", x=400, same_row=True),
        *(
            cell
            for label, one, other in (("Net sales", "1,204", "1,100"), ("Cost of sales", "(800)", "(790)"), ("Net income", "404", "310"))
            for cell in (Printed(label), Printed(one, x=300, same_row=True), Printed(other, x=400, same_row=True))
        ),
    ]
)  # fmt: skip
STATEMENT = PageRange(1, 0, len(TABLE.page(1).data))


@pytest.mark.parametrize(
    ("sentence", "status"),
    [
        (
            Sentence("“Verifiers shall not require passwords to be changed periodically.”", (QUOTE,)),
            SentenceStatus.PROVEN,
        ),
        (
            Sentence("Verifiers shall not require periodically changed passwords.", cites=(WHOLE,)),
            SentenceStatus.GROUNDED,
        ),
        (Sentence("Users choose passwords of at least eight characters.", cites=(WHOLE,)), SentenceStatus.GROUNDED),
        (Sentence("The committee met 12 times in 2022.", cites=(WHOLE,)), SentenceStatus.GROUNDED),
        (
            Sentence("Verifiers shall require passwords to be changed periodically.", cites=(WHOLE,)),
            SentenceStatus.CITED,
        ),
        (Sentence("The document forbids passwords under any circumstances.", cites=(WHOLE,)), SentenceStatus.CITED),
        (Sentence("Secrets are stored in hashed form."), SentenceStatus.UNCITED),
        (Sentence("Here is what the document says:"), SentenceStatus.PLAIN),
    ],
)
def test_what_a_sentence_rests_on(sentence: Sentence, status: SentenceStatus) -> None:
    (check,) = account(EDITION, [sentence]).checks
    assert check.status is status, check
    assert not check.refuted


def test_one_true_quote_covers_no_other_sentence() -> None:
    result = account(
        EDITION, [Sentence(QUOTE.text, (QUOTE,)), Sentence("Auditors resigned in protest.", cites=(WHOLE,))]
    )
    assert [check.status for check in result.checks] == [SentenceStatus.PROVEN, SentenceStatus.CITED]
    assert result.verdict is Verdict.NEEDS_REVIEW
    assert result.summary.startswith("1 of 2 only cite a page. Not judged: ")
    assert result.checks[1].missing == ("Auditors", "resigned", "protest")


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Net sales were $1,204 million in 2022.", Verdict.PASS),
        ("Net sales rose from $1,100 million in 2021 to $1.2 billion in 2022.", Verdict.PASS),
        ("Cost of sales amounted to $800 million in 2022.", Verdict.PASS),
        ("Net sales were $1,100 million in 2022.", Verdict.FAIL),
        ("Net sales were $1,204 billion in 2022.", Verdict.FAIL),
        ("Net sales were €1,204 million in 2022.", Verdict.FAIL),
        ("Net sales were $1,205 million in 2022.", Verdict.FAIL),
        ("Net income was $1,204 million in 2022.", Verdict.NEEDS_REVIEW),
        ("Net sales fell to $1,204 million in 2022.", Verdict.NEEDS_REVIEW),
        ("Net sales of the bankrupt group were $1,204 million in 2022.", Verdict.NEEDS_REVIEW),
    ],
)
def test_numbers_of_a_sentence_that_cites_a_page_with_tables(text: str, verdict: Verdict) -> None:
    result = account(TABLE, [Sentence(text, cites=(STATEMENT,))])
    assert result.verdict is verdict, result.to_json()


def test_a_number_of_a_sentence_without_evidence_is_refuted() -> None:
    result = account(TABLE, [Sentence("Net sales were $1,204 million in 2022.")])
    assert result.checks[0].status is SentenceStatus.UNCITED
    assert result.verdict is Verdict.FAIL


@pytest.mark.parametrize(
    ("text", "factual"),
    [
        ("Shall I look at the notes as well?", False),
        ("Let me know whether more is needed.", False),
        ("Yes.", False),
        ("Let me add that sales were 12 million.", True),
        ("The board resigned.", True),
        ("董事会辞职了。", True),
        ("Insolvent", True),
        ("→ bankruptcy", True),
        ("Rating: D", True),
        ("None of this is so.", True),
        ("It did.", True),
        ("Confirmed.", True),
        ("As you say.", True),
        ("Of course it collapsed.", True),
        ("Would you like details on the bankruptcy?", True),
        ("T h e  b o a r d", True),
        ("b̲o̲a̲r̲d̲", True),
        ("\U0001f4c9", True),
        ("Alles gelogen.", True),
        ("全是假的。", True),
        ("Sources:", False),
        ("The document says:", False),
        ("Das Dokument sagt:", False),
        ("文件指出：", False),
        ("يقول المستند:", False),
        ("✓", False),
    ],
)
def test_what_is_factual(text: str, factual: bool) -> None:
    assert is_factual(text) is factual


def test_a_cited_page_must_exist() -> None:
    with pytest.raises(PageRangeError):
        account(EDITION, [Sentence("x", (QuoteRef("words that are long enough to be sought", 99),))])
