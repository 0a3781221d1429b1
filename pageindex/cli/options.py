"""Flags of settings, made from where the settings are declared; and ``--config``."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from pageindex.config import Option, Settings, options_of

__all__ = ["ConfigOption", "load_settings", "with_settings"]

ConfigOption = Annotated[
    Path | None,
    typer.Option(
        "--config",
        envvar="PAGEINDEX_CONFIG",
        show_default=False,
        help="Configuration file. Default: pageindex.toml beside the library, and your own (see 'pageindex config').",
    ),
]


def with_settings(
    task: str, *groups: str, shorts: Mapping[str, str] | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command a flag for every setting that is declared for ``task`` (``index`` or ``chat``) or ``groups``, and ``--config``.

    The command takes ``settings: Settings`` as a keyword, loaded from the flags, the environment and the files that count for the library
    that it works on. Its other parameters are its own; the flags stand before the last two of them, ``--library`` and ``--json``.

    Args:
        task: Also says which model ``--model`` names.
        groups: More of ``Option.commands``.
        shorts: One-letter spellings, by the setting's name.
    """
    options = [option for option in options_of(Settings).values() if {task, *groups} & {*option.commands}]

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def run(*args: Any, config: Path | None = None, **given: Any) -> None:
            chosen = {option.name: given.pop(option.name) for option in options}
            chosen[f"{task}_model"] = chosen.pop("model")
            command(*args, settings=load_settings(config, given.get("library"), **chosen), **given)

        own = [p for p in inspect.signature(command, eval_str=True).parameters.values() if p.name != "settings"]
        flags = [_parameter(option, (shorts or {}).get(option.name)) for option in options]
        flags.append(
            inspect.Parameter("config", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=ConfigOption)
        )
        parameters = [*own[:-2], *flags, *own[-2:]]
        run.__signature__ = inspect.Signature(parameters, return_annotation=None)  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return run

    return decorate


def _parameter(option: Option, short: str | None) -> inspect.Parameter:
    names = [option.flag, short] if short else [option.flag]
    if option.type is bool:
        names[0] += f"/--no-{option.name}"
    spelled = "|".join(option.values) or None
    kind: Any = option.type if option.type in (int, float, bool) else str
    info = typer.Option(
        *names, help=option.help, metavar=spelled, min=option.least if kind in (int, float) else None, max=option.most
    )
    annotation = Annotated[Optional[kind], info]  # noqa: UP045 - the type is a value here
    return inspect.Parameter(option.name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=annotation)


def load_settings(config: Path | None, library: Path | None, **given: Any) -> Settings:
    """Settings for work on a library; what a person should know of where they are from goes to standard error.

    Raises:
        SettingsError: One of them means nothing.
        InputError: The library cannot be used.
    """
    from pageindex.app.library import locate_library
    from pageindex.cli.screen import Screen, printable
    from pageindex.config import load

    settings = load(file=config, library=locate_library(explicit=library).root, **given).settings
    screen = Screen.of(sys.stderr)
    for note in settings.notes:
        sys.stderr.write(f"{screen.paint('note:', 'yellow')} {printable(note)}\n")
    return settings
