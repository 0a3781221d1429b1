"""Passages by number: what ``[3]`` stands for, what code prints for it, and what becomes of a number that was never given."""

from __future__ import annotations

import json

import pytest

from pageindex.chat import ChatOptions, check_answer, open_session, resolve_citations
from pageindex.chat.run import answer
from pageindex.evidence.ledger import Exposure
from pageindex.evidence.status import Verdict
from pageindex.store.memory import MemoryLibrary
from pageindex.tools import Reader, get_page_content, search_documents
from tests.support.chat_library import add, report_library
from tests.support.chat_server import asking, calls, read, serving, tool_texts

REVENUE = "Revenue rose to 4,512 million dollars in the fiscal year, against 4,130 million the year before."


@pytest.fixture
def session() -> Reader:
    """Page 3 was given: [1] says the revenue, [2] the costs."""
    library, _ = report_library()
    made = open_session(library)
    get_page_content(made, pages="3")
    return made


def test_code_prints_the_words_of_a_number_as_a_quote_that_holds(session: Reader) -> None:
    report = check_answer(session, "Revenue rose to 4,512 million dollars in the fiscal year [1].")
    quote = report.of("quote")[0]
    assert (quote.text, quote.status, quote.page, quote.label, quote.section) == (REVENUE, "exact", 3, "1", "Results")
    assert (
        session.library.edition(quote.doc_id).page(3).words(quote.evidence[0].start, quote.evidence[0].end) == REVENUE
    )
    assert report.of("sentence")[0].status == "grounded" and report.verdict is Verdict.PARTIAL
    assert session.ledger(quote.evidence[0].edition).pages(Exposure.CITED) == [3]


@pytest.mark.parametrize(
    ("body", "findings"),
    [
        ("It rose to 4,512 million dollars [7].", [("citation", "unknown_passage")]),
        ("Revenue rose to 4,512 million dollars [1, 2].", [("quote", "exact"), ("quote", "exact")]),
        ("Revenue rose to 4,512 million dollars [1][2].", [("quote", "exact"), ("quote", "exact")]),
        ("Revenue rose to 4,512 million dollars [passage 1].", [("quote", "exact")]),
        ("Revenue rose to 4,512 million dollars 【1】.", [("quote", "exact")]),
        ('"mostly iron and gunpowder bought from suppliers" [2]', [("quote", "exact"), ("quote", "exact")]),
        ('"mostly iron and gunpowder bought from the moon" [2]', [("quote", "missing"), ("quote", "exact")]),
        ("Revenue is rows[1] of it, see [1](https://example.org).", []),
    ],
)
def test_numbers_as_they_are_written(session: Reader, body: str, findings: list[tuple[str, str]]) -> None:
    found = [f for f in check_answer(session, body).findings if f.kind in ("quote", "citation")]
    assert sorted((one.kind, one.status) for one in found) == sorted(findings)


def test_a_number_printed_by_the_document_is_no_citation() -> None:
    library = MemoryLibrary()
    add(library, "paper.txt", ["# Related work\nThe method of Smith and Jones [3] was the first to be proven correct."])
    session = open_session(library)
    get_page_content(session, pages="1")
    body = '"The method of Smith and Jones [3] was the first to be proven correct" [paper.txt, p. 1]'
    report = check_answer(session, body)
    assert [(f.kind, f.status) for f in report.findings if f.kind != "sentence"] == [
        ("quote", "exact"),
        ("citation", "cited"),
    ]


def test_a_number_the_cited_passage_does_not_hold_fails(session: Reader) -> None:
    wrong = check_answer(session, "Revenue rose to 9,999 million dollars in the fiscal year [1].")
    assert wrong.verdict is Verdict.FAIL and wrong.of("number")[0].status == "missing"
    other = check_answer(session, "The cost of sales was 2,871 million dollars [1].")
    assert other.verdict is Verdict.FAIL and "it is printed on page 3" in other.of("number")[0].message


def test_numbers_are_stable_and_a_passage_of_a_document_that_is_gone_is_a_finding(session: Reader) -> None:
    again = get_page_content(session, pages="3")
    search = search_documents(session, "revenue cost of sales")
    assert "[1]" in str(search["hits"][0]["passages"]) and again["content"][0]["already_delivered"]
    [record] = session.library.list().documents
    session.library.remove(record.doc_id)
    report = check_answer(session, "Revenue rose to 4,512 million dollars [1].")
    assert ("citation", "unknown_document") in [(f.kind, f.status) for f in report.findings]
    assert report.verdict is Verdict.FAIL


