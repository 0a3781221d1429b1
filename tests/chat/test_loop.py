"""The loop through real LiteLLM and HTTP: tool calls, wrong calls, endless calls, cancelling, budgets, history."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from typing import Any

import pytest

from pageindex.chat import ChatOptions, EventType, Finish, achat, chat, chat_stream, open_session
from pageindex.chat.messages_protocol import anthropic_turns
from pageindex.chat.run import answer
from pageindex.config import AnswerMode, ToolMode
from pageindex.document import PageState
from pageindex.errors import CredentialError, InputError
from pageindex.evidence.ledger import Exposure
from pageindex.llm import Cancellation
from pageindex.store.memory import MemoryLibrary
from tests.support.chat_library import Sheet, add, report_library
from tests.support.chat_server import GOOD, QUESTION, QUICK, asking, calls, read, serving, tool_texts
from tests.support.model_server import Answer, Asked
from tests.support.pages import Drawn


def test_an_answer_is_read_quoted_checked_and_given_with_its_place() -> None:
    library, record = report_library()
    session = open_session(library)
    with serving([calls(("get_document_structure", {})), read("3"), f"It was 4,512 million: {GOOD}."]) as (
        model,
        server,
    ):
        found = answer(session, asking(), model)
    assert found.finish is Finish.ANSWERED and found.report.verdict == "PASS"
    quote = found.report.of("quote")[0]
    assert (quote.status, quote.page, quote.label, quote.section) == ("exact", 3, "1", "Results")
    assert str(quote.evidence[0].handle) in found.text and "p. 3 (printed 1)" in found.text
    assert found.coverage == ["acme.txt: 1 of 6 pages read (3); image_only: 5"]
    assert found.usage.calls == 3 and found.usage.prompt_tokens > 0
    assert session.ledger(record.edition.id).pages(Exposure.CITED) == [3]
    assert server.asked[0].body["tools"][0]["function"]["name"] == "search_documents"


def test_each_page_text_reaches_the_model_under_a_mark_of_its_own_page() -> None:
    library, record = report_library()
    with serving([read("1-6"), "Fine."]) as (model, server):
        answer(open_session(library), asking(), model, ChatOptions(repairs=0))
    text = tool_texts(server.asked[1])[0]
    edition = library.edition(record.doc_id)
    for page in edition.pages:
        mark = f"=== acme.txt · page {page.number} (printed {page.label})"
        assert text.count(mark) == 1
        after = text.split(mark)[1].split("=== acme.txt")[0]
        for line in page.text.split("\r\n"):
            assert line in after and (
                not line or line.startswith("#") or re.search(rf"^\[\d+\] {re.escape(line)}$", after, re.M)
            )


def test_parallel_calls_are_all_answered_in_order() -> None:
    library, _ = report_library()
    both = calls(("get_page_content", {"pages": "3"}), ("get_page_content", {"node_id": "0006"}))
    with serving([both, f"{GOOD}"]) as (model, server):
        found = answer(open_session(library), asking(), model)
    tools = [message for message in server.asked[1].messages if message["role"] == "tool"]
    assert [tool["tool_call_id"] for tool in tools] == ["call_0_get_page_content", "call_1_get_page_content"]
    assert "page 3" in tools[0]["content"] and "page 6" in tools[1]["content"]
    assert found.rounds == 1


def test_wrong_tools_and_arguments_come_back_as_errors_that_help() -> None:
    library, _ = report_library()
    wrong = calls(
        ("get_pages", {"pages": "3"}),
        ("get_page_content", {"page": "3"}),
        ("get_page_content", '{"pages": "3"'),
        ("get_page_content", {"pages": "999"}),
    )
    with serving([wrong, read("3"), GOOD]) as (model, server):
        found = answer(open_session(library), asking(), model)
    texts = [json.loads(text) for text in tool_texts(server.asked[1])]
    assert [text["errorCode"] for text in texts] == [
        "UNKNOWN_TOOL",
        "INVALID_ARGUMENT",
        "INVALID_ARGUMENT",
        "PAGE_OUT_OF_RANGE",
    ]
    assert texts[0]["next_steps"]["options"][0]["tool"] == "get_page_content"
    assert texts[1]["next_steps"]["options"][0]["arguments"] == {"pages": "3"}
    assert found.report.verdict == "PASS"


def test_a_model_that_never_stops_calling_gives_a_partial_answer() -> None:
    library, _ = report_library()
    with serving([read("3")], repeat=True) as (model, server):
        found = answer(open_session(library), asking(), model, QUICK)
    assert server.calls == 5  # four rounds of reading, and one reply that was to be the answer
    assert server.asked[-1].body["tool_choice"] == "none"
    assert found.finish is Finish.MAX_TURNS and found.rounds == 4
    assert "1 of 6 pages read (3)" in found.text and "No answer was reached" in found.text


def test_the_last_round_asks_for_the_answer_and_takes_it() -> None:
    library, _ = report_library()

    def step(asked: Asked) -> str | Answer:
        return GOOD if asked.body.get("tool_choice") == "none" else read("3")

    with serving(step) as (model, server):
        found = answer(open_session(library), asking(), model, QUICK)
    assert "You have used all 4 rounds" in server.asked[-1].prompt
    assert found.finish is Finish.MAX_TURNS and found.report.verdict == "PASS" and GOOD[:20] in found.body


def test_what_was_read_once_is_not_sent_twice() -> None:
    library, _ = report_library()
    with serving([read("3"), read("3"), calls(("get_page_content", {"node_id": "0004"})), GOOD]) as (model, server):
        answer(open_session(library), asking(), model)
    last = server.asked[-1].prompt
    assert last.count("mostly iron and gunpowder") == 1
    assert last.count("stands earlier in the conversation") == 2


def test_a_follow_up_remembers_what_the_history_holds() -> None:
    library, record = report_library()
    with serving([read("3"), GOOD, GOOD, read("3"), GOOD]) as (model, server):
        first = answer(open_session(library), asking(), model)
        history = [*asking(), *first.turns, {"role": "user", "content": "Say it again."}]
        session = open_session(library)
        second = answer(session, history, model)
        third = answer(open_session(library), history, model)
    assert session.ledger(record.edition.id).was_delivered(3, 0, 100)
    assert second.report.verdict == "PASS" and second.rounds == 0
    assert server.asked[-1].prompt.count("mostly iron and gunpowder") == 1 and third.rounds == 1
    # The conversation is appended to, never rewritten: a provider's prompt cache holds.
    sent = [message for message in server.asked[1].messages if message["role"] != "system"]
    later = [message for message in server.asked[2].messages if message["role"] != "system"]
    assert later[: len(sent)] == sent


def test_a_forged_or_outdated_handle_in_the_history_does_not_count_as_read() -> None:
    library, record = report_library()
    with serving([read("3"), GOOD]) as (model, _):
        turns = list(answer(open_session(library), asking(), model).turns)
    forged = [dict(turn) for turn in turns]
    forged[1]["content"] = str(forged[1]["content"]).replace(".p3.", ".p4.")
    session = open_session(library)
    with serving([GOOD], repeat=True) as (model, _):
        found = answer(session, [*asking(), *forged, *asking()], model, ChatOptions(repairs=0))
    assert found.report.of("quote")[0].status == "unread"
    assert not session.ledger(record.edition.id).pages(Exposure.DELIVERED)


def test_a_conversation_keeps_its_token_budget() -> None:
    library = MemoryLibrary()
    add(library, "long.txt", [f"# Part {n}\n" + f"some words of part {n} " * 150 for n in range(1, 60)])

    def step(asked: Asked) -> str | Answer:
        if asked.body.get("tool_choice") == "none":
            return "That is all I read."
        return read(str(asked.number + 1))

    options = ChatOptions(max_turns=50, conversation_tokens=8_000, answer_tokens=1_000, repairs=0)
    with serving(step) as (model, server):
        found = answer(open_session(library), asking(), model, options)
    from pageindex.text.tokens import count_tokens

    assert found.finish is Finish.BUDGET and 2 <= found.rounds < 20
    for asked in server.asked:
        assert count_tokens(json.dumps([asked.messages, asked.body["tools"]], ensure_ascii=False)) <= 8_000


def test_a_history_longer_than_the_budget_is_refused_before_any_call() -> None:
    library, _ = report_library()
    with serving(["never"]) as (model, server), pytest.raises(InputError, match="tokens for reading"):
        answer(open_session(library), asking("word " * 9_000), model, ChatOptions(conversation_tokens=8_000))
    assert server.calls == 0


@pytest.mark.parametrize("messages", [[], [{"role": "assistant", "content": "hi"}], 5, [5], [{"content": "x"}]])
def test_what_is_no_conversation_is_refused(messages: Any) -> None:
    library, _ = report_library()
    with serving(["never"]) as (model, server), pytest.raises(InputError):
        chat(open_session(library), messages, model)
    assert server.calls == 0


def test_a_refused_key_is_an_error_at_once_and_a_later_failure_keeps_what_was_read() -> None:
    library, _ = report_library()
    with serving([Answer(status=401, error="bad key")]) as (model, _), pytest.raises(CredentialError):
        answer(open_session(library), asking(), model)
    with serving([read("3"), Answer(status=503)], repeat=True) as (model, _):
        found = answer(open_session(library), asking(), model)
    assert found.finish is Finish.FAILED and found.error and found.error["code"] == "MODEL_UNAVAILABLE"
    assert "1 of 6 pages read (3)" in found.text


def test_thinking_is_an_event_and_never_part_of_the_answer() -> None:
    library, _ = report_library()
    events = []
    script = [Answer("<think>page 3 maybe</think>", tool_calls=read("3").tool_calls), Answer(f"<think>so</think>{GOOD}", thinking="hm")]  # fmt: skip
    with serving(script) as (model, _):
        found = answer(open_session(library), asking(), model, on_event=events.append)
    assert "think" not in found.text and found.report.verdict == "PASS"
    assert [event.text for event in events if event.type is EventType.THINKING] == ["page 3 maybe", "hm"]


def test_an_empty_reply_is_asked_for_once_more() -> None:
    library, _ = report_library()
    with serving([read("3"), "", GOOD]) as (model, server):
        found = answer(open_session(library), asking(), model)
    assert found.report.verdict == "PASS" and "Your reply was empty" in server.asked[-1].prompt
    with serving([""], repeat=True) as (model, server):
        nothing = answer(open_session(library), asking(), model)
    assert server.calls == 2 and "the model gave no answer" in nothing.text


# ---------------------------------------------------------------- models without tool calls


def test_a_provider_that_refuses_tools_is_asked_in_json_from_then_on() -> None:
    library, _ = report_library()
    replies = iter(['{"tool": "get_page_content", "arguments": {"pages": "3"}}', json.dumps({"tool": "answer", "arguments": {"text": GOOD}})])  # fmt: skip

    def step(asked: Asked) -> str | Answer:
        if "tools" in asked.body:
            return Answer(status=400, error="this model does not support tools")
        return next(replies)

    with serving(step) as (model, server):
        found = answer(open_session(library), asking(), model, ChatOptions(form=AnswerMode.LOOP))
    assert found.body == GOOD and found.report.verdict == "PASS"
    shapes = [asked.body["response_format"]["json_schema"]["schema"]["anyOf"] for asked in server.asked[1:]]
    ways = [{(shape["properties"]["tool"]["const"], *shape["properties"]["arguments"]["required"]) for shape in s} for s in shapes]  # fmt: skip
    assert ("get_page_content", "pages") in ways[0] and ("search_documents", "query") in ways[0]
    assert ("answer", "text") not in ways[0] and ("answer", "text") in ways[
        1
    ]  # nothing was read before the first reply
    assert "get_page_content(" in server.asked[1].messages[0]["content"]
    assert "Result of get_page_content" in server.asked[2].messages[-1]["content"]


def test_a_refused_schema_falls_back_to_plain_text_with_prose_round_the_json() -> None:
    library, _ = report_library()
    replies = iter(['Sure! ```json\n{"tool": "get_page_content", "arguments": {"pages": 3}}\n```', f"It says: {GOOD}"])

    def step(asked: Asked) -> str | Answer:
        if "response_format" in asked.body:
            return Answer(status=400, error="response_format is not supported")
        return next(replies)

    with serving(step) as (model, _):
        found = answer(open_session(library), asking(), model, ChatOptions(mode=ToolMode.JSON))
    assert found.rounds == 1 and found.report.verdict == "PASS"


def test_a_model_that_writes_its_call_into_its_text_is_understood() -> None:
    library, _ = report_library()
    with serving(['{"name": "get_page_content", "arguments": {"pages": "3"}}', GOOD]) as (model, _):
        found = answer(open_session(library), asking(), model)
    assert found.rounds == 1 and found.report.verdict == "PASS"


# ---------------------------------------------------------------- streams, coroutines, cancelling


def test_a_stream_tells_every_step_and_gives_the_checked_text() -> None:
    library, _ = report_library()
    with serving([read("3"), Answer(f"It was {GOOD}.", thinking="look at page 3")]) as (model, _):
        stream = chat_stream(open_session(library), QUESTION, model)
        events = list(stream.events)
        assert "".join(chat_stream_text(stream.answer.text)) == stream.answer.text
    kinds = [event.type for event in events]
    assert kinds.index(EventType.TOOL_CALL) < kinds.index(EventType.TOOL_RESULT) < kinds.index(EventType.CHECK)
    assert kinds[-1] is EventType.ANSWER
    assert "".join(event.text for event in events if event.type is EventType.DRAFT) == f"It was {GOOD}."
    assert events[-1].text == stream.answer.text


def chat_stream_text(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def test_iterating_a_stream_gives_the_answer_alone() -> None:
    library, _ = report_library()
    with serving([read("3"), f"It was {GOOD}."]) as (model, _):
        stream = chat_stream(open_session(library), QUESTION, model)
        assert "".join(stream) == stream.answer.text


def test_a_cut_stream_is_tried_again_and_the_draft_begins_anew() -> None:
    library, _ = report_library()
    with serving([read("3"), Answer(f"The report says: {GOOD}.", cut=2), f"The report says: {GOOD}."], retries=2) as (
        model,
        server,
    ):
        stream = chat_stream(open_session(library), QUESTION, model)
        drafts = [event for event in stream.events if event.type is EventType.DRAFT]
        found = stream.answer
    assert server.calls == 3 and found.report.verdict == "PASS"
    resets = [index for index, event in enumerate(drafts) if event.data.get("reset")]
    assert resets and "".join(event.text for event in drafts[resets[-1] :]) == found.body


def test_cancelling_ends_the_conversation_and_keeps_what_was_read() -> None:
    library, _ = report_library()
    cancel, hold = Cancellation(), threading.Event()
    with serving([read("3"), Answer("late", hold=hold)]) as (model, server):
        threading.Thread(target=lambda: (_wait_for(lambda: server.calls == 2), cancel.cancel()), daemon=True).start()
        began = time.monotonic()
        found = chat(open_session(library), QUESTION, model, cancel=cancel)
        took = time.monotonic() - began
        hold.set()
    assert not isinstance(found, dict)
    assert found.finish is Finish.CANCELLED and took < 20
    assert "1 of 6 pages read (3)" in found.text


def _wait_for(true: Any) -> bool:
    deadline = time.monotonic() + 30
    while not true() and time.monotonic() < deadline:
        time.sleep(0.01)
    return bool(true())


def test_sync_and_async_both_work_inside_a_running_event_loop() -> None:
    library, _ = report_library()

    async def both() -> tuple[Any, Any]:
        with serving([read("3"), GOOD, read("3"), GOOD]) as (model, _):
            plain = chat(open_session(library), QUESTION, model)
            return plain, await achat(open_session(library), QUESTION, model)

    plain, awaited = asyncio.run(both())
    assert plain.body == awaited.body == GOOD
    assert plain.report.verdict == awaited.report.verdict == "PASS"


def test_a_cancelled_task_cancels_the_call() -> None:
    library, _ = report_library()
    hold = threading.Event()

    async def cut_short() -> bool:
        with serving([Answer("late", hold=hold)]) as (model, server):
            task = asyncio.create_task(achat(open_session(library), QUESTION, model))
            while server.calls == 0:
                await asyncio.sleep(0.01)
            task.cancel()
            try:
                await task
            except asyncio.CancelledError:
                return True
            finally:
                hold.set()
        return False

    assert asyncio.run(cut_short())


def test_a_stream_can_be_followed_by_a_coroutine() -> None:
    library, _ = report_library()

    async def follow() -> str:
        with serving([read("3"), GOOD]) as (model, _):
            stream = chat_stream(open_session(library), QUESTION, model)
            return "".join([piece async for piece in stream])

    assert GOOD[:30] in asyncio.run(follow())


def test_a_model_with_eyes_gets_the_picture_and_it_counts_as_viewed() -> None:
    library = MemoryLibrary()
    record = add(library, "a.pdf", [Sheet("", PageState.IMAGE_ONLY)], media_type="application/pdf", source=b"%PDF-1.4")
    png = b"\x89PNG" + bytes(60_000)
    session = open_session(library, vision=True, pages=Drawn(png))
    with serving([calls(("get_page_image", {"page": 1})), "It shows an anvil [a.pdf, p. 1]."]) as (model, server):
        found = answer(session, asking(), model, ChatOptions(conversation_tokens=12_000))
    place, picture = server.asked[1].messages[-1]["content"]
    assert picture["image_url"]["url"].startswith("data:image/png;base64,iVBOR")
    assert "picture of page 1 of" in place["text"]
    assert len(str(server.asked[1].messages[-2]["content"])) < 1_000
    assert session.ledger(record.edition.id).pages(Exposure.VIEWED) == [1]
    assert found.finish is Finish.ANSWERED and found.report.of("citation")[0].status == "seen"
    assert anthropic_turns(found.turns)[1]["content"][2]["source"]["media_type"] == "image/png"
    library.close()
