"""Why an answer ended, and what of it reaches the envelope, the verdict and the exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pageindex.chat import ChatOptions, Finish, open_session
from pageindex.chat.protocols import Protocol, envelope
from pageindex.chat.run import answer
from pageindex.evidence.status import Verdict
from tests.support.chat_library import report_library
from tests.support.chat_server import GOOD, asking, read, serving
from tests.support.memos import write_memo
from tests.support.model_server import Answer, ModelServer
from tests.support.terminal import run_here


@pytest.mark.parametrize(
    ("reason", "finish", "reasons"),
    [
        ("stop", Finish.ANSWERED, ("stop", "completed", "end_turn")),
        ("length", Finish.TRUNCATED, ("length", "incomplete", "max_tokens")),
        ("content_filter", Finish.REFUSED, ("content_filter", "incomplete", "refusal")),
    ],
)
def test_an_answer_that_was_cut_off_is_not_shown_as_whole(
    reason: str, finish: Finish, reasons: tuple[str, ...]
) -> None:
    library, _ = report_library()
    with serving([read("3"), Answer(GOOD, finish_reason=reason)]) as (model, _server):
        found = answer(open_session(library), asking(), model)
    whole = finish is Finish.ANSWERED
    assert found.finish is finish
    assert found.verdict is (Verdict.PASS if whole else Verdict.NEEDS_REVIEW)
    assert ("**Not whole**" in found.text) is not whole
    made = {protocol: envelope(found, protocol) for protocol in Protocol}
    assert reasons == (
        made[Protocol.CHAT_COMPLETIONS]["choices"][0]["finish_reason"],
        made[Protocol.RESPONSES]["status"],
        made[Protocol.MESSAGES]["stop_reason"],
    )
    assert {item["pageindex"]["verdict"] for item in made.values()} == {found.verdict.value}


def test_no_answer_is_none_and_fails() -> None:
    library, _ = report_library()
    with serving([""], repeat=True) as (model, _):
        found = answer(open_session(library), asking(), model)
    assert (found.finish, found.verdict, found.body) == (Finish.NO_ANSWER, Verdict.FAIL, "")
    assert "No answer was reached" in found.text


def test_a_repaired_answer_is_whole_again() -> None:
    library, _ = report_library()
    cut = Answer('"Revenue doubled within one decade of hard work" [acme.txt, p. 3]', finish_reason="length")
    with serving([read("3"), cut, GOOD]) as (model, _):
        found = answer(open_session(library), asking(), model, ChatOptions(repairs=1))
    assert (found.finish, found.verdict) == (Finish.ANSWERED, Verdict.PASS)


def test_the_exit_status_tells_the_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, library = write_memo(tmp_path, ".md"), tmp_path / "library"
    assert run_here("add", path, "--library", library).returncode == 0
    shown = json.loads(run_here("read", path.name, "--pages", "1", "--json", "--library", library).stdout)
    words = " ".join(next(line for line in str(shown).split("\\n") if len(line.split()) > 8).split()[:9])
    command = ("ask", "What does it say?", path.name, "--model", "openai/test", "--library", library)
    for body, status in (
        (f'"{words}" [{path.name}, p. 1]', 0),
        ("It forbids all passwords under any circumstances [p. 1].", 21),
        (f'"Nobody has ever written these very words here" [{path.name}, p. 1]', 20),
        ("", 20),
    ):
        replies = [read("1"), *[Answer(body)] * 4]
        with ModelServer(replies, repeat=True) as server:
            monkeypatch.setenv("PAGEINDEX_BASE_URL", server.base_url)
            monkeypatch.setenv("PAGEINDEX_MODEL_API_KEY", "k")
            done = run_here(*command)
        assert done.returncode == status, (body, done.stdout, done.stderr)


def test_a_judging_model_is_asked_once_and_changes_no_verdict() -> None:
    library, _ = report_library()
    said = "Revenue rose to 4,512 million dollars in the fiscal year [p. 3]."
    with serving([read("3"), said, "All of it follows.\nVerdict: PASS"]) as (model, server):
        found = answer(open_session(library), asking(), model, ChatOptions(judge=True))
    assert server.calls == 3
    assert "The cost of sales" in server.asked[2].prompt
    assert found.verdict is Verdict.PARTIAL
    assert found.to_json()["judgement"] == {"words": "All of it follows. Verdict: PASS", "model": found.model}
    assert "**Judged by a model**" in found.text


def test_a_judging_model_that_fails_costs_nothing_of_the_answer() -> None:
    library, _ = report_library()
    with serving([read("3"), GOOD, Answer(status=400, error="no judge today")]) as (model, _):
        found = answer(open_session(library), asking(), model, ChatOptions(judge=True))
    assert (found.finish, found.verdict) == (Finish.ANSWERED, Verdict.PASS)
    assert found.judgement is not None
    assert "no judge today" in found.judgement.error
