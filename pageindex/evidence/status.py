"""The closed lists of statuses. A check ends in one of them and never in a confidence."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum, StrEnum

__all__ = ["NumberStatus", "QuoteStatus", "Verdict", "Weight", "verdict"]


class Weight(IntEnum):
    """What a status is worth, best first; the worst of all items decides."""

    PASS = 0
    PARTIAL = 1
    REVIEW = 2
    FAIL = 3


class QuoteStatus(StrEnum):
    """What became of a quote. The first matcher that holds decides, in this order."""

    REDACTED = "redacted"  # holds the fence or what the scrubber put in
    EXACT = "exact"  # on the cited page, word for word once typesetting is undone
    FOLDED = "folded"  # the same but for case, spaces and hyphens
    SPAN = "span"  # over a page break that was declared
    OCR = "ocr"  # in text that a machine read from a picture
    NUMBERS_DIFFER = "numbers_differ"  # the words are there, with another number, sign or superscript
    SIGN_AMBIGUOUS = "sign_ambiguous"  # the words are there; a dash before a number may be a minus
    NEAR = "near"  # all letters and digits in order; something between them, or the case of a word, differs
    GAPPED = "gapped"  # the parts around an ellipsis, in order and near each other
    ALTERED = "altered"  # differs in a word or a digit
    ELSEWHERE = "elsewhere"  # on another page, or in another document
    AMBIGUOUS = "ambiguous"  # in several places, and none was cited
    MISSING = "missing"
    NOT_IDENTIFYING = "not_identifying"  # too short, or printed more than once
    UNREAD = "unread"  # valid, but never delivered in this session
    INVALID_LOCATOR = "invalid_locator"  # a handle that does not check
    SOURCE_CHANGED = "source_changed"  # a handle of another edition

    @property
    def weight(self) -> Weight:
        return _QUOTE_WEIGHTS.get(self, Weight.FAIL)


_QUOTE_WEIGHTS = {
    QuoteStatus.EXACT: Weight.PASS,
    QuoteStatus.FOLDED: Weight.PASS,
    QuoteStatus.SPAN: Weight.PASS,
    QuoteStatus.OCR: Weight.PARTIAL,
    QuoteStatus.REDACTED: Weight.REVIEW,
    QuoteStatus.NEAR: Weight.REVIEW,
    QuoteStatus.GAPPED: Weight.REVIEW,
    QuoteStatus.SIGN_AMBIGUOUS: Weight.REVIEW,
    QuoteStatus.AMBIGUOUS: Weight.REVIEW,
    QuoteStatus.UNREAD: Weight.REVIEW,
}


class NumberStatus(StrEnum):
    """What became of a declared number."""

    OK = "ok"
    PRECISION_DIFFERS = "precision_differs"  # the same value, printed with other digits
    SIGN_AMBIGUOUS = "sign_ambiguous"
    NOT_LOCAL = "not_local"  # on the cited page, outside the quote and its row
    ROUNDED = "rounded"  # the printed number, to the last digit said
    SCALED = "scaled"  # a power of ten away, with no magnitude said
    UNIT_UNVERIFIED = "unit_unverified"  # the page does not say in what unit or currency
    ROW_UNVERIFIED = "row_unverified"  # the sentence does not name the row, or another one as well
    PERIOD_UNVERIFIED = "period_unverified"  # the sentence names a period that the place does not settle
    COLUMN_UNVERIFIED = "column_unverified"  # the row holds rival values and no column was declared
    OCR_ONLY = "ocr_only"
    IMAGE_ONLY = "image_only"
    MISSING = "missing"
    UNPARSEABLE = "unparseable"
    WRONG_COLUMN = "wrong_column"
    WRONG_PERIOD = "wrong_period"  # printed for another year than the sentence says
    UNIT_DIFFERS = "unit_differs"  # another currency, percent for points, kilometres for miles
    MAGNITUDE_DIFFERS = "magnitude_differs"  # billion for million
    NUMBERS_DIFFER = "numbers_differ"  # an expression that does not give the number

    @property
    def weight(self) -> Weight:
        return _NUMBER_WEIGHTS.get(self, Weight.REVIEW)


_NUMBER_WEIGHTS = {
    NumberStatus.OK: Weight.PASS,
    NumberStatus.ROUNDED: Weight.PASS,
    NumberStatus.OCR_ONLY: Weight.PARTIAL,
    NumberStatus.IMAGE_ONLY: Weight.PARTIAL,
    NumberStatus.MISSING: Weight.FAIL,
    NumberStatus.UNPARSEABLE: Weight.FAIL,
    NumberStatus.WRONG_COLUMN: Weight.FAIL,
    NumberStatus.WRONG_PERIOD: Weight.FAIL,
    NumberStatus.UNIT_DIFFERS: Weight.FAIL,
    NumberStatus.MAGNITUDE_DIFFERS: Weight.FAIL,
    NumberStatus.NUMBERS_DIFFER: Weight.FAIL,
}


class Verdict(StrEnum):
    """The verdict over many items: that of the worst."""

    PASS = "PASS"  # noqa: S105 - no password
    PARTIAL = "PARTIAL"
    NEEDS_REVIEW = "NEEDS_REVIEW"
    FAIL = "FAIL"


_VERDICTS = (Verdict.PASS, Verdict.PARTIAL, Verdict.NEEDS_REVIEW, Verdict.FAIL)


def verdict(weights: Iterable[Weight]) -> Verdict:
    """FAIL > NEEDS_REVIEW > PARTIAL > PASS; of nothing at all: FAIL, for nothing was shown."""
    return _VERDICTS[max(weights, default=Weight.FAIL)]
