"""Which models a client uses, as its caller names them."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pageindex.app.library import Library, root_of
from pageindex.config import Settings
from pageindex.errors import SettingsError

__all__ = ["ModelChoice", "ModelOptions"]

_LOG = logging.getLogger(__name__)

ModelOptions = str | Mapping[str, Any] | None
"""A LiteLLM name, or settings of :class:`pageindex.config.Settings` with ``model`` among them."""


@dataclass(frozen=True)
class ModelChoice:
    """The settings of one task. What the caller gives wins over the environment, and that over ``pageindex.toml``.

    Attributes:
        task: ``index`` or ``chat``.
        given: Fields of ``Settings``.
    """

    task: str
    given: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, task: str, options: ModelOptions, name: str | None, both: str | None) -> ModelChoice:
        """From ``index=`` or ``chat=``, ``index_model=`` or ``chat_model=``, and ``model=``; the narrower one wins."""
        given: dict[str, Any] = {"model": options} if isinstance(options, str) else dict(options or {})
        if name and given.get("model") and given["model"] != name:
            raise SettingsError(
                f"{task} names {given['model']!r} and {task}_model names {name!r}", "Give one of the two."
            )
        chosen = name or given.pop("model", None) or both
        given.pop("model", None)
        return cls(task, {**given, f"{task}_model": chosen} if chosen else given)

    @property
    def name(self) -> str | None:
        """The model as the caller named it; None where that is left to the environment or the file."""
        return self.given.get(f"{self.task}_model")

    def settings(self, library: Library) -> Settings:
        """All settings of the task, looked up now; a ``pageindex.toml`` beside the library counts.

        What a person should know of where they are from is logged as a warning.

        Raises:
            SettingsError: One of them means nothing.
        """
        settings = Settings.load(library=root_of(library), **self.given)
        for note in settings.notes:
            _LOG.warning("%s", note)
        return settings
