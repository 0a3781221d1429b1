"""Settings: one explicit object, made of what the caller gives, then the environment, then ``pageindex.toml``, then defaults.

Nothing else in the package looks a setting up; what is in a :class:`Settings` object is what is used, all the way to the provider.
"""

from __future__ import annotations

import difflib
import json
import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Self

from pageindex.errors import SettingsError

__all__ = ["CONFIG_FILE", "ENVIRONMENT_PREFIX", "Mode", "Optimize", "Secret", "Settings", "SummaryMode"]

CONFIG_FILE = "pageindex.toml"
ENVIRONMENT_PREFIX = "PAGEINDEX_"


class Mode(StrEnum):
    """How a tree is found."""

    FLASH = "flash"  # never by a model
    STANDARD = "standard"  # by a model where the document itself gives nothing usable


class Optimize(StrEnum):
    """What is done to a tree to make it cheaper to read."""

    OFF = "off"
    MERGE = "merge"  # collapse subsections that cost more to list than to read; needs no model
    FULL = "full"  # merge, and let a model propose subsections for large sections


class SummaryMode(StrEnum):
    """Where summaries come from."""

    NONE = "none"
    TEXT = "text"  # the sections' own words
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class Secret:
    """A value that is never shown by ``repr``, ``str`` or a log line; ``reveal`` gives it."""

    _value: str

    def reveal(self) -> str:
        return self._value

    def __bool__(self) -> bool:
        return bool(self._value)

    def __repr__(self) -> str:
        return "Secret('***')" if self._value else "Secret('')"

    __str__ = __repr__


