"""The ladder, rung by rung; and what must never pass."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pageindex.document import Edition, Flag, PageState, Position, Section, Span, Tree, TreeSource
from pageindex.errors import InputError, PageRangeError
from pageindex.evidence import Located, QuoteStatus, Weight, fence, from_page, locate, with_sections
from pageindex.evidence.fence import REMOVED
from pageindex.evidence.quotes.identify import too_short
from tests.support.evidence_editions import Printed, edition_of, text_edition, with_state

ONE = (
    "Annual Report 2022\r\n"
    "The “Group” reported revenue of 1,204 million in 2022, an in\x02crease of 12.5% over\r\n"
    "the prior year. Net cash was not affected by the re-\r\nstructuring. The margin was -3.2% and\r\n"
    "the eﬀect on equity (0.044) of all sub‐sidiaries is shown. It was 10² times larger.\r\n"
    "Charges of - 0.30 were booked. See the well-known notes on COVID-19 for 2019–2020.\r\n"
)
TWO = "Annual Report 2022\r\nThe directors approved the accounts on 4 May 2023 and the auditors signed on the following\r\n"
THREE = "Annual Report 2022\r\nday in the presence of the board. The directors thanked the staff for a year of hard work.\r\n"


def made() -> Edition:
    edition = text_edition(ONE, TWO, THREE, "")
    head = (0, len(b"Annual Report 2022"))
    pages = tuple(replace(page, running=(head,)) if page.text else page for page in edition.pages)
    return replace(edition, pages=pages)


EDITION = made()


def words(located: Located) -> str:
    return "".join(EDITION.page(p.page).data[p.start : p.end].decode() for p in located.evidence)


@pytest.mark.parametrize(
    ("quote", "page", "status", "found"),
    [
        ("revenue of 1,204 million in 2022", 1, "exact", "revenue of 1,204 million in 2022"),
        ('The "Group" reported revenue', 1, "exact", "The “Group” reported revenue"),
        ("an increase of 12.5% over the prior year", 1, "exact", "an in\x02crease of 12.5% over\r\nthe prior year"),
        (
            "Net cash was not affected by the restructuring",
            1,
            "exact",
            "Net cash was not affected by the re-\r\nstructuring",
        ),
        ("by the re-structuring", 1, "folded", "by the re-\r\nstructuring"),
        ("by the re- structuring", 1, "folded", "by the re-\r\nstructuring"),
        ("THE EFFECT ON EQUITY", 1, "folded", "the eﬀect on equity"),
        ("the  ef\u00adfect on\nequity (0.044)", 1, "exact", "the eﬀect on equity (0.044)"),
        ("The margin was −3.2% and", 1, "exact", "The margin was -3.2% and"),
        ("Charges of - 0.30 were booked", 1, "exact", "Charges of - 0.30 were booked"),
        ("well-known notes on COVID-19 for 2019-2020", 1, "exact", "well-known notes on COVID-19 for 2019–2020"),
        ("It was 10² times larger", 1, "exact", "It was 10² times larger"),
        ("It was 10^2 times larger", 1, "exact", "It was 10² times larger"),
        ("It was 10**2 times larger", 1, "exact", "It was 10² times larger"),
        ("It was 10^{2} times larger", 1, "exact", "It was 10² times larger"),
        ("It was 10<sup>2</sup> times larger", 1, "exact", "It was 10² times larger"),
    ],
)
def test_passes(quote: str, page: int, status: str, found: str) -> None:
    located = locate(EDITION, quote, page)
    assert (located.status, located.weight) == (status, Weight.PASS)
    assert words(located) == found
    assert located.found_pages == (page,)
    assert located.score == 100
    assert locate(EDITION, quote).status == status  # the whole document, nothing cited


@pytest.mark.parametrize(
    ("quote", "status"),
    [
        ("revenue of 1,294 million in 2022, an increase of 12.5% over", "altered"),
        ("revenue of 1,204 million in 2022, an increase of 12.5 over the prior year", "numbers_differ"),
        ("revenue of 1,204 million in 2022, an increase of 1.25% over the prior year", "numbers_differ"),
        ("Net cash was affected by the restructuring. The margin was -3.2% and", "altered"),
        ("the effect on equity 0.044 of all subsidiaries is shown. It was", "numbers_differ"),
        ("the effect on equity (0.044) of some subsidiaries is shown. It was 10² times larger", "altered"),
        ("Net profit was not affected by the restructuring. The margin was -3.2% and the effect", "altered"),
        ("The margin was 3.2% and", "numbers_differ"),
        ("the effect on equity (-0.044) of", "numbers_differ"),
        ("It was 102 times larger", "numbers_differ"),
        ("notes on COVID 19 for 2019–2020", "numbers_differ"),
        ("notes on COVID-19 for 2019 2020", "numbers_differ"),
        ("Charges of 0.30 were booked", "numbers_differ"),
        ("3.2% and the effect on equity", "numbers_differ"),
        ("Charges of -0.30 were booked", "sign_ambiguous"),
        ("0.30 were booked. See the", "sign_ambiguous"),
        ("revenue of 1,204 million in 202", "numbers_differ"),
        ("revenue of 1,20", "numbers_differ"),
        ("204 million in 2022", "numbers_differ"),
        ("an increase of 12", "numbers_differ"),
        ("evenue of 1,204 million in", "near"),
        ("Net cash was not affected by the restructuring; the margin was -3.2% and", "near"),
        ("a sentence that nobody ever wrote about anything at all", "missing"),
    ],
)
def test_what_says_something_else_never_passes(quote: str, status: str) -> None:
    located = locate(EDITION, quote, 1)
    assert located.weight >= Weight.REVIEW, located
    assert located.status == status or (status == "altered" and located.status == "missing"), located


def test_the_diff_names_the_words() -> None:
    quote = "The “Group” reported revenue of 1,204 million in 2022, an increase of 12.5% over the previous year. Net cash was not"
    located = locate(EDITION, quote, 1)
    assert located.status is QuoteStatus.ALTERED
    assert [(c.quoted, c.printed) for c in located.changes] == [("previous", "prior")]
    assert words(located).startswith("The “Group”")


def test_numbers_that_differ_are_named() -> None:
    located = locate(EDITION, "The margin was 3.2% and", 1)
    assert [(n.quoted, n.printed) for n in located.numbers] == [("3.2%", "-3.2%")]


def test_a_hit_is_widened_to_the_whole_number() -> None:
    edition = text_edition("costs rose by $ 12 in the year\r\n")
    located = locate(edition, "12 in the year", 1)
    piece = located.evidence[0]
    assert edition.page(1).data[piece.start : piece.end] == b"$ 12 in the year"


def test_a_declared_page_break_is_crossed_without_running_lines() -> None:
    quote = "the auditors signed on the following day in the presence of the board"
    located = locate(EDITION, quote, 2, 3)
    assert located.status is QuoteStatus.SPAN
    assert [piece.page for piece in located.evidence] == [2, 3]
    assert words(located) == "the auditors signed on the following" + "day in the presence of the board"
    assert locate(EDITION, quote).status is QuoteStatus.SPAN
    for page in (2, 3):  # cited by the page where it begins, or ends
        assert locate(EDITION, quote, page).evidence == located.evidence
    assert locate(EDITION, quote, 1).status is QuoteStatus.ELSEWHERE


def test_a_running_line_in_the_midst_of_a_page_does_not_part_a_quote() -> None:
    edition = text_edition("the committee went on\r\nfree of charge from: here\r\nto examine every figure\r\n")
    running = len(b"the committee went on\r\n")
    head = (running, running + len(b"free of charge from: here"))
    edition = replace(edition, pages=(replace(edition.page(1), running=(head,)),))
    for page in (1, None):
        assert locate(edition, "committee went on to examine every", page).weight is Weight.PASS
    assert locate(edition, "went on free of charge from: here to examine", 1).status is QuoteStatus.EXACT


def test_a_word_hyphenated_over_the_page_break_is_one_word() -> None:
    edition = text_edition("it all ended in an inter-\r\n", "ruption of the work\r\n")
    assert locate(edition, "ended in an interruption of the work", 1, 2).status is QuoteStatus.SPAN


def test_the_right_words_on_the_wrong_page_fail_and_name_the_page() -> None:
    located = locate(EDITION, "The directors thanked the staff for a year of hard work", 2)
    assert (located.status, located.weight, located.page) == (QuoteStatus.ELSEWHERE, Weight.FAIL, 3)
    assert located.found_pages == (3,)


def test_the_right_words_in_another_document_fail_and_name_it() -> None:
    other = text_edition(
        "Quite another report about bridges and tunnels in the north of the country\r\n", name="bridges.pdf"
    )
    located = locate(EDITION, "another report about bridges and tunnels in the north", 1, others=[other])
    assert (located.status, located.edition) == (QuoteStatus.ELSEWHERE, other.id)
    assert "bridges.pdf" in located.message


def test_several_places_are_ambiguous_unless_a_page_is_cited() -> None:
    edition = text_edition("the same words here", "and the same words there", "the same words, the same words")
    located = locate(edition, "the same words")
    assert (located.status, located.weight) == (QuoteStatus.AMBIGUOUS, Weight.REVIEW)
    assert located.found_pages == (1, 2, 3)
    assert len(located.places) == 4
    assert locate(edition, "the same words", 2).status is QuoteStatus.EXACT


def test_running_lines_are_no_places_of_their_own() -> None:
    located = locate(EDITION, "Annual Report 2022")
    assert located.status is QuoteStatus.AMBIGUOUS  # it stands nowhere else
    edition = edition_of(
        [Printed("The Plan", running=True), "We wrote The Plan in May"], [Printed("The Plan", running=True), "text"]
    )
    assert locate(edition, "The Plan").status is QuoteStatus.EXACT


@pytest.mark.parametrize("state", [PageState.IMAGE_ONLY, PageState.GARBLED])
def test_ocr_is_partial_and_kept_apart(state: PageState) -> None:
    edition = with_state(EDITION, 3, state)
    located = locate(edition, "words that a machine has read", 3, ocr={3: "Some words that a machine has read."}.get)
    assert (located.status, located.weight) == (QuoteStatus.OCR, Weight.PARTIAL)
    assert located.evidence[0].lane == "ocr"
    assert locate(edition, "words that a machine has read", 3).status is QuoteStatus.MISSING
    assert (
        locate(EDITION, "words that a machine has read", 1, ocr={1: "words that a machine has read"}.get).status
        is QuoteStatus.MISSING
    )


def test_a_text_layer_made_by_ocr_is_partial() -> None:
    page = replace(EDITION.page(2), flags=(Flag("ocr_layer_suspected"),))
    edition = replace(EDITION, pages=(EDITION.page(1), page, *EDITION.pages[2:]))
    assert locate(edition, "The directors approved the accounts", 2).status is QuoteStatus.OCR


def test_evidence_names_its_section() -> None:
    first = Section("0001", "One", Span(Position(1, 0), Position(2, 0)), TreeSource.LAYOUT)
    last = Section("0002", "Two", Span(Position(2, 0), EDITION.end), TreeSource.LAYOUT)
    tree = Tree(EDITION.id, "", (first, last), EDITION.end, TreeSource.LAYOUT)
    located = with_sections(locate(EDITION, "signed on the following day in the presence", 2, 3), tree)
    assert [piece.section for piece in located.evidence] == ["0002", "0002"]
    assert located.to_json()["spans"][0]["section"] == "0002"
    assert with_sections(locate(EDITION, "revenue of 1,204 million", 1), tree).evidence[0].section == "0001"


def test_a_quote_with_our_own_marks_is_redacted() -> None:
    assert locate(EDITION, f"the margin {REMOVED} was", 1).status is QuoteStatus.REDACTED
    fenced = fence(from_page(EDITION, 1))
    assert locate(EDITION, fenced.text[:60], 1).status is QuoteStatus.REDACTED


@pytest.mark.parametrize("quote", ["", "  ", " - – ", "\u200b"])
def test_nothing_to_look_for_is_an_error(quote: str) -> None:
    with pytest.raises(InputError) as caught:
        locate(EDITION, quote)
    assert caught.value.code == "EMPTY_QUOTE"


def test_a_quote_longer_than_anybody_quotes_is_an_error() -> None:
    with pytest.raises(InputError) as caught:
        locate(EDITION, "word " * 5000)
    assert caught.value.code == "QUOTE_TOO_LONG"


@pytest.mark.parametrize(("page", "last"), [(0, None), (5, None), (3, 2), (1, 99), (-1, None)])
def test_a_page_that_does_not_exist_is_rejected(page: int, last: int | None) -> None:
    with pytest.raises(PageRangeError):
        locate(EDITION, "the directors", page, last)


def test_scripts_without_spaces_may_be_cut_anywhere() -> None:
    edition = text_edition("控制系统的设计与实现需要大量的实验数据支持，因此我们在2019年进行了三次试验。\r\n")
    assert locate(edition, "系统的设计与实现需要大量", 1).status is QuoteStatus.EXACT
    assert locate(edition, "因此我们在2018年进行了", 1).weight is Weight.FAIL
    assert locate(edition, "因此我们在201", 1).weight is Weight.FAIL


CUT = "The board's fee rose. See H2O, 12km north and 100mg/l. Note1 and the Company12 say so; हिन्दी भाषा is spoken. It's 'known' here, in v1.2 of it.\r\n"


@pytest.mark.parametrize(
    ("quote", "whole"),
    [
        ("The board's fee", True),
        ("The board", False),  # board's
        ("s fee rose", False),
        ("See H", False),  # H2O
        ("2O, 12km north", False),
        ("km north and 100mg/l", False),
        ("12km north", True),
        ("and the Company", True),  # a note mark glued to a word
        ("No", False),
        ("Company12 say so", True),
        ("Company1", False),
        ("in v1", False),  # v1.2
        ("2 of it", False),
        ("in v1.2 of it", True),
        ("हिन्दी भाषा is", True),
        ("हिन्द", False),  # the vowel sign belongs to it
        ("known' here", True),
        ("'known'", True),
    ],
)
def test_no_hit_cuts_a_word(quote: str, whole: bool) -> None:
    assert (locate(text_edition(CUT), quote, 1).weight is Weight.PASS) is whole


@pytest.mark.parametrize(
    ("quote", "short"),
    [
        ("the whole of a sentence that is long enough", False),
        ("incomprehensibilities notwithstanding institutionalisation", True),  # three words
        ("six words are not too many", True),
        ("系统的设计与实现需要大量的实验数据支持因此", False),
        ("系统的设计与实现", True),
    ],
)
def test_what_is_too_short_to_point_anywhere(quote: str, short: bool) -> None:
    assert too_short(quote) is short


def test_white_space_of_the_copy_says_nothing_about_signs() -> None:
    edition = text_edition("for n − 1 and\r\n- 0.5 and (18)\r\n% of 1\u00a0204 units\r\n")
    for quote in ("for n −\t1 and", "for n\n− 1 and - 0.5 and", "and (18) % of", "(18)\n% of 1 204 units"):
        assert locate(edition, quote, 1).weight is Weight.PASS, quote
    assert locate(edition, "and 0.5 and (18)", 1).status is QuoteStatus.NUMBERS_DIFFER
    listed = text_edition("which is positive?\r\n- -2\r\n+ 2\r\n- 7 of them\r\n")
    assert locate(listed, "positive? - -2 + 2", 1).weight is Weight.PASS
    assert locate(listed, "positive? - 2 + 2", 1).status is QuoteStatus.NUMBERS_DIFFER
    assert locate(listed, "+ 2 - 7 of them", 1).weight is Weight.PASS


@settings(max_examples=200)
@given(st.data())
def test_what_is_cut_from_the_page_is_found_there(data: st.DataObject) -> None:
    """Any stretch of whole words of a page without numbers passes, and its evidence re-cuts to it."""
    text = "The quick brown foxes jump – over “the” lazy dogs; naïve coöperation ﬁnds 漢字 and 😀 smiles, and\r\nstill they run-\r\nning go on."
    edition = text_edition(text)
    starts = [0, *(i + 1 for i, c in enumerate(text) if c == " ")]
    start = data.draw(st.sampled_from(starts))
    end = data.draw(st.sampled_from([i for i, c in enumerate(text) if c in " .;" and i > start]))
    quote = text[start:end]
    assume(any(c.isalpha() for c in quote))
    located = locate(edition, quote, 1)
    assert located.weight is Weight.PASS, (quote, located)
    piece = located.evidence[0]
    assert edition.page(1).data[piece.start : piece.end].decode().strip() in text


def test_a_long_quote_with_changed_words_is_told_within_bounded_time() -> None:
    words = [f"word{n * 7919 % 9973}" for n in range(2500)]
    edition = text_edition(" ".join(words))
    long = words[500:1500]
    one = locate(edition, " ".join([*long[:400], "zebra", *long[401:]]), 1)
    assert one.status is QuoteStatus.ALTERED
    assert [(change.quoted, change.printed) for change in one.changes] == [("zebra", long[400])]
    dropped = locate(edition, " ".join([*long[:400], *long[402:]]), 1)
    assert dropped.status is QuoteStatus.ALTERED
    assert [change.printed for change in dropped.changes] == [" ".join(long[400:402])]
    started = time.process_time()
    many = locate(edition, " ".join("zebra" if n % 5 == 0 else word for n, word in enumerate(long)), 1)
    assert many.status is QuoteStatus.MISSING
    assert time.process_time() - started < 1.0
