"""What a failed call means: an error of LiteLLM as one of ours, in the provider's words without keys."""

from __future__ import annotations

import email.utils
import os
import re
import socket
import time
from collections.abc import Iterator, Mapping
from typing import Any

from pageindex.config import Settings, mask
from pageindex.errors import CredentialError, ModelRequestError
from pageindex.llm.provider import TransientFailure
from pageindex.llm.refusals import too_long

__all__ = ["retry_after", "translated"]

#: LiteLLM puts its own class names before the provider's words: "litellm.RateLimitError: RateLimitError: OpenAIException - …".
_PREFIX = re.compile(r"^(?:[\w.]*(?:Error|Exception|litellm)[\w.]*(?:: | - ))+")
_KEY_NAME = re.compile(r"KEY|TOKEN|SECRET|CREDENTIAL")
_MOST_WORDS = 1_000  # characters of a provider's own words that are kept


def translated(
    litellm: Any, error: Any, model: str, settings: Settings
) -> CredentialError | ModelRequestError | TransientFailure:
    """An error of LiteLLM as one of ours. A key that the provider repeats is masked."""
    words = _words(error, settings)
    status = getattr(error, "status_code", None)
    headers = _headers(error)
    unset = [] if settings.base_url or settings.api_key else _unset_keys(litellm, model)
    if unset and headers is None and not _unreachable(error):
        names = " and ".join(unset)
        return CredentialError(
            f"no key is set for the model {model}: {names} is missing", f"Set {names}, or api_key in pageindex.toml."
        )
    if status in (401, 403) or _code(error) == "insufficient_quota":  # a 429 that no waiting cures
        return CredentialError(
            f"the provider refused the key: {words}", _key_step(litellm, model, settings), status=status
        )
    if status == 404:
        step = "Check the model's name and the base URL."
        return ModelRequestError(f"the provider knows no such model: {words}", step, code="MODEL_NOT_FOUND")
    if status in (400, 413, 422) and too_long(words):
        step = "Give less text in one prompt: lower prompt_tokens."
        return ModelRequestError(f"the prompt is too long for the model: {words}", step, code="CONTEXT_TOO_LONG")
    if status in (400, 402, 413, 422):
        step = "Change the request: the same one would be refused again."
        return ModelRequestError(f"the provider refused the request: {words}", step, status=status)
    if headers is None and _unreachable(error):
        place = mask(settings.base_url) or f"the provider of {model}"
        return TransientFailure(f"nothing answers at {place}: {words}", unreachable=True)
    # LiteLLM reports a broken connection as status 500, too; only a true answer has headers.
    return TransientFailure(words, retry_after=retry_after(headers), answered=headers is not None)


def _words(error: Any, settings: Settings) -> str:
    words = _PREFIX.sub("", str(getattr(error, "message", "") or error)).strip()
    cause = next((item for item in _causes(error) if isinstance(item, OSError) and item.strerror), None)
    if cause is not None and "connection error" in words.lower():
        words = str(cause.strerror)
    secrets = [value for header in settings.headers.values() for value in (header, header.rpartition(" ")[2])]
    return mask(words, settings.api_key, *secrets)[:_MOST_WORDS]


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and what it was raised from, at most ten deep."""
    cause: BaseException | None = error
    for _ in range(10):
        if cause is None:
            return
        yield cause
        cause = cause.__cause__ or cause.__context__


def _unreachable(error: BaseException) -> bool:
    """Whether no connection came about: refused, no such host, no route, no handshake in time."""
    names = {
        "ConnectError",
        "ConnectTimeout",
        "ClientConnectorError",
        "ClientConnectorDNSError",
        "ConnectionTimeoutError",
    }
    return any(
        type(cause).__name__ in names or isinstance(cause, ConnectionRefusedError | socket.gaierror)
        for cause in _causes(error)
    )


def _unset_keys(litellm: Any, model: str) -> list[str]:
    """Variables of the model's provider that hold keys and are not set."""
    missing = litellm.validate_environment(model).get("missing_keys") or []
    return [str(name) for name in missing if _KEY_NAME.search(str(name))]


def _key_step(litellm: Any, model: str, settings: Settings) -> str:
    """Where the key that was refused came from, and where one belongs."""
    if settings.api_key:
        return "Correct api_key: PAGEINDEX_MODEL_API_KEY, or pageindex.toml."
    if settings.base_url:
        return "Set PAGEINDEX_MODEL_API_KEY, or api_key in pageindex.toml: no key was sent, and the providers' own variables are not for this address."
    if unset := _unset_keys(litellm, model):
        return f"Set {' and '.join(unset)}."
    try:
        provider = str(litellm.get_llm_provider(model)[1])
    except litellm.exceptions.BadRequestError:
        return ""
    name = f"{re.sub(r'[^A-Z0-9]', '_', provider.upper())}_API_KEY"
    return f"Correct {name} in the environment." if name in os.environ else ""


def _code(error: Any) -> str:
    """The provider's own code of an error, where its body has one."""
    body = getattr(error, "body", None)
    return str(body.get("code") or "") if isinstance(body, Mapping) else ""


def _headers(error: Any) -> Mapping[str, str] | None:
    headers = getattr(error, "litellm_response_headers", None)
    if headers is None:
        headers = getattr(getattr(error, "response", None), "headers", None)
    return headers or None


def retry_after(headers: Mapping[str, str] | None) -> float | None:
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
