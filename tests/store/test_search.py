"""The parts of search, each by itself, and what only the index on disk has."""

from __future__ import annotations

import sqlite3
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageindex.document import Edition, Extractor, Page, PageState, Source
from pageindex.document.codec import encode_edition, encode_json, tree_to_json
from pageindex.errors import InputError
from pageindex.store.conformance.samples import sample_addition, sample_edition, sample_tree
from pageindex.store.disk.library import DiskLibrary
from pageindex.store.memory import MemoryLibrary
from pageindex.store.search.edition import EditionIndex
from pageindex.store.search.index import _UNWORDED
from pageindex.store.search.query import ASIDE, FORM, FUNCTION, parse_query
from pageindex.store.search.rank import rank_pages
from pageindex.store.search.signs import page_signs, query_terms
from pageindex.store.search.snippet import snippet_ranges
from pageindex.text.words import Stemmer, fold, spaced, words

FILLER = "plain words about nothing much at all"


def _index(*pages: str, language: str = "en") -> EditionIndex:
    edition = sample_edition("x.txt", pages, b"x")
    return EditionIndex(edition, sample_tree(edition, language))


def _ranked(index: EditionIndex, query: str) -> list[int]:
    return [score.page for score in rank_pages(index, parse_query(query))]


# ---------------------------------------------------------------- words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Größe ÉCOLE", ["grosse", "ecole"]),
        ("ﬁnance ② Ⅳ", ["finance", "2", "iv"]),
        ("admin\x02\r\nistration", ["administration"]),
        ("admin-\nistration of 2019-\n20", ["administration", "of", "2019", "20"]),
        ("snake_case SP 800-115", ["snake", "case", "sp", "800", "115"]),
        ("年次報告", ["年次", "次報", "報告"]),
        ("第3章 書", ["第", "3", "章", "書"]),
        ("سَلام", ["سلام"]),
        ("Ёлка и ёж", ["елка", "и", "еж"]),
    ],
)
def test_words_are_folded(text: str, expected: list[str]) -> None:
    assert words(fold(text)) == expected


def test_folding_keeps_lines() -> None:
    assert fold("Ä\nB\r\nc").split() == ["a", "b", "c"]
    assert spaced("abc") == "abc"


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("en", "acquired", "acquisitions"),
        ("en", "company", "companies"),
        ("de", "haus", "hauses"),
        ("ru", "книга", "книгами"),
        ("fr", "nationales", "national"),
        ("zz", "word", "word"),
    ],
)
def test_inflections_are_found(language: str, one: str, other: str) -> None:
    stemmer = Stemmer(language)
    if language == "en" and other == "acquisitions":
        assert stemmer.stem(one) != stemmer.stem(other), "derivation is not inflection"
        return
    assert stemmer.stem(one) == stemmer.stem(other)
    assert other.startswith(stemmer.prefix(one)) and one.startswith(stemmer.prefix(other))
    assert _ranked(_index(f"{FILLER} {other}", FILLER, language=language), one) == [1]


def test_a_language_without_stems_keeps_its_words() -> None:
    assert _ranked(_index("companies", FILLER, language="xx"), "company") == []


# ---------------------------------------------------------------- queries


def test_an_aside_weighs_less_than_the_question() -> None:
    query = parse_query("What was the ratio? Round the answer. The ratio matters.")
    weights = {word.word: word.weight for word in query.words}
    assert weights["ratio"] == 1.0 and weights["round"] == FORM and weights["matters"] == ASIDE
    assert {w.word: w.weight for w in parse_query("net sales of it").words} == {
        "net": 1,
        "sales": 1,
        "of": FUNCTION,
        "it": FUNCTION,
    }


def test_a_glued_year_is_also_the_year() -> None:
    assert parse_query("FY2022").words[0].forms == ("2022",)
    assert parse_query("q3 2022 ab12").words[0].forms == ()
    assert _ranked(_index("in 2021", "in 2022", FILLER), "FY2022") == [2]


def test_pages_named_in_the_query_come_first() -> None:
    edition = Edition(
        Source("x", "0" * 64, 1),
        Extractor("t", "1"),
        tuple(Page(n, f"text {n} shared words", label="iv" if n == 2 else None) for n in range(1, 6)),
    )
    index = EditionIndex(edition, sample_tree(edition))
    assert _ranked(index, "shared words on page 4")[0] == 4
    assert _ranked(index, "shared words on p. IV")[0] == 2


# ---------------------------------------------------------------- signs


