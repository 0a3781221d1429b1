"""What search makes of a question beside its words: places it names, what it means in a report, spellings, pictures."""

from __future__ import annotations

import time

import pytest

from pageindex.app.search import search
from pageindex.document import Edition, Extractor, Page, PageState, Source, Unread, UnreadReason
from pageindex.store.base import Addition
from pageindex.store.conformance.samples import sample_addition, sample_edition, sample_tree
from pageindex.store.memory import MemoryLibrary
from pageindex.store.search.concepts import sought
from pageindex.store.search.edition import EditionIndex
from pageindex.store.search.pointers import Pointer, locate, parse_pointers
from pageindex.store.search.query import FORM, FUNCTION, POINTING, parse_query
from pageindex.store.search.rank import learned_weights, rank, rank_pages
from pageindex.store.search.signs import SIGNS, page_signs, query_terms
from pageindex.store.search.spelling import near_spellings
from pageindex.store.search.vocabulary import Ask
from pageindex.store.search.wording import searchable
from pageindex.tools import Reader, call_tool

FILLER = "plain words about nothing much at all"


def _index(*pages: str, language: str = "en") -> EditionIndex:
    edition = sample_edition("x.txt", pages, b"x")
    return EditionIndex(edition, sample_tree(edition, language))


def _labelled(*pages: tuple[str, str | None]) -> EditionIndex:
    made = tuple(Page(n, text, label=label) for n, (text, label) in enumerate(pages, start=1))
    edition = Edition(Source("x", "0" * 64, 1), Extractor("t", "1"), made)
    return EditionIndex(edition, sample_tree(edition))


def _first(index: EditionIndex, query: str) -> int:
    return rank_pages(index, parse_query(query))[0].page


# ---------------------------------------------------------------- pointers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what is on page 17?", [("page", "17")]),
        ("p. iv and pp. 12", [("page", "iv"), ("page", "12")]),
        ("In Slide 4, what", [("slide", "4")]),
        ("Figures 2 and 3", [("figure", "2"), ("figure", "3")]),
        ("Fig. 2.1(a)", [("figure", "2.1")]),
        ("see Table1-1", [("table", "1-1")]),
        ("TABLE III", [("table", "iii")]),
        ("note 7 of the statements", [("note", "7")]),
        ("section 4.2 says", [("section", "4.2")]),
        ("§ 12", [("section", "12")]),
        ("Item 1A", [("item", "1a")]),
        ("chapter three", [("chapter", "3")]),
        ("Appendix B", [("appendix", "b")]),
        ("the second slide and the last page", [("slide", "2"), ("page", "last")]),
        ("the cover page", [("page", "1")]),
        ("Seite 5 und Abb. 3", [("page", "5"), ("figure", "3")]),
        ("a page a person reads", []),
        ("U.S. 2022 figures on sales, item by item", []),
        ("note that part civil", []),
    ],
)
def test_places_are_read_out_of_a_question(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(pointer.kind, pointer.number) for pointer in parse_pointers(text)] == expected


def test_a_page_number_is_the_printed_one_and_that_of_the_file_each_said() -> None:
    index = _labelled(*((f"text {n}", label) for n, label in enumerate(["i", "ii", "1", "2", "3", "4"])))
    places = locate(parse_pointers("page 3"), index.pointable)
    assert [(place.page, place.how) for place in places] == [
        (5, "printed page number"),
        (3, "page of the file"),
    ]
    assert [place.page for place in locate(parse_pointers("page ii"), index.pointable)] == [2]
    assert [place.page for place in locate(parse_pointers("slide 3"), index.pointable)] == [3], "slides are counted"
    assert locate(parse_pointers("page 99"), index.pointable) == []


def test_a_caption_is_found_and_a_mention_and_a_list_of_figures_are_not() -> None:
    listing = "\n".join(f"Figure {n} growth of something {n + 4}" for n in range(1, 14))
    index = _index(
        listing,
        f"{FILLER}\nFigure 2 shows the growth\n{FILLER}",
        f"{FILLER}\nFig. 2: The growth\n{FILLER}",
        f"{FILLER}\nFigure 2.1: Another\n{FILLER}",
        f"{FILLER}\nFigure 12. Another\n{FILLER}",
    )
    assert [place.page for place in locate(parse_pointers("figure 2"), index.pointable)] == [3]
    assert _first(index, "how fast is the growth in figure 2?") == 3
    assert _first(index, "figure 12") == 5


def test_a_list_of_tables_with_leaders_has_no_captions() -> None:
    entries = "\n".join(f"Table {n}-{n}. Some capabilities of tools ................ {n}-1{n}" for n in range(2, 9))
    index = _index(f"List of tables\n{entries}", FILLER, f"{FILLER}\nTable 4-4. Some capabilities of tools\n{FILLER}")
    assert [place.page for place in locate(parse_pointers("table 4-4"), index.pointable)] == [3]
    assert _first(index, "some capabilities of tools") == 3


