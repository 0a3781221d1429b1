"""Pages cut into passages: what a passage is in every format, its heads, its bound; and that nothing is lost or told twice."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pageindex.document import Edition, PageRange, Passage, PassageKind, Tree
from pageindex.reading import read
from pageindex.structure import build_tree
from pageindex.text.passages import MOST_CHARS, heads_words, passage_words, passages_in, passages_on
from pageindex.text.shown import kept_bytes, shown_page
from tests.support.chat_library import edition_of, tree_of
from tests.support.memos import FORMATS, MEMO, write_memo
from tests.support.structure_pdfs import Pages
from tests.support.structure_pdfs import edition_of as pdf_edition

REPORT = """\
# Results

Revenue grew in every quarter of the year
and in every country.

- Anvils were sold
  in nine countries.
- Rockets were not.

Table 3: Revenue by product

| Product | 2022 | 2021 |
|---------|------|------|
| Anvils  | 1,204 | 1,100 |
| Rockets | 88 | 91 |

The next year will be harder.
"""
LEDGER = (
    "<h1>Ledger</h1><p>What was sold.</p><ul><li>By post</li><li>By hand</li></ul><table><tr><th>Year</th><th>2022</th><th>2021</th></tr>"
    "<tr><td>Revenue</td><td>10</td><td>12</td></tr><tr><td>Costs</td><td>7</td><td>9</td></tr></table><p>Nothing else.</p>"
)


def cut(edition: Edition, tree: Tree | None = None) -> list[tuple[str, str]]:
    tree = tree or build_tree(edition)
    found = [passage for page in edition.pages for passage in passages_on(edition, tree, page.number)]
    return [(passage.kind.value, passage_words(edition, passage)) for passage in found]


def written(path: Path, text: str) -> Edition:
    path.write_text(text, encoding="utf-8")
    return read(path)


def test_markdown_gives_paragraphs_items_rows_with_heads_and_captions(tmp_path: Path) -> None:
    edition = written(tmp_path / "report.md", REPORT)
    tree = build_tree(edition)
    assert cut(edition, tree) == [
        ("heading", "# Results"),
        ("paragraph", "Revenue grew in every quarter of the year and in every country."),
        ("item", "- Anvils were sold in nine countries."),
        ("item", "- Rockets were not."),
        ("caption", "Table 3: Revenue by product"),
        ("heading", "| Product | 2022 | 2021 | |---------|------|------|"),
        ("row", "| Anvils  | 1,204 | 1,100 |"),
        ("row", "| Rockets | 88 | 91 |"),
        ("paragraph", "The next year will be harder."),
    ]
    row = next(p for p in passages_on(edition, tree, 1) if p.kind is PassageKind.ROW)
    assert "2022" in heads_words(edition, row)


def test_html_and_its_tables(tmp_path: Path) -> None:
    edition = written(tmp_path / "ledger.html", f"<!doctype html><html><body>{LEDGER}</body></html>")
    assert cut(edition) == [
        ("heading", "Ledger"),
        ("paragraph", "What was sold."),
        ("item", "• By post"),
        ("item", "• By hand"),
        ("heading", "Year\t2022\t2021"),
        ("row", "Revenue\t10\t12"),
        ("row", "Costs\t7\t9"),
        ("paragraph", "Nothing else."),
    ]


@pytest.mark.parametrize("suffix", FORMATS)
def test_each_paragraph_of_a_memo_is_one_passage_in_every_format(tmp_path: Path, suffix: str) -> None:
    edition = read(write_memo(tmp_path, suffix))
    paragraphs = [text for kind, text in cut(edition) if kind == "paragraph"]
    assert paragraphs == [text for _, _, text in MEMO]


def test_a_pdf_is_cut_by_space_indent_style_and_columns() -> None:
    page = Pages().page()
    page.at(72, 80, "Chapter of the costs", 16, "Helvetica-Bold")
    for y, words in (
        (110, "The first paragraph is long enough to go on over its first line and"),
        (122, "ends on the second."),
    ):
        page.at(72, y, words)
    page.at(72, 146, "After a space another begins here and it is as long as the one before it.")
    page.at(84, 158, "An indent begins a third, which is what books do between their paragraphs.")
    page.at(72, 190, "Figure 2. A line that names a figure")
    for y, label, one, other in ((230, "", "2022", "2021"), (242, "Assets", "", ""), (254, "Cash", "3,655", "4,564"), (266, "Goodwill", "12,790", "13,486")):  # fmt: skip
        if label:
            page.at(72 if label == "Assets" else 80, y, label)
        if one:
            page.at(300, y, one)
            page.at(400, y, other)
    edition = pdf_edition(page.pdf())
    tree = build_tree(edition)
    found = passages_on(edition, tree, 1)
    assert [(p.kind.value, passage_words(edition, p).split(" ")[0]) for p in found] == [
        ("heading", "Chapter"),
        ("paragraph", "The"),
        ("paragraph", "After"),
        ("paragraph", "An"),
        ("caption", "Figure"),
        ("heading", "2022"),
        ("heading", "Assets"),
        ("row", "Cash"),
        ("row", "Goodwill"),
    ]
    assert [heads_words(edition, p) for p in found[-2:]] == ["2022  2021 / Assets", "2022  2021 / Assets"]


def test_years_over_columns_stay_though_every_page_has_them() -> None:
    text = "In millions  2022  2021\nCash  3,655  4,564\nDebt  12,790  13,486"
    edition = edition_of("a.txt", [text])
    page = replace(edition.page(1), running=((13, 17), (19, 23)))
    edition = replace(edition, pages=(page,))
    assert shown_page(edition, 1).text == text
    assert heads_words(edition, passages_on(edition, tree_of(edition), 1)[-1]) == "In millions  2022  2021"
    alone = replace(edition, pages=(replace(page, text="2022\nCash  1  2", running=((0, 4),)),))
    assert shown_page(alone, 1).text == "Cash  1  2", "a running line that stands alone goes"


def test_long_paragraphs_are_cut_between_sentences_and_never_lose_a_byte() -> None:
    text = "# Long\n" + " ".join(f"Sentence number {n} is not long, but there are many of them." for n in range(80))
    edition = edition_of("a.txt", [text])
    parts = [part for part in cut(edition, tree_of(edition)) if part[0] == "paragraph"]
    assert len(parts) > 3 and all(len(words) <= MOST_CHARS and words.endswith(".") for _, words in parts)
    assert " ".join(words for _, words in parts) == text.split("\n")[1]
    one_word = edition_of("b.txt", ["x" * 5_000])
    assert all(len(words) <= MOST_CHARS for _, words in cut(one_word, tree_of(one_word)))


def test_a_passage_never_reaches_over_the_start_of_a_section() -> None:
    edition = edition_of("a.txt", ["# One\nwords that go on\n## Two\nand further words"])
    tree = tree_of(edition)
    found = passages_on(edition, tree, 1)
    assert [(p.section, passage_words(edition, p)) for p in found] == [
        ("0001", "# One"),
        ("0001", "words that go on"),
        ("0002", "## Two"),
        ("0002", "and further words"),
    ]
    part = passages_in(edition, tree, [PageRange(1, 6, 14)])
    assert [(p.start, p.end, passage_words(edition, p)) for p in part] == [(6, 14, "words th")]


LINES = st.text(st.sampled_from("ab .:;1|-•\t\n  é漢𝄞"), max_size=200)


@settings(max_examples=150)
@given(st.lists(LINES, min_size=1, max_size=3), st.data())
def test_passages_hold_every_shown_byte_once_and_in_order(pages: list[str], data: st.DataObject) -> None:
    edition = edition_of("a.txt", pages)
    tree = tree_of(edition)
    for page in edition.pages:
        found = passages_on(edition, tree, page.number)
        assert all(isinstance(p, Passage) and p.start < p.end for p in found)
        assert all(one.end <= other.start for one, other in pairwise(found))
        covered = bytearray(page.data)
        for passage in found:
            assert len(page.words(passage.start, passage.end)) <= MOST_CHARS
            covered[passage.start : passage.end] = b" " * (passage.end - passage.start)
        left = b"".join(bytes(covered[low:high]) for low, high in kept_bytes(page))
        assert not left.decode().strip()
        size = len(page.data)
        low = data.draw(st.integers(0, size))
        high = data.draw(st.integers(low, size))
        for passage in passages_in(edition, tree, [PageRange(page.number, low, high)]):
            assert low <= passage.start < passage.end <= high