def test_signs_say_what_they_are_for() -> None:
    index = _index(
        "# Revenue\n" + f"{FILLER}\n" * 4,
        f"{FILLER}\nTotal revenue 12,345 2,345 999 123 4,567 7,654\n5 6 7 8 9 10 11 12",
        "\n".join(f"Chapter {name} revenue {n}" for n, name in enumerate("abcdefghijkl", start=5)),
        f"{FILLER}\nFigure 4 revenue by region\n{FILLER}",
        f"{FILLER} as Figure 4 shows the revenue",
    )
    query = parse_query("total revenue of figure 4")
    signs = page_signs(index, query, query_terms(index, query)).of
    assert max(range(5), key=lambda i: signs["title"][i]) == 0
    assert max(range(5), key=lambda i: signs["line"][i]) == 1
    assert max(range(5), key=lambda i: signs["figures"][i]) == 1
    assert [page + 1 for page in range(5) if signs["listing"][page] > 0.5] == [3]
    assert signs["pointed"] == [0, 0, 0, 1.0, 0], "a caption begins a line; a mention does not"


def test_the_neighbour_of_a_good_page_outranks_a_lonely_one() -> None:
    index = _index(
        FILLER, f"needle {FILLER}", FILLER, FILLER, f"needle {FILLER}", f"{FILLER} the needle needle goes on", FILLER
    )
    assert _ranked(index, "needle")[0] == 6
    assert _ranked(index, "needle")[1] == 5, "not page 2, which stands alone"


def test_a_section_counts_for_the_pages_inside_it() -> None:
    pages = ["# Pensions\n" + FILLER, f"benefit {FILLER}", "# Leases\n" + FILLER, f"benefit {FILLER}", *[FILLER] * 6]
    assert _ranked(_index(*pages), "pension benefit").index(2) < _ranked(_index(*pages), "pension benefit").index(4)


def test_pages_that_hold_nothing_of_the_query_are_no_hits() -> None:
    assert _ranked(_index(FILLER, "needle", ""), "needle haystack") == [2]


# ---------------------------------------------------------------- snippets


def test_snippets_cover_what_the_first_one_lacks() -> None:
    text = "\n".join(["alpha here", *[FILLER] * 9, "beta there"])
    found = {"alpha": "alpha", "beta": "beta"}
    first, second = snippet_ranges(text, {"alpha": 2.0, "beta": 1.0}, found)
    data = text.encode()
    assert data[slice(*first)].decode().startswith("alpha here")
    assert data[slice(*second)].decode() == "beta there"


def test_a_paragraph_without_line_breaks_is_cut_between_words() -> None:
    text = f"{'word ' * 500}néedle {'word ' * 500}"
    [span] = snippet_ranges(text, {"needle": 1.0}, {"needle": "needle"})
    piece = text.encode()[slice(*span)].decode()
    assert "néedle" in piece and len(piece) <= 700
    assert set(piece.split()) == {"word", "néedle"}


@pytest.mark.parametrize("unit", ["a-", "a_", "1.", " ", "\x02 ", "a", "日", "\r\n", '"a'])
def test_no_page_takes_more_than_linear_time(unit: str) -> None:
    text = unit * 100_000
    start = time.process_time()
    _UNWORDED.findall(text)
    words(fold(text))
    snippet_ranges(text, {"a": 1.0}, {"a": "a"})
    assert time.process_time() - start < 5


# ---------------------------------------------------------------- the index on disk


@pytest.fixture
def library(tmp_path: Path) -> DiskLibrary:
    return DiskLibrary.open(tmp_path / "library")


def test_pages_without_text_are_named(library: DiskLibrary) -> None:
    addition = sample_addition("/a/x.txt", ("words", "", "more words"))
    edition = sample_edition("x.txt", ("words", "", "more words"), b"words\f\fmore words")
    pages = (edition.pages[0], Page(2, "", PageState.IMAGE_ONLY), edition.pages[2])
    scanned = Edition(edition.source, edition.extractor, pages)
    tree = sample_tree(scanned)
    files = {**encode_edition(scanned), "tree.json": encode_json(tree_to_json(tree))}
    doc_id = library.add(replace(addition, edition_id=scanned.id, files=files)).record.doc_id
    result = library.search("words", doc_ids=[doc_id])
    assert result.pages_without_text == {doc_id: (2,)}
    assert result.pages_scanned == {doc_id: 2}


@pytest.mark.parametrize("damage", [b"", b"x" * 9000, None])
def test_the_index_is_rebuilt(library: DiskLibrary, damage: bytes | None) -> None:
    for name in ("a", "b"):
        library.add(sample_addition(f"/x/{name}", (f"needle of {name}",)))
    path = library.root / "search.sqlite"
    if damage is None:
        path.unlink()
    else:
        path.write_bytes(damage)
    fresh = DiskLibrary.open(library.root)
    assert fresh.search("needle").total == 2
    assert fresh.search("needle").total == 2


def test_an_index_damaged_inside_is_made_anew(library: DiskLibrary) -> None:
    for number in range(40):
        library.add(sample_addition(f"/x/{number}", (f"# T{number}\nneedle {number} {FILLER}",)))
    path = library.root / "search.sqlite"
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)  # the header stays
    path.write_bytes(data)
    fresh = DiskLibrary.open(library.root)
    assert len(fresh.search_documents("needle", limit=100)) == 40
    assert fresh.add(sample_addition("/x/new", ("needle",))).record.doc_id
    assert len(fresh.search_documents("needle", limit=100)) == 41


