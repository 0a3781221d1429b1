"""What can be set about models, reading, refining and answering. Each field is the one place where its setting is declared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Self

from pageindex.config.declare import Kind, Option, declared, options_of
from pageindex.config.secrets import MASK, Secret, mask
from pageindex.errors import SettingsError
from pageindex.limits import DEFAULT_LIMITS, Limits

__all__ = ["AnswerMode", "Mode", "Optimize", "Settings", "SummaryMode", "ToolMode"]


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


class ToolMode(StrEnum):
    """How a model that answers makes its tool calls."""

    AUTO = "auto"  # natively; in JSON when the provider refuses tools
    NATIVE = "native"
    JSON = "json"  # one JSON object per reply, constrained by a schema where the provider can


class AnswerMode(StrEnum):
    """How an answer is reached."""

    AUTO = "auto"  # once for models that call no tools, small contexts and tight budgets, else by the loop
    LOOP = "loop"  # the model searches and reads with tools
    ONCE = "once"  # one call over the passages that a search finds


_INDEX, _ADD, _CHAT, _BOTH = ("index",), ("add",), ("chat",), ("index", "chat")


@dataclass(frozen=True)
class Settings:
    """Everything that can be set; ``docs/settings.md`` lists the fields with their meaning.

    ``Settings(...)`` takes values as they are; ``Settings.load`` looks in the environment and in files, too. A value that means nothing
    raises SettingsError.
    """

    model: str = declared(
        "",
        "Language model, by LiteLLM's name, for indexing and chat. Default: as set in the environment or pageindex.toml, else none.",
        commands=_BOTH,
        unset="none",
    )
    index_model: str = declared("", "Model for indexing, where it differs.", unset="`model`")
    chat_model: str = declared("", "Model for chat, where it differs.", unset="`model`")
    base_url: str = declared(
        "",
        "Address of an OpenAI-compatible (or the named provider's) API.",
        commands=_BOTH,
        unset="the provider's own",
    )
    api_key: Secret = declared(
        Secret(""),
        "Key sent to that address.",
        unset="the provider's own variable, where base_url is not set",
        secret=True,
        variable="PAGEINDEX_MODEL_API_KEY",  # PAGEINDEX_API_KEY is another service's, in many environments
    )
    headers: Mapping[str, str] = declared({}, "Extra HTTP headers of every request.", unset="none", secret=True)
    timeout: float = declared(120.0, "Seconds for one request.", least=0.001)
    concurrency: int = declared(4, "Calls under way at once.", least=1, commands=_INDEX)
    retries: int = declared(5, "Attempts after the first.", least=0)
    max_wait: float = declared(
        120.0,
        "Longest wait before an attempt, in seconds; a provider that asks for more counts as unavailable.",
        least=0,
    )
    budget_tokens: int | None = declared(
        None, "Most tokens of all calls together.", least=0, commands=_BOTH, unset="no limit"
    )
    budget_usd: float | None = declared(
        None, "Most US dollars of all calls together.", least=0, commands=_BOTH, unset="no limit"
    )
    prompt_price: float | None = declared(None, "US dollars per million prompt tokens.", least=0, unset="LiteLLM's")
    completion_price: float | None = declared(
        None, "US dollars per million completion tokens.", least=0, unset="LiteLLM's"
    )
    temperature: float | None = declared(0.0, "Sampling temperature.", least=0)
    prompt_tokens: int = declared(12_000, "Most tokens of one prompt; longer texts go in parts.", least=500)
    reply_tokens: int = declared(2_000, "Most tokens of one reply.", least=50)
    mode: Mode = declared(
        Mode.FLASH,
        "standard lets a model propose the tree where the document itself gives nothing.",
        Kind.REFINE,
        commands=_INDEX,
    )
    optimize: Optimize | None = declared(
        None,
        "Make the tree cheaper to read: merge needs no model; full, the default with one, also asks it for subsections.",
        Kind.REFINE,
        commands=_INDEX,
        unset="`full` with a model, else `off`",
    )
    summaries: SummaryMode | None = declared(
        None,
        "Where summaries come from: text is a section's own words, the default without a model.",
        Kind.SUMMARY,
        commands=_INDEX,
        unset="`model` with a model, else `text`",
    )
    min_gain_tokens: int = declared(
        200, "Expected tokens that splitting a section must save per read, at least.", Kind.REFINE, least=0
    )
    min_gain_ratio: float = declared(
        0.1, "Share of a section's cost that splitting it must save, at least.", Kind.REFINE, least=0, most=1
    )
    expand_tokens: int = declared(
        2_000, "Sections with less text of their own are never sent to a model to be split.", Kind.REFINE, least=1
    )
    summary_threshold: int = declared(
        120, "Sections of at most so many tokens are their own summary.", Kind.WORDS, least=0
    )
    summary_tokens: int = declared(60, "Tokens of a summary.", Kind.WORDS, least=10)
    outline_tokens: int = declared(
        8_000, "Tokens of outline that a reader is shown in one reply.", Kind.REFINE, least=100
    )
    language: str = declared("", "Language of summaries, as a BCP 47 tag.", Kind.SUMMARY, unset="the document's own")
    seconds: float = declared(
        DEFAULT_LIMITS.seconds, "Most CPU seconds to read one file.", Kind.LIMIT, commands=_ADD, least=0.1
    )
    max_turns: int = declared(12, "Most rounds of reading for one answer.", Kind.ANSWER, commands=_CHAT, least=0)
    conversation_tokens: int = declared(
        100_000, "Most tokens of a conversation, prompt and answer included.", Kind.ANSWER, commands=_CHAT, least=1
    )
    answer_mode: AnswerMode = declared(
        AnswerMode.AUTO,
        "How an answer is reached: once is one call over the passages that a search finds, loop lets the model search and read; auto goes by "
        "what the model can do and by the budget.",
        Kind.ANSWER,
        commands=_CHAT,
        spelled="--mode",
    )
    passage_tokens: int = declared(
        1_500, "Tokens of the passages that one call sends.", Kind.ANSWER, commands=_CHAT, least=100
    )
    tools: ToolMode = declared(
        ToolMode.AUTO,
        "How the model calls tools: json is for models that cannot call any.",
        Kind.ANSWER,
        commands=_CHAT,
    )
    vision: bool = declared(False, "Let the model look at pictures of pages.", Kind.ANSWER, commands=_CHAT)
    judge: bool = declared(
        False,
        "Ask the model once more whether the answer follows from its passages; changes no verdict.",
        Kind.ANSWER,
        commands=_CHAT,
    )
    allow: tuple[str, ...] = declared(
        (), "Folders from which callers of a server may have files taken in.", Kind.SERVER, unset="none"
    )
    notes: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """What a person should know of how these values came about: files that were passed over, keys that are withheld."""

    def __post_init__(self) -> None:
        for name, option in options_of(type(self)).items():
            value = getattr(self, name)
            if not isinstance(value, int | float) or isinstance(value, bool):
                continue
            if (option.least is not None and value < option.least) or (option.most is not None and value > option.most):
                raise SettingsError(f"{name} is {value}", f"Give {name} a value {option.bounds()}.")

    @classmethod
    def load(cls, **places: Any) -> Settings:
        """Settings from all places where they may be set, as :func:`pageindex.config.load` finds them."""
        from pageindex.config.sources import load

        return load(**places).settings

    def changed(self, **given: Any) -> Self:
        """A copy with other values; None means "not given"."""
        from pageindex.config.values import converted

        return replace(self, **converted(type(self), _present(given), "the caller"))

    @property
    def for_index(self) -> str:
        """Name of the model that indexes; empty for none."""
        return self.index_model or self.model

    @property
    def for_chat(self) -> str:
        """Name of the model that chats; empty for none."""
        return self.chat_model or self.model

    @property
    def limits(self) -> Limits:
        """The limits under which one file is read."""
        return replace(DEFAULT_LIMITS, seconds=self.seconds)

    def shape(self, *kinds: Kind) -> dict[str, Any]:
        """The values, other than their defaults, that change a result of these kinds: part of what "unchanged" compares.

        Defaults are left out, so that an option which is added later changes the identity of nothing that is stored.
        """
        values = {name: getattr(self, name) for name, option in options_of(type(self)).items() if option.kind in kinds}
        return {name: value for name, value in values.items() if value != _default(self, name)}

    def only(self, *kinds: Kind) -> Self:
        """These settings with everything of other kinds at its default: what may be sent to a worker, and be recorded."""
        return type(self)(**self.shape(*kinds))

    def to_json(self) -> dict[str, Any]:
        """All values, with keys masked."""
        return {name: self.shown(option) for name, option in options_of(type(self)).items()}

    def shown(self, option: Option) -> Any:
        """A value as it may be shown."""
        value = getattr(self, option.name)
        if isinstance(value, Mapping):
            return dict.fromkeys(value, MASK)
        if option.secret:
            return MASK if value else ""
        return mask(value, self.api_key) if isinstance(value, str) and not option.values else value

    def __repr__(self) -> str:
        shown = self.to_json()
        changed = (f"{name}={shown[name]!r}" for name in shown if getattr(self, name) != _default(self, name))
        return f"Settings({', '.join(changed)})"


def _default(settings: Settings, name: str) -> Any:
    return options_of(type(settings))[name].default


def _present(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if value is not None}
