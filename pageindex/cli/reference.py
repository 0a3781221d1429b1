"""The pages of ``docs/`` that are made from the code: ``python -m pageindex.cli.reference`` writes them, in the working folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from pathlib import Path
from typing import Any

import typer
import typer.main

from pageindex import errors
from pageindex.cli.root import FAMILIES, app
from pageindex.config import Option, Settings, options_of

__all__ = ["PAGES", "commands", "reference", "settings"]

_HEAD = """\
# Command line

Made from the commands' own help by `python -m pageindex.cli.reference`; a test compares the two.

`pageindex COMMAND --help` shows the same on a terminal. `python -m pageindex` is the same command. `pageindex --install-completion`
sets up completion for bash, zsh, fish and PowerShell. Results go to standard output, everything else to standard error.
Output is plain when it is piped or `NO_COLOR` is set.
"""


def commands() -> dict[str, Any]:
    """Every command by its full name (``folders create``), imported."""
    group: Any = typer.main.get_command(app)
    context = typer.Context(group, info_name="pageindex")
    found: dict[str, Any] = {}
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        inner = getattr(command, "commands", None)
        found |= {f"{name} {below}": inner[below] for below in inner} if inner else {name: command}
    return found


def reference() -> str:
    """The whole page, in Markdown."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield _HEAD
    yield from _formats()
    yield from _exit_codes()
    known = commands()
    for section in dict.fromkeys(family.section for family in FAMILIES):
        yield f"## {section}\n"
        for family in FAMILIES:
            if family.section == section:
                for name in family.commands:
                    for full, command in known.items():
                        if full.split()[0] == name:
                            yield from _command(full, command)


def _formats() -> Iterator[str]:
    from pageindex.reading.formats import FORMATS

    yield "## Formats\n"
    yield "| format | suffixes | media type | extractor | printed pages: images, character boxes |\n|---|---|---|---|---|"
    for kind in FORMATS:
        suffixes = " ".join(f"`{suffix}`" for suffix in kind.suffixes)
        printed = "yes" if kind.image and kind.characters else "no"
        yield f"| {kind.name} | {suffixes} | `{kind.media_type}` | `{kind.extractor}` | {printed} |"
    yield "\nA file is told by its bytes, and by its suffix where those say nothing. [formats.md](formats.md) has what is read of each.\n"


def _exit_codes() -> Iterator[str]:
    yield "## Exit status\n"
    yield "| status | meaning |\n|---|---|"
    yield "| 0 | done |"
    yield "| 1 | files failed for different reasons (`add`), or a fault of pageindex itself |"
    by_code: dict[int, list[str]] = {}
    for name in errors.__all__:
        kind = getattr(errors, name)
        if kind.exit_code > 1:
            by_code.setdefault(kind.exit_code, []).append(f"{kind.default_code}: {_first_sentence(kind)}")
    for code in sorted(by_code):
        yield f"| {code} | {'<br>'.join(by_code[code])} |"
    yield "| 20 | a quote or a claim fails |"
    yield "| 21 | a person should look at it |"
    yield "| 22 | it rests on text that a machine read from a picture |"
    yield "| 23 | `verify` found something that is not as recorded |"
    yield "| 130 | interrupted |\n"
    yield 'With `--json`, an error is `{"error": {code, message, next_step, retryable, …}}` on standard error.\n'


def _first_sentence(kind: type) -> str:
    return (kind.__doc__ or "").strip().splitlines()[0]


def _command(name: str, command: Any) -> Iterator[str]:
    arguments = [param for param in command.params if param.param_type_name == "argument"]
    options = [param for param in command.params if param.param_type_name == "option" and not param.hidden]
    usage = " ".join(_metavar(argument) for argument in arguments)
    yield f"### pageindex {name}\n"
    yield f"    pageindex {name} {usage}".rstrip() + (" [OPTIONS]\n" if options else "\n")
    yield f"{command.help.strip()}\n"
    if arguments or options:
        yield "| | |\n|---|---|"
        for argument in arguments:
            yield f"| `{_metavar(argument)}` | {_cell(argument.help)} |"
        for option in options:
            yield f"| {_spelling(option)} | {_cell(option.help)}{_default(option)} |"
        yield ""


_SETTINGS = """\
# Settings

Made from where the settings are declared by `python -m pageindex.cli.reference`; a test compares the two.

What is given to a command or in Python wins over the environment, that over files, and those over the defaults. `pageindex config` shows
every setting in force and where it is from, keys masked.

| place | |
|---|---|
| a command's flag, a keyword in Python (`index={"timeout": 60}`) | |
| the environment | `PAGEINDEX_` and the name in capitals: `PAGEINDEX_TIMEOUT=60` |
| `--config FILE`, `$PAGEINDEX_CONFIG` | a file that you name; no other one is read then |
| `pageindex.toml` beside the library in use | counts once the library exists |
| `pageindex/pageindex.toml` in `$XDG_CONFIG_HOME`, `~/.config` or `%APPDATA%` | your own |

A file is never looked for in folders above. One that belongs to somebody else, or that anybody may write, is passed over, and you are told so.
A library may have come with its file from somebody else: when `base_url` is from the file beside the library, standard error says where text
goes, and no key and no header from anywhere else is sent there.

| setting | default | flag of | meaning |
|---|---|---|---|
"""


def settings() -> str:
    """``docs/settings.md``."""
    return _SETTINGS + "".join(f"{_setting(option)}\n" for option in options_of(Settings).values())


def _setting(option: Option) -> str:
    default = option.unset or f"`{option.default}`"
    flags = {"index": "`add`, `refine`", "chat": "`ask`, `chat`"}
    values = f" One of {', '.join(f'`{value}`' for value in option.values)}." if option.values else ""
    bounds = f" {option.bounds().capitalize()}." if option.bounds() and option.least != 0 else ""
    shown = (
        f"`{option.name}`",
        default,
        ", ".join(flags[task] for task in option.commands),
        option.help + values + bounds,
    )
    return f"| {' | '.join(_cell(text) for text in shown)} |"


def _metavar(argument: Any) -> str:
    name = argument.metavar or argument.name.upper()
    return f"{name}..." if argument.nargs == -1 else name


def _spelling(option: Any) -> str:
    names = ", ".join(f"`{name}`" for name in sorted(option.opts, key=len, reverse=True))
    return names if option.is_flag else f"{names} VALUE"


def _default(option: Any) -> str:
    parts = []
    value = option.default.value if isinstance(option.default, Enum) else option.default
    if not option.is_flag and value not in (None, (), []) and not callable(value):
        parts.append(f"default `{value}`")
    if option.envvar:
        parts.append(f"from `${option.envvar}`")
    return f" ({', '.join(parts)})" if parts else ""


def _cell(text: str | None) -> str:
    return (text or "").replace("|", "\\|")


PAGES: Mapping[str, Callable[[], str]] = {"cli.md": reference, "settings.md": settings}
"""The pages that are made, by their names in ``docs/``."""

if __name__ == "__main__":
    for name, page in PAGES.items():
        (Path("docs") / name).write_text(page(), "utf-8")
