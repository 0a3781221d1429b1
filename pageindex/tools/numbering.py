"""Passages as lines of text: each under its number, with what stands over a row said where it was not printed above."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pageindex.app.passage_ranking import RankedPassage
from pageindex.document import Edition, PageRange, Passage, PassageKind
from pageindex.text.delivery import Delivery, join
from pageindex.text.passages import heads_words, passage_delivery, passage_words
from pageindex.text.tokens import count_tokens

__all__ = ["choose", "numbered_text", "places_of"]

COLUMNS = "columns: "
_NUMBER_TOKENS = 4  # of ``[12]`` and the line break behind it
_PAGE_TOKENS = 16  # of the line that names a page


def choose(
    ranked: Sequence[RankedPassage], tokens: int, *, most: int | None = None
) -> tuple[list[RankedPassage], tuple[RankedPassage, ...]]:
    """The best passages that a budget of tokens holds, one at least, and the others; headings are left to the lines that name pages."""
    kept: list[RankedPassage] = []
    rest: list[RankedPassage] = []
    told: set[tuple[object, ...]] = set()
    for one in (one for one in ranked if one.passage.kind is not PassageKind.HEADING):
        passage, edition = one.passage, one.document.edition
        page = (one.document.doc_id, passage.page)
        price = count_tokens(passage_words(edition, passage)) + _NUMBER_TOKENS + (0 if page in told else _PAGE_TOKENS)
        price += (
            count_tokens(heads_words(edition, passage)) if passage.heads and (*page, passage.heads) not in told else 0
        )
        if kept and (price > tokens or len(kept) == most):
            rest.append(one)
            continue
        kept.append(one)
        told |= {page, (*page, passage.heads)}
        tokens -= price
    return kept, tuple(rest)


def numbered_text(
    edition: Edition,
    passages: Sequence[Passage],
    number: Callable[[Passage], int],
    said: Callable[[Passage], bool] = lambda passage: False,
) -> Delivery:
    """One passage a line, in the order given, as a delivery: its characters know the bytes they came from.

    Args:
        edition: Of the passages.
        passages: Of one page.
        number: The number of a passage; headings get none.
        said: Whether a passage was given before: then its number alone is there.
    """
    return join(_lines(edition, passages, number, said), "\n")


def places_of(passages: Sequence[Passage]) -> list[PageRange]:
    """The bytes of passages, and of what stands over them."""
    return [
        place
        for passage in passages
        for place in (passage.range, *(PageRange(passage.page, start, end) for start, end in passage.heads))
    ]


def _lines(
    edition: Edition, passages: Sequence[Passage], number: Callable[[Passage], int], said: Callable[[Passage], bool]
) -> Iterator[Delivery]:
    printed: set[tuple[int, int]] = set()
    before: list[int] = []
    heads: tuple[tuple[int, int], ...] = ()
    for passage in passages:
        if passage.kind is not PassageKind.HEADING and said(passage):
            before.append(number(passage))
            continue
        if before:
            yield _given_before(before)
            before = []
        if passage.kind is PassageKind.HEADING:
            printed.add((passage.start, passage.end))
            yield passage_delivery(edition, passage)
            continue
        if passage.heads and passage.heads != heads and not set(passage.heads) <= printed:
            yield Delivery(f"{COLUMNS}{heads_words(edition, passage)}")
        heads = passage.heads
        yield join([Delivery(f"[{number(passage)}] "), passage_delivery(edition, passage)])
    if before:
        yield _given_before(before)


def _given_before(numbers: Sequence[int]) -> Delivery:
    shown = f"[{numbers[0]}]" if len(numbers) == 1 else f"[{numbers[0]}]-[{numbers[-1]}]"
    return Delivery(f"{shown} (given before)")
