"""Scope, budgets, what counts as seen, and calls that never raise."""

from __future__ import annotations

import hashlib
import itertools
import threading
from dataclasses import replace
from typing import Any

import pytest

from pageindex.document import PageState
from pageindex.errors import SettingsError
from pageindex.evidence.handles import resolve
from pageindex.evidence.ledger import Exposure
from pageindex.store.memory import MemoryLibrary
from pageindex.tools import (
    Reader,
    browse_documents,
    call_tool,
    check_claims,
    get_document,
    get_document_structure,
    get_page_content,
    get_page_image,
    get_page_tables,
    remove_document,
    search_documents,
    tool_schemas,
)
from pageindex.tools.declare import cost
from tests.support.chat_library import Sheet, add, addition, report_library
from tests.support.evidence_editions import Printed
from tests.support.evidence_editions import edition_of as lines_edition
from tests.support.pages import Drawn

CITIES = ["Lisbon", "Turin", "Gdansk", "Porto", "Utrecht", "Malmo"]


@pytest.fixture(scope="module")
def thirty() -> MemoryLibrary:
    """Thirty town reports; each names its own harbour master once, and all speak of harbours."""
    library = MemoryLibrary()
    for number in range(30):
        city = f"{CITIES[number % 6]}{number}"
        add(
            library,
            f"harbour-{number:02}.txt",
            [
                f"# Harbour of {city}\nThe harbour was busy this year and ships came from everywhere.",
                f"# Staff\nThe harbour master of {city} is Captain Name{number}son.",
            ],
            metadata={"year": 2000 + number},
        )
    return library


def ids(library: MemoryLibrary, *numbers: int) -> list[str]:
    return [library.resolve(f"harbour-{number:02}.txt").doc_id for number in numbers]


# ---------------------------------------------------------------- scope


def test_the_document_that_answers_ranks_first_among_thirty(thirty: MemoryLibrary) -> None:
    hits = search_documents(Reader(thirty), "Who is the harbour master of Turin7?")["hits"]
    assert (hits[0]["doc_name"], hits[0]["page"]) == ("harbour-07.txt", 2)
    browsed = browse_documents(Reader(thirty), query="Turin7", sort="relevance", recursive=True)
    assert browsed["documents"][0]["name"] == "harbour-07.txt"


def test_nothing_outside_the_scope_is_shown_by_any_tool(thirty: MemoryLibrary) -> None:
    session = Reader(thirty, ids(thirty, 3, 4))
    replies = [
        search_documents(session, "harbour master of Turin7"),
        browse_documents(session, recursive=True),
        browse_documents(session, query="Turin7", recursive=True),
        browse_documents(session, folder_id="root"),
        *(
            get_document(session, name)
            for name in ("harbour-07.txt", *ids(thirty, 7), "/docs/harbour-07.txt", "nothing")
        ),
        get_page_content(session, "harbour-07.txt", pages="1"),
        get_document_structure(session, "harbour-07.txt"),
        get_page_tables(session, "harbour-07.txt", 1),
        check_claims(session, [{"text": "x", "quotes": ["Captain Name7son"]}], "harbour-07.txt"),
        remove_document(Reader(thirty, ids(thirty, 3), management=True), ["harbour-07.txt"]),
    ]
    for reply in replies:
        shown = str({key: value for key, value in reply.items() if key not in ("query", "error", "results")})
        assert "harbour-07" not in shown and "Turin7" not in shown and ids(thirty, 7)[0] not in shown
    assert {hit["doc_name"] for hit in replies[0]["hits"]} == {"harbour-03.txt", "harbour-04.txt"}
    assert replies[1]["total"] == 2
    assert thirty.resolve("harbour-07.txt")


def test_a_name_outside_the_scope_is_answered_as_one_that_does_not_exist(thirty: MemoryLibrary) -> None:
    session = Reader(thirty, ids(thirty, 3))
    outside, nowhere = get_document(session, "harbour-07.txt"), get_document(session, "harbour-77.txt")
    assert outside["errorCode"] == nowhere["errorCode"] == "NOT_ALLOWED"
    assert outside["near"] == nowhere["near"] == ["harbour-03.txt"]


