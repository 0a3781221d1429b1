"""Contracts of searching: what is found, in which order, within which scope, and how it goes on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from pageindex.errors import EvidenceError, InputError, NotFoundError
from pageindex.store.base import Hit, Library
from pageindex.store.conformance.kit import contract, expect, expect_error
from pageindex.store.conformance.samples import sample_addition, sample_summaries

FILLER = "plain words about nothing much at all"

REPORT = (
    f"# Overview\n{FILLER}\nThe museum acquired several paintings.",
    f"# Opening hours\n{FILLER}\nDoors are open on weekdays.",
    f"# Tickets\n{FILLER}\nhours hours hours hours",
    "",
    f"# Garden\n{FILLER}\nRoses and the opening of the season, hours of sun.",
)


def _pages(hits: Iterable[Hit]) -> list[int]:
    return [hit.page for hit in hits]


@contract("A search finds pages by words in other letter case, inflection and without diacritics.")
def _folding(library: Library) -> None:
    texts = (*REPORT, f"# Caf\u00e9\n{FILLER}", "line-bro\u0002\r\nken word and \ufb01nance")
    doc_id = library.add(sample_addition("/a/museum.txt", texts)).record.doc_id
    for query, page in (
        ("ACQUIRE painting", 1),
        ("Gardens", 5),
        ("cafe", 6),
        ("CAF\u00c9", 6),
        ("broken", 7),
        ("finance", 7),
    ):
        found = library.search(query, doc_ids=[doc_id]).hits
        expect(_pages(found)[:1] == [page], f"{query!r} finds {_pages(found)}, not page {page} first")


@contract("A heading outweighs the body, and several words of the query outweigh one that is repeated.")
def _ranking(library: Library) -> None:
    doc_id = library.add(sample_addition("/a/museum.txt", REPORT)).record.doc_id
    found = library.search("opening hours", doc_ids=[doc_id]).hits
    expect(_pages(found) == [2, 5, 3], f"heading, both words, one word: not {_pages(found)}")
    expect(library.tree(doc_id).by_id[found[0].node_id].title == "Opening hours", "the hit names its section")
    expect(list(found[0].matched) == ["opening", "hours"], f"matched {found[0].matched}")
    expect([h.score for h in found] == sorted((h.score for h in found), reverse=True), "scores fall")


@contract("Snippet ranges are byte ranges of the page's text at word borders that hold words of the query.")
def _snippets(library: Library) -> None:
    text = "\n".join(
        [f"# \U0001f600 caf\u00e9 {FILLER}", *[FILLER] * 40, "here stands the \u00e4therisch needle", *[FILLER] * 40]
    )
    doc_id = library.add(sample_addition("/a/x.txt", (text, FILLER))).record.doc_id
    [hit] = library.search("needle", doc_ids=[doc_id]).hits
    expect(len(hit.ranges) == 1, f"ranges {hit.ranges}")
    start, end = hit.ranges[0]
    snippet = library.edition(doc_id).page(1).data[start:end].decode()
    expect(snippet.startswith("here stands the \u00e4therisch needle"), f"snippet {snippet!r}")
    expect(len(snippet) < 200, "a few lines, not the page")


@contract(
    "Pages with quoted words side by side come first, over a line end too; a phrase that stands nowhere is said, and forbids nothing."
)
def _phrases(library: Library) -> None:
    texts = ("current ratio and quick wit", "the quick\nratio of it", f"ratio quick {FILLER}", "Quick ratio")
    doc_id = library.add(sample_addition("/a/x.txt", texts)).record.doc_id
    search = partial(library.search, doc_ids=[doc_id])
    expect(sorted(_pages(search('"quick ratio"').hits)[:2]) == [2, 4], "straight quotes")
    expect(_pages(search("wit \u201cquick ratio\u201d \u201cof it\u201d").hits)[0] == 2, "all of them")
    nowhere = search('"ratio of wit"')
    expect(set(_pages(nowhere.hits)) >= {1, 2}, "the words are found")
    expect([absent.word for absent in nowhere.absent] == ["ratio of wit"], f"{nowhere.absent}")
    listed = search('Which ratio is quick? Answer in a list, e.g., ["1","2"]')
    expect(bool(listed.hits) and not listed.absent, "examples of an answer's form are not looked for")


@contract(
    "Words that stand nowhere are said, and looked for as they are nearly spelled; a title counts in any spelling."
)
def _absent(library: Library) -> None:
    texts = ("# Overview\nfirst", "# D I F F U S I O N\nof gas\u00ades", "the depreciation of ma\ufb01a")
    doc_id = library.add(sample_addition("/a/x.txt", texts)).record.doc_id
    library.add(sample_addition("/a/y.txt", ("quorum",)))
    for scope in ([doc_id], None):
        found = library.search("zzzqqq gases", doc_ids=scope)
        expect([(absent.word, list(absent.near)) for absent in found.absent] == [("zzzqqq", [])], f"{found.absent}")
        expect(_pages(found.hits) == [2], "soft hyphens are no part of a word")
        found = library.search("depreciasion", doc_ids=scope)
        expect([list(absent.near) for absent in found.absent] == [["depreciation"]], f"{found.absent}")
        expect(_pages(found.hits) == [3], f"near spellings are found: {found.hits}")
        expect(_pages(library.search("diffusion", doc_ids=scope).hits)[:1] == [2], "letter-spaced titles")
        expect(_pages(library.search("deprec*", doc_ids=scope).hits)[:1] == [3], "beginnings of words")
    other = library.search("quorum of gases", doc_ids=[doc_id])
    expect([absent.word for absent in other.absent] == ["quorum"], "it stands in another document")


@contract(
    "A page, slide, figure, table, note, section or item that a query names is found, and said how; one that is not there is said, too."
)
def _pointed(library: Library) -> None:
    texts = (
        "# Contents\n" + "\n".join(f"Figure {n} growth of things {n + 2}" for n in range(1, 12)),
        f"# Item 1A. Risk Factors\n{FILLER}\nas Figure 2 shows",
        f"{FILLER}\nFigure 2: Growth\n{FILLER}",
        f"# 4.2 Methods\n{FILLER}",
        f"{FILLER}\nTABLE III. Sales\n{FILLER}",
        f"{FILLER}\nNote 7. Debt\n{FILLER}",
    )
    doc_id = library.add(sample_addition("/a/x.txt", texts)).record.doc_id
    for query, page, how in (
        ("what grows in Figure 2?", 3, "caption"),
        ("table 3", 5, "caption"),
        ("what does item 1A say", 2, "section title"),
        ("summarise section 4.2", 4, "section title"),
        ("note 7", 6, "printed line"),
        ("what stands on page 4?", 4, "page of the file"),
        ("the last slide", 6, "last page"),
    ):
        found = library.search(query, doc_ids=[doc_id])
        expect(_pages(found.hits)[0] == page, f"{query!r} finds {_pages(found.hits)}")
        [pointed] = found.pointed
        expect([(place.page, place.how) for place in pointed.places] == [(page, how)], f"{query!r}: {pointed}")
    [nowhere] = library.search("Figure 77 and growth", doc_ids=[doc_id]).pointed
    expect(not nowhere.places, "there is no such figure")


@contract("Scripts without spaces are searched by any part of a word, and identifiers by their parts.")
def _scripts(library: Library) -> None:
    texts = (
        "\u5e74\u6b21\u5831\u544a\u66f8\u306e\u6982\u8981",
        "\u8ca1\u52d9\u8af8\u8868\u3068\u6ce8\u8a18",
        "CVE-2021-44228 in SP 800-115",
        "\u0412\u0441\u0435 \u043a\u043d\u0438\u0433\u0438",
    )
    doc_id = library.add(sample_addition("/a/x.txt", texts, language="ja")).record.doc_id
    library.add(sample_addition("/a/other.txt", (FILLER,)))
    for query, page in (
        ("\u5831\u544a\u66f8", 1),
        ("\u8ca1\u52d9", 2),
        ("800-115", 3),
        ("cve-2021", 3),
        ("\u043a\u043d\u0438\u0433\u0438", 4),
    ):
        for scope in ([doc_id], None):
            hits = library.search(query, doc_ids=scope).hits
            expect([(h.doc_id, h.page) for h in hits][:1] == [(doc_id, page)], f"{query!r} in {scope}: {hits}")


@contract("Pages without text are named, and pages that were compared are counted.")
def _coverage(library: Library) -> None:
    doc_id = library.add(sample_addition("/a/museum.txt", REPORT)).record.doc_id
    result = library.search("roses", doc_ids=[doc_id])
    expect(result.pages_scanned == {doc_id: 4}, f"scanned {result.pages_scanned}")
    expect(result.pages_without_text == {}, "a blank page hides nothing")


@contract("A search stays in its scope: documents, folder below folder, and metadata.")
def _scope(library: Library) -> None:
    outer = library.create_folder("outer")
    inner = library.create_folder("inner", outer.folder_id)
    ids = {}
    for name, folder, year in (("a", "root", 2020), ("b", outer.folder_id, 2021), ("c", inner.folder_id, 2022)):
        addition = sample_addition(
            f"/x/{name}", (f"common words of {name}",), metadata={"year": year}, folder_id=folder
        )
        ids[name] = library.add(addition).record.doc_id
    scopes: Sequence[tuple[dict[str, Any], str]] = (
        ({}, "abc"),
        ({"doc_ids": [ids["a"], ids["c"]]}, "ac"),
        ({"folder_id": outer.folder_id}, "bc"),
        ({"folder_id": inner.folder_id}, "c"),
        ({"where": {"year": {"gte": 2021}}}, "bc"),
        ({"where": {"year": 2020}, "doc_ids": [ids["b"]]}, ""),
    )
    for scope, expected in scopes:
        hits = library.search("common words", **scope).hits
        documents = library.search_documents("common words", **scope)
        wanted = sorted(ids[name] for name in expected)
        expect(sorted(hit.doc_id for hit in hits) == wanted, f"{scope}: pages of {hits}")
        expect(sorted(hit.record.doc_id for hit in documents) == wanted, f"{scope}: documents")
    expect_error(NotFoundError, lambda: library.search("x", doc_ids=["0123456789"]))
    expect_error(NotFoundError, lambda: library.search("x", folder_id="nowhere"))
    expect_error(InputError, lambda: library.search("x", where={"year": {"near": 1}}), "INVALID_FILTER")


@contract("Of thirty documents, the one that a question is for ranks first.")
def _thirty(library: Library) -> None:
    topics = ("granite", "tulips", "harbours", "violins", "glaciers", "bakeries")
    places = ("Oslo", "Lima", "Perth", "Cairo", "Quebec")
    for topic in topics:
        for place in places:
            pages = (
                f"# {topic.title()} of {place}\n{FILLER}",
                f"# Trade\nThe trade in {topic} grew.",
                f"# Notes\n{FILLER}",
            )
            library.add(sample_addition(f"/d/{topic}-{place}.txt", pages))
    for topic, place in (("violins", "Lima"), ("glacier", "Quebec"), ("tulip", "Perth")):
        question = f"How did the trade in {topic} grow in {place}?"
        best = library.search_documents(question)[0].record.name
        expect(best == f"{topic.rstrip('s')}s-{place}.txt", f"{question} finds {best}")
        hit = library.search(question).hits[0]
        expect(library.get(hit.doc_id).name == best, f"{question}: the first page is of it")


@contract("Summaries and descriptions are searched.")
def _derived(library: Library) -> None:
    library.add(sample_addition("/a/other.txt", (f"# Other\n{FILLER}",)))
    record = library.add(sample_addition("/a/x.txt", (f"# First\n{FILLER} once",))).record
    expect(library.search_documents("zeppelin") in ([], ()), "not there yet")
    summaries = sample_summaries(library.tree(record.doc_id), {"0000": "A summary about zeppelins."})
    summaries = replace(summaries, description="On balloonists.")
    library.replace_derived(record.doc_id, record.edition.id, summaries=summaries)
    for query in ("zeppelin", "balloonist"):
        expect([hit.record.doc_id for hit in library.search_documents(query)] == [record.doc_id], query)


@contract("A search follows every change: addition, new edition, removal.")
def _follows(library: Library) -> None:
    expect(library.search("anything").hits in ([], ()), "an empty library")
    record = library.add(sample_addition("/a/x.txt", ("marmalade",))).record
    other = library.add(sample_addition("/a/y.txt", ("marmalade and butter",))).record
    expect({hit.doc_id for hit in library.search("marmalade").hits} == {record.doc_id, other.doc_id}, "added")
    library.add(sample_addition("/a/x.txt", ("honey",)))
    expect([hit.doc_id for hit in library.search("marmalade").hits] == [other.doc_id], "a new edition")
    expect([hit.doc_id for hit in library.search("honey").hits] == [record.doc_id], "its text")
    library.remove(other.doc_id)
    expect(library.search("marmalade").hits in ([], ()), "removed")
    expect(library.search_documents("butter") in ([], ()), "removed from the documents")


@contract("Cursors go through all hits once, give the same again, and know their query and their documents' state.")
def _cursors(library: Library) -> None:
    texts = tuple(f"# Part {n}\nneedle {'straw ' * n}" for n in range(1, 8))
    doc_id = library.add(sample_addition("/a/x.txt", texts)).record.doc_id
    whole = library.search("needle", doc_ids=[doc_id], limit=50)
    expect(whole.next_cursor is None and whole.total == 7, f"total {whole.total}")
    found: list[Hit] = []
    cursor, first = None, ""
    while True:
        part = library.search("needle", doc_ids=[doc_id], limit=3, cursor=cursor)
        found.extend(part.hits)
        cursor = part.next_cursor
        if cursor is None:
            break
        first = first or cursor
    expect(found == list(whole.hits), "the parts are the whole")
    again = library.search("needle", doc_ids=[doc_id], limit=3, cursor=first)
    expect(list(again.hits) == found[3:6], "the same again")
    for wrong in ("x", first[:-1] + ("0" if first[-1] != "0" else "1"), first.replace("-3-", "-4-")):
        again_with = partial(library.search, "needle", doc_ids=[doc_id], cursor=wrong)
        expect_error(EvidenceError, again_with, "INVALID_CURSOR")
    mismatch = "CURSOR_QUERY_MISMATCH"
    expect_error(EvidenceError, lambda: library.search("straw", doc_ids=[doc_id], cursor=first), mismatch)
    expect_error(EvidenceError, lambda: library.search("needle", cursor=first), mismatch)
    library.add(sample_addition("/a/unrelated.txt", ("nothing",)))
    expect(list(library.search("needle", doc_ids=[doc_id], limit=3, cursor=first).hits) == found[3:6], "still holds")
    library.add(sample_addition("/a/x.txt", texts[:6]))
    expect_error(EvidenceError, lambda: library.search("needle", doc_ids=[doc_id], cursor=first), "CURSOR_STALE")


@contract("A query that asks for nothing is refused, and none is an expression of the index's own language.")
def _queries(library: Library) -> None:
    doc_id = library.add(sample_addition("/a/x.txt", ("alpha beta", "gamma"))).record.doc_id
    library.add(sample_addition("/a/y.txt", ("delta",)))
    for query in ("", "  ", "?!", '""'):
        expect_error(InputError, lambda query=query: library.search(query), "EMPTY_QUERY")  # type: ignore[misc]
    expect_error(InputError, lambda: library.search("x " * 5000), "QUERY_TOO_LONG")
    for limit in (0, -1, 1000):
        expect_error(InputError, lambda limit=limit: library.search("alpha", limit=limit))  # type: ignore[misc]
    for query in (
        'alpha" OR (',
        "alpha AND NOT",
        "NEAR(alpha beta)",
        "body:alpha",
        "alpha*",
        "alpha') --",
        "^alpha",
        "{alpha}",
    ):
        for scope in ([doc_id], None):
            hits = library.search(query, doc_ids=scope).hits
            expect(_pages(hits)[:1] == [1], f"{query!r} finds page 1, not {hits}")
