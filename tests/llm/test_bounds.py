"""Replies that are too long, broken in their characters, or of no use, over a real HTTP server."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from pageindex.config import Secret, Settings
from pageindex.errors import ModelReplyError
from pageindex.llm import Backoff, Model, Parsed, ask, json_schema
from tests.support.model_server import Answer, ModelServer, tool_call

SAY = [{"role": "user", "content": "hi"}]
FORMAT = json_schema("answer", {"x": {"type": "string"}})


def model(server: ModelServer, cache: Path | None = None) -> Model:
    settings = Settings(model="m", base_url=server.base_url, api_key=Secret("right-key"), timeout=20.0)
    return Model(settings, cache_dir=cache, backoff=Backoff(2, base=0.01))


def read(parsed: Parsed) -> str:
    if not isinstance(value := parsed.value.get("x"), str):
        raise ModelReplyError('"x" is missing')
    return value


def asked(talker: Model) -> str:
    return asyncio.run(ask(talker, SAY, FORMAT, read))


def test_a_reply_is_kept_up_to_a_bound_and_called_cut_off() -> None:
    with ModelServer([Answer("x" * 3_000_000)]) as server:
        reply = model(server).complete(SAY, max_tokens=100)
    assert len(reply.text) == 200_000
    assert reply.truncated


@pytest.mark.parametrize("streamed", [False, True])
def test_lone_surrogates_never_leave(streamed: bool, tmp_path: Path) -> None:
    call = tool_call("find", json.dumps({"query": "\udfff"}))
    with ModelServer([Answer("a \ud800 b", thinking="\udc00", tool_calls=(call,))], repeat=True) as server:
        talker = model(server, tmp_path)
        reply = talker.complete(SAY, stream=(lambda _: None) if streamed else None)
        assert (reply.text, reply.thinking) == ("a � b", "�")
        assert reply.tool_calls[0].parsed() == {"query": "�"}
        talker.complete([*SAY, reply.message(), {"role": "tool", "tool_call_id": "call_0", "content": "x"}])


def test_a_reply_that_cannot_be_used_is_asked_for_again_by_the_next_run(tmp_path: Path) -> None:
    with ModelServer(["what?", "no"]) as server, pytest.raises(ModelReplyError):
        asked(model(server, tmp_path))
    assert not list(tmp_path.glob("*/*.json"))
    with ModelServer(['{"x": "good"}']) as server:
        assert asked(model(server, tmp_path)) == "good"


@pytest.mark.parametrize("step", [Answer(""), Answer("no", finish_reason="content_filter")])
def test_an_empty_or_filtered_reply_is_not_kept(step: Any, tmp_path: Path) -> None:
    with ModelServer([step, "yes"]) as server:
        model(server, tmp_path).complete(SAY)
        assert model(server, tmp_path).complete(SAY).text == "yes"


def test_an_unusable_reply_that_was_kept_is_replaced(tmp_path: Path) -> None:
    with ModelServer(["what?", '{"x": "good"}'], repeat=True) as server:
        model(server, tmp_path).complete(SAY, response_format=FORMAT)  # kept by somebody who did not read it
        assert asked(model(server, tmp_path)) == "good"
        assert asked(model(server, tmp_path)) == "good"
        assert server.calls == 2