def test_an_empty_scope_holds_nothing(thirty: MemoryLibrary) -> None:
    session = Reader(thirty, [])
    assert browse_documents(session)["total"] == 0
    assert search_documents(session, "harbour")["hits"] == []


def test_the_only_document_in_scope_need_not_be_named(thirty: MemoryLibrary) -> None:
    assert get_document(Reader(thirty, ids(thirty, 5)))["name"] == "harbour-05.txt"
    assert get_document(Reader(thirty))["errorCode"] == "DOCUMENT_NEEDED"


def test_an_unknown_name_comes_back_with_near_ones(thirty: MemoryLibrary) -> None:
    reply = get_document(Reader(thirty), "harbor-07.txt")
    assert reply["errorCode"] == "NOT_FOUND" and "harbour-07.txt" in reply["near"]


def test_two_documents_of_one_name_are_told_apart_by_id() -> None:
    library = MemoryLibrary()
    first = add(library, "same.txt", ["# One\nalpha"])
    second = library.add(replace(addition("same.txt", ["# Two\nbeta"]), source_path="/else/same.txt")).record
    session = Reader(library)
    assert get_document(session, "same.txt")["errorCode"] == "AMBIGUOUS"
    assert get_page_content(session, first.doc_id, pages="1")["doc_name"] == first.doc_id
    scoped = Reader(library, [second.doc_id])
    assert "beta" in get_page_content(scoped, "same.txt", pages="1")["content"][0]["text"]


# ---------------------------------------------------------------- listing and search


def test_listing_is_paged_and_its_continuation_ends(thirty: MemoryLibrary) -> None:
    session = Reader(thirty)
    reply = browse_documents(session, limit=12)
    names = [document["name"] for document in reply["documents"]]
    while reply["has_more"]:
        step = reply["next_steps"]["options"][0]
        reply = call_tool(session, step["tool"], step["arguments"])
        names += [document["name"] for document in reply["documents"]]
    assert names == [f"harbour-{number:02}.txt" for number in reversed(range(30))]


def test_search_compares_metadata_and_goes_on_with_a_cursor(thirty: MemoryLibrary) -> None:
    session = Reader(thirty)
    reply = search_documents(session, "harbour master", where={"year": {"gte": 2028}})
    assert {hit["doc_name"] for hit in reply["hits"]} == {"harbour-28.txt", "harbour-29.txt"}
    first = search_documents(session, "harbour")
    step = next(o for o in first["next_steps"]["options"] if isinstance(o, dict) and "cursor" in o["arguments"])
    second = call_tool(session, step["tool"], step["arguments"])
    pages = [{(hit["doc_id"], hit["page"]) for hit in reply["hits"]} for reply in (first, second)]
    assert pages[0] and pages[1] and not pages[0] & pages[1]
    assert call_tool(session, "search_documents", {**step["arguments"], "query": "ships"})["errorCode"] == (
        "CURSOR_QUERY_MISMATCH"
    )


def test_a_search_names_the_pages_that_could_not_be_searched() -> None:
    library, _ = report_library()
    reply = search_documents(Reader(library), "revenue", doc_name="acme.txt")
    assert reply["pages_scanned"] == 5 and reply["pages_without_text"] == {"acme.txt": "5"}
    assert reply["hits"][0]["label"] == "1" and reply["hits"][0]["section"] == "Results"
    nothing = search_documents(Reader(library), "zeppelin")
    assert nothing["hits"] == [] and nothing["next_steps"]["options"]


def test_folders_are_listed_and_opened() -> None:
    library = MemoryLibrary()
    folder = library.create_folder("audit")
    add(library, "in.txt", ["# In\nx"], folder_id=folder.folder_id)
    add(library, "out.txt", ["# Out\ny"])
    session = Reader(library)
    top = browse_documents(session)
    assert [d["name"] for d in top["documents"]] == ["out.txt"] and top["folders"][0]["name"] == "audit"
    inner = browse_documents(session, folder_id=folder.folder_id)
    assert [d["name"] for d in inner["documents"]] == ["in.txt"]
    assert browse_documents(session, recursive=True)["total"] == 2
    ranked = [browse_documents(session, query="x y", recursive=flag)["documents"] for flag in (False, True)]
    assert [sorted(d["name"] for d in found) for found in ranked] == [["out.txt"], ["in.txt", "out.txt"]]
    inside = browse_documents(session, query="x y", folder_id=folder.folder_id)
    assert [d["name"] for d in inside["documents"]] == ["in.txt"]
    assert browse_documents(session, folder_id="nowhere")["errorCode"] == "NOT_FOUND"


