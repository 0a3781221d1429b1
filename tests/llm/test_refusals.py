"""Parameters that a model refuses, and prompts too long for it."""

from __future__ import annotations

import re

import pytest

from pageindex.config import Secret, Settings
from pageindex.errors import ModelRequestError
from pageindex.llm import Backoff, Model, json_schema
from tests.support.model_server import Answer, Asked, ModelServer

SAY = [{"role": "user", "content": "hi"}]
FORMAT = json_schema("answer", {"x": {"type": "string"}})
WORDS = {
    "temperature": "Unsupported value: 'temperature' does not support 0.0 with this model. Only the default (1) value is supported.",
    "max_tokens": "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    "response_format": "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
}
LIMITED = "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens (7000 in the messages, 2000 in max_tokens)."


def model(server: ModelServer) -> Model:
    settings = Settings(model="m", base_url=server.base_url, api_key=Secret("right-key"), timeout=20.0)
    return Model(settings, backoff=Backoff(2, base=0.01))


@pytest.mark.parametrize("names", [["temperature"], ["max_tokens"], ["response_format"], list(WORDS)])
def test_refused_parameters_are_left_out_and_remembered(names: list[str]) -> None:
    def behave(asked: Asked) -> Answer:
        refused = next((name for name in names if name in asked.body), "")
        return Answer(status=400, error=WORDS[refused]) if refused else Answer('{"x": "1"}')

    with ModelServer(behave) as server:
        talker = model(server)
        for scope in (talker.scope(), talker.scope()):
            assert scope.complete(SAY, response_format=FORMAT, max_tokens=70).text == '{"x": "1"}'
        assert server.calls == len(names) + 2  # each is refused once, in all scopes together
        last = server.asked[-1].body
    assert not set(names) & set(last)
    assert last.get("max_completion_tokens", last.get("max_tokens")) == 70


def test_a_refusal_of_what_was_not_sent_is_final() -> None:
    with ModelServer([Answer(status=400, error="'logit_bias' is not allowed")], repeat=True) as server:
        with pytest.raises(ModelRequestError, match="logit_bias"):
            model(server).complete(SAY)
        assert server.calls == 1


@pytest.mark.parametrize(
    "words",
    [
        LIMITED,
        "prompt is too long: 210000 tokens > 200000 maximum",
        "the request exceeds the available context size, try increasing it",
        "Please reduce the length of the messages or completion.",
    ],
)
def test_a_prompt_that_is_too_long_has_a_code_of_its_own(words: str) -> None:
    with ModelServer([Answer(status=400, error=words)], repeat=True) as server:
        talker = model(server).scope(give_up=True)
        for _ in range(4):
            with pytest.raises(ModelRequestError, match=re.escape(words[:20])) as caught:
                talker.complete(SAY)
            assert caught.value.code == "CONTEXT_TOO_LONG"
        assert talker.stopped is None
        assert server.calls == 4
