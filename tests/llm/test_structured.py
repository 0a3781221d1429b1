"""Asking for JSON: repair, refusal of the format, and giving up."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from pageindex.errors import ModelReplyError, ModelRequestError
from pageindex.llm import Parsed, Reply, ScriptedModel, ask, json_schema

FORMAT = json_schema("answer", {"n": {"type": "integer"}})
QUESTION = [{"role": "user", "content": "how many?"}]


def number(parsed: Parsed) -> int:
    if not isinstance(parsed.value.get("n"), int):
        raise ModelReplyError('"n" is missing')
    return int(parsed.value["n"])


def run(model: ScriptedModel) -> int:
    return asyncio.run(ask(model, QUESTION, FORMAT, number))


def test_a_good_reply_needs_one_call() -> None:
    model = ScriptedModel(['{"n": 3}'])
    assert run(model) == 3
    assert model.script.requests[0].response_format == FORMAT


@pytest.mark.parametrize("bad", ["", "no idea", '{"m": 1}', Reply('{"n', finish_reason="length"), "<think>hm"])
def test_one_round_of_repair_carries_the_reason(bad: Any) -> None:
    model = ScriptedModel([bad, 'Of course: {"n": 4}'])
    assert run(model) == 4
    repair = model.script.requests[1].messages[-1]["content"]
    assert "cannot be used" in repair
    assert ("cut off" in repair) == isinstance(bad, Reply)


def test_there_is_no_second_round() -> None:
    model = ScriptedModel(["no", "no", '{"n": 5}'])
    with pytest.raises(ModelReplyError):
        run(model)
    assert len(model.script.requests) == 2


def test_a_refused_format_falls_back_to_plain_text_for_good() -> None:
    refusal = ModelRequestError("response_format is not supported by this model")
    model = ScriptedModel([refusal, '{"n": 6}', '{"n": 7}'])
    assert (run(model), run(model)) == (6, 7)
    assert [request.response_format for request in model.script.requests] == [FORMAT, None, None]


def test_another_refusal_is_not_tried_again() -> None:
    model = ScriptedModel([ModelRequestError("content is not allowed"), '{"n": 8}'])
    with pytest.raises(ModelRequestError):
        run(model)
    assert len(model.script.requests) == 1
