"""Models over a real HTTP server, through the real LiteLLM."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pageindex.config import Secret, Settings
from pageindex.errors import (
    BudgetError,
    CredentialError,
    ModelError,
    ModelRequestError,
    ModelUnavailableError,
    SettingsError,
)
from pageindex.llm import Backoff, Cancellation, Delta, Model, Reply, ScriptedModel
from tests.support.model_server import Answer, ModelServer, tool_call

QUICK = Backoff(4, base=0.01, max_wait=5)


def settings(server: ModelServer, **given: object) -> Settings:
    values: dict[str, object] = {
        "model": "some-model",
        "base_url": server.base_url,
        "api_key": Secret("right-key"),
        "timeout": 20.0,
    }
    return Settings(**{**values, **given})  # type: ignore[arg-type]


def model(server: ModelServer, cache: Path | None = None, **given: object) -> Model:
    return Model(settings(server, **given), cache_dir=cache, backoff=QUICK)


def say(words: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": words}]


def test_a_reply_with_its_usage() -> None:
    with ModelServer([Answer("hello", prompt_tokens=9, completion_tokens=2, cached_tokens=4, thinking="hm")]) as server:
        talker = model(server, prompt_price=1.0, completion_price=10.0)
        reply = talker.complete(say("hi"), max_tokens=77)
        assert (reply.text, reply.finish_reason, reply.thinking) == ("hello", "stop", "hm")
        assert talker.usage.to_json() == {
            "calls": 1, "replayed": 0, "prompt_tokens": 9, "cached_tokens": 4, "completion_tokens": 2, "usd": 0.000029,
            "estimated": 0, "failed": 0,
        }  # fmt: skip
        assert server.asked[0].body["max_tokens"] == 77
        assert server.asked[0].body["model"] == "some-model"


def test_key_address_headers_and_timeout_reach_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "LITELLM_API_KEY", "PAGEINDEX_MODEL_API_KEY"):
        monkeypatch.setenv(name, "wrong-key")
    for name in ("OPENAI_BASE_URL", "OPENAI_API_BASE", "LITELLM_API_BASE"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/wrong")
    for name in ("OPENAI_ORGANIZATION", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "account-of-the-user")
    with ModelServer([Answer("ok"), Answer("ok"), Answer("late", delay=3)]) as server:
        model(server, headers={"X-Team": "blue"}).complete(say("hi"))
        model(server, api_key=Secret("")).complete(say("hi"))
        with pytest.raises(ModelUnavailableError):
            Model(settings(server, timeout=0.3), backoff=Backoff(0)).complete(say("hi"))
        first, second, _ = server.asked
        assert (first.key, first.path, first.headers["x-team"]) == ("right-key", "/v1/chat/completions", "blue")
        assert "wrong-key" not in str(second.headers)
        assert "account-of-the-user" not in str([dict(asked.headers) for asked in server.asked])


@pytest.mark.parametrize(
    ("status", "kind", "words"),
    [
        (401, CredentialError, "key is dead"),
        (403, CredentialError, "key is dead"),
        (400, ModelRequestError, "key is dead"),
        (404, ModelRequestError, "knows no such model"),
        (422, ModelRequestError, "key is dead"),
    ],
)
def test_what_cannot_pass_fails_at_once(status: int, kind: type[ModelError], words: str) -> None:
    with ModelServer([Answer(status=status, error="key is dead")], repeat=True) as server:
        with pytest.raises(kind) as caught:
            model(server).complete(say("hi"))
        assert server.calls == 1
        assert words in caught.value.message
        assert "litellm" not in caught.value.message.lower()
        assert caught.value.next_step


def test_a_spent_quota_is_not_waited_for() -> None:
    body = b'{"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}'
    with ModelServer([Answer(status=429, body=body)], repeat=True) as server:
        with pytest.raises(CredentialError, match="exceeded your quota"):
            model(server).complete(say("hi"))
        assert server.calls == 1


@pytest.mark.parametrize(
    "bad", [Answer(status=500), Answer(status=503), Answer(cut=0), Answer(body=b""), Answer(body=b"{}")]
)
def test_what_may_pass_is_tried_again(bad: Answer) -> None:
    with ModelServer([bad, bad, Answer("at last")]) as server:
        assert model(server).complete(say("hi")).text == "at last"
        assert server.calls == 3


def test_retry_after_is_honoured_by_all_callers() -> None:
    busy = Answer(status=429, headers={"Retry-After": "1"})
    with ModelServer([Answer("first"), busy, busy, busy], repeat=False) as server:
        talker = model(server, concurrency=2)
        talker.complete(say("open the places"))
        server._steps += [Answer("ok", delay=0.05)] * 20
        threads = [threading.Thread(target=talker.complete, args=(say(f"q{i}"),)) for i in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        refused = list(server.asked[1:4])
        later = list(server.asked[4:])
        assert len(server.answered) == 7
        assert min(asked.at for asked in later) - refused[0].at >= 1.0
        assert server.peak <= 2


def test_a_wait_that_is_too_long_is_an_error_at_once() -> None:
    with ModelServer([Answer(status=429, headers={"Retry-After": "3600"})], repeat=True) as server:
        began = time.monotonic()
        with pytest.raises(ModelUnavailableError, match="wait 3600 s"):
            model(server).complete(say("hi"))
        assert time.monotonic() - began < 5
        assert server.calls == 1


def test_retries_end() -> None:
    with ModelServer([Answer(status=500, error="still down")], repeat=True) as server:
        with pytest.raises(ModelUnavailableError, match="after 5 attempts: still down"):
            model(server).complete(say("hi"))
        assert server.calls == 5


def test_concurrency_is_limited_and_starts_with_one() -> None:
    with ModelServer(lambda asked: Answer("ok", delay=0.1)) as server:
        talker = model(server, concurrency=3)

        async def ask_all() -> list[Reply]:
            return await asyncio.gather(*(talker.acomplete(say(f"q{i}")) for i in range(10)))

        asyncio.run(ask_all())
        assert server.peak == 3
        assert server.asked[1].at - server.asked[0].at >= 0.1  # nobody started before the first was answered


def test_a_dead_key_costs_one_call_however_many_wait() -> None:
    with ModelServer([Answer(status=401, delay=0.1)], repeat=True) as server:
        talker = model(server, concurrency=4)

        async def first_error() -> None:
            async with asyncio.TaskGroup() as group:
                for i in range(8):
                    group.create_task(talker.acomplete(say(f"q{i}")))

        with pytest.raises(ExceptionGroup) as caught:
            asyncio.run(first_error())
        assert caught.group_contains(CredentialError)
        assert server.calls <= 2  # the next in line may have begun before it was cancelled


def test_priority_decides_who_goes_first() -> None:
    with ModelServer(lambda asked: Answer("ok", delay=0.05)) as server:
        talker = model(server, concurrency=1)

        async def ask_all() -> None:
            first = asyncio.create_task(talker.acomplete(say("first")))
            await asyncio.sleep(0.02)
            rest = [talker.acomplete(say(str(p)), priority=p) for p in (3, 1, 2)]
            await asyncio.gather(first, *rest)

        asyncio.run(ask_all())
        assert [asked.prompt for asked in server.asked] == ["first", "1", "2", "3"]


def test_sync_calls_work_inside_a_running_loop() -> None:
    with ModelServer(["ok", "ok"]) as server:
        talker = model(server)

        async def inside() -> tuple[str, str]:
            return talker.complete(say("sync")).text, (await talker.acomplete(say("async"))).text

        assert asyncio.run(inside()) == ("ok", "ok")


# ---------------------------------------------------------------- budget


def test_a_token_budget_stops_before_it_is_exceeded() -> None:
    with ModelServer(lambda asked: Answer("ok", prompt_tokens=100, completion_tokens=50)) as server:
        talker = model(server, budget_tokens=1_000, reply_tokens=100)
        with pytest.raises(BudgetError) as caught:
            for i in range(100):
                talker.complete(say(f"{i} " + "word " * 90))
        spent = talker.usage.tokens
        assert spent <= 1_000
        assert spent > 1_000 - 2 * 250  # and it used what it was given
        assert caught.value.details["spent_tokens"] == spent == 150 * server.calls


def test_a_budget_learns_that_the_provider_counts_more() -> None:
    with ModelServer(lambda asked: Answer("ok", prompt_tokens=300, completion_tokens=50)) as server:
        talker = model(server, budget_tokens=2_000, reply_tokens=100)
        with pytest.raises(BudgetError):
            for i in range(100):
                talker.complete(say(f"{i} " + "word " * 90))
        assert talker.usage.tokens <= 2_000
        assert server.calls >= 3


def test_a_money_budget_holds_under_concurrency() -> None:
    with ModelServer(lambda asked: Answer("ok", prompt_tokens=100, completion_tokens=100, delay=0.02)) as server:
        talker = model(
            server, budget_usd=0.001, reply_tokens=100, prompt_price=1.0, completion_price=1.0, concurrency=4
        )

        async def ask_all() -> list[Reply | BaseException]:
            calls = (talker.acomplete(say(f"{i} " + "word " * 90)) for i in range(20))
            return await asyncio.gather(*calls, return_exceptions=True)

        results = asyncio.run(ask_all())
        assert talker.usage.usd <= 0.001
        assert server.calls == sum(isinstance(result, Reply) for result in results) >= 3
        assert all(isinstance(result, Reply | BudgetError) for result in results)


def test_money_cannot_be_limited_without_a_price() -> None:
    with ModelServer(["ok"]) as server:
        with pytest.raises(SettingsError, match="price"):
            model(server, budget_usd=1.0).complete(say("hi"))
        assert server.calls == 0


def test_an_attempt_without_an_answer_counts_against_the_budget() -> None:
    with ModelServer([Answer(cut=0)], repeat=True) as server:
        with pytest.raises(BudgetError):
            model(server, budget_tokens=400, reply_tokens=100).complete(say("hi"))
        assert server.calls == 2


def test_prices_are_known_offline() -> None:
    provider = Model(Settings(model="gpt-4o-mini"))._shared.provider
    assert provider.price("gpt-4o-mini", 1_000_000, 0, 0) == pytest.approx(0.15, rel=0.5)
    assert provider.price("no-such-model-at-all", 1_000_000, 0, 0) is None


# ---------------------------------------------------------------- cache and scopes


def test_a_reply_is_paid_once(tmp_path: Path) -> None:
    with ModelServer([Answer("one", tool_calls=(tool_call("f", {"a": 1}),)), "two", "three"]) as server:
        first = model(server, tmp_path).complete(say("q"))
        again = model(server, tmp_path)
        assert again.complete(say("q")).tool_calls == first.tool_calls
        assert (again.usage.calls, again.usage.replayed, again.usage.tokens) == (0, 1, 0)
        assert server.calls == 1
        assert again.complete(say("another")).text == "two"
        assert model(server, tmp_path, index_model="other").complete(say("q")).text == "three"


def test_a_broken_cache_file_counts_as_absent(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with ModelServer(["one", "two"]) as server:
        model(server, tmp_path).complete(say("q"))
        (file,) = tmp_path.glob("*/*.json")
        for damage in (b"", b"[]", b'{"format": 1}', b"\xff"):
            file.write_bytes(damage)
        assert model(server, tmp_path).complete(say("q")).text == "two"
        assert "set aside" in caplog.text
        assert not list(tmp_path.glob("*/*.tmp"))


def test_scopes_count_apart_and_together(tmp_path: Path) -> None:
    talker = ScriptedModel(["a", "b", "c"])
    one, other = talker.scope(tmp_path / "1"), talker.scope(tmp_path / "2")
    one.complete(say("q"))
    other.complete(say("q"))
    other.complete(say("r"))
    assert (one.usage.calls, other.usage.calls, talker.usage.calls) == (1, 2, 3)


# ---------------------------------------------------------------- tools, streams, cancelling


def test_tool_calls_go_both_ways() -> None:
    tools = [{"type": "function", "function": {"name": "find", "parameters": {"type": "object", "properties": {}}}}]
    script = [Answer(tool_calls=(tool_call("find", {"query": "tax"}, "c1"), tool_call("find", "{oops", "c2"))), "done"]
    with ModelServer(script) as server:
        talker = model(server)
        reply = talker.complete(say("q"), tools=tools, tool_choice="auto")
        good, bad = reply.tool_calls
        assert (good.id, good.name, good.parsed()) == ("c1", "find", {"query": "tax"})
        with pytest.raises(ModelError, match="not JSON"):
            bad.parsed()
        results = [{"role": "tool", "tool_call_id": call.id, "content": "{}"} for call in reply.tool_calls]
        assert talker.complete([*say("q"), reply.message(), *results], tools=tools).text == "done"
        assert server.asked[0].body["tools"] == tools
        assert [message["role"] for message in server.asked[1].messages] == ["user", "assistant", "tool", "tool"]


def test_a_stream_gives_pieces_and_the_whole() -> None:
    calls = (tool_call("find", {"query": "x"}),)
    with ModelServer(
        [Answer("one two three", thinking="hm", tool_calls=calls, prompt_tokens=5, completion_tokens=3)]
    ) as server:
        stream = model(server).stream(say("q"))
        pieces = list(stream)
        assert "".join(piece.text for piece in pieces) == "one two three"
        assert "".join(piece.thinking for piece in pieces) == "hm"
        assert len(pieces) >= 3
        reply = stream.reply
        assert (reply.text, reply.finish_reason, reply.usage.tokens) == ("one two three", "tool_calls", 8)
        assert reply.tool_calls[0].parsed() == {"query": "x"}


def test_a_broken_stream_begins_anew() -> None:
    with ModelServer([Answer("one two three", cut=2), Answer("four five")]) as server:
        pieces: list[Delta] = []
        reply = model(server).complete(say("q"), stream=pieces.append)
        reset = next(i for i, piece in enumerate(pieces) if piece.reset)
        assert "".join(piece.text for piece in pieces[:reset]) == "one two "
        assert "".join(piece.text for piece in pieces[reset:]) == reply.text == "four five"


def test_a_stream_raises_what_the_call_raises() -> None:
    with ModelServer([Answer(status=401)]) as server, pytest.raises(CredentialError):
        list(model(server).stream(say("q")))


def cancel_from_thread(server: ModelServer, act: Callable[[Cancellation], object]) -> float:
    cancel = Cancellation()
    timer = threading.Timer(0.3, cancel.cancel)
    timer.start()
    began = time.monotonic()
    with pytest.raises(ModelError) as caught:
        act(cancel)
    assert caught.value.code == "CANCELLED"
    timer.join()
    return time.monotonic() - began


def test_cancelling_ends_a_call_and_a_stream() -> None:
    script = ["first", Answer("late", delay=8), Answer("a b c d e f g h", pause=1.0)]
    with ModelServer(script) as server:
        talker = model(server)
        talker.complete(say("import and connect"))
        assert cancel_from_thread(server, lambda cancel: talker.complete(say("q"), cancel=cancel)) < 4
        assert cancel_from_thread(server, lambda cancel: list(talker.stream(say("r"), cancel=cancel))) < 4
        stopped = Cancellation()
        stopped.cancel()
        with pytest.raises(ModelError, match="cancelled"):
            talker.complete(say("s"), cancel=stopped)


def test_leaving_a_stream_early_frees_its_place() -> None:
    with ModelServer([Answer("a b c d e f g h", pause=0.3), "next"]) as server:
        talker = model(server, concurrency=1)
        for _ in talker.stream(say("q")):
            break
        assert talker.complete(say("r")).text == "next"


# ---------------------------------------------------------------- names


def test_no_model_is_an_error_with_a_next_step() -> None:
    with pytest.raises(SettingsError, match="no model") as caught:
        Model(Settings())
    assert "PAGEINDEX_MODEL" in caught.value.next_step


@pytest.mark.parametrize(
    ("name", "sent"),
    [("qwen", "qwen"), ("openai/qwen", "qwen"), ("acme/llama-3", "acme/llama-3"), ("gpt-4o", "gpt-4o")],
)
def test_a_model_at_an_address_speaks_openai(name: str, sent: str) -> None:
    with ModelServer(["ok"]) as server:
        Model(settings(server, model=name)).complete(say("hi"))
        assert server.asked[0].body["model"] == sent
