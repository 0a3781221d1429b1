"""Every word arrives, and no prompt is over its budget."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pageindex.document import Position, Span
from pageindex.refine.windows import fenced, split_text, windows
from pageindex.text.tokens import count_tokens
from tests.support.evidence_editions import text_edition


@settings(deadline=None)
@given(st.text(alphabet="ab \n日é😀", max_size=600), st.integers(1, 40))
def test_parts_join_to_the_text(text: str, budget: int) -> None:
    parts = list(split_text(text, budget))
    assert "".join(parts) == text
    assert all(count_tokens(part) <= max(budget, 6) for part in parts)  # one emoji may cost more than a tiny budget


@settings(deadline=None)
@given(st.lists(st.integers(0, 500), min_size=1, max_size=12), st.integers(60, 400))
def test_windows_hold_every_word_once_within_the_budget(words: list[int], budget: int) -> None:
    number = iter(range(10**6))
    edition = text_edition(*(" ".join(f"w{next(number)}" for _ in range(count)) for count in words))
    found = windows(edition, Span(Position(1, 0), edition.end), budget)
    told = [word for window in found for piece in window.pieces for word in piece.text.split()]
    assert "".join(piece.text for window in found for piece in window.pieces) == "".join(p.text for p in edition.pages)
    assert len("".join(told)) == sum(len(w) for page in edition.pages for w in page.text.split())
    for window in found:
        assert window.tokens <= budget
        assert count_tokens(fenced(window.pieces, "0123456789ab")) <= budget + 40  # the fences themselves


def test_a_span_is_cut_at_its_bytes() -> None:
    edition = text_edition("one two", "three four", "five six")
    (window,) = windows(edition, Span(Position(1, 4), Position(3, 4)), 500)
    assert [(piece.page, piece.text) for piece in window.pieces] == [(1, "two"), (2, "three four"), (3, "five")]
    assert list(window.pages) == [1, 2, 3]
