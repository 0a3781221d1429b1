"""What a conversation costs, what of it comes from the cache, and what a small context, a refusal or a broken line does to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pageindex.chat import Finish, chat_stream, open_session
from pageindex.chat.answer import Answer as Found
from pageindex.chat.answer import EventType
from pageindex.chat.run import answer
from pageindex.errors import ModelUnavailableError
from pageindex.evidence.ledger import Exposure
from pageindex.evidence.status import Verdict
from pageindex.llm import Model
from pageindex.store.base import Library
from tests.support.chat_library import report_library
from tests.support.chat_server import GOOD, QUESTION, Step, asking, read, serving, tool_texts
from tests.support.model_server import Answer, Asked

TOO_LONG = Answer(status=400, error="This model's maximum context length is 900 tokens")


@pytest.fixture
def library(tmp_path: Path) -> Library:
    """The report, in a library that has a place for replies."""
    made, _ = report_library()
    made.root = tmp_path  # type: ignore[attr-defined]
    return made


def ask(library: Library, model: Model) -> Found:
    return answer(open_session(library), asking(), model)


def test_the_same_question_over_the_same_pages_costs_nothing_the_second_time(library: Library) -> None:
    with serving([read("3"), GOOD]) as (model, server):
        first, second = ask(library, model), ask(library, model)
    assert server.calls == first.usage.calls == 2
    assert (second.usage.calls, second.usage.replayed, second.usage.tokens) == (0, 2, 0)
    assert second.text == first.text


def test_replies_drawn_at_a_temperature_are_drawn_anew(library: Library) -> None:
    with serving([read("3"), GOOD] * 2, temperature=0.7) as (model, server):
        ask(library, model)
        assert ask(library, model).usage.calls == 2
    assert server.calls == 4


def test_an_answer_that_failed_is_not_given_from_the_cache(library: Library) -> None:
    bad = '"Nobody has ever written these very words" [acme.txt, p. 3]'
    with serving([read("3"), bad, bad, bad, read("3"), GOOD]) as (model, _):
        assert ask(library, model).verdict is Verdict.FAIL
        assert ask(library, model).verdict is Verdict.PASS


def test_a_conversation_that_the_context_does_not_hold_goes_on_without_its_oldest_result() -> None:
    library, _ = report_library()

    def step(asked: Asked) -> Step:
        texts = tool_texts(asked)
        if sum("iron" in text for text in texts) and len(texts) > 1:
            return TOO_LONG
        return [read("3"), read("2"), GOOD][len(texts)]

    with serving(step) as (model, server):
        found = answer(session := open_session(library), asking(), model)
    assert found.finish is Finish.ANSWERED
    assert found.verdict is Verdict.PASS  # page 3 was read before it was taken out
    assert "was taken out" in tool_texts(server.asked[-1])[0]
    assert not session.omit_repeats


def test_what_no_request_has_held_was_not_read() -> None:
    library, record = report_library()

    def step(asked: Asked) -> Step:
        texts = tool_texts(asked)
        if any("iron" in text for text in texts):
            return TOO_LONG
        return GOOD if texts else read("3")

    with serving(step, repeat=True) as (model, server):
        found = answer(session := open_session(library), asking(), model)
    assert "was taken out" in tool_texts(server.asked[2])[0]
    assert session.ledger(record.edition.id).pages(Exposure.SENT) == []
    assert found.verdict is not Verdict.PASS


def test_a_history_that_is_too_long_by_itself_is_an_error() -> None:
    library, _ = report_library()
    with serving([TOO_LONG], repeat=True) as (model, _), pytest.raises(Exception, match="too long"):
        answer(open_session(library), asking(), model)


def test_waiting_is_told() -> None:
    library, _ = report_library()
    with serving([Answer(status=503, error="busy"), read("3"), GOOD], retries=2) as (model, _):
        stream = chat_stream(open_session(library), QUESTION, model)
        waits = [event for event in stream.events if event.type is EventType.WAIT]
    assert len(waits) == 1
    assert "busy" in waits[0].text
    assert "attempt 2 of 3" in waits[0].text


@pytest.mark.parametrize("streamed", [False, True])
def test_a_refusal_is_kept_in_the_models_words_and_asked_no_further(streamed: bool) -> None:
    library, _ = report_library()
    refusal = Answer(refusal="I cannot help with that.")
    with serving([read("3"), refusal]) as (model, server):
        session = open_session(library)
        found = chat_stream(session, QUESTION, model).answer if streamed else answer(session, asking(), model)
    assert server.calls == 2
    assert (found.finish, found.verdict) == (Finish.REFUSED, Verdict.FAIL)
    assert "I cannot help with that." in found.text


def test_a_stream_that_is_cut_is_never_a_whole_answer_and_what_arrived_is_kept() -> None:
    library, _ = report_library()
    with serving([read("3"), Answer(GOOD, cut=5)], repeat=True) as (model, _):
        found = chat_stream(open_session(library), QUESTION, model).answer
    assert found.finish is Finish.FAILED
    assert found.error is not None
    assert found.error["received"].startswith('"Revenue rose')
    assert found.verdict is not Verdict.PASS
    with serving([Answer(GOOD, cut=5)], repeat=True) as (model, _), pytest.raises(ModelUnavailableError) as raised:
        model.complete(asking(), stream=lambda _: None)
    assert GOOD.startswith(raised.value.details["received"])
