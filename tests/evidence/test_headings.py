"""The printed-heading gate."""

from __future__ import annotations

from pathlib import Path

import pytest

from pageindex import reading
from pageindex.document import Edition, Position, Span
from pageindex.errors import PageRangeError
from pageindex.evidence import HeadingFound, HeadingReason, HeadingRefused, printed_heading
from tests.support.evidence_editions import Printed, edition_of

FILL = "the committee considered the matter at length and resolved to publish the report"
HEAD = {"size": 14.0, "font": 1, "weight": 700}

PAGES = edition_of(
    [
        Printed("Annual Report 2022", running=True),
        Printed("Contents", **HEAD),
        Printed("1 Introduction ........................ 2"),
        Printed("PART ONE"),
        Printed("2 Methods and materials of the long ... 3"),
    ],
    [
        Printed("Annual Report 2022", running=True),
        Printed("1 Introduction", **HEAD),
        Printed(FILL),
        Printed("As set out in Study design below, the work went on for a while without pause in"),
        Printed("New York"),
        Printed("2.1 A long heading that had to be broken over two admin-", **HEAD),
        Printed("istrative lines", **HEAD),
        Printed(FILL + "."),
        Printed("Revenue"),
        Printed("1,204", x=300, same_row=True),
    ],
    [
        Printed("Conclusion:", **HEAD),
        Printed(FILL),
        Printed("3", **HEAD),
        Printed("Outlook", x=100, same_row=True, **HEAD),
    ],
)


def refused(title: str, page: int, span: Span | None = None) -> HeadingReason:
    answer = printed_heading(PAGES, title, page, span)
    assert isinstance(answer, HeadingRefused), answer
    return answer.reason


@pytest.mark.parametrize(
    ("title", "page", "words"),
    [
        ("1 Introduction", 2, "1 Introduction"),
        ("Introduction", 2, "1 Introduction"),
        ("INTRODUCTION", 2, "1 Introduction"),
        ("A long heading that had to be broken over two administrative lines", 2, None),
        ("Conclusion", 3, "Conclusion:"),
        ("3. Outlook", 3, "3 Outlook"),
        ("Outlook", 3, None),
    ],
)
def test_a_heading_is_found_whole(title: str, page: int, words: str | None) -> None:
    found = printed_heading(PAGES, title, page)
    assert isinstance(found, HeadingFound), found
    assert found.page == page
    cut = PAGES.page(page).data[found.start : found.end].decode()
    if words is not None:
        assert found.text == words
        assert cut.replace("\r\n", " ") == words
    assert cut.casefold().replace("-\r\n", "").replace("\r\n", " ").strip(":").endswith(title.casefold().lstrip("3. "))


@pytest.mark.parametrize(
    ("title", "page", "reason"),
    [
        ("a", 2, HeadingReason.NOT_A_TITLE),
        ("***", 2, HeadingReason.NOT_A_TITLE),
        ("2022", 2, HeadingReason.NOT_A_TITLE),
        ("x" * 500, 2, HeadingReason.NOT_A_TITLE),
        ("Study design", 2, HeadingReason.PART_OF_LINE),
        ("New York", 2, HeadingReason.MID_SENTENCE),
        ("Annual Report 2022", 2, HeadingReason.RUNNING_LINE),
        ("Introduction", 1, HeadingReason.PART_OF_LINE),
        ("PART ONE", 1, HeadingReason.CONTENTS_LINE),
        ("Revenue", 2, HeadingReason.TABLE_CELL),
        ("2 Introduction", 2, HeadingReason.PART_OF_LINE),
        ("Conclusion", 2, HeadingReason.OTHER_PAGE),
        ("Epilogue", 2, HeadingReason.NOT_PRINTED),
    ],
)
def test_what_is_no_heading_is_refused_by_name(title: str, page: int, reason: HeadingReason) -> None:
    assert refused(title, page) is reason


def test_the_other_page_is_named() -> None:
    answer = printed_heading(PAGES, "Conclusion", 2)
    assert isinstance(answer, HeadingRefused)
    assert answer.pages == (3,)


def test_a_heading_must_stand_inside_the_section() -> None:
    place = printed_heading(PAGES, "Introduction", 2)
    assert isinstance(place, HeadingFound)
    inside = Span(Position(2, place.start), Position(3, 0))
    assert isinstance(printed_heading(PAGES, "Introduction", 2, inside), HeadingFound)
    assert refused("Introduction", 2, Span(Position(2, place.end), Position(3, 0))) is HeadingReason.OUTSIDE_SECTION


def test_a_page_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(PageRangeError):
        printed_heading(PAGES, "Introduction", 4)


@pytest.fixture(scope="module")
def example() -> Edition:
    return reading.read(Path(__file__).parents[2] / "examples" / "nist-sp800-115.pdf")


@pytest.mark.parametrize(
    ("title", "page"),
    [
        ("Executive Summary", 8),
        ("1. Introduction", 10),
        ("Purpose and Scope", 10),
        ("2.4.1 External and Internal", 15),
        ("Security Testing and Examination Overview", 12),
    ],
)
def test_headings_of_a_real_report(example: Edition, title: str, page: int) -> None:
    found = printed_heading(example, title, page)
    assert isinstance(found, HeadingFound)
    assert example.page(page).data[found.start : found.end].decode().endswith(title)


@pytest.mark.parametrize(
    ("title", "page", "reason"),
    [
        ("Executive Summary", 9, HeadingReason.OTHER_PAGE),
        ("2.1 Introduction", 10, HeadingReason.PART_OF_LINE),
        ("Technical Guide to Information Security Testing and Assessment", 20, HeadingReason.RUNNING_LINE),
        ("information security", 10, HeadingReason.PART_OF_LINE),
        ("Conclusions of the Committee", 10, HeadingReason.NOT_PRINTED),
    ],
)
def test_no_headings_of_a_real_report(example: Edition, title: str, page: int, reason: HeadingReason) -> None:
    answer = printed_heading(example, title, page)
    assert isinstance(answer, HeadingRefused)
    assert answer.reason is reason


def test_no_entry_of_a_real_contents_page_is_a_heading(example: Edition) -> None:
    """Page 5 lists what later pages print: none of it is a heading there."""
    titles = [line.text.split("..")[0].strip() for line in example.lines if line.page == 5 and ".." in line.text]
    assert len(titles) > 20
    refused = [printed_heading(example, title, 5) for title in titles]
    assert all(isinstance(answer, HeadingRefused) for answer in refused)
