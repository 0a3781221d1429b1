"""Quotes of cells and columns, which the page's text does not hold in one piece."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from pageindex.document import Edition
from pageindex.evidence import QuoteStatus, Weight, locate
from tests.support.evidence_editions import Printed, edition_of, text_edition

TABLE = edition_of(
    [
        "The table below has cells of several lines.",
        Printed("How we addressed", x=72),
        Printed("We tested the controls over the", x=250, same_row=True),
        Printed("the matter in", x=72),
        Printed("valuation of the plan and its", x=250, same_row=True),
        Printed("our audit", x=72),
        Printed("assets in the year.", x=250, same_row=True),
    ]
)
NUMBERED = edition_of(
    [
        Printed("5 The clock is set by the", x=40),
        Printed("node that asks for it, and", x=72),
        Printed("10 runs until it is told to", x=40),
        Printed("stop by the node of 7 hours", x=72),
        Printed("15 that began it all.", x=40),
        *(Printed(f"more of the text in row {row}", x=72) for row in "abcdefgh"),
    ]
)


def words(edition: Edition, quote: str) -> list[str]:
    located = locate(edition, quote, 1)
    assert located.weight is Weight.PASS, located
    return [edition.page(piece.page).words(piece.start, piece.end) for piece in located.evidence]


def test_a_cell_of_several_lines_is_quoted_whole_with_one_place_per_line() -> None:
    cell = "We tested the controls over the valuation of the plan and its assets in the year."
    found = words(TABLE, cell)
    assert found == ["We tested the controls over the", "valuation of the plan and its", "assets in the year"]
    assert words(TABLE, "How we addressed the matter in our audit") == [
        "How we addressed",
        "the matter in",
        "our audit",
    ]
    assert locate(TABLE, cell).status is locate(TABLE, cell, 1).status  # without a page, too


def test_what_is_changed_in_a_cell_does_not_pass() -> None:
    assert (
        locate(TABLE, "We tested the controls over the evaluation of the plan and its assets", 1).weight is Weight.FAIL
    )
    assert locate(TABLE, "We tested the controls, over the valuation of the plan", 1).status is QuoteStatus.NEAR


def test_numbers_that_count_the_lines_in_the_margin_are_left_out() -> None:
    quote = "The clock is set by the node that asks for it, and runs until it is told to stop by the node of 7 hours that began it"
    assert words(NUMBERED, quote)[0] == "The clock is set by the"
    assert locate(NUMBERED, quote.replace("7 ", ""), 1).weight is Weight.FAIL  # that number is the text's
    assert locate(NUMBERED, "10 runs until it is told to", 1).weight is Weight.PASS


def paged(head: str) -> Edition:
    """Four pages whose second head and watermark nobody marked as running, with small notes at their feet."""
    pages = [
        [
            Printed(head.format(number)),
            f"goes on over {name} and",
            *(f"says {word} things of {name} that" for word in ("two", "three", "four", "five", "six", "seven")),
            f"then comes to the end of {name} where it",
            Printed("CONFIDENTIAL", size=80),
            Printed(f"1 A note of page {number}.", size=7),
        ]
        for number, name in enumerate(("owls", "bats", "cats", "dogs"), start=1)
    ]
    return edition_of(*pages)


def test_a_quote_goes_on_past_notes_stamps_and_heads_that_other_pages_have_too() -> None:
    quote = "comes to the end of bats where it goes on over cats and says"
    edition = paged("{} Opinion of the Court")
    for page in (2, 3, None):
        located = locate(edition, quote, page)
        assert located.status is QuoteStatus.SPAN, located
        assert [piece.page for piece in located.evidence] == [2, 3]
    left_out = "seven things of bats that goes on over cats and says"  # the last line of the page's own text is not to be left out
    assert locate(edition, left_out, 2).weight is Weight.FAIL


def test_quotes_of_odd_shape_take_no_long_time() -> None:
    edition = text_edition("the quick brown fox jumps over it. " * 20)
    started = time.process_time()
    for quote in (
        "the" + "." * 9000 + "x",
        "the" + "*" * 9000 + "x",
        "*the " * 2000,
        "_a_ " * 2000,
        "the … " * 1500,
        "[" * 9000 + "the",
        "''" * 4000 + "x",
    ):
        locate(edition, quote, 1)
    assert time.process_time() - started < 8


def test_a_cell_set_close_to_the_next_is_one_of_its_own(tmp_path: Path) -> None:
    """Between the number and its item is hardly more room than between words, and the page's text has them as one line."""
    from pageindex.evidence.characters import Character
    from pageindex.reading import read_bytes
    from tests.support.pdf import Text, draw

    items = ["Verify that the layers are not", "joined in any way, and that", "each is enforced on its own"]
    lines = [Text(100, 100 + 12 * n, item, size=10) for n, item in enumerate(items)]
    data = draw([*lines, Text(81, 112, "1.9", size=10), Text(72, 300, "The rest of the page is of no account here.")])
    edition = read_bytes(data, "cells.pdf")
    assert "1.9 joined" in edition.page(1).text

    path = tmp_path / "cells.pdf"
    path.write_bytes(data)

    def characters(page: int) -> Sequence[Character]:
        from pageindex.reading.pdf.reader import characters

        return characters(path, page)

    located = locate(edition, " ".join(items), 1, characters=characters)
    assert located.weight is Weight.PASS, located
    for wrong in (" ".join(items).replace("not ", ""), " ".join(items).replace("in any way, ", "")):
        assert locate(edition, wrong, 1, characters=characters).weight is not Weight.PASS
