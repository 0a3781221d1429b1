"""The second extractor: words and numbers are scored apart."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from pageindex import reading
from pageindex.document import Flag
from pageindex.evidence.second_extractor import agreement, agreements
from pageindex.reading.pdf.second_extractor import page_text

WORDS = "the quick brown fox jumps over the lazy dog and runs away from here " * 6
NUMBERS = "1,204 17.5 380 42 9.1 77"


def test_the_same_text_agrees() -> None:
    score = agreement(WORDS + NUMBERS, (WORDS + NUMBERS).upper().replace(" ", "\r\n"))
    assert (score.word_overlap, score.number_overlap, score.low) == (1.0, 1.0, False)
    assert score.numbers == 6


@pytest.mark.parametrize(
    ("other", "low"),
    [
        (WORDS + NUMBERS, False),
        (
            WORDS + NUMBERS.translate(str.maketrans("0123456789", "1234567890")),
            True,
        ),  # a font fault in the digits alone
        (WORDS.replace("fox", "cat") + NUMBERS, False),
        (WORDS.replace("the", "xxx").replace("brown", "yyy") + NUMBERS, True),
        ("", True),
    ],
)
def test_disagreement(other: str, low: bool) -> None:
    assert agreement(WORDS + NUMBERS, other).low is low


def test_a_digit_fault_hides_in_the_words() -> None:
    score = agreement(WORDS + NUMBERS, WORDS + NUMBERS.replace("1,204", "1,294").replace("17.5", "11.5"))
    assert score.word_overlap > 0.95
    assert score.number_overlap == pytest.approx(4 / 6)


def test_short_pages_are_not_judged() -> None:
    assert not agreement("three small words 1 2", "other things 7").low


def test_pypdf_runs_on_flagged_pages_and_only_there(tmp_path: Path) -> None:
    path = tmp_path / "two.pdf"
    canvas = Canvas(str(path))
    for _ in range(2):
        for line in range(12):
            canvas.drawString(
                72, 700 - 14 * line, f"line {line} holds the numbers {line * 37} and {line * 91} among its words"
            )
        canvas.showPage()
    canvas.save()
    edition = reading.read(path)
    edition = replace(
        edition, pages=(replace(edition.page(1), flags=()), replace(edition.page(2), flags=(Flag("numeric"),)))
    )
    scores = agreements(edition, lambda pages: page_text(path, pages))
    assert list(scores) == [2]
    assert scores[2].word_overlap == 1.0
    assert list(agreements(edition, lambda pages: page_text(path, pages), full=True)) == [1, 2]