def test_no_trace_of_a_removed_document_is_left(library: DiskLibrary) -> None:
    library.add(sample_addition("/a/stays.txt", ("other words",)))
    record = library.add(
        sample_addition("/a/gone.txt", ("xylophone words XYL-2001",), summaries={"0000": "zanzibar"})
    ).record
    assert library.search("xylophone").total == 1
    library.remove(record.doc_id)
    assert library.search("xylophone").total == 0
    for path in library.root.rglob("*"):
        data = path.read_bytes().lower() if path.is_file() else b""
        for word in (b"xylophone", b"zanzibar", b"xyl-2001", b"gone.txt"):
            assert word not in data, f"{word!r} is still in {path}"


def test_an_index_that_missed_changes_catches_up(library: DiskLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = library.add(sample_addition("/a/kept.txt", ("needle kept",))).record
    gone = library.add(sample_addition("/a/gone.txt", ("needle gone",))).record
    before = (library.root / "search.sqlite").read_bytes()
    library.remove(gone.doc_id)
    new = library.add(sample_addition("/a/new.txt", ("needle new",))).record
    for path in library.root.glob("search.sqlite*"):
        path.unlink()
    (library.root / "search.sqlite").write_bytes(before)
    found = {hit.doc_id for hit in DiskLibrary.open(library.root).search("needle").hits}
    assert found == {kept.doc_id, new.doc_id}


def test_a_document_that_cannot_be_read_does_not_hide_the_others(library: DiskLibrary) -> None:
    good = library.add(sample_addition("/a/good.txt", ("needle good",))).record
    bad = library.add(sample_addition("/a/bad.txt", ("needle bad",))).record
    next((library.root / "documents" / bad.doc_id).rglob("pages.json")).write_bytes(b"")
    (library.root / "search.sqlite").unlink()
    assert [hit.doc_id for hit in DiskLibrary.open(library.root).search("needle").hits] == [good.doc_id]


def test_an_index_that_cannot_be_written_is_kept_in_memory(library: DiskLibrary) -> None:
    library.add(sample_addition("/a/x.txt", ("needle",)))
    library.add(sample_addition("/a/y.txt", ("straw",)))
    (library.root / "search.sqlite").unlink()
    (library.root / "search.sqlite").mkdir()
    assert DiskLibrary.open(library.root).search("needle").total == 1


def test_both_libraries_rank_alike(library: DiskLibrary) -> None:
    memory = MemoryLibrary()
    for name in ("one", "two", "three", "four"):
        addition = sample_addition(
            f"/x/{name}.txt", (f"# {name}\n{FILLER} {name} {name}", f"{FILLER} shared {name}", "shared shared")
        )
        library.add(addition)
        memory.add(addition)
    for query in ("shared", "three shared", "words about nothing four", '"shared two"'):
        theirs, ours = memory.search(query, limit=50), library.search(query, limit=50)
        assert theirs.hits == ours.hits and ours.hits


def test_the_index_holds_what_sqlite_says_is_sound(library: DiskLibrary) -> None:
    for number in range(6):
        library.add(sample_addition("/a/x.txt", (f"edition {number} of it",)))
    with sqlite3.connect(library.root / "search.sqlite") as connection:
        for table in ("pages", "about", "grams"):
            connection.execute(f"insert into {table} ({table}) values ('integrity-check')")
        assert connection.execute("select count(*) from pages").fetchone() == (1,)
    connection.close()


def test_too_much_is_refused(library: DiskLibrary) -> None:
    with pytest.raises(InputError) as caught:
        library.search("x", limit=101)
    assert "cursor" in caught.value.next_step


@given(st.text(alphabet="ab \n\r\t\x02é😀ﬁ日本", max_size=400), st.sampled_from(["a", "b", "e", "日本"]))
def test_snippets_are_whole_characters_of_the_page(text: str, word: str) -> None:
    data = text.encode()
    for start, end in snippet_ranges(text, {word: 1.0}, {word: word}):
        piece = data[start:end].decode()
        assert piece and piece == piece.strip()
        assert text.count(piece) >= 1


@given(st.text(st.characters(max_codepoint=0x24F), max_size=200))
def test_folding_twice_changes_nothing(text: str) -> None:
    assert words(fold(" ".join(words(fold(text))))) == words(fold(text))


@given(st.text(max_size=300))
def test_every_query_is_answered_or_refused(query: str) -> None:
    index = _index("# One\nalpha beta", "# Two\ngamma 2022")
    try:
        pages = _ranked(index, query)
    except InputError as error:
        assert error.code in ("EMPTY_QUERY", "QUERY_TOO_LONG")
    else:
        assert set(pages) <= {1, 2}
