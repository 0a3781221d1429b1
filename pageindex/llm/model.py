"""A model to talk to: concurrency, retries, budget, usage and the reply cache, round any provider."""

from __future__ import annotations

import asyncio
import copy
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from pageindex.config import Settings
from pageindex.errors import ModelError, ModelRequestError, ModelUnavailableError, SettingsError
from pageindex.llm import loop
from pageindex.llm.accounting import accounted, own_count, unanswered
from pageindex.llm.breaker import Breaker
from pageindex.llm.budget import Budget, Reservation, unknown_price
from pageindex.llm.cache import ReplyCache
from pageindex.llm.cancel import Cancellation
from pageindex.llm.limiter import Limiter
from pageindex.llm.litellm_provider import LiteLLMProvider
from pageindex.llm.messages import Delta, DeltaCallback, Message, Reply, Request, mended
from pageindex.llm.provider import Abilities, Provider, TransientFailure
from pageindex.llm.refusals import refused_parameter
from pageindex.llm.retry import Backoff
from pageindex.llm.stream import Stream, wait
from pageindex.llm.usage import Usage
from pageindex.text.tokens import count_tokens

__all__ = ["Model"]

_LEAST_BOUND = 200_000  # characters of a reply that are kept in any case
_log = logging.getLogger(__name__)
_ATTEMPTS_TO_REACH = 2  # at an address that has never answered: a name misspelt is not mended by waiting


@dataclass
class _Shared:
    """What all scopes of one model share."""

    provider: Provider
    limiter: Limiter
    budget: Budget
    backoff: Backoff
    refused: set[str] = field(default_factory=set)  # parameters, by the model they are all of


