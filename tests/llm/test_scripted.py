"""The fake that ships with the port: everything but the provider is real."""

from __future__ import annotations

from pathlib import Path

import pytest

from pageindex.config import Settings
from pageindex.errors import CredentialError, ModelRequestError, ModelUnavailableError
from pageindex.llm import Delta, Model, Reply, Script, ScriptedModel, ToolCall

ASK = [{"role": "user", "content": "hello there"}]


def test_lines_are_words_replies_or_errors() -> None:
    call = ToolCall("c", "find", "{}")
    model = ScriptedModel(["one", Reply(tool_calls=(call,)), CredentialError("no key"), ConnectionError("gone"), "two"])
    assert model.complete(ASK).text == "one"
    assert model.complete(ASK).tool_calls == (call,)
    assert call.parsed() == {}
    with pytest.raises(CredentialError, match="no key"):
        model.complete(ASK)
    assert model.complete(ASK).text == "two"  # a passing failure is tried again
    with pytest.raises(ModelRequestError, match="no more lines"):
        model.complete(ASK)
    assert len(model.script.requests) == 6
    assert model.usage.calls == 3
    assert model.usage.to_json()["usd"] is None


def test_it_streams_and_gives_up_like_any_model() -> None:
    pieces: list[Delta] = []
    assert ScriptedModel(["a\nb\n"]).complete(ASK, stream=pieces.append).text == "a\nb\n"
    assert [piece.text for piece in pieces] == ["a\n", "b\n"]
    with pytest.raises(ModelUnavailableError, match="after 3 attempts: down"):
        ScriptedModel(lambda request: TimeoutError("down")).complete(ASK)


def test_a_script_may_be_shared_by_models(tmp_path: Path) -> None:
    script = Script(lambda request: str(request.messages[-1]["content"]).upper())
    one = Model(Settings(), name="a", provider=script, cache_dir=tmp_path)
    assert [one.complete(ASK).text for _ in range(2)] == ["HELLO THERE"] * 2
    assert len(script.requests) == 1


def test_a_reply_that_cannot_be_kept_is_used_all_the_same(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    model = Model(Settings(), name="a", provider=Script(["paid for"]), cache_dir=blocked / "cache")
    assert model.complete(ASK).text == "paid for"
    assert "cannot be kept" in caplog.text
