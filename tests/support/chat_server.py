"""Conversations through real LiteLLM against a real HTTP server that answers from a script."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pageindex.chat import ChatOptions
from pageindex.config import Secret, Settings
from pageindex.llm import Backoff, Model
from tests.support.model_server import Answer, Asked, ModelServer, tool_call

Step = str | Answer
QUESTION = "What was the revenue?"
GOOD = '"Revenue rose to 4,512 million dollars in the fiscal year" [acme.txt, p. 3]'


def calls(*wanted: tuple[str, dict[str, Any] | str], text: str = "") -> Answer:
    """A reply that calls tools."""
    made = tuple(tool_call(name, arguments, f"call_{i}_{name}") for i, (name, arguments) in enumerate(wanted))
    return Answer(text, tool_calls=made)


def read(pages: str) -> Answer:
    return calls(("get_page_content", {"pages": pages}))


@contextmanager
def serving(
    steps: list[Step] | Callable[[Asked], Step], *, repeat: bool = False, retries: int = 0, **settings: Any
) -> Iterator[tuple[Model, ModelServer]]:
    """A model behind a server with this script."""
    with ModelServer(steps, repeat=repeat) as server:
        made = Settings(model="scripted", base_url=server.base_url, api_key=Secret("k"), **settings)
        yield Model(made, backoff=Backoff(retries, base=0.01)), server


def tool_texts(asked: Asked) -> list[str]:
    """The tool results that a request holds."""
    return [str(message["content"]) for message in asked.messages if message["role"] == "tool"]


def asking(question: str = QUESTION) -> list[dict[str, Any]]:
    return [{"role": "user", "content": question}]


QUICK = ChatOptions(max_turns=4)
