"""The only module that touches LiteLLM, which costs four CPU seconds to import and is imported when a model is called."""

from __future__ import annotations

import asyncio
import importlib
import os
import threading
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Self

from pageindex.config import Settings
from pageindex.llm.faults import translated
from pageindex.llm.messages import Delta, DeltaCallback, Reply, Request, ToolCall
from pageindex.llm.provider import Abilities, TransientFailure
from pageindex.llm.usage import Usage

__all__ = ["LiteLLMProvider", "load_litellm"]

_IMPORT = threading.Lock()
_CONNECT = 10.0  # seconds for a connection to come about
_NO_KEY = "none"  # what an address without a key is sent, so that no key of the environment is
#: Headers that the providers' own clients fill from these variables: whose account it is, is no other address's business.
_ACCOUNT = {
    "OpenAI-Organization": ("OPENAI_ORGANIZATION", "OPENAI_ORG_ID"),
    "OpenAI-Project": ("OPENAI_PROJECT_ID", "OPENAI_PROJECT"),
}


def _is_set(variables: Iterable[str]) -> bool:
    return any(os.environ.get(name) for name in variables)


def load_litellm() -> Any:
    """Import LiteLLM without its network fetch of prices and without its chatter."""
    with _IMPORT:
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        litellm: Any = importlib.import_module("litellm")
        litellm.suppress_debug_info = True
        return litellm


class LiteLLMProvider:
    """Any model that LiteLLM can name, and any OpenAI-compatible address."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.address = settings.base_url.rstrip("/")

    async def send(self, request: Request, on_delta: DeltaCallback | None) -> Reply:
        litellm = load_litellm()
        arguments = self._arguments(litellm, request)
        if on_delta is not None:
            arguments |= {"stream": True, "stream_options": {"include_usage": True}}
        openai_error = importlib.import_module("openai").OpenAIError
        try:
            # LiteLLM's own timeout bounds the silence between two pieces only.
            async with asyncio.timeout(self.settings.timeout):
                response = await litellm.acompletion(**arguments)
                if on_delta is None:
                    return _reply(response)
                response, refusal = await _gather(litellm, response, arguments["messages"], on_delta)
                return replace(_reply(response), refusal=refusal)
        except openai_error as error:
            failure = translated(litellm, error, request.model, self.settings)
        except TimeoutError:
            failure = TransientFailure(f"no whole reply within {self.settings.timeout:g} s", answered=False)
        raise failure  # outside of the handler: the error it stands for may hold a key

    def _arguments(self, litellm: Any, request: Request) -> dict[str, Any]:
        settings = self.settings
        arguments = request.to_json()
        arguments["model"] = _routed(litellm, request.model, self.address)
        arguments |= {"timeout": _timeout(settings.timeout), "max_retries": 0, "num_retries": 0, "drop_params": True}
        if self.address:
            arguments |= {"api_base": self.address, "api_key": settings.api_key.reveal() or _NO_KEY}
            arguments["extra_headers"] = {name: "" for name, variables in _ACCOUNT.items() if _is_set(variables)}
        elif settings.api_key:
            arguments["api_key"] = settings.api_key.reveal()
        if settings.headers:
            arguments["extra_headers"] = {**arguments.get("extra_headers", {}), **settings.headers}
        return arguments

    def price(self, model: str, prompt_tokens: int, cached_tokens: int, completion_tokens: int) -> float | None:
        settings = self.settings
        if settings.prompt_price is not None and settings.completion_price is not None:
            return (prompt_tokens * settings.prompt_price + completion_tokens * settings.completion_price) / 1e6
        litellm = load_litellm()
        usage = litellm.Usage(
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            total_tokens=prompt_tokens + completion_tokens,
            prompt_tokens_details={"cached_tokens": cached_tokens},
        )
        response = litellm.ModelResponse(model=model, usage=usage)
        try:
            return float(litellm.completion_cost(completion_response=response, model=_priced_name(litellm, model)))
        except (ValueError, KeyError, litellm.exceptions.ModelNotMappedError, litellm.exceptions.BadRequestError):
            return None

    def abilities(self, model: str) -> Abilities:
        if self.settings.base_url and "/" not in model:
            return Abilities()  # a name of somebody's own server
        litellm = load_litellm()
        known = litellm.model_cost.get(_priced_name(litellm, model), {})  # get_model_info would ask a local server
        context = known.get("max_input_tokens")
        return Abilities(
            known.get("supports_function_calling"),
            known.get("supports_vision"),
            context if isinstance(context, int) else None,
        )


def _timeout(seconds: float) -> Any:
    return importlib.import_module("httpx").Timeout(seconds, connect=min(seconds, _CONNECT))


def _routed(litellm: Any, model: str, address: str) -> str:
    """A model at an address of its own speaks the OpenAI protocol unless its name begins with another provider's."""
    if not address:
        return model
    provider = model.split("/", 1)[0]
    known = {getattr(item, "value", item) for item in litellm.provider_list}
    return model if "/" in model and provider in known else f"openai/{model}"


def _priced_name(litellm: Any, model: str) -> str:
    if model not in litellm.model_cost and model.rsplit("/", 1)[-1] in litellm.model_cost:
        return model.rsplit("/", 1)[-1]
    return model


async def _gather(litellm: Any, stream: Any, messages: Any, on_delta: DeltaCallback) -> tuple[Any, str]:
    """Pass the pieces on, and build the whole response from them; with the words of a refusal, which LiteLLM leaves out of it."""
    chunks, heard = [], _Refusals(stream.completion_stream)
    stream.completion_stream = heard
    async for chunk in stream:
        chunks.append(chunk)
        for choice in chunk.choices:
            text = choice.delta.content or ""
            thinking = getattr(choice.delta, "reasoning_content", None) or ""
            if text or thinking:
                on_delta(Delta(text, thinking))
    if not any(choice.finish_reason for chunk in chunks for choice in chunk.choices):
        raise TransientFailure("the stream ended before the reply did", answered=False)
    return litellm.stream_chunk_builder(chunks, messages=messages), heard.words


class _Refusals:
    """The provider's own stream, listened to: LiteLLM passes no piece on that holds a refusal alone."""

    def __init__(self, stream: Any) -> None:
        self._stream, self.words = stream, ""

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Any:
        chunk = await anext(self._stream)
        for choice in getattr(chunk, "choices", None) or ():
            self.words += _refusal(getattr(choice, "delta", None))
        return chunk

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _refusal(message: Any) -> str:
    apart = getattr(message, "provider_specific_fields", None)
    return str(getattr(message, "refusal", None) or (apart or {}).get("refusal") or "")


def _reply(response: Any) -> Reply:
    if response is None or not response.choices:
        raise TransientFailure("the response holds no choice", answered=False)
    choice = response.choices[0]
    message = choice.message
    calls = tuple(
        ToolCall(call.id or f"call_{index}", call.function.name or "", call.function.arguments or "")
        for index, call in enumerate(message.tool_calls or ())
    )
    return Reply(
        text=message.content or "",
        tool_calls=calls,
        finish_reason=choice.finish_reason or "stop",
        thinking=getattr(message, "reasoning_content", None) or "",
        refusal=_refusal(message),
        usage=_usage(getattr(response, "usage", None)),
    )


def _usage(usage: Any) -> Usage:
    details = getattr(usage, "prompt_tokens_details", None)
    return Usage(
        calls=1,
        prompt_tokens=getattr(usage, "prompt_tokens", 0) or 0,
        cached_tokens=getattr(details, "cached_tokens", 0) or 0,
        completion_tokens=getattr(usage, "completion_tokens", 0) or 0,
    )
