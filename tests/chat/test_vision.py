"""Models that see: which pictures are sent, what counts as seen, and what an answer may rest on one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pageindex.chat import ChatOptions, EventType, Finish, chat, open_session
from pageindex.chat.run import answer
from pageindex.document import DocumentRecord, PageState
from pageindex.evidence.ledger import Exposure
from pageindex.evidence.status import Verdict
from pageindex.store.memory import MemoryLibrary
from pageindex.tools import Reader
from tests.support.chat_library import Sheet, add
from tests.support.chat_server import asking, calls, read, serving
from tests.support.model_server import Answer, Asked
from tests.support.pages import Drawn

PNG = b"\x89PNG" + bytes(3_000)
LOOK = calls(("get_page_image", {"page": "1"}))
NO_REPAIR = ChatOptions(repairs=0)


def scanned() -> tuple[MemoryLibrary, DocumentRecord, Reader]:
    """A document whose first page is a picture, and a session that may look at it."""
    library = MemoryLibrary()
    sheets = [Sheet("", PageState.IMAGE_ONLY), "# Notes\nRevenue rose to 4,512 million dollars in the fiscal year."]
    record = add(library, "scan.pdf", sheets, media_type="application/pdf", source=b"%PDF-1.4")
    return library, record, open_session(library, vision=True, pages=Drawn(PNG))


def pictures(asked: Asked) -> list[dict[str, Any]]:
    parts = [part for message in asked.messages if isinstance(message["content"], list) for part in message["content"]]
    return [part for part in parts if part["type"] == "image_url"]


def test_a_figure_read_off_a_picture_is_shown_with_its_place_and_never_certified() -> None:
    _, record, session = scanned()
    with serving([LOOK, "The picture shows 12 anvils [scan.pdf, p. 1]."]) as (model, server):
        found = answer(session, asking("How many anvils?"), model, NO_REPAIR)
    assert len(pictures(server.asked[1])) == 1
    place = server.asked[1].messages[-1]["content"][0]["text"]
    assert place.startswith(f"=== picture of page 1 of {record.doc_id} as read in {record.edition.id[:6]}, scan.pdf")
    citation, number = found.report.of("citation")[0], found.report.of("number")[0]
    assert (citation.status, citation.page, citation.evidence[0].lane) == ("seen", 1, "image")
    assert (number.status, number.weight.name) == ("image_only", "REVIEW")
    assert found.verdict is Verdict.NEEDS_REVIEW
    assert "scan.pdf, p. 1, Notes: picture · seen by the model" in found.text.replace("Front matter", "Notes")
    assert citation.to_json()["pictures"] == [1] and citation.to_json()["handles"] == []


def test_text_beside_a_picture_still_speaks_for_itself_and_against_an_answer() -> None:
    _, _, session = scanned()
    right = "Revenue rose to 4,512 million dollars in the fiscal year [scan.pdf, p. 2]."
    wrong = "Revenue rose to 4,512 billion dollars in the fiscal year [scan.pdf, pp. 1-2]."
    with serving([calls(("get_page_image", {"page": "1"}), ("get_page_content", {"pages": "2"})), right]) as (model, _):
        assert answer(session, asking(), model, NO_REPAIR).verdict is Verdict.PARTIAL
    _, _, session = scanned()
    with serving([calls(("get_page_image", {"page": "1"}), ("get_page_content", {"pages": "2"})), wrong]) as (model, _):
        assert answer(session, asking(), model, NO_REPAIR).verdict is not Verdict.PASS


def test_a_picture_that_was_drawn_and_never_sent_was_not_seen() -> None:
    _, record, session = scanned()
    with serving([Answer(tool_calls=(*LOOK.tool_calls, *read("2").tool_calls)), Answer(status=401, error="no")]) as (
        model,
        _,
    ):
        found = answer(session, asking(), model, NO_REPAIR)
    assert found.finish is Finish.FAILED
    assert not session.ledger(record.edition.id).pages(Exposure.VIEWED), "a key that was refused shows nobody anything"


@pytest.mark.parametrize("failure", [Answer(status=500), Answer(cut=0)])
def test_the_record_of_what_was_sent_outlives_a_failure(failure: Answer) -> None:
    _, record, session = scanned()
    with serving([LOOK, failure], repeat=True) as (model, _):
        found = answer(session, asking(), model, NO_REPAIR)
    assert found.finish is Finish.FAILED and session.ledger(record.edition.id).pages(Exposure.VIEWED) == [1]
    assert "pictures of 1 page seen (1)" in found.text
    again = Reader(session.library)
    again.restore(session.to_json())
    assert again.ledger(record.edition.id).pages(Exposure.VIEWED) == [1]


def test_a_dead_address_saw_nothing() -> None:
    _, record, session = scanned()
    with serving([Answer(tool_calls=LOOK.tool_calls, headers={"Connection": "close"})]) as (model, server):
        stop = lambda event: server.__exit__(None, None, None) if event.type is EventType.TOOL_RESULT else None  # noqa: E731
        found = answer(session, asking(), model, NO_REPAIR, on_event=stop)
    assert found.finish is Finish.FAILED and found.error and found.error["code"] == "MODEL_UNAVAILABLE"
    assert not session.ledger(record.edition.id).pages(Exposure.VIEWED)


@pytest.mark.parametrize("change", ["removed", "replaced", "out of scope"])
def test_a_picture_of_a_document_that_is_gone_meanwhile_is_not_sent(change: str) -> None:
    library, record, session = scanned()
    add(library, "other.txt", ["# Other\nNothing."])
    session.scope = (record.doc_id,)

    def step(asked: Asked) -> Answer | str:
        if asked.number == 0:
            return LOOK
        if change == "removed" and asked.number == 1:
            library.remove(record.doc_id)
        elif change == "replaced" and asked.number == 1:
            add(library, "scan.pdf", ["# New\ntext"], media_type="application/pdf", source=b"%PDF-1.5")
        elif asked.number == 1:
            session.scope = ()
        return calls(("search_documents", {"query": "revenue"})) if asked.number == 1 else "I saw it."

    with serving(step) as (model, server):
        answer(session, asking(), model, NO_REPAIR)
    assert [len(pictures(asked)) for asked in server.asked[:3]] == [0, 1, 0]
    assert "is not shown" in server.asked[2].messages[-3]["content"][1]["text"]


def test_a_follow_up_sends_the_pictures_of_its_history_only_while_they_may_be_seen() -> None:
    library, record, session = scanned()
    with serving([LOOK, "It shows anvils [scan.pdf, p. 1].", "It still does [scan.pdf, p. 1].", "And now?"]) as (
        model,
        server,
    ):
        first = answer(session, asking(), model, NO_REPAIR)
        history = [*asking(), *first.turns, *asking("Still?")]
        fresh = open_session(library, vision=True, pages=Drawn(PNG))
        second = answer(fresh, history, model, NO_REPAIR)
        elsewhere = open_session(library, vision=True, pages=Drawn(PNG))
        elsewhere.scope = ()
        answer(elsewhere, history, model, NO_REPAIR)
    assert len(pictures(server.asked[2])) == 1 and not pictures(server.asked[3])
    assert fresh.ledger(record.edition.id).pages(Exposure.VIEWED) == [1]
    assert second.report.of("citation")[0].status == "seen" and not elsewhere.ledgers


def test_without_vision_no_picture_is_offered_or_given() -> None:
    library, _, _ = scanned()
    with serving([LOOK, "I cannot see."]) as (model, server):
        answer(open_session(library, pages=Drawn(PNG)), asking(), model, NO_REPAIR)
    assert not pictures(server.asked[1]) and "VISION_UNAVAILABLE" in server.asked[1].prompt
    assert "get_page_image" not in str(server.asked[0].body["tools"])


def test_the_documentation_shows_what_is_printed() -> None:
    _, _, session = scanned()
    with serving([LOOK, "In 2022 12 anvils were sold [scan.pdf, p. 1]."]) as (model, _):
        found = answer(session, asking("How many anvils were sold in 2022?"), model, NO_REPAIR)
    page = (Path(__file__).parents[2] / "docs" / "vision.md").read_text(encoding="utf-8")
    assert found.text in page


@pytest.mark.parametrize("protocol", ["chat_completions", "responses", "messages"])
def test_a_conversation_of_any_protocol_goes_on_with_its_pictures(protocol: str) -> None:
    library, record, session = scanned()
    with serving([LOOK, "It shows anvils [scan.pdf, p. 1].", "It still does [scan.pdf, p. 1]."]) as (model, server):
        first = chat(session, asking(), model, protocol=protocol, options=NO_REPAIR)
        assert isinstance(first, dict)
        fresh = open_session(library, vision=True, pages=Drawn(PNG))
        chat(fresh, [*asking(), *first["turns"], *asking("Still?")], model, protocol=protocol, options=NO_REPAIR)
    assert len(pictures(server.asked[2])) == 1 and pictures(server.asked[2]) == pictures(server.asked[1])
    assert fresh.ledger(record.edition.id).pages(Exposure.VIEWED) == [1]


def test_a_user_may_ask_about_a_picture_of_his_own() -> None:
    _, _, session = scanned()
    mine = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
    asked = [{"role": "user", "content": [{"type": "text", "text": "Is this the revenue of 4,512 million?"}, mine]}]
    with serving(["Yes, 4,512 million."]) as (model, server):
        found = answer(session, asked, model, NO_REPAIR)
    assert pictures(server.asked[0]) == [mine]
    assert not found.report.of("number"), "the user's own number is no invention"
