"""Numbered passages as the one-call form sends them: under a line that names their page, between fences, as many as a budget holds."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby

from pageindex.app.document import OpenDocument
from pageindex.app.passage_ranking import RankedPassage
from pageindex.document import Passage
from pageindex.evidence.fence import fence
from pageindex.evidence.ledger import Exposure
from pageindex.text.delivery import Delivery, join
from pageindex.text.tokens import count_tokens
from pageindex.tools import Reader
from pageindex.tools.numbering import choose, numbered_text, places_of
from pageindex.tools.shown import clean

__all__ = ["Shown", "show_passages"]

_NONCE_BYTES = 4
_TITLE_CHARS = 80


@dataclass(frozen=True, slots=True)
class Shown:
    """Passages on their way to a model.

    Attributes:
        text: What is sent.
        numbers: Of the passages in it.
        rest: What did not fit, best first.
    """

    text: str
    numbers: tuple[int, ...]
    rest: tuple[RankedPassage, ...]


def show_passages(session: Reader, ranked: Sequence[RankedPassage], tokens: int) -> Shown:
    """The best passages that a budget of tokens holds, page by page, the best page first; they are delivered whole, with what stands over them."""
    chosen, rest = choose(ranked, tokens)
    session.begin()
    several = len({one.document.doc_id for one in chosen}) > 1
    order: dict[tuple[str, int], int] = {}
    for one in chosen:
        order.setdefault(_page(one), len(order))
    parts: list[Delivery] = []
    numbers: list[int] = []
    for _, group in groupby(sorted(chosen, key=lambda one: (order[_page(one)], one.passage.start)), key=_page):
        page = list(group)
        document, passages = page[0].document, [one.passage for one in page]
        number = partial(session.passages.number, document)
        numbers += map(number, passages)
        head = Delivery(_page_line(document, passages[0], named=several))
        parts.append(join([head, numbered_text(document.edition, passages, number)], "\n"))
        session.expose(document.edition.id, Exposure.DELIVERED, places_of(passages))
    text = fence(join(parts, "\n"), _nonce(chosen)).text
    session.commit(count_tokens(text))
    return Shown(text, tuple(numbers), rest)


def _nonce(chosen: Sequence[RankedPassage]) -> str:
    """A hash of what is shown, the hashes of the files among it, which no file can print of itself; the same passages make the same request."""
    places = [(one.document.record.edition.id, one.passage.page, one.passage.start) for one in chosen]
    return hashlib.sha256(repr(places).encode()).hexdigest()[: 2 * _NONCE_BYTES]


def _page(one: RankedPassage) -> tuple[str, int]:
    return one.document.doc_id, one.passage.page


def _page_line(document: OpenDocument, passage: Passage, *, named: bool) -> str:
    label = document.label(passage.page)
    printed = f" (printed {label})" if label else ""
    title = clean(document.tree.by_id[passage.section].title)[:_TITLE_CHARS]
    return f"{clean(document.name) + ' · ' if named else ''}page {passage.page}{printed} · {title}"
