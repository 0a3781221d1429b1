"""Page specifications: each page once and in order, and a clear error at once for everything else."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageindex.document.pagespec import format_pages, parse_pages
from pageindex.errors import PageRangeError

LABELS = ["i", "ii", "iii", "iv", "1", "2", "A-1", "A-2", None, "B"]


@pytest.mark.parametrize(
    ("spec", "pages"),
    [
        ("5", (5,)),
        (5, (5,)),
        ("3,7", (3, 7)),
        ("5-10", (5, 6, 7, 8, 9, 10)),
        (" 5 - 7 , 2 ", (2, 5, 6, 7)),
        ("5\u20137", (5, 6, 7)),
        ("1-3,2-4,2", (1, 2, 3, 4)),
        ("10,1", (1, 10)),
    ],
)
def test_each_page_once_in_document_order(spec: str | int, pages: tuple[int, ...]) -> None:
    assert parse_pages(spec, 10) == pages


@pytest.mark.parametrize(
    ("spec", "code"),
    [
        ("7-5", "INVALID_PAGE_SPEC"),
        ("0", "PAGE_OUT_OF_RANGE"),
        ("0-3", "PAGE_OUT_OF_RANGE"),
        ("5-", "INVALID_PAGE_SPEC"),
        ("-3", "INVALID_PAGE_SPEC"),
        ("all", "INVALID_PAGE_SPEC"),
        ("", "INVALID_PAGE_SPEC"),
        (" ", "INVALID_PAGE_SPEC"),
        (",", "INVALID_PAGE_SPEC"),
        ("1,,2", "INVALID_PAGE_SPEC"),
        ("1.5", "INVALID_PAGE_SPEC"),
        ("11", "PAGE_OUT_OF_RANGE"),
        ("1-999999999", "PAGE_OUT_OF_RANGE"),
        ("1-99999999999999999999999999", "PAGE_OUT_OF_RANGE"),
        ("9" * 5000, "PAGE_OUT_OF_RANGE"),
        ("1," * 6000 + "1", "INVALID_PAGE_SPEC"),
        ("٣", "INVALID_PAGE_SPEC"),
    ],
)
def test_anything_else_is_a_clear_error_at_once(spec: str, code: str) -> None:
    begun = time.perf_counter()
    with pytest.raises(PageRangeError) as caught:
        parse_pages(spec, 10)
    assert time.perf_counter() - begun < 0.1
    assert caught.value.code == code
    assert "1-10" in caught.value.message, "the valid range is named"
    assert "'2,5-7'" in caught.value.next_step or "between 1 and 10" in caught.value.next_step
    assert len(caught.value.message) < 300, "a huge specification is not repeated in full"


@pytest.mark.parametrize("count", [1, 2, 3, 5, 6, 100])
def test_the_example_of_an_error_is_itself_valid(count: int) -> None:
    with pytest.raises(PageRangeError) as caught:
        parse_pages("nonsense", count)
    example = caught.value.next_step.rpartition("example ")[2].strip("'.")
    assert parse_pages(example, count)


@pytest.mark.parametrize(
    ("spec", "pages"),
    [
        ("iv", (4,)),
        ("IV", (4,)),
        ("ii-iv", (2, 3, 4)),
        ("1", (1,)),  # a number is a physical page
        ("label:1", (5,)),
        ("label:1-A-2", (5, 6, 7, 8)),
        ("A-1", (7,)),
        ("A-1-A-2", (7, 8)),
        ("iv, 9", (4, 9)),
        ("LABEL: B", (10,)),
    ],
)
def test_labels_name_pages_where_they_are_no_physical_numbers(spec: str, pages: tuple[int, ...]) -> None:
    assert parse_pages(spec, len(LABELS), LABELS) == pages


def test_a_label_on_several_pages_is_refused_with_the_pages_named() -> None:
    with pytest.raises(PageRangeError) as caught:
        parse_pages("label:1", 4, ["1", "2", "1", "2"])
    assert caught.value.code == "AMBIGUOUS_LABEL"
    assert caught.value.details["pages"] == [1, 3]


def test_labels_that_run_backwards_or_do_not_exist_are_refused() -> None:
    for spec in ("iv-ii", "xii", "label:", "label:99", "A-1-"):
        with pytest.raises(PageRangeError):
            parse_pages(spec, len(LABELS), LABELS)


@given(st.sets(st.integers(1, 300), min_size=1))
def test_format_is_the_inverse_of_parse(pages: set[int]) -> None:
    assert parse_pages(format_pages(sorted(pages)), 300) == tuple(sorted(pages))
