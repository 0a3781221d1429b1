"""The options of every command that may use a language model, and the settings made of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from pageindex.config import Settings

__all__ = [
    "BudgetTokensOption",
    "BudgetUsdOption",
    "ConcurrencyOption",
    "ModeOption",
    "ModelOption",
    "OptimizeOption",
    "SummariesOption",
    "settings_from",
]

ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        help="Language model, by LiteLLM's name. Default: as set in the environment or pageindex.toml, else none.",
    ),
]
OptimizeOption = Annotated[
    str | None,
    typer.Option(
        "--optimize",
        metavar="full|merge|off",
        help="Make the tree cheaper to read: merge needs no model; full, the default with one, also asks it for subsections.",
    ),
]
SummariesOption = Annotated[
    str | None,
    typer.Option(
        "--summaries",
        metavar="none|text|model",
        help="Where summaries come from: text is a section's own words, the default without a model.",
    ),
]
ModeOption = Annotated[
    str | None,
    typer.Option(
        "--mode",
        metavar="flash|standard",
        help="standard lets a model propose the tree where the document itself gives nothing.",
    ),
]
BudgetTokensOption = Annotated[
    int | None, typer.Option("--budget-tokens", help="Most tokens of all calls together.", min=0)
]
BudgetUsdOption = Annotated[
    float | None, typer.Option("--budget-usd", help="Most US dollars of all calls together.", min=0)
]
ConcurrencyOption = Annotated[int | None, typer.Option("--concurrency", help="Calls under way at once.", min=1)]


def settings_from(model: str | None, **given: Any) -> Settings:
    """Settings of what was given on the command line, then the environment, then ``pageindex.toml``.

    Raises:
        SettingsError: One of them means nothing.
    """
    from pageindex.config import Settings

    return Settings.load(index_model=model, **given)