def test_a_title_is_found_by_its_number_in_any_writing() -> None:
    index = _index(
        f"# Contents\n{FILLER}",
        f"# III. Methods\n{FILLER}",
        f"{FILLER}",
        f"# IV. Results\n{FILLER}",
        f"# Annex B\n{FILLER}",
    )
    assert _first(index, "chapter three") == 2
    assert _first(index, "section 4") == 4
    assert _first(index, "what is in annex B?") == 5
    inner = [(place.page, place.inner) for place in locate(parse_pointers("section 3"), index.pointable)]
    assert inner == [(2, False), (3, True)]


def test_what_stands_in_too_many_places_points_nowhere() -> None:
    index = _index(*[f"Table 1: part {n}" for n in range(20)])
    assert locate([Pointer("table 1", "table", "1")], index.pointable) == []


# ---------------------------------------------------------------- words


def test_grammar_and_the_form_of_the_answer_weigh_little() -> None:
    query = parse_query('Which colours does Figure 3 have? Please write the answer as a list, e.g., ["red","green"].')
    weights = {word.word: word.weight for word in query.words}
    assert weights["colours"] == 1.0
    assert weights["which"] == FUNCTION and weights["figure"] == weights["3"] == POINTING
    assert weights["red"] <= FORM
    assert query.phrases == ()
    assert query.asks >= {Ask.PICTURE}


def test_a_word_set_letter_by_letter_is_a_word_and_initials_are_none() -> None:
    assert searchable("D I F F U S I O N of gas\u00ades") == "diffusion of gases"
    assert searchable("J R R Tolkien") == "j r r tolkien"
    assert searchable("a b c") == "a b c"


def test_near_spellings_are_one_slip_away() -> None:
    known = {"depreciation": 3, "appreciation": 9, "receivable": 2, "receivables": 5, "table": 1, "cable": 8}
    assert near_spellings("depreciaton", known) == ["depreciation"]
    assert near_spellings("recievable", known)[0] == "receivable"
    assert near_spellings("tble", known) == (), "short words are like too many"
    assert near_spellings("fable", known) == [], "the first letter is hardly ever wrong"
    index = _index(FILLER, f"the depreciation {FILLER}")
    assert _first(index, "depreciaton") == 2


def test_the_beginning_of_words() -> None:
    index = _index(FILLER, "amortisation", "amortised", "mortise")
    assert [score.page for score in rank_pages(index, parse_query("amort*"))] == [2, 3]


# ---------------------------------------------------------------- meaning


def test_a_ratio_is_looked_for_by_what_it_is_made_of() -> None:
    balance = "CONSOLIDATED BALANCE SHEETS\nInventories 1,234 1,100\nTotal current assets 5,678 5,000\nTotal current liabilities 4,000 3,900"
    index = _index(
        f"{FILLER} the ratio is discussed here quick quick",
        balance,
        f"inventories and current assets are words here\n{FILLER}",
        *[FILLER] * 5,
    )
    assert _first(index, "Has the quick ratio improved in FY2023?") == 2
    meant = sought(["quick", "ratio"])
    assert ("total", "current", "assets") in {line for item in meant.items for line in item}
    assert ("balance", "sheet") in meant.statements
    assert not sought(["weather", "tomorrow"])


def test_reports_print_other_words_for_what_people_say() -> None:
    index = _index(FILLER, f"Legal proceedings\n{FILLER} plaintiffs", *[f"{FILLER} the company battles on"] * 3)
    assert _first(index, "Are there ongoing legal battles?") == 2


def test_the_cover_answers_for_the_document_and_pictures_for_what_is_seen() -> None:
    pages = [Page(n, f"{FILLER} text of page {n} " * 12) for n in range(1, 7)]
    pages[3] = Page(4, "Plan", unread_parts=(Unread(UnreadReason.PICTURE),))
    edition = Edition(Source("x", "0" * 64, 1), Extractor("t", "1"), tuple(pages))
    index = EditionIndex(edition, sample_tree(edition))
    asked = parse_query("What colour is the arrow in the plan?")
    signs = page_signs(index, asked, query_terms(index, asked)).of
    assert max(range(6), key=lambda i: signs["picture"][i]) == 3
    asked = parse_query("What is the title of this document?")
    assert page_signs(index, asked, query_terms(index, asked)).of["opening"][:2] == [1.0, 0.0]


def test_contents_pages_come_last_unless_they_are_asked_for() -> None:
    listing = "\n".join(f"Growth of chapter {name} and more {n}" for n, name in enumerate("abcdefghijkl", start=5))
    index = _index(listing, f"Growth of chapters\n{FILLER}", *[FILLER] * 4)
    assert _first(index, "growth of chapter") == 2
    assert _first(index, "How many chapters are in the table of contents?") == 1


def test_every_sign_has_a_weight_and_none_counts_against_its_meaning() -> None:
    weights = learned_weights()
    assert set(weights) == set(SIGNS)
    assert all(weight <= 0 if name == "listing" else weight >= 0 for name, weight in weights.items())


