"""The language models of a user's settings: one that indexes and one that answers, each with one budget for all its calls."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pageindex.app.library import Library, root_of
from pageindex.config import Settings
from pageindex.errors import SettingsError

if TYPE_CHECKING:
    from pageindex.llm import Model as Model

__all__ = ["answering_model", "indexing_model", "reply_cache"]


def indexing_model(settings: Settings) -> Model | None:
    """The model that indexes; None where the settings name none. Its budget holds for everything that is asked of it."""
    from pageindex.llm import Model

    return Model(settings) if settings.for_index else None


def answering_model(settings: Settings) -> Model:
    """The model that answers; raises SettingsError (NO_MODEL) where the settings name none."""
    from pageindex.llm import Model

    if not settings.for_chat:
        message = "no model is set"
        step = "Name one (--model, chat_model=), or look for passages without: ask."
        raise SettingsError(message, step, code="NO_MODEL")
    return Model(settings, name=settings.for_chat)


def reply_cache(library: Library) -> Path | None:
    """Where the replies of models are kept for a library on disk; None for one in memory."""
    root = root_of(library)
    return root / "cache" / "replies" if root is not None else None