# ---------------------------------------------------------------- what counts as seen


def test_snippets_do_not_count_as_read_and_pages_do() -> None:
    library, record = report_library()
    session = Reader(library)
    search_documents(session, "revenue", doc_name="acme.txt")
    ledger = session.ledger(record.edition.id)
    assert ledger.pages(Exposure.SNIPPET) == [3] and ledger.pages(Exposure.SCANNED) == [1, 2, 3, 4, 6]
    assert ledger.pages(Exposure.DELIVERED) == []
    assert get_document(session)["coverage"]["read"] == ""
    get_page_content(session, pages="3")
    assert get_document(session)["coverage"] == {
        "pages": 6,
        "read": "3",
        "partly": "",
        "unreadable": {"image_only": "5"},
    }


def test_a_part_of_a_page_is_read_in_part() -> None:
    library, _ = report_library()
    session = Reader(library)
    get_page_content(session, node_id="0004")
    assert get_document(session)["coverage"]["partly"] == "3"


def test_a_result_that_was_dropped_was_not_delivered() -> None:
    library, record = report_library()
    asked = itertools.count()
    session = Reader(library, cancelled=lambda: next(asked) >= 2)
    assert get_page_content(session, pages="1-4")["errorCode"] == "CANCELLED"
    assert session.ledger(record.edition.id).pages(Exposure.DELIVERED) == []
    assert session.receipts() == ()


def test_sent_follows_delivered_only_when_the_request_starts() -> None:
    library, record = report_library()
    session = Reader(library)
    get_page_content(session, pages="2")
    ledger = session.ledger(record.edition.id)
    receipts = session.receipts()
    assert len(receipts) == 1 and ledger.pages(Exposure.SENT) == []
    session.sent(receipts)
    assert ledger.pages(Exposure.SENT) == [2] and session.receipts() == ()


def test_a_quote_that_was_never_delivered_is_unread_and_read_after_reading() -> None:
    library, _ = report_library()
    session = Reader(library)
    claim = {"text": "Acme makes anvils.", "quotes": ["Acme Corporation makes anvils and rockets for the mining trade"]}
    reply = check_claims(session, [claim])
    assert reply["claims"][0]["quotes"][0]["status"] == "unread"
    step = reply["next_steps"]["options"][0]
    call_tool(session, step["tool"], step["arguments"])
    assert check_claims(session, [claim])["verdict"] == "PASS"


def test_a_right_quote_on_the_wrong_page_is_told_where_it_is() -> None:
    library, _ = report_library()
    session = Reader(library)
    get_page_content(session, pages="1-4")
    quote = {"text": "The cost of sales was 2,871 million dollars, mostly iron", "page": 2}
    reply = check_claims(session, [{"text": "Costs were 2,871 million.", "quotes": [quote]}])
    assert reply["verdict"] == "FAIL" and reply["claims"][0]["quotes"][0]["found_pages"] == [3]
    assert reply["next_steps"]["options"][0]["arguments"]["pages"] == "3"


def test_a_session_can_be_kept_and_gone_on_with() -> None:
    library, record = report_library()
    session = Reader(library)
    get_page_content(session, pages="1")
    later = Reader(library)
    later.restore(session.to_json())
    assert later.was_delivered(record.edition.id, 1, 0, 20) and later.spent == session.spent


# ---------------------------------------------------------------- budgets, time


