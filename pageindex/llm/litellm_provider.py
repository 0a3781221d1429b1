"""The only module that touches LiteLLM, which costs four CPU seconds to import and is imported when a model is called."""

from __future__ import annotations

import email.utils
import importlib
import os
import re
import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pageindex.config import Settings
from pageindex.errors import CredentialError, ModelRequestError
from pageindex.llm.messages import Delta, DeltaCallback, Reply, Request, ToolCall
from pageindex.llm.provider import TransientFailure
from pageindex.llm.usage import Usage

__all__ = ["LiteLLMProvider", "load_litellm"]

_IMPORT = threading.Lock()
#: LiteLLM puts its own class names before the provider's words: "litellm.RateLimitError: RateLimitError: OpenAIException - …".
_PREFIX = re.compile(r"^(?:[\w.]*(?:Error|Exception|litellm)[\w.]*(?:: | - ))+")
_NO_KEY = "none"  # what an address without a key is sent, so that no key of the environment is


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
            response = await litellm.acompletion(**arguments)
            if on_delta is not None:
                response = await _gather(litellm, response, arguments["messages"], on_delta)
        except openai_error as error:
            raise _translated(error) from error
        except TimeoutError as error:
            raise TransientFailure(f"no reply in time: {error}", answered=False) from error
        return self._priced(request.model, _reply(response))

    def _arguments(self, litellm: Any, request: Request) -> dict[str, Any]:
        settings = self.settings
        arguments = request.to_json()
        arguments["model"] = _routed(litellm, request.model, self.address)
        arguments |= {"timeout": settings.timeout, "max_retries": 0, "num_retries": 0, "drop_params": True}
        if self.address:
            arguments |= {"api_base": self.address, "api_key": settings.api_key.reveal() or _NO_KEY}
        elif settings.api_key:
            arguments["api_key"] = settings.api_key.reveal()
        if settings.headers:
            arguments["extra_headers"] = dict(settings.headers)
        return arguments

    def _priced(self, model: str, reply: Reply) -> Reply:
        usage = reply.usage
        usd = self.price(model, usage.prompt_tokens, usage.cached_tokens, usage.completion_tokens)
        return replace(reply, usage=replace(usage, usd=usd or 0.0, unpriced=int(usd is None)))

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


async def _gather(litellm: Any, stream: Any, messages: Any, on_delta: DeltaCallback) -> Any:
    """Pass the pieces on, and build the whole response from them."""
    chunks = []
    async for chunk in stream:
        chunks.append(chunk)
        for choice in chunk.choices:
            text = choice.delta.content or ""
            thinking = getattr(choice.delta, "reasoning_content", None) or ""
            if text or thinking:
                on_delta(Delta(text, thinking))
    if not any(choice.finish_reason for chunk in chunks for choice in chunk.choices):
        raise TransientFailure("the stream ended before the reply did", answered=False)
    return litellm.stream_chunk_builder(chunks, messages=messages)


def _reply(response: Any) -> Reply:
    if response is None or not response.choices:
        raise TransientFailure("the response holds no choice")
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


def _translated(error: Any) -> CredentialError | ModelRequestError | TransientFailure:
    """An error of LiteLLM as one of ours, with the provider's own words."""
    words = _PREFIX.sub("", str(getattr(error, "message", "") or error)).strip()
    status = getattr(error, "status_code", None)
    headers = _headers(error)
    if status in (401, 403) or _code(error) == "insufficient_quota":  # a 429 that no waiting cures
        return CredentialError(f"the provider refused the key: {words}", status=status)
    if status == 404:
        return ModelRequestError(
            f"the provider knows no such model: {words}",
            "Check the model's name and the base URL.",
            code="MODEL_NOT_FOUND",
        )
    if status in (400, 402, 413, 422):
        step = "Change the request: the same one would be refused again."
        return ModelRequestError(f"the provider refused the request: {words}", step, status=status)
    # LiteLLM reports a broken connection as status 500, too; only a true answer has headers.
    return TransientFailure(words, retry_after=_retry_after(headers), answered=headers is not None)


def _code(error: Any) -> str:
    """The provider's own code of an error, where its body has one."""
    body = getattr(error, "body", None)
    return str(body.get("code") or "") if isinstance(body, Mapping) else ""


def _headers(error: Any) -> Mapping[str, str] | None:
    headers = getattr(error, "litellm_response_headers", None)
    if headers is None:
        headers = getattr(getattr(error, "response", None), "headers", None)
    return headers or None


def _retry_after(headers: Mapping[str, str] | None) -> float | None:
    """Seconds of a Retry-After header, in either of its two forms (RFC 9110, 10.2.3)."""
    value = (headers or {}).get("retry-after", "").strip()
    if not value:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, TypeError):
        return None