def test_a_long_document_is_searched_in_milliseconds() -> None:
    words = [f"word{n}" for n in range(400)]
    pages = [
        "\n".join(" ".join(words[(n * 7 + i * 13 + j) % 400] for j in range(10)) + f" {n} {i}" for i in range(45))
        for n in range(400)
    ]
    index = _index(*pages)
    rank(index, parse_query("warm up"))
    start = time.process_time()
    for _ in range(5):
        rank(index, parse_query("what is the quick ratio of word17 and word33 in figure 12 on page 300 in FY2022?"))
    assert (time.process_time() - start) / 5 < 0.5


# ---------------------------------------------------------------- what is said


def _scan(library: MemoryLibrary, texts: list[str], pictures: list[int]) -> str:
    from dataclasses import replace

    from pageindex.document.codec import encode_edition, encode_json, tree_to_json

    addition: Addition = sample_addition("/a/scan.pdf", tuple(texts))
    edition = sample_edition("scan.pdf", tuple(texts), b"scan")
    pages = tuple(Page(p.number, "", PageState.IMAGE_ONLY) if p.number in pictures else p for p in edition.pages)
    scanned = Edition(edition.source, edition.extractor, pages)
    files = {**encode_edition(scanned), "tree.json": encode_json(tree_to_json(sample_tree(scanned)))}
    return library.add(replace(addition, edition_id=scanned.id, files=files)).record.doc_id


def test_a_search_says_what_it_could_not_search_and_what_stands_nowhere() -> None:
    library = MemoryLibrary()
    doc_id = _scan(library, ["first words", *["x"] * 7, "last words"], [3, 4, 5, 6, 7])
    found = search(library, "words zzzqqq in figure 9", doc_id)
    assert [hit.page for hit in found.hits] == [1, 9]
    assert found.remarks[0].startswith("Not searched: pages 3-7 of scan.pdf")
    assert "--ocr" in found.remarks[0]
    assert '"zzzqqq" stands nowhere in this document on the pages that could be searched.' in found.remarks
    assert "figure 9 was not found in this document." in found.remarks


def test_a_document_of_pictures_gives_an_answer() -> None:
    library = MemoryLibrary()
    doc_id = _scan(library, ["x", "x"], [1, 2])
    found = search(library, "anything", doc_id)
    assert found.hits == ()
    [only] = found.remarks
    assert only.startswith("No page of scan.pdf has text that could be searched: all 2 are pictures")
    reply = call_tool(Reader(library, [doc_id]), "search_documents", {"query": "anything"})
    assert reply["next_steps"]["summary"] == only


def test_a_search_that_delivers_all_of_a_page_says_so() -> None:
    library = MemoryLibrary()
    library.add(sample_addition("/a/x.txt", ("the needle is here.", f"{FILLER} needle")))
    reply = call_tool(Reader(library, numbered=True), "search_documents", {"query": "needle"})
    first = reply["hits"][0]
    assert first["page"] == 1 and first["whole"]
    assert reply["doc_name"] == "x.txt"


def test_a_line_of_a_statement_is_the_passage_for_a_ratio() -> None:
    balance = "CONSOLIDATED BALANCE SHEETS\n  2023  2022\nInventories  1,234  1,100\nTotal current assets  5,678  5,000\nTotal current liabilities  4,000  3,900\nGoodwill  77  78"
    library = MemoryLibrary()
    doc_id = library.add(
        sample_addition("/a/x.txt", (f"{FILLER} the ratio is quick", balance, *[FILLER] * 6))
    ).record.doc_id
    best = Reader(library, [doc_id]).best_passages("What is the quick ratio for FY2023?")
    page = library.edition(doc_id).page(2)
    words = [page.words(one.passage.start, one.passage.end) for one in best if one.passage.page == 2]
    assert words.index("Total current assets  5,678  5,000") < words.index("Goodwill  77  78")


def test_a_page_with_nothing_but_a_picture_and_its_folio_is_not_searched() -> None:
    page = Page(2, "19", running=((0, 2),), unread_parts=(Unread(UnreadReason.PICTURE),))
    from pageindex.store.search.searching import _is_picture

    assert _is_picture(page)
    assert not _is_picture(Page(2, "19 words", running=((0, 2),), unread_parts=(Unread(UnreadReason.PICTURE),)))


def test_words_of_documents_out_of_scope_are_not_proposed() -> None:
    library = MemoryLibrary()
    ids = [
        library.add(sample_addition(f"/a/{n}.txt", (text,))).record.doc_id
        for n, text in enumerate(("alpha", "beta", "confidential"))
    ]
    found = library.search("confidental", doc_ids=ids[:2])
    assert [(absent.word, list(absent.near)) for absent in found.absent] == [("confidental", [])]
    assert [list(absent.near) for absent in library.search("confidental").absent] == [["confidential"]]