def test_a_conversation_budget_is_kept_and_its_end_is_an_error_with_a_next_step() -> None:
    library = MemoryLibrary()
    add(library, "long.txt", [f"# Part {n}\n" + "some words of the part " * 80 for n in range(40)])
    session = Reader(library, reply_tokens=2_000, conversation_tokens=5_000)
    reply = get_page_content(session, pages="1-40")
    while reply.get("success") and reply["omitted"]:
        step = reply["next_steps"]["options"][0]
        reply = call_tool(session, step["tool"], step["arguments"])
    assert reply["errorCode"] == "BUDGET_EXHAUSTED"
    assert 4_000 < session.spent <= 5_200


def test_a_budget_over_the_cap_is_capped_and_one_too_small_refused() -> None:
    library, _ = report_library()
    assert Reader(library, reply_tokens=1_000_000).reply_tokens == 24_000
    with pytest.raises(SettingsError):
        Reader(library, reply_tokens=10)


def test_a_call_past_its_deadline_says_so() -> None:
    library, _ = report_library()
    reply = get_page_content(Reader(library, seconds=0.0), pages="1")
    assert reply["errorCode"] == "DEADLINE"


def test_threads_share_a_session() -> None:
    library, record = report_library()
    session = Reader(library)
    replies: list[dict[str, Any]] = []
    threads = [
        threading.Thread(target=lambda page=page: replies.append(get_page_content(session, pages=page)))
        for page in (1, 2, 3, 4, 6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(reply["success"] for reply in replies)
    assert session.ledger(record.edition.id).pages(Exposure.DELIVERED) == [1, 2, 3, 4, 6]


# ---------------------------------------------------------------- calls by name


@pytest.mark.parametrize(
    ("name", "arguments", "code", "words"),
    [
        ("get_page_contents", {"pages": "1"}, "UNKNOWN_TOOL", "get_page_content"),
        ("zzz", {}, "UNKNOWN_TOOL", "browse_documents"),
        ("get_page_content", {"page": "2"}, "INVALID_ARGUMENT", "pages"),
        ("get_page_content", {"pages": ["1"]}, "INVALID_ARGUMENT", "pages"),
        ("search_documents", {}, "INVALID_ARGUMENT", "query"),
        ("search_documents", {"query": "   "}, "EMPTY_QUERY", ""),
        ("get_document_structure", {"part": "two"}, "INVALID_ARGUMENT", "part"),
        ("browse_documents", {"sort": "size"}, "INVALID_ARGUMENT", "relevance"),
        ("get_page_tables", {"page": 99}, "PAGE_OUT_OF_RANGE", "6"),
        ("get_page_tables", {"page": 0}, "PAGE_OUT_OF_RANGE", "6"),
        ("get_page_image", {"page": 1}, "VISION_UNAVAILABLE", ""),
        ("remove_document", {"doc_names": ["acme.txt"]}, "NOT_ALLOWED", ""),
        ("check_claims", {"claims": [{"text": "x", "quots": []}]}, "INVALID_CLAIMS", ""),
        ("check_claims", {"claims": ["x"]}, "INVALID_ARGUMENT", "claims"),
        ("get_page_content", {"pages": "1", "node_id": "0001"}, "INVALID_INPUT", "one of them"),
    ],
)
def test_wrong_calls_are_answered_with_an_error_and_a_call_that_differs(
    name: str, arguments: dict[str, Any], code: str, words: str
) -> None:
    library, _ = report_library()
    session = Reader(library)
    reply = call_tool(session, name, arguments)
    assert reply["errorCode"] == code, reply
    assert words in str(reply)
    for step in reply["next_steps"]["options"]:
        if isinstance(step, dict):
            assert (step["tool"], step["arguments"]) != (name, arguments)
            answer = call_tool(session, step["tool"], step["arguments"])
            assert answer.get("success") or answer["errorCode"] != code, answer


@pytest.mark.parametrize("value", [2, 2.0, "2", "2.0"])
def test_whole_numbers_are_taken_in_every_spelling(value: object) -> None:
    library, _ = report_library()
    assert call_tool(Reader(library), "get_page_tables", {"page": value})["page"] == 2


def test_schemas_are_closed_and_hide_what_cannot_be_used() -> None:
    library, _ = report_library()
    names = [schema["function"]["name"] for schema in tool_schemas(Reader(library))]
    assert names == [
        "browse_documents",
        "search_documents",
        "get_document",
        "get_document_structure",
        "get_page_content",
        "get_page_tables",
        "check_claims",
    ]
    everything = Reader(library, vision=True, management=True)
    more = {schema["function"]["name"] for schema in tool_schemas(everything)} - set(names)
    assert more == {"get_page_image", "remove_document"}
    for schema in tool_schemas(everything):
        parameters = schema["function"]["parameters"]
        assert parameters["additionalProperties"] is False
        assert set(parameters["required"]) <= set(parameters["properties"])
    assert cost(tool_schemas(Reader(library))) < 1_600


def test_management_removes_by_name_and_reports_each() -> None:
    library, _ = report_library()
    reply = remove_document(Reader(library, management=True), ["acme.txt", "other.txt"])
    assert [result["removed"] for result in reply["results"]] == [True, False]
    assert library.list().total == 0


def test_a_picture_is_given_where_there_is_a_renderer_and_counts_as_viewed_when_sent() -> None:
    library = MemoryLibrary()
    record = add(library, "a.pdf", [Sheet("", PageState.IMAGE_ONLY)], media_type="application/pdf", source=b"%PDF-1.4")
    drawn = Drawn(b"\x89PNG")
    session = Reader(library, vision=True, pages=drawn)
    reply = get_page_image(session, page=1)
    assert reply["image"] == {"media_type": "image/png", "data": "iVBORw=="} and drawn.asked == [1]
    ledger = session.ledger(record.edition.id)
    assert ledger.pages(Exposure.VIEWED) == []
    session.sent(session.receipts())
    assert ledger.pages(Exposure.VIEWED) == [1]
    library.close()  # it has written the source to a temporary folder


def test_no_output_is_without_its_page() -> None:
    library, _ = report_library()
    session = Reader(library)
    content = [
        item
        for arguments in ({"pages": "1-6"}, {"node_id": "0003"}, {})
        for item in call_tool(session, "get_page_content", arguments)["content"]
    ]
    assert content and all(1 <= item["page"] <= 6 for item in content)
    assert all(hit["page"] for hit in search_documents(session, "iron rockets company")["hits"])
    nodes = get_document_structure(session)["structure"]
    assert all(1 <= node["start_index"] <= node["end_index"] <= 6 for node in nodes)
    assert get_page_tables(session, page=3)["page"] == 3


def test_tables_are_rebuilt_as_grids_that_say_they_are_no_quotes() -> None:
    rows = [
        ("", "2022", "2021"),
        ("Revenue", "4,512", "4,130"),
        ("Costs", "2,871", "2,650"),
        ("Profit", "1,641", "1,480"),
    ]
    printed: list[Printed | str] = ["Key figures of the company", "The table shows what was earned."]
    for label, *values in rows:
        cells = [Printed(label, x=72)] if label else []
        cells += [Printed(value, x=x, same_row=bool(cells) or i > 0) for i, (value, x) in enumerate(zip(values, (300, 400), strict=True))]  # fmt: skip
        printed += cells
    made = lines_edition(printed)
    edition = replace(
        made, source=replace(made.source, sha256=hashlib.sha256(b"figures").hexdigest(), media_type="text/plain")
    )
    library = MemoryLibrary()
    add(library, "figures.txt", [], edition=edition, source=b"figures")
    reply = get_page_tables(Reader(library), page=1)
    grid = reply["tables"][0]
    assert "| Revenue | 4,512 | 4,130 |" in grid["markdown"] and (grid["rows"], grid["columns"]) == (3, 2)
    assert reply["quotable"] is False and reply["omitted"] == 0
    words = resolve(grid["handle"], [edition]).text
    assert words.startswith("4,512") and words.rstrip().endswith("1,480")
    claim = {"text": "Revenue was 4,130.", "quotes": ["Revenue"], "numbers": [{"as_printed": "4,130", "row": "Revenue", "column": "2022"}]}  # fmt: skip
    session = Reader(library)
    get_page_content(session, pages="1")
    assert check_claims(session, [claim])["claims"][0]["numbers"][0]["status"] == "wrong_column"
