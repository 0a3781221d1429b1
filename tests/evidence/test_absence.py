"""An absence is granted only over pages that were read whole."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pageindex.document import Flag, PageState, Position, Section, Span, TreeSource, Unread, UnreadReason
from pageindex.errors import InputError, PageRangeError
from pageindex.evidence import Absence, AbsenceRefused, Exposure, Grade, Ledger, PageRange, Scope, prove_absence
from tests.support.evidence_editions import text_edition, with_state

EDITION = text_edition(
    "cats and dogs\r\nthe con\x02catenation of things",
    "",
    "a hyphen-\r\nated word at the end of the pa-",
    "ge and more",
)


def refused(answer: Absence | AbsenceRefused) -> AbsenceRefused:
    assert isinstance(answer, AbsenceRefused), answer
    return answer


@pytest.mark.parametrize("query", ["elephant", "dogs and cats", "ncat", "8"])
def test_what_does_not_occur_is_absent(query: str) -> None:
    answer = prove_absence(EDITION, [query])
    assert isinstance(answer, Absence)
    assert answer.id.startswith("absent:")
    assert len(answer.id) == 19
    assert (answer.pages, answer.scope.title) == (4, "pp. 1-4")
    assert "do not occur in pp. 1-4" in str(answer)


@pytest.mark.parametrize(
    ("query", "page"),
    [("cat", 1), ("DOGS", 1), ("catsand", 1), ("hyphenated", 3), ("the page", 3), ("concatenation", 1), ("nation", 1)],
)
def test_what_occurs_is_refused_with_its_page(query: str, page: int) -> None:
    answer = refused(prove_absence(EDITION, ["elephant", query]))
    assert answer.reason == "present"
    assert answer.hits == ((query, page),)


@pytest.mark.parametrize("state", [PageState.IMAGE_ONLY, PageState.FAILED, PageState.GARBLED])
def test_an_unreadable_page_blocks_and_is_named(state: PageState) -> None:
    edition = with_state(EDITION, 3, state)
    answer = refused(prove_absence(edition, ["elephant"]))
    assert (answer.reason, answer.pages) == ("blocked", ((3, state.value),))
    assert isinstance(prove_absence(edition, ["elephant"], Scope.of_pages(edition, 1, 2)), Absence)


@pytest.mark.parametrize("flag", ["truncated", "scanned"])
def test_a_page_of_which_text_may_be_missing_blocks(flag: str) -> None:
    pages = tuple(replace(p, flags=(Flag(flag),)) if p.number == 4 else p for p in EDITION.pages)
    assert refused(prove_absence(replace(EDITION, pages=pages), ["elephant"])).pages == ((4, flag),)


@pytest.mark.parametrize("number", [1, 2, 4])
def test_a_picture_blocks_wherever_it_is_in_the_scope(number: int) -> None:
    edition = with_state(EDITION, number, PageState.IMAGE_ONLY)
    whole = Section("0001", "All", Span(Position(1, 0), edition.end), TreeSource.LAYOUT)
    for scope in (
        None,
        Scope.of_pages(edition, 1, number),
        Scope.of_pages(edition, number, number),
        Scope.of_section(whole),
    ):
        assert refused(prove_absence(edition, ["elephant"], scope)).pages == ((number, "image_only"),)


def test_a_scope_ends_inside_a_page() -> None:
    section = Section("0007", "Dogs", Span(Position(1, 0), Position(1, 13)), TreeSource.LAYOUT)
    scope = Scope.of_section(section)
    assert scope.title == "§0007 Dogs, pp. 1-1"
    assert isinstance(prove_absence(EDITION, ["things"], scope), Absence)
    assert refused(prove_absence(EDITION, ["dogs"], scope)).reason == "present"


def test_read_needs_every_byte_delivered() -> None:
    ledger = Ledger(EDITION.id)
    ledger.deliver([PageRange(p.number, 0, len(p.data)) for p in EDITION.pages if p.number != 4])
    ledger.record(Exposure.SNIPPET, [PageRange(4, 0, 99)])
    answer = refused(prove_absence(EDITION, ["elephant"], grade=Grade.READ, ledger=ledger))
    assert (answer.reason, answer.pages) == ("unread", ((4, "unread"),))
    ledger.deliver([PageRange(4, 0, 11)])
    granted = prove_absence(EDITION, ["elephant"], grade=Grade.READ, ledger=ledger)
    assert isinstance(granted, Absence)
    assert granted.id != getattr(prove_absence(EDITION, ["elephant"]), "id", "")
    assert ledger.scanned_by("elephant", 1).total == len(EDITION.page(1).data)


def test_the_id_depends_on_what_was_asked_and_not_on_how_it_was_written() -> None:
    one = prove_absence(EDITION, ["Red Elephant", "lion"])
    other = prove_absence(EDITION, ["lion", "red-elephant"])
    third = prove_absence(EDITION, ["lion", "tiger"])
    assert isinstance(one, Absence)
    assert isinstance(other, Absence)
    assert isinstance(third, Absence)
    assert one.id == other.id != third.id


def test_bad_questions_are_errors() -> None:
    with pytest.raises(InputError):
        prove_absence(EDITION, [])
    with pytest.raises(InputError):
        prove_absence(EDITION, [" "])
    with pytest.raises(InputError):
        prove_absence(EDITION, ["x"], grade=Grade.READ)
    with pytest.raises(PageRangeError):
        Scope.of_pages(EDITION, 2, 9)
    with pytest.raises(InputError) as caught:
        prove_absence(EDITION, ["x"], Scope("nothing", Span(Position(2, 0), Position(2, 0))))
    assert caught.value.code == "EMPTY_SCOPE"


@pytest.mark.parametrize(
    ("pages", "query"),
    [
        (
            ("the whole of a consti-\r\n1", "Annual Report\r\ntution of the state"),
            "constitution",
        ),  # a folio and a head that nobody knows as such
        (("it ends with red\r\nPage 1", "The Head\r\nelephants and more"), "red elephants"),
        (("Owl zebr- 12\r\nBat 7 3\r\nCat afish 8",), "zebrafish"),  # a narrow cell
        (("the left ends with zebr-\r\nand a foot of it\r\nafish begins the right",), "zebrafish"),
        (("the na\u00efve z e b r a f i s h",), "zebrafish"),
        (("the na\u00efve one",), "naive"),
        (("the naive one",), "na\u00efve"),
        (("Z\r\nEBRAFISH was first",), "zebrafish"),
        (("a\u00adb zebra\u00adfish",), "zebrafish"),
        (("it is C++ code",), "C++"),
    ],
)
def test_what_a_reader_sees_is_not_absent(pages: tuple[str, ...], query: str) -> None:
    answer = refused(prove_absence(text_edition(*pages), [query]))
    assert (answer.reason, answer.hits) == ("present", ((query, 1),))


@pytest.mark.parametrize(
    ("page", "query", "form"),
    [
        ("All policies apply to everybody who is in it.", "policy", "policies"),
        ("It was discussed by the members for a long time.", "discusses", "discussed"),
        ("The password rules that are in force", "password rule", "password rules"),
    ],
)
def test_other_forms_of_a_word_are_found_and_named(page: str, query: str, form: str) -> None:
    answer = prove_absence(text_edition(page), [query])
    if isinstance(answer, AbsenceRefused) and answer.reason == "present":
        assert form.startswith(query.lower())  # the query begins the word, which is enough
        return
    answer = refused(answer)
    assert (answer.reason, answer.forms) == ("inflected", (form,))
    assert str(answer) == f"printed: {form!r} on p. 1"


@pytest.mark.parametrize(
    ("page", "query"),
    [("In 2018 it was 1,800", "18"), ("the year C was", "C++"), ("It is at the ax", "x"), ("the conversation", "vers")],
)
def test_parts_of_words_and_numbers_are_no_occurrences(page: str, query: str) -> None:
    assert isinstance(prove_absence(text_edition(page), [query]), Absence)


def test_the_words_come_from_what_was_said() -> None:
    said = "The report does not discuss passwords or the keeping of secrets."
    for queries in (["password"], ["passwords", "secret"], ["keep", "secrets"]):
        assert isinstance(prove_absence(EDITION, queries, said=said), Absence)
    answer = refused(prove_absence(EDITION, ["passwords", "zzzqqq"], said=said))
    assert (answer.reason, answer.unasked) == ("unasked", ("zzzqqq",))
    assert "zzzqqq" in str(answer)
    assert isinstance(prove_absence(EDITION, ["zzzqqq"]), Absence)  # nothing was said


def test_what_no_reader_turned_into_text_is_not_searched() -> None:
    parts = (Unread(UnreadReason.PICTURE),)
    pages = tuple(replace(p, unread_parts=parts) if p.number == 3 else p for p in EDITION.pages)
    answer = refused(prove_absence(replace(EDITION, pages=pages), ["elephant"]))
    assert (answer.reason, answer.pages) == ("blocked", ((3, "picture"),))
    assert str(answer) == "not searched: picture on p. 3"
    assert answer.to_json()["message"] == str(answer)


@pytest.mark.parametrize(
    ("flag", "reason"), [("ocr_layer_suspected", "machine_read"), ("low_agreement", "low_agreement")]
)
def test_text_that_may_be_wrong_blocks(flag: str, reason: str) -> None:
    pages = tuple(replace(p, flags=(Flag(flag),)) if p.number == 1 else p for p in EDITION.pages)
    assert refused(prove_absence(replace(EDITION, pages=pages), ["elephant"])).pages == ((1, reason),)


def test_letters_that_look_alike_are_one() -> None:
    edition = text_edition("then a z\u0435br\u0430fish was seen")  # with letters of Cyrillic
    assert refused(prove_absence(edition, ["zebrafish"])).reason == "present"
    assert isinstance(prove_absence(edition, ["zebras"]), Absence)