def test_a_passage_of_an_edition_that_was_replaced_is_a_finding(session: Reader) -> None:
    add(session.library, "acme.txt", ["# Results\nRevenue rose to 4,512 million dollars."])
    found = check_answer(session, "Revenue rose to 4,512 million dollars [1].").of("citation")
    assert [one.status for one in found] == ["source_changed"]


def test_another_session_knows_nothing_of_a_number(session: Reader) -> None:
    other = Reader(session.library, numbered=True)
    assert check_answer(other, "Revenue rose [1].").of("citation")[0].status == "unknown_passage"
    resolved = resolve_citations("Revenue rose [1]. It fell [9].", session)
    assert [(item["resolved"], item.get("pages")) for item in resolved] == [(True, [3]), (False, None)]
    assert resolved[0]["quotes"][0]["text"] == REVENUE and resolved[0]["quotes"][0]["handles"]


def test_passages_that_a_search_gives_whole_are_read_and_not_given_twice() -> None:
    library, record = report_library()
    with serving([calls(("search_documents", {"query": "revenue fiscal year"})), read("3"), "Revenue rose to 4,512 million dollars [1]."]) as (model, server):  # fmt: skip
        session = open_session(library)
        found = answer(session, asking(), model)
    first, second = tool_texts(server.asked[2])
    assert f"[1] {REVENUE}" in first and "=== acme.txt · page 3 (printed 1) · section 0003 Results" in first
    assert "[1] (given before)" in second and REVENUE not in second and "cost of sales" in second
    assert found.report.of("quote")[0].status == "exact" and found.report.verdict == "PARTIAL"
    assert f"“{REVENUE}” · exact" in found.text and "[1]." not in found.text
    assert session.ledger(record.edition.id).was_delivered(3, 11, 107)


def test_a_conversation_that_goes_on_keeps_its_numbers() -> None:
    library, _ = report_library()
    with serving([calls(("search_documents", {"query": "revenue fiscal year"})), "Revenue rose [1].", read("6,3"), "It rose to 4,512 million dollars in the fiscal year: revenue [1]."]) as (model, server):  # fmt: skip
        first = answer(open_session(library), asking(), model, ChatOptions(repairs=0))
        history = [*asking(), *first.turns, {"role": "user", "content": "To what?"}]
        session = open_session(library)
        second = answer(session, history, model, ChatOptions(repairs=0))
    assert second.report.of("quote")[0].text == REVENUE
    assert "[1] (given before)" in tool_texts(server.asked[3])[-1]
    forged = json.loads(json.dumps(history).replace("4,512", "9,512"))
    session = open_session(library)
    with serving(["Revenue rose to 9,512 million dollars [1]."]) as (model, _):
        third = answer(session, forged, model, ChatOptions(repairs=0))
    assert third.report.of("citation")[0].status == "unknown_passage" and third.verdict is Verdict.FAIL


def test_a_session_is_kept_with_its_numbers(session: Reader) -> None:
    again = Reader(session.library, numbered=True)
    again.restore(json.loads(json.dumps(session.to_json())))
    assert check_answer(again, "Revenue rose to 4,512 million dollars [1].").of("quote")[0].status == "exact"


def test_only_the_sentences_that_say_it_are_printed_of_a_long_passage() -> None:
    library = MemoryLibrary()
    filler = " ".join(f"Anvil number {n} was sold to a customer in the north of the county." for n in range(12))
    add(library, "long.txt", [f"# Sales\n{filler[:408]} The rocket failed on its third flight. {filler[408:800]}"])
    session = open_session(library)
    get_page_content(session, pages="1")
    quote = check_answer(session, "The rocket failed on its third flight [1].").of("quote")[0]
    assert "The rocket failed on its third flight." in quote.text and len(quote.text) < 330
    [record] = library.list().documents
    piece = quote.evidence[0]
    assert library.edition(record.doc_id).page(1).words(piece.start, piece.end).strip() == quote.text


def test_the_row_of_a_table_is_printed_with_what_stands_over_it() -> None:
    library = MemoryLibrary()
    add(library, "table.txt", ["# Balance\nIn millions  2022  2021\nCash  3,655  4,564\nDebt  12,790  13,486\n"])
    session = open_session(library)
    with serving([calls(("search_documents", {"query": "debt"})), "Debt was 12,790 million [2]."]) as (
        model,
        server,
    ):
        found = answer(session, asking("What was the debt in 2022?"), model, ChatOptions(repairs=0))
    given = "columns: In millions  2022  2021\n[1] Cash  3,655  4,564\n[2] Debt  12,790  13,486"
    assert given in tool_texts(server.asked[1])[0]
    assert "“Debt  12,790  13,486” (under: In millions  2022  2021) · exact" in found.text.replace(
        "Debt 12,790 13,486", "Debt  12,790  13,486"
    )
