"""What a page says of its text: what it leaves out, and what is not the page's own."""

from __future__ import annotations

import pytest

from pageindex.document import Box, Flag, KindRange, Page, PageState, TextKind, Unread, UnreadReason

PICTURE = Unread(UnreadReason.PICTURE, Box(0, 0, 50, 50))


@pytest.mark.parametrize(
    ("page", "reasons"),
    [
        (Page(1, "all"), []),
        (Page(1, "", PageState.BLANK), []),
        (Page(1, "", PageState.IMAGE_ONLY), ["picture"]),
        (Page(1, "", PageState.IMAGE_ONLY, unread_parts=(PICTURE,)), ["picture"]),
        (Page(1, "x", PageState.GARBLED, unread_parts=(PICTURE,)), ["encoding", "picture"]),
        (Page(1, "", PageState.FAILED), ["failed"]),
        (Page(1, "x", flags=(Flag("truncated"),)), ["truncated"]),
        (Page(1, "x", unread_parts=(PICTURE,)), ["picture"]),
    ],
)
def test_what_is_not_in_the_text(page: Page, reasons: list[str]) -> None:
    assert [part.reason.value for part in page.unread] == reasons


def test_what_drew_a_range_of_the_text() -> None:
    page = Page(1, "own form note", kinds=(KindRange(TextKind.FORM, 4, 8), KindRange(TextKind.ANNOTATION, 9, 13)))
    assert page.kinds_in(0, 4) == frozenset()
    assert page.kinds_in(0, 5) == {"form"}
    assert page.kinds_in(7, 10) == {"form", "annotation"}
    assert page.kinds_in(8, 9) == frozenset()