class Model:
    """One model, safe to use from threads, from plain code and from coroutines.

    Args:
        settings: Key, address, limits and budget.
        name: LiteLLM name; the settings' model for indexing by default.
        provider: Who answers; LiteLLM by default. Tests give a :class:`~pageindex.llm.scripted.Script`.
        cache_dir: Folder of the reply cache; None keeps no replies.
        backoff: How to wait between attempts; from the settings by default.

    Raises SettingsError when no model is named.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        name: str = "",
        provider: Provider | None = None,
        cache_dir: Path | None = None,
        backoff: Backoff | None = None,
    ) -> None:
        self.settings = settings
        self.name = name or settings.for_index
        if not self.name:
            raise SettingsError("no model is named", "Give --model, PAGEINDEX_MODEL, or model = … in pageindex.toml.")
        self._shared = _Shared(
            provider or LiteLLMProvider(settings),
            Limiter(settings.concurrency),
            Budget(settings.budget_tokens, settings.budget_usd),
            backoff or Backoff(settings.retries, max_wait=settings.max_wait),
        )
        self._cache = ReplyCache(cache_dir) if cache_dir is not None else None
        self._usage = Usage()
        self._used: set[str] = set()  # keys of replies that this scope was given and the cache holds
        self._parent: Model | None = None
        self._breaker: Breaker | None = None
        self._on_wait: Callable[[str], None] | None = None
        self._on_usage: Callable[[str, Usage], None] | None = None

    def scope(
        self,
        cache_dir: Path | None = None,
        *,
        give_up: bool = False,
        on_wait: Callable[[str], None] | None = None,
        on_usage: Callable[[str, Usage], None] | None = None,
    ) -> Self:
        """The same model with a usage count (and cache folder) of its own: one per document, one per conversation.

        The concurrency limit, the budget and the parent's usage count go on being shared. With ``give_up``, for runs of many calls, the
        scope stops calling when going on is pointless; see :class:`~pageindex.llm.breaker.Breaker`. ``on_wait`` is told of every attempt that
        failed and is made again: why, and in how many seconds; ``on_usage`` of what every call and attempt has cost, with the model's
        name, in the thread of the models.
        """
        inner = copy.copy(self)
        inner._cache = ReplyCache(cache_dir) if cache_dir is not None else self._cache
        inner._usage, inner._used, inner._parent = Usage(), set(), self
        inner._breaker = Breaker() if give_up else None
        inner._on_wait, inner._on_usage = on_wait or self._on_wait, on_usage
        return inner

    @property
    def usage(self) -> Usage:
        """Of this scope and the scopes made from it."""
        return self._usage

    @property
    def stopped(self) -> ModelError | None:
        """What made a scope with ``give_up`` stop calling; None while it goes on."""
        return self._breaker.error if self._breaker is not None else None

    def price(self, prompt_tokens: int, completion_tokens: int) -> float | None:
        """US dollars of so many tokens; None where the price is not known. Makes no call."""
        return self._shared.provider.price(self.name, prompt_tokens, 0, completion_tokens)

    def abilities(self) -> Abilities:
        """What is known of the model without a call."""
        return self._shared.provider.abilities(self.name)

    def check_budget(self) -> None:
        """Raise SettingsError when money is limited and the model's price is not known; no call is made."""
        if self.settings.budget_usd is not None and self.price(1, 1) is None:
            raise unknown_price()

    def complete(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Mapping[str, Any]] | None = None,
        tool_choice: Any = None,
        response_format: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
        stream: DeltaCallback | None = None,
        cancel: Cancellation | None = None,
        priority: float = 0.0,
    ) -> Reply:
        """Ask, and wait for the whole reply.

        Args:
            messages: The conversation, as in Chat Completions.
            tools, tool_choice: Functions the model may call.
            response_format: ``{"type": "json_object"}`` or a JSON schema; left out from then on once the provider has refused it.
            max_tokens: Of the reply; the settings' ``reply_tokens`` by default.
            stream: Receives the pieces of the reply as they arrive (in another thread); the whole is returned all the same.
            cancel: Ends the call from elsewhere.
            priority: Among waiting calls, smaller goes first.

        Raises CredentialError and ModelRequestError at once; ModelUnavailableError after the last retry; BudgetError before a call
        that might exceed the budget; ModelError (CANCELLED).
        """
        request = self._request(messages, tools, tool_choice, response_format, max_tokens)
        return wait(loop.submit(self._answer(request, stream, priority)), cancel)

    async def acomplete(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Mapping[str, Any]] | None = None,
        tool_choice: Any = None,
        response_format: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
        stream: DeltaCallback | None = None,
        priority: float = 0.0,
    ) -> Reply:
        """The same from a coroutine, on any event loop; cancelling the awaiting task cancels the call."""
        request = self._request(messages, tools, tool_choice, response_format, max_tokens)
        return await asyncio.wrap_future(loop.submit(self._answer(request, stream, priority)))

    def stream(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Mapping[str, Any]] | None = None,
        tool_choice: Any = None,
        response_format: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
        cancel: Cancellation | None = None,
    ) -> Stream:
        """The pieces of the reply as an iterator; ``Stream.reply`` is the whole afterwards, ``Stream.close`` ends it early."""
        request = self._request(messages, tools, tool_choice, response_format, max_tokens)
        return Stream(lambda put: loop.submit(self._answer(request, put, 0.0)), cancel)

    def forget(
        self,
        messages: Sequence[Message],
        *,
        response_format: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> None:
        """Take the reply to these messages out of the reply cache: it could not be used, and is to be asked for again."""
        if self._cache is not None:
            request = self._request(messages, None, None, response_format, max_tokens)
            for key in {self._key(request), self._key(request.less(self._shared.refused))}:
                self._cache.remove(key)

    def forget_all(self) -> None:
        """Take every reply that this scope was given out of the reply cache: they led nowhere, and are to be asked for again."""
        while self._used and self._cache is not None:
            self._cache.remove(self._used.pop())

    def _request(
        self,
        messages: Sequence[Message],
        tools: Sequence[Mapping[str, Any]] | None,
        tool_choice: Any,
        response_format: Mapping[str, Any] | None,
        max_tokens: int | None,
    ) -> Request:
        return Request(
            self.name,
            tuple(messages),
            tuple(tools) if tools else None,
            tool_choice,
            response_format,
            max_tokens or self.settings.reply_tokens,
            self.settings.temperature,
        )

    async def _answer(self, request: Request, on_delta: DeltaCallback | None, priority: float) -> Reply:
        if (kept := self._kept(request, on_delta)) is not None:
            return kept
        async with self._shared.limiter.slot(priority):
            if self._breaker is not None:
                self._breaker.check()
            try:
                reply = await self._accepted(request, on_delta)
            except ModelError as error:
                if self._breaker is not None:
                    self._breaker.failed(error)  # before the next in line gets this place
                raise
            if self._breaker is not None:
                self._breaker.succeeded()
        return reply

    async def _accepted(self, request: Request, on_delta: DeltaCallback | None) -> Reply:
        """The reply to the request without the parameters that the model refuses, which are learnt and remembered."""
        refused = self._shared.refused
        while True:
            request = request.less(refused)
            if refused and (kept := self._kept(request, on_delta)) is not None:
                return kept
            try:
                return await self._attempts(request, on_delta)
            except ModelRequestError as error:
                if error.code in ("CONTEXT_TOO_LONG", "MODEL_NOT_FOUND"):
                    raise
                name = refused_parameter(error.message, request)
                if not name:
                    raise
                refused.add(name)
                _log.warning("%s refuses %s, which is left out from now on: %s", self.name, name, error.message)

    def _keep(self, request: Request, reply: Reply) -> None:
        """Put a reply that is understood into the cache: before anything else, since a kill may come at any time."""
        understood = (reply.text.strip() or reply.tool_calls) and not reply.refused
        if self._cache is not None and understood:
            self._cache.put(self._key(request), request.model, reply)
            self._used.add(self._key(request))

    def _key(self, request: Request) -> str:
        return request.key(self._shared.provider.address)

    def _kept(self, request: Request, on_delta: DeltaCallback | None) -> Reply | None:
        kept = self._cache.get(self._key(request)) if self._cache is not None else None
        if kept is not None:
            if on_delta is not None:
                on_delta(Delta(kept.text, kept.thinking))
            self._used.add(self._key(request))
            self._count(kept.usage)
        return kept

    async def _attempts(self, request: Request, on_delta: DeltaCallback | None) -> Reply:
        shared, attempt = self._shared, 0
        while True:
            await shared.limiter.clear()
            held = await self._reserve(request)
            received = _Received(on_delta)
            try:
                reply = await shared.provider.send(request, received if on_delta is not None else None)
            except TransientFailure as failure:
                await self._failed(request, held, failure, received)
                wait = self._wait_after(failure, attempt)
                if wait is None:
                    raise _given_up(failure, attempt + 1, received.words) from None
                if failure.retry_after is not None:
                    shared.limiter.pause(wait)
                await asyncio.sleep(wait)
                attempt += 1
                if on_delta is not None:
                    on_delta(Delta(reset=True))
                continue
            except asyncio.CancelledError:
                self._count(self._priced(request, unanswered(request, received.words)))
                await asyncio.shield(shared.budget.settle(held, held.tokens, held.usd or 0.0))
                raise
            except ModelError:
                self._count(Usage(failed=1))
                await shared.budget.settle(held, 0, 0.0)
                raise
            self._keep(request, bounded := reply.bounded(_most_characters(request)))
            usage = self._priced(request, accounted(request, reply))
            tokens = max(usage.tokens, own_count(request, reply)) if shared.budget.limited else usage.tokens
            sent = 0 if usage.estimated else usage.prompt_tokens
            await shared.budget.settle(held, tokens, usage.usd, sent, usage.completion_tokens)
            shared.limiter.succeeded()
            self._count(usage)
            return replace(bounded, usage=usage)

    async def _failed(
        self, request: Request, held: Reservation, failure: TransientFailure, received: _Received
    ) -> None:
        """Account for an attempt that failed: one without an answer may be on the bill, and the budget takes it at its worst."""
        if failure.answered or failure.unreachable:
            self._count(Usage(failed=1))
            await self._shared.budget.settle(held, 0, 0.0)
            return
        usage = self._priced(request, unanswered(request, received.words))
        self._count(usage)
        await self._shared.budget.settle(held, max(held.tokens, usage.tokens), max(held.usd or 0.0, usage.usd))

    def _priced(self, request: Request, usage: Usage) -> Usage:
        usd = self._shared.provider.price(
            request.model, usage.prompt_tokens, usage.cached_tokens, usage.completion_tokens
        )
        return replace(usage, usd=usd or 0.0, unpriced=usage.calls if usd is None else 0)

    def _wait_after(self, failure: TransientFailure, attempt: int) -> float | None:
        """Seconds until the next attempt, which are told; None when there is none."""
        shared = self._shared
        if failure.unreachable and not shared.limiter.proven and attempt + 1 >= _ATTEMPTS_TO_REACH:
            return None
        wait = shared.backoff.delay(attempt, failure.retry_after)
        if wait is not None:
            words = f"{failure.message}; attempt {attempt + 2} of {shared.backoff.retries + 1} in {wait:.1f} s"
            _log.warning("%s: %s", self.name, words)
            if self._on_wait is not None:
                self._on_wait(words)
        return wait

    async def _reserve(self, request: Request) -> Reservation:
        budget = self._shared.budget
        estimate = count_tokens(request.text()) if budget.limited else 0
        prompt, reply = budget.prompt_bound(estimate), budget.reply_bound(request.max_tokens)
        usd = None
        if budget.limit_usd is not None:
            usd = self._shared.provider.price(request.model, prompt, 0, reply)
        return await budget.reserve(estimate, prompt, reply, usd)

    def _count(self, usage: Usage) -> None:
        scope: Model | None = self
        while scope is not None:
            scope._usage += usage
            if scope._on_usage is not None:
                scope._on_usage(self.name, usage)
            scope = scope._parent


class _Received:
    """Passes the pieces of one attempt on, and keeps their words for the bill."""

    def __init__(self, on_delta: DeltaCallback | None) -> None:
        self._on_delta, self._words = on_delta, list[str]()

    @property
    def words(self) -> str:
        return "".join(self._words)

    def __call__(self, delta: Delta) -> None:
        self._words.append(delta.thinking + delta.text)
        if self._on_delta is not None:
            self._on_delta(delta)


def _most_characters(request: Request) -> int:
    """Characters of a reply that are kept: far more than its tokens can be, whatever the provider sends."""
    return max(_LEAST_BOUND, 20 * request.max_tokens)


def _given_up(failure: TransientFailure, attempts: int, received: str) -> ModelUnavailableError:
    asked = f"; it asks to wait {failure.retry_after:.0f} s" if failure.retry_after is not None else ""
    times = "attempt" if attempts == 1 else "attempts"
    kept: dict[str, Any] = {"received": mended(received)} if received else {}
    if failure.unreachable:
        kept["unreachable"] = True  # nothing was sent
    words = f"no reply after {attempts} {times}: {failure.message}{asked}"
    return ModelUnavailableError(words, attempts=attempts, **kept)
