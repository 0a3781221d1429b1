"""A model that answers from a script: the fake that ships with the port, so that tests patch nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from pageindex.config import Settings
from pageindex.errors import ModelError, ModelRequestError
from pageindex.llm.messages import Delta, DeltaCallback, Reply, Request
from pageindex.llm.model import Model
from pageindex.llm.provider import Abilities, TransientFailure
from pageindex.llm.retry import Backoff
from pageindex.llm.usage import Usage
from pageindex.text.tokens import count_tokens

__all__ = ["Script", "ScriptedModel"]

#: What a script may say to one request: words, a whole reply, or an error to raise.
Line = str | Reply | Exception


class Script:
    """A provider that reads its replies from a list, or makes them with a function of the request.

    Attributes:
        requests: All requests, in the order of arrival.
        known: What is known of the model; nothing, unless it is set.
    """

    address = "script"

    def __init__(self, lines: Iterable[Line] | Callable[[Request], Line]) -> None:
        self._make: Callable[[Request], Line] | None = lines if callable(lines) else None
        self._lines: Iterator[Line] = iter(()) if callable(lines) else iter(lines)
        self.requests: list[Request] = []
        self.known = Abilities()

    async def send(self, request: Request, on_delta: DeltaCallback | None) -> Reply:
        self.requests.append(request)
        line = self._make(request) if self._make else next(self._lines, None)
        if line is None:
            raise ModelRequestError("the script has no more lines", "Write a longer script.")
        if isinstance(line, ModelError | TransientFailure):
            raise line
        if isinstance(line, Exception):
            raise TransientFailure(str(line))
        reply = Reply(line) if isinstance(line, str) else line
        if on_delta is not None:
            for word in reply.text.splitlines(keepends=True):
                on_delta(Delta(word))
        prompt, completion = count_tokens(request.text()), count_tokens(reply.text)
        return replace(reply, usage=Usage(1, 0, prompt, 0, completion))

    def abilities(self, model: str) -> Abilities:
        return self.known

    def price(self, model: str, prompt_tokens: int, cached_tokens: int, completion_tokens: int) -> float | None:
        return None


class ScriptedModel(Model):
    """A :class:`Model` over a :class:`Script`: everything but the provider is the real thing."""

    def __init__(
        self,
        lines: Iterable[Line] | Callable[[Request], Line],
        settings: Settings | None = None,
        name: str = "scripted",
    ) -> None:
        self.script = Script(lines)
        super().__init__(settings or Settings(), name=name, provider=self.script, backoff=Backoff(2, base=0.001))
