"""What people and models read: no running lines, no divided words, no control characters; and the way back to the page."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pageindex.document import Edition, PageRange, Position, Span
from pageindex.text.folding import fold, skeleton_text
from pageindex.text.shown import kept_bytes, shown, shown_page, shown_ranges
from tests.support.evidence_editions import Printed, edition_of, text_edition

HEAD, FOOT = Printed("Annual Report", running=True), Printed("7", running=True)


def whole(edition: Edition) -> Span:
    return Span(Position(1, 0), edition.end)


def test_running_lines_leave_no_empty_line() -> None:
    edition = edition_of([HEAD, "First line.", "Second line.", FOOT], [HEAD, FOOT], [HEAD, "Third line.", FOOT])
    assert [shown_page(edition, n).text for n in (1, 2, 3)] == ["First line.\nSecond line.", "", "Third line."]
    assert shown(edition, whole(edition)).text == "First line.\nSecond line.\nThird line."


def test_a_running_cell_beside_text_takes_only_itself() -> None:
    edition = text_edition("Report   7\r\nText here   note\r\nend")
    page = replace(edition.page(1), running=((0, 6), (9, 10), (24, 28)))
    assert shown_page(replace(edition, pages=(page,)), 1).text == "Text here\nend"


def test_folios_under_the_last_line_part_no_sentence_over_pages() -> None:
    edition = edition_of(
        ["We expect that inter-", Printed("41", running=True)], ["est rates rise. Interest is due.", "So."]
    )
    assert shown(edition, whole(edition)).text == "We expect that interest\nrates rise. Interest is due.\nSo."


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("an exam-\r\nple of it", "an example\nof it"),
        ("an exam\x02\r\nple", "an example"),
        ("an exam\x02ple of it", "an example of it"),
        ("an exam\u2010\nple.\nNext", "an example.\nNext"),
        ("soft\u00adware hy\u00ad\nphen now", "software hyphen\nnow"),
        ("COVID-\n19 and 2019-\n2020 hold", "COVID-19\nand 2019-2020\nhold"),
        ("the Anglo-\nSaxon king", "the Anglo-Saxon\nking"),
        ("see www.a-b.org/one-\ntwo there", "see www.a-b.org/one-two\nthere"),
        ("cash is -\r\n12 here", "cash is -\n12 here"),
        ("on page 5-\nThe next", "on page 5-\nThe next"),
        ("the biograph-\n1The codes", "the biograph-\n1The codes"),
        ("a list:\n- one\n- two", "a list:\n- one\n- two"),
        ("    indented  \n\n  code\t\n", "    indented\n\n  code"),
        ("a\r\nb\rc\fd\u2028e\x85f", "a\nb\nc\nd\ne\nf"),
        ("be\x07ll \u202eevil\u202c \ufeffmark", "bell evil mark"),
        ("lone \ud800 surrogate", "lone \ufffd surrogate"),
        ("", ""),
    ],
)
def test_how_text_reads(text: str, read: str) -> None:
    assert shown_page(text_edition(text), 1).text == read


def test_a_hyphen_that_belongs_to_the_word_stays() -> None:
    elsewhere = "A long-term plan for a wellknown and a well being. Take the term long. Common words are divided. Common example."
    text = "long-\nterm, well-\nknown, com-\nmon, exam-\nple, low-\nterm, state-of-the-\nart, by a low state of the art"
    edition = text_edition(text, elsewhere)
    read = shown_page(edition, 1).text.split("\n")
    assert read == [
        "long-term,",
        "wellknown,",
        "common,",
        "example,",
        "low-term,",
        "state-of-the-art,",
        "by a low state of the art",
    ]


def test_a_document_that_divides_no_words_keeps_its_hyphens() -> None:
    edition = text_edition("a key-\nbased and role-\nwise way", "key-based")
    assert shown_page(edition, 1).text == "a key-based\nand role-wise\nway"


def test_every_character_knows_its_place() -> None:
    edition = edition_of([HEAD, "Größen-", "ordnung 😀 ist"], [HEAD, "Größenordnung"])
    read = shown(edition, whole(edition))
    assert read.text == "Größenordnung\n😀 ist\nGrößenordnung"
    data = edition.page(1).data
    first = data.index("Größ".encode())
    assert read.place(0) == Position(1, first)
    assert read.place(6) == Position(1, data.index(b"ordnung"))
    assert read.source(0, 13) == (PageRange(1, first, data.index(b" \xf0")),)
    assert read.place(read.text.index("\nGr")) is None  # the break between pages is nobody's
    assert read.source(14, len(read.text))[-1] == PageRange(2, *(15, 15 + len("Größenordnung".encode())))


def test_ranges_are_cut_from_the_page_and_widened_to_characters() -> None:
    edition = edition_of([HEAD, "Über uns", "und mehr"])
    assert shown_page(edition, 1, 16, 22).text == "Über u"
    assert shown_ranges(edition, [PageRange(1, 0, 4)]).text == ""
    assert kept_bytes(edition.page(1), 0, 4) == []
    with pytest.raises(IndexError):
        shown_page(edition, 2)


TEXT = st.text(st.sampled_from("ab Zé7-\x02\u00ad\u2010\r\n\f\t.漢😀\u202e\x00/"), max_size=40)


@settings(max_examples=300)
@given(st.lists(TEXT, min_size=1, max_size=3), st.data())
@example(["a-\n", "b"], None)
@example(["a\x02\x00\x00b"], None)
def test_nothing_is_lost_or_made_up(texts: list[str], data: st.DataObject | None) -> None:
    edition = text_edition(*texts)
    pages = []
    for page in edition.pages:
        low = data.draw(st.integers(0, len(page.text))) if data else 0
        high = data.draw(st.integers(low, len(page.text))) if data else 0
        span = tuple(len(page.text[:at].encode()) for at in (low, high))
        pages.append(replace(page, running=(span,) if low < high else ()))
    edition = replace(edition, pages=tuple(pages))
    read = shown(edition, whole(edition))
    assert not [c for c in read.text if unicodedata.category(c) == "Cc" and c not in "\n\t"]
    assert not re.search(r"[ \t]\n|\s\Z|\A\n", read.text)
    kept = "".join(p.data[a:b].decode() for p in edition.pages for a, b in kept_bytes(p))
    assert _bare(read.text) == _bare(kept)
    for at, character in enumerate(read.text):
        place = read.place(at)
        if place is None:
            assert character == "\n"
            continue
        (source,) = read.source(at, at + 1)
        cut = edition.page(source.page).data[source.start : source.end].decode()
        assert cut == character or character in "\n-\u2010" or cut.startswith(character)
    places = [place for at in range(len(read.text)) if (place := read.place(at)) is not None]
    assert places == sorted(places)


def _bare(text: str) -> str:
    return re.sub(r"[^\w.]", "", skeleton_text(fold(text).text))
