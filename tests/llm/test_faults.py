"""Keys, addresses and waits over a real HTTP server, through the real LiteLLM."""

from __future__ import annotations

import logging
import os
import socket
import time
import traceback

import pytest

from pageindex.config import Secret, Settings
from pageindex.errors import CredentialError, ModelError, ModelUnavailableError
from pageindex.llm import Backoff, Model
from tests.support.model_server import Answer, ModelServer

KEY = "a-key-of-ours-0123456789"
SAY = [{"role": "user", "content": "hi"}]


def settings(server: ModelServer, **given: object) -> Settings:
    values: dict[str, object] = {"model": "m", "base_url": server.base_url, "api_key": Secret(KEY), "timeout": 20.0}
    return Settings(**{**values, **given})  # type: ignore[arg-type]


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500])
def test_a_key_in_a_provider_s_error_leaves_nowhere(status: int, caplog: pytest.LogCaptureFixture) -> None:
    words = f"no access with key {KEY}, header Token team-secret-77, again sk-abcdefghijklmnop"
    told: list[str] = []
    with ModelServer([Answer(status=status, error=words)], repeat=True) as server:
        chosen = settings(server, headers={"X-Team": "Token team-secret-77"})
        talker = Model(chosen, backoff=Backoff(1, base=0.01)).scope(on_wait=told.append)
        with pytest.raises(ModelError) as caught:
            talker.complete(SAY)
    printed = "".join(traceback.format_exception(caught.value))
    seen = " ".join([caught.value.message, str(caught.value.to_json()), printed, caplog.text, *told])
    assert "no access with key ***" in seen
    for secret in (KEY, "team-secret-77", "sk-abcdefghijklmnop"):
        assert secret not in seen


@pytest.mark.parametrize(
    ("model", "name"), [("gpt-4o-mini", "OPENAI_API_KEY"), ("anthropic/claude-sonnet-4-5", "ANTHROPIC_API_KEY")]
)
def test_a_missing_key_fails_at_once_by_its_name(model: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in [item for item in os.environ if "KEY" in item or "TOKEN" in item]:
        monkeypatch.delenv(variable)
    told: list[str] = []
    began = time.monotonic()
    with pytest.raises(CredentialError, match=name) as caught:
        Model(Settings(model=model)).scope(on_wait=told.append).complete(SAY)
    assert name in caught.value.next_step
    assert not told
    assert time.monotonic() - began < 10  # LiteLLM is imported meanwhile


def test_a_refused_key_names_where_it_stands() -> None:
    with ModelServer([Answer(status=401)], repeat=True) as server:
        with pytest.raises(CredentialError) as given:
            Model(settings(server)).complete(SAY)
        with pytest.raises(CredentialError) as none:
            Model(settings(server, api_key=Secret(""))).complete(SAY)
    assert "Correct api_key: PAGEINDEX_MODEL_API_KEY" in given.value.next_step
    assert "Set PAGEINDEX_MODEL_API_KEY" in none.value.next_step


def test_a_dead_address_fails_within_seconds_and_says_so() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    told: list[str] = []
    began = time.monotonic()
    with pytest.raises(ModelUnavailableError, match=f"nothing answers at {address}") as caught:
        Model(Settings(model="m", base_url=address, budget_tokens=5_000)).scope(on_wait=told.append).complete(SAY)
    assert time.monotonic() - began < 8
    assert caught.value.details["attempts"] == 2
    assert len(told) == 1


def test_an_address_that_has_answered_is_waited_for() -> None:
    with ModelServer([Answer("first", headers={"Connection": "close"})]) as server:
        talker = Model(settings(server), backoff=Backoff(4, base=0.01))
        talker.complete(SAY)
    with pytest.raises(ModelUnavailableError) as caught:
        talker.complete(SAY)
    assert caught.value.details["attempts"] == 5


def test_every_wait_is_told_with_its_reason(caplog: pytest.LogCaptureFixture) -> None:
    told: list[str] = []
    with ModelServer([Answer(status=503, error="overloaded"), "at last"]) as server:
        talker = Model(settings(server), backoff=Backoff(3, base=0.01)).scope(on_wait=told.append)
        with caplog.at_level(logging.WARNING, "pageindex"):
            assert talker.complete(SAY).text == "at last"
    (words,) = told
    assert "overloaded; attempt 2 of 4 in 0.0 s" in words
    assert words in caplog.text


def test_timeout_bounds_a_whole_stream() -> None:
    with ModelServer([Answer("a b c d e f g h i j k l m n o p", pause=0.2)], repeat=True) as server:
        Model(settings(server)).complete(SAY)  # LiteLLM is imported, the connection made
        began = time.monotonic()
        with pytest.raises(ModelUnavailableError, match=r"no whole reply within 0\.7 s"):
            list(Model(settings(server, timeout=0.7), backoff=Backoff(0)).stream(SAY))
        assert time.monotonic() - began < 2
