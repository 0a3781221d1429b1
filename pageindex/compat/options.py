"""Constructor options of the public client in terms of our settings."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from pageindex.compat.refusals import KEY_REFUSED, no_counterpart
from pageindex.errors import SettingsError

__all__ = ["chat_side", "index_side", "refuse_key"]

_LOG = logging.getLogger(__name__)
_TOKENS_PER_WORD = 4 / 3  # of English prose, roughly
_CLOUD = ("cloud", "pageindex-cloud")
#: Settings that say where a model is reached; a ``backend`` of the public client holds the same under these names.
_BACKEND = {"base_url": "base_url", "api_base": "base_url", "api_key": "api_key", "default_headers": "headers", "headers": "headers", "timeout": "timeout"}  # fmt: skip


def refuse_key(api_key: str | None) -> None:
    """Refuse a key of the hosted service: it is used for nothing, sent nowhere and kept nowhere.

    Raises:
        SettingsError: A key was given. The message does not repeat it.
    """
    if api_key is not None:
        raise SettingsError("api_key is a key of the hosted service, which this client does not use", KEY_REFUSED)


def index_side(
    given: str | Mapping[str, Any] | None,
    *,
    summary_max_words: int | None,
    summary_concurrency: int | None,
    summary_model: str | None,
    summary_reasoning_effort: str | None,
    use_embedded_toc: bool | None,
    optimize: str | bool | None,
    backend: Mapping[str, Any] | None,
) -> tuple[dict[str, Any], str | None]:
    """Our settings for indexing, with the folder of the library where the options name one.

    Raises:
        SettingsError: An option asks for what is not done here, or for the hosted service.
    """
    options = _grouped("index", given)
    folder = options.pop("storage_path", None)
    flat = {
        "summary_max_words": summary_max_words,
        "summary_concurrency": summary_concurrency,
        "summary_model": summary_model,
        "summary_reasoning_effort": summary_reasoning_effort,
        "use_embedded_toc": use_embedded_toc,
        "optimize": optimize,
        "backend": backend,
    }
    options |= {name: value for name, value in flat.items() if value is not None}
    words = options.pop("summary_max_words", None)
    if words is not None:
        options["summary_tokens"] = max(10, round(int(words) * _TOKENS_PER_WORD))
    if (calls := options.pop("summary_concurrency", None)) is not None:
        options["concurrency"] = calls
    if (model := options.pop("summary_model", None)) is not None:
        options["model"] = _one_model(options.get("model"), model)
    if options.pop("summary_reasoning_effort", None) is not None:
        _LOG.warning("summary_reasoning_effort is without meaning here: a model is asked with its own default")
    if options.pop("use_embedded_toc", True) is False:
        step = "Leave it out: bookmarks are one source among others, and are left aside where they do not hold."
        raise SettingsError("use_embedded_toc=False is not possible here", step)
    if "optimize" in options:
        options["optimize"] = {True: "full", False: "off"}.get(options["optimize"], options["optimize"])
    return _with_backend(options), folder


def chat_side(
    given: str | Mapping[str, Any] | None, *, retrieve_model: str | None, backend: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Our settings for answering; errors as ``index_side``."""
    options = _grouped("chat", given)
    if retrieve_model is not None:
        options["model"] = _one_model(options.get("model"), retrieve_model)
    if backend is not None:
        options["backend"] = backend
    return _with_backend(options)


def _grouped(side: str, given: str | Mapping[str, Any] | None) -> dict[str, Any]:
    """``index=`` or ``chat=`` as settings."""
    if isinstance(given, str):
        given = {"mode": given} if given in (*_CLOUD, "local") else {"model": given}
    options = dict(given or {})
    if options.get("mode") in _CLOUD:
        no_counterpart(f"{side}={options['mode']!r}", KEY_REFUSED)
    if options.get("mode") == "local":
        del options["mode"]
    return options


def _one_model(named: str | None, other: str) -> str:
    if named is not None and named != other:
        step = "Give one model for the work of a side; another needs another client."
        raise SettingsError(f"two models are named, {named!r} and {other!r}", step)
    return other


def _with_backend(options: dict[str, Any]) -> dict[str, Any]:
    backend = options.pop("backend", None) or {}
    for name, value in backend.items():
        if name not in _BACKEND:
            raise SettingsError(f"a backend has no {name!r} here", f"Use {', '.join(sorted(set(_BACKEND.values())))}.")
        options[_BACKEND[name]] = value
    return options
