"""What is counted, and where a budget ends, whatever a provider reports."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from pageindex.config import Secret, Settings
from pageindex.errors import BudgetError, ModelUnavailableError
from pageindex.llm import Backoff, Model
from pageindex.text.tokens import count_tokens
from tests.support.model_server import Answer, Asked, ModelServer

WORDS = "word " * 300


def model(server: ModelServer, **given: object) -> Model:
    values: dict[str, Any] = {
        "model": "m",
        "base_url": server.base_url,
        "api_key": Secret("right-key"),
        "timeout": 20.0,
    }
    return Model(Settings(**{**values, **given}), backoff=Backoff(3, base=0.01))


def say(words: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": words}]


@pytest.mark.parametrize(
    "reported",
    [
        {"usage": False},
        {"prompt_tokens": 0, "completion_tokens": 0},
        {"prompt_tokens": -5_000, "completion_tokens": -10},
        {"prompt_tokens": 10**12, "completion_tokens": 3},
        {"prompt_tokens": 300, "completion_tokens": 10**12},
        {"prompt_tokens": 1, "completion_tokens": 1},
    ],
)
@pytest.mark.parametrize("streamed", [False, True])
def test_usage_that_cannot_be_is_estimated_and_called_so(reported: dict[str, Any], streamed: bool) -> None:
    with ModelServer([Answer("yes " * 40, **reported)]) as server:
        talker = model(server)
        talker.complete(say(WORDS), stream=(lambda _: None) if streamed else None)
    usage = talker.usage
    assert 300 <= usage.prompt_tokens <= 400
    assert 40 <= usage.completion_tokens <= 60
    assert usage.calls == 1
    if not (streamed and reported == {"usage": False}):  # LiteLLM counts such a stream by itself
        assert usage.to_json()["estimated"] == 1


def test_usage_that_can_be_is_believed() -> None:
    with ModelServer([Answer("yes", prompt_tokens=250, completion_tokens=5_000, cached_tokens=9_000)]) as server:
        talker = model(server)
        talker.complete(say(WORDS))
    usage = talker.usage
    assert (usage.prompt_tokens, usage.cached_tokens, usage.completion_tokens, usage.estimated) == (250, 250, 5_000, 0)


def test_failed_attempts_are_counted_and_priced() -> None:
    with ModelServer([Answer(status=500), Answer(cut=0), Answer(body=b"{}"), "done"]) as server:
        talker = model(server, prompt_price=1.0, completion_price=1.0)
        talker.complete(say(WORDS))
    usage = talker.usage
    assert (usage.calls, usage.failed, usage.estimated) == (1, 3, 2)
    assert usage.prompt_tokens > 3 * 300 * 0.9  # the 500 is not on the bill, the other two may be
    assert usage.usd == pytest.approx(usage.tokens / 1e6)


def test_a_stream_that_broke_counts_what_was_received() -> None:
    with ModelServer([Answer("yes " * 50, cut=40)], repeat=True) as server:
        talker = model(server)
        with pytest.raises(ModelUnavailableError):
            talker.complete(say("q"), stream=lambda _: None)
    assert talker.usage.failed == server.calls == 4
    assert talker.usage.completion_tokens >= 4 * 35


@pytest.mark.parametrize(
    "behave",
    [
        lambda asked: Answer("ok " * 50, usage=False),
        lambda asked: Answer("ok " * 50, prompt_tokens=-9_000, completion_tokens=-9_000),
        lambda asked: Answer("ok " * 50, prompt_tokens=0, completion_tokens=0),
        lambda asked: Answer("ok " * 50, prompt_tokens=3, completion_tokens=0, cached_tokens=10**9),
        lambda asked: Answer(body=b"{}"),
        lambda asked: Answer(cut=0),
        lambda asked: Answer("ok", prompt_tokens=-1) if asked.number % 2 else Answer(cut=0),
        lambda asked: Answer("ok " * 50, usage=bool(asked.number % 2)),
    ],
)
def test_a_budget_holds_over_calls_side_by_side(behave: Callable[[Asked], Answer]) -> None:
    with ModelServer(behave) as server:
        talker = model(server, budget_tokens=5_000, reply_tokens=100, concurrency=8)
        documents = [talker.scope(), talker.scope()]

        async def ask_all() -> list[Any]:
            calls = [documents[i % 2].acomplete(say(f"{i} {WORDS}")) for i in range(60)]
            return await asyncio.gather(*calls, return_exceptions=True)

        results = asyncio.run(ask_all())
    # What was truly sent and said, counted by us.
    sent = sum(count_tokens(asked.prompt) for asked in server.asked)
    assert sent + 55 * len(server.answered) <= 5_000
    assert server.calls >= 8
    assert any(isinstance(result, BudgetError) for result in results)