@dataclass(frozen=True)
class Settings:
    """Everything that can be set about models and refinement.

    Attributes:
        model: LiteLLM name of the model for indexing and chat, such as ``openai/gpt-4o-mini``; empty for none.
        index_model: Model for indexing, where it differs.
        chat_model: Model for chat, where it differs.
        base_url: Address of an OpenAI-compatible (or the named provider's) API; empty for the provider's own.
        api_key: Key sent to that address. With a ``base_url``, a key found in a provider's environment variable is never sent.
        headers: Extra HTTP headers of every request.
        timeout: Seconds for one request.
        concurrency: Most requests under way at once.
        retries: Attempts after the first.
        max_wait: Longest wait before an attempt, in seconds; a provider that asks for more counts as unavailable.
        budget_tokens: Most tokens (prompt + completion) of all calls together; none for no limit.
        budget_usd: Most money of all calls together, in US dollars; none for no limit.
        prompt_price: US dollars per million prompt tokens, where LiteLLM does not know the model.
        completion_price: US dollars per million completion tokens, likewise.
        temperature: Sampling temperature; none leaves it to the provider.
        prompt_tokens: Most tokens of one prompt; longer texts go in parts.
        reply_tokens: Most tokens of one reply.
        mode: ``flash`` or ``standard``.
        optimize: ``off``, ``merge`` or ``full``; none means full with a model and off without.
        summaries: ``none``, ``text`` or ``model``; none set means model with a model and text without.
        min_gain_tokens: Expected tokens that an expansion must save per read, at least.
        min_gain_ratio: Share of the section's cost that an expansion must save, at least (0-1).
        expand_tokens: Sections with less text of their own are never sent to a model for expansion.
        summary_threshold: Sections of at most so many tokens are their own summary.
        summary_tokens: Tokens of a summary that a model is asked for.
        outline_tokens: Tokens of outline that a reader is shown in one reply.
        language: Language of summaries as a BCP 47 tag; empty for the document's own.
    """

    model: str = ""
    index_model: str = ""
    chat_model: str = ""
    base_url: str = ""
    api_key: Secret = Secret("")
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout: float = 120.0
    concurrency: int = 4
    retries: int = 5
    max_wait: float = 120.0
    budget_tokens: int | None = None
    budget_usd: float | None = None
    prompt_price: float | None = None
    completion_price: float | None = None
    temperature: float | None = 0.0
    prompt_tokens: int = 12_000
    reply_tokens: int = 2_000
    mode: Mode = Mode.FLASH
    optimize: Optimize | None = None
    summaries: SummaryMode | None = None
    min_gain_tokens: int = 200
    min_gain_ratio: float = 0.1
    expand_tokens: int = 2_000
    summary_threshold: int = 120
    summary_tokens: int = 60
    outline_tokens: int = 8_000
    language: str = ""

    def __post_init__(self) -> None:
        for name, least in _LEAST.items():
            value = getattr(self, name)
            if value is not None and value < least:
                raise SettingsError(f"{name} is {value}", f"Give {name} a value of at least {least}.")
        if self.min_gain_ratio > 1:
            raise SettingsError(f"min_gain_ratio is {self.min_gain_ratio}", "Give a share between 0 and 1.")

    @classmethod
    def load(
        cls,
        *,
        file: Path | None = None,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        **given: Any,
    ) -> Self:
        """Settings from all four places; a given value of None means "not given".

        Args:
            file: A configuration file; it must exist.
            folder: Where the search for ``pageindex.toml`` begins, upwards; the working folder by default.
                ``$PAGEINDEX_CONFIG`` names a file instead.
            environment: Instead of ``os.environ``.
            given: Fields of this class, as their own types or as strings.

        Raises SettingsError for an unknown name, a value that means nothing, or a file that is not TOML.
        """
        env = os.environ if environment is None else environment
        found = file or _config_path(env, folder or Path.cwd())
        values: dict[str, Any] = {}
        if found is not None:
            values |= _checked(_read_toml(found), str(found))
        values |= _checked(_from_environment(env), "the environment")
        values |= _checked({name: value for name, value in given.items() if value is not None}, "the caller")
        return cls(**values)

    def changed(self, **given: Any) -> Self:
        """A copy with other values; None means "not given"."""
        return replace(self, **_checked({k: v for k, v in given.items() if v is not None}, "the caller"))

    @property
    def for_index(self) -> str:
        """Name of the model that indexes; empty for none."""
        return self.index_model or self.model

    @property
    def for_chat(self) -> str:
        """Name of the model that chats; empty for none."""
        return self.chat_model or self.model

    def to_json(self) -> dict[str, Any]:
        """All values, with the key and the values of headers masked."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        values["api_key"] = "***" if self.api_key else ""
        values["headers"] = dict.fromkeys(self.headers, "***")
        return values

    def __repr__(self) -> str:
        shown = (f"{f.name}={self.to_json()[f.name]!r}" for f in fields(self) if getattr(self, f.name) != _default(f))
        return f"Settings({', '.join(shown)})"


_LEAST: Mapping[str, float] = {
    "timeout": 0.001,
    "concurrency": 1,
    "retries": 0,
    "max_wait": 0,
    "budget_tokens": 0,
    "budget_usd": 0,
    "prompt_price": 0,
    "completion_price": 0,
    "temperature": 0,
    "prompt_tokens": 500,
    "reply_tokens": 50,
    "min_gain_tokens": 0,
    "min_gain_ratio": 0,
    "expand_tokens": 1,
    "summary_threshold": 0,
    "summary_tokens": 10,
    "outline_tokens": 100,
}


def _default(f: Any) -> Any:
    return {} if f.name == "headers" else f.default


def _headers(value: Any) -> Mapping[str, str]:
    table = json.loads(value) if isinstance(value, str) else value
    if not isinstance(table, Mapping) or not all(isinstance(item, str) for item in table.values()):
        raise ValueError("headers are a table of names and texts")
    return dict(table)


def _secret(value: Any) -> Secret:
    return value if isinstance(value, Secret) else Secret(_text(value))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value.strip()


def _whole(value: Any) -> int:
    if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
        raise ValueError("not a whole number")
    return int(value.replace("_", "") if isinstance(value, str) else value)


def _number(value: Any) -> float:
    if isinstance(value, bool):
        raise TypeError("not a number")
    number = float(value)
    if not 0 <= number < float("inf"):
        raise ValueError("not a number of at least 0")
    return number


def _converters() -> dict[str, Callable[[Any], Any]]:
    by_type: dict[str, Callable[[Any], Any]] = {
        "str": _text,
        "Secret": _secret,
        "Mapping[str, str]": _headers,
        "int": _whole,
        "float": _number,
        "Mode": Mode,
        "Optimize": Optimize,
        "SummaryMode": SummaryMode,
    }
    return {f.name: by_type[str(f.type).removesuffix(" | None")] for f in fields(Settings)}


def _checked(values: Mapping[str, Any], place: str) -> dict[str, Any]:
    convert, checked = _converters(), {}
    for name, value in values.items():
        if name not in convert:
            near = difflib.get_close_matches(name, convert, 1)
            raise SettingsError(
                f"unknown setting {name!r} in {place}",
                f"Did you mean {near[0]!r}?" if near else f"Settings are: {', '.join(sorted(convert))}.",
            )
        try:
            checked[name] = convert[name](value)
        except (ValueError, TypeError) as error:
            shown = "***" if name in ("api_key", "headers") else repr(value)
            raise SettingsError(f"{name} = {shown} in {place}: {error}", f"Correct {name} in {place}.") from None
    return checked


def _from_environment(environment: Mapping[str, str]) -> dict[str, str]:
    names = {f"{ENVIRONMENT_PREFIX}{f.name.upper()}": f.name for f in fields(Settings)}
    return {name: environment[variable] for variable, name in names.items() if environment.get(variable)}


def _config_path(environment: Mapping[str, str], folder: Path) -> Path | None:
    if named := environment.get(f"{ENVIRONMENT_PREFIX}CONFIG"):
        return Path(named)
    return next((place / CONFIG_FILE for place in (folder, *folder.parents) if (place / CONFIG_FILE).is_file()), None)


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}", "Name a readable file.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is not TOML: {error}", "Correct the file.") from error
